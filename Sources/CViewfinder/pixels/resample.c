#include "pixels/resample.h"

#include <string.h>

vf_axis vf_axis_upsampling(uint32_t shift) {
  return (vf_axis){.start = (4 >> shift) - 4, .step = 8 >> shift};
}

vf_axis vf_axis_offset(uint32_t offset, uint32_t shift) {
  return (vf_axis){.start = (int32_t)(offset * 8 >> shift), .step = 8};
}

vf_axis vf_axis_reversed(uint32_t size, uint32_t shift) {
  return (vf_axis){.start = (int32_t)(size * 8 >> shift) - 8, .step = -8};
}

static inline uint32_t clamped(int32_t index, uint32_t count) {
  return index < 0 ? 0 : (uint32_t)index < count ? (uint32_t)index : count - 1;
}

/// The sample at `position` eighths along two rows.
static inline uint8_t sample_at(int32_t position, const uint8_t *row, const uint8_t *next,
                                uint32_t eighths, uint32_t source_width) {
  uint32_t a = clamped(position >> 3, source_width);
  uint32_t b = clamped((position >> 3) + 1, source_width);
  uint32_t part = (uint32_t)position & 7;
  uint32_t upper = row[a] * (8 - part) + row[b] * part;
  uint32_t lower = next[a] * (8 - part) + next[b] * part;
  return (uint8_t)((upper * (8 - eighths) + lower * eighths + 32) >> 6);
}

/// `vf_row_sample` along `vf_axis_upsampling(1)`, whose places need no arithmetic: between two
/// source samples lie two results, a quarter from either. Leaves out the first result and those
/// past the last source sample; returns how many it made.
static uint32_t double_row(uint8_t *restrict result, uint32_t count, const uint8_t *restrict row,
                           const uint8_t *restrict next, uint32_t eighths, uint32_t source_width) {
  uint32_t pairs = (count - 1) / 2;
  if (pairs > source_width - 1)
    pairs = source_width - 1;
  for (uint32_t k = 0; k < pairs; k++) {
    uint32_t a = row[k] * (8 - eighths) + next[k] * eighths;
    uint32_t b = row[k + 1] * (8 - eighths) + next[k + 1] * eighths;
    result[2 * k + 1] = (uint8_t)((a * 6 + b * 2 + 32) >> 6);
    result[2 * k + 2] = (uint8_t)((a * 2 + b * 6 + 32) >> 6);
  }
  return 2 * pairs;
}

void vf_row_sample(uint8_t *result, uint32_t count, vf_axis across, const uint8_t *row,
                   const uint8_t *next, uint32_t eighths, uint32_t source_width) {
  bool whole = across.start % 8 == 0 && across.step % 8 == 0;
  if (eighths == 0 && whole && across.step == 8 && across.start >= 0 &&
      (uint32_t)across.start / 8 + count <= source_width) {
    memcpy(result, row + across.start / 8, count);
    return;
  }
  if (eighths == 0 && whole && across.step == -8 && across.start / 8 < (int32_t)source_width &&
      across.start / 8 + 1 >= (int32_t)count) {
    const uint8_t *last = row + across.start / 8;
    for (uint32_t x = 0; x < count; x++)
      result[x] = *(last - x);
    return;
  }
  uint32_t i = 0;
  if (across.start == -2 && across.step == 4 && count > 0) {
    result[0] = sample_at(-2, row, next, eighths, source_width);
    i = 1 + double_row(result, count, row, next, eighths, source_width);
  }
  for (; i < count; i++) {
    int32_t position = across.start + (int32_t)i * across.step;
    result[i] = sample_at(position, row, next, eighths, source_width);
  }
}

uint32_t vf_axis_rows(vf_axis down, uint32_t y, uint32_t source_height, uint32_t rows[2]) {
  int32_t position = down.start + (int32_t)y * down.step;
  rows[0] = clamped(position >> 3, source_height);
  rows[1] = clamped((position >> 3) + 1, source_height);
  return (uint32_t)position & 7;
}

void vf_plane_sample(const vf_plane *result, uint32_t width, uint32_t height, vf_axis across,
                     vf_axis down, const vf_plane *source, uint32_t source_width,
                     uint32_t source_height) {
  for (uint32_t y = 0; y < height; y++) {
    uint32_t rows[2];
    uint32_t eighths = vf_axis_rows(down, y, source_height, rows);
    vf_row_sample(vf_row(result, y), width, across, vf_row(source, rows[0]),
                  vf_row(source, rows[1]), eighths, source_width);
  }
}

void vf_plane_average(const vf_plane *result, uint32_t width, uint32_t height, uint32_t shift_x,
                      uint32_t shift_y, const vf_plane *source, uint32_t source_width,
                      uint32_t source_height) {
  uint32_t shift = shift_x + shift_y;
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      uint32_t sum = (1u << shift) >> 1;
      for (uint32_t j = y << shift_y; j < (y + 1) << shift_y; j++) {
        const uint8_t *row = vf_row(source, j < source_height ? j : source_height - 1);
        for (uint32_t i = x << shift_x; i < (x + 1) << shift_x; i++) {
          sum += row[i < source_width ? i : source_width - 1];
        }
      }
      vf_row(result, y)[x] = (uint8_t)(sum >> shift);
    }
  }
}
