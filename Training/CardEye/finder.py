"""The detector as programs call it, refinement included: vf_detector_find for pixels, the tool for files."""

import ctypes
import json
import subprocess

import numpy as np

from eye import pointer

RGB24 = 0x33424752
MOST = 12


class Plane(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("stride", ctypes.c_size_t)]


class Image(ctypes.Structure):
    _fields_ = [("fourcc", ctypes.c_uint32), ("width", ctypes.c_uint32), ("height", ctypes.c_uint32),
                ("planes", Plane * 3), ("alpha", Plane), ("limited_range", ctypes.c_uint8),
                ("storage", ctypes.c_void_p)]


class Failure(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("step", ctypes.c_char_p), ("detail", ctypes.c_char * 128)]


class Candidate(ctypes.Structure):
    _fields_ = [("corners", ctypes.c_double * 8), ("confidence", ctypes.c_double), ("aspect", ctypes.c_double),
                ("kind", ctypes.c_uint32), ("support", ctypes.c_double * 4), ("has_round_corners", ctypes.c_uint8)]


class Finder:
    def __init__(self, library):
        self.c = library
        self.c.vf_detector_create.restype = ctypes.c_void_p
        self.c.vf_detector_threshold.restype = ctypes.c_double
        self.failure = Failure()
        self.handle = ctypes.c_void_p(self.c.vf_detector_create(ctypes.byref(self.failure)))
        self.threshold = self.c.vf_detector_threshold()

    def find(self, rgb):
        """All candidates, however unsure: corners (n x 4 x 2; (0, 0) is the first pixel's centre) and confidences."""
        rgb = np.ascontiguousarray(rgb)
        image = Image(fourcc=RGB24, width=rgb.shape[1], height=rgb.shape[0])
        image.planes[0] = Plane(pointer(rgb), rgb.strides[0])
        found = (Candidate * MOST)()
        n = self.c.vf_detector_find(self.handle, ctypes.byref(image), ctypes.c_double(0), found,
                                    ctypes.c_size_t(MOST), ctypes.byref(self.failure))
        if n < 0:
            raise OSError(self.failure.code, (self.failure.step or b"").decode())
        quads = np.float64([list(found[k].corners) for k in range(n)]).reshape(-1, 4, 2) - 0.5
        return quads, np.float64([found[k].confidence for k in range(n)])


def find_in_files(tool, paths):
    """What `viewfinder detect` gives for files, decoded as programs decode them: corners and confidences for each."""
    run = subprocess.run([tool, "detect", "--json", "--candidates", str(MOST), "--confidence", "0", *paths],
                         stdout=subprocess.PIPE, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(paths):
        raise OSError(f"{tool} answered {len(answers)} of {len(paths)} files.")
    for answer in answers:
        found = answer["candidates"]
        yield (np.float64([each["corners"] for each in found]).reshape(-1, 4, 2),
               np.float64([each["confidence"] for each in found]))
