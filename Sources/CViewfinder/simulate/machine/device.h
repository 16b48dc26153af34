#ifndef VF_SIM_DEVICE_H
#define VF_SIM_DEVICE_H

#include "simulate/faults/faults.h"
#include "simulate/machine/buffers.h"
#include "simulate/machine/controls.h"
#include "simulate/machine/events.h"
#include "simulate/machine/formats.h"
#include "simulate/pictures/source.h"

#pragma clang assume_nonnull begin

// The simulated device: what it is in at a moment. It knows no descriptors, no threads and no
// waiting; `simulator.c` calls it with its mutex held, wakes those who wait when `changed` says so,
// and waits where a call of it can't be answered yet.

#define VF_SIM_FILES 64u

/// An open file, as the device sees it.
typedef struct vf_sim_file {
  uint8_t blocks;
  /// The camera it was opened on has been unplugged since.
  uint8_t dead;
  uint32_t priority;
  vf_sim_events events;
} vf_sim_file;

typedef struct vf_sim_device {
  vf_sim_source source;
  vf_sim_script script;
  uint32_t seed;
  uint8_t full_speed;
  vf_sim_file *_Nullable files[VF_SIM_FILES];

  uint8_t plugged;
  int64_t replug_at;
  vf_sim_formats formats;
  vf_sim_controls controls;

  /// The file that owns the buffers; NULL when there are none.
  vf_sim_file *_Nullable owner;
  vf_sim_buffers buffers;

  uint8_t streaming;
  /// No more frames until the stream starts again: the source changed, or the replay has ended.
  uint8_t silent;
  uint8_t eio_pending, eio_persists;
  uint32_t eio_sequence;
  /// At full speed: a frame was just taken, and nobody has polled for the next.
  uint8_t pauses;
  uint32_t sequence;
  int64_t next_due, next_stamp;

  /// Something happened that somebody may wait for; whoever wakes them sets it back.
  uint8_t changed;
} vf_sim_device;

/// The camera is plugged in: it has its first controls and format.
void vf_sim_power_on(vf_sim_device *device);

/// How the controls have the picture.
vf_sim_look vf_sim_device_look(const vf_sim_device *device);

/// Gives an event to a file.
void vf_sim_post(vf_sim_device *device, vf_sim_file *file, const struct v4l2_event *event);

/// The highest priority of any file.
uint32_t vf_sim_highest_priority(const vf_sim_device *device);

#pragma clang assume_nonnull end

#endif
