#include <string.h>

#include "detect/workspace.h"

// Three stages of small trees: is it a card, as far as one can see; is it the best of its rivals;
// is there a card at all.

/// A question: which way to go for a feature's value. Negative: a leaf, as ~index.
typedef struct eye_node {
  int16_t feature, threshold, left, right;
} eye_node;

typedef struct eye_tree {
  uint32_t first_node, first_leaf;
} eye_tree;

typedef struct eye_stage {
  int32_t first_tree, tree_count, bias;
} eye_stage;

#if __has_include("detect/tables/trees.inc")
#include "detect/tables/trees.inc"

static int32_t ask(const eye_stage *stage, const int16_t *features) {
  int32_t sum = stage->bias;
  for (int32_t t = stage->first_tree; t < stage->first_tree + stage->tree_count; t++) {
    const eye_node *nodes = eye_nodes + eye_trees[t].first_node;
    int32_t at = 0;
    do {
      const eye_node *node = &nodes[at];
      at = features[node->feature] <= node->threshold ? node->left : node->right;
    } while (at >= 0);
    sum += eye_leaves[eye_trees[t].first_leaf + (uint32_t)~at];
  }
  return vf_eye_logistic(sum);
}

int32_t eye_confidence_of(int32_t presence) {
  int32_t i = presence * 64 / 32767, from = eye_confidence[i];
  if (i == 64)
    return from;
  int32_t part = presence * 64 - i * 32767;
  return from + (eye_confidence[i + 1] - from) * part / 32767;
}

int32_t eye_default_threshold(void) { return EYE_THRESHOLD; }

void eye_score(vf_eye *eye) {
  int16_t first[EYE_PROPOSALS], features[EYE_ALL_FEATURES];
  static const size_t own = sizeof eye->features[0];
  for (int32_t i = 0; i < eye->count; i++) {
    eye->proposals[i].first = ask(&eye_stages[0], eye->features[i]);
    first[i] = (int16_t)eye->proposals[i].first;
  }
  vf_eye_rivals(eye, first, eye->rivals[0]);
  for (int32_t i = 0; i < eye->count; i++) {
    memcpy(features, eye->features[i], own);
    memcpy(features + EYE_FEATURES, eye->rivals[i], sizeof eye->rivals[i]);
    eye->proposals[i].rank = ask(&eye_stages[1], features);
    eye->proposals[i].presence = ask(&eye_stages[2], features);
  }
}

#else

// Without tables, edges alone are counted.

int32_t eye_confidence_of(int32_t presence) { return presence; }

int32_t eye_default_threshold(void) { return 16384; }

void eye_score(vf_eye *eye) {
  for (int32_t i = 0; i < eye->count; i++) {
    eye_proposal *proposal = &eye->proposals[i];
    proposal->first = vf_eye_logistic((proposal->quick - 950) * 32);
    proposal->rank = proposal->presence = proposal->first;
  }
}

#endif
