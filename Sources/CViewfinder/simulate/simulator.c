#include "vf_simulator.h"

#include <errno.h>
#include <stdlib.h>

#include "failure.h"
#include "simulate/clock.h"
#include "simulate/descriptors/poll.h"
#include "simulate/machine/stream.h"

static int open_source(vf_simulator *simulator, const vf_simulator_options *options,
                       vf_failure *failure) {
  vf_sim_source *source = &simulator->device.source;
  if (options->replay)
    return vf_sim_open_replay(options->replay, options->replay_rate, options->replays_once, source,
                              failure);
  return vf_sim_open_scene(options->scene ? options->scene : "card", options->seed, source,
                           failure);
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
  *simulator =
      (vf_simulator){.system = {.name = "simulated",
                                .context = simulator,
                                .open = vf_sim_open,
                                .close = vf_sim_close,
                                .ioctl = vf_sim_ioctl,
                                .mmap = vf_sim_mmap,
                                .munmap = vf_sim_munmap,
                                .poll = vf_sim_poll},
                     .device = {.full_speed = options->full_speed != 0, .seed = options->seed}};
  pthread_mutex_init(&simulator->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&simulator->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  if (open_source(simulator, options, failure) != 0 ||
      (options->faults && vf_simulator_inject(simulator, options->faults, failure) != 0)) {
    vf_simulator_destroy(simulator);
    return NULL;
  }
  vf_sim_device *device = &simulator->device;
  if (device->source.calls->about)
    device->formats.fixed = device->source.calls->about(device->source.state);
  vf_sim_power_on(device);
  return simulator;
}

void vf_simulator_destroy(vf_simulator *simulator) {
  if (!simulator)
    return;
  vf_sim_device *device = &simulator->device;
  vf_sim_buffers_free(&device->buffers);
  // Whoever still has descriptors or mappings keeps them: they are the process's own.
  for (uint32_t i = 0; i < VF_SIM_FILES; i++)
    free(simulator->handles[i]);
  if (device->source.calls)
    device->source.calls->close(device->source.state);
  vf_sim_script_free(&device->script);
  free(simulator->mappings);
  pthread_cond_destroy(&simulator->changed);
  pthread_mutex_destroy(&simulator->mutex);
  free(simulator);
}

const vf_system *vf_simulator_system(vf_simulator *simulator) { return &simulator->system; }

int vf_simulator_inject(vf_simulator *simulator, const char *faults, vf_failure *failure) {
  vf_sim_script added;
  int code = vf_sim_script_read(faults, &added, failure);
  if (code)
    return code;
  vf_sim_device *device = &simulator->device;
  pthread_mutex_lock(&simulator->mutex);
  code =
      vf_sim_script_add(&device->script, &added, device->streaming ? device->sequence : 0, failure);
  pthread_mutex_unlock(&simulator->mutex);
  vf_sim_script_free(&added);
  return code;
}

void vf_simulator_set_plugged(vf_simulator *simulator, int plugged) {
  pthread_mutex_lock(&simulator->mutex);
  if (plugged)
    vf_sim_plug(&simulator->device);
  else {
    vf_sim_unplug(&simulator->device, -1);
    simulator->device.replug_at = VF_SIM_NEVER;
  }
  vf_sim_wake(simulator);
  pthread_mutex_unlock(&simulator->mutex);
}

int vf_simulator_card(vf_simulator *simulator, uint32_t sequence, uint32_t width, uint32_t height,
                      vf_point corners[4], vf_failure *failure) {
  const vf_sim_source *source = &simulator->device.source;
  pthread_mutex_lock(&simulator->mutex);
  vf_sim_look look = vf_sim_device_look(&simulator->device);
  pthread_mutex_unlock(&simulator->mutex);
  if (!source->calls->card ||
      source->calls->card(source->state, &look, sequence, width, height, corners) != 0)
    return vf_fail(failure, ENOENT, "card", "the scene shows none");
  if (width < 16 || height < 16 || width > 65500 || height > 65500)
    return vf_fail(failure, EINVAL, "card", "size");
  return 0;
}

void vf_simulator_leaks(vf_simulator *simulator, uint32_t *mapped, uint32_t *open) {
  pthread_mutex_lock(&simulator->mutex);
  *mapped = simulator->mapping_count;
  *open = simulator->handle_count;
  pthread_mutex_unlock(&simulator->mutex);
}
