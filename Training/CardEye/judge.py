"""The trees that judge what was looked at closer, and what their answers are worth as confidence.

First stage: is it a card, from all that is known of it alone. Second: the same, knowing what the first says of all else
that was found in the picture.
"""

import os
import sys

import lightgbm
import numpy as np

import measure
import trees
from drawn import CALIBRATION_SEED, JUDGING_SEEDS, Drawn
from eye import Eye
from finder import Finder
from quantise import array

STAGES = (150, 0.1), (140, 0.1)  # Trees and rate.
RIGHT, NEAR = 0.9, 0.5  # The overlaps from which a candidate is right, and from which it lies on a card.
BETA = 0.25  # Of F: a false card, of which the shutter takes a photo by itself, is worse than one that isn't shown.


class Rows:
    """What was looked at closer in many scenes: its columns, corners, overlap with the truth, and the scene of each."""

    def __init__(self, eye, drawn):
        x, quads, good, scene, number = [], [], [], [], 0
        for part in drawn:
            for rgb, truth, _ in part:
                number += 1
                count = eye.look(rgb)
                x.append(eye.judge_features())
                quads.append(eye.raw_quads())
                good.append(measure.overlaps(eye.quads(), truth)[0])
                scene.append(np.full(count, number))
        self.x, self.quads = np.concatenate(x), np.concatenate(quads)
        self.good, self.scene = np.concatenate(good), np.concatenate(scene)
        self.eye = eye


def present(overlap):
    """Labels: what lies on a card but inexactly is doubtful too."""
    return np.interp(overlap, [0.6, 0.8, 0.9, 0.96], [0, 0.4, 0.85, 1])


def answers(eye, drawn):
    """For each candidate that programs get over scenes: presence, overlap, scene; and the count of cards. The table says
    presence itself."""
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
    (of `BETA`) is all but best over drawn scenes, such that at most 0.5 % of the scenes without a card show one. Only
    what lies on no card counts as false."""
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
    quality = np.array([(1 + BETA**2) * ((score >= t) & right).sum()
                        / (((score >= t) & (right | false)).sum() + BETA**2 * cards.sum()) for t in steps])
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
    path = os.path.join(options.tables, "judge.inc")
    eye = Eye(options.root, options.work)
    rows = Rows(eye, [Drawn(options.work, seed, options.judge_scenes) for seed in JUDGING_SEEDS])
    models = trees.two_stages(rows, present(rows.good), STAGES, eye.company, seed=30)
    for name, model in zip(("Judging alone", "Judging in company"), models):
        print(trees.report(name, model, eye.names), file=sys.stderr)

    def write(confidence, threshold):
        with open(path, "w") as file:
            file.write("\n".join([
                "// Made by Scripts/train-card-eye: don't edit.",
                f"// Trees: {options.judge_scenes} scenes each of seeds {', '.join(map(str, JUDGING_SEEDS))}; confidence and "
                f"threshold: {options.calibration_scenes} of seed {CALIBRATION_SEED}; LightGBM {lightgbm.__version__}.",
                *trees.table(models, "eye_judge"),
                array("static const uint16_t eye_confidence[65]", [int(v) for v in confidence]),
                f"#define EYE_THRESHOLD {int(threshold)}", ""]))

    write(np.round(np.linspace(0, 1, 65) * 32767), 0.5 * 32767)
    eye = Eye(options.root, options.work)
    write(*calibrate(*answers(eye, Drawn(options.work, CALIBRATION_SEED, options.calibration_scenes))))
    print(f"Wrote {path}.", file=sys.stderr)
