"""Scenes that are full of straight edges and hold no card: houses, shelves, keys, boards, boxes, screens.

What is drawn here repeats, carries bars or frames, or shows more than one face, so that a person could tell it from a
card. Each is an 8-bit picture of height x width.
"""

import math

import cv2
import numpy as np

from draw import as_colour, blend, fill, grid, map_points, square_to
from grounds import ground, lie


def canvas(b, h, w, colour):
    image = np.empty((h, w, 3), np.uint8)
    image[:] = np.clip(colour * (1 + b.uniform(0, 0.1) * b.noise(h, w))[..., None], 0, 255)
    return image


def rectangle(image, place, x0, y0, x1, y1, colour):
    """A rectangle of the unit square, through the perspective `place`."""
    fill(image, map_points(place, [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), colour)


def stroke(b, image, place, x0, y0, x1, y1, colour, width=None):
    p, q = map_points(place, [[x0, y0], [x1, y1]]) * 8
    unit = max(image.shape[:2]) / 256
    cv2.line(image, np.int32(p).tolist(), np.int32(q).tolist(), as_colour(colour),
             max(1, int((width or b.uniform(1, 3)) * unit)), cv2.LINE_AA, 3)


def wall(b, h, w, beyond=0.25):
    """Four corners of a wall that goes beyond the picture or ends inside it."""
    corners = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
    return square_to(corners + b.normal(beyond / 2, (4, 2)) * [w, h] + np.sign(corners - [w / 2, h / 2]) *
                     [b.uniform(0, 0.4) * w, b.uniform(0, 0.3) * h])


def windows(b, image, place, columns, rows, colour):
    """Rows of windows with frames, and bars or halves of another shade."""
    glass = b.natural() * b.uniform(0.2, 1)
    frame = b.shade(colour, 0.4, 1.8)
    mx, my = b.uniform(0.12, 0.34), b.uniform(0.1, 0.32)
    cross, middle, sill = b.chance(0.7), b.chance(0.6), b.chance(0.5)
    for i in range(columns):
        for j in range(rows):
            if b.chance(0.1):
                continue
            x0, x1 = (i + mx) / columns, (i + 1 - mx) / columns
            y0, y1 = (j + my) / rows, (j + 1 - my) / rows
            edge = b.uniform(0.03, 0.1) / columns
            rectangle(image, place, x0 - edge, y0 - edge, x1 + edge, y1 + edge, frame)
            rectangle(image, place, x0, y0, x1, y1, b.shade(glass, 0.6, 1.3))
            if not (cross or middle) or b.chance(0.3):  # A curtain or reflection fills a part.
                part = b.uniform(0.3, 0.7)
                rectangle(image, place, x0, y0, x0 + part * (x1 - x0), y1, b.shade(glass, 0.6, 1.8))
            if middle:
                stroke(b, image, place, (x0 + x1) / 2, y0, (x0 + x1) / 2, y1, frame)
            if cross:
                y = y0 + (y1 - y0) * b.pick(0.5, 0.33)
                stroke(b, image, place, x0, y, x1, y, frame)
            if sill:
                rectangle(image, place, x0 - 2 * edge, y1 + edge, x1 + 2 * edge, y1 + 2 * edge, b.shade(frame, 0.5, 1.2))


def sky(b, h, w):
    image = canvas(b, h, w, b.hsv(b.uniform(190, 240), b.uniform(0, 0.5), b.uniform(0.5, 1)))
    horizon = int(b.uniform(0.3, 0.9) * h)
    image[horizon:] = ground(b, h - horizon, w)
    return image


def facade(b, h, w):
    image = sky(b, h, w)
    for _ in range(b.integer(1, 3)):
        colour, place = b.natural(), wall(b, h, w)
        rectangle(image, place, 0, 0, 1, 1, colour)
        if b.chance(0.4):
            for k in range(b.integer(8, 40)):
                stroke(b, image, place, 0, k / 40, 1, k / 40, b.shade(colour, 0.8, 1), 1)
        windows(b, image, place, b.integer(1, 7), b.integer(1, 6), colour)
    plants(b, image)
    return image


def garage(b, h, w):
    """Garage doors and gates: panels, ribs, boards."""
    colour = b.natural()
    image = canvas(b, h, w, colour)
    place = wall(b, h, w, 0.15)
    if b.chance(0.5):
        for k in range(24):
            stroke(b, image, place, 0, k / 24, 1, k / 24, b.shade(colour, 0.75, 1), 1)
    for k in range(count := b.integer(1, 3)):
        x0, x1 = (k + b.uniform(0.08, 0.2)) / count, (k + 1 - b.uniform(0.08, 0.2)) / count
        y0, y1 = b.uniform(0.15, 0.4), b.uniform(0.75, 1)
        door = b.natural()
        rectangle(image, place, x0 - 0.015, y0 - 0.02, x1 + 0.015, y1, b.shade(door, 0.5, 1.6))
        rectangle(image, place, x0, y0, x1, y1, door)
        rows, columns = b.integer(3, 12), b.integer(1, 6)
        line = b.shade(door, 0.5, 0.9)
        for row in range(1, rows):
            y = y0 + (y1 - y0) * row / rows
            stroke(b, image, place, x0, y, x1, y, line)
        if b.chance(0.6):
            for row in range(rows):
                for column in range(columns):
                    u, v = (x1 - x0) / columns, (y1 - y0) / rows
                    rectangle(image, place, x0 + (column + 0.12) * u, y0 + (row + 0.18) * v, x0 + (column + 0.88) * u,
                              y0 + (row + 0.82) * v, b.shade(door, 0.8, 1.15))
    image[-b.integer(4, h // 4):] = b.natural()
    if b.chance(0.5):
        plants(b, image)
    return image


def street(b, h, w):
    """Two rows of houses that meet far away, a road and a sky."""
    image = canvas(b, h, w, b.hsv(b.uniform(190, 240), b.uniform(0, 0.4), b.uniform(0.5, 1)))
    vx, vy = b.uniform(0.3, 0.7) * w, b.uniform(0.3, 0.6) * h
    fill(image, [[vx - 2, vy], [vx + 2, vy], [w * b.uniform(1, 1.6), h], [-w * b.uniform(0, 0.6), h]], b.natural())
    for side, x in ((-1, 0), (1, w)):
        end = vx + side * b.uniform(0.05, 0.3) * w
        share = abs(end - x) / max(abs(vx - x), 1)
        top, bottom = b.uniform(-0.6, 0.2) * h, b.uniform(0.75, 1.3) * h
        colour = b.natural()
        place = square_to([[x, top], [end, top + (vy - top) * share], [end, bottom + (vy - bottom) * share], [x, bottom]])
        rectangle(image, place, 0, 0, 1, 1, colour)
        windows(b, image, place, b.integer(2, 7), b.integer(2, 6), colour)
    plants(b, image)
    return image


FACES = (0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)


def is_shown(face, centre):
    """Whether a solid's face, as four corners in space, is turned to the camera."""
    normal = np.cross(face[1] - face[0], face[3] - face[0])
    middle = face.mean(0)
    return (normal @ (middle - centre) > 0) == (normal @ middle < 0)


def boxes(b, h, w):
    """Parcels and furniture: solids of which two or three faces show."""
    image = ground(b, h, w).astype(np.uint8)
    if b.chance(0.5):
        y = b.uniform(0.2, 0.7) * h
        fill(image, [[0, y], [w, y + b.normal(0.05) * h], [w, h], [0, h]], b.natural())
    focus = b.uniform(0.8, 1.6) * max(h, w)
    for _ in range(b.integer(1, 6)):
        size = np.float32([b.uniform(0.3, 1), b.uniform(0.3, 1), b.uniform(0.4, 1)]) * b.uniform(0.25, 1.1)
        turn, _ = cv2.Rodrigues(np.float64([b.uniform(-0.9, -0.35), b.uniform(0.35, 1.2) * b.pick(-1, 1), b.normal(0.1)]))
        centre = np.float32([b.uniform(-0.8, 0.8), b.uniform(-0.5, 0.7), b.uniform(1.6, 3)])
        ends = (-0.5, 0.5)
        corner = np.float32([[x, y, z] for x in ends for y in ends for z in ends]) * size @ turn.T + centre
        if corner[:, 2].min() < 0.4:
            continue
        flat = corner[:, :2] / corner[:, 2:] * focus + [w / 2, h / 2]
        shown = [flat[list(face)] for face in FACES if is_shown(corner[list(face)], centre)]
        areas = [cv2.contourArea(np.float32(points)) for points in shown]
        if max(areas) > 0.75 * sum(areas):  # Nobody could tell it from a sheet.
            continue
        colour = b.natural()
        for points in shown:
            shade = b.shade(colour, 0.45, 1.2)
            fill(image, points, shade)
            if b.chance(0.4):
                place = square_to(points)
                rows = b.integer(2, 5)
                for k in range(1, rows):
                    stroke(b, image, place, 0, k / rows, 1, k / rows, b.shade(shade, 0.5, 1.2))
    return image


def shelf(b, h, w):
    """Books and files side by side."""
    image = canvas(b, h, w, b.natural() * 0.4)
    scale = max(h, w) / 256
    y = -b.integer(0, 40)
    while y < h:
        tall, x = b.uniform(30, 120) * scale, -b.integer(0, 20)
        while x < w:
            wide, high = b.uniform(4, 26) * scale, tall * b.uniform(0.6, 0.97)
            lean = 0 if b.chance(0.85) else b.normal(8) * scale
            top, bottom = y + tall - high, y + tall
            colour = b.colour() if b.chance(0.6) else b.natural()
            fill(image, [[x + lean, top], [x + wide + lean, top], [x + wide, bottom], [x, bottom]], colour)
            if b.chance(0.5):
                band = top + high * b.uniform(0.05, 0.8)
                fill(image, [[x, band], [x + wide, band], [x + wide, band + high * 0.1], [x, band + high * 0.1]], b.colour())
            x += wide + (b.uniform(0, 12) * scale if b.chance(0.1) else 0)
        y += tall + b.uniform(2, 10) * scale
    return np.clip(lie(b, np.float32(image)), 0, 255).astype(np.uint8) if b.chance(0.4) else image


def keyboard(b, h, w):
    """Keys in rows, each with a sign, and what is around a keyboard."""
    image = ground(b, h, w).astype(np.uint8)
    body = b.natural() * b.uniform(0.3, 1)
    key = b.shade(body, 0.5, 1.8)
    corners = np.float32([[0, 0], [w, 0], [w, h], [0, h]]) + b.normal(0.16, (4, 2)) * [w, h]
    place = square_to(np.float32(corners + np.sign(corners - [w / 2, h / 2]) * [b.uniform(0, 0.8) * w, b.uniform(-0.1, 0.8) * h]))
    rectangle(image, place, -0.02, -0.04, 1.02, 1.04, body)
    rows, columns = b.integer(4, 6), b.integer(8, 16)
    gx, gy = b.uniform(0.04, 0.14), b.uniform(0.04, 0.14)
    sign = b.shade(255 - key)
    for row in range(rows):
        x = -b.uniform(0, 0.5)
        while x < columns:
            wide = 1 if b.chance(0.88) else b.uniform(1.3, 2.5)
            if row == rows - 1 and b.chance(0.25):
                wide = columns * 0.4
            x0, x1, y0, y1 = (x + gx) / columns, (x + wide - gx) / columns, (row + gy) / rows, (row + 1 - gy) / rows
            rectangle(image, place, x0, y0, x1, y1, b.shade(key, 0.9, 1.1))
            if wide < 3:
                cx, cy = x0 + 0.35 * (x1 - x0), y0 + 0.35 * (y1 - y0)
                stroke(b, image, place, cx, cy, cx + b.uniform(0, 0.25) / columns, cy + b.uniform(0, 0.3) / rows, sign, 1)
            x += wide
    return image


def screen(b, h, w):
    """A monitor or a notebook with windows on it, on its stand or above its keys, usually cut by the picture."""
    image = ground(b, h, w).astype(np.uint8)
    wide, tall = b.uniform(0.7, 1.7) * w, b.uniform(0.6, 1.3) * h
    cx, cy = b.uniform(0.2, 0.8) * w, b.uniform(0.1, 0.5) * h
    corners = np.float32([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2 + [cx, cy]
    place = square_to(np.float32(corners + b.normal(0.03, (4, 2)) * [w, h]))
    case = b.natural() * b.uniform(0.1, 0.6)
    foot = b.uniform(0.15, 0.5)
    rectangle(image, place, 0.5 - foot / 2, 1, 0.5 + foot / 2, 1.35, b.shade(case, 0.8, 1.8))
    rectangle(image, place, 0.1, 1.3, 0.9, 1.4, b.shade(case, 0.8, 1.8))
    rim = b.uniform(0.015, 0.05)
    rectangle(image, place, -rim, -rim, 1 + rim, 1 + 2 * rim, case)
    page = b.natural()
    rectangle(image, place, 0, 0, 1, 1, page)
    rectangle(image, place, 0, 0, 1, b.uniform(0.03, 0.1), b.shade(page, 0.5, 1.5))
    column = b.uniform(0.1, 0.35)
    rectangle(image, place, 0, 0.1, column, 1, b.shade(page, 0.6, 1.4))
    for k in range(b.integer(6, 26)):
        y, x = 0.14 + 0.84 * b.uniform(0, 1), column + 0.03
        stroke(b, image, place, x, y, b.uniform(x, 0.97), y, b.shade(255 - page), b.uniform(1, 3))
    return image


def planks(b, h, w):
    """Boards with ends, cracks and other woods beside one another: decks, crates, parquet."""
    image = np.zeros((h, w, 3), np.float32)
    base = b.hsv(b.uniform(12, 38), b.uniform(0.1, 0.7), b.uniform(0.2, 0.95))
    wide = b.uniform(0.05, 0.3) * h
    y, gap = 0.0, b.uniform(1, 3) * max(h, w) / 256
    grain = b.noise(h, w, stretch=b.uniform(6, 16))[..., None] * 0.12
    joint = b.shade(base, 0.1, 0.6)
    while y < h:
        top, bottom = int(y), int(min(h, y + wide))
        x = -b.uniform(0, 1) * w
        while x < w:
            long = b.uniform(2.2, 9) * wide
            image[top:bottom, max(0, int(x)):max(0, int(x + long))] = b.shade(base, 0.75, 1.15)
            image[top:bottom, max(0, int(x)):max(0, int(x + gap))] = joint
            x += long
        image[top:top + max(1, int(gap))] = joint
        y += wide
    return np.clip(lie(b, image * (1 + grain)), 0, 255).astype(np.uint8)


def cells(b, h, w):
    """Stones, cracks, patches: the nearest of scattered points."""
    n = b.integer(8, 70)
    points = b.rng.random((n, 2)) * [w, h]
    y, x = np.mgrid[0:h:3, 0:w:3]
    distance = (x[..., None] - points[:, 0]) ** 2 + (y[..., None] - points[:, 1]) ** 2
    palette = np.stack([b.natural() for _ in range(4)])
    colours = palette[b.rng.integers(0, 4, n)] * b.rng.uniform(0.6, 1.3, (n, 1))
    image = cv2.resize(np.float32(colours[distance.argmin(2)]), (w, h), interpolation=cv2.INTER_NEAREST)
    return np.clip(image * (1 + 0.1 * b.noise(h, w))[..., None], 0, 255).astype(np.uint8)


def paving(b, h, w):
    """Tiles or bricks all over, with joints."""
    image = canvas(b, h, w, b.natural())
    place = wall(b, h, w, 0.3)
    base = b.natural()
    columns, rows = b.integer(3, 12), b.integer(3, 14)
    g, shift = b.uniform(0.01, 0.08), b.pick(0, 0.5)
    for row in range(rows):
        for column in range(-1, columns):
            x = column + shift * (row % 2)
            rectangle(image, place, (x + g) / columns, (row + g) / rows, (x + 1 - g) / columns, (row + 1 - g) / rows,
                      b.shade(base, 0.8, 1.15))
    return image


def plants(b, image):
    h, w = image.shape[:2]
    for _ in range(b.integer(0, 3)):
        x, y, size, colour = b.uniform(0, w), b.uniform(0.2, 1) * h, b.uniform(0.04, 0.2) * w, b.natural() * 0.6
        for _ in range(b.integer(20, 60)):
            at = (int(x + b.normal(size)), int(y + b.normal(size * 0.7)))
            cv2.circle(image, at, int(b.uniform(1, 7) * w / 256) + 1, as_colour(colour * b.uniform(0.4, 1.8)), -1, cv2.LINE_AA)
    for _ in range(b.integer(0, 4)):
        cv2.line(image, (b.integer(0, w), b.integer(0, h)), (b.integer(0, w), b.integer(0, h)), as_colour(b.natural()),
                 b.integer(1, 2), cv2.LINE_AA)


KINDS = dict(facade=16, garage=12, street=9, boxes=14, shelf=9, keyboard=10, screen=8, planks=9, cells=5, paving=8)


def negative(b, h, w):
    """A scene without a card; returns the picture as float32 and the name of its kind."""
    kind = b.weighted(**KINDS)
    image = globals()[kind](b, h, w)
    return np.float32(image), kind


# What failed at first


def bricks(b, h, w):
    """Few large stones of a wall, each of its own colour, rough, with wide joints; some joints are hidden. The wall may end
    where another one begins, along a line that isn't straight."""
    base = b.natural() if b.chance(0.4) else b.hsv(b.uniform(5, 40), b.uniform(0.1, 0.6), b.uniform(0.3, 0.85))
    image = canvas(b, h, w, b.shade(base, 0.4, 1.5))
    place = wall(b, h, w, 0.25)
    columns, rows = b.uniform(1.2, 5), b.uniform(1.5, 7)
    g, rough, spread = b.uniform(0.02, 0.12), b.uniform(0, 0.05), b.uniform(0.05, 0.5)
    y = -b.uniform(0, 1)
    while y < rows:
        tall, x = b.uniform(0.7, 1.3) if b.chance(0.3) else 1.0, -b.uniform(0, 1)
        while x < columns:
            wide = b.uniform(0.5, 1.6) if b.chance(0.5) else 1.0
            corners = np.float32([[x + g, y + g], [x + wide - g, y + g], [x + wide - g, y + tall - g], [x + g, y + tall - g]])
            points = []
            for i in range(4):
                for t in (0, 0.33, 0.67) if rough > 0.01 else (0,):
                    points.append(corners[i] * (1 - t) + corners[(i + 1) % 4] * t + b.normal(rough, 2))
            fill(image, map_points(place, np.float32(points) / [columns, rows]), b.shade(base, 1 - spread, 1 + spread))
            x += wide
        y += tall
    image = np.float32(image)
    image *= (1 + b.uniform(0.02, 0.2) * b.noise(h, w) + b.uniform(0, b.pick(0.08, 0.3)) * b.noise(h, w, zoom=0.5))[..., None]
    for _ in range(b.pick(0, 0, 0, 1, 2)):
        beside(b, image)
    return np.clip(image, 0, 255).astype(np.uint8)


def beside(b, image):
    """Lays another ground beside what is there, from a wavy line on."""
    h, w = image.shape[:2]
    x, y = grid(h, w)
    way, wave = b.uniform(0, 2 * math.pi), b.uniform(0, 0.03) * b.noise(h, w)
    deep = (x / w - 0.5) * math.cos(way) + (y / h - 0.5) * math.sin(way) + wave - b.uniform(0.05, 0.4)
    blend(image, ground(b, h, w), np.clip(deep * w / 2, 0, 1))


def window(b, h, w):
    """A window or a glass door from inside or outside: frame, bars, what is behind the glass, curtains."""
    colour = b.natural()
    image = canvas(b, h, w, colour)
    wide, tall = b.uniform(0.4, 1.2) * w, b.uniform(0.4, 1.2) * h
    cx, cy = b.uniform(0.3, 0.7) * w, b.uniform(0.3, 0.7) * h
    corners = np.float32([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2 + [cx, cy]
    place = square_to(np.float32(corners + b.normal(0.03, (4, 2)) * [w, h]))
    frame = b.white() * b.uniform(0.6, 1) if b.chance(0.6) else b.shade(colour, 0.3, 1.6)
    rim = b.uniform(0.02, 0.09)
    rectangle(image, place, -rim, -rim, 1 + rim, 1 + rim, b.shade(frame, 0.7, 1))
    view = sky(b, h, w) if b.chance(0.6) else canvas(b, h, w, b.natural() * b.uniform(0.1, 1))
    mask = np.zeros((h, w), np.uint8)
    rectangle(mask, place, 0, 0, 1, 1, 255)
    image[mask > 127] = view[mask > 127]
    columns, rows = b.integer(1, 4), b.integer(1, 3)
    if columns * rows == 1:
        columns = 2
    bar = b.uniform(0.01, 0.05)
    for k in range(1, columns):
        rectangle(image, place, k / columns - bar, 0, k / columns + bar, 1, frame)
    for k in range(1, rows):
        rectangle(image, place, 0, k / rows - bar, 1, k / rows + bar, frame)
    if b.chance(0.4):
        x = b.uniform(0, 0.4)
        drape = b.natural()
        for k in range(12):
            rectangle(image, place, x * k / 12 - 0.1, -0.2, x * (k + 1) / 12 - 0.1, 1.2, b.shade(drape, 0.7, 1.2))
    if b.chance(0.5):
        rectangle(image, place, -2 * rim, 1 + rim, 1 + 2 * rim, 1 + rim + b.uniform(0.03, 0.1), b.shade(frame, 0.6, 1.1))
    if b.chance(0.4):
        plants(b, image)
    return image


def shutter(b, h, w):
    """Blinds and shutters: ribs from edge to edge, in a frame or beyond the picture."""
    colour = b.natural()
    image = canvas(b, h, w, b.natural())
    place = wall(b, h, w, b.uniform(0.05, 0.3)) if b.chance(0.6) else square_to(np.float32(
        [[0.1 * w, 0.1 * h], [0.9 * w, 0.1 * h], [0.9 * w, 0.95 * h], [0.1 * w, 0.95 * h]]) + b.normal(0.05, (4, 2)) * [w, h])
    edge = b.uniform(0.01, 0.06)
    rectangle(image, place, -edge, -edge, 1 + edge, 1 + edge, b.shade(colour, 0.4, 1.6))
    rectangle(image, place, 0, 0, 1, 1, colour)
    rows = b.integer(5, 40)
    dark, light = b.shade(colour, 0.4, 0.9), b.shade(colour, 1, 1.3)
    upright_ = b.chance(0.2)
    for k in range(rows):
        y, end = k / rows, (k + b.uniform(0.1, 0.3)) / rows
        rectangle(image, place, *((y, 0, end, 1) if upright_ else (0, y, 1, end)), dark)
        if b.chance(0.5):
            y, end = (k + 0.4) / rows, (k + 0.7) / rows
            rectangle(image, place, *((y, 0, end, 1) if upright_ else (0, y, 1, end)), light)
    for _ in range(b.integer(0, 2)):
        x = b.uniform(0, 0.9)
        rectangle(image, place, x, 0, x + b.uniform(0.01, 0.06), 1, b.shade(colour, 0.5, 1.4))
    return image


def room(b, h, w):
    """A board or a projected picture on a wall: its frame and tray, a ceiling, lamps, heads and desks before it."""
    paint = b.natural() * b.uniform(0.2, 1)
    image = canvas(b, h, w, paint)
    y = b.uniform(0.7, 1) * h
    fill(image, [[0, y], [w, y + b.normal(0.05) * h], [w, h], [0, h]], b.shade(paint, 0.3, 0.9))
    y = b.uniform(-0.1, 0.15) * h
    fill(image, [[0, y], [w, y + b.normal(0.05) * h], [w, 0], [0, 0]], b.shade(paint, 0.6, 1.6))
    wide, tall = b.uniform(0.4, 1.1) * w, b.uniform(0.35, 0.8) * h
    cx, cy = b.uniform(0.3, 0.7) * w, b.uniform(0.25, 0.5) * h
    corners = np.float32([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2 + [cx, cy]
    place = square_to(np.float32(corners + b.normal(0.04, (4, 2)) * [w, h]))
    page = b.white() * b.uniform(0.6, 1) if b.chance(0.7) else b.natural()
    rim = b.uniform(0.008, 0.03)
    rectangle(image, place, -rim, -rim * w / h, 1 + rim, 1 + rim * w / h, b.shade(paint, 0.2, 1.8))
    rectangle(image, place, 0, 0, 1, 1, page)
    if b.chance(0.5):  # The picture doesn't fill the screen.
        edge = b.uniform(0.03, 0.15)
        rectangle(image, place, edge, 0.05, 1 - edge, 0.9, b.shade(page, 0.5, 1.3))
    else:
        rectangle(image, place, 0.02, 1.0, 0.98, 1 + b.uniform(0.02, 0.06), b.shade(paint, 0.4, 1.4))
    ink = b.shade(255 - page)
    for _ in range(b.integer(2, 18)):
        x, y = b.uniform(0.05, 0.6), b.uniform(0.08, 0.9)
        if b.chance(0.7):
            stroke(b, image, place, x, y, min(0.95, x + b.uniform(0.05, 0.5)), y + b.normal(0.01), ink, b.uniform(0.6, 3))
        else:
            rectangle(image, place, x, y, x + b.uniform(0.03, 0.3), min(0.95, y + b.uniform(0.03, 0.3)), b.colour())
    for _ in range(b.integer(1, 5)):  # Heads and shoulders before it.
        x, size, dark = b.uniform(0, w), b.uniform(0.03, 0.12) * w, as_colour(b.natural() * b.uniform(0.1, 0.7))
        y = h - b.uniform(0.5, 3) * size
        cv2.ellipse(image, (int(x), int(y)), (int(size * 0.7) + 1, int(size) + 1), 0, 0, 360, dark, -1, cv2.LINE_AA)
        cv2.ellipse(image, (int(x), int(y + 2.6 * size)), (int(size * 1.8) + 1, int(size * 1.7) + 1), 0, 0, 360, dark, -1, cv2.LINE_AA)
    for _ in range(b.integer(0, 3)):
        x, y = b.uniform(0, 1) * w, b.uniform(0, 0.1) * h
        cv2.ellipse(image, (int(x), int(y)), (int(0.08 * w), int(0.02 * h) + 1), 0, 0, 360, (250, 250, 250), -1, cv2.LINE_AA)
    return image


def bottle(b, h, w):
    """Round things with labels: the labels' upper and lower edges are arcs."""
    image = ground(b, h, w).astype(np.uint8)
    for _ in range(b.integer(1, 3)):
        x, wide = b.uniform(0.15, 0.85) * w, b.uniform(0.12, 0.5) * w
        top, bottom = b.uniform(-0.2, 0.3) * h, b.uniform(0.7, 1.2) * h
        sag = wide * b.uniform(0.06, 0.25) * b.pick(-1, 1)
        colour, paper = b.natural() * b.uniform(0.3, 1), b.white() if b.chance(0.6) else b.colour()
        t = np.linspace(-1, 1, 17)
        shade = 0.45 + 0.55 * np.sqrt(np.maximum(0, 1 - (t * 0.95 + b.uniform(-0.3, 0.3)) ** 2 * 0.9))
        y0 = top + (bottom - top) * b.uniform(0.15, 0.4)
        y1 = y0 + (bottom - y0) * b.uniform(0.3, 0.7)
        arc = lambda u: sag * math.sqrt(max(0, 1 - u * u))
        for k in range(16):
            xa, xb = x + t[k] * wide / 2, x + t[k + 1] * wide / 2 + 0.6
            fill(image, [[xa, top], [xb, top], [xb, bottom + arc(t[k + 1])], [xa, bottom + arc(t[k])]], colour * shade[k])
            fill(image, [[xa, y0 + arc(t[k])], [xb, y0 + arc(t[k + 1])], [xb, y1 + arc(t[k + 1])], [xa, y1 + arc(t[k])]],
                 paper * shade[k])
        if b.chance(0.6):
            neck = wide * b.uniform(0.15, 0.4)
            fill(image, [[x - neck, top - h], [x + neck, top - h], [x + neck, top + 2], [x - neck, top + 2]], b.shade(colour, 0.6, 1))
        for _ in range(b.integer(1, 6)):
            y = b.uniform(y0 + 0.1 * (y1 - y0), y1 - 0.1 * (y1 - y0)) + arc(0)
            cv2.line(image, (int(x - wide * b.uniform(0.05, 0.3)), int(y)), (int(x + wide * b.uniform(0.05, 0.3)), int(y)),
                     as_colour(b.colour()), b.integer(1, max(1, w // 50)), cv2.LINE_AA)
    return image


def pile(b, h, w):
    """Books and boxes on one another, from their edges."""
    image = ground(b, h, w).astype(np.uint8)
    x, y = b.uniform(0.2, 0.6) * w, h * b.uniform(0.8, 1.1)
    while y > h * b.uniform(-0.2, 0.3):
        tall, wide = b.uniform(0.04, 0.16) * h, b.uniform(0.3, 0.9) * w
        left = x - wide / 2 + b.normal(0.04) * w
        colour, skew = b.natural(), b.normal(0.01) * h
        fill(image, [[left, y - tall], [left + wide, y - tall + skew], [left + wide, y + skew], [left, y]], colour)
        if b.chance(0.5):  # Paper between covers.
            fill(image, [[left + 2, y - 0.85 * tall], [left + wide, y - 0.85 * tall + skew], [left + wide, y - 0.15 * tall + skew],
                         [left + 2, y - 0.15 * tall]], b.white() * 0.9)
            for k in range(3):
                v = y - tall * b.uniform(0.2, 0.8)
                cv2.line(image, (int(left + 3), int(v)), (int(left + wide), int(v + skew)), as_colour(b.shade(colour)), 1, cv2.LINE_AA)
        y -= tall
    return image


def floor(b, h, w):
    """Large tiles with thin joints; some of another shade."""
    base = b.natural()
    image = canvas(b, h, w, b.shade(base, 0.3, 1.2))
    place = wall(b, h, w, 0.5)
    columns, rows = b.integer(2, 5), b.integer(2, 5)
    g, odd = b.uniform(0.004, 0.03), b.uniform(0, 0.3)
    other = b.natural()
    for row in range(-1, rows + 1):
        for column in range(-1, columns + 1):
            colour = b.shade(other if b.chance(odd) else base, 0.93, 1.06)
            rectangle(image, place, (column + g) / columns, (row + g) / rows, (column + 1 - g) / columns, (row + 1 - g) / rows, colour)
    image = np.float32(image) * (1 + b.uniform(0.01, 0.15) * b.noise(h, w))[..., None]
    return np.clip(lie(b, image) if b.chance(0.5) else image, 0, 255).astype(np.uint8)


FURTHER = dict(bricks=22, window=16, shutter=12, room=20, bottle=8, pile=8, floor=14)


def further(b, h, w):
    """A scene without a card, of the kinds that failed at first."""
    kind = b.weighted(**FURTHER)
    image = globals()[kind](b, h, w)
    return np.float32(image), kind
