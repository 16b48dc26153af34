"""The third network: a look along each side of a quadrilateral, nearer than the second's.

It sees a strip along the side and says for each column across it where the card's edge runs, as a choice between places;
where it is sure of none, its votes are spread. The line on which most of them lie is the side (detect/strips.c).
"""

import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import measure
import quantise
from closer import axes, clockwise, recoloured, turned_like
from drawn import MORE_SEEDS, NEW_SEEDS, RANKING_SEEDS, Drawn
from eye import PATCH, Eye
from learn import learn
from network import Separate, conv, normalised

HEIGHT, WIDTH, DEPTH = PATCH
CELL = 4  # Its answers are for cells of so many pixels, with a place for each row of pixels.
MARGIN = 9, 12  # Of a patch, in pixels: above and below, left and right.
DEEP = 0.1  # How far a strip's own part reaches to both sides, as a share of the quadrilateral.
NEAR, FAR = 0.72, 0.3  # The overlaps from which a find has a card's sides, and up to which it has none.
FINDS = 2  # So many finds of each card are learned from, and so many that lie on none; with the card itself, moved.
SEED, SIZE = 5, 128
# Of the strips of a step, so many of a side that is off by so much at one end, and so many of none.
ASIDE, OFF, OF_NONE = 24, 0.015, 24
MOST = 0.3  # What is farther off isn't learned from.

# Where places and columns are: as shares of the quadrilateral, inwards; and of the side, from one end to the other.
PLACES = (np.arange(HEIGHT) + 0.5 - HEIGHT / 2) / (HEIGHT - 2 * MARGIN[0]) * 2 * DEEP
COLUMNS = ((np.arange(WIDTH // CELL) + 0.5) * CELL - MARGIN[1]) / (WIDTH - 2 * MARGIN[1])


class Strips(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([conv(DEPTH, 16, stride=2), conv(16, 48, stride=2),
                                   *(Separate(48) for _ in range(6))])
        self.head = nn.Conv2d(48, CELL, 1)

    def forward(self, x):
        for layer in self.down:
            x = layer(x)
        return self.head(x)


# What it learns from

def strip(quad, side):
    """A strip as a quadrilateral whose first side lies outside."""
    a, b, c, d = np.roll(quad, -side, 0)
    return np.stack([a - DEEP * (d - a), b - DEEP * (c - b), b + DEEP * (c - b), a + DEEP * (d - a)])


def ends(quad, card):
    """How far inwards the card's sides begin and end, as shares of the quadrilateral (4 x 2)."""
    card = turned_like(card, quad)
    result = np.full((4, 2), np.inf)
    for side in range(4):
        a, b, c, d = np.roll(quad, -side, 0)
        start, end = np.roll(card, -side, 0)[:2]
        along = end - start
        for k, (at, way) in enumerate(((a, d - a), (b, c - b))):
            across = way[0] * along[1] - way[1] * along[0]
            if abs(across) > 1e-6:
                result[side, k] = ((start - at)[0] * along[1] - (start - at)[1] * along[0]) / across
    return result


def looks(eye, rgb, cards, rng):
    """Quadrilaterals of a scene with the ends of their sides: finds that lie on cards, cards moved, finds on none."""
    count = eye.look(rgb)
    quads = eye.quads()
    overlaps = np.array([[measure.overlap(quad, card) for card in cards] for quad in quads]).reshape(count, len(cards))
    found = []
    for card, overlap in zip(cards, overlaps.T):
        card = clockwise(card)
        best = [quads[k] for k in np.argsort(-overlap)[:FINDS] if overlap[k] > NEAR]
        best.append(card + np.clip(rng.normal(0, 0.03, (4, 2)), -0.1, 0.1) @ axes(card).T)
        found += [(quad, ends(quad, card)) for quad in map(clockwise, best)]
    none = np.flatnonzero(overlaps.max(1, initial=0) < FAR)
    return found + [(clockwise(quads[k]), np.full((4, 2), np.nan)) for k in none[:FINDS]]


class Patches:
    """Strips of drawn scenes (in a file: they are many), and where their sides begin and end: no number, where none is."""

    def __init__(self, eye, drawn, path):
        where = []
        with open(path, "wb") as file:
            for part in drawn:
                for number, (rgb, cards, _) in enumerate(part, part.first):
                    cards = np.float64(cards).reshape(-1, 4, 2)
                    found = looks(eye, rgb, cards, np.random.default_rng([part.seed, number, SEED]))
                    if found:
                        _, patches = eye.patches([strip(quad, side) for quad, _ in found for side in range(4)])
                        file.write(patches.tobytes())
                        where += [side for _, sides in found for side in sides]
        self.x = np.memmap(path, np.uint8, "r").reshape(-1, HEIGHT, WIDTH, DEPTH)
        self.ends = np.float32(where)


# Training

def votes(ends):
    """How much of each column's votes each place should have: strips x places x columns. None, where the edge lies beyond
    them; the same for all, where no side is."""
    at = ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * COLUMNS
    off = (at - PLACES[0]) / (PLACES[1] - PLACES[0])
    share = np.maximum(0, 1 - np.abs(off[:, None] - np.arange(HEIGHT)[:, None]))
    share = np.where(np.isnan(share), 1 / HEIGHT, share)
    share[:, [0, 1, -2, -1]] *= 0.3
    return torch.from_numpy(share.astype(np.float32))


def loss(output, wanted):
    chances = F.log_softmax(output.permute(0, 2, 1, 3).flatten(1, 2), 1)
    known = (wanted.sum(1) > 0.2).float()
    total = (-(chances * wanted).sum(1) * known).sum() / known.sum()
    return total, (total,)


def train(patches, steps):
    far = np.abs(patches.ends).max(1)
    near, aside, none = (np.flatnonzero(some) for some in (far < MOST, (far < MOST) & (far > OFF), np.isnan(far)))

    def batch(rng):
        chosen = np.sort(np.concatenate([rng.choice(some, n) for some, n in (
            (near, SIZE - ASIDE - OF_NONE), (aside, ASIDE), (none, OF_NONE))]))
        x, where = normalised(patches.x[chosen]), patches.ends[chosen]
        if rng.random() < 0.5:
            x, where = x.flip(3), where[:, ::-1]
            x[:, 6] *= -1
        recoloured(rng, x)
        return x.contiguous(memory_format=torch.channels_last), votes(where)

    def learned(network, x, wanted):
        with torch.autocast("cpu", torch.bfloat16):
            output = network(x)
        return loss(output.float(), wanted)

    return learn(Strips, batch, learned, steps, SEED, 2e-3, 1e-3, 0.998, "votes")


def make(options):
    path = os.path.join(options.tables, "strips.inc")
    seeds = RANKING_SEEDS + MORE_SEEDS + NEW_SEEDS
    patches = Patches(Eye(options.root, options.work), [
        Drawn(options.work, seed, options.strip_scenes, first=options.strips_from) for seed in seeds],
        os.path.join(options.work, "strips"))
    print(f"{len(patches.x)} strips.", file=sys.stderr)
    trained = train(patches, options.strip_steps)
    whole = quantise.Whole(trained, patches.x[::max(1, len(patches.x) // 400)], quantise.steps_of_strips)
    with open(path, "w") as file:
        file.write(whole.table([
            "Made by Scripts/train-card-eye: don't edit.",
            f"Network: strips of {options.strip_scenes} scenes each of seeds {', '.join(map(str, seeds))}, from number "
            f"{options.strips_from} on, {options.strip_steps} steps of {SIZE}; PyTorch {torch.__version__}."], "eye_strips"))
    print(f"Wrote {path}.", file=sys.stderr)
