#ifndef VF_DETECT_H
#define VF_DETECT_H

#include "vf_outline.h"

#pragma clang assume_nonnull begin

/// Finds cards and sheets in pictures, by themselves and from frame to frame.
///
/// Whole numbers decide: the same picture gives the same answer on every machine, with every vector
/// set. Corners are points as `vf_outline.h` has them, clockwise, the one nearest the picture's top
/// left first, and lie where the edges' lines meet: outside a card whose corners are round.
typedef struct vf_detector vf_detector;

/// What proportions say of a quadrilateral.
#define VF_KIND_OTHER 0u
#define VF_KIND_CARD 1u  ///< About 1.5 to 1.8 to 1, as ID-1 (1.586) and business cards are.
#define VF_KIND_SHEET 2u ///< About 1.26 to 1.46 to 1, as paper (1.414, 1.294), ID-2 and ID-3 are.

/// A quadrilateral that may be a card.
typedef struct vf_candidate {
  vf_point corners[4];
  /// From 0 to 1: of those given 0.9, nine in ten are right.
  double confidence;
  /// The longer side over the shorter, as seen from straight above: the perspective is taken out.
  double aspect;
  /// One of `VF_KIND_…`.
  uint32_t kind;
  /// For the edge from each corner to the next, the share of it that shows, from 0 to 1.
  double support[4];
  /// 1 when the ground shows in its corners, 0 when it doesn't or too few pixels tell.
  uint8_t has_round_corners;
} vf_candidate;

/// The most candidates that a picture is given.
#define VF_CANDIDATE_LIMIT 12u

/// Makes a detector. It takes about 15 MB, and allocates nothing later but for rows of the widest
/// picture. The caller releases it with `vf_detector_destroy`. Calls on one detector must
/// not overlap. Returns NULL with `*failure` set when there is no memory.
vf_detector *_Nullable vf_detector_create(vf_failure *failure);

/// Accepts NULL.
void vf_detector_destroy(vf_detector *_Nullable detector);

/// The confidence from which a candidate is worth showing.
double vf_detector_threshold(void);

/// Finds up to `count` candidates whose confidence is at least `threshold`, the surest first, and
/// refines their corners at the picture's full size. Candidates don't overlap much. The image may
/// have any uncompressed layout and orientation. Returns how many there are (0: nothing is there),
/// or fails with `EINVAL` and its like when the image is malformed.
int vf_detector_find(vf_detector *detector, const vf_image *image, double threshold,
                     vf_candidate *candidates, size_t count, vf_failure *failure);

/// What four corners, clockwise, of a picture of `width` × `height` pixels are, such as a person
/// drew them: their aspect and kind, with a confidence and support of 1. Keeps the corners' order.
/// Fails with `EINVAL` for corners that aren't clockwise and convex, or lie far outside.
int vf_describe(vf_candidate *candidate, const vf_point corners[_Nonnull 4], uint32_t width,
                uint32_t height, vf_failure *failure);

/// How a card lies in the picture: what an app tells the person who holds it.
typedef struct vf_advice {
  /// The card's area as a share of the picture's.
  double fill;
  /// The least distance of a corner to the picture's border, as a share of the picture's shorter
  /// side; negative when the card is cut off.
  double margin;
  /// The angle between the card and the picture's plane, in degrees from 0 to 90.
  double slant;
  /// How wide the card's edges are, in pixels: about 1.5 when sharp. 0 when none was found.
  double edge_width;
  /// The mean luma inside, from 0 to 1.
  double luminance;
  /// The share of the card that glares, and the middle of that (of the card's middle when nothing
  /// does).
  double glare;
  vf_point glare_center;
  /// The range of luma inside without the outermost twentieths, from 0 to 1.
  double contrast;
} vf_advice;

/// Looks at the picture inside four corners, clockwise. Fails with `EINVAL` when the image or the
/// corners are malformed.
int vf_advise(vf_advice *advice, const vf_image *image, const vf_point corners[_Nonnull 4],
              vf_failure *failure);

/// Follows a card from frame to frame: where it was, it is looked for first, which costs little.
///
/// Calls on one tracker must not overlap.
typedef struct vf_tracker vf_tracker;

/// What a tracker knows after a frame.
typedef struct vf_tracking {
  /// 1 when a card is there.
  uint8_t is_found;
  /// 1 when the whole frame was searched.
  uint8_t did_search;
  /// Changes whenever another card comes, or one comes back.
  uint32_t card;
  /// The card, when there is one.
  vf_candidate candidate;
  /// How fast its corners move, in shares of the picture's diagonal a second.
  double speed;
  /// For how long it has been still, in seconds.
  double steady;
} vf_tracking;

/// Makes a tracker. The caller releases it with `vf_tracker_destroy`. Returns NULL with `*failure`
/// set when there is no memory.
vf_tracker *_Nullable vf_tracker_create(vf_failure *failure);

/// Accepts NULL.
void vf_tracker_destroy(vf_tracker *_Nullable tracker);

/// Looks at the next frame, taken at `time` (seconds of any clock that doesn't jump). A frame of
/// another size starts anew. `threshold` is the confidence from which a card counts as found.
int vf_tracker_follow(vf_tracker *tracker, const vf_image *image, double time, double threshold,
                      vf_tracking *tracking, vf_failure *failure);

/// Forgets the card.
void vf_tracker_reset(vf_tracker *tracker);

#pragma clang assume_nonnull end

#endif
