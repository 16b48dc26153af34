#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "detect/detector.h"
#include "failure.h"
#include "pixels/image.h"

// From frame to frame: the card is looked for where it was going, by its edges alone, in two
// passes. Where that fails, and now and then in any case, the whole frame is searched. Other
// colours at its edges, or for some frames another face, are another card. A card at rest keeps its
// corners; one that moves has those of its last frame, without delay.

#pragma STDC FP_CONTRACT OFF

/// How bright the parts of a card are, less their mean; in 1/16 level.
enum { FACE_WIDTH = 12, FACE_HEIGHT = 8, FACE = FACE_WIDTH * FACE_HEIGHT };
typedef struct face {
  int32_t cells[FACE];
} face;

struct vf_tracker {
  vf_detector *detector;
  uint32_t width, height, card;
  bool is_found;
  double time, steady_since, searched;
  vf_candidate candidate;
  /// The corners as they were measured, and how they move in a second.
  vf_point measured[4], velocity[4];
  /// The steps of colour at the sides when the card was found, and its face: another card's are
  /// different. And for how many frames the face has been another.
  eye_sample steps[4];
  face face;
  int strange;
  double speed;
};

/// Seconds between searches of whole frames while a card is followed, and while none is there.
static const double check_interval = 0.5;
/// Corners that move less than this share of the diagonal in a second are at rest.
static const double resting_speed = 0.015;

vf_tracker *vf_tracker_create(vf_failure *failure) {
  vf_tracker *tracker = calloc(1, sizeof *tracker);
  vf_detector *detector = tracker ? vf_detector_create(failure) : NULL;
  if (!detector) {
    free(tracker);
    vf_fail(failure, ENOMEM, "malloc", NULL);
    return NULL;
  }
  tracker->detector = detector;
  return tracker;
}

void vf_tracker_destroy(vf_tracker *tracker) {
  if (!tracker)
    return;
  vf_detector_destroy(tracker->detector);
  free(tracker);
}

void vf_tracker_reset(vf_tracker *tracker) {
  tracker->is_found = false;
  tracker->speed = 0;
}

static double diagonal_of(const vf_tracker *tracker) {
  double width = tracker->width, height = tracker->height;
  return sqrt(width * width + height * height);
}

/// The largest distance between corners, when `b` begins with the corner that fits best; `turn`
/// says which that is.
static double distance(const vf_point *a, const vf_point *b, int *turn) {
  double best = HUGE_VAL;
  for (int t = 0; t < 4; t++) {
    double most = 0;
    for (int i = 0; i < 4; i++) {
      double x = a[i].x - b[(i + t) & 3].x, y = a[i].y - b[(i + t) & 3].y;
      most = fmax(most, sqrt(x * x + y * y));
    }
    if (most < best) {
      best = most;
      *turn = t;
    }
  }
  return best;
}

/// Whether the edges still step as they did: most of them by a like amount in a like direction.
static bool are_alike(const eye_sample *before, const eye_refinement *now) {
  int alike = 0, seen = 0;
  for (int i = 0; i < 4; i++) {
    if (!now->hits[i])
      continue;
    int64_t dot = 0, a = 0, b = 0;
    for (int c = 0; c < 3; c++) {
      int64_t x = before[i].values[c], y = now->steps[i].values[c];
      dot += x * y;
      a += x * x;
      b += y * y;
    }
    seen++;
    // A cosine of 0.7 at least, and no less than half as strong, nor twice.
    alike += dot > 0 && dot * dot * 2 > a * b && b * 5 > a && a * 5 > b;
  }
  return seen >= 3 && alike >= 3;
}

static face look_at_face(const vf_image *image, const eye_parts *parts, const vf_point *corners) {
  // Nine places for each part, so that fine print counts as its mean; not up to the edge.
  enum { TIMES = 3 };
  face face = {{0}};
  eye_point p[4];
  for (int i = 0; i < 4; i++)
    p[i] = eye_point_in(corners[i]);
  int64_t sum = 0;
  for (int32_t y = 0; y < FACE_HEIGHT * TIMES; y++) {
    int32_t v = EYE_U(60) + EYE_U(880) * (2 * y + 1) / (2 * FACE_HEIGHT * TIMES);
    eye_point left = eye_between(p[0], p[3], v), right = eye_between(p[1], p[2], v);
    for (int32_t x = 0; x < FACE_WIDTH * TIMES; x++) {
      int32_t u = EYE_U(60) + EYE_U(880) * (2 * x + 1) / (2 * FACE_WIDTH * TIMES);
      int32_t luma = eye_sample_at(image, parts, eye_between(left, right, u)).values[0];
      face.cells[y / TIMES * FACE_WIDTH + x / TIMES] += luma;
      sum += luma;
    }
  }
  for (int32_t i = 0; i < FACE; i++)
    face.cells[i] = (face.cells[i] - (int32_t)(sum / FACE)) / (TIMES * TIMES);
  return face;
}

/// Whether two faces are of one card: their patterns go together, or neither has one.
static bool are_one(const face *a, const face *b) {
  int64_t dot = 0, own = 0, other = 0;
  for (int32_t i = 0; i < FACE; i++) {
    dot += (int64_t)a->cells[i] * b->cells[i];
    own += (int64_t)a->cells[i] * a->cells[i];
    other += (int64_t)b->cells[i] * b->cells[i];
  }
  // A spread of four levels is a pattern.
  static const int64_t plain = (int64_t)FACE * 64 * 64;
  if (own < plain || other < plain)
    return own < 9 * plain && other < 9 * plain;
  // A correlation of 0.4.
  return dot > 0 && dot / FACE * dot / FACE * 25 > own / FACE * (other / FACE) * 4;
}

/// Notices when the card that is followed has had another face for some frames: a hand that passes
/// is gone by then, or it covers the edges, too.
static void compare_faces(vf_tracker *tracker, const vf_image *image, const eye_parts *parts,
                          bool is_new, double time) {
  enum { FRAMES = 3 };
  face face = look_at_face(image, parts, tracker->measured);
  bool is_one = !is_new && are_one(&tracker->face, &face);
  tracker->strange = is_new || is_one ? 0 : tracker->strange + 1;
  if (tracker->strange >= FRAMES) {
    tracker->card++;
    tracker->steady_since = time;
    tracker->strange = 0;
  } else if (!is_new && !is_one) {
    return;
  }
  tracker->face = face;
}

/// Takes over corners that were just measured.
static void settle(vf_tracker *tracker, const vf_candidate *found, double time, bool is_new) {
  vf_candidate candidate = *found;
  double diagonal = diagonal_of(tracker), elapsed = time - tracker->time;
  if (is_new) {
    tracker->speed = 0;
    tracker->steady_since = time;
    for (int i = 0; i < 4; i++)
      tracker->velocity[i] = (vf_point){0, 0};
  } else {
    double most = 0, away = 0, lasting = 0;
    for (int i = 0; i < 4; i++) {
      vf_point was = tracker->measured[i], is = candidate.corners[i];
      vf_point shown = tracker->candidate.corners[i];
      if (elapsed > 0)
        tracker->velocity[i] = (vf_point){(is.x - was.x) / elapsed, (is.y - was.y) / elapsed};
      vf_point v = tracker->velocity[i];
      most = fmax(most, sqrt(v.x * v.x + v.y * v.y));
      // How far from what is shown, and how much of that already was in the frame before.
      vf_point now = {is.x - shown.x, is.y - shown.y}, before = {was.x - shown.x, was.y - shown.y};
      double far = sqrt(now.x * now.x + now.y * now.y);
      double was_far = sqrt(before.x * before.x + before.y * before.y);
      away = fmax(away, far);
      if (now.x * before.x + now.y * before.y > 0)
        lasting = fmax(lasting, fmin(far, was_far));
    }
    tracker->speed = most / diagonal;
    // What is measured trembles, by a pixel or two where an edge is blurred. Near what is shown, it
    // changes that only by a part, and a small one unless it lasts; far from it, at once.
    double tolerance = fmax(1, diagonal / 1500), part = fmin(1, 0.1 + lasting / tolerance * 0.4);
    if (away > 2 * tolerance)
      part = 1;
    for (int i = 0; i < 4; i++) {
      vf_point shown = tracker->candidate.corners[i], is = found->corners[i];
      candidate.corners[i] =
          (vf_point){shown.x + (is.x - shown.x) * part, shown.y + (is.y - shown.y) * part};
    }
    if (away > 2 * tolerance && tracker->speed > resting_speed)
      tracker->steady_since = time;
  }
  for (int i = 0; i < 4; i++)
    tracker->measured[i] = found->corners[i];
  tracker->candidate = candidate;
  tracker->is_found = true;
}

/// Looks for the card near where it should be by now. False when it isn't there.
static bool follow(vf_tracker *tracker, const vf_image *image, double time) {
  double elapsed = time - tracker->time;
  if (!(elapsed > 0 && elapsed < 0.5))
    elapsed = 0;
  eye_quad quad;
  for (int i = 0; i < 4; i++) {
    vf_point at = tracker->measured[i], v = tracker->velocity[i];
    quad.p[i] = eye_point_in((vf_point){at.x + v.x * elapsed, at.y + v.y * elapsed});
  }
  eye_parts parts = eye_lay_out(image);
  int32_t longest = (int32_t)(image->width > image->height ? image->width : image->height);
  // 2.5 % of the picture to each side, then closely.
  int32_t wide = eye_max(4 * 256, longest * 256 / 40), scale = eye_max(256, longest / 2);
  eye_refinement first = eye_refine(image, &parts, &quad, wide / 6, wide);
  if (first.moved < 3)
    return false;
  eye_refinement second = eye_refine(image, &parts, &quad, scale, scale * 8 / 5);
  if (second.moved < 3 || eye_area2(&quad) <= 0 || !are_alike(tracker->steps, &second))
    return false;
  vf_candidate candidate = eye_describe(image, &quad, &second, tracker->candidate.confidence);
  // Keep each corner's place: the first one may have become another.
  int turn = 0;
  distance(tracker->measured, candidate.corners, &turn);
  vf_candidate turned = candidate;
  for (int i = 0; i < 4; i++) {
    turned.corners[i] = candidate.corners[(i + turn) & 3];
    turned.support[i] = candidate.support[(i + turn) & 3];
  }
  // Nor may its size change much between two frames.
  eye_quad before;
  for (int i = 0; i < 4; i++)
    before.p[i] = eye_point_in(tracker->measured[i]);
  int64_t was = eye_area2(&before), is = eye_area2(&quad);
  if (is * 3 < was * 2 || is * 2 > was * 3)
    return false;
  settle(tracker, &turned, time, false);
  compare_faces(tracker, image, &parts, false, time);
  return true;
}

/// Searches the whole frame. The candidate near the card that was followed counts as the same.
static int search(vf_tracker *tracker, const vf_image *image, double time, double threshold,
                  vf_failure *failure) {
  vf_candidate candidates[VF_CANDIDATE_LIMIT];
  // One that was found stays while it is half as sure.
  double least = tracker->is_found ? threshold * 0.6 : threshold;
  int count =
      vf_detector_find(tracker->detector, image, least, candidates, VF_CANDIDATE_LIMIT, failure);
  if (count < 0)
    return count;
  tracker->searched = time;
  int chosen = -1, turn = 0;
  double near = diagonal_of(tracker) * 0.06;
  for (int i = 0; i < count && tracker->is_found && chosen < 0; i++) {
    if (distance(tracker->measured, candidates[i].corners, &turn) < near)
      chosen = i;
  }
  bool is_same = chosen >= 0;
  if (!is_same && count > 0 && candidates[0].confidence >= threshold)
    chosen = 0;
  if (chosen < 0) {
    tracker->is_found = false;
    return 0;
  }
  vf_candidate candidate = candidates[chosen];
  for (int i = 0; i < 4 && is_same; i++) {
    candidate.corners[i] = candidates[chosen].corners[(i + turn) & 3];
    candidate.support[i] = candidates[chosen].support[(i + turn) & 3];
  }
  // What its edges look like from here on, side for side. Where they look different at once,
  // another card lies there.
  eye_quad quad;
  for (int i = 0; i < 4; i++)
    quad.p[i] = eye_point_in(candidate.corners[i]);
  eye_parts parts = eye_lay_out(image);
  int32_t longest = (int32_t)(image->width > image->height ? image->width : image->height);
  int32_t scale = eye_max(256, longest / 2);
  eye_refinement refinement = eye_refine(image, &parts, &quad, scale, scale * 8 / 5);
  bool is_new = !is_same || !are_alike(tracker->steps, &refinement);
  settle(tracker, &candidate, time, is_new);
  tracker->card += is_new;
  for (int i = 0; i < 4; i++)
    tracker->steps[i] = refinement.steps[i];
  compare_faces(tracker, image, &parts, is_new, time);
  return 1;
}

int vf_tracker_follow(vf_tracker *tracker, const vf_image *image, double time, double threshold,
                      vf_tracking *tracking, vf_failure *failure) {
  int code = vf_image_check(image, "tracking", failure);
  if (code)
    return code;
  *tracking = (vf_tracking){.card = tracker->card};
  if (image->width != tracker->width || image->height != tracker->height)
    vf_tracker_reset(tracker);
  tracker->width = image->width;
  tracker->height = image->height;
  bool is_due = !(time - tracker->searched < check_interval) || time < tracker->searched;
  if (!tracker->is_found || is_due || !follow(tracker, image, time)) {
    tracking->did_search = 1;
    code = search(tracker, image, time, threshold, failure);
    if (code < 0)
      return code;
  }
  tracker->time = time;
  tracking->card = tracker->card;
  if (!tracker->is_found)
    return 0;
  tracking->is_found = 1;
  tracking->candidate = tracker->candidate;
  tracking->speed = tracker->speed;
  tracking->steady = time - tracker->steady_since;
  return 0;
}
