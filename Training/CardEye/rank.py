"""The trees that rank proposals: features from the C core, two stages.

First stage: how good a proposal is, from its features. Second: the same, knowing its rivals' first stage (that of
other folds of scenes, so that it meets the doubts that it will meet).
"""

import itertools
import os
import sys

import lightgbm
import numpy as np

import measure
import trees
from drawn import RANKING_SEEDS, Drawn
from eye import Eye

STAGES = ((120, 0.12), (170, 0.1))  # Trees and rate.
FOLDS = 3
BLOCK = 10  # So many scenes beside one another go into one fold: each fold gets all kinds.


class Rows:
    """Proposals of many scenes: features, overlap with the truth, and the scene of each."""

    def __init__(self, eye, drawn):
        features, quads, good, scene, best = [], [], [], [], []
        for number, (rgb, truth, _) in enumerate(itertools.chain(*drawn)):
            n = eye.propose(rgb)
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
    """Labels rise to the end, so that 0.998 beats 0.95."""
    return np.interp(overlap, [0.65, 0.85, 0.92, 0.98], [0, 0.45, 0.75, 1])


def fit(rows):
    label = rising(rows.good)
    first = np.zeros(len(rows.x))
    fold = rows.scene // BLOCK % FOLDS
    for k in range(FOLDS):
        model = trees.boost(rows.x[fold != k], label[fold != k], rows.scene[fold != k], *STAGES[0], seed=k)
        first[fold == k] = model.predict(np.float32(rows.x[fold == k]))
    models = [trees.boost(rows.x, label, rows.scene, *STAGES[0], seed=10)]
    x = np.hstack([rows.x, rows.rivals(first)])
    models.append(trees.boost(x, label, rows.scene, *STAGES[1], seed=20))
    return models


def make(options):
    path = os.path.join(options.tables, "rank.inc")
    eye = Eye(options.root, options.work)
    models = fit(Rows(eye, [Drawn(options.work, seed, options.tree_scenes) for seed in RANKING_SEEDS]))
    for name, model in zip(("First stage", "Ranking"), models):
        print(trees.report(name, model, eye.names), file=sys.stderr)
    with open(path, "w") as file:
        file.write("\n".join([
            "// Made by Scripts/train-card-eye: don't edit.",
            f"// Trees: {options.tree_scenes} scenes each of seeds {', '.join(map(str, RANKING_SEEDS))}; "
            f"LightGBM {lightgbm.__version__}.", *trees.table(models, "eye_rank"), ""]))
    print(f"Wrote {path}.", file=sys.stderr)
