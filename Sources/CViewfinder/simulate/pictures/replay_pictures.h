#ifndef VF_SIM_REPLAY_PICTURES_H
#define VF_SIM_REPLAY_PICTURES_H

#include "simulate/pictures/replay_frames.h"

#pragma clang assume_nonnull begin

/// Indexes the pictures of a folder. Returns 0 or a negative errno.
int vf_sim_replay_index_folder(vf_sim_replay *replay, vf_failure *failure);

/// Indexes the one picture that the file is. Returns 0 or a negative errno.
int vf_sim_replay_index_picture(vf_sim_replay *replay, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
