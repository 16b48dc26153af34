"""What cards lie on. Each ground is a float32 picture, 0 to 255, of height x width."""

import math

import cv2
import numpy as np

from draw import LETTERS, as_colour, fill, grid, mix, rotation


def plain(b, h, w):
    return np.tile(b.natural(), (h, w, 1)) * (1 + b.uniform(0, 0.08) * b.noise(h, w))[..., None]


def gradient(b, h, w):
    x, y = grid(h, w)
    a = b.uniform(0, 2 * math.pi)
    t = (x * math.cos(a) + y * math.sin(a)) / (w + h) + 0.5
    base = b.natural()
    return mix(base, b.shade(base), t)


def clouds(b, h, w):
    base = b.natural()
    return mix(base, b.natural() if b.chance(0.3) else b.shade(base), 0.5 + b.uniform(0.1, 0.6) * b.noise(h, w))


def wood(b, h, w):
    """Grain along one direction, with growth lines and, at times, boards."""
    if b.chance(0.7):
        base = b.hsv(b.uniform(12, 38), b.uniform(0.2, 0.75), b.uniform(0.12, 0.95))
    else:
        base = b.natural()
    dark = base * b.uniform(0.35, 0.9) + b.normal(4, 3).astype(np.float32)
    stretch = b.uniform(4, 20)
    grain = b.noise(h, w, stretch=stretch)
    t = 0.5 + 0.35 * grain
    if b.chance(0.6):
        t = 0.5 + 0.5 * np.sin(grain * b.uniform(1, 6) + b.uniform(0, 6))
    if b.chance(0.6):
        t = t + b.uniform(0.1, 0.5) * b.noise(h, w, zoom=b.uniform(0.4, 0.9), stretch=b.uniform(8, 25))
    image = mix(dark, base, t)
    if b.chance(0.45):
        image = boards(b, image)
    return image


def boards(b, image):
    h, w = image.shape[:2]
    size = max(h, w)
    wide = b.uniform(0.06, 0.4) * size
    y = np.arange(h, dtype=np.float32) + b.uniform(0, wide)
    board = np.floor(y / wide)
    image = image * (1 + b.uniform(0, 0.25) * np.sin(board * 12.9))[:, None, None]
    gap = np.abs(y / wide - np.round(y / wide)) * wide
    width = b.uniform(0.8, 3.0) * size / 256
    depth = b.uniform(0.1, 0.9) * np.clip(width - gap, 0, 1)
    return image * (1 - depth)[:, None, None]


def weave(b, h, w):
    x, y = grid(h, w)
    f = b.uniform(0.4, 2.4) * 256 / max(h, w) * b.pick(1, 1, 2)
    base = b.natural()
    t = 0.5 + 0.25 * (np.sin(x * f) + np.sin(y * f * b.uniform(0.8, 1.2))) + 0.2 * b.noise(h, w)
    return mix(base, b.shade(base), t) * (1 + b.uniform(0, 0.3) * b.noise(h, w, zoom=2))[..., None]


def cloth(b, h, w):
    base = b.natural()
    folds = b.noise(h, w, zoom=b.uniform(1.5, 3), stretch=b.uniform(1, 4))
    t = 0.5 + 0.3 * (np.abs(folds) if b.chance(0.5) else folds)
    return mix(base, b.shade(base), t) * (1 + b.uniform(0, 0.1) * b.noise(h, w, zoom=0.5))[..., None]


def stripes(b, h, w):
    x, y = grid(h, w)
    scale = 256 / max(h, w)
    image = mix(b.natural(), b.natural(), 0.5 + 0.5 * np.tanh(
        np.sin(x * scale * b.uniform(0.06, 1.2) + b.uniform(0, 0.5) * b.noise(h, w)) * b.uniform(1, 10)))
    if b.chance(0.4):
        across = 0.5 + 0.5 * np.tanh(np.sin(y * scale * b.uniform(0.06, 1.2)) * b.uniform(1, 8))
        image = image * 0.6 + 0.4 * b.colour() * across[..., None]
    return image


def checks(b, h, w):
    x, y = grid(h, w)
    f = b.uniform(0.05, 0.6) * 256 / max(h, w)
    p, q = np.tanh(np.sin(x * f) * 8), np.tanh(np.sin(y * f * b.uniform(0.8, 1.2)) * 8)
    return mix(b.natural(), b.natural(), 0.5 + 0.5 * p * q if b.chance(0.5) else 0.25 * (2 + p + q))


def carpet(b, h, w):
    rows, columns = int(h / b.uniform(1, 3)), int(w / b.uniform(1, 3))
    fine = cv2.resize(b.rng.standard_normal((rows, columns), np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    base = b.natural()
    return mix(base, b.shade(base), 0.5 + b.uniform(0.1, 0.6) * fine + b.uniform(0, 0.3) * b.noise(h, w))


def tiles(b, h, w):
    x, y = grid(h, w)
    size = max(h, w)
    tw = b.uniform(0.05, 0.45) * size
    th = tw * b.uniform(0.4, 1)
    gx, gy = x / tw + b.uniform(0, 1), y / th + b.uniform(0, 1)
    if b.chance(0.4):
        gx = gx + 0.5 * (np.floor(gy) % 2)
    base = b.natural()
    image = mix(base, b.shade(base), 0.5 + b.uniform(0, 0.4) * b.noise(h, w))
    image *= (1 + b.uniform(0, 0.4) * np.sin(np.floor(gx) * 7.1 + np.floor(gy) * 13.7))[..., None]
    gap = np.minimum(np.abs(gx - np.round(gx)) * tw, np.abs(gy - np.round(gy)) * th)
    joint = np.clip(b.uniform(0.8, 4) * size / 256 - gap, 0, 1)
    return mix(image, b.natural(), joint)


def newsprint(b, h, w):
    image = np.zeros((h, w, 3), np.float32) + b.white()
    columns, x = b.integer(1, 4), 0
    for column in range(columns):
        y, wide = 0, w // columns - 3
        while y < h - 12:
            tall = min(h - y, int(b.uniform(0.08, 0.5) * h) + 10)
            part = image[y:y + tall - 4, x:x + wide]
            if b.chance(0.65):
                part *= 1 - b.page(*part.shape[:2])[..., None] * b.uniform(0.4, 0.95)
            elif b.chance(0.6):
                part *= 1 - headline(b, *part.shape[:2])[..., None] * b.uniform(0.4, 0.95)
            else:  # A photograph whose edges are soft, so that nobody takes it for a card.
                rough = np.clip(0.5 + 0.5 * b.noise(*part.shape[:2]), 0, 1)[..., None]
                part *= 0.35 + 0.6 * rough
            y += tall
        x += w // columns
    return image


def headline(b, h, w):
    """A few lines of large letters as coverage, 0 to 1."""
    mask = np.zeros((h, w), np.uint8)
    tall = b.uniform(0.05, 0.16) * max(h, w)
    y = tall * 1.2
    while y < h:
        letters = "".join(b.rng.choice(LETTERS, b.integer(2, 12)))
        cv2.putText(mask, letters, (b.integer(0, w // 4), int(y)), cv2.FONT_HERSHEY_SIMPLEX, tall / 22, 255,
                    max(1, int(tall * b.uniform(0.08, 0.3))), cv2.LINE_AA)
        y += tall * b.uniform(1.3, 2)
    return np.float32(mask) / 255


def print_(b, h, w):
    """A printed cloth: many small figures of few colours."""
    image = np.empty((h, w, 3), np.uint8)
    image[:] = b.natural()
    palette = [b.natural() for _ in range(b.integer(2, 5))]
    scale = max(h, w) / 256
    for _ in range(b.integer(15, 60)):
        x, y, size = b.uniform(0, w), b.uniform(0, h), b.uniform(3, 20) * scale
        colour = as_colour(palette[b.integer(0, len(palette) - 1)])
        kind = b.integer(0, 3)
        if kind == 0:
            cv2.circle(image, (int(x), int(y)), int(size), colour, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.ellipse(image, (int(x), int(y)), (int(size), int(size / 3) + 1), b.uniform(0, 180), 0, 360, colour, -1,
                        cv2.LINE_AA)
        elif kind == 2:
            fill(image, b.normal(size, (5, 2)) + [x, y], colour)
        else:
            end = (int(x + b.normal(size)), int(y + b.normal(size)))
            cv2.line(image, (int(x), int(y)), end, colour, b.integer(1, 3), cv2.LINE_AA)
    return np.float32(image)


def motifs(b, h, w):
    """A cloth with larger printed pictures of round corners and bulging sides (bread, jars, mugs, hearts), in rows or strewn."""
    base = b.natural() if b.chance(0.5) else b.white()
    image = np.empty((h, w, 3), np.uint8)
    image[:] = np.clip(base, 0, 255)
    palette = [b.colour() if b.chance(0.5) else b.shade(base, 0.3, 1.5) for _ in range(b.integer(2, 5))]
    kinds = [outline(b) for _ in range(b.integer(1, 4))]
    size = b.uniform(0.04, 0.2) * max(h, w)
    step = size * b.uniform(1.1, 2.2)
    strewn, turned = b.uniform(0, 0.4) * step * b.integer(0, 1), b.chance(0.5)
    columns, rows = int(w / step) + 2, int(h / step) + 2
    for k in range(columns * rows):
        at = np.float32([k % columns + 0.5 * (k // columns % 2), k // columns]) * step + b.normal(strewn + 0.01, 2)
        turn = b.uniform(0, 2 * math.pi) if turned else b.normal(0.05)
        shape = kinds[b.integer(0, len(kinds) - 1)] @ np.float32(rotation(turn)) * size / 2
        colours = [as_colour(palette[b.integer(0, len(palette) - 1)]) for _ in range(3)]
        fill(image, shape + at, colours[0])
        if b.chance(0.7):  # A crust, a rim, a label.
            fill(image, shape * b.uniform(0.7, 0.93) + at, colours[1])
        for _ in range(b.integer(0, 3)):
            centre = np.int32(at + b.normal(0.15 * size, 2))
            axes = int(b.uniform(0.03, 0.2) * size) + 1, int(b.uniform(0.03, 0.2) * size) + 1
            cv2.ellipse(image, centre.tolist(), axes, b.uniform(0, 180), 0, 360, colours[2], -1, cv2.LINE_AA)
    return np.float32(image) * (1 + b.uniform(0, 0.1) * b.noise(h, w))[..., None]


def outline(b):
    """A closed line about the square from -1 to 1: between a circle and a square whose corners stay round, with lobes and taper."""
    turn = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    power = 2 / b.uniform(2, 5.5)
    x = np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** power * b.uniform(0.65, 1)
    y = np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** power
    lobes = 1 + b.uniform(0, 0.12) * np.cos(turn * b.integer(2, 5) + b.uniform(0, 6))
    taper = 1 + b.uniform(-0.25, 0.25) * y
    return np.stack([x * lobes * taper, y * lobes], 1).astype(np.float32)


def leaves(b, h, w):
    image = np.empty((h, w, 3), np.uint8)
    base = b.natural()
    image[:] = base
    scale = max(h, w) / 256
    for _ in range(b.integer(40, 110)):
        axes = (int(b.uniform(2, 26) * scale) + 1, int(b.uniform(2, 10) * scale) + 1)
        cv2.ellipse(image, (b.integer(0, w), b.integer(0, h)), axes, b.uniform(0, 180), 0, 360,
                    as_colour(base * b.uniform(0.25, 1.7)), -1, cv2.LINE_AA)
    return np.float32(image)


def blobs(b, h, w):
    base = b.natural()
    image = mix(base, b.shade(base), 0.5 + 0.5 * np.tanh(b.noise(h, w) * 4))
    return mix(image, b.natural(), (b.noise(h, w) - b.uniform(-0.3, 1)) * 20)


def marble(b, h, w):
    base = b.natural()
    veins = np.exp(-np.abs(b.noise(h, w, zoom=b.uniform(1, 2.5))) * b.uniform(3, 20))
    return mix(base, b.shade(base), veins * b.uniform(0.3, 1))


def ground(b, h, w):
    kind = b.weighted(plain=9, gradient=7, clouds=9, wood=22, weave=6, cloth=8, stripes=4, checks=4, carpet=10,
                      tiles=6, newsprint=4, print_=4, motifs=5, leaves=3, blobs=3, marble=4)
    image = globals()[kind](b, h, w)
    if kind not in ("plain", "gradient") and b.chance(0.55):
        image = lie(b, image)
    return np.clip(image, 0, 255).astype(np.float32)


def table(b, h, w):
    """A ground without joints and squares: mostly wood."""
    kind = b.weighted(wood=50, plain=12, clouds=8, cloth=10, carpet=8, marble=6, gradient=6)
    image = globals()[kind](b, h, w)
    if kind != "plain" and b.chance(0.5):
        image = lie(b, image)
    return np.clip(image, 0, 255).astype(np.float32)


def lie(b, image):
    """Turns a ground and lays it into perspective."""
    h, w = image.shape[:2]
    corners = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
    centre = np.float32([w / 2, h / 2])
    angle = b.uniform(0, 2 * math.pi) if b.chance(0.75) else b.normal(0.1)
    to = (corners - centre) @ np.float32(rotation(angle)) * b.uniform(1, 1.6) + centre + b.normal(0.09, (4, 2)) * [w, h]
    matrix = cv2.getPerspectiveTransform(corners, np.float32(to))
    return cv2.warpPerspective(image, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
