#ifndef VF_SIM_SOURCE_H
#define VF_SIM_SOURCE_H

#include "simulate/frame.h"
#include "vf_failure.h"
#include "vf_outline.h"

#pragma clang assume_nonnull begin

/// How the controls have the picture, in the controls' units.
typedef struct vf_sim_look {
  int32_t brightness, contrast, saturation, gain, exposure, white_balance, focus, zoom;
  uint8_t exposes_manually, balances_automatically, focuses_automatically;
  uint8_t hflip, vflip, flash;
  /// Counts changes of all these.
  uint32_t revision;
  /// How long a frame takes, in nanoseconds: no exposure is longer.
  int64_t frame_time;
} vf_sim_look;

/// A frame to make.
typedef struct vf_sim_shot {
  const vf_sim_format *format;
  const vf_sim_look *look;
  uint32_t sequence;
  /// The lens is covered.
  uint8_t black;
} vf_sim_shot;

/// What a source shows: its size and rate, and the bytes of its largest JPEG.
typedef struct vf_sim_source_info {
  uint32_t width, height, numerator, denominator, largest_jpeg;
} vf_sim_source_info;

/// What a simulated camera looks at: a drawn scene, or a recording.
typedef struct vf_sim_source {
  const struct vf_sim_source_calls *calls;
  void *_Nullable state;
} vf_sim_source;

typedef struct vf_sim_source_calls {
  /// Makes the frame of a shot. Leaves it when it holds that picture already.
  int (*paint)(void *state, const vf_sim_shot *shot, vf_sim_frame *frame);
  /// Its one size and rate. NULL: it has any.
  const vf_sim_source_info *_Nonnull (*_Nullable about)(const void *state);
  /// Whether it is over before this frame. NULL: it never is.
  int (*_Nullable ended)(void *state, uint32_t sequence);
  /// The corners of its card in a frame, clockwise from the top left as seen. NULL: it has none.
  int (*_Nullable card)(const void *state, const vf_sim_look *look, uint32_t sequence,
                        uint32_t width, uint32_t height, vf_point corners[_Nonnull 4]);
  void (*close)(void *state);
} vf_sim_source_calls;

/// The drawn scene of this name: "card", "steady", "bars", "grey". Returns 0 or a negative errno.
int vf_sim_open_scene(const char *name, uint32_t seed, vf_sim_source *source, vf_failure *failure);

/// A recording, at `rate` frames a second where that isn't 0. Returns 0 or a negative errno.
int vf_sim_open_replay(const char *path, double rate, int once, vf_sim_source *source,
                       vf_failure *failure);

#pragma clang assume_nonnull end

#endif
