#include "kernels.h"

#include <string.h>

#include "dct.h"
#include "forward.h"

void vf_portable_split_yuyv(uint8_t *restrict luma, uint8_t *restrict cb, uint8_t *restrict cr,
                            const uint8_t *restrict yuyv, size_t pairs) {
  for (size_t i = 0; i < pairs; i++) {
    luma[2 * i] = yuyv[4 * i];
    cb[i] = yuyv[4 * i + 1];
    luma[2 * i + 1] = yuyv[4 * i + 2];
    cr[i] = yuyv[4 * i + 3];
  }
}

void vf_portable_split_uyvy(uint8_t *restrict luma, uint8_t *restrict cb, uint8_t *restrict cr,
                            const uint8_t *restrict uyvy, size_t pairs) {
  for (size_t i = 0; i < pairs; i++) {
    cb[i] = uyvy[4 * i];
    luma[2 * i] = uyvy[4 * i + 1];
    cr[i] = uyvy[4 * i + 2];
    luma[2 * i + 1] = uyvy[4 * i + 3];
  }
}

void vf_portable_split_pairs(uint8_t *restrict first, uint8_t *restrict second,
                             const uint8_t *restrict pairs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    first[i] = pairs[2 * i];
    second[i] = pairs[2 * i + 1];
  }
}

void vf_portable_average_rows(uint8_t *restrict result, const uint8_t *restrict a,
                              const uint8_t *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++)
    result[i] = (uint8_t)((a[i] + b[i] + 1) >> 1);
}

void vf_portable_sum_rows(uint16_t *restrict sums, const uint8_t *restrict rows, size_t stride,
                          size_t row_count, size_t count) {
  memset(sums, 0, count * sizeof *sums);
  for (; row_count >= 4; row_count -= 4, rows += 4 * stride)
    for (size_t i = 0; i < count; i++)
      sums[i] = (uint16_t)(sums[i] + rows[i] + rows[i + stride] + rows[i + 2 * stride] +
                           rows[i + 3 * stride]);
  for (; row_count; row_count--, rows += stride)
    for (size_t i = 0; i < count; i++)
      sums[i] = (uint16_t)(sums[i] + rows[i]);
}

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

/// Bytes that are looked at together.
enum { LOOKED_AT = 256 };

/// Whether one of these bytes is 0xFF and the one after it isn't 0; reads one more.
///
/// A comparison, "and" and "or" for 16 bytes, and no way out in between.
static int has_marker(const uint8_t *bytes) {
  bytes16 found = {0};
  for (size_t i = 0; i < LOOKED_AT; i += sizeof(bytes16)) {
    bytes16 these, next;
    memcpy(&these, bytes + i, sizeof these);
    memcpy(&next, bytes + i + 1, sizeof next);
    found |= (bytes16)(these == 0xFF) & next;
  }
  words2 halves = (words2)found;
  return (halves[0] | halves[1]) != 0;
}

size_t vf_portable_find_marker(const uint8_t *bytes, size_t count) {
  size_t at = 0;
  while (count - at > LOOKED_AT && !has_marker(bytes + at))
    at += LOOKED_AT;
  // It is in this block, or among the last bytes, if at all.
  while (at + 1 < count) {
    const uint8_t *found = memchr(bytes + at, 0xFF, count - 1 - at);
    if (!found)
      break;
    at = (size_t)(found - bytes);
    if (bytes[at + 1])
      return at;
    at += 2;
  }
  return count;
}

static void forward_dct(vf_block_pair *result, vf_block_source first, vf_block_source second,
                        const vf_quantizer *quantizer) {
  vf_forward_block(result->values[0], &first, quantizer);
  vf_forward_block(result->values[1], &second, quantizer);
  for (unsigned i = 0; i < 2; i++) {
    result->nonzero[i] = 0;
    for (unsigned k = 0; k < 64; k++)
      result->nonzero[i] |= (uint64_t)(result->values[i][vf_natural_order[k]] != 0) << k;
  }
}

const vf_kernels vf_kernels_portable = {
    .name = "portable",
    .split_yuyv = vf_portable_split_yuyv,
    .split_uyvy = vf_portable_split_uyvy,
    .split_pairs = vf_portable_split_pairs,
    .inverse_dct = inverse_dct,
    .inverse_dct_half = inverse_dct_half,
    .forward_dct = forward_dct,
    .average_rows = vf_portable_average_rows,
    .sum_rows = vf_portable_sum_rows,
    .find_marker = vf_portable_find_marker,
    .place = vf_portable_place,
    .filter2 = vf_portable_filter2,
    .filter4 = vf_portable_filter4,
    .filter6 = vf_portable_filter6,
};
