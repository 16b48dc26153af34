#ifndef VF_SIM_POLL_H
#define VF_SIM_POLL_H

#include "simulate/descriptors/descriptors.h"

#pragma clang assume_nonnull begin

struct pollfd;

/// Waits for the device's descriptors and for others alike.
int vf_sim_poll(void *_Nullable context, struct pollfd *descriptors, uint64_t count, int timeout);

#pragma clang assume_nonnull end

#endif
