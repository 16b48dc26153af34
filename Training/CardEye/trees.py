"""The trees that choose among proposals: features from the C core, three stages, and the confidence.

First stage: how good a proposal is, from its features. Second: the same, knowing its rivals' first stage (that of
other folds of scenes, so that it meets the doubts that it will meet); it ranks. Third: whether a card is there at all.
"""

import itertools
import os
import sys
import time

import cv2
import lightgbm
import numpy as np

import measure
from eye import Eye
from finder import Finder
from quantise import array
from scenes import Asked, Crossed, Judged

# What the trees learn from, by seed: scenes of all kinds, with something across the cards, most of them without a card.
SETS = {
    6: (Asked, ("one", "none", "grid", "one", "none", "several", "one", "none", "one", "several")),
    8: (Crossed, ("one", "several", "one", "grid", "one", "one", "several", "one")),
    9: (Asked, ("none", "none", "one", "none", "none", "several")),
}
CALIBRATION_SEED = 7
JUDGED = ("one", "several", "one", "grid", "one", "one", "several", "one", "grid", "one")  # As they are evaluated.
STAGES = ((200, 0.08), (400, 0.05), (350, 0.05))  # Trees and rate.
LEAVES = 19
FOLDS = 3
BLOCK = 10  # So many scenes beside one another go into one fold: each fold gets all kinds.
RIGHT, NEAR = 0.9, 0.5  # The overlaps from which a candidate is right, and from which it lies on a card.


def asked(seed, number, long=512):
    draw, kinds = SETS[seed]
    return draw(seed, number, long, kind=kinds[number % len(kinds)])


def judged(seed, number, long=512):
    """Every second one is without a card."""
    return Judged(seed, number, long, kind="none" if number % 2 else JUDGED[number // 2 % len(JUDGED)])


class Drawn:
    """Scenes of 512 pixels kept on disk: pictures, corners, tags. Whoever changes what is drawn removes the folder."""

    def __init__(self, folder, seed, count, draw=asked):
        self.seed, self.count, self.draw = seed, count, draw
        self.folder = os.path.join(folder, f"large-{seed}")
        os.makedirs(self.folder, exist_ok=True)

    def __iter__(self):
        start = time.time()
        for number in range(self.count):
            path = os.path.join(self.folder, f"{number:05d}.npz")
            if os.path.exists(path):
                with np.load(path) as kept:
                    yield kept["rgb"], kept["quads"], kept["tags"].tolist() if "tags" in kept else []
            else:
                scene = self.draw(self.seed, number)
                rgb = np.ascontiguousarray(scene.image[..., ::-1])
                np.savez(path + ".new.npz", rgb=rgb, quads=scene.quads, tags=np.array(scene.tags))
                os.replace(path + ".new.npz", path)
                yield rgb, scene.quads, scene.tags
            if (number + 1) % 200 == 0:
                left = (time.time() - start) / (number + 1) * (self.count - number - 1)
                print(f"Scene {number + 1} of {self.count} of seed {self.seed}, {left:.0f} s left.", file=sys.stderr,
                      flush=True)


class Rows:
    """Proposals of many scenes: features, overlap with the truth, and the scene of each."""

    def __init__(self, eye, drawn):
        features, quads, good, scene, best = [], [], [], [], []
        for number, (rgb, truth, _) in enumerate(itertools.chain(*drawn)):
            n = eye.look(rgb)
            overlap, _ = measure.overlaps(eye.quads(), truth)
            features.append(eye.features())
            quads.append(eye.raw_quads())
            good.append(overlap)
            scene.append(np.full(n, number))
            for quad in truth:
                best.append(measure.overlaps(eye.quads(), quad[None])[0].max() if n else 0)
        self.x, self.quads = np.concatenate(features), np.concatenate(quads)
        self.good, self.scene = np.concatenate(good), np.concatenate(scene)
        best = np.array(best)
        self.eye = eye
        print(f"{len(self.x)} proposals of {number + 1} scenes; the best for each of {len(best)} cards: mean overlap "
              f"{best.mean():.4f}, above 0.9 {100 * (best > 0.9).mean():.1f} %.", file=sys.stderr)

    def rivals(self, first):
        """The rivals' columns of all rows, for scores of the first stage."""
        ends = np.searchsorted(self.scene, np.unique(self.scene), side="right")
        result = []
        for start, end in zip(np.append(0, ends[:-1]), ends):
            self.eye.set(self.quads[start:end], self.x[start:end])
            result.append(self.eye.rivals(first[start:end]))
        return np.concatenate(result)


def rising(overlap):
    """Labels of the first two stages: they rise to the end, so that 0.998 beats 0.95."""
    return np.interp(overlap, [0.65, 0.85, 0.92, 0.98], [0, 0.45, 0.75, 1])


def present(overlap):
    """Labels of the third: what lies on a card but inexactly is doubtful too."""
    return np.interp(overlap, [0.6, 0.8, 0.9, 0.96], [0, 0.4, 0.85, 1])


def boost(x, label, scene, trees, rate, seed):
    _, inverse, counts = np.unique(scene, return_inverse=True, return_counts=True)
    settings = dict(
        objective="cross_entropy", num_leaves=LEAVES, learning_rate=rate, min_data_in_leaf=40, feature_fraction=0.5,
        bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, verbose=-1, num_threads=1, seed=seed, deterministic=True,
        force_row_wise=True)
    data = lightgbm.Dataset(np.float32(x), label, weight=1 / np.sqrt(counts[inverse]))
    return lightgbm.train(settings, data, trees)


def fit(rows):
    """Three stages."""
    label = rising(rows.good)
    first = np.zeros(len(rows.x))
    fold = rows.scene // BLOCK % FOLDS
    for k in range(FOLDS):
        model = boost(rows.x[fold != k], label[fold != k], rows.scene[fold != k], *STAGES[0], seed=k)
        first[fold == k] = model.predict(np.float32(rows.x[fold == k]))
    models = [boost(rows.x, label, rows.scene, *STAGES[0], seed=10)]
    x = np.hstack([rows.x, rows.rivals(first)])
    models.append(boost(x, label, rows.scene, *STAGES[1], seed=20))
    models.append(boost(x, present(rows.good), rows.scene, *STAGES[2], seed=30))
    return models


def flatten(tree):
    """One tree of LightGBM as nodes (feature, threshold, left, right) and leaves; children below 0 are leaves."""
    nodes, leaves = [], []

    def add(part):
        if "split_feature" not in part:
            leaves.append(part["leaf_value"])
            return ~(len(leaves) - 1)
        at = len(nodes)
        nodes.append(None)
        threshold = int(np.clip(np.floor(part["threshold"]), -32768, 32767))
        nodes[at] = (part["split_feature"], threshold, add(part["left_child"]), add(part["right_child"]))
        return at

    if "split_feature" not in tree:
        return [(0, 32767, -1, -1)], [tree["leaf_value"]]
    add(tree)
    return nodes, leaves


def table(models, confidence, threshold, provenance):
    nodes, leaves, trees, stages = [], [], [], []
    for model in models:
        start = len(trees)
        for info in model.dump_model()["tree_info"]:
            some_nodes, some_leaves = flatten(info["tree_structure"])
            trees.append((len(nodes), len(leaves)))
            nodes.extend(some_nodes)
            leaves.extend(int(np.clip(round(v * 4096), -32767, 32767)) for v in some_leaves)
        stages.append((start, len(trees) - start, 0))
    braced = lambda rows: ["{" + ",".join(str(v) for v in row) + "}" for row in rows]
    return "\n".join([f"// {line}" for line in provenance] + [
        "#define VF_EYE_TREES 1",
        "#define VF_EYE_LEAF_DIVISOR 1",
        array("static const eye_node eye_nodes[]", braced(nodes)),
        array("static const int16_t eye_leaves[]", leaves),
        array("static const eye_tree eye_trees[]", braced(trees)),
        array("static const eye_stage eye_stages[3]", braced(stages)),
        array("static const uint16_t eye_confidence[65]", [int(v) for v in confidence]),
        f"#define EYE_THRESHOLD {int(threshold)}", ""])


def answers(eye, drawn):
    """For each candidate over scenes: presence, overlap, scene; and the count of cards. The table says presence itself."""
    finder = Finder(eye.c)
    rows, cards = [], []
    for number, (rgb, truth, _) in enumerate(drawn):
        cards.append(len(truth))
        quads, presence = finder.find(rgb)
        overlap, _ = measure.overlaps(quads, truth)
        rows.extend(zip(presence, overlap, np.full(len(quads), number)))
    return np.array(rows), np.array(cards)


def calibrate(rows, cards):
    """Presence to confidence (65 points × 32767, rising): how many are right. And the threshold: the middle of where F
    is all but best over drawn scenes, such that at most 0.5 % of the scenes without a card show one. Only what lies on
    no card counts as false."""
    presence, right, false = rows[:, 0], rows[:, 1] > RIGHT, rows[:, 1] < NEAR
    order = np.argsort(presence, kind="stable")
    level = pool(right[order].astype(float))
    # Straight between the middles of the steps; below the first and above the last as there.
    points = np.linspace(0, 1, 65)
    width = 0.012
    confidence = np.array([np.average(level, weights=np.exp(-((presence[order] - p) / width) ** 2 / 2) + 1e-12)
                           for p in points])
    confidence = np.clip(np.maximum.accumulate(confidence), 0, 0.995)
    confidence[0] = min(confidence[0], 0.01)
    score = np.interp(presence, points, confidence)
    none = np.flatnonzero(cards == 0)
    worst = np.zeros(len(cards))
    np.maximum.at(worst, rows[:, 2].astype(int), score)
    steps = np.arange(0.2, 0.95, 0.01)
    quality = np.array([2 * ((score >= t) & right).sum() / (((score >= t) & (right | false)).sum() + cards.sum())
                        for t in steps])
    quality[[(worst[none] >= t).mean() > 0.005 for t in steps]] -= 1
    threshold = float(np.mean(steps[quality >= quality.max() - 0.003]))
    shown = score >= threshold
    print(f"Threshold {threshold:.2f} of confidence: {(shown & right).sum()} of {cards.sum()} cards shown right, "
          f"{(shown & false).sum()} shown where none is, cards shown in {(worst[none] >= threshold).sum()} of {len(none)} "
          "scenes without one.", file=sys.stderr)
    return np.round(confidence * 32767), threshold * 32767


def pool(values):
    """The nearest sequence that never falls."""
    blocks = []
    for value in values:
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            value, n = blocks.pop()
            blocks[-1] = [(blocks[-1][0] * blocks[-1][1] + value * n) / (blocks[-1][1] + n), blocks[-1][1] + n]
    return np.concatenate([np.full(n, value) for value, n in blocks])


def make(options):
    path = os.path.join(options.tables, "trees.inc")
    if os.path.exists(path):
        os.remove(path)
    eye = Eye(options.root, options.work)
    rows = Rows(eye, [Drawn(options.work, seed, options.tree_scenes) for seed in SETS])
    models = fit(rows)
    for k, model in enumerate(models):
        gain = model.feature_importance("gain")
        names = ", ".join(f"{eye.names[i]} {100 * gain[i] / gain.sum():.0f} %" for i in np.argsort(-gain)[:12])
        print(f"Stage {k + 1} lives on {names}.", file=sys.stderr)
    provenance = [
        "Made by Scripts/train-card-eye: don't edit.",
        f"Trees: {options.tree_scenes} scenes each of seeds {', '.join(map(str, SETS))}, confidence and "
        f"threshold: {options.calibration_scenes} of seed {CALIBRATION_SEED}; LightGBM {lightgbm.__version__}."]

    def write(confidence, threshold):
        with open(path, "w") as file:
            file.write(table(models, confidence, threshold, provenance))

    write(np.round(np.linspace(0, 1, 65) * 32767), 0.5 * 32767)
    eye = Eye(options.root, options.work)
    write(*calibrate(*answers(eye, Drawn(options.work, CALIBRATION_SEED, options.calibration_scenes, judged))))
    print(f"Wrote {path}.", file=sys.stderr)
