"""Drawn scenes kept on disk, so that a training that is run again need not draw them again.

Whoever changes what is drawn removes the folder.
"""

import os
import sys
import time

import numpy as np

import scenes

MOST = 10  # Cards in a scene.


class Small:
    """`count` scenes of 256 x 192 pixels: images, and corners with their counts."""

    def __init__(self, folder, seed, count, draw=scenes.Scene):
        self.path = os.path.join(folder, f"small-{seed}-{count}")
        os.makedirs(self.path, exist_ok=True)
        done = os.path.join(self.path, "done")
        drawn = int(open(done).read()) if os.path.exists(done) else 0
        self.images = self.array("images", np.uint8, (count, 192, 256, 3), drawn)
        self.quads = self.array("quads", np.float32, (count, MOST, 4, 2), drawn)
        self.counts = self.array("counts", np.uint8, (count,), drawn)
        start = time.time()
        for k in range(drawn, count):
            scene = draw(seed, k, 256, (4, 3))
            n = min(MOST, len(scene.quads))
            self.images[k], self.counts[k] = scene.image, n
            self.quads[k, :n] = scene.quads[:n]
            if (k + 1) % 500 == 0:
                with open(done, "w") as file:
                    file.write(str(k + 1))
                left = (time.time() - start) / (k + 1 - drawn) * (count - k - 1)
                print(f"Drew {k + 1} of {count} scenes, {left:.0f} s left.", file=sys.stderr, flush=True)

    def array(self, name, kind, shape, drawn):
        path = os.path.join(self.path, name + ".npy")
        return np.lib.format.open_memmap(path, "r+" if drawn else "w+", kind, shape)


class Joined:
    """Several of them as one."""

    def __init__(self, *parts):
        self.ends = np.cumsum([len(part.images) for part in parts])
        self.parts = parts
        self.quads = np.concatenate([part.quads for part in parts])
        self.counts = np.concatenate([part.counts for part in parts])

    def pictures(self, chosen):
        part = np.searchsorted(self.ends, chosen, side="right")
        return np.stack([self.parts[k].images[n - (self.ends[k - 1] if k else 0)] for k, n in zip(part, chosen)])
