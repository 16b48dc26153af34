"""Drawn scenes of 512 pixels kept on disk: what the second and third network and the trees learn from, and what is evaluated.

Whoever changes what is drawn removes the folder.
"""

import os
import sys
import time

import numpy as np

from scenes import Asked, Crossed, Judged

ALL_KINDS = Asked, ("one", "none", "grid", "one", "none", "several", "one", "none", "one", "several")
CROSSED = Crossed, ("one", "several", "one", "grid", "one", "one", "several", "one")
MOSTLY_NONE = Asked, ("none", "none", "one", "none", "none", "several")
# As they are evaluated; every second one is without a card.
EVALUATED = ("one", "several", "one", "grid", "one", "one", "several", "one", "grid", "one")
JUDGED = Judged, tuple(kind for with_cards in EVALUATED for kind in (with_cards, "none"))

# By seed. What ranks proposals learns from the first three; what looks closer at them from these and more, and at last
# from new ones, too; what judges, which must meet the doubts that it will meet, from others; confidence and threshold are
# chosen on the last.
SETS = {6: ALL_KINDS, 8: CROSSED, 9: MOSTLY_NONE, 14: ALL_KINDS, 15: CROSSED, 16: JUDGED, 17: CROSSED, 18: ALL_KINDS,
        10: ALL_KINDS, 11: CROSSED, 12: MOSTLY_NONE, 13: JUDGED, 7: JUDGED}
RANKING_SEEDS, MORE_SEEDS, NEW_SEEDS, JUDGING_SEEDS, CALIBRATION_SEED = (6, 8, 9), (14, 15), (16, 17, 18), (10, 11, 12, 13), 7


def of_set(seed, number, long=512):
    draw, kinds = SETS[seed]
    return draw(seed, number, long, kind=kinds[number % len(kinds)])


class Drawn:
    """Pictures, corners, tags; of `count` scenes from number `first` on."""

    def __init__(self, folder, seed, count, draw=of_set, first=0):
        self.seed, self.count, self.draw, self.first = seed, count, draw, first
        self.folder = os.path.join(folder, f"large-{seed}")
        os.makedirs(self.folder, exist_ok=True)

    def __iter__(self):
        start = time.time()
        for number in range(self.first, self.first + self.count):
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
            done = number + 1 - self.first
            if done % 200 == 0:
                left = (time.time() - start) / done * (self.count - done)
                print(f"Scene {done} of {self.count} of seed {self.seed}, {left:.0f} s left.", file=sys.stderr, flush=True)
