#include "detect/detector.h"

// Cards have round corners, sheets sharp ones. Where the sides' lines meet, a round corner shows
// the ground: the colour there is compared with the card's and the ground's beside both sides.

/// How far inside a corner is looked, beside it on both sides, in 1/65536 of the shorter side: an
/// arc of 5.5 % passes at 1.6 %.
static const int32_t near_depths[2] = {65536 * 5 / 1000, 65536 * 10 / 1000};
/// Where the sides are looked at: this far from the corner, this far in and out.
static const int32_t along = 65536 * 14 / 100, aside = 65536 * 3 / 100;
/// A corner of fewer pixels than this on the shorter side shows nothing.
enum { LEAST_SIDE = 90 };

static int64_t length2(eye_point a, eye_point b) {
  int64_t x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y;
}

static int64_t difference(const eye_sample *a, const eye_sample *b) {
  int64_t sum = 0;
  for (int c = 0; c < 3; c++) {
    int64_t d = a->values[c] - b->values[c];
    sum += d * d;
  }
  return sum;
}

/// The point that lies `u` along the side to `next` and `v` along the side to `previous`.
static eye_point inside(eye_point corner, eye_point next, eye_point previous, int32_t u,
                        int32_t v) {
  eye_point a = eye_between(corner, next, u), b = eye_between(corner, previous, v);
  return (eye_point){a.x + b.x - corner.x, a.y + b.y - corner.y};
}

bool eye_has_round_corners(const vf_image *image, const eye_parts *parts, const eye_quad *quad) {
  int64_t shortest = INT64_MAX, sides[4];
  for (int i = 0; i < 4; i++) {
    sides[i] = length2(quad->p[i], quad->p[(i + 1) & 3]);
    shortest = sides[i] < shortest ? sides[i] : shortest;
  }
  if (shortest < (int64_t)LEAST_SIDE * LEAST_SIDE * 65536)
    return false;
  int64_t root = (int64_t)eye_root((uint64_t)shortest);
  int round = 0;
  for (int i = 0; i < 4; i++) {
    eye_point corner = quad->p[i], next = quad->p[(i + 1) & 3], previous = quad->p[(i + 3) & 3];
    // Of the length of each side, what is worth 1 of the shorter one.
    int64_t forward = root * 65536 / (int64_t)eye_root((uint64_t)sides[i]);
    int64_t back = root * 65536 / (int64_t)eye_root((uint64_t)sides[(i + 3) & 3]);
    int32_t far_u = (int32_t)(along * forward >> 16), far_v = (int32_t)(along * back >> 16);
    int32_t in_u = (int32_t)(aside * forward >> 16), in_v = (int32_t)(aside * back >> 16);
    eye_sample card[2] = {eye_sample_at(image, parts, inside(corner, next, previous, far_u, in_v)),
                          eye_sample_at(image, parts, inside(corner, next, previous, in_u, far_v))};
    eye_sample ground[2] = {
        eye_sample_at(image, parts, inside(corner, next, previous, far_u, -in_v)),
        eye_sample_at(image, parts, inside(corner, next, previous, -in_u, far_v))};
    bool is_ground = true;
    for (int k = 0; k < 2; k++) {
      int32_t u = (int32_t)(near_depths[k] * forward >> 16);
      int32_t v = (int32_t)(near_depths[k] * back >> 16);
      eye_sample at = eye_sample_at(image, parts, inside(corner, next, previous, u, v));
      int64_t to_card = eye_min64(difference(&at, &card[0]), difference(&at, &card[1]));
      int64_t to_ground = eye_min64(difference(&at, &ground[0]), difference(&at, &ground[1]));
      is_ground = is_ground && to_ground < to_card;
    }
    round += is_ground;
  }
  return round >= 3;
}
