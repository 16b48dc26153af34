#include <string.h>

#include "detect/workspace.h"

// The second network takes a closer look at the best proposals: how well each lies on a card, and
// where the card's corners are. A proposal moves there, and onto the edges that are there, and is
// looked at again, as long as it gets better; so are sides that hardly show where they must lie.

#if __has_include("detect/tables/closer.inc")
#include "detect/tables/closer.inc"
static const eye_table table = {eye_closer_steps,
                                sizeof eye_closer_steps / sizeof *eye_closer_steps,
                                eye_closer_weights, eye_closer_biases, eye_closer_multipliers};
#else
static const eye_table table;
#endif

enum {
  /// Each corner is told along and down, as one of so many places up to `REACH` (1/65536 of a side)
  /// off.
  CORNERS = 8,
  PLACES = 21,
  REACH = 19661,
  /// Proposals that are ranked below this (× 32767) aren't looked at. Those that the network sees
  /// near no card, or lie exactly enough on one (logits, 1/256), or whose corners are off by no
  /// more than this (1/1024 of a side), don't move: edges are more exact than the network. Nor does
  /// any move more often.
  LEAST_RANK = 200,
  LEAST_NEAR = -512,
  EXACT = 512,
  AT_REST = 12,
  MOVES = 3,
  /// What two share of both together (1/256): so much, and one is looked at; so much, and its edges
  /// decide; so much, and they are the same.
  ALIKE = 218,
  ALL_BUT_THE_SAME = 240,
  THE_SAME = 251,
  /// By how much edges must support one better; 256 is a whole side.
  CLEARLY = 150,
  /// A side of which edges support less (1/256) hardly shows. Those that do are put where the
  /// others
  /// say so often at most, which moves no quadrilateral away from more than this of itself.
  HARDLY = 160,
  COMPLETIONS = 3,
  HALF = 128,
};

bool eye_prepare_closer(vf_eye *eye) { return eye_network_prepare(&eye->closer, table); }

/// e to the power of a logit that is at most 0 (1/256); × 32768.
static int64_t power(int32_t logit) {
  int64_t chance = vf_eye_logistic(logit * 16);
  return chance * 32768 / (32767 - chance);
}

/// Of one corner's places: where it is (1/65536 of a side), as the mean of the likeliest and those
/// beside it; and the chance (1/256) that it is where the quadrilateral's corner is.
static int32_t choose(const int16_t *logits, int32_t *chance) {
  int32_t best = 0;
  for (int32_t i = 1; i < PLACES; i++)
    best = logits[i] > logits[best] ? i : best;
  int64_t sum = 0, near = 0, here = 0, all = 0;
  for (int32_t i = 0; i < PLACES; i++) {
    int64_t weight = power(logits[i] - logits[best]);
    all += weight;
    if (eye_abs(i - PLACES / 2) <= 1)
      here += weight;
    if (eye_abs(i - best) <= 1) {
      near += weight;
      sum += weight * (2 * REACH * i / (PLACES - 1) - REACH);
    }
  }
  *chance = (int32_t)(here * 256 / all);
  return (int32_t)(sum / near);
}

static eye_closer look(vf_eye *eye, const eye_quad *quad) {
  eye_closer closer = {.quad = eye_lay_down(quad)};
  closer.moved = closer.quad;
  uint8_t patch[EYE_PATCH * EYE_PATCH_DEPTH];
  eye_take_patch(eye, &closer.quad, patch);
  int16_t answers[EYE_ANSWERS] = {0};
  if (!eye_network_run(&eye->closer, &eye->tensors, eye->kernels, patch, EYE_PATCH_WIDTH,
                       EYE_PATCH_HEIGHT, answers, 1))
    return closer;
  closer.exact = answers[0];
  closer.near = answers[1];
  const eye_point *p = closer.quad.p;
  int32_t along_x = p[1].x - p[0].x + p[2].x - p[3].x, along_y = p[1].y - p[0].y + p[2].y - p[3].y;
  int32_t down_x = p[3].x - p[0].x + p[2].x - p[1].x, down_y = p[3].y - p[0].y + p[2].y - p[1].y;
  closer.least_hold = 256;
  for (int i = 0; i < 4; i++) {
    int32_t holds[2];
    int64_t along = choose(answers + 2 + PLACES * 2 * i, &holds[0]);
    int64_t down = choose(answers + 2 + PLACES * (2 * i + 1), &holds[1]);
    closer.moved.p[i].x += (int32_t)((along * along_x + down * down_x) >> 17);
    closer.moved.p[i].y += (int32_t)((along * along_y + down * down_y) >> 17);
    closer.shift =
        eye_max(closer.shift, (int32_t)eye_max64(eye_abs64(along), eye_abs64(down)) >> 6);
    closer.least_hold = eye_min(closer.least_hold, eye_min(holds[0], holds[1]));
    closer.hold += (holds[0] + holds[1] + 4) / CORNERS;
  }
  return closer;
}

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

/// Looks at a quadrilateral, and takes it in place of another when it is more exact.
static bool improve(vf_eye *eye, eye_closer *closer, const eye_quad *quad) {
  eye_closer next = look(eye, quad);
  bool is_better = next.exact > closer->exact;
  if (is_better)
    *closer = next;
  return is_better;
}

/// Puts sides that hardly show where the others say that they lie, as long as that is more exact.
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

/// The same again and again; then the network moves what came of it. False when nothing did.
static bool complete(vf_eye *eye, eye_closer *closer) {
  // What the network sees rather near a card than not.
  if (closer->near <= 0 || closer->exact >= EXACT)
    return false;
  int completions = 0;
  while (completions < COMPLETIONS && complete_sides(eye, closer))
    completions++;
  eye_quad moved;
  for (int n = 1; n < MOVES && completions > 0 && can_move(closer); n++) {
    if (!move(eye, closer, &moved) || !improve(eye, closer, &moved))
      break;
  }
  return completions > 0;
}

/// The best proposals that aren't all but the same, by rank.
static int32_t choose_proposals(const vf_eye *eye, int32_t *chosen) {
  int32_t ranks[EYE_PROPOSALS], order[EYE_PROPOSALS], count = 0;
  for (int32_t i = 0; i < eye->count; i++)
    ranks[i] = eye->proposals[i].rank;
  eye_order(ranks, eye->count, order);
  for (int32_t n = 0; n < eye->count && count < EYE_FINDS; n++) {
    const eye_proposal *proposal = &eye->proposals[order[n]];
    if (proposal->rank < LEAST_RANK)
      break;
    bool is_new = true;
    for (int32_t k = 0; k < count && is_new; k++)
      is_new = !eye_overlap(&proposal->quad, &eye->proposals[chosen[k]].quad, ALIKE);
    if (is_new)
      chosen[count++] = order[n];
  }
  return count;
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
static int32_t find_same(const eye_proposal *finds, int32_t count, const eye_quad *quad) {
  for (int32_t i = 0; i < count; i++) {
    if (eye_overlap(&finds[i].quad, quad, THE_SAME))
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

/// How exact the others are: the best; the best of those that lie around it, in it, across it; and
/// of those that lie apart and are about as large, the best and how many lie on a card.
static void compare(const vf_eye *eye, int32_t which, int16_t *features) {
  int32_t best = -2048, others[4] = {-2048, -2048, -2048, -2048}, alike = 0;
  const eye_quad *own = &eye->proposals[which].quad;
  int64_t area = eye_area2(own);
  for (int32_t i = 0; i < eye->count; i++) {
    const eye_quad *other = &eye->proposals[i].quad;
    int32_t exact = eye_max(eye->looks[i][0], eye->looks[i][5]);
    best = eye_max(best, exact);
    if (i == which)
      continue;
    int64_t common = eye_common_area2(own, other), beside = eye_area2(other);
    int place = common * 8 < area          ? 3
                : common * 10 > area * 9   ? 0
                : common * 10 > beside * 9 ? 1
                                           : 2;
    if (place == 3 && (common * 8 >= beside || beside * 4 < area * 3 || area * 4 < beside * 3))
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
  int32_t chosen[EYE_FINDS], count = choose_proposals(eye, chosen), kept = 0;
  eye_proposal finds[EYE_FINDS];
  int16_t votes[EYE_FINDS] = {0};
  for (int32_t i = 0; i < count; i++) {
    eye_proposal *find = &finds[kept];
    *find = eye->proposals[chosen[i]];
    eye_closer first = look(eye, &find->quad), second = first;
    int32_t same = -1;
    for (int n = 0; n < MOVES && can_move(&second); n++) {
      eye_quad moved;
      if (!move(eye, &second, &moved))
        break;
      same = find_same(finds, kept, &moved);
      if (same >= 0)
        break;
      eye_closer next = look(eye, &moved);
      bool is_better = next.exact > second.exact;
      if (n == 0 || is_better)
        second = next;
      if (!is_better)
        break;
    }
    if (same >= 0) {
      votes[same]++;
      continue;
    }
    eye_quad before = find->quad;
    eye_closer best = second.exact >= first.exact ? second : first;
    if (!eye->leaves_sides && complete(eye, &best))
      second = best;
    settle(eye, find, &best.quad);
    int64_t common = eye_common_area2(&before, &second.quad);
    int64_t both = eye_area2(&before) + eye_area2(&second.quad) - common;
    find->kept = (int32_t)(common * 256 / eye_max64(both, 1));
    int16_t *features = put(put(eye->looks[kept], &first), &second);
    *features++ = eye_int16(find->kept);
    *features++ = eye_int16(find->rank);
    kept++;
  }
  memcpy(eye->proposals, finds, (size_t)kept * sizeof *finds);
  eye->count = kept;
  for (int32_t i = 0; i < kept; i++) {
    int16_t *features = eye->looks[i] + EYE_CLOSER_FEATURES - 8;
    *features++ = (int16_t)count;
    *features++ = votes[i];
    compare(eye, i, features);
  }
}
