#include "fuzz.h"

#include <math.h>

// Pictures in which cards are looked for. The first bytes are the picture, or what a pattern is
// made of; the last ones say how large it is and what it is like.

static const uint32_t fourccs[] = {VF_YUYV, VF_RGB24, VF_GREY, VF_NV12,  VF_I420,
                                   VF_I411, VF_I440,  VF_UYVY, VF_BGRA32};

/// Detectors are large and say to keep nothing of a picture: one is enough.
static vf_detector *detector;
static vf_tracker *tracker;

static void require_candidate(const vf_candidate *candidate, double threshold) {
  for (int i = 0; i < 4; i++) {
    REQUIRE(isfinite(candidate->corners[i].x) && isfinite(candidate->corners[i].y));
    REQUIRE(candidate->support[i] >= 0 && candidate->support[i] <= 1);
  }
  REQUIRE(candidate->confidence >= threshold && candidate->confidence <= 1);
  REQUIRE(candidate->aspect >= 1 && candidate->kind <= VF_KIND_SHEET);
}

/// A byte of the picture: the input's, a checkerboard's, a card's on an even ground.
static uint8_t paint(const input *settings, uint8_t pattern, size_t i, size_t x, size_t y,
                     size_t width, size_t height) {
  uint8_t byte = settings->count ? settings->bytes[i % settings->count] : (uint8_t)i;
  switch (pattern % 4) {
  case 0:
    return byte;
  case 1:
    return (x ^ y) >> (pattern / 4 % 6) & 1 ? 255 : 0;
  case 2:
    return (uint8_t)(byte % 16 + 60);
  default:
    return (uint8_t)((4 * x > width && 4 * x < 3 * width && 4 * y > height && 4 * y < 3 * height
                          ? 200
                          : 60) +
                     byte % (pattern / 4 + 1));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  vf_failure failure;
  if (!detector) {
    detector = vf_detector_create(&failure);
    tracker = vf_tracker_create(&failure);
    REQUIRE(detector && tracker);
  }
  input settings = {data, size};
  uint32_t fourcc = fourccs[take8(&settings) % (sizeof fourccs / sizeof *fourccs)];
  uint32_t width = take16(&settings) % 4096 + 1;
  uint32_t height = take16(&settings) % (uint32_t)(PIXEL_LIMIT / width) % 4096 + 1;
  uint8_t pattern = take8(&settings), frames = take8(&settings) % 4;
  double threshold = take8(&settings) / 256.0;
  size_t count = vf_image_size(fourcc, width, height, 0);
  uint8_t *bytes = malloc(count);
  REQUIRE(bytes);
  size_t row = count / height ? count / height : 1;
  for (size_t i = 0; i < count; i++)
    bytes[i] = paint(&settings, pattern, i, i % row, i / row, row, height);
  vf_image image;
  REQUIRE(vf_image_view(&image, fourcc, width, height, 0, bytes, count, &failure) == 0);
  image.limited_range = pattern >> 7;

  vf_candidate candidates[VF_CANDIDATE_LIMIT];
  int found = vf_detector_find(detector, &image, threshold, candidates, 5, &failure);
  REQUIRE(found >= 0 && found <= 5);
  for (int i = 0; i < found; i++)
    require_candidate(&candidates[i], threshold);

  vf_point corners[4];
  for (int i = 0; i < 4; i++) {
    corners[i].x = take_coordinate(&settings, width);
    corners[i].y = take_coordinate(&settings, height);
  }
  vf_advice advice;
  int code = vf_advise(&advice, &image, found ? candidates[0].corners : corners, &failure);
  if (code < 0) {
    require_failure(code, &failure);
  } else {
    REQUIRE(advice.fill > 0 && advice.slant >= 0 && advice.slant <= 90.1);
    REQUIRE(advice.luminance >= 0 && advice.luminance <= 1);
    REQUIRE(advice.glare >= 0 && advice.glare <= 1 && advice.edge_width >= 0);
    REQUIRE(advice.contrast >= 0 && advice.contrast <= 1);
  }

  vf_tracker_reset(tracker);
  for (uint8_t frame = 0; frame < frames; frame++) {
    vf_tracking tracking;
    double time = frame * 0.04;
    // The last frame may show anything else.
    if (frame == 2)
      memset(bytes, take8(&settings), count / 2);
    REQUIRE(vf_tracker_follow(tracker, &image, time, threshold, &tracking, &failure) == 0);
    if (tracking.is_found) {
      require_candidate(&tracking.candidate, 0);
      REQUIRE(tracking.steady >= 0 && tracking.speed >= 0);
    }
  }
  free(bytes);
  return 0;
}
