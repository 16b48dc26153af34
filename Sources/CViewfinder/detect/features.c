#include <string.h>

#include "detect/workspace.h"

// The columns that the trees read, in their order.

static const char *const names[EYE_ALL_FEATURES] = {
#define FOUR(name) name "_min", name "_2nd", name "_mean", name "_max"
#define LOOK(name) name "_exact", name "_near", name "_shift", name "_hold_least", name "_hold"
    FOUR("sup"),
    FOUR("gap"),
    FOUR("off"),
    FOUR("tin"),
    FOUR("tout"),
    FOUR("exa"),
    FOUR("exb"),
    FOUR("pout"),
    FOUR("pin"),
    FOUR("len"),
    FOUR("half"),
    "area",
    "ratio",
    "oppa",
    "oppb",
    "cos",
    "edge",
    "outside",
    "ring",
    "tex_in",
    "tex_ring",
    "grad_in",
    "grad_ring",
    "corner0",
    "corner1",
    "corner2",
    "corner3",
    "clutter",
    "lines",
    "weak_len",
    "near_min",
    "near_max",
    "far_min",
    "far_max",
    "cross",
    "depth",
    "weak_half",
    "weak_opp",
    "quick",
    "quick_rel",
    "is_u",
    "ins",
    "ins50",
    "blk0",
    "blk2",
    "ib",
    "ibline",
    FOUR("bs"),
    FOUR("bc"),
    FOUR("bm"),
    FOUR("mo"),
    FOUR("mo3"),
    FOUR("mi"),
    FOUR("md"),
    FOUR("vr"),
    FOUR("va"),
    "c0",
    "c1",
    "c2",
    "c3",
    "cb0",
    "cbm",
    "ex7",
    "ex6",
    "exm",
    "kiou",
    "kcov",
    "kctd",
    "kn",
    "krest",
    "jiou",
    "jcov",
    "jctd",
    "jn",
    "jrest",
    "fm",
    "fb",
    "fc",
    "sz",
    "ns",
    "ns_rel",
    "kiou_rel",
    "bs_rel",
    "va_rel",
    "ins_rel",
    "own",
    "best_less",
    "outer",
    "outer_ratio",
    "inner",
    "inner_ratio",
    "partly",
    "dup",
    "dups",
    "outers",
    "inners",
    "outer_shared",
    "inner_shared",
    "outer_sup_min",
    "outer_sup_mean",
    "inner_sup_min",
    "inner_sup_mean",
    "outer_gap",
    "outer2",
    "outer01",
    "inner2",
    "inner01",
    "nested_less",
    "outer_less",
    LOOK("first"),
    LOOK("second"),
    "kept",
    "rank",
    FOUR("seen"),
    "better",
    "looks",
    "votes",
    "best_exact",
    "outer_exact",
    "inner_exact",
    "partly_exact",
    "alike_exact",
    "alike",
    "presence",
    "apart",
    "apart_alike",
    "apart_same",
    "all_same",
    "across",
    "double",
    "nested",
    "surest",
#undef LOOK
#undef FOUR
};

int vf_eye_feature_count(int stage) {
  static const int counts[] = {EYE_FEATURES, EYE_RANK_FEATURES, EYE_JUDGE_FEATURES,
                               EYE_ALL_FEATURES};
  return counts[eye_clamp(stage, 1, 4) - 1];
}

const char *vf_eye_feature_name(int index) {
  return index >= 0 && index < EYE_ALL_FEATURES ? names[index] : "";
}

void eye_count_features(vf_eye *eye) {
  memset(eye->features, 0, (size_t)eye->count * sizeof eye->features[0]);
  int32_t best = INT32_MIN;
  for (int32_t i = 0; i < eye->count; i++)
    best = eye_max(best, eye->proposals[i].quick);
  for (int32_t i = 0; i < eye->count; i++) {
    const eye_proposal *proposal = &eye->proposals[i];
    eye_side_features(eye, &proposal->quad, eye->features[i]);
    int16_t *last = eye->features[i] + EYE_GEOMETRY_FEATURES - 3;
    last[0] = eye_int16(proposal->quick);
    last[1] = eye_int16(proposal->quick - best);
    last[2] = proposal->source == EYE_SOURCE_ARMS;
  }
  eye_map_features(eye);
}
