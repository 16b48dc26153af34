#include <string.h>

#include "detect/workspace.h"

// The second network takes a closer look at the best proposals: how well each lies on a card, and
// where the card's corners are. A proposal moves there, and onto the edges that are there, and is
// looked at again, as long as it gets better.

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
  /// Proposals that are ranked below this (× 32767) aren't looked at. Those that the network
  /// doesn't
  /// see near a card, or sees lie exactly enough on one (logits, 1/256), or whose corners are off
  /// by
  /// no more than this (1/1024 of a side), don't move: edges are more exact than the network. Nor
  /// does any move more often.
  LEAST_RANK = 200,
  LEAST_NEAR = -512,
  EXACT = 512,
  AT_REST = 12,
  MOVES = 3,
  /// What two share of both together (1/256): so much, and one is looked at; so much, and its edges
  /// decide.
  ALIKE = 218,
  ALL_BUT_THE_SAME = 240,
  /// By how much edges must support one better; 256 is a whole side.
  CLEARLY = 150,
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

/// The best proposals that aren't all but the same, by rank.
static int32_t choose_proposals(const vf_eye *eye, int32_t *chosen) {
  int32_t order[EYE_PROPOSALS], count = 0;
  for (int32_t i = 0; i < eye->count; i++) {
    int32_t j = i;
    for (; j > 0 && eye->proposals[order[j - 1]].rank < eye->proposals[i].rank; j--)
      order[j] = order[j - 1];
    order[j] = i;
  }
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

/// A quadrilateral, or one of the proposals that are all but the same when edges support it clearly
/// better: they tell more exactly than the network where a side is.
static eye_quad best_supported(const vf_eye *eye, const eye_quad *quad) {
  int32_t best = eye_quick_support(&eye->levels[0], quad) + CLEARLY;
  eye_quad result = *quad;
  for (int32_t i = 0; i < eye->count; i++) {
    const eye_proposal *proposal = &eye->proposals[i];
    if (proposal->quick > best && eye_overlap(quad, &proposal->quad, ALL_BUT_THE_SAME)) {
      best = proposal->quick;
      result = proposal->quad;
    }
  }
  return result;
}

static int16_t *put(int16_t *features, const eye_closer *closer) {
  *features++ = eye_int16(closer->exact);
  *features++ = eye_int16(closer->near);
  *features++ = eye_int16(closer->shift);
  *features++ = eye_int16(closer->least_hold);
  *features++ = eye_int16(closer->hold);
  return features;
}

void eye_look_closer(vf_eye *eye) {
  int32_t chosen[EYE_FINDS], count = choose_proposals(eye, chosen);
  eye_proposal finds[EYE_FINDS];
  for (int32_t i = 0; i < count; i++) {
    finds[i] = eye->proposals[chosen[i]];
    eye_closer first = look(eye, &finds[i].quad), second = first;
    for (int n = 0;
         n < MOVES && second.near > LEAST_NEAR && second.exact < EXACT && second.shift > AT_REST;
         n++) {
      eye_quad moved = second.moved;
      eye_snap(&eye->levels[0], &moved, 563, 230);
      if (!eye_is_plausible(eye, &moved))
        break;
      eye_closer next = look(eye, &moved);
      bool is_better = next.exact > second.exact;
      if (n == 0 || is_better)
        second = next;
      if (!is_better)
        break;
    }
    int64_t before = eye_area2(&finds[i].quad), after = eye_area2(&second.quad);
    int64_t common = eye_common_area2(&finds[i].quad, &second.quad);
    finds[i].kept = (int32_t)(common * 256 / eye_max64(before + after - common, 1));
    finds[i].quad = best_supported(eye, second.exact >= first.exact ? &second.quad : &first.quad);
    int16_t *features = put(put(eye->looks[i], &first), &second);
    *features++ = eye_int16(finds[i].kept);
    *features++ = eye_int16(finds[i].rank);
    *features++ = (int16_t)count;
  }
  memcpy(eye->proposals, finds, (size_t)count * sizeof *finds);
  eye->count = count;
  // How exact the others are: the best, and the best of those that lie around it, in it, across it.
  for (int32_t i = 0; i < count; i++) {
    int32_t best = -2048, others[3] = {-2048, -2048, -2048};
    const eye_quad *own = &eye->proposals[i].quad;
    for (int32_t j = 0; j < count; j++) {
      const eye_quad *other = &eye->proposals[j].quad;
      int32_t exact = eye_max(eye->looks[j][0], eye->looks[j][5]);
      best = eye_max(best, exact);
      int64_t common = eye_common_area2(own, other);
      if (j == i || common * 8 < eye_area2(own))
        continue;
      int which = common * 10 > eye_area2(own) * 9 ? 0 : common * 10 > eye_area2(other) * 9 ? 1 : 2;
      others[which] = eye_max(others[which], exact);
    }
    int16_t *features = eye->looks[i] + EYE_CLOSER_FEATURES - 4;
    features[0] = eye_int16(best);
    for (int k = 0; k < 3; k++)
      features[k + 1] = eye_int16(others[k]);
  }
}
