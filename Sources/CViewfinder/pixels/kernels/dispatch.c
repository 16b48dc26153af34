#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

const vf_kernels *vf_kernels_at(size_t index) {
  const vf_kernels *sets[4] = {&vf_kernels_portable}; // The rest start as NULL.
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    sets[1] = &vf_kernels_avx2;
  if (sets[1] && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vnni"))
    sets[2] = &vf_kernels_avx512vnni;
#elif defined(__aarch64__)
  sets[1] = &vf_kernels_neon;
#endif
  return index < 4 ? sets[index] : NULL;
}

/// The set that the environment names, or the last.
static const vf_kernels *choose(void) {
  const char *wanted = getenv("VIEWFINDER_SIMD");
  const vf_kernels *chosen = &vf_kernels_portable;
  for (size_t i = 0; vf_kernels_at(i); i++) {
    chosen = vf_kernels_at(i);
    if (wanted && strcmp(wanted, chosen->name) == 0)
      break;
  }
  return chosen;
}

const vf_kernels *vf_kernels_current(void) {
  static const vf_kernels *_Atomic current;
  const vf_kernels *kernels = atomic_load_explicit(&current, memory_order_acquire);
  if (!kernels) {
    kernels = choose(); // Racing threads choose alike.
    atomic_store_explicit(&current, kernels, memory_order_release);
  }
  return kernels;
}
