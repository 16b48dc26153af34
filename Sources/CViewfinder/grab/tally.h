#ifndef VF_GRAB_TALLY_H
#define VF_GRAB_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Counts frames by the driver's sequence numbers, and their rate by timestamps.
///
/// Numbers start anywhere, wrap at 2³², repeat, stand still, and with some cameras advance by 2 a
/// frame: the step is learnt from the first frames.
typedef struct vf_tally {
  bool started;
  uint32_t last;
  /// What the number advanced by a frame at least; 0 before the second frame.
  uint32_t step;
  /// How often the number advanced, and by how much in all, since the step was learnt anew.
  uint64_t advances, distance;
  /// Frames whose numbers didn't advance, and what earlier steps came to.
  uint64_t repeats, base_sequence, base_lost;

  int64_t stamps[256];
  uint32_t first_stamp, stamp_count;
} vf_tally;

/// Counts a frame. Returns its number, the first being 0; `*lost` receives how many are missing so
/// far.
uint32_t vf_tally_sequence(vf_tally *tally, uint32_t number, uint64_t *lost);

/// Takes back a loss: the frame with a number before the last came after all.
void vf_tally_take_back(vf_tally *tally);

/// Takes a frame's time in nanoseconds. Returns the frames a second over the last second or so, 0
/// before the second frame.
double vf_tally_rate(vf_tally *tally, int64_t stamp);

/// The time of the latest frame, or `INT64_MIN`.
int64_t vf_tally_latest(const vf_tally *tally);

#pragma clang assume_nonnull end

#endif
