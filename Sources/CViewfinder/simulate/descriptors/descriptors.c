#include "simulate/descriptors/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "simulate/clock.h"
#include "simulate/machine/calls.h"
#include "simulate/machine/stream.h"

vf_sim_handle *vf_sim_find_handle(const vf_simulator *simulator, int fd) {
  for (uint32_t i = 0; i < VF_SIM_FILES && fd >= 0; i++)
    if (simulator->handles[i] && simulator->handles[i]->fd == fd)
      return simulator->handles[i];
  return NULL;
}

void vf_sim_arm(const vf_sim_handle *handle, int64_t time) {
  struct itimerspec timer = {0};
  if (time != VF_SIM_NEVER) {
    // Zero would mean "never" to the timer.
    if (time <= 0)
      time = 1;
    timer.it_value.tv_sec = time / 1000000000;
    timer.it_value.tv_nsec = time % 1000000000;
  }
  timerfd_settime(handle->fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

void vf_sim_wake(vf_simulator *simulator) {
  if (!simulator->device.changed)
    return;
  simulator->device.changed = 0;
  pthread_cond_broadcast(&simulator->changed);
  if (!simulator->waiters)
    return;
  for (uint32_t i = 0; i < VF_SIM_FILES; i++)
    if (simulator->handles[i])
      vf_sim_arm(simulator->handles[i], 0);
}

void vf_sim_catch_up(vf_simulator *simulator) {
  vf_sim_advance(&simulator->device, vf_sim_now());
  vf_sim_wake(simulator);
}

// Waits until something changes, or a frame is due where the answer says that it may be.
static void wait_for_change(vf_simulator *simulator, int answer) {
  const vf_sim_device *device = &simulator->device;
  if (answer == VF_SIM_WAITS_FOR_EVENT || device->next_due == VF_SIM_NEVER || device->silent ||
      !device->buffers.queued.count) {
    pthread_cond_wait(&simulator->changed, &simulator->mutex);
    return;
  }
  struct timespec due = {.tv_sec = device->next_due / 1000000000,
                         .tv_nsec = device->next_due % 1000000000};
  pthread_cond_timedwait(&simulator->changed, &simulator->mutex, &due);
}

int vf_sim_open(void *context, const char *path, int flags) {
  vf_simulator *simulator = context;
  if (strcmp(path, VF_SIMULATOR_PATH) != 0) {
    errno = ENOENT;
    return -1;
  }
  vf_sim_handle *handle = calloc(1, sizeof *handle);
  if (!handle) {
    errno = ENOMEM;
    return -1;
  }
  pthread_mutex_lock(&simulator->mutex);
  vf_sim_catch_up(simulator);
  int code = 0;
  uint32_t slot = 0;
  while (slot < VF_SIM_FILES && simulator->handles[slot])
    slot++;
  if (!simulator->device.plugged)
    code = ENOENT;
  else if (slot == VF_SIM_FILES)
    code = EMFILE;
  else {
    handle->fd =
        timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | (flags & O_CLOEXEC ? TFD_CLOEXEC : 0));
    if (handle->fd < 0)
      code = errno;
  }
  if (!code) {
    handle->file.blocks = !(flags & O_NONBLOCK);
    handle->file.priority = V4L2_PRIORITY_DEFAULT;
    simulator->handles[slot] = handle;
    simulator->device.files[slot] = &handle->file;
    simulator->handle_count++;
  }
  pthread_mutex_unlock(&simulator->mutex);
  if (!code)
    return handle->fd;
  free(handle);
  errno = code;
  return -1;
}

int vf_sim_close(void *context, int fd) {
  vf_simulator *simulator = context;
  pthread_mutex_lock(&simulator->mutex);
  vf_sim_handle *handle = vf_sim_find_handle(simulator, fd);
  if (!handle) {
    pthread_mutex_unlock(&simulator->mutex);
    errno = EBADF;
    return -1;
  }
  vf_sim_leave(&simulator->device, &handle->file);
  vf_sim_wake(simulator);
  for (uint32_t i = 0; i < VF_SIM_FILES; i++) {
    if (simulator->handles[i] == handle) {
      simulator->handles[i] = NULL;
      simulator->device.files[i] = NULL;
    }
  }
  simulator->handle_count--;
  close(fd);
  handle->file.dead = handle->closed = 1;
  if (handle->users) {
    simulator->device.changed = 1;
    vf_sim_wake(simulator);
  } else {
    free(handle);
  }
  pthread_mutex_unlock(&simulator->mutex);
  return 0;
}

int vf_sim_ioctl(void *context, int fd, unsigned long request, void *argument) {
  vf_simulator *simulator = context;
  pthread_mutex_lock(&simulator->mutex);
  vf_sim_handle *handle = vf_sim_find_handle(simulator, fd);
  int code = EBADF;
  if (handle) {
    handle->users++;
    for (;;) {
      vf_sim_catch_up(simulator);
      code = vf_sim_call(&simulator->device, &handle->file, request, argument);
      vf_sim_wake(simulator);
      if (code >= 0)
        break;
      wait_for_change(simulator, code);
    }
    if (--handle->users == 0 && handle->closed)
      free(handle);
  }
  pthread_mutex_unlock(&simulator->mutex);
  if (!code)
    return 0;
  errno = code;
  return -1;
}

void *vf_sim_mmap(void *context, size_t length, int protection, int fd, int64_t offset) {
  vf_simulator *simulator = context;
  pthread_mutex_lock(&simulator->mutex);
  int code = 0;
  void *address = MAP_FAILED;
  const vf_sim_handle *handle = vf_sim_find_handle(simulator, fd);
  vf_sim_buffers *buffers = &simulator->device.buffers;
  int64_t index = offset >> VF_SIM_OFFSET_SHIFT;
  if (!handle)
    code = EBADF;
  else if (handle->file.dead)
    code = ENODEV;
  else if (offset < 0 || offset & ((1 << VF_SIM_OFFSET_SHIFT) - 1) || index >= buffers->count ||
           !(protection & PROT_READ) || !vf_sim_memory_holds(&buffers->all[index].memory, length))
    code = EINVAL;
  if (!code && simulator->mapping_count == simulator->mapping_capacity) {
    uint32_t capacity = simulator->mapping_capacity * 2 + 32;
    vf_sim_mapping *grown = realloc(simulator->mappings, capacity * sizeof *grown);
    if (!grown)
      code = ENOMEM;
    else {
      simulator->mappings = grown;
      simulator->mapping_capacity = capacity;
    }
  }
  if (!code) {
    address = vf_sim_memory_map(&buffers->all[index].memory, length, protection);
    if (!address) {
      code = errno;
      address = MAP_FAILED;
    } else {
      buffers->all[index].mappings++;
      simulator->mappings[simulator->mapping_count++] =
          (vf_sim_mapping){address, length, (uint32_t)index, buffers->set};
    }
  }
  pthread_mutex_unlock(&simulator->mutex);
  if (code)
    errno = code;
  return address;
}

int vf_sim_munmap(void *context, void *address, size_t length) {
  vf_simulator *simulator = context;
  pthread_mutex_lock(&simulator->mutex);
  uint32_t found = 0;
  while (found < simulator->mapping_count && (simulator->mappings[found].address != address ||
                                              simulator->mappings[found].length != length))
    found++;
  int code = found < simulator->mapping_count ? 0 : EINVAL;
  if (!code) {
    vf_sim_mapping mapping = simulator->mappings[found];
    simulator->mappings[found] = simulator->mappings[--simulator->mapping_count];
    // Buffers of an earlier set live on in their mappings alone.
    if (mapping.set == simulator->device.buffers.set)
      simulator->device.buffers.all[mapping.buffer].mappings--;
    if (munmap(address, length) != 0)
      code = errno;
  }
  pthread_mutex_unlock(&simulator->mutex);
  if (!code)
    return 0;
  errno = code;
  return -1;
}
