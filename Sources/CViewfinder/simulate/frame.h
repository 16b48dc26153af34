#ifndef VF_SIM_FRAME_H
#define VF_SIM_FRAME_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// What the simulated camera's rooms have in common. Their functions return 0 or a positive errno,
// unless they say otherwise.

/// A picture format as the device has it set.
typedef struct vf_sim_format {
  uint32_t fourcc, width, height, stride, size;
  uint32_t numerator, denominator;
} vf_sim_format;

/// Memory that holds a frame.
typedef struct vf_sim_frame {
  uint8_t *bytes;
  uint32_t length, used;
  /// Which picture it holds, so that steady scenes need no drawing; 0: none.
  uint64_t picture;
} vf_sim_frame;

#pragma clang assume_nonnull end

#endif
