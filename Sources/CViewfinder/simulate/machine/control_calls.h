#ifndef VF_SIM_CONTROL_CALLS_H
#define VF_SIM_CONTROL_CALLS_H

#include "simulate/machine/device.h"

#pragma clang assume_nonnull begin

/// Answers the calls of controls, and tells subscribers of changes.
int vf_sim_control_call(vf_sim_device *device, vf_sim_file *file, unsigned long request,
                        void *argument);

int vf_sim_subscribe(vf_sim_device *device, vf_sim_file *file,
                     const struct v4l2_event_subscription *wanted);
int vf_sim_unsubscribe(vf_sim_file *file, const struct v4l2_event_subscription *unwanted);

#pragma clang assume_nonnull end

#endif
