#ifndef VF_SIM_CLOCK_H
#define VF_SIM_CLOCK_H

#include <stdint.h>
#include <time.h>

#define VF_SIM_NEVER INT64_MAX

/// The monotonic clock, in nanoseconds.
static inline int64_t vf_sim_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#endif
