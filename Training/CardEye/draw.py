"""What every part of a drawn scene needs: chance, colours, textures and shapes with exact edges."""

import colorsys
import math

import cv2
import numpy as np

cv2.setNumThreads(1)
cv2.setRNGSeed(1)

LETTERS = list("abcdefghijklmnopqrstuvwxyzABCDEFGHKMNOPRST0123456789.,-  ")
BANK_SEED = 20261123


class Bank:
    """Textures drawn once and used by every scene: noise of several kinds and pages of text."""

    SIZE = 384

    def __init__(self):
        rng = np.random.default_rng(BANK_SEED)
        self.noises = [self.noise_tile(rng, k) for k in range(40)]
        self.pages = [self.text_page(rng) for _ in range(40)]

    def noise_tile(self, rng, k):
        """Noise that repeats without a seam, of mean 0 and deviation 1: a power law, or one band."""
        n = self.SIZE
        fy = np.fft.fftfreq(n)[:, None] * rng.choice([1, 1, 1, 4])
        fx = np.fft.rfftfreq(n)[None] * rng.choice([1, 1, 1, 4])
        f = np.hypot(fx, fy)
        f[0, 0] = 1
        amplitude = f ** -rng.uniform(0.4, 2.6)
        if k % 6 == 5:
            centre = rng.uniform(0.05, 0.25)
            amplitude = np.exp(-(((f - centre) / (centre * 0.35)) ** 2))
        spectrum = amplitude * np.exp(2j * np.pi * rng.random(f.shape))
        spectrum[0, 0] = 0
        tile = np.fft.irfft2(spectrum, (n, n))
        return np.float32(tile / (tile.std() + 1e-9))

    def text_page(self, rng):
        """Lines of letters as coverage, 0 to 255."""
        n = self.SIZE
        page = np.zeros((n, n), np.uint8)
        size = 2 ** rng.uniform(-1.8, 0.8)
        weight = 1 if size < 0.8 else int(rng.integers(1, 3))
        step = max(6, int(24 * size * rng.uniform(1, 1.8)))
        ragged = rng.random() < 0.6
        for y in range(step, n + step, step):
            if rng.random() < 0.1:
                continue
            count = int(n / (14 * size)) + 2
            if ragged:
                count = max(1, int(count * rng.uniform(0.2, 1)))
            cv2.putText(page, "".join(rng.choice(LETTERS, count)), (2, y), cv2.FONT_HERSHEY_SIMPLEX,
                        size, 255, weight, cv2.LINE_AA)
        return page


BANK = None


def bank():
    global BANK
    BANK = BANK or Bank()
    return BANK


class Brush:
    """A source of chance, and what can be drawn with it. Colours are BGR, 0 to 255, float32."""

    def __init__(self, *seed):
        self.rng = np.random.default_rng(seed)
        self.bank = bank()

    def uniform(self, low, high):
        return float(self.rng.uniform(low, high))

    def log_uniform(self, low, high):
        return math.exp(self.rng.uniform(math.log(low), math.log(high)))

    def normal(self, deviation, size=None):
        return self.rng.normal(0, deviation, size)

    def integer(self, low, high):
        """Of low … high, both included."""
        return int(self.rng.integers(low, high + 1))

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, *choices):
        return choices[int(self.rng.integers(len(choices)))]

    def weighted(self, **weights):
        names = list(weights)
        total = np.cumsum(np.float64(list(weights.values())))
        return names[int(np.searchsorted(total, self.rng.random() * total[-1], side="right"))]

    # Colours

    def hsv(self, hue, saturation, value):
        r, g, b = colorsys.hsv_to_rgb(hue % 360 / 360, min(saturation, 1), min(value, 1))
        return np.float32([b * 255, g * 255, r * 255])

    def colour(self):
        return self.hsv(self.uniform(0, 360), self.uniform(0, 1) ** 1.5, self.uniform(0.03, 1))

    def natural(self):
        """Browns, greys, greens, beiges, whites, blues, and anything at times."""
        u = self.uniform
        return self.hsv(*self.pick(
            (u(10, 40), u(0.2, 0.8), u(0.1, 0.8)),
            (u(0, 360), u(0, 0.12), u(0.02, 1)),
            (u(60, 140), u(0.1, 0.6), u(0.05, 0.7)),
            (u(15, 45), u(0.05, 0.4), u(0.4, 1)),
            (u(0, 360), u(0, 0.06), u(0.75, 1)),
            (u(200, 250), u(0.05, 0.7), u(0.05, 0.8)),
            (u(0, 360), u(0.3, 1), u(0.2, 1))))

    def white(self):
        return np.float32([self.uniform(0.86, 1), self.uniform(0.94, 1), 1]) * self.uniform(205, 255)

    def shade(self, colour, low=0.5, high=1.3):
        return np.clip(colour * self.uniform(low, high) + self.normal(4, 3), 0, 255).astype(np.float32)

    # Textures

    def noise(self, height, width, zoom=None, stretch=1.0):
        """A piece of noise; `stretch` draws it out along x (above 1) or y (below)."""
        tile = self.bank.noises[self.integer(0, len(self.bank.noises) - 1)]
        zoom = (zoom or 2 ** self.uniform(-1.0, 1.0)) * max(height, width) / 256
        zx, zy = zoom * max(1.0, stretch), zoom * max(1.0, 1 / stretch)
        rows, columns = (int(min(Bank.SIZE - 2, max(6, n / z))) for n, z in ((height, zy), (width, zx)))
        y, x = self.integer(0, Bank.SIZE - rows), self.integer(0, Bank.SIZE - columns)
        return cv2.resize(tile[y:y + rows, x:x + columns], (width, height), interpolation=cv2.INTER_LINEAR)

    def page(self, height, width):
        """Text as coverage, 0 to 1."""
        page = self.bank.pages[self.integer(0, len(self.bank.pages) - 1)]
        zoom = self.uniform(0.5, 1.4)
        rows, columns = (int(min(Bank.SIZE, max(10, n / zoom))) for n in (height, width))
        y, x = self.integer(0, Bank.SIZE - rows), self.integer(0, Bank.SIZE - columns)
        part = cv2.resize(page[y:y + rows, x:x + columns], (width, height), interpolation=cv2.INTER_AREA)
        return np.float32(part) / 255


def mix(low, high, t):
    """From colour `low` (t = 0) to `high` (t = 1), for each pixel."""
    t = np.clip(t, 0, 1)[..., None]
    return (low + (high - low) * t).astype(np.float32)


def blend(image, colour, alpha):
    """Lays a colour or picture over `image` where alpha (0 to 1) is."""
    image += (colour - image) * alpha[..., None]


def grid(height, width):
    return np.mgrid[0:height, 0:width].astype(np.float32)[::-1]


def map_points(matrix, points):
    return cv2.perspectiveTransform(np.float32(points).reshape(1, -1, 2), matrix)[0]


def rotation(angle):
    """What turns rows of points."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, s], [-s, c]])


def square_to(quad):
    """The perspective that maps the unit square to four corners."""
    return cv2.getPerspectiveTransform(np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]), np.float32(quad))


def fill(image, points, colour):
    """A polygon with smooth edges on an 8-bit picture: for clutter, whose edges need not be exact."""
    cv2.fillPoly(image, [np.int32(np.round(np.float32(points) * 16))], as_colour(colour), cv2.LINE_AA, 4)


def as_colour(colour):
    if np.isscalar(colour):
        return float(colour)
    return tuple(float(v) for v in np.clip(colour, 0, 255))


def coverage(polygon, height, width, sub=4):
    """How much of each pixel lies in the polygon (0 to 1), and the box around it: (alpha, x0, y0).

    Exact to a few hundredths of a pixel; (0, 0) is the centre of the first pixel. None when it lies outside.
    """
    polygon = np.float32(polygon)
    x0, y0 = np.maximum(np.floor(polygon.min(0)).astype(int) - 1, 0)
    x1 = min(int(math.ceil(polygon[:, 0].max())) + 2, width)
    y1 = min(int(math.ceil(polygon[:, 1].max())) + 2, height)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    big = np.zeros(((y1 - y0) * sub, (x1 - x0) * sub), np.uint8)
    points = (polygon - [x0, y0] + 0.5) * sub - 0.5
    # Filling takes the pixels on the edge too: half a fine pixel is taken off all round.
    along = np.roll(points, -1, 0) - np.roll(points, 1, 0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1) / (np.hypot(*along.T)[:, None] + 1e-6)
    around = np.roll(points, -1, 0)
    clockwise = (points[:, 0] * around[:, 1] - around[:, 0] * points[:, 1]).sum() > 0
    points = points + (0.5 if clockwise else -0.5) * normal
    cv2.fillPoly(big, [np.int32(np.round(points * 16))], 255, cv2.LINE_8, 4)
    alpha = cv2.resize(big, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    return np.float32(alpha) / 255, int(x0), int(y0)
