#include "jpeg/codes.h"

#include <stdlib.h>

static size_t read_all(vf_walk *walk) {
  while (walk->mcu < walk->scan.mcus)
    if (!vf_walk_pass_mcu(walk))
      return 0;
  return vf_walk_end(walk);
}

size_t vf_scan_read_codes(const uint8_t *bytes, size_t start, size_t end, const vf_scan *scan,
                          const char **damage) {
  // Too large for a small thread's stack.
  vf_walk *walk = malloc(sizeof *walk);
  if (!walk) {
    *damage = "memory is too short to read its codes";
    return 0;
  }
  size_t result = vf_walk_begin(walk, scan, bytes, start, end) ? read_all(walk) : 0;
  *damage = walk->damage;
  free(walk);
  return result;
}
