#include "simulate/simulator.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "failure.h"

static vf_sim_handle *find_handle(const vf_simulator *simulator, int fd) {
  for (uint32_t i = 0; i < VF_SIM_HANDLES && fd >= 0; i++)
    if (simulator->handles[i] && simulator->handles[i]->fd == fd)
      return simulator->handles[i];
  return NULL;
}

// Makes a handle's descriptor readable at `time` (0: at once, VF_SIM_NEVER: not at all).
static void arm(const vf_sim_handle *handle, int64_t time) {
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
  pthread_cond_broadcast(&simulator->changed);
  if (!simulator->waiters)
    return;
  for (uint32_t i = 0; i < VF_SIM_HANDLES; i++)
    if (simulator->handles[i])
      arm(simulator->handles[i], 0);
}

void vf_sim_post(vf_simulator *simulator, vf_sim_handle *handle, const struct v4l2_event *event) {
  // Full: the oldest makes room, as the kernel does it.
  if (handle->event_count == VF_SIM_EVENTS) {
    handle->event_first = (handle->event_first + 1) % VF_SIM_EVENTS;
    handle->event_count--;
  }
  struct v4l2_event *slot =
      &handle->events[(handle->event_first + handle->event_count++) % VF_SIM_EVENTS];
  *slot = *event;
  slot->sequence = handle->event_sequence++;
  int64_t now = vf_sim_now();
  slot->timestamp.tv_sec = now / 1000000000;
  slot->timestamp.tv_nsec = now % 1000000000;
  vf_sim_wake(simulator);
}

static int sim_open(void *context, const char *path, int flags) {
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
  vf_sim_advance(simulator, vf_sim_now());
  int code = 0;
  uint32_t slot = 0;
  while (slot < VF_SIM_HANDLES && simulator->handles[slot])
    slot++;
  if (!simulator->plugged)
    code = ENOENT;
  else if (slot == VF_SIM_HANDLES)
    code = EMFILE;
  else {
    handle->fd =
        timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | (flags & O_CLOEXEC ? TFD_CLOEXEC : 0));
    if (handle->fd < 0)
      code = errno;
  }
  if (!code) {
    handle->blocks = !(flags & O_NONBLOCK);
    handle->priority = V4L2_PRIORITY_DEFAULT;
    simulator->handles[slot] = handle;
    simulator->handle_count++;
  }
  pthread_mutex_unlock(&simulator->mutex);
  if (!code)
    return handle->fd;
  free(handle);
  errno = code;
  return -1;
}

static int sim_close(void *context, int fd) {
  vf_simulator *simulator = context;
  pthread_mutex_lock(&simulator->mutex);
  vf_sim_handle *handle = find_handle(simulator, fd);
  if (!handle) {
    pthread_mutex_unlock(&simulator->mutex);
    errno = EBADF;
    return -1;
  }
  if (simulator->owner == handle) {
    vf_sim_stop(simulator);
    vf_sim_free_buffers(simulator);
  }
  for (uint32_t i = 0; i < VF_SIM_HANDLES; i++)
    if (simulator->handles[i] == handle)
      simulator->handles[i] = NULL;
  simulator->handle_count--;
  close(fd);
  handle->dead = handle->closed = 1;
  if (handle->users)
    vf_sim_wake(simulator);
  else
    free(handle);
  pthread_mutex_unlock(&simulator->mutex);
  return 0;
}

static int sim_ioctl(void *context, int fd, unsigned long request, void *argument) {
  vf_simulator *simulator = context;
  pthread_mutex_lock(&simulator->mutex);
  vf_sim_handle *handle = find_handle(simulator, fd);
  int code = EBADF;
  if (handle) {
    handle->users++;
    vf_sim_advance(simulator, vf_sim_now());
    code = vf_sim_ioctl(simulator, handle, request, argument);
    if (--handle->users == 0 && handle->closed)
      free(handle);
  }
  pthread_mutex_unlock(&simulator->mutex);
  if (!code)
    return 0;
  errno = code;
  return -1;
}

static void *sim_mmap(void *context, size_t length, int protection, int fd, int64_t offset) {
  vf_simulator *simulator = context;
  pthread_mutex_lock(&simulator->mutex);
  int code = 0;
  void *address = MAP_FAILED;
  const vf_sim_handle *handle = find_handle(simulator, fd);
  int64_t index = offset >> VF_SIM_OFFSET_SHIFT;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (!handle)
    code = EBADF;
  else if (handle->dead)
    code = ENODEV;
  else if (offset < 0 || offset & ((1 << VF_SIM_OFFSET_SHIFT) - 1) ||
           index >= simulator->buffer_count || !(protection & PROT_READ) || length == 0 ||
           length > (simulator->buffers[index].length + page - 1) / page * page)
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
    vf_sim_buffer *buffer = &simulator->buffers[index];
    address = mmap(NULL, length, protection, MAP_SHARED, buffer->memory, 0);
    if (address == MAP_FAILED)
      code = errno;
    else {
      buffer->mappings++;
      simulator->mappings[simulator->mapping_count++] =
          (vf_sim_mapping){address, length, (uint32_t)index, simulator->buffer_set};
    }
  }
  pthread_mutex_unlock(&simulator->mutex);
  if (code)
    errno = code;
  return address;
}

static int sim_munmap(void *context, void *address, size_t length) {
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
    if (mapping.set == simulator->buffer_set)
      simulator->buffers[mapping.buffer].mappings--;
    if (munmap(address, length) != 0)
      code = errno;
  }
  pthread_mutex_unlock(&simulator->mutex);
  if (!code)
    return 0;
  errno = code;
  return -1;
}

// What poll says of a handle at this moment.
static short state_of(const vf_simulator *simulator, const vf_sim_handle *handle, short events) {
  if (handle->dead)
    return POLLERR | POLLHUP;
  short result = 0;
  if (handle->event_count)
    result |= events & POLLPRI;
  if (!(events & (POLLIN | POLLRDNORM)))
    return result;
  if (!simulator->streaming || simulator->owner != handle || simulator->eio_persists)
    return result | POLLERR;
  if (simulator->done_count || simulator->eio_pending)
    return (short)(result | (events & (POLLIN | POLLRDNORM)));
  if (!simulator->queued_count)
    return result | POLLERR;
  return result;
}

// Looks at all of the device's descriptors, and arms their timers when none is ready. Returns how
// many are; `*own` receives how many of the descriptors are the device's.
static int look(vf_simulator *simulator, struct pollfd *descriptors, struct pollfd *real,
                uint64_t count, int arms, int *own) {
  int ready = 0;
  *own = 0;
  pthread_mutex_lock(&simulator->mutex);
  simulator->pauses = 0;
  vf_sim_advance(simulator, vf_sim_now());
  for (uint64_t i = 0; i < count; i++) {
    real[i] = descriptors[i];
    real[i].revents = descriptors[i].revents = 0;
    const vf_sim_handle *handle = find_handle(simulator, descriptors[i].fd);
    if (!handle)
      continue;
    ++*own;
    real[i].events = POLLIN;
    descriptors[i].revents = state_of(simulator, handle, descriptors[i].events);
    ready += descriptors[i].revents != 0;
  }
  if (!ready && *own && arms) {
    simulator->waiters++;
    int64_t wake = simulator->streaming && !simulator->silent ? simulator->next_due : VF_SIM_NEVER;
    for (uint64_t i = 0; i < count; i++) {
      const vf_sim_handle *handle = find_handle(simulator, descriptors[i].fd);
      if (handle)
        arm(handle, wake);
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
      if (find_handle(simulator, real[i].fd))
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
      if (real[i].fd >= 0 && !find_handle(simulator, real[i].fd))
        descriptors[i].revents = real[i].revents;
      total += descriptors[i].revents != 0;
    }
    pthread_mutex_unlock(&simulator->mutex);
    if (total || milliseconds == 0)
      return total;
  }
}

static int sim_poll(void *context, struct pollfd *descriptors, uint64_t count, int timeout) {
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

static int choose_scene(vf_simulator *simulator, const vf_simulator_options *options,
                        vf_failure *failure) {
  static const char *const names[] = {"card", "steady", "bars", "grey"};
  if (options->replay) {
    simulator->scene = VF_SIM_SCENE_REPLAY;
    simulator->replay =
        vf_sim_replay_open(options->replay, options->replay_rate, options->replays_once, failure);
    return simulator->replay ? 0 : -failure->code;
  }
  if (!options->scene)
    return 0;
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(options->scene, names[i]) != 0)
      continue;
    simulator->scene = (vf_sim_scene)i;
    return 0;
  }
  return vf_fail(failure, EINVAL, "scene", "\"%.80s\"", options->scene);
}

vf_simulator *vf_simulator_create(const vf_simulator_options *options, vf_failure *failure) {
  vf_simulator_options none = {0};
  if (!options)
    options = &none;
  vf_simulator *simulator = malloc(sizeof *simulator);
  if (!simulator) {
    vf_fail(failure, ENOMEM, "simulated camera", NULL);
    return NULL;
  }
  *simulator = (vf_simulator){.system = {.name = "simulated",
                                         .context = simulator,
                                         .open = sim_open,
                                         .close = sim_close,
                                         .ioctl = sim_ioctl,
                                         .mmap = sim_mmap,
                                         .munmap = sim_munmap,
                                         .poll = sim_poll},
                              .full_speed = options->full_speed != 0,
                              .seed = options->seed,
                              .plugged = 1};
  pthread_mutex_init(&simulator->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&simulator->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  if (choose_scene(simulator, options, failure) != 0 ||
      (options->faults && vf_sim_add_faults(simulator, options->faults, failure) != 0)) {
    vf_simulator_destroy(simulator);
    return NULL;
  }
  vf_sim_reset_controls(simulator);
  vf_sim_reset_format(simulator);
  return simulator;
}

void vf_simulator_destroy(vf_simulator *simulator) {
  if (!simulator)
    return;
  vf_sim_free_buffers(simulator);
  // Whoever still has descriptors or mappings keeps them: they are the process's own.
  for (uint32_t i = 0; i < VF_SIM_HANDLES; i++)
    free(simulator->handles[i]);
  vf_sim_free_painter(simulator->painter);
  vf_sim_replay_close(simulator->replay);
  free(simulator->mappings);
  free(simulator->faults);
  pthread_cond_destroy(&simulator->changed);
  pthread_mutex_destroy(&simulator->mutex);
  free(simulator);
}

const vf_system *vf_simulator_system(vf_simulator *simulator) { return &simulator->system; }

int vf_simulator_inject(vf_simulator *simulator, const char *faults, vf_failure *failure) {
  return vf_sim_add_faults(simulator, faults, failure);
}

void vf_simulator_set_plugged(vf_simulator *simulator, int plugged) {
  pthread_mutex_lock(&simulator->mutex);
  if (plugged)
    vf_sim_plug(simulator);
  else {
    vf_sim_unplug(simulator, -1);
    simulator->replug_at = VF_SIM_NEVER;
  }
  pthread_mutex_unlock(&simulator->mutex);
}

int vf_simulator_card(vf_simulator *simulator, uint32_t sequence, uint32_t width, uint32_t height,
                      vf_point corners[4], vf_failure *failure) {
  if (simulator->scene != VF_SIM_SCENE_CARD && simulator->scene != VF_SIM_SCENE_STEADY)
    return vf_fail(failure, ENOENT, "card", "the scene shows none");
  if (width < 16 || height < 16 || width > 65500 || height > 65500)
    return vf_fail(failure, EINVAL, "card", "size");
  pthread_mutex_lock(&simulator->mutex);
  vf_sim_view view = {.zoom = simulator->values[VF_SIM_ZOOM] / 100.0,
                      .hflip = simulator->values[VF_SIM_HFLIP] != 0,
                      .vflip = simulator->values[VF_SIM_VFLIP] != 0};
  int32_t x, y;
  vf_sim_shake(simulator, sequence, width, height, &x, &y);
  pthread_mutex_unlock(&simulator->mutex);
  vf_sim_card_corners(width, height, &view, corners);
  for (int i = 0; i < 4; i++) {
    corners[i].x += x;
    corners[i].y += y;
  }
  return 0;
}

void vf_simulator_leaks(vf_simulator *simulator, uint32_t *mapped, uint32_t *open) {
  pthread_mutex_lock(&simulator->mutex);
  *mapped = simulator->mapping_count;
  *open = simulator->handle_count;
  pthread_mutex_unlock(&simulator->mutex);
}
