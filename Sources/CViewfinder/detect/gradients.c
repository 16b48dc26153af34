#include <string.h>

#include "detect/workspace.h"

// Edges: pixels whose gradient is the largest across, and larger than noise and its neighbourhood.

enum { BLOCK = 8 };

/// 2.2 times the median, between 0.8 and 3 levels; in 1/128. Some pixels tell it, and the mean.
static int32_t noise_threshold(const eye_level *level, int32_t *mean) {
  int32_t histogram[256] = {0}, count = 0;
  int64_t all = 0;
  for (int32_t i = 0; i < level->width * level->height; i += 7, count++) {
    histogram[eye_min(level->magnitude[i] >> 3, 255)]++;
    all += level->magnitude[i];
  }
  *mean = (int32_t)(all / eye_max(count, 1));
  int32_t sum = 0, bin = 0;
  while (bin < 255 && sum < count / 2)
    sum += histogram[bin++];
  return eye_clamp(bin * 8 * 22 / 10, 128 * 8 / 10, 128 * 3);
}

/// Half of the mean over 3 × 3 blocks, at most 12 levels, at least `least`; for each block.
static void block_thresholds(vf_eye *eye, const eye_level *level, int32_t least) {
  int32_t width = level->width, height = level->height;
  int32_t across = (width + BLOCK - 1) / BLOCK, down = (height + BLOCK - 1) / BLOCK;
  static const int32_t most = 128 * 12;
  int32_t sums[3][EYE_SIDE / BLOCK], counts[3][EYE_SIDE / BLOCK];
  for (int32_t row = 0; row <= down; row++) {
    if (row < down) {
      int32_t *sum = sums[row % 3], *count = counts[row % 3];
      int32_t bottom = eye_min((row + 1) * BLOCK, height), columns[EYE_SIDE] = {0};
      for (int32_t y = row * BLOCK; y < bottom; y++) {
        const uint16_t *magnitudes = level->magnitude + y * width;
        for (int32_t x = 0; x < width; x++)
          columns[x] += magnitudes[x];
      }
      for (int32_t i = 0; i < across; i++) {
        sum[i] = 0;
        for (int32_t x = i * BLOCK; x < (i + 1) * BLOCK; x++)
          sum[i] += columns[x];
      }
      for (int32_t i = 0; i < across; i++)
        count[i] = (eye_min((i + 1) * BLOCK, width) - i * BLOCK) * (bottom - row * BLOCK);
    }
    if (row == 0)
      continue;
    for (int32_t i = 0; i < across; i++) {
      int32_t sum = 0, count = 0;
      for (int32_t r = eye_max(row - 2, 0); r <= eye_min(row, down - 1); r++) {
        for (int32_t k = eye_max(i - 1, 0); k <= eye_min(i + 1, across - 1); k++) {
          sum += sums[r % 3][k];
          count += counts[r % 3][k];
        }
      }
      eye->block_thresholds[(row - 1) * (EYE_SIDE / BLOCK) + i] =
          (uint16_t)eye_max(least, eye_min(most, sum / (2 * count)));
    }
  }
}

/// Where the edge runs through pixel `i`, whose gradient is the largest across: by a parabola.
static void find_place(eye_level *level, int32_t i) {
  const uint16_t *at = level->magnitude + i;
  int32_t gx = level->gx[i], gy = level->gy[i], width = level->width;
  bool is_flat = eye_abs(gx) >= eye_abs(gy);
  int32_t along = eye_max(eye_abs(gx), eye_abs(gy)), across = eye_min(eye_abs(gx), eye_abs(gy));
  // The neighbour along the axis that the gradient leans to, and the one beside that.
  int32_t ahead = is_flat ? 1 : width, aside = is_flat ? width : 1;
  aside = (gx ^ gy) >= 0 ? aside : -aside;
  int32_t middle = at[0] * along;
  int32_t a = at[ahead] * (along - across) + at[ahead + aside] * across;
  int32_t b = at[-ahead] * (along - across) + at[-ahead - aside] * across;
  int64_t d = (int64_t)a + b - 2 * (int64_t)middle, tilt = (int64_t)b - a;
  int32_t place = 0;
  if (d > -(1 << 25) && d < 0) // |tilt| < |d|: divisions of 32 bits are quicker.
    place = eye_clamp(64 * (int32_t)tilt / (int32_t)d, -64, 64);
  else if (d < 0)
    place = eye_clamp((int32_t)(64 * tilt / d), -64, 64);
  level->edges[i] = is_flat ? (eye_edge){(int8_t)place, (int8_t)(place * gy / gx)}
                            : (eye_edge){(int8_t)(place * gx / gy), (int8_t)place};
}

/// A level's border has no gradient.
static void clear_border(const eye_level *level, uint16_t *plane) {
  int32_t width = level->width, height = level->height;
  memset(plane, 0, (size_t)width * sizeof *plane);
  memset(plane + (height - 1) * width, 0, (size_t)width * sizeof *plane);
  for (int32_t y = 1; y < height; y++)
    plane[y * width - 1] = plane[y * width] = 0;
}

void eye_find_edges(vf_eye *eye, eye_level *level) {
  int32_t width = level->width, height = level->height;
  size_t count = (size_t)(width * height);
  int32_t *mean = &eye->mean_gradients[level - eye->levels];
  level->edge_count = *mean = 0;
  memset(level->edges, EYE_NO_EDGE, count * sizeof *level->edges);
  if (width < 5 || height < 5) {
    memset(level->magnitude, 0, count * sizeof *level->magnitude);
    memset(level->gx, 0, count * sizeof *level->gx);
    memset(level->gy, 0, count * sizeof *level->gy);
    return;
  }
  clear_border(level, level->magnitude);
  clear_border(level, (uint16_t *)level->gx);
  clear_border(level, (uint16_t *)level->gy);
  for (int32_t y = 1; y < height - 1; y++) {
    int32_t i = y * width + 1;
    const int16_t *channels[3] = {level->channels[0] + i, level->channels[1] + i,
                                  level->channels[2] + i};
    eye->kernels->gradient_row(level->gx + i, level->gy + i, level->magnitude + i, channels, width,
                               width - 2);
  }
  block_thresholds(eye, level, noise_threshold(level, mean));
  for (int32_t y = 2; y < height - 2; y++) {
    if (y == 2 || y % BLOCK == 0) {
      const uint16_t *thresholds = eye->block_thresholds + y / BLOCK * (EYE_SIDE / BLOCK);
      for (int32_t x = 0; x < width; x++)
        eye->limits[x] = thresholds[x / BLOCK];
    }
    int32_t row = y * width, last = width - 2;
    eye->kernels->mask_limits(eye->mask, level->magnitude + row, eye->limits, width);
    // None in the two outermost columns.
    eye->mask[0] &= ~(uint64_t)3;
    eye->mask[last / 64] &= ~((uint64_t)1 << last % 64);
    eye->mask[(last + 1) / 64] &= ~((uint64_t)1 << (last + 1) % 64);
    eye->kernels->keep_peaks(eye->mask, level->magnitude + row, level->gx + row, level->gy + row,
                             width, width);
    for (int32_t word = 0; word * 64 < width; word++) {
      for (uint64_t bits = eye->mask[word]; bits; bits &= bits - 1) {
        int32_t x = word * 64 + __builtin_ctzll(bits);
        find_place(level, row + x);
        level->places[level->edge_count++] = (eye_place){(int16_t)x, (int16_t)y};
      }
    }
  }
}
