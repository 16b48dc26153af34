#ifndef VF_CORE_DETECT_WORKSPACE_H
#define VF_CORE_DETECT_WORKSPACE_H

#include "detect/eye.h"
#include "detect/kernels/kernels.h"
#include "detect/layers.h"

#pragma clang assume_nonnull begin

enum {
  EYE_HALF_SIDE = EYE_SIDE / 2,
  EYE_HALF_PIXELS = EYE_HALF_SIDE * EYE_HALF_SIDE,
  /// Runs of equal pixels: one for each pixel, and an empty one where a row begins.
  EYE_RUNS = EYE_HALF_PIXELS + EYE_HALF_SIDE,
  /// Ways to shrink a row: luma or RGB, chroma, and for the network.
  EYE_COLUMN_TABLES = 3,
  EYE_PYRAMID = 4,
};

/// One threshold's components: runs of equal pixels, joined.
typedef struct eye_runs {
  int32_t row_first[EYE_HALF_SIDE + 1];
  uint16_t start[EYE_RUNS];
  int32_t parent[EYE_RUNS], area[EYE_RUNS];
  int16_t left[EYE_RUNS], right[EYE_RUNS], top[EYE_RUNS], bottom[EYE_RUNS];
  uint64_t words[EYE_HALF_SIDE / 64 + 1];
} eye_runs;

/// How a row of samples becomes one of fewer: weights of up to `taps` samples for each, which add
/// up to 256.
typedef struct eye_columns {
  uint32_t from, to;
  int32_t taps;
  int32_t first[EYE_SIDE];
  int16_t *_Nullable weights;
  size_t capacity;
} eye_columns;

/// The picture at one of its sizes, each half of the one before. From the lowest byte up a pixel is
/// blue, green, red and 1.
typedef struct eye_pyramid {
  int32_t width, height;
  const uint32_t *_Nonnull pixels;
} eye_pyramid;

/// A forest: its table, and its trees' nodes as they are asked.
typedef struct eye_forest_table eye_forest_table;
typedef struct eye_node eye_node;
typedef struct eye_forest {
  const eye_forest_table *table;
  eye_node *_Nullable nodes;
} eye_forest;

struct vf_eye {
  const eye_kernels *kernels;
  /// Whether sides that hardly show stay where they were found.
  bool leaves_sides;

  // The picture.
  int32_t width, height;
  uint8_t planes[3][EYE_PIXELS];
  eye_pyramid pyramid[EYE_PYRAMID];
  uint32_t pyramid_pixels[EYE_PIXELS + EYE_PIXELS / 4 + EYE_PIXELS / 16 + EYE_PIXELS / 64];
  uint8_t small[EYE_NET_SIDE * EYE_NET_SIDE * 3];
  int32_t small_width, small_height;
  /// A row of the source while it is scaled, its bytes (or the even and the odd ones) and one
  /// component's; and how columns are weighed. They grow with the widest picture seen.
  uint16_t *_Nullable sums, *_Nullable odd_sums;
  int16_t *_Nullable samples;
  size_t sums_capacity;
  eye_columns columns[EYE_COLUMN_TABLES];

  // Its two sizes.
  eye_level levels[2];
  int16_t channels[3][EYE_PIXELS], half_channels[3][EYE_HALF_PIXELS];
  int16_t gradients[2][EYE_PIXELS], half_gradients[2][EYE_HALF_PIXELS];
  uint16_t magnitudes[EYE_PIXELS], half_magnitudes[EYE_HALF_PIXELS];
  eye_edge edges[EYE_PIXELS], half_edges[EYE_HALF_PIXELS];
  eye_place places[EYE_PIXELS], half_places[EYE_HALF_PIXELS];
  int16_t rows[6][EYE_SIDE];
  /// Of both sizes, 1/128.
  int32_t mean_gradients[2];
  uint16_t block_thresholds[(EYE_SIDE / 8) * (EYE_SIDE / 8)];
  uint16_t limits[EYE_SIDE];
  uint64_t mask[EYE_SIDE / 64];

  // Lines.
  int32_t line_count;
  eye_line lines[EYE_LINES];
  /// Of the lines, so that those of a like one are found fast.
  int16_t directions[EYE_LINES][2];
  eye_line found_lines[512];
  eye_place seeds[EYE_PIXELS];
  /// 1 where an edge runs that no line has yet: row by row, and column by column.
  uint8_t is_open[EYE_PIXELS], is_open_down[EYE_PIXELS];

  eye_runs runs;

  int32_t count;
  eye_proposal proposals[EYE_PROPOSALS];
  int16_t features[EYE_PROPOSALS][EYE_FEATURES];
  int16_t rivals[EYE_PROPOSALS][EYE_RIVAL_FEATURES];
  int16_t looks[EYE_FINDS][EYE_CLOSER_FEATURES];
  int16_t company[EYE_FINDS][EYE_COMPANY_FEATURES];

  eye_tensors tensors;
  eye_network network, closer, strips;
  eye_forest ranking, judging;
  int32_t map_width, map_height;
  int16_t maps[EYE_MAPS][EYE_MAP_CELLS];
  /// Mask, border and corner as probabilities of 0 to 255.
  uint8_t chances[3][EYE_MAP_CELLS];
  /// These, 0, and the vectors, cell by cell.
  int16_t cells[EYE_MAP_CELLS][8];
};

// The steps. Each reads what those before it left in the eye.

/// An eye with these row loops. NULL when there is no memory.
vf_eye *_Nullable eye_create_with(const eye_kernels *kernels);
/// The working picture out of an image, which was checked.
int eye_take_picture(vf_eye *eye, const vf_image *image, vf_failure *failure);
void eye_make_levels(vf_eye *eye);
/// The picture at smaller sizes, and patches of it; quadrilaterals are laid on their longer side.
void eye_make_pyramid(vf_eye *eye);
eye_quad eye_lay_down(const eye_quad *quad);
void eye_take_patch(const vf_eye *eye, const eye_quad *quad, uint8_t *patch);
void eye_find_edges(vf_eye *eye, eye_level *level);
void eye_find_lines(vf_eye *eye);
/// Quadrilaterals from regions of even tone, and U shapes from lines; returns how many.
int32_t eye_find_regions(vf_eye *eye, eye_proposal proposals[_Nonnull EYE_REGIONS]);
int32_t eye_find_arms(vf_eye *eye, eye_proposal proposals[_Nonnull EYE_ARMS]);
/// And from regions of the network's maps.
int32_t eye_find_marks(vf_eye *eye, eye_proposal proposals[_Nonnull EYE_MARKS]);
void eye_propose(vf_eye *eye);
/// A quadrilateral, and how good it is.
typedef struct eye_shape {
  eye_quad quad;
  int32_t score;
} eye_shape;
/// Makes proposals of the best of `count` shapes: of near doubles one, of those that lie across
/// each other a few. Returns how many, `most` at most. The shapes' scores are lost.
int32_t eye_keep_best(eye_shape *shapes, int32_t count, int32_t source, int32_t most,
                      eye_proposal *proposals);
/// Lays out the networks' weights. False when there is no memory.
bool eye_prepare_network(vf_eye *eye);
bool eye_prepare_closer(vf_eye *eye);
bool eye_prepare_strips(vf_eye *eye);
/// Makes the trees' nodes from the tables.
bool eye_prepare_trees(vf_eye *eye);
/// Runs the network over `small`. The maps are all zero when there are no tables.
void eye_run_network(vf_eye *eye);
/// What a closer look at a quadrilateral says: how exactly it lies on a card, and whether it lies
/// on one at all (logits, 1/256); itself, laid on its longer side; where the card is, and how far
/// its corners are off (1/1024 of a side); the chance that they are where they are, of the least of
/// them and of all (1/256).
typedef struct eye_closer {
  int32_t exact, near, shift, least_hold, hold;
  eye_quad quad, moved;
} eye_closer;
/// Takes a closer look at a quadrilateral.
eye_closer eye_look_at(vf_eye *eye, const eye_quad *quad);
/// What a look along each side says: how many of the votes say that the edge runs along one line,
/// and how many more those are than say that it runs where the side was (1/256).
typedef struct eye_strips {
  int32_t seen[4], better[4];
} eye_strips;
/// Looks along the sides of a quadrilateral, and moves those that run elsewhere there. All is 0
/// when there is no table.
void eye_settle_sides(vf_eye *eye, eye_quad *quad, eye_strips *strips);
/// What came of the proposals that were looked at closer, and how many more ended where each lies.
typedef struct eye_finds {
  int32_t count;
  eye_proposal all[EYE_FINDS];
  int16_t votes[EYE_FINDS];
} eye_finds;
/// Moves a proposal onto the card that the network sees, and adds it to the finds if it isn't there
/// yet; a guess, only if it lies on a card.
void eye_follow(vf_eye *eye, const eye_proposal *proposal, bool is_guess, eye_finds *finds);
/// Puts the best proposals, moved onto cards, in the place of all.
void eye_look_closer(vf_eye *eye);
void eye_count_features(vf_eye *eye);
/// The first two stages of trees, which rank all proposals; and the other two, for those that were
/// looked at closer.
void eye_rank(vf_eye *eye);
void eye_judge(vf_eye *eye);
/// What a presence (× 32767) is worth as a confidence, and from which confidence on a candidate is
/// shown by default.
int32_t eye_confidence_of(int32_t presence);
int32_t eye_default_threshold(void);

// Parts of several steps.

/// e to the power of a logit that is at most 0 (1/256); × 32768.
int64_t eye_power(int32_t logit);

/// Which edges count as a side's.
typedef struct eye_support {
  int32_t hits, samples;
  /// The longest run without an edge, in samples.
  int32_t gap;
  /// How far the edges scatter around their mean, in 1/256 pixel.
  int32_t scatter;
} eye_support;

/// Looks for edges along a side at `samples` places from `from` to `to` (shares of its length,
/// 1/65536; they may lie beyond the ends), within a pixel, whose cosine to the side is at least
/// `cosine` (1/256).
eye_support eye_look_along(const eye_level *level, const eye_side *side, int32_t samples,
                           int32_t from, int32_t to, int32_t cosine);

/// One bit for each of `count` directions along which `side` runs, either way: whose cosine is at
/// least `cosine` (1/16384).
static inline void eye_mask_alike(const vf_eye *eye, uint64_t *words,
                                  const int16_t (*_Nonnull directions)[2], const eye_side *side,
                                  int32_t cosine, int32_t count) {
  // The cosine is a product / 16384, rounded down.
  eye->kernels->mask_products(words, directions[0], (int16_t)side->dx, (int16_t)side->dy,
                              (1 - cosine) * EYE_UNIT - 1, cosine * EYE_UNIT, count);
}

/// The share of samples with an edge, × 256.
static inline int32_t eye_share(eye_support support) {
  return support.hits * 256 / support.samples;
}

/// Whether what lies on a side between two shares of it, and up to `around` beside it, is inside
/// the level's border.
static inline bool eye_keeps_inside(const eye_level *level, const eye_side *side, int32_t from,
                                    int32_t to, int32_t around) {
  eye_point a = eye_between(side->a, side->b, from), b = eye_between(side->a, side->b, to);
  int32_t least = 2 * EYE_PIXEL + around;
  return eye_min(a.x, b.x) >= least && eye_min(a.y, b.y) >= least &&
         eye_max(a.x, b.x) <= level->width * EYE_PIXEL - EYE_PIXEL - least &&
         eye_max(a.y, b.y) <= level->height * EYE_PIXEL - EYE_PIXEL - least;
}

/// The middles of equal parts: span × (2 i + 1) / (2 parts) for i from 0 on, rounded down.
typedef struct eye_shares {
  int32_t share, rest, parts, whole_step, rest_step;
} eye_shares;

static inline eye_shares eye_shares_make(int32_t span, int32_t parts) {
  return (eye_shares){span / (2 * parts), span % (2 * parts), 2 * parts, 2 * span / (2 * parts),
                      2 * span % (2 * parts)};
}

/// The next of them. Divisions are slow, so that what is left over is carried on.
static inline int32_t eye_shares_next(eye_shares *shares) {
  int32_t share = shares->share;
  shares->share += shares->whole_step;
  shares->rest += shares->rest_step;
  if (shares->rest >= shares->parts) {
    shares->rest -= shares->parts;
    shares->share++;
  }
  return share;
}

/// The order of `count` keys from the largest down; equal ones stay as they were.
static inline void eye_order(const int32_t *keys, int32_t count, int32_t *order) {
  for (int32_t i = 0; i < count; i++) {
    int32_t j = i;
    for (; j > 0 && keys[order[j - 1]] < keys[i]; j--)
      order[j] = order[j - 1];
    order[j] = i;
  }
}

/// What two quadrilaterals share of both together (1/256): so much, and they lie across each other;
/// so much, and they are all but the same.
enum { EYE_LIES_ACROSS = 64, EYE_ALL_BUT_SAME = 218 };

/// Whether what two quadrilaterals share is more than `limit` / 256 of both together.
bool eye_overlap(const eye_quad *a, const eye_quad *b, int32_t limit);

/// How well edges support a quadrilateral, at a glance; 1/256.
int32_t eye_quick_support(const eye_level *level, const eye_quad *quad);

/// Whether a quadrilateral could be a card or a sheet; turns it clockwise.
bool eye_is_plausible(const vf_eye *eye, eye_quad *quad);

/// Puts a side where it must lie if its second end, or its first, and the other three sides are
/// right. False when no rectangle before the camera looks like that.
bool eye_complete(const vf_eye *eye, eye_quad *quad, int side, bool from_second);

/// The two sides of a hull whose points come row by row from the top, so that no sort is needed.
typedef struct eye_chains {
  int32_t lefts, rights;
  eye_point left[EYE_HALF_SIDE], right[EYE_HALF_SIDE];
} eye_chains;

/// Adds a row by its outermost points.
void eye_add_row(eye_chains *chains, eye_point left, eye_point right);

/// The hull, clockwise: the right side down, the left one up. Returns its corners' count.
int32_t eye_join_chains(const eye_chains *chains, eye_point *hull);

/// Four sides out of a hull's: the sides whose loss adds least go first. The corners are those of
/// the hull in 1/256 pixel, `count` of them, at most `EYE_HULL`. False when the area would grow by
/// more than a tenth.
enum { EYE_HULL = 512 };
bool eye_reduce_hull(const eye_point *hull, int32_t count, eye_quad *quad);

/// Moves each side onto the edges within `reach` (1/256 pixel) of it. Returns how many sides moved;
/// 0 leaves the quadrilateral as it was.
int32_t eye_snap(const eye_level *level, eye_quad *quad, int32_t reach, int32_t cosine);

/// The feature columns of all proposals, part by part.
void eye_side_features(const vf_eye *eye, const eye_quad *quad, int16_t *features);
void eye_map_features(vf_eye *eye);

/// A side's minimum, second, mean and maximum.
void eye_put_four(int16_t *features, int32_t a, int32_t b, int32_t c, int32_t d);

static inline int16_t eye_int16(int64_t value) {
  return (int16_t)(value < -32767 ? -32767 : value > 32767 ? 32767 : value);
}

#pragma clang assume_nonnull end

#endif
