#include "grab/tally.h"

/// Frames from which the step of the sequence numbers is learnt.
#define LEARNING 8
/// A number this far back is an old buffer's, not a new count.
#define STALE 64
#define STAMPS 256

uint32_t vf_tally_sequence(vf_tally *tally, uint32_t number, uint64_t *lost) {
  if (!tally->started) {
    *tally = (vf_tally){.started = true, .last = number};
    *lost = 0;
    return 0;
  }
  uint32_t delta = number - tally->last;
  if (delta == 0) {
    tally->repeats += 1;
  } else if (delta > UINT32_MAX / 2) {
    tally->repeats += 1;
    if (0 - delta > STALE)
      tally->last = number;
  } else {
    tally->last = number;
    if (tally->step && delta < tally->step && tally->advances >= LEARNING) {
      // The step was learnt wrong, or the camera changed: what was counted stays.
      uint64_t frames = tally->distance / tally->step;
      tally->base_sequence += frames;
      tally->base_lost += frames - tally->advances;
      tally->advances = tally->distance = 0;
      tally->step = 0;
    }
    if (!tally->step || (delta < tally->step && tally->advances < LEARNING))
      tally->step = delta;
    tally->distance += delta;
    tally->advances += 1;
  }
  uint64_t frames = tally->step ? tally->distance / tally->step : 0;
  *lost = tally->base_lost + frames - tally->advances;
  return (uint32_t)(tally->base_sequence + frames + tally->repeats);
}

void vf_tally_take_back(vf_tally *tally) { tally->advances += 1; }

double vf_tally_rate(vf_tally *tally, int64_t stamp) {
  if (tally->stamp_count && stamp <= vf_tally_latest(tally)) {
    // Time stood still or went back: measure anew.
    tally->stamp_count = 0;
  }
  if (tally->stamp_count == STAMPS) {
    tally->first_stamp = (tally->first_stamp + 1) % STAMPS;
    tally->stamp_count -= 1;
  }
  tally->stamps[(tally->first_stamp + tally->stamp_count) % STAMPS] = stamp;
  tally->stamp_count += 1;
  // Two stay, however long ago: a camera slower than one frame a second has a rate too.
  while (tally->stamp_count > 2 && stamp - tally->stamps[tally->first_stamp] > 1000000000) {
    tally->first_stamp = (tally->first_stamp + 1) % STAMPS;
    tally->stamp_count -= 1;
  }
  if (tally->stamp_count < 2)
    return 0;
  return (tally->stamp_count - 1) * 1e9 / (double)(stamp - tally->stamps[tally->first_stamp]);
}

int64_t vf_tally_latest(const vf_tally *tally) {
  if (!tally->stamp_count)
    return INT64_MIN;
  return tally->stamps[(tally->first_stamp + tally->stamp_count - 1) % STAMPS];
}
