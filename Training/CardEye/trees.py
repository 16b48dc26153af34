"""Small trees: how they are learned and written."""

import lightgbm
import numpy as np

from quantise import array

LEAVES = 19
FOLDS = 3
BLOCK = 10  # So many scenes beside one another go into one fold: each fold gets all kinds.


def boost(x, label, scene, trees, rate, seed):
    _, inverse, counts = np.unique(scene, return_inverse=True, return_counts=True)
    settings = dict(
        objective="cross_entropy", num_leaves=LEAVES, learning_rate=rate, min_data_in_leaf=40, feature_fraction=0.5,
        bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, verbose=-1, num_threads=1, seed=seed, deterministic=True,
        force_row_wise=True)
    data = lightgbm.Dataset(np.float32(x), label, weight=1 / np.sqrt(counts[inverse]))
    return lightgbm.train(settings, data, trees)


def two_stages(rows, label, stages, columns, seed):
    """Two stages, of so many trees and such a rate. The second knows the first's answers to all that lies in a scene, as
    `columns` (an eye's `rivals` or `company`) has them: of folds of scenes that those didn't learn from, so that it meets
    the doubts that it will meet."""
    x, scene = rows.x, rows.scene
    first = np.zeros(len(x))
    fold = scene // BLOCK % FOLDS
    for k in range(FOLDS):
        model = boost(x[fold != k], label[fold != k], scene[fold != k], *stages[0], seed=seed - 10 + k)
        first[fold == k] = model.predict(np.float32(x[fold == k]))
    return [boost(x, label, scene, *stages[0], seed=seed),
            boost(np.hstack([x, scene_by_scene(rows, columns, first)]), label, scene, *stages[1], seed=seed + 10)]


def scene_by_scene(rows, columns, scores):
    """What `columns` (an eye's `rivals` or `company`) makes of the scores of each scene's rows, put back into the eye."""
    ends = np.searchsorted(rows.scene, np.unique(rows.scene), side="right")
    result = []
    for start, end in zip(np.append(0, ends[:-1]), ends):
        rows.eye.set(rows.quads[start:end], rows.x[start:end, :rows.eye.columns])
        result.append(columns(scores[start:end]))
    return np.concatenate(result)


def flatten(tree):
    """One tree of LightGBM as questions (feature, how many further on what is right of it begins, threshold) and leaves (one
    more), in the order of a walk that goes left first."""
    if "split_feature" not in tree:
        return [], [tree["leaf_value"]]
    left, right = flatten(tree["left_child"]), flatten(tree["right_child"])
    threshold = int(np.clip(np.floor(tree["threshold"]), -32768, 32767))
    return [(tree["split_feature"], len(left[0]) + 1, threshold), *left[0], *right[0]], left[1] + right[1]


def packed(leaves, of_first):
    """A stage's leaves in 8 bits, what all of them begin with, and the unit: the first tree's hold the mean answer, too."""
    base = round(sum(leaves[:of_first]) / of_first)
    rest = np.int64([v - base for v in leaves[:of_first]] + leaves[of_first:])
    unit = max(1, int(-(-abs(rest).max() // 127)))
    return ((rest + unit // 2) // unit).tolist(), base, unit


def table(models, name):
    """The C tables of some stages."""
    questions, leaves, trees, stages = [], [], [], []
    for model in models:
        start, first, begin = len(trees), len(questions), len(leaves)
        for info in model.dump_model()["tree_info"]:
            some, values = flatten(info["tree_structure"])
            if not some:  # A leaf alone: a question that makes no difference.
                some, values = [(0, 1, 0)], 2 * values
            trees.append(len(some))
            questions.extend(some)
            leaves.extend(int(round(v * 4096)) for v in values)
        leaves[begin:], base, unit = packed(leaves[begin:], trees[start] + 1)
        stages.append((start, len(trees) - start, first, base, unit))
    braced = lambda rows: ["{" + ",".join(str(v) for v in row) + "}" for row in rows]
    return [array(f"static const eye_question {name}_questions[]", braced(questions)),
            array(f"static const int8_t {name}_leaves[]", leaves),
            array(f"static const uint8_t {name}_trees[]", trees),
            array(f"static const eye_stage {name}_stages[{len(stages)}]", braced(stages))]


def report(stage, model, names):
    gain = model.feature_importance("gain")
    return f"{stage} lives on " + ", ".join(
        f"{names[i]} {100 * gain[i] / gain.sum():.0f} %" for i in np.argsort(-gain)[:12]) + "."
