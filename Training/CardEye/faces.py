"""The faces of cards and sheets, drawn flat: 8-bit pictures of 320 pixels on the long side."""

import math

import cv2
import numpy as np

from draw import as_colour, fill, grid, mix

LONG = 320


class Face:
    """A picture, the radius of its corners as a share of its long side, and whether it may bend."""

    def __init__(self, image, radius, bends):
        self.image = np.clip(image, 0, 255).astype(np.uint8)
        self.radius = radius
        self.bends = bends


def box(b, image, x0, y0, x1, y1, colour):
    h, w = image.shape[:2]
    cv2.rectangle(image, (int(x0 * w), int(y0 * h)), (int(x1 * w), int(y1 * h)), as_colour(colour), -1)


def text(b, image, x0, y0, x1, y1, ink, strength=1.0):
    h, w = image.shape[:2]
    part = image[int(y0 * h):int(y1 * h), int(x0 * w):int(x1 * w)]
    if min(part.shape[:2]) >= 8:
        alpha = b.page(*part.shape[:2]) * strength
        part[:] = mix(np.float32(part), ink, alpha)


def figure(b, image, x, y, size, colour):
    kind = b.integer(0, 4)
    x, y, size = int(x), int(y), max(2, int(size))
    if kind == 0:
        cv2.circle(image, (x, y), size, as_colour(colour), -1, cv2.LINE_AA)
    elif kind == 1:
        cv2.ellipse(image, (x, y), (size, max(1, int(size * b.uniform(0.2, 0.9)))), b.uniform(0, 180), 0, 360,
                    as_colour(colour), -1, cv2.LINE_AA)
    elif kind == 2:
        turn = np.sort(b.rng.uniform(0, 2 * math.pi, b.integer(3, 8)))
        fill(image, np.stack([x + size * np.cos(turn), y + size * np.sin(turn)], 1), colour)
    elif kind == 3:
        wide = int(size * b.uniform(0.4, 2))
        cv2.rectangle(image, (x, y), (x + wide, y + size), as_colour(colour), -1)
    else:
        cv2.putText(image, b.pick("ABC", "Card", "GO", "No. 7", "MEMBER", "2026", "KEY"), (x // 2, y),
                    cv2.FONT_HERSHEY_SIMPLEX, size / 18, as_colour(colour), max(1, size // 12), cv2.LINE_AA)


def blank(b, aspect, colour, lying=False):
    short = int(LONG / aspect)
    image = np.empty((short, LONG, 3) if lying else (LONG, short, 3), np.uint8)
    image[:] = np.clip(colour, 0, 255)
    return image


def pip(b, image, x, y, size, ink):
    ink, x, y, s = as_colour(ink), int(x), int(y), int(size)
    kind = b.integer(0, 3)
    if kind == 0:
        fill(image, [[x, y - s], [x + 0.75 * s, y], [x, y + s], [x - 0.75 * s, y]], ink)
        return
    side = 0.2 if kind == 1 else -0.25
    for dx, dy in ((-0.45, side), (0.45, side)) + (((0, -0.5),) if kind == 1 else ()):
        cv2.circle(image, (int(x + dx * s), int(y + dy * s)), max(1, int(s * 0.48)), ink, -1, cv2.LINE_AA)
    if kind == 2:
        fill(image, [[x - 0.9 * s, y - 0.1 * s], [x + 0.9 * s, y - 0.1 * s], [x, y + s]], ink)
    else:
        cv2.line(image, (x, y), (x, y + s), ink, max(1, s // 4))


def playing(b):
    image = blank(b, b.uniform(1.33, 1.5), b.white())
    h, w = image.shape[:2]
    ink = b.pick(np.float32([25, 25, 190]), np.float32([15, 15, 15])) * b.uniform(0.6, 1.2)
    if b.chance(0.5):  # A court card: a framed picture, the same upside down.
        mx, my = b.uniform(0.09, 0.17) * w, b.uniform(0.06, 0.13) * h
        x0, y0, x1, y1 = int(mx), int(my), int(w - mx), int(h - my)
        part = image[y0:y1, x0:x1]
        palette = np.float32([[25, 25, 200], [30, 200, 240], [180, 80, 30], [15, 15, 15], [240, 240, 240]])
        palette = palette * b.uniform(0.7, 1)
        half = cv2.resize(palette[b.rng.integers(0, 5, (b.integer(5, 12), b.integer(4, 10)))],
                          (part.shape[1], part.shape[0] // 2), interpolation=cv2.INTER_NEAREST)
        half = np.ascontiguousarray(half, np.uint8)
        for _ in range(8):
            figure(b, half, b.uniform(0, part.shape[1]), b.uniform(0, half.shape[0]), b.uniform(5, 40),
                   palette[b.integer(0, 4)])
        part[:half.shape[0]] = half
        part[part.shape[0] - half.shape[0]:] = half[::-1, ::-1]
        if b.chance(0.85):
            line = np.float32([150, 60, 30]) if b.chance(0.5) else ink * 0.4
            cv2.rectangle(image, (x0, y0), (x1, y1), as_colour(line), b.integer(1, 4))
    else:
        count = b.integer(1, 10)
        columns = 1 if count < 4 else 2
        rows = math.ceil(count / columns)
        size = b.uniform(0.06, 0.1) * h if count > 2 else b.uniform(0.07, 0.2) * h
        kind_state = b.rng.bit_generator.state
        for k in range(count):
            b.rng.bit_generator.state = kind_state  # The same sign each time.
            x, y = (k % columns + 0.5) / columns * 0.62 + 0.19, (k // columns + 0.5) / rows * 0.8 + 0.1
            pip(b, image, w * x, h * y, size, ink)
    for x, y in ((0.085, 0.09), (0.915, 0.93)):
        pip(b, image, w * x, h * (y + 0.03), h * 0.03, ink)
        cv2.putText(image, b.pick(*"A23456789JQK"), (int(w * x) - 8, int(h * y)), cv2.FONT_HERSHEY_SIMPLEX, 0.7,
                    as_colour(ink), b.integer(1, 3), cv2.LINE_AA)
    return Face(image, b.uniform(0.025, 0.07), False)


def identity(b):
    """Bank, loyalty and identity cards."""
    base = b.colour() if b.chance(0.65) else b.white()
    image = blank(b, 1.586 * b.uniform(0.96, 1.04), base, lying=b.chance(0.85))
    h, w = image.shape[:2]
    if b.chance(0.5):
        x, y = grid(h, w)
        t = x / w if b.chance(0.5) else (x + y) / (w + h)
        image[:] = mix(base, b.colour(), t)
    if b.chance(0.35):
        image[:] = np.clip(image + b.noise(h, w)[..., None] * b.uniform(2, 18) * b.colour() / 200, 0, 255)
    if b.chance(0.35):
        box(b, image, 0, 0, 1, b.uniform(0.1, 0.5), b.colour())
    if b.chance(0.15):
        box(b, image, 0, b.uniform(0.7, 0.9), 1, 1, b.colour())
    if b.chance(0.15):
        y = b.uniform(0.05, 0.2)
        box(b, image, 0, y, 1, y + 0.18, np.float32([20, 18, 18]))
    if b.chance(0.4):  # A portrait.
        x, y, wide, tall = b.uniform(0.04, 0.7), b.uniform(0.15, 0.45), b.uniform(0.15, 0.27), b.uniform(0.3, 0.5)
        box(b, image, x, y, x + wide, y + tall, b.colour())
        cv2.ellipse(image, (int((x + wide / 2) * w), int((y + tall / 2) * h)), (int(wide * w / 4), int(tall * h / 3)),
                    0, 0, 360, (130, 155, 205), -1, cv2.LINE_AA)
    for _ in range(b.integer(0, 5)):
        figure(b, image, b.uniform(0, w), b.uniform(0, h), b.uniform(0.04, 0.3) * h, b.colour())
    for _ in range(b.integer(0, 3)):
        x, y = b.uniform(0.04, 0.6), b.uniform(0.05, 0.75)
        text(b, image, x, y, x + b.uniform(0.2, 0.5), y + b.uniform(0.1, 0.4), b.colour() * 0.5, b.uniform(0.5, 1))
    if b.chance(0.3):
        bar_code(b, image)
    return Face(image, b.uniform(0.025, 0.07), False)


def bar_code(b, image):
    h, w = image.shape[:2]
    y0, x0 = int(h * b.uniform(0.1, 0.7)), int(w * b.uniform(0.05, 0.3))
    y1, x1 = min(h - 3, y0 + int(h * b.uniform(0.12, 0.3))), int(w * b.uniform(0.6, 0.95))
    image[max(0, y0 - 5):y1 + 5, max(0, x0 - 6):x1 + 6] = 247
    bars = np.repeat(b.rng.random((x1 - x0) // 2 + 1) < 0.5, 2)[:x1 - x0]
    image[y0:y1, x0:x1] = np.where(bars, 20, 247)[None, :, None]


def sheet(b, aspect=None):
    """Paper with text, a table, handwriting or nothing."""
    white = b.white()
    image = blank(b, aspect or b.pick(1.414, 1.294, b.uniform(1.1, 1.7)), white, lying=b.chance(0.3))
    h, w = image.shape[:2]
    ink = np.float32([25, 25, 25]) if b.chance(0.7) else b.colour() * 0.5
    style = b.rng.random()
    if style < 0.7:
        margin = b.uniform(0.04, 0.15)
        end = b.uniform(0.5, 0.97)
        if b.chance(0.75):
            text(b, image, margin, margin, 1 - margin, end, ink, b.uniform(0.4, 1))
        else:
            text(b, image, margin, margin, 0.49, end, ink, b.uniform(0.4, 1))
            text(b, image, 0.53, margin, 1 - margin, end, ink, b.uniform(0.4, 1))
        if b.chance(0.3):
            for _ in range(b.integer(1, 3)):
                figure(b, image, b.uniform(0.1, 0.9) * w, b.uniform(0.1, 0.9) * h, b.uniform(0.04, 0.2) * h, b.colour())
        if b.chance(0.2):
            step = b.integer(8, 26)
            image[int(margin * h):int(end * h):step, int(margin * w):int((1 - margin) * w)] = ink
    elif style < 0.85:
        for _ in range(b.integer(2, 8)):
            n = b.integer(8, 30)
            x = np.linspace(0.1, b.uniform(0.3, 0.95), n) * w
            y = (b.uniform(0.08, 0.9) + b.normal(0.025, n)) * h
            cv2.polylines(image, [np.int32(np.stack([x, y], 1))], False, as_colour(ink), b.integer(1, 3), cv2.LINE_AA)
    if b.chance(0.2):
        tall = b.uniform(0.08, 0.4)
        y = 0 if b.chance(0.6) else 1 - tall
        box(b, image, 0, y, 1, y + tall, b.colour())
        text(b, image, 0.05, y + 0.1 * tall, 0.9, y + tall * 0.9, b.colour(), b.uniform(0.3, 1))
    return Face(image, 0 if b.chance(0.85) else b.uniform(0.01, 0.04), True)


def receipt(b):
    return sheet(b, b.uniform(1.7, 2.6))


def trading(b):
    dark = b.chance(0.55)
    image = blank(b, 1.397 * b.uniform(0.97, 1.03), np.float32([1, 1, 1]) * b.uniform(5, 40) if dark else b.natural())
    h, w = image.shape[:2]
    rim = b.uniform(0.03, 0.08)
    box(b, image, rim, rim * w / h, 1 - rim, 1 - rim * w / h, b.natural())
    inner = rim + b.uniform(0.04, 0.08)
    bottom = b.uniform(0.45, 0.6)
    box(b, image, inner, 0.12, 1 - inner, bottom, b.natural())
    part = image[int(0.12 * h):int(bottom * h), int(inner * w):int((1 - inner) * w)]
    part[:] = mix(b.colour(), b.colour(), 0.5 + 0.5 * b.noise(*part.shape[:2]))
    for _ in range(b.integer(2, 7)):
        figure(b, part, b.uniform(0, part.shape[1]), b.uniform(0, part.shape[0]), b.uniform(5, 50), b.colour())
    box(b, image, inner, bottom + 0.06, 1 - inner, 0.91, b.shade(b.white(), 0.6, 1))
    text(b, image, inner + 0.02, bottom + 0.08, 1 - inner - 0.02, 0.89, np.float32([20, 20, 20]), b.uniform(0.5, 1))
    return Face(image, b.uniform(0.025, 0.06), False)


def poster(b):
    """Covers, flyers, photographs."""
    image = blank(b, b.uniform(1.1, 1.6), b.colour(), lying=b.chance(0.3))
    h, w = image.shape[:2]
    if b.chance(0.4):
        image[:] = mix(b.natural(), b.natural(), 0.5 + 0.5 * b.noise(h, w))
    for _ in range(b.integer(2, 10)):
        figure(b, image, b.uniform(0, w), b.uniform(0, h), b.uniform(0.04, 0.4) * h, b.colour())
    if b.chance(0.7):
        y = b.uniform(0.02, 0.6)
        text(b, image, 0.05, y, 0.95, y + b.uniform(0.1, 0.4), b.colour(), b.uniform(0.5, 1))
    if b.chance(0.25):
        cv2.rectangle(image, (0, 0), (w - 1, h - 1), as_colour(b.white()), 2 * b.integer(3, 14))
    return Face(image, 0 if b.chance(0.7) else b.uniform(0.01, 0.05), True)


def plain(b):
    colour = b.natural() if b.chance(0.6) else b.white()
    return Face(blank(b, b.uniform(1.2, 1.7), colour, lying=b.chance(0.5)), b.uniform(0, 0.07), True)


def back(b):
    """The back of a playing card: a fine pattern inside a border."""
    image = blank(b, b.uniform(1.35, 1.5), b.white() if b.chance(0.8) else b.colour())
    h, w = image.shape[:2]
    m = int(w * b.uniform(0.03, 0.11)) if b.chance(0.8) else 0
    x, y = grid(h - 2 * m, w - 2 * m)
    f = b.uniform(0.12, 0.9)
    if b.chance(0.5):
        t = 0.5 + 0.5 * np.sin(x * f) * np.sin(y * f)
    else:
        t = 0.5 + 0.5 * np.sin((x + y) * f) * np.sin((x - y) * f)
    image[m:h - m, m:w - m] = mix(b.colour(), b.colour() if b.chance(0.5) else b.white(), t)
    if b.chance(0.5):
        cv2.circle(image, (w // 2, h // 2), int(w * b.uniform(0.1, 0.4)), as_colour(b.colour()), -1, cv2.LINE_AA)
    return Face(image, b.uniform(0.025, 0.07), False)


def face(b):
    kind = b.weighted(playing=25, identity=20, sheet=20, trading=13, poster=8, plain=5, receipt=4, back=5)
    return globals()[kind](b)
