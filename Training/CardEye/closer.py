"""The second network: a closer look at a quadrilateral, straightened with what lies around it.

It says how exactly the quadrilateral lies on a card, whether it lies on one at all, and where the card's corners are:
for each, how far off it is along and down, as a choice between places.
"""

import copy
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import measure
import quantise
import reread
from drawn import MORE_SEEDS, NEW_SEEDS, RANKING_SEEDS, Drawn
from eye import PATCH, Eye
from learn import learn
from network import Dense, Separate, conv, normalised
from rank import rising

HEIGHT, WIDTH, DEPTH = PATCH
REACH, BINS = 0.3, 21  # How far off a corner is told, as a share of the sides, and in how many places.
SCORES = 2
# Of the best proposals of a scene, so many are learned from; with some of the others, and moved cards. Fewer, where it
# learns from its own looks, too.
LOOKS, OWN_LOOKS = 14, 9
ALIKE = 0.85
SEED, SIZE = 3, 128
OWN_PHASE = 7  # For chance: other choices from the same scenes.


class Closer(nn.Module):
    PLACES = HEIGHT // 8, WIDTH // 8
    NARROW, HIDDEN = 16, 64

    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([conv(DEPTH, 24, stride=2),
                                   conv(24, 32, stride=2), Dense(32), Dense(32), Dense(32),
                                   conv(32, 48, stride=2), Dense(48), *(Separate(48) for _ in range(4)),
                                   conv(48, self.NARROW, 1)])
        self.hidden = nn.Sequential(nn.Linear(self.NARROW * self.PLACES[0] * self.PLACES[1], self.HIDDEN, bias=False),
                                    nn.BatchNorm1d(self.HIDDEN, momentum=0.05), nn.ReLU(inplace=True))
        self.answer = nn.Linear(self.HIDDEN, SCORES + 8 * BINS)

    def forward(self, x):
        for layer in self.down:
            x = layer(x)
        return self.answer(self.hidden(x.flatten(1)))


# What it learns from

def axes(quad):
    """Along and down: the columns."""
    return np.stack([(quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2], 1)


def clockwise(quad):
    a, b = quad[2] - quad[0], quad[3] - quad[1]
    return quad if a[0] * b[1] > a[1] * b[0] else quad[::-1]


def turned_like(card, quad):
    """A card's corners, from the one on that puts them nearest to the quadrilateral's."""
    return min((np.roll(card, k, 0) for k in range(4)), key=lambda turned: np.abs(turned - quad).sum())


def truth_of(quad, cards):
    """The overlap with the card that fits best, and how far its corners are off, in shares of the sides (4 x 2)."""
    overlaps = [measure.overlap(quad, card) for card in cards]
    if not overlaps or max(overlaps) == 0:
        return 0.0, np.zeros((4, 2))
    card = turned_like(clockwise(cards[int(np.argmax(overlaps))]), quad)
    frame = axes(quad)
    if abs(np.linalg.det(frame)) < 1:
        return max(overlaps), np.zeros((4, 2))
    return max(overlaps), np.linalg.solve(frame, (card - quad).T).T


def apart(quads, order, limit, most):
    """Of the quadrilaterals in this order those that overlap none of the chosen ones by more than `limit`."""
    chosen = []
    for i in order:
        if all(measure.overlap(quads[i], quads[k]) < limit for k in chosen):
            chosen.append(i)
            if len(chosen) == most:
                break
    return chosen


def moved(rng, card):
    """A card's quadrilateral, displaced: corners, a side, all of it, its size."""
    card = clockwise(card)
    size = rng.choice([0.01, 0.03, 0.08, 0.16])
    off = rng.normal(0, size / 2, (4, 2))
    if rng.random() < 0.6:
        side, by = rng.integers(0, 4), rng.normal(0, 2 * size)
        off[[side, (side + 1) % 4], 1 - side % 2] += by
    if rng.random() < 0.3:
        off += rng.normal(0, size, 2)
    if rng.random() < 0.2:
        off += np.float64([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * rng.normal(0, 2 * size)
    return card + np.clip(off, -0.45, 0.45) @ axes(card).T


def proposed(eye, rgb, rng, most, others):
    """The best proposals of a scene, and some of the others."""
    count = eye.propose(rgb)
    quads, ranks = eye.quads(), eye.scores()[:, 1]
    chosen = apart(quads, np.argsort(-ranks), ALIKE, most)
    rest = [i for i in range(count) if i not in chosen]
    if rest:
        chosen += list(rng.choice(rest, min(others, len(rest)), replace=False))
    return [quads[i] for i in chosen]


def looks(eye, rgb, cards, rng):
    """Quadrilaterals of a scene to learn from."""
    return proposed(eye, rgb, rng, LOOKS, 3) + [
        moved(rng, card) for card in cards for _ in range(3 if len(cards) < 5 else 2)]


def own_looks(eye, rgb, cards, rng):
    """Those that it meets itself: where its looks begin, and where they end, by the table as it is."""
    begun = proposed(eye, rgb, rng, OWN_LOOKS, 2)
    eye.look(rgb)
    return begun + list(eye.quads()) + [moved(rng, card) for card in cards for _ in range(2 if len(cards) < 5 else 1)]


class Patches:
    """Patches of drawn scenes (in a file: they are many), overlaps with the truth, and how far the corners are off."""

    def __init__(self, eye, drawn, path, looks=looks, phase=0):
        overlap, off, self.ends = [], [], []
        with open(path, "wb") as file:
            for part in drawn:
                for number, (rgb, cards, _) in enumerate(part, part.first):
                    cards = np.float64(cards).reshape(-1, 4, 2)
                    quads, patches = eye.patches(looks(eye, rgb, cards, np.random.default_rng([part.seed, number, phase])))
                    file.write(patches.tobytes())
                    for quad in quads:
                        one, by = truth_of(quad, cards)
                        overlap.append(one)
                        off.append(by.ravel())
                self.ends.append(len(off))
        self.x = np.memmap(path, np.uint8, "r").reshape(-1, HEIGHT, WIDTH, DEPTH)
        self.overlap, self.off = np.float32(overlap), np.float32(off)

    def few_hundred(self):
        """Some of each part, to see which values occur."""
        return np.concatenate([self.x[start:end:max(1, (end - start) // 50)]
                               for start, end in zip([0, *self.ends], self.ends)])

    def first(self, parts):
        """Those of the first parts alone."""
        some, end = copy.copy(self), self.ends[parts - 1]
        some.x, some.overlap, some.off, some.ends = self.x[:end], self.overlap[:end], self.off[:end], self.ends[:parts]
        return some


# Training

def places(off):
    """Shares of the two nearest places for each of 8 numbers."""
    at = (np.clip(off, -REACH, REACH) + REACH) * (BINS - 1) / (2 * REACH)
    return torch.from_numpy(np.maximum(0, 1 - np.abs(at[..., None] - np.arange(BINS))).astype(np.float32))


def recoloured(rng, x):
    """Patches as real numbers with other colours, other light, noise: in place."""
    size = len(x)
    half, few = rng.permutation(size)[:size // 2], rng.permutation(size)[:size // 8]
    x[half, :3] = x[half][:, torch.from_numpy(rng.permutation(3))]
    gain = rng.uniform(0.6, 1.4, (size, 1, 1, 1)) * rng.uniform(0.85, 1.15, (size, 3, 1, 1))
    x[:, :3] = x[:, :3] * torch.from_numpy(gain).float() + torch.from_numpy(rng.normal(0, 0.15, (size, 1, 1, 1))).float()
    x[few, :3] = x[few, :3].mean(1, keepdim=True)
    noisy = rng.permutation(size)[:size // 8]
    x[noisy, :3] += torch.randn(len(noisy), 3, HEIGHT, WIDTH) * float(rng.uniform(0, 0.2))
    x[:, :3] = x[:, :3].clamp(-2, 127 / 64)


def batch(rng, patches, size):
    """Patches, mirrored, recoloured, with other light; and what is to be answered."""
    chosen = np.sort(rng.integers(0, len(patches.x), size))
    x = normalised(patches.x[chosen])
    overlap, off = patches.overlap[chosen], patches.off[chosen].reshape(-1, 4, 2)
    if rng.random() < 0.5:
        x, off = x.flip(3), off[:, [1, 0, 3, 2]] * np.float32([-1, 1])
        x[:, 6] *= -1
    if rng.random() < 0.5:
        x, off = x.flip(2), off[:, [3, 2, 1, 0]] * np.float32([1, -1])
        x[:, 7] *= -1
    recoloured(rng, x)
    scores = torch.from_numpy(np.stack([rising(overlap), np.interp(overlap, [0.3, 0.6], [0, 1])], 1)).float()
    return (x.contiguous(memory_format=torch.channels_last), scores, places(off.reshape(-1, 8)),
            torch.from_numpy(np.float32(overlap > 0.4)))


def loss(output, scores, wanted, near):
    exact, on = F.binary_cross_entropy_with_logits(output[:, :SCORES], scores, reduction="none").mean(0)
    chosen = F.log_softmax(output[:, SCORES:].reshape(-1, 8, BINS), 2)
    corners = (-(chosen * wanted).sum(2).mean(1) * near).sum() / (near.sum() + 1)
    return exact + 0.5 * on + 0.3 * corners, (exact, on, corners)


def train(patches, steps, seed, size=SIZE, rate=2e-3, start_from=None):
    def measure(network, x, *wanted):
        with torch.autocast("cpu", torch.bfloat16):
            output = network(x)
        return loss(output.float(), *wanted)

    return learn(Closer, lambda rng: batch(rng, patches, size), measure, steps, seed, rate, 1e-3, 0.999,
                 "exact, near, corners", start_from)


def begin(options, path):
    """From scratch: from the scenes that the ranking learned from; then from these and more, twice with the rate as at
    first."""
    eye = Eye(options.root, options.work)
    patches = Patches(eye, [Drawn(options.work, seed, options.tree_scenes) for seed in RANKING_SEEDS + MORE_SEEDS],
                      os.path.join(options.work, "patches"))
    print(f"{len(patches.x)} patches.", file=sys.stderr)
    few = patches.first(len(RANKING_SEEDS))
    trained = train(few, options.closer_steps, SEED)
    trained = train(patches, options.more_closer_steps, SEED + 1, rate=1.5e-3, start_from=trained.state_dict())
    trained = train(patches, options.last_closer_steps, SEED + 2, start_from=trained.state_dict())
    trained = train(patches, options.further_closer_steps, SEED + 3, start_from=trained.state_dict())
    write(path, trained, patches, (
        f"Network: patches of {options.tree_scenes} scenes each of seeds {', '.join(map(str, RANKING_SEEDS))}, "
        f"{options.closer_steps} steps of {SIZE}; with those of {' and '.join(map(str, MORE_SEEDS))}, "
        f"{options.more_closer_steps} more, {options.last_closer_steps} and {options.further_closer_steps}, the rate as at "
        "first"))


def go_on(options, path, first, scenes, steps):
    """From what the table says: on, from its own looks at so many scenes of each seed, from number `first` on."""
    with open(path) as file:
        table = file.read()
    seeds = RANKING_SEEDS + MORE_SEEDS + NEW_SEEDS
    patches = Patches(Eye(options.root, options.work), [Drawn(options.work, seed, scenes, first=first) for seed in seeds],
                      os.path.join(options.work, "patches"), own_looks, OWN_PHASE)
    print(f"{len(patches.x)} patches of its own looks.", file=sys.stderr)
    torch.manual_seed(SEED + 2)  # For layers that the table hasn't.
    known = reread.closer(Closer(), table, patches.few_hundred())
    trained = train(patches, steps, SEED + 4, start_from=known.state_dict())
    write(path, trained, patches, f"{reread.provenance(table)}; from its own looks at {scenes} scenes each of seeds "
          f"{', '.join(map(str, seeds))}, from number {first} on, {steps} more")


def write(path, trained, patches, how):
    whole = quantise.Whole(trained, patches.few_hundred(), quantise.steps_of_closer)
    with open(path, "w") as file:
        file.write(whole.table(["Made by Scripts/train-card-eye: don't edit.", f"{how}; PyTorch {torch.__version__}."],
                               "eye_closer"))
    print(f"Wrote {path}.", file=sys.stderr)


def make(options):
    path = os.path.join(options.tables, "closer.inc")
    if options.go_on:
        with open(path, "w") as file:
            file.write(options.before["closer"])
    else:
        begin(options, path)
    for first, scenes, steps in zip(options.own_from, options.own_scenes, options.own_closer_steps):
        go_on(options, path, first, scenes, steps)
