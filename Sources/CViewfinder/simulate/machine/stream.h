#ifndef VF_SIM_STREAM_H
#define VF_SIM_STREAM_H

#include "simulate/machine/device.h"

#pragma clang assume_nonnull begin

/// The answer of a call that has to wait: for a frame, which may be due at `next_due`, or for an
/// event. Whoever called calls again when something has changed.
#define VF_SIM_WAITS_FOR_FRAME (-1)
#define VF_SIM_WAITS_FOR_EVENT (-2)

/// Brings the device up to `now`: frames fall into queued buffers, faults happen.
void vf_sim_advance(vf_sim_device *device, int64_t now);

/// Pulls the plug, for good when `seconds` is negative.
void vf_sim_unplug(vf_sim_device *device, double seconds);
void vf_sim_plug(vf_sim_device *device);

/// Ends the stream, when one runs.
void vf_sim_stop(vf_sim_device *device);

/// A file is closed: its stream ends, and its buffers go.
void vf_sim_leave(vf_sim_device *device, const vf_sim_file *file);

/// What poll() says of a file at this moment.
short vf_sim_poll_state(const vf_sim_device *device, const vf_sim_file *file, short events);

/// Answers the calls of streaming.
int vf_sim_stream_call(vf_sim_device *device, vf_sim_file *file, unsigned long request,
                       void *argument);

#pragma clang assume_nonnull end

#endif
