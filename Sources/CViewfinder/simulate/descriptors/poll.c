#include "simulate/descriptors/poll.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "simulate/clock.h"
#include "simulate/machine/stream.h"

// Looks at all of the device's descriptors, and arms their timers when none is ready. Returns how
// many are; `*own` receives how many of the descriptors are the device's.
static int look(vf_simulator *simulator, struct pollfd *descriptors, struct pollfd *real,
                uint64_t count, int arms, int *own) {
  int ready = 0;
  *own = 0;
  pthread_mutex_lock(&simulator->mutex);
  simulator->device.pauses = 0;
  vf_sim_catch_up(simulator);
  for (uint64_t i = 0; i < count; i++) {
    real[i] = descriptors[i];
    real[i].revents = descriptors[i].revents = 0;
    const vf_sim_handle *handle = vf_sim_find_handle(simulator, descriptors[i].fd);
    if (!handle)
      continue;
    ++*own;
    real[i].events = POLLIN;
    descriptors[i].revents =
        vf_sim_poll_state(&simulator->device, &handle->file, descriptors[i].events);
    ready += descriptors[i].revents != 0;
  }
  if (!ready && *own && arms) {
    simulator->waiters++;
    const vf_sim_device *device = &simulator->device;
    int64_t due = device->streaming && !device->silent ? device->next_due : VF_SIM_NEVER;
    for (uint64_t i = 0; i < count; i++) {
      const vf_sim_handle *handle = vf_sim_find_handle(simulator, descriptors[i].fd);
      if (handle)
        vf_sim_arm(handle, due);
    }
  }
  pthread_mutex_unlock(&simulator->mutex);
  return ready;
}

static int wait_for(vf_simulator *simulator, struct pollfd *descriptors, struct pollfd *real,
                    uint64_t count, int timeout) {
  int64_t deadline = timeout < 0 ? VF_SIM_NEVER : vf_sim_now() + (int64_t)timeout * 1000000;
  for (;;) {
    int64_t remaining = deadline == VF_SIM_NEVER ? VF_SIM_NEVER : deadline - vf_sim_now();
    int milliseconds = remaining == VF_SIM_NEVER ? -1
                       : remaining <= 0          ? 0
                                                 : (int)((remaining + 999999) / 1000000);
    int own;
    int ready = look(simulator, descriptors, real, count, milliseconds != 0, &own);
    if (ready && (uint64_t)own == count)
      return ready;
    int waits = !ready && milliseconds != 0;
    // poll() ignores descriptors below zero: the device's own matter only while waiting.
    for (uint64_t i = 0; i < count && !waits; i++) {
      pthread_mutex_lock(&simulator->mutex);
      if (vf_sim_find_handle(simulator, real[i].fd))
        real[i].fd = -1;
      pthread_mutex_unlock(&simulator->mutex);
    }
    int result = poll(real, count, waits ? milliseconds : 0);
    int code = errno;
    if (waits && own) {
      pthread_mutex_lock(&simulator->mutex);
      simulator->waiters--;
      pthread_mutex_unlock(&simulator->mutex);
    }
    if (result < 0) {
      errno = code;
      return -1;
    }
    int total = 0;
    pthread_mutex_lock(&simulator->mutex);
    for (uint64_t i = 0; i < count; i++) {
      if (real[i].fd >= 0 && !vf_sim_find_handle(simulator, real[i].fd))
        descriptors[i].revents = real[i].revents;
      total += descriptors[i].revents != 0;
    }
    pthread_mutex_unlock(&simulator->mutex);
    if (total || milliseconds == 0)
      return total;
  }
}

int vf_sim_poll(void *context, struct pollfd *descriptors, uint64_t count, int timeout) {
  struct pollfd few[8];
  struct pollfd *real = few;
  if (count > SIZE_MAX / sizeof *real) {
    errno = EINVAL;
    return -1;
  }
  if (count > sizeof few / sizeof *few)
    real = malloc(count * sizeof *real);
  if (!real) {
    errno = ENOMEM;
    return -1;
  }
  int result = wait_for(context, descriptors, real, count, timeout);
  int code = errno;
  if (real != few)
    free(real);
  errno = code;
  return result;
}
