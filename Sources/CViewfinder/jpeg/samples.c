#include "jpeg/samples.h"

#include "jpeg/quarter.h"
#include "vf_kernels.h"

enum {
  MOST_SIZE = 8,
  /// Twice the mean of a block that is all black or all white.
  MOST_LEVEL = 16384,
};

/// Reads the next coefficient of a block, and moves `*k` to it. Returns whether another may follow;
/// or what is wrong, below 0. Takes a few bits as a rule, and refills the reader where it takes
/// more.
static inline __attribute__((always_inline)) int
read_coefficient(vf_bits *reader, const vf_huffman *ac, unsigned *k, int16_t *block) {
  uint32_t near = ac->near[vf_bits_peek(reader, VF_NEAR_BITS)];
  if (near & VF_NEAR_HAS_VALUE) {
    vf_bits_take(reader, near & VF_NEAR_TAKEN);
    *k += near >> VF_NEAR_STEP & 255;
    block[vf_natural_order[*k]] = (int16_t)(near >> VF_NEAR_VALUE);
    return *k < VF_BLOCK - 1;
  }
  vf_bits_refill(reader);
  int32_t value;
  int step = vf_huffman_read(reader, ac, &value);
  if (step <= 0)
    return step;
  *k += (unsigned)step;
  block[vf_natural_order[*k]] = (int16_t)value;
  return *k < VF_BLOCK - 1;
}

/// Reads a block into zeroed coefficients. Returns the place of the last one that was read, in
/// zigzag order; or what is wrong, below 0.
static inline int read_block(vf_bits *reader, const vf_huffman *dc, const vf_huffman *ac,
                             int32_t *last_dc, int16_t *block) {
  int32_t value;
  vf_bits_refill(reader);
  int result = vf_huffman_read(reader, dc, &value);
  if (result < 0)
    return result;
  *last_dc = vf_dc_after(*last_dc, value);
  block[0] = (int16_t)*last_dc;
  unsigned k = 0;
  do {
    // Bits for three of them.
    vf_bits_refill(reader);
    result = read_coefficient(reader, ac, &k, block);
    if (result > 0)
      result = read_coefficient(reader, ac, &k, block);
    if (result > 0)
      result = read_coefficient(reader, ac, &k, block);
  } while (result > 0);
  if (result < 0)
    return result;
  return k < VF_BLOCK ? (int)k : VF_IMPOSSIBLE;
}

/// A sample of a block that has nothing but its mean.
static inline uint8_t mean(int16_t dc, int16_t step) {
  // Those that no encoder writes wrap around, as in libjpeg's vectors.
  int value = (((int16_t)((uint32_t)dc * (uint32_t)step) + 4) >> 3) + 128;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void fill(uint8_t *result, size_t stride, unsigned size, uint8_t sample) {
  for (unsigned y = 0; y < size; y++)
    memset(result + y * stride, sample, size);
}

static inline void transform(const vf_kernels *kernels, uint8_t *result, size_t stride,
                             const vf_samples *to, const int16_t *block, int last) {
  if (to->size == 1 || !last)
    fill(result, stride, to->size, mean(block[0], to->quantization[0]));
  else if (to->size == 8)
    kernels->inverse_dct(result, stride, block, to->quantization);
  else if (to->size == 4)
    kernels->inverse_dct_half(result, stride, block, to->quantization);
  else
    vf_inverse_dct_quarter(result, stride, block, to->quantization);
}

/// Copies what the plane takes of a block at (x, y), which reaches beyond it.
static void copy_part(const vf_samples *to, int64_t x, int64_t y, const uint8_t *samples) {
  for (unsigned row = 0; row < to->size; row++) {
    int64_t line = y + row;
    if (line < 0 || line >= (int64_t)to->height)
      continue;
    int64_t left = x < 0 ? 0 : x, right = x + to->size;
    if (right > (int64_t)to->width)
      right = to->width;
    if (left < right)
      memcpy(to->plane->data + (size_t)line * to->plane->stride + left,
             samples + row * MOST_SIZE + (left - x), (size_t)(right - left));
  }
}

/// Reads a block, and its samples where the plane takes some.
static int read_samples(vf_walk *walk, const vf_kernels *kernels, unsigned component,
                        const vf_samples *to, size_t block_x, size_t block_y) {
  int64_t x = (int64_t)(block_x * to->size) - to->x, y = (int64_t)(block_y * to->size) - to->y;
  int64_t size = to->size;
  if (x + size <= 0 || y + size <= 0 || x >= (int64_t)to->width || y >= (int64_t)to->height)
    return vf_walk_pass_block(walk, component);

  int16_t block[VF_BLOCK];
  int last = 0;
  if (size == 1) {
    if (!vf_walk_pass_block(walk, component))
      return 0;
    block[0] = (int16_t)walk->last_dc[component];
  } else {
    memset(block, 0, sizeof block);
    if (!vf_window_is_ready(&walk->window))
      return vf_walk_fail(walk, VF_CUT_SHORT);
    vf_bits reader = walk->window.reader;
    last = read_block(&reader, walk->dc[component], walk->ac[component], &walk->last_dc[component],
                      block);
    walk->window.reader = reader;
    if (last < 0)
      return vf_walk_fail(walk, last);
  }
  // Past these is no picture: what libjpeg makes of them, only libjpeg knows.
  int64_t level = (int64_t)walk->last_dc[component] * to->quantization[0];
  if (level < -MOST_LEVEL || level > MOST_LEVEL)
    return vf_walk_fail(walk, VF_IMPOSSIBLE);
  if (x >= 0 && y >= 0 && x + size <= (int64_t)to->width && y + size <= (int64_t)to->height) {
    uint8_t *result = to->plane->data + (size_t)y * to->plane->stride + x;
    transform(kernels, result, to->plane->stride, to, block, last);
  } else {
    uint8_t samples[MOST_SIZE * MOST_SIZE];
    transform(kernels, samples, MOST_SIZE, to, block, last);
    copy_part(to, x, y, samples);
  }
  return 1;
}

static int read_mcu(vf_walk *walk, const vf_kernels *kernels, const vf_samples *samples,
                    size_t column, size_t row) {
  if (!vf_walk_restart(walk))
    return 0;
  for (unsigned i = 0; i < walk->scan.component_count; i++) {
    const vf_samples *to = &samples[i];
    for (unsigned y = 0; y < to->down; y++)
      for (unsigned x = 0; x < to->across; x++)
        if (!read_samples(walk, kernels, i, to, column * to->across + x, row * to->down + y))
          return 0;
  }
  walk->mcu++;
  return 1;
}

int vf_samples_read(vf_walk *walk, const vf_samples *samples, size_t mcus_per_row) {
  // The MCUs that any component needs something of.
  size_t left = SIZE_MAX, top = SIZE_MAX, right = 0, bottom = 0;
  for (unsigned i = 0; i < walk->scan.component_count; i++) {
    const vf_samples *to = &samples[i];
    size_t across = (size_t)to->across * to->size, down = (size_t)to->down * to->size;
    size_t first_x = to->x / across, first_y = to->y / down;
    size_t end_x = (to->x + (size_t)to->width - 1) / across + 1;
    size_t end_y = (to->y + (size_t)to->height - 1) / down + 1;
    left = first_x < left ? first_x : left;
    top = first_y < top ? first_y : top;
    right = end_x > right ? end_x : right;
    bottom = end_y > bottom ? end_y : bottom;
  }
  const vf_kernels *kernels = vf_kernels_current();
  for (size_t row = top; row < bottom; row++) {
    if (!vf_walk_to(walk, row * mcus_per_row + left))
      return 0;
    for (size_t column = left; column < right; column++)
      if (!read_mcu(walk, kernels, samples, column, row))
        return 0;
  }
  return 1;
}
