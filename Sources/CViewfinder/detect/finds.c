#include <string.h>

#include "detect/workspace.h"

// Which proposals are looked at closer: the best, and not those that lie on what was found exactly;
// then what would lie beside cards that lie side by side. What they become takes the place of all.

enum {
  /// So many proposals are followed at most, and none that is ranked below this (× 32767).
  FOLLOWED = 16,
  LEAST_RANK = 200,
  /// Nothing is followed across what lies there so exactly (a logit, 1/256), but for near doubles,
  /// which share so much of both together (1/256): they may lie better.
  DOUBLE = 192,
  SETTLED = 700,
  /// A card's neighbours are looked for if it lies so exactly, has one about as large, and nothing
  /// that lies half as exactly is there; 1/256 of a side away.
  CARD = 256,
  APART = 26,
};

/// Whether a quadrilateral lies across what was found so exactly that it can't be a card.
static bool lies_across(const eye_finds *finds, const eye_quad *quad) {
  for (int32_t i = 0; i < finds->count; i++) {
    const eye_quad *other = &finds->all[i].quad;
    if (finds->all[i].exact >= SETTLED && eye_overlap(other, quad, EYE_LIES_ACROSS) &&
        !eye_overlap(other, quad, DOUBLE))
      return true;
  }
  return false;
}

/// The best proposals that aren't all but the same, by rank. Returns how many were followed.
static int32_t follow_best(vf_eye *eye, eye_finds *finds) {
  int32_t ranks[EYE_PROPOSALS], order[EYE_PROPOSALS], followed[FOLLOWED], count = 0;
  for (int32_t i = 0; i < eye->count; i++)
    ranks[i] = eye->proposals[i].rank;
  eye_order(ranks, eye->count, order);
  for (int32_t n = 0; n < eye->count && count < FOLLOWED; n++) {
    const eye_proposal *proposal = &eye->proposals[order[n]];
    if (proposal->rank < LEAST_RANK)
      break;
    bool is_new = !lies_across(finds, &proposal->quad);
    for (int32_t k = 0; k < count && is_new; k++)
      is_new = !eye_overlap(&proposal->quad, &eye->proposals[followed[k]].quad, EYE_ALL_BUT_SAME);
    if (!is_new)
      continue;
    followed[count++] = order[n];
    eye_follow(eye, proposal, false, finds);
  }
  return count;
}

/// Whether a find is the most exact one where it lies, and one about as large lies elsewhere.
static bool has_company(const eye_finds *finds, int32_t which) {
  const eye_proposal *own = &finds->all[which];
  int64_t area = eye_area2(&own->quad);
  bool has = false;
  for (int32_t i = 0; i < finds->count; i++) {
    const eye_proposal *other = &finds->all[i];
    if (i == which || other->exact < CARD)
      continue;
    int64_t beside = eye_area2(&other->quad);
    if (!eye_overlap(&own->quad, &other->quad, EYE_LIES_ACROSS))
      has |= eye_are_alike(area, beside);
    else if (other->exact > own->exact || (other->exact == own->exact && i < which))
      return false;
  }
  return has;
}

/// A quadrilateral beyond one of its sides, as far away as `APART`.
static eye_quad neighbour_of(const eye_quad *quad, int side) {
  eye_quad moved;
  for (int i = 0; i < 4; i++) {
    // Each corner goes along the side that it is an end of.
    int from = i == side || i == ((side + 1) & 3) ? side : (side + 3) & 3;
    int to = from == side ? (side + 1) & 3 : (side + 2) & 3;
    eye_point way = eye_minus(quad->p[to], quad->p[from]);
    moved.p[i] = (eye_point){quad->p[i].x + way.x * (256 + APART) / 256,
                             quad->p[i].y + way.y * (256 + APART) / 256};
  }
  return moved;
}

/// Whether something that lies half as exactly as a card is where a neighbour would be.
static bool is_taken(const eye_finds *finds, const eye_quad *quad) {
  for (int32_t i = 0; i < finds->count; i++) {
    if (finds->all[i].exact >= CARD / 2 && eye_overlap(&finds->all[i].quad, quad, EYE_LIES_ACROSS))
      return true;
  }
  return false;
}

/// Looks beside cards that lie side by side, and beside what is found there.
static void follow_neighbours(vf_eye *eye, eye_finds *finds) {
  for (int32_t i = 0; i < finds->count; i++) {
    if (finds->all[i].exact < CARD || !has_company(finds, i))
      continue;
    for (int side = 0; side < 4 && finds->count < EYE_FINDS; side++) {
      eye_proposal guess = finds->all[i];
      guess.quad = neighbour_of(&finds->all[i].quad, side);
      if (eye_is_plausible(eye, &guess.quad) && !is_taken(finds, &guess.quad))
        eye_follow(eye, &guess, true, finds);
    }
  }
}

/// How exact the others are: the best; the best of those that lie around it, in it, across it; and
/// of those that lie apart and are about as large, the best and how many lie on a card.
static void compare(const vf_eye *eye, int32_t which, int16_t *features) {
  int32_t best = -2048, others[4] = {-2048, -2048, -2048, -2048}, alike = 0;
  const eye_quad *own = &eye->proposals[which].quad;
  int64_t area = eye_area2(own);
  for (int32_t i = 0; i < eye->count; i++) {
    const eye_quad *other = &eye->proposals[i].quad;
    int32_t exact = eye->proposals[i].exact;
    best = eye_max(best, exact);
    if (i == which)
      continue;
    int64_t common = eye_common_area2(own, other), beside = eye_area2(other);
    int place = common * 8 < area          ? 3
                : common * 10 > area * 9   ? 0
                : common * 10 > beside * 9 ? 1
                                           : 2;
    if (place == 3 && (common * 8 >= beside || !eye_are_alike(area, beside)))
      continue;
    others[place] = eye_max(others[place], exact);
    alike += place == 3 && exact > 0;
  }
  *features++ = eye_int16(best);
  for (int k = 0; k < 4; k++)
    *features++ = eye_int16(others[k]);
  *features++ = eye_int16(alike);
}

void eye_look_closer(vf_eye *eye) {
  eye_finds finds = {0};
  int32_t followed = follow_best(eye, &finds);
  follow_neighbours(eye, &finds);
  memcpy(eye->proposals, finds.all, (size_t)finds.count * sizeof *finds.all);
  eye->count = finds.count;
  for (int32_t i = 0; i < finds.count; i++) {
    int16_t *features = eye->looks[i] + EYE_CLOSER_FEATURES - 8;
    *features++ = (int16_t)followed;
    *features++ = finds.votes[i];
    compare(eye, i, features);
  }
}
