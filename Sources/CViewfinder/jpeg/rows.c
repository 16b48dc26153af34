#include "jpeg/rows.h"

#include <string.h>

int vf_rows_can(const vf_layout *layout, unsigned shift_x, unsigned shift_y) {
  if (layout->arrangement == VF_ARRANGEMENT_GREY)
    return 1;
  return layout->chroma_shift_x == shift_x &&
         (layout->chroma_shift_y == shift_y || layout->chroma_shift_y + 1 == shift_y);
}

/// A row's room: whole blocks, and a pixel pair more than an odd width has.
static size_t room(uint32_t width) { return ((size_t)width + 63) / 32 * 32; }

size_t vf_rows_memory(uint32_t width) { return room(width) * (3 * VF_MAXIMUM_MCU_ROWS + 4); }

void vf_rows_begin(vf_rows *rows, const vf_image *image, const vf_layout *layout, unsigned shift_x,
                   unsigned shift_y, uint8_t *memory) {
  size_t room_of_row = room(image->width);
  *rows = (vf_rows){.image = image, .layout = layout, .kernels = vf_kernels_current()};
  rows->components = layout->arrangement == VF_ARRANGEMENT_GREY ? 1 : 3;
  rows->shift_x = shift_x;
  rows->luma_rows = 8u << shift_y;
  rows->chroma_rows = 8;
  rows->luma_width = image->width;
  rows->luma_blocks = (rows->luma_width + 7) & ~(size_t)7;
  rows->chroma_width = (image->width + (1u << shift_x) - 1) >> shift_x;
  rows->chroma_blocks = (rows->chroma_width + 7) & ~(size_t)7;
  rows->chroma_height =
      (image->height + (1u << layout->chroma_shift_y) - 1) >> layout->chroma_shift_y;
  rows->halves_chroma = rows->components == 3 && layout->chroma_shift_y < shift_y;
  rows->luma_strip = memory;
  memory += VF_MAXIMUM_MCU_ROWS * room_of_row;
  for (size_t i = 0; i < 2; i++, memory += VF_MAXIMUM_MCU_ROWS * room_of_row)
    rows->chroma_strip[i] = memory;
  for (size_t i = 0; i < 4; i++, memory += room_of_row)
    rows->spare[i] = memory;
}

/// 16…235 becomes 0…255: round(255 / 219 × (y − 16)), in 16 bits so that it vectorises. Exact for
/// every sample.
static void widen_luma(uint8_t *samples, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint16_t v = samples[i] < 16 ? 0 : samples[i] > 235 ? 219 : (uint16_t)(samples[i] - 16);
    samples[i] = (uint8_t)((uint16_t)(v * 298 + 128 + (v >> 4) + (v >> 5)) >> 8);
  }
}

/// 16…240 becomes 0…255 around 128: round(255 / 224 × (c − 128)) + 128. Exact likewise.
static void widen_chroma(uint8_t *samples, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint16_t v = samples[i] < 16 ? 0 : samples[i] > 240 ? 224 : (uint16_t)(samples[i] - 16);
    uint16_t wide = (uint16_t)(v + 1 + ((uint16_t)(v * 283 + (v >> 1)) >> 11));
    samples[i] = (uint8_t)(wide > 255 ? 255 : wide);
  }
}

static void pad(uint8_t *row, size_t width, size_t blocks) {
  if (blocks > width)
    memset(row + width, row[width - 1], blocks - width);
}

static void finish_luma(const vf_rows *rows, uint8_t *row) {
  if (rows->image->limited_range)
    widen_luma(row, rows->luma_width);
  pad(row, rows->luma_width, rows->luma_blocks);
}

static void finish_chroma(const vf_rows *rows, uint8_t *row) {
  if (rows->image->limited_range)
    widen_chroma(row, rows->chroma_width);
  pad(row, rows->chroma_width, rows->chroma_blocks);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/// Splits row `y` of a packed image. The last pixel of an odd width has no second luma sample.
static void split_packed(const vf_rows *rows, size_t y, uint8_t *luma, uint8_t *cb, uint8_t *cr) {
  const vf_plane *plane = &rows->image->planes[0];
  const uint8_t *row = plane->data + y * plane->stride;
  size_t pairs = rows->luma_width / 2;
  int luma_first = rows->layout->fourcc == VF_YUYV;
  (luma_first ? rows->kernels->split_yuyv : rows->kernels->split_uyvy)(luma, cb, cr, row, pairs);
  if (rows->luma_width % 2 == 0)
    return;
  const uint8_t *last = row + 4 * pairs;
  luma[2 * pairs] = last[luma_first ? 0 : 1];
  cb[pairs] = last[luma_first ? 1 : 0];
  cr[pairs] = last[luma_first ? 3 : 2];
}

static void fill_packed(vf_rows *rows, size_t y) {
  size_t stride = rows->luma_blocks, chroma_stride = rows->chroma_blocks;
  size_t last = least(rows->luma_rows, rows->image->height - y) - 1;
  for (size_t i = 0; i < rows->luma_rows; i++) {
    uint8_t *luma = rows->luma_strip + least(i, last) * stride;
    rows->row[0][i] = luma;
    size_t line = rows->halves_chroma ? i / 2 : i;
    uint8_t *cb =
        rows->chroma_strip[0] + least(line, rows->halves_chroma ? last / 2 : last) * chroma_stride;
    uint8_t *cr = cb + (rows->chroma_strip[1] - rows->chroma_strip[0]);
    rows->row[1][line] = cb;
    rows->row[2][line] = cr;
    if (i > last)
      continue;
    if (!rows->halves_chroma) {
      split_packed(rows, y + i, luma, cb, cr);
      finish_chroma(rows, cb);
      finish_chroma(rows, cr);
    } else {
      uint8_t *const *spare = rows->spare;
      split_packed(rows, y + i, luma, spare[i % 2], spare[2 + i % 2]);
      if (i % 2 == 1 || i == last) {
        size_t odd = i % 2;
        rows->kernels->average_rows(cb, spare[0], spare[odd], rows->chroma_width);
        rows->kernels->average_rows(cr, spare[2], spare[2 + odd], rows->chroma_width);
        finish_chroma(rows, cb);
        finish_chroma(rows, cr);
      }
    }
    finish_luma(rows, luma);
  }
}

static void fill_luma(vf_rows *rows, size_t y) {
  const vf_image *image = rows->image;
  const vf_plane *plane = &image->planes[0];
  size_t last = least(rows->luma_rows, image->height - y) - 1;
  int direct = !image->limited_range && rows->luma_width == rows->luma_blocks;
  for (size_t i = 0; i < rows->luma_rows; i++) {
    size_t line = least(i, last);
    uint8_t *source = plane->data + (y + line) * plane->stride;
    if (direct) {
      rows->row[0][i] = source;
      continue;
    }
    uint8_t *row = rows->luma_strip + line * rows->luma_blocks;
    rows->row[0][i] = row;
    if (i > last)
      continue;
    memcpy(row, source, rows->luma_width);
    finish_luma(rows, row);
  }
}

/// Row `y` of Cb and Cr of a planar image, or of a semi-planar one split into `cb` and `cr`.
static void chroma_row(const vf_rows *rows, size_t y, uint8_t *cb, uint8_t *cr,
                       const uint8_t *source[2]) {
  const vf_plane *planes = rows->image->planes;
  if (rows->layout->plane_count == 3) {
    source[0] = planes[1].data + y * planes[1].stride;
    source[1] = planes[2].data + y * planes[2].stride;
    return;
  }
  source[0] = cb;
  source[1] = cr;
  int cb_first = rows->layout->fourcc == VF_NV12;
  rows->kernels->split_pairs(cb_first ? cb : cr, cb_first ? cr : cb,
                             planes[1].data + y * planes[1].stride, rows->chroma_width);
}

static void fill_chroma_row(vf_rows *rows, size_t index, size_t line, size_t y) {
  uint8_t *strip[2];
  for (size_t c = 0; c < 2; c++)
    strip[c] = rows->chroma_strip[c] + line * rows->chroma_blocks;
  const uint8_t *first[2], *second[2];
  if (rows->halves_chroma) {
    chroma_row(rows, 2 * y, rows->spare[0], rows->spare[1], first);
    chroma_row(rows, least(2 * y + 1, rows->chroma_height - 1), rows->spare[2], rows->spare[3],
               second);
  } else {
    chroma_row(rows, y, strip[0], strip[1], first);
  }
  int direct = !rows->halves_chroma && !rows->image->limited_range &&
               rows->layout->plane_count == 3 && rows->chroma_width == rows->chroma_blocks;
  for (size_t c = 0; c < 2; c++) {
    // libjpeg takes rows that aren't const, and only reads them.
    rows->row[1 + c][index] = direct ? (uint8_t *)first[c] : strip[c];
    if (direct)
      continue;
    if (rows->halves_chroma)
      rows->kernels->average_rows(strip[c], first[c], second[c], rows->chroma_width);
    else if (first[c] != strip[c])
      memcpy(strip[c], first[c], rows->chroma_width);
    finish_chroma(rows, strip[c]);
  }
}

static void fill_chroma(vf_rows *rows, size_t y) {
  size_t first = y / rows->luma_rows * rows->chroma_rows;
  size_t height = rows->halves_chroma ? (rows->chroma_height + 1) / 2 : rows->chroma_height;
  size_t last = least(rows->chroma_rows, height - first) - 1;
  for (size_t i = 0; i <= last; i++)
    fill_chroma_row(rows, i, i, first + i);
  for (size_t i = last + 1; i < rows->chroma_rows; i++) {
    rows->row[1][i] = rows->row[1][last];
    rows->row[2][i] = rows->row[2][last];
  }
}

void vf_rows_fill(vf_rows *rows, size_t y) {
  if (rows->layout->arrangement == VF_ARRANGEMENT_PACKED) {
    fill_packed(rows, y);
    return;
  }
  fill_luma(rows, y);
  if (rows->components == 3)
    fill_chroma(rows, y);
}
