"""The trees that rank proposals: features from the C core, two stages.

First stage: how good a proposal is, from its features. Second: the same, knowing its rivals' first stage.
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


def rising(overlap):
    """Labels rise to the end, so that 0.998 beats 0.95."""
    return np.interp(overlap, [0.65, 0.85, 0.92, 0.98], [0, 0.45, 0.75, 1])


def make(options):
    path = os.path.join(options.tables, "rank.inc")
    eye = Eye(options.root, options.work)
    rows = Rows(eye, [Drawn(options.work, seed, options.tree_scenes) for seed in RANKING_SEEDS])
    models = trees.two_stages(rows, rising(rows.good), STAGES, eye.rivals, seed=10)
    for name, model in zip(("First stage", "Ranking"), models):
        print(trees.report(name, model, eye.names), file=sys.stderr)
    with open(path, "w") as file:
        file.write("\n".join([
            "// Made by Scripts/train-card-eye: don't edit.",
            f"// Trees: {options.tree_scenes} scenes each of seeds {', '.join(map(str, RANKING_SEEDS))}; "
            f"LightGBM {lightgbm.__version__}.", *trees.table(models, "eye_rank"), ""]))
    print(f"Wrote {path}.", file=sys.stderr)
