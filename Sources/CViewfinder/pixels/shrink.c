#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "pixels/colour.h"
#include "pixels/filter.h"
#include "pixels/image.h"

/// Result rows that one source row can be part of: two, and one more by rounding.
enum { OPEN_ROWS = 4 };

struct vf_shrinker {
  uint32_t source_width, source_height;
  /// Samples of a pixel, and of a row of the result.
  uint32_t samples, row_samples;
  /// Source rows taken, and result rows finished.
  uint32_t taken, done;
  vf_filter across, down;
  /// A row at the result's width, and the sums of the rows that aren't finished.
  int32_t *_Nullable line, *_Nullable sums[OPEN_ROWS];
  vf_image image;
};

static int begin(vf_shrinker *shrinker, uint32_t fourcc, uint32_t width, uint32_t height,
                 vf_failure *failure) {
  int code = vf_image_create(&shrinker->image, fourcc, width, height, 0, failure);
  if (code)
    return code;
  const vf_plane *plane = &shrinker->image.planes[0];
  memset(plane->data, 0, plane->stride * height);
  shrinker->samples = vf_layout_find(fourcc)->bytes_per_pixel;
  shrinker->row_samples = width * shrinker->samples;
  if (shrinker->source_width == width && shrinker->source_height == height)
    return 0;
  int failed = vf_filter_create(&shrinker->across, width, shrinker->source_width,
                                (double)shrinker->source_width / width) |
               vf_filter_create(&shrinker->down, height, shrinker->source_height,
                                (double)shrinker->source_height / height);
  shrinker->line = malloc(shrinker->row_samples * sizeof(int32_t));
  for (int i = 0; i < OPEN_ROWS; i++) {
    shrinker->sums[i] = calloc(shrinker->row_samples, sizeof(int32_t));
    failed |= !shrinker->sums[i];
  }
  return failed || !shrinker->line ? vf_fail(failure, ENOMEM, "shrink", NULL) : 0;
}

vf_shrinker *vf_shrinker_create(uint32_t fourcc, uint32_t source_width, uint32_t source_height,
                                uint32_t width, uint32_t height, vf_failure *failure) {
  if ((fourcc != VF_GREY && fourcc != VF_RGB24 && fourcc != VF_RGBA32) || !width || !height ||
      width > source_width || height > source_height) {
    vf_fail(failure, EINVAL, "shrink", "%u x %u to %u x %u pixels", source_width, source_height,
            width, height);
    return NULL;
  }
  vf_shrinker *shrinker = malloc(sizeof *shrinker);
  if (!shrinker) {
    vf_fail(failure, ENOMEM, "shrink", NULL);
    return NULL;
  }
  *shrinker = (vf_shrinker){.source_width = source_width, .source_height = source_height};
  if (begin(shrinker, fourcc, width, height, failure)) {
    vf_shrinker_destroy(shrinker);
    return NULL;
  }
  return shrinker;
}

/// Makes `line` of a source row.
static void shrink_across(vf_shrinker *shrinker, const uint8_t *row) {
  const uint32_t samples = shrinker->samples;
  int32_t *restrict out = shrinker->line;
  for (uint32_t x = 0; x < shrinker->image.width; x++, out += samples) {
    vf_tap tap = shrinker->across.taps[x];
    const int16_t *weights = shrinker->across.weights + tap.weight;
    const uint8_t *in = row + (size_t)tap.first * samples;
    int32_t sums[4] = {0};
    for (uint32_t i = 0; i < tap.count; i++, in += samples)
      for (uint32_t c = 0; c < samples; c++)
        sums[c] += in[c] * weights[i];
    for (uint32_t c = 0; c < samples; c++)
      out[c] = (sums[c] + (1 << (WEIGHT_BITS - KEPT_BITS - 1))) >> (WEIGHT_BITS - KEPT_BITS);
  }
}

static void finish_row(vf_shrinker *shrinker) {
  int32_t *sums = shrinker->sums[shrinker->done % OPEN_ROWS];
  uint8_t *out = vf_row(&shrinker->image.planes[0], shrinker->done++);
  const int32_t half = 1 << (WEIGHT_BITS + KEPT_BITS - 1);
  for (uint32_t i = 0; i < shrinker->row_samples; i++)
    out[i] = vf_clamp_byte((sums[i] + half) >> (WEIGHT_BITS + KEPT_BITS));
  memset(sums, 0, shrinker->row_samples * sizeof *sums);
}

void vf_shrinker_add(vf_shrinker *shrinker, const uint8_t *row) {
  uint32_t y = shrinker->taken;
  if (y == shrinker->source_height || !shrinker->image.storage)
    return;
  shrinker->taken++;
  if (!shrinker->line) {
    memcpy(vf_row(&shrinker->image.planes[0], y), row, shrinker->row_samples);
    return;
  }
  shrink_across(shrinker, row);
  const vf_tap *taps = shrinker->down.taps;
  uint32_t height = shrinker->image.height;
  for (uint32_t i = shrinker->done; i < height && taps[i].first <= y; i++) {
    if (y - taps[i].first >= taps[i].count)
      continue;
    int32_t weight = shrinker->down.weights[taps[i].weight + y - taps[i].first];
    int32_t *restrict sums = shrinker->sums[i % OPEN_ROWS];
    for (uint32_t k = 0; k < shrinker->row_samples; k++)
      sums[k] += shrinker->line[k] * weight;
  }
  while (shrinker->done < height &&
         taps[shrinker->done].first + taps[shrinker->done].count <= y + 1)
    finish_row(shrinker);
}

vf_image vf_shrinker_take(vf_shrinker *shrinker) {
  vf_image image = shrinker->image;
  shrinker->image = (vf_image){0};
  return image;
}

void vf_shrinker_destroy(vf_shrinker *shrinker) {
  if (!shrinker)
    return;
  vf_filter_free(&shrinker->across);
  vf_filter_free(&shrinker->down);
  free(shrinker->line);
  for (int i = 0; i < OPEN_ROWS; i++)
    free(shrinker->sums[i]);
  vf_image_free(&shrinker->image);
  free(shrinker);
}
