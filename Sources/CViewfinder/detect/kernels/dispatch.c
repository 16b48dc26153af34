#include <string.h>

#include "detect/kernels/kernels.h"
#include "vf_kernels.h"

// The sets have the names of those of the other row loops, which know the processor and the
// environment.
const eye_kernels *eye_kernels_current(void) {
#if defined(__x86_64__)
  if (strcmp(vf_kernels_current()->name, "avx2") == 0)
    return &eye_kernels_avx2;
  if (strcmp(vf_kernels_current()->name, "avx512vnni") == 0)
    return &eye_kernels_avx512vnni;
#elif defined(__aarch64__)
  if (strcmp(vf_kernels_current()->name, "neon") == 0)
    return &eye_kernels_neon;
#endif
  return &eye_kernels_portable;
}
