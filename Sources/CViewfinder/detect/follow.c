#include "detect/workspace.h"

// A proposal moves where the second network sees the card, and onto the edges that are there, as
// long as it gets better; so do sides that hardly show where they must lie. At last each side moves
// where the third network sees it.

enum {
  /// What the network sees near no card, or lies exactly enough on one (logits, 1/256), or whose
  /// corners are off by no more than this (1/1024 of a side), doesn't move: edges are more exact
  /// than the network. Nor does any move more often.
  LEAST_NEAR = -512,
  EXACT = 512,
  AT_REST = 12,
  MOVES = 5,
  /// A guess that isn't at least so exact in the end (1/256) is none.
  LEAST_EXACT = -256,
  /// What two share of both together (1/256): so much, and edges decide; so much, and they are the
  /// same.
  ALL_BUT_THE_SAME = 240,
  THE_SAME = 251,
  /// What is all but the same as a find, and not more exact than that by so much (1/256), is none.
  MUCH_MORE_EXACT = 300,
  /// By how much edges must support one better; 256 is a whole side.
  CLEARLY = 150,
  /// A side of which edges support less (1/256) hardly shows. Where the others say is better if it
  /// is more exact by so much (1/256), and half of the quadrilateral stays. What came of that moves
  /// so often at most.
  HARDLY = 160,
  MORE_EXACT = 60,
  HALF = 128,
  MOVES_THEN = 2,
};

/// Whether a quadrilateral may be moved: the network sees it near a card, and not exactly on it.
static bool can_move(const eye_closer *closer) {
  return closer->near > LEAST_NEAR && closer->exact < EXACT && closer->shift > AT_REST;
}

/// Where the network moves a quadrilateral, on the edges that are there. False for what is no card.
static bool move(const vf_eye *eye, const eye_closer *closer, eye_quad *moved) {
  *moved = closer->moved;
  eye_snap(&eye->levels[0], moved, 563, 230);
  return eye_is_plausible(eye, moved);
}

/// Looks where a quadrilateral was moved to; and, if edges drew that away from what is better,
/// where the network alone says.
static eye_closer look_there(vf_eye *eye, const eye_closer *closer, const eye_quad *moved) {
  eye_closer there = eye_look_at(eye, moved);
  eye_quad alone = closer->moved;
  if (there.exact > closer->exact || !eye_is_plausible(eye, &alone))
    return there;
  eye_closer other = eye_look_at(eye, &alone);
  return other.exact > there.exact ? other : there;
}

/// Looks at a quadrilateral, and takes it in place of another when it is more exact.
static bool improve(vf_eye *eye, eye_closer *closer, const eye_quad *quad) {
  eye_closer next = eye_look_at(eye, quad);
  bool is_better = next.exact > closer->exact + MORE_EXACT;
  if (is_better)
    *closer = next;
  return is_better;
}

/// Puts sides that hardly show where the others say that they lie, if that is more exact.
static bool complete_sides(vf_eye *eye, eye_closer *closer) {
  eye_quad own = closer->quad;
  bool is_better = false;
  for (int i = 0; i < 4; i++) {
    eye_side side = eye_side_make(own.p[i], own.p[(i + 1) & 3]);
    if (eye_share(eye_look_along(&eye->levels[0], &side, 24, EYE_U(80), EYE_U(920), 243)) >= HARDLY)
      continue;
    for (int end = 0; end < 2; end++) {
      eye_quad other = own;
      if (eye_complete(eye, &other, i, end == 0) && eye_is_plausible(eye, &other) &&
          eye_overlap(&own, &other, HALF) && !eye_overlap(&own, &other, THE_SAME))
        is_better |= improve(eye, closer, &other);
    }
  }
  return is_better;
}

/// The same; then the network moves what came of it.
static void complete(vf_eye *eye, eye_closer *closer) {
  // What the network sees rather near a card than not.
  if (closer->near <= 0 || closer->exact >= EXACT || !complete_sides(eye, closer))
    return;
  eye_quad moved;
  for (int n = 0; n < MOVES_THEN && can_move(closer); n++) {
    if (!move(eye, closer, &moved) || !improve(eye, closer, &moved))
      break;
  }
}

/// Puts the quadrilateral of a proposal that moved where it ended, or one of the proposals that are
/// all but the same there when edges support it clearly better: they tell more exactly than the
/// network where a side is.
static void settle(const vf_eye *eye, eye_proposal *find, const eye_quad *quad) {
  find->quick = eye_quick_support(&eye->levels[0], quad);
  find->quad = *quad;
  int32_t best = find->quick + CLEARLY;
  for (int32_t i = 0; i < eye->count; i++) {
    const eye_proposal *proposal = &eye->proposals[i];
    if (proposal->quick > best && eye_overlap(quad, &proposal->quad, ALL_BUT_THE_SAME)) {
      best = find->quick = proposal->quick;
      find->quad = proposal->quad;
    }
  }
}

/// Of the finds so far one that has come to rest where this quadrilateral is, or −1.
static int32_t find_same(const eye_finds *finds, const eye_quad *quad) {
  for (int32_t i = 0; i < finds->count; i++) {
    if (eye_overlap(&finds->all[i].quad, quad, THE_SAME))
      return i;
  }
  return -1;
}

/// Of the finds so far one that lies all but where this quadrilateral lies, and about as exactly at
/// least, or −1.
static int32_t find_double(const eye_finds *finds, const eye_quad *quad, int32_t exact) {
  for (int32_t i = 0; i < finds->count; i++) {
    if (finds->all[i].exact + MUCH_MORE_EXACT >= exact &&
        eye_overlap(&finds->all[i].quad, quad, ALL_BUT_THE_SAME))
      return i;
  }
  return -1;
}

static int16_t *put(int16_t *features, const eye_closer *closer) {
  *features++ = eye_int16(closer->exact);
  *features++ = eye_int16(closer->near);
  *features++ = eye_int16(closer->shift);
  *features++ = eye_int16(closer->least_hold);
  *features++ = eye_int16(closer->hold);
  return features;
}

/// What two looks at a quadrilateral say in the mean: as it is, and upside down. One alone depends
/// too much on chance.
static eye_closer look_twice(vf_eye *eye, const eye_quad *quad) {
  const eye_point *p = quad->p;
  eye_quad turned = {{p[2], p[3], p[0], p[1]}};
  eye_closer mean = eye_look_at(eye, quad), other = eye_look_at(eye, &turned);
  mean.exact = (mean.exact + other.exact) / 2;
  mean.near = (mean.near + other.near) / 2;
  mean.shift = (mean.shift + other.shift) / 2;
  mean.least_hold = (mean.least_hold + other.least_hold) / 2;
  mean.hold = (mean.hold + other.hold) / 2;
  return mean;
}

void eye_follow(vf_eye *eye, const eye_proposal *proposal, bool is_guess, eye_finds *finds) {
  eye_closer first = eye_look_at(eye, &proposal->quad), second = first;
  for (int n = 0; n < MOVES && can_move(&second); n++) {
    eye_quad moved;
    if (!move(eye, &second, &moved))
      break;
    int32_t same = find_same(finds, &moved);
    if (same >= 0) {
      finds->votes[same]++;
      return;
    }
    eye_closer next = look_there(eye, &second, &moved);
    bool is_better = next.exact > second.exact;
    if (n == 0 || is_better)
      second = next;
    if (!is_better)
      break;
  }
  if (is_guess && (first.near <= LEAST_NEAR || eye_max(first.exact, second.exact) < LEAST_EXACT))
    return;
  eye_closer best = second.exact >= first.exact ? second : first;
  if (!eye->leaves_sides)
    complete(eye, &best);
  eye_proposal *find = &finds->all[finds->count];
  *find = *proposal;
  settle(eye, find, &best.quad);
  int32_t other = find_double(finds, &find->quad, best.exact);
  if (other >= 0) {
    finds->votes[other]++;
    return;
  }
  eye_strips strips = {{0}, {0}};
  if (best.near > 0) {
    eye_settle_sides(eye, &find->quad, &strips);
    find->quick = eye_quick_support(&eye->levels[0], &find->quad);
    best = look_twice(eye, &find->quad);
  }
  find->exact = best.exact;
  int64_t common = eye_common_area2(&proposal->quad, &find->quad);
  int64_t both = eye_area2(&proposal->quad) + eye_area2(&find->quad) - common;
  int16_t *features = put(put(eye->looks[finds->count], &first), &best);
  *features++ = eye_int16(common * 256 / eye_max64(both, 1));
  *features++ = eye_int16(find->rank);
  eye_put_four(features, strips.seen[0], strips.seen[1], strips.seen[2], strips.seen[3]);
  features[4] = eye_int16(eye_max(eye_max(strips.better[0], strips.better[1]),
                                  eye_max(strips.better[2], strips.better[3])));
  finds->votes[finds->count++] = 0;
}
