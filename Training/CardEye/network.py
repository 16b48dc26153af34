"""The network: what it learns from, its layers, and its training.

It looks at a picture of 256 pixels on the long side and says for each cell of 4 x 4 pixels: whether it lies on a card
(mask), on a card's edge (border), on a corner (where straight sides meet), and the vector to the nearest side's line,
which makes lines exact from a coarse map.
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from learn import learn

CELL = 4
FAR = 3.2  # Cells from a side at which its vector ends.
NONE = -128  # No side is near.


# What it learns from

def targets(quads, height=192, width=256):
    """Maps of a scene as int8 of 5 x height/4 x width/4.

    Mask, border and corner: 0 to 127; vectors: 32nds of a cell, or NONE. Later cards lie over earlier ones.
    """
    rows, columns = height // CELL, width // CELL
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) * CELL + (CELL - 1) / 2
    mask, border, corner = (np.zeros((rows, columns), np.float32) for _ in range(3))
    vector = np.full((2, rows, columns), 99, np.float32)
    for quad in quads:
        a, d = quad, np.roll(quad, -1, 0) - quad
        length = np.linalg.norm(d, axis=1)
        d = d / length[:, None]
        normal = np.stack([-d[:, 1], d[:, 0]], 1)  # Inward.
        rx, ry = x - a[:, 0, None, None], y - a[:, 1, None, None]
        deep = rx * normal[:, 0, None, None] + ry * normal[:, 1, None, None]
        on = np.clip(rx * d[:, 0, None, None] + ry * d[:, 1, None, None], 0, length[:, None, None])
        away = np.hypot(rx - on * d[:, 0, None, None], ry - on * d[:, 1, None, None])
        nearest = away.argmin(0)
        near = away.min(0) / CELL
        own = -np.take_along_axis(deep, nearest[None], 0)[0] / CELL
        toward = np.stack([own * normal[nearest, 0], own * normal[nearest, 1]])
        inside = deep.min(0) / CELL
        edge = np.exp(-near ** 2 / (2 * 0.8 ** 2))
        mask = np.maximum(mask, np.clip(inside + 0.5, 0, 1))
        border = np.where(inside > 0, edge, np.maximum(edge, border))
        mine = (near < FAR) & ((near < np.hypot(*vector)) | (inside > -0.5))
        vector = np.where(mine, toward, np.where(inside > 0, 99, vector))
        corner = np.where(inside > 0.5, 0, corner)
        for px, py in quad:
            corner = np.maximum(corner, np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * (1.1 * CELL) ** 2)))
    vector = np.where(np.abs(vector).max(0) < 3.9, np.round(vector * 32), NONE)
    return np.concatenate([np.round(np.stack([mask, border, corner]) * 127), vector]).astype(np.int8)


# Layers

def conv(inputs, outputs, kernel=3, stride=1, dilation=1, groups=1, relu=True):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, dilation * (kernel // 2), dilation, groups, bias=False),
              nn.BatchNorm2d(outputs, momentum=0.05)]
    return nn.Sequential(*layers, *([nn.ReLU(inplace=True)] if relu else []))


class Separate(nn.Module):
    """Depthwise 3 x 3, then 1 x 1, added to the input."""

    def __init__(self, channels):
        super().__init__()
        self.depth = conv(channels, channels, groups=channels)
        self.point = conv(channels, channels, 1, relu=False)

    def forward(self, x):
        return F.relu(x + self.point(self.depth(x)))


class Dense(nn.Module):
    """3 x 3, added to the input."""

    def __init__(self, channels, dilation=1):
        super().__init__()
        self.full = conv(channels, channels, dilation=dilation, relu=False)

    def forward(self, x):
        return F.relu(x + self.full(x))


class Join(nn.Module):
    """A coarse map, made as deep as the finer one, enlarged twice and added to it."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.point = conv(inputs, outputs, 1)

    def forward(self, coarse, fine):
        return fine + F.interpolate(self.point(coarse), scale_factor=2, mode="nearest")


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([
            nn.Sequential(conv(3, 8, stride=2), conv(8, 24, stride=2), Separate(24)),
            nn.Sequential(conv(24, 32, stride=2), Separate(32), Separate(32)),
            nn.Sequential(conv(32, 48, stride=2), Separate(48), Dense(48)),
            nn.Sequential(conv(48, 64, stride=2), Dense(64), Dense(64, 2))])
        self.join = nn.ModuleList([Join(64, 48), Join(48, 32), Join(32, 24)])
        self.up = nn.ModuleList([nn.Sequential(Separate(c), Separate(c)) for c in (48, 32, 24)])
        self.head = nn.Conv2d(24, 5, 1)
        with torch.no_grad():
            self.head.bias[:] = torch.tensor([-1.0, -3.0, -4.0, 0.0, 0.0])

    def forward(self, x):
        levels = []
        for stage in self.down:
            x = stage(x)
            levels.append(x)
        for join, stage, fine in zip(self.join, self.up, reversed(levels[:-1])):
            x = stage(join(x, fine))
        return self.head(x)


def normalised(images):
    """Pictures (n x h x w x 3, BGR, 8 bits) as the network's input."""
    return (torch.from_numpy(np.array(images)).permute(0, 3, 1, 2).float() - 128) / 64


# Training

def loss(output, wanted):
    cross = lambda k: F.binary_cross_entropy_with_logits(output[:, k], wanted[:, k], reduction="none")
    band = (wanted[:, 3] > -4).float()
    mask = (cross(0) * (1 + 2 * band)).mean()
    shown = torch.sigmoid(output[:, 0])
    both = (shown * wanted[:, 0]).sum((1, 2))
    dice = 1 - (2 * both + 20) / (shown.sum((1, 2)) + wanted[:, 0].sum((1, 2)) + 20)
    border = (cross(1) * (1 + 5 * wanted[:, 1])).mean()
    corner = (cross(2) * (1 + 25 * wanted[:, 2])).mean()
    vector = ((output[:, 3:] - wanted[:, 3:]).abs().sum(1) * band).sum() / (band.sum() + 1)
    parts = torch.stack([mask, dice.mean(), border, corner, vector])
    return parts @ torch.tensor([1.0, 0.5, 1.5, 1.5, 0.4]), parts.detach()


def batch(rng, store, maps, size):
    """Scenes of the store, mirrored, transposed, recoloured."""
    chosen = np.sort(rng.integers(0, len(maps), size))
    x = normalised(store.pictures(chosen))
    y = torch.from_numpy(maps[chosen]).float()
    near = y[:, 3] > NONE
    y = torch.cat([y[:, :3] / 127, torch.where(near[:, None], y[:, 3:] / 32, torch.tensor(-99.0))], 1)
    flip = lambda t: torch.where(t > -50, -t, t)
    if rng.random() < 0.5:
        x, y = x.flip(3), y.flip(3)
        y[:, 3] = flip(y[:, 3])
    if rng.random() < 0.5:
        x, y = x.flip(2), y.flip(2)
        y[:, 4] = flip(y[:, 4])
    if rng.random() < 0.5:
        x, y = x.transpose(2, 3), y.transpose(2, 3)[:, [0, 1, 2, 4, 3]]
    some = int(rng.integers(0, size + 1))
    if rng.random() < 0.5:
        x[:some] = x[:some][:, torch.from_numpy(rng.permutation(3))]
    if rng.random() < 0.4:
        x[some:] = (x[some:] * float(rng.uniform(0.6, 1.4)) + float(rng.uniform(-0.4, 0.4))).clamp(-2, 2)
    return x.contiguous(memory_format=torch.channels_last), y.contiguous()


def train(store, steps, seed=1, size=16, rate=3e-3, start_from=None):
    maps = np.stack([targets(q[:n]) for q, n in zip(store.quads, store.counts)])

    def measure(network, x, y):
        with torch.autocast("cpu", torch.bfloat16):
            output = network(x)
        return loss(output.float(), y)

    return learn(Network, lambda rng: batch(rng, store, maps, size), measure, steps, seed, rate, 1e-4, 0.998,
                 "mask, overlap, border, corner, vector", start_from)
