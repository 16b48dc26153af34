"""The card eye of the C core, compiled from its sources and called as a library: training and evaluation see what
programs see."""

import ctypes
import glob
import hashlib
import os
import shutil
import subprocess
import sys

import numpy as np

PATCH = 48, 64, 8  # Height, width, numbers.
FILES = ("detect/*.c", "detect/kernels/*.c", "layouts/*.c", "failure.c", "pixels/*.c", "pixels/kernels/*.c")


def compiler():
    """The toolchain's clang, as in any build; else what there is."""
    swift = shutil.which("swift")
    beside = os.path.join(os.path.dirname(os.path.realpath(swift)), "clang") if swift else ""
    return beside if os.path.exists(beside) else shutil.which("clang") or "cc"


def library(root, work):
    """Compiles the core's detector, if its sources or tables are new, and loads it."""
    base = os.path.join(root, "Sources/CViewfinder")
    sources = sorted(path for pattern in FILES for path in glob.glob(os.path.join(base, pattern)))
    if not any("/detect/" in path for path in sources):
        sys.exit("The detector's sources aren't there: Sources/CViewfinder/detect.")
    others = sorted(glob.glob(os.path.join(base, "**/*.h"), recursive=True) +
                    glob.glob(os.path.join(base, "detect/tables/*.inc")))
    text = hashlib.sha256()
    for path in sources + others:
        with open(path, "rb") as file:
            text.update(file.read())
    os.makedirs(work, exist_ok=True)
    path = os.path.join(work, f"libeye-{text.hexdigest()[:12]}.so")
    if not os.path.exists(path):
        fresh = f"{path}.{os.getpid()}"
        subprocess.run([compiler(), "-O2", "-shared", "-fPIC", "-std=c17", "-D_GNU_SOURCE",
                        "-I", os.path.join(base, "include"), "-I", base, *sources, "-o", fresh, "-lm"], check=True)
        os.replace(fresh, path)
    return ctypes.CDLL(path)


class Eye:
    """What one look at a picture gives. Quadrilaterals are n x 4 x 2, float, in pixels of the working picture."""

    def __init__(self, root, work):
        self.c = library(root, work)
        self.c.vf_eye_create.restype = ctypes.c_void_p
        self.c.vf_eye_feature_name.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p(self.c.vf_eye_create())
        if not self.handle:
            raise MemoryError
        # What is learned is learned from that.
        self.c.vf_eye_leave_sides(self.handle)
        self.columns = self.c.vf_eye_feature_count(1)
        self.rank_columns = self.c.vf_eye_feature_count(2)
        self.judge_columns = self.c.vf_eye_feature_count(3)
        self.all_columns = self.c.vf_eye_feature_count(4)
        self.names = [self.c.vf_eye_feature_name(i).decode() for i in range(self.all_columns)]
        self.count = 0

    def look(self, rgb):
        """Looks at a picture (h x w x 3, RGB, 8 bits); returns the count of what was looked at closer."""
        return self.run(self.c.vf_eye_look_rgb, rgb)

    def propose(self, rgb):
        """Looks at a picture for the first time; returns the count of proposals."""
        return self.run(self.c.vf_eye_propose_rgb, rgb)

    def run(self, function, rgb):
        rgb = np.ascontiguousarray(rgb)
        self.height, self.width = rgb.shape[:2]
        self.count = function(self.handle, pointer(rgb), ctypes.c_uint32(self.width), ctypes.c_uint32(self.height),
                              ctypes.c_size_t(rgb.strides[0]))
        if self.count < 0:
            raise OSError(-self.count, os.strerror(-self.count))
        return self.count

    def get(self, name, kind, *shape):
        result = np.zeros(shape, kind)
        if result.size:
            getattr(self.c, name)(self.handle, pointer(result))
        return result

    def sizes(self):
        """Width and height of the working picture, of the network's input, of the maps."""
        return self.get("vf_eye_sizes", np.int32, 6)

    def raw_quads(self):
        return self.get("vf_eye_quads", np.int32, self.count, 4, 2)

    def quads(self):
        return self.raw_quads() / 256

    def features(self):
        return self.get("vf_eye_features", np.int16, self.count, self.columns)

    def judge_features(self):
        """Of what was looked at closer: its own columns, its rivals', and what the closer look gave."""
        looks = self.get("vf_eye_looks", np.int16, self.count, self.judge_columns - self.rank_columns)
        return np.hstack([self.features(), self.rivals(self.scores()[:, 0]), looks])

    def sources(self):
        return self.get("vf_eye_sources", np.int32, self.count)

    def scores(self):
        """First stage, rank, presence: 0 to 1."""
        return self.get("vf_eye_scores", np.int32, self.count, 3) / 32767

    def set(self, quads, features):
        """Puts proposals (in 256ths of a pixel, as `raw_quads` gave them) and their features back."""
        self.count = len(quads)
        quads, features = np.ascontiguousarray(quads, np.int32), np.ascontiguousarray(features, np.int16)
        self.c.vf_eye_set(self.handle, pointer(quads), pointer(features), ctypes.c_int32(self.count))

    def rivals(self, first):
        """Of proposals: the rivals' columns, from scores of the first stage."""
        return self.beside("vf_eye_rivals", first, self.rank_columns - self.columns)

    def company(self, presences):
        """Of what was looked at closer: the company's columns, from presences of judging's first stage."""
        return self.beside("vf_eye_company", presences, self.all_columns - self.judge_columns)

    def beside(self, name, scores, columns):
        scores = np.ascontiguousarray(np.clip(np.round(scores * 32767), 0, 32767), np.int16)
        result = np.zeros((self.count, columns), np.int16)
        if self.count:
            getattr(self.c, name)(self.handle, pointer(scores), pointer(result))
        return result

    def patches(self, quads):
        """The quadrilaterals, laid on their longer side, and what the second and third network see of them."""
        quads = np.ascontiguousarray(np.round(np.float64(quads).reshape(-1, 4, 2) * 256), np.int32)
        patches = np.zeros((len(quads), *PATCH), np.uint8)
        if len(quads):
            self.c.vf_eye_patches(self.handle, pointer(quads), ctypes.c_int32(len(quads)), pointer(patches))
        return quads / 256, patches

    def picks(self):
        result = np.zeros(64, np.int32)
        return result[:self.c.vf_eye_picks(self.handle, pointer(result))].copy()

    def run_network(self, bgr):
        h, w = bgr.shape[:2]
        maps = np.zeros((5, h // 4, w // 4), np.int16)
        bgr = np.ascontiguousarray(bgr)
        failed = self.c.vf_eye_run_network(self.handle, pointer(bgr), ctypes.c_uint32(w), ctypes.c_uint32(h),
                                           pointer(maps))
        if failed:
            raise OSError(-failed, os.strerror(-failed))
        return maps

    def full(self, quads):
        """From the working picture to the picture itself."""
        working = self.sizes()[:2]
        return (quads + 0.5) * (np.float64([self.width, self.height]) / working) - 0.5


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)
