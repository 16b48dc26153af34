#ifndef VF_SIM_REPLAY_INDEX_H
#define VF_SIM_REPLAY_INDEX_H

#include "simulate/pictures/replay_frames.h"

#pragma clang assume_nonnull begin

/// Opens a folder of pictures, a picture, a Motion-JPEG or a Y4M file.
vf_sim_replay *_Nullable vf_sim_replay_open(const char *path, double rate, int once,
                                            vf_failure *failure);

/// Accepts NULL.
void vf_sim_replay_close(vf_sim_replay *_Nullable replay);

#pragma clang assume_nonnull end

#endif
