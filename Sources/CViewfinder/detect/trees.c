#include <stdlib.h>
#include <string.h>

#include "detect/workspace.h"

// Four stages of small trees: is it a card, as far as one can see; is it the best of its rivals;
// after a closer look, is it a card indeed; and is it still, beside all else that was found.

/// A question as the tables have it: left when a feature is at most the threshold. A tree's
/// questions and leaves are in the order of a walk that goes left first, so that only where the
/// right side begins must be told: so many questions further on. A side without questions is a
/// leaf.
typedef struct eye_question {
  uint8_t feature, right;
  int16_t threshold;
} eye_question;

/// And as it is asked: which way to go. Negative: a leaf, as ~index.
struct eye_node {
  uint8_t feature;
  int8_t left, right;
  int16_t threshold;
};

/// Its trees; what its sums of leaves begin with (1/4096), and what a leaf's 1 is worth.
typedef struct eye_stage {
  int32_t first_tree, tree_count, first_node;
  int32_t base, unit;
} eye_stage;

/// A forest's table.
struct eye_forest_table {
  const eye_question *questions;
  const int8_t *leaves;
  /// How many nodes each has.
  const uint8_t *trees;
  const eye_stage *stages;
  int32_t tree_count;
};

#if __has_include("detect/tables/rank.inc")
#include "detect/tables/rank.inc"
static const eye_forest_table ranking = {eye_rank_questions, eye_rank_leaves, eye_rank_trees,
                                         eye_rank_stages, sizeof eye_rank_trees};
#else
// Without tables, edges alone are counted.
static const eye_forest_table ranking;
#endif

#if __has_include("detect/tables/judge.inc")
#include "detect/tables/judge.inc"
static const eye_forest_table judging = {eye_judge_questions, eye_judge_leaves, eye_judge_trees,
                                         eye_judge_stages, sizeof eye_judge_trees};
#else
static const eye_forest_table judging;
static const uint16_t eye_confidence[65];
#define EYE_THRESHOLD 16384
#endif

/// So many proposals go down a tree together: one alone would wait at every node.
enum { TOGETHER = 8 };

/// The features of some proposals; what isn't used is any number.
typedef struct eye_group {
  int16_t features[TOGETHER][EYE_ALL_FEATURES];
} eye_group;

/// Makes nodes of a question and what belongs to it, `count` in all; their leaves begin with
/// `leaf`.
static void plant(const eye_question *questions, int32_t at, int32_t count, int32_t leaf,
                  eye_node *nodes) {
  int32_t right = questions[at].right;
  bool has_left = right > 1, has_right = count > right;
  nodes[at] = (eye_node){
      .feature = questions[at].feature,
      .left = (int8_t)(has_left ? at + 1 : ~leaf),
      .right = (int8_t)(has_right ? at + right : ~(leaf + right)),
      .threshold = questions[at].threshold,
  };
  if (has_left)
    plant(questions, at + 1, right - 1, leaf, nodes);
  if (has_right)
    plant(questions, at + right, count - right, leaf + right, nodes);
}

/// Makes a forest's nodes, tree by tree. False without memory.
static bool plant_all(const eye_forest_table *table, eye_forest *forest) {
  size_t count = 1;
  for (int32_t t = 0; t < table->tree_count; t++)
    count += table->trees[t];
  eye_node *nodes = malloc(count * sizeof *nodes);
  *forest = (eye_forest){table, nodes};
  const eye_question *questions = table->questions;
  for (int32_t t = 0; nodes && t < table->tree_count; t++) {
    plant(questions, 0, table->trees[t], 0, nodes);
    questions += table->trees[t];
    nodes += table->trees[t];
  }
  return forest->nodes;
}

bool eye_prepare_trees(vf_eye *eye) {
  bool has_first = plant_all(&ranking, &eye->ranking);
  return plant_all(&judging, &eye->judging) && has_first;
}

/// A stage's answers for a group.
static void ask(const eye_forest *forest, int stage, const eye_group *group, int32_t *answers) {
  memset(answers, 0, TOGETHER * sizeof *answers);
  const eye_forest_table *table = forest->table;
  const eye_stage *asked = &table->stages[stage];
  const eye_node *nodes = forest->nodes + asked->first_node;
  // A tree has one leaf more than nodes.
  const int8_t *leaves = table->leaves + asked->first_node + asked->first_tree;
  for (int32_t t = asked->first_tree; t < asked->first_tree + asked->tree_count; t++) {
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
    nodes += table->trees[t];
    leaves += table->trees[t] + 1;
  }
  for (int i = 0; i < TOGETHER; i++)
    answers[i] = vf_eye_logistic(asked->base + answers[i] * asked->unit);
}

int32_t eye_confidence_of(int32_t presence) {
  int32_t i = presence * 64 / 32767, from = eye_confidence[i];
  if (i == 64)
    return from;
  int32_t part = presence * 64 - i * 32767;
  return from + (eye_confidence[i + 1] - from) * part / 32767;
}

int32_t eye_default_threshold(void) { return EYE_THRESHOLD; }

/// Asks a stage about all proposals, with so many columns of each.
static void ask_all(const vf_eye *eye, const eye_forest *forest, int stage, int32_t columns,
                    int32_t answers[_Nonnull EYE_PROPOSALS]) {
  if (!forest->table->stages) {
    for (int32_t i = 0; i < eye->count; i++)
      answers[i] = vf_eye_logistic((eye->proposals[i].quick - 950) * 32);
    return;
  }
  eye_group group;
  memset(&group, 0, sizeof group);
  int32_t some[TOGETHER];
  for (int32_t from = 0; from < eye->count; from += TOGETHER) {
    int32_t count = eye_min(TOGETHER, eye->count - from);
    for (int32_t i = 0; i < count; i++) {
      int16_t *features = group.features[i];
      memcpy(features, eye->features[from + i], sizeof eye->features[0]);
      if (columns > EYE_FEATURES)
        memcpy(features + EYE_FEATURES, eye->rivals[from + i], sizeof eye->rivals[0]);
      if (columns > EYE_RANK_FEATURES)
        memcpy(features + EYE_RANK_FEATURES, eye->looks[from + i], sizeof eye->looks[0]);
      if (columns > EYE_JUDGE_FEATURES)
        memcpy(features + EYE_JUDGE_FEATURES, eye->company[from + i], sizeof eye->company[0]);
    }
    ask(forest, stage, &group, some);
    memcpy(answers + from, some, (size_t)count * sizeof *some);
  }
}

static void ask_first(vf_eye *eye) {
  int32_t answers[EYE_PROPOSALS];
  int16_t first[EYE_PROPOSALS];
  ask_all(eye, &eye->ranking, 0, EYE_FEATURES, answers);
  for (int32_t i = 0; i < eye->count; i++) {
    eye->proposals[i].first = answers[i];
    first[i] = (int16_t)answers[i];
  }
  vf_eye_rivals(eye, first, eye->rivals[0]);
}

void eye_rank(vf_eye *eye) {
  ask_first(eye);
  int32_t answers[EYE_PROPOSALS];
  ask_all(eye, &eye->ranking, 1, EYE_RANK_FEATURES, answers);
  for (int32_t i = 0; i < eye->count; i++)
    eye->proposals[i].rank = answers[i];
}

void eye_judge(vf_eye *eye) {
  ask_first(eye);
  int32_t answers[EYE_PROPOSALS];
  int16_t presences[EYE_FINDS];
  ask_all(eye, &eye->judging, 0, EYE_JUDGE_FEATURES, answers);
  for (int32_t i = 0; i < eye->count; i++)
    presences[i] = (int16_t)answers[i];
  vf_eye_company(eye, presences, eye->company[0]);
  ask_all(eye, &eye->judging, 1, EYE_ALL_FEATURES, answers);
  for (int32_t i = 0; i < eye->count; i++)
    eye->proposals[i].presence = answers[i];
}
