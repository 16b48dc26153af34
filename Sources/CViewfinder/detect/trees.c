#include <string.h>

#include "detect/workspace.h"

// Three stages of small trees: is it a card, as far as one can see; is it the
// best of its rivals; is there a card at all.

/// A question: which way to go for a feature's value. Negative: a leaf, as
/// ~index.
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

/// So many proposals go down a tree together: one alone would wait at every
/// node.
enum { TOGETHER = 8 };

/// The features of some proposals; what isn't used is any number.
typedef struct eye_group {
  int16_t features[TOGETHER][EYE_ALL_FEATURES];
} eye_group;

/// A stage's answers for a group.
static void ask(const eye_stage *stage, const eye_group *group, int32_t *answers) {
  for (int i = 0; i < TOGETHER; i++)
    answers[i] = stage->bias;
  for (int32_t t = stage->first_tree; t < stage->first_tree + stage->tree_count; t++) {
    const eye_node *nodes = eye_nodes + eye_trees[t].first_node;
    const int16_t *leaves = eye_leaves + eye_trees[t].first_leaf;
    int32_t at[TOGETHER] = {0}, done;
    do {
      done = -1;
      for (int i = 0; i < TOGETHER; i++) {
        // One that is at its leaf stays there.
        const eye_node *node = &nodes[at[i] < 0 ? 0 : at[i]];
        int32_t next =
            group->features[i][node->feature] <= node->threshold ? node->left : node->right;
        at[i] = at[i] < 0 ? at[i] : next;
        done &= at[i];
      }
    } while (done >= 0);
    for (int i = 0; i < TOGETHER; i++)
      answers[i] += leaves[~at[i]];
  }
  for (int i = 0; i < TOGETHER; i++)
    answers[i] = vf_eye_logistic(answers[i]);
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
  int16_t first[EYE_PROPOSALS];
  eye_group group;
  memset(&group, 0, sizeof group);
  int32_t answers[TOGETHER];
  static const size_t own = sizeof eye->features[0];
  for (int32_t from = 0; from < eye->count; from += TOGETHER) {
    int32_t count = eye_min(TOGETHER, eye->count - from);
    for (int32_t i = 0; i < count; i++)
      memcpy(group.features[i], eye->features[from + i], own);
    ask(&eye_stages[0], &group, answers);
    for (int32_t i = 0; i < count; i++) {
      eye->proposals[from + i].first = answers[i];
      first[from + i] = (int16_t)answers[i];
    }
  }
  vf_eye_rivals(eye, first, eye->rivals[0]);
  for (int32_t from = 0; from < eye->count; from += TOGETHER) {
    int32_t count = eye_min(TOGETHER, eye->count - from);
    for (int32_t i = 0; i < count; i++) {
      memcpy(group.features[i], eye->features[from + i], own);
      memcpy(group.features[i] + EYE_FEATURES, eye->rivals[from + i], sizeof eye->rivals[0]);
    }
    ask(&eye_stages[1], &group, answers);
    for (int32_t i = 0; i < count; i++)
      eye->proposals[from + i].rank = answers[i];
    ask(&eye_stages[2], &group, answers);
    for (int32_t i = 0; i < count; i++)
      eye->proposals[from + i].presence = answers[i];
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
