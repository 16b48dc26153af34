#ifndef VF_CORE_DETECT_EYE_H
#define VF_CORE_DETECT_EYE_H

#include <stddef.h>

#include "detect/fixed.h"
#include "detect/layers.h"
#include "vf_image.h"

#pragma clang assume_nonnull begin

// The card eye: what looks at one picture and finds quadrilaterals that may be cards. The files of
// this folder are its steps, in this order: picture, levels, gradients, lines, network, arms,
// regions, marks, snap, proposals, sides, maps, rivals, trees, patch, closer, strips, follow,
// finds, company, pick. Training (Scripts/train-card-eye) calls what is declared here, so that it
// learns from the same numbers.

enum {
  /// The working picture's long side; no picture is enlarged to it.
  EYE_SIDE = 512,
  EYE_PIXELS = EYE_SIDE * EYE_SIDE,
  /// The long side of the network's maps.
  EYE_MAP_SIDE = EYE_NET_SIDE / 4,
  EYE_MAP_CELLS = EYE_MAP_SIDE * EYE_MAP_SIDE,
  EYE_MAPS = 5,
  /// Lines, and proposals of each kind and in all.
  EYE_LINES = 128,
  EYE_REGIONS = 24,
  EYE_ARMS = 30,
  EYE_MARKS = 60,
  EYE_PROPOSALS = 80,
  EYE_FINDS = 24,
  /// What the second and the third network see: its size, and how much of it lies around the
  /// quadrilateral.
  EYE_PATCH_WIDTH = 64,
  EYE_PATCH_HEIGHT = 48,
  EYE_PATCH = EYE_PATCH_WIDTH * EYE_PATCH_HEIGHT,
  /// Blue, green, red; mask, border, corner; the way to the nearest side, along and down.
  EYE_PATCH_DEPTH = 8,
  EYE_PATCH_MARGIN_X = 12,
  EYE_PATCH_MARGIN_Y = 9,
  EYE_PATCH_OWN_WIDTH = EYE_PATCH_WIDTH - 2 * EYE_PATCH_MARGIN_X,
  EYE_PATCH_OWN_HEIGHT = EYE_PATCH_HEIGHT - 2 * EYE_PATCH_MARGIN_Y,
  /// Columns of features.
  EYE_SIDE_FEATURES = 11,
  EYE_SHAPE_FEATURES = 30,
  EYE_GEOMETRY_FEATURES = EYE_SIDE_FEATURES * 4 + EYE_SHAPE_FEATURES,
  EYE_MAP_FEATURES = 71,
  EYE_FEATURES = EYE_GEOMETRY_FEATURES + EYE_MAP_FEATURES,
  EYE_RIVAL_FEATURES = 24,
  EYE_CLOSER_FEATURES = 25,
  EYE_RANK_FEATURES = EYE_FEATURES + EYE_RIVAL_FEATURES,
  EYE_COMPANY_FEATURES = 9,
  EYE_JUDGE_FEATURES = EYE_RANK_FEATURES + EYE_CLOSER_FEATURES,
  EYE_ALL_FEATURES = EYE_JUDGE_FEATURES + EYE_COMPANY_FEATURES,
};

/// Says that no edge runs through a pixel.
#define EYE_NO_EDGE INT8_MIN

/// Where the edge runs that goes through a pixel, from the pixel's centre, in 1/128 pixel.
typedef struct eye_edge {
  int8_t x, y;
} eye_edge;

/// A pixel.
typedef struct eye_place {
  int16_t x, y;
} eye_place;

/// The picture at one size: its channels and their edges. Rows follow each other without gaps.
typedef struct eye_level {
  int32_t width, height;
  /// Luma, red against green, yellow against blue; smoothed, in 1/64.
  int16_t *_Nonnull channels[3];
  /// The steepest channel's gradient, in 1/128 for each pixel, and its length (within 3 %).
  int16_t *gx, *gy;
  uint16_t *magnitude;
  eye_edge *edges;
  /// The pixels that have an edge, row by row.
  eye_place *places;
  int32_t edge_count;
} eye_level;

/// A straight edge, at the working picture's size.
typedef struct eye_line {
  eye_side side;
  /// Pixels of it that show an edge, as a length (1/256 pixel), and the mean gradient there.
  int32_t hits, magnitude;
  int64_t score;
} eye_line;

enum { EYE_SOURCE_ARMS = 1, EYE_SOURCE_REGION = 2, EYE_SOURCE_MARK = 3 };

typedef struct eye_proposal {
  eye_quad quad;
  /// How well edges support it, at a glance; 1/256.
  int32_t quick;
  int32_t source;
  /// How exactly it lies on a card, as the closer look says; a logit, 1/256.
  int32_t exact;
  /// × 32767: what the stages of trees say.
  int32_t first, rank, presence;
} eye_proposal;

typedef struct vf_eye vf_eye;

/// Makes an eye, or returns NULL when there is no memory for it. The caller releases it with
/// `vf_eye_destroy`. Calls on one eye must not overlap.
vf_eye *_Nullable vf_eye_create(void);

/// Accepts NULL.
void vf_eye_destroy(vf_eye *_Nullable eye);

/// Looks at a picture: maps, proposals, features and scores; then a closer look at the best.
/// Returns the count of those, or a negative errno.
int vf_eye_look(vf_eye *eye, const vf_image *image, vf_failure *failure);

/// The same for RGB, 8 bits, rows `stride` bytes apart; and its first half: all proposals, ranked.
int vf_eye_propose_rgb(vf_eye *eye, const uint8_t *rgb, uint32_t width, uint32_t height,
                       size_t stride);
int vf_eye_look_rgb(vf_eye *eye, const uint8_t *rgb, uint32_t width, uint32_t height,
                    size_t stride);

/// Has sides that hardly show left where they were found: what is learned is learned from that.
void vf_eye_leave_sides(vf_eye *eye);

/// Width and height of the working picture, of the network's input, of the maps.
void vf_eye_sizes(const vf_eye *eye, int32_t *sizes);

/// For each proposal: its corners (8 numbers), its source, its features, its three scores.
void vf_eye_quads(const vf_eye *eye, int32_t *quads);
void vf_eye_sources(const vf_eye *eye, int32_t *sources);
void vf_eye_features(const vf_eye *eye, int16_t *features);
void vf_eye_scores(const vf_eye *eye, int32_t *scores);
/// For each that was looked at closer: what that gave.
void vf_eye_looks(const vf_eye *eye, int16_t *looks);

/// Puts `count` proposals with their features (of stage 1) back into an eye, as they were taken
/// out.
void vf_eye_set(vf_eye *eye, const int32_t *quads, const int16_t *features, int32_t count);

/// The rivals' columns from scores of the first stage (× 32767) that the caller gives.
void vf_eye_rivals(const vf_eye *eye, const int16_t *scores, int16_t *rivals);

/// The company's columns of what was looked at closer, from presences of the third stage (× 32767)
/// that the caller gives.
void vf_eye_company(const vf_eye *eye, const int16_t *presences, int16_t *company);

/// The network's input (BGR), and its maps: mask, border and corner as logits, then the vector to
/// the nearest side; all in 1/256.
void vf_eye_input(const vf_eye *eye, uint8_t *bgr);
void vf_eye_maps(const vf_eye *eye, int16_t *maps);

/// What the second or the third network sees of `count` quadrilaterals (1/256 pixel of the working
/// picture; 8 numbers each), which are turned so that they lie on their longer side.
void vf_eye_patches(const vf_eye *eye, int32_t *quads, int32_t count, uint8_t *patches);

/// Of what was looked at closer, what stays when those that overlap surer ones are dropped, the
/// surest first. At most `EYE_FINDS`; returns how many.
int vf_eye_picks(vf_eye *eye, int32_t *picks);

/// Columns of stages 1 to 4, and their names.
int vf_eye_feature_count(int stage);
const char *vf_eye_feature_name(int index);

/// A sum of leaves (× 4096) as a probability (× 32767).
int32_t vf_eye_logistic(int32_t sum);

/// The network alone over BGR of `width` × `height`, multiples of 32 up to 256. Returns 0, or a
/// negative errno.
int vf_eye_run_network(vf_eye *eye, const uint8_t *bgr, uint32_t width, uint32_t height,
                       int16_t *maps);

#pragma clang assume_nonnull end

#endif
