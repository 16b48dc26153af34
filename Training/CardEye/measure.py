"""How well quadrilaterals agree."""

import cv2
import numpy as np


def overlap(a, b):
    """Intersection over union of two convex quadrilaterals, in whatever order their corners are."""
    a, b = (cv2.convexHull(np.float32(q).reshape(-1, 1, 2)) for q in (a, b))
    shared, _ = cv2.intersectConvexConvex(a, b)
    union = cv2.contourArea(a) + cv2.contourArea(b) - shared
    return float(shared / union) if union > 0 else 0.0


def overlaps(quads, truth):
    """For each quadrilateral the best overlap with the truth, and with which."""
    if not len(quads) or not len(truth):
        return np.zeros(len(quads)), np.full(len(quads), -1)
    low, high = quads.min(1), quads.max(1)
    table = np.zeros((len(quads), len(truth)))
    for j, quad in enumerate(truth):
        near = ((low < quad.max(0)) & (high > quad.min(0))).all(1)
        for i in np.flatnonzero(near):
            table[i, j] = overlap(quads[i], quad)
    return table.max(1), table.argmax(1)


def corner_error(quad, truth):
    """The worst corner's distance, as a share of the truth's longer diagonal; the corners' order may be turned."""
    quad, truth = np.float64(quad), np.float64(truth)
    diagonal = max(np.linalg.norm(truth[0] - truth[2]), np.linalg.norm(truth[1] - truth[3]))
    turns = [np.roll(order, k, 0) for order in (quad, quad[::-1]) for k in range(4)]
    return min(np.linalg.norm(turned - truth, axis=1).max() for turned in turns) / diagonal
