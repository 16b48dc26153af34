#ifndef VF_SIM_CALLS_H
#define VF_SIM_CALLS_H

#include "simulate/machine/device.h"

#pragma clang assume_nonnull begin

/// Answers an ioctl: 0, a positive errno, or `VF_SIM_WAITS_FOR_…`.
int vf_sim_call(vf_sim_device *device, vf_sim_file *file, unsigned long request,
                void *_Nullable argument);

#pragma clang assume_nonnull end

#endif
