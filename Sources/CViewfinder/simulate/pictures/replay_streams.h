#ifndef VF_SIM_REPLAY_STREAMS_H
#define VF_SIM_REPLAY_STREAMS_H

#include "simulate/pictures/replay_frames.h"

#pragma clang assume_nonnull begin

/// Reads a Y4M file's header. Returns 0 or a negative errno.
int vf_sim_replay_open_y4m(vf_sim_replay *replay, vf_failure *failure);

/// The index of the frame to show as number `sequence`; -1 when the replay is over.
int64_t vf_sim_replay_find(vf_sim_replay *replay, uint32_t sequence);

#pragma clang assume_nonnull end

#endif
