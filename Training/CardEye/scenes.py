"""Scenes with cards and without: ground, clutter, cards, what lies over them, light, and a camera's faults.

The truth is exact: a card's corners are where its straight sides meet, clockwise from its own first corner, in pixels
whose centres are whole numbers. Each scene depends on its seed and number alone.
"""

import math

import cv2
import numpy as np

import faces
from draw import Brush, as_colour, blend, coverage, fill, grid, map_points, rotation, square_to
from grounds import ground, table
from negatives import further, negative

SHAPES = ((4, 3), (4, 3), (3, 4), (3, 4), (16, 9), (9, 16), (1, 1))
SIDES = 17  # Samples along a side, to tell whether it shows.


class Card:
    def __init__(self, quad, alpha):
        self.quad = quad  # 4 x 2, float32, clockwise.
        self.alpha = alpha  # Its coverage over the whole picture; what lies over it is taken away.
        self.hidden = np.zeros_like(alpha)  # What lies over it, 0 to 1.


class Scene:
    """One drawn scene: `image` (BGR, 8 bits), `quads` (n x 4 x 2), `kind`, and tags.

    As the network learns from them: they go a little beyond what is asked of the detector.
    """

    KINDS = dict(one=43, several=15, grid=20, none=22)
    CAMERAS = dict(phone=58, webcam=24, over=9, dark=9)
    GAP, CARELESS, MOST = (0.01, 0.14), 0.3, 10  # Of grids: how far cards lie apart, how crooked, how many there are.
    LEAST, LEAST_IN_GRID = 16, 14  # The shortest side, in 256ths of the picture's long side.
    SLANT = 48  # The most, in degrees.
    NEAR = 1.1  # How near the camera may come, in lengths of the card.
    CONTRAST = 7  # From how many levels on an edge shows, if noise isn't louder.
    LOUD = 1.0  # What edge shows, in deviations of the noise.
    SHOWN = 0.6, 0.6, 0.6  # How much of three sides shows at least.
    # In scenes without a card: how much of a third side may show of what is cut off, and how many corners rags have.
    CUT = 0.45
    RAGS = (3, 3, 5, 6, 7, 8)

    def __init__(self, seed, number, long=512, shape=None, kind=None):
        for attempt in range(40):
            b = Brush(seed, number, attempt)
            if self.draw(b, long, shape, kind):
                self.attempts = attempt
                return
        raise RuntimeError(f"scene {number} of seed {seed} can't be drawn")

    def draw(self, b, long, shape, kind):
        across, down = shape or b.pick(*SHAPES)
        self.width = round(long * across / max(across, down))
        self.height = round(long * down / max(across, down))
        self.unit = long / 256
        self.kind = kind or b.weighted(**self.KINDS)
        self.cards, self.tags = [], []
        image = self.stage(b)
        if not self.place(b, image):
            return False
        self.cover(b, image)
        self.light(b, image)
        image = self.expose(b, image)
        if not all(self.shows(image, card) for card in self.cards):
            return False
        self.image = self.photograph(b, image)
        self.quads = np.float32([card.quad for card in self.cards]).reshape(-1, 4, 2)
        return True

    # What is there before the cards

    def stage(self, b):
        h, w = self.height, self.width
        if self.kind == "none" and b.chance(0.75):
            image, name = negative(b, h, w)
            self.tags.append(name)
        elif b.chance(0.05):
            image, name = negative(b, h, w)
            self.tags.append("on " + name)
        else:
            image = ground(b, h, w)
            self.tags.append("ground")
        empty = self.kind == "none"
        for _ in range(b.integer(0, 7) if empty else b.pick(0, 0, 0, 0, 1, 1, 2, 3, 5)):
            image = self.clutter(b, image)
        if b.chance(0.35 if empty else 0.16):
            for _ in range(b.integer(1, 2)):
                self.cut_off(b, image)
        if b.chance(0.12):
            image = cv2.GaussianBlur(image, (0, 0), b.uniform(0.8, 5) * self.unit)
        return image

    def anywhere(self, b, margin=0.0):
        return np.float32([b.uniform(-margin, 1 + margin) * self.width, b.uniform(-margin, 1 + margin) * self.height])

    def clutter(self, b, image):
        """Something that isn't a card: round, ragged, long, or a change of ground."""
        h, w = self.height, self.width
        mask = np.zeros((h, w), np.uint8)
        at, size = self.anywhere(b), b.uniform(0.04, 0.35) * w
        kind = b.integer(0, 6)
        if kind == 0:
            cv2.circle(mask, np.int32(at).tolist(), int(size * 0.6) + 2, 255, -1 if b.chance(0.7) else b.integer(2, 9),
                       cv2.LINE_AA)
        elif kind == 1:
            cv2.ellipse(mask, np.int32(at).tolist(), (int(size) + 1, int(size * b.uniform(0.1, 0.8)) + 1),
                        b.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)
        elif kind == 2:
            fill(mask, ragged(b, at, size, b.pick(*(self.RAGS if self.kind == "none" else Scene.RAGS))), 255)
        elif kind == 3:
            cord(b, mask, self.unit)
        elif kind == 4:  # A pen, a ruler, a band.
            end = at + direction(b) * b.uniform(0.2, 1.5) * w
            cv2.line(mask, np.int32(at * 8).tolist(), np.int32(end * 8).tolist(), 255, b.integer(2, int(12 * self.unit)),
                     cv2.LINE_AA, 3)
        elif kind == 5:  # The edge of a table.
            fill(mask, half_plane(b, self.anywhere(b), direction(b), 3 * w), 255)
        else:
            blob = b.noise(h, w, zoom=2)
            x, y = grid(h, w)
            mask[:] = np.clip((blob * 0.4 + 1.1 - np.hypot(x - at[0], y - at[1]) / size) * 255 * 6, 0, 255)
        if b.chance(0.5):
            self.shadow(b, image, np.float32(mask) / 255)
        if kind == 5 or b.chance(0.15):
            paint = ground(b, h, w)
        elif b.chance(0.5):
            paint = b.natural() * (1 + b.uniform(0, b.pick(0.2, 0.2, 0.6)) * b.noise(h, w))[..., None]
        else:
            paint = b.natural() if b.chance(0.6) else b.colour()
        blend(image, paint, np.float32(mask) / 255)
        return image

    def cut_off(self, b, image):
        """A sheet or card of which the picture's frame leaves less than two whole sides."""
        face = self.face(b)
        h, w = face.image.shape[:2]
        quad = self.pose(b, h / w, b.uniform(0.5, 1.4))
        size = np.ptp(quad, axis=0)
        inside = b.uniform(-0.25, 0.15)
        x, y = self.anywhere(b)
        if b.chance(0.5):
            x = b.pick(inside * size[0], self.width - inside * size[0])
        else:
            y = b.pick(inside * size[1], self.height - inside * size[1])
        quad = quad + np.float32([x, y])
        limit = np.float32([self.width - 1, self.height - 1])
        shown = [np.mean([np.all((p >= 0) & (p <= limit)) for p in along(quad, i, 0, 1)]) for i in range(4)]
        most = self.CUT if self.kind == "none" else Scene.CUT
        if sum(share > most for share in shown) < 3:
            self.lay(b, image, face, quad)

    # Cards

    def face(self, b):
        return faces.face(b) if b.chance(BANK_SHARE) else stock()[b.integer(0, len(stock()) - 1)]

    def pose(self, b, aspect, size):
        """Corners around (0, 0) of a card turned in space, its box `size` of the picture's; slant to 50 degrees."""
        turn = b.normal(7) + 90 * b.integer(0, 3) if b.chance(0.5) else b.uniform(0, 360)
        quad = np.array([[-1, -aspect], [1, -aspect], [1, aspect], [-1, aspect]]) / 2 / max(1, aspect)
        quad = quad @ rotation(math.radians(turn))
        slant = math.radians(min(self.SLANT, abs(b.normal(15)) if b.chance(0.6) else b.uniform(0, self.SLANT)))
        axis = rotation(b.uniform(0, 2 * math.pi) if b.chance(0.4) else b.normal(0.25))
        flat = quad @ axis
        far = b.uniform(self.NEAR, 3.5)
        near = far / (far + flat[:, 1] * math.sin(slant))
        quad = np.stack([flat[:, 0] * near, flat[:, 1] * math.cos(slant) * near], 1) @ axis.T
        box = np.ptp(quad, axis=0)
        room = min(self.width / box[0], self.height / box[1])
        scale = size * room if b.chance(0.5) else size * math.sqrt(self.width * self.height / (box[0] * box[1]))
        quad = quad * min(scale, 1.02 * room)
        return np.float32(quad - (quad.min(0) + quad.max(0)) / 2)

    def place(self, b, image):
        """Draws the cards; False when they find no room."""
        if self.kind == "none":
            return True
        same = b.chance(0.35)
        first = self.face(b)
        if self.kind == "grid":
            quads = self.lattice(b, first)
            self.tags.append("grid")
        else:
            quads = None
            count = 1 if self.kind == "one" else b.pick(2, 2, 2, 3, 3, 4, 5, 6, 7)
            self.tags.append("one" if count == 1 else "several")
        merge = b.chance(0.22)  # Of the ground's colour.
        if merge:
            self.tags.append("same colour")
        faint = 0
        for k in range(len(quads) if quads is not None else count):
            face = first if same or quads is not None and k == 0 else self.face(b)
            if quads is not None and not same:
                face = self.like(b, first, face)
            if quads is not None:
                quad = quads[k]
            else:
                quad = self.room(b, face, count)
            if quad is None:
                if k == 0:
                    return False
                continue
            alpha = self.lay(b, image, face, quad, merge)
            if alpha is None:
                return False
            for card in self.cards:
                card.hidden = np.maximum(card.hidden, alpha)
            self.cards.append(Card(quad, alpha))
        return bool(self.cards)

    def like(self, b, first, face):
        """The other faces of a grid have the first one's shape."""
        h, w = first.image.shape[:2]
        image = face.image
        if (image.shape[0] > image.shape[1]) != (h > w):
            image = np.ascontiguousarray(np.rot90(image))
        return faces.Face(cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA), first.radius, first.bends)

    def lattice(self, b, face):
        """Up to ten cards in rows, 1 to 14 % of a card apart, more or less straight."""
        aspect = face.image.shape[0] / face.image.shape[1]
        gap, columns, rows = b.uniform(*self.GAP), b.integer(2, 5), b.integer(1, 3)
        if columns * rows > self.MOST:
            rows = min(2, self.MOST // columns) if columns % 4 else 1
        if b.chance(0.5):
            columns, rows = rows, columns
        wide, tall = columns + (columns - 1) * gap, (rows + (rows - 1) * gap) * aspect
        outer = self.pose(b, tall / wide, b.uniform(0.5, 1.0))
        outer = outer + self.centre(b, outer)
        place = square_to(outer) @ np.diag([1 / wide, 1 / tall, 1])
        careless = b.uniform(0, self.CARELESS)
        quads = []
        for row in range(rows):
            for column in range(columns):
                if b.chance(0.06):
                    continue
                corner = np.array([[-1, -aspect], [1, -aspect], [1, aspect], [-1, aspect]]) / 2
                corner = corner @ rotation(b.normal(0.02 * careless)) + b.normal(0.25 * gap * careless, 2)
                middle = [column * (1 + gap) + 0.5, (row * (1 + gap) + 0.5) * aspect]
                quads.append(map_points(place, corner + middle))
        sides = [np.linalg.norm(q - np.roll(q, 1, 0), axis=1).min() for q in quads]
        return [q for q in quads if min(sides) >= self.LEAST_IN_GRID * self.unit]

    def centre(self, b, quad):
        """Where a card's middle may be, so that it is in the picture but for a hair."""
        box = np.ptp(quad, axis=0) / 2
        size = np.float32([self.width, self.height])
        low, high = box - 0.01 * size, 1.01 * size - 1 - box
        at = np.where(high > low, b.rng.uniform(np.minimum(low, high), np.maximum(low, high)), size / 2)
        return np.float32((at + size / 2) / 2 if b.chance(0.25) else at)

    def room(self, b, face, count):
        """A pose for one more card that leaves the others free, or overlaps them a little at times."""
        h, w = face.image.shape[:2]
        overlap = 0.3 if b.chance(0.3) else 0
        for _ in range(12):
            if count > 2:
                size = b.log_uniform(0.15, 0.5)
            elif count == 2:
                size = b.log_uniform(0.2, 0.7)
            elif face.bends and b.chance(0.5) or b.chance(0.2):
                size = b.uniform(0.65, 1.02)
            else:
                size = b.log_uniform(0.17, 0.97)
            quad = self.pose(b, h / w, size)
            quad = quad + self.centre(b, quad)
            if np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).min() < self.LEAST * self.unit:
                continue
            area = cv2.contourArea(quad)
            if area < 0.008 * self.width * self.height:
                continue
            shared = [cv2.intersectConvexConvex(card.quad, quad)[0] / min(area, cv2.contourArea(card.quad))
                      for card in self.cards]
            if all(share <= overlap for share in shared):
                return quad
        return None

    def lay(self, b, image, face, quad, merge=False):
        """Draws a face into four corners, with its shadow, rim, bends and glare; returns its coverage."""
        h, w = self.height, self.width
        texture = face.image
        turn = b.integer(0, 2)
        if turn:
            texture = texture[::-1, ::-1] if turn == 1 else texture[:, ::-1]
        across, down = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
        scale = max(across / texture.shape[1], down / texture.shape[0])
        if scale < 0.8:
            size = (max(4, int(texture.shape[1] * scale * 1.1)), max(4, int(texture.shape[0] * scale * 1.1)))
            texture = cv2.resize(np.ascontiguousarray(texture), size, interpolation=cv2.INTER_AREA)
        place = square_to(quad)
        found = coverage(map_points(place, outline(b, face)), h, w)
        if found is None:
            return None
        part, x0, y0 = found
        rows, columns = part.shape
        th, tw = texture.shape[:2]
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        texels = np.array([[1 / tw, 0, 0.5 / tw], [0, 1 / th, 0.5 / th], [0, 0, 1]])
        print_ = np.float32(cv2.warpPerspective(np.ascontiguousarray(texture), shift @ place @ texels, (columns, rows),
                                                flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        below = image[y0:y0 + rows, x0:x0 + columns]
        if merge and (part > 0.9).sum() > 20:
            under, over = (np.percentile(p[part > 0.9], 70, axis=0) for p in (below, print_))
            print_ *= np.float32((under + 5) / (over + 5) * b.uniform(0.82, 1.22))
            print_ += b.normal(5)
        if b.chance(0.5):
            x, y = grid(rows, columns)
            slope = (x / columns - 0.5) * b.uniform(-0.4, 0.4) + (y / rows - 0.5) * b.uniform(-0.4, 0.4)
            print_ *= (1 + slope)[..., None]
        if face.bends and b.chance(0.35):
            print_ *= (1 + b.uniform(0.01, 0.1) * b.noise(rows, columns, zoom=2))[..., None]
        alpha = np.zeros((h, w), np.float32)
        alpha[y0:y0 + rows, x0:x0 + columns] = part
        if b.chance(0.8 if merge else 0.55):
            self.shadow(b, image, alpha)
        if b.chance(0.3 if merge else 0.12):  # The cut edge catches light, or doesn't.
            edge = part - cv2.erode(part, np.ones((3, 3), np.uint8))
            print_ *= (1 + edge * b.uniform(-0.5, 0.5))[..., None]
        if b.chance(0.14):
            x, y = grid(rows, columns)
            gx, gy = b.uniform(-0.1, 1.1) * columns, b.uniform(-0.1, 1.1) * rows
            sx, sy = b.uniform(0.08, 0.5) * columns, b.uniform(0.08, 0.5) * rows
            print_ += (b.uniform(60, 320) * np.exp(-((x - gx) / sx) ** 2 - ((y - gy) / sy) ** 2))[..., None]
        blend(below, np.clip(print_ * b.uniform(0.8, 1.1), 0, 300), part)
        return alpha

    def shadow(self, b, image, alpha):
        """The soft shadow that a thing casts beside itself."""
        dx, dy = b.normal(1.6, 2) * b.uniform(0.3, 1.8) * self.unit
        soft = cv2.warpAffine(alpha, np.float32([[1, 0, dx], [0, 1, dy]]), (self.width, self.height))
        soft = cv2.blur(soft, (2 * int(b.uniform(0.3, 3) * self.unit) + 1,) * 2)
        soft = cv2.GaussianBlur(soft, (0, 0), b.uniform(0.5, 1.5) * self.unit)
        image *= (1 - b.uniform(0.12, 0.75) * soft)[..., None]

    # What lies over the cards

    def cover(self, b, image):
        if not (self.cards and b.chance(0.36) or b.chance(0.06)):
            return
        h, w = self.height, self.width
        self.tags.append("covered")
        for _ in range(b.integer(1, 2)):
            if self.cards:
                quad = self.cards[b.integer(0, len(self.cards) - 1)].quad
            else:
                quad = self.pose(b, 1.4, 0.5) + self.anywhere(b)
            side, t = b.integer(0, 3), b.uniform(0.05, 0.95)
            middle = quad.mean(0)
            at = quad[side] * (1 - t) + quad[(side + 1) % 4] * t
            outward = (at - middle) / (np.linalg.norm(at - middle) + 1e-6)
            size = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).min()
            mask = np.zeros((h, w), np.uint8)
            paint = b.natural() if b.chance(0.7) else b.colour()
            kind = b.weighted(fingers=28, cord=12, bar=14, corner=14, half=18, thing=14)
            if kind == "fingers":
                paint = b.hsv(b.uniform(5, 28), b.uniform(0.2, 0.65), b.uniform(0.25, 0.95))
                fingers(b, mask, at, outward, size, max(h, w))
            elif kind == "cord":
                cord(b, mask, self.unit, at)
            elif kind == "bar":
                way = direction(b) * size
                start, end = at - way * b.uniform(0.3, 2.5), at + way * b.uniform(0.3, 2.5)
                cv2.line(mask, np.int32(start * 8).tolist(), np.int32(end * 8).tolist(), 255,
                         max(1, int(size * b.uniform(0.02, 0.3))), cv2.LINE_AA, 3)
            elif kind == "corner":
                near = quad[side] + (quad[side] - middle) * b.uniform(0, 0.3)
                fill(mask, ragged(b, near, size * b.uniform(0.15, 0.5), b.integer(4, 14)), 255)
            elif kind == "half":
                tilt = outward @ rotation(b.normal(0.35))
                far = b.uniform(0.5, 4) * size
                fill(mask, half_plane(b, at - tilt * size * b.uniform(0.02, 0.4), np.float32(tilt), far), 255)
            else:
                cv2.ellipse(mask, np.int32(at + outward * size * b.uniform(0, 0.2)).tolist(),
                            (int(size * b.uniform(0.08, 0.35)) + 1, int(size * b.uniform(0.08, 0.3)) + 1),
                            b.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)
            alpha = np.float32(mask) / 255
            if any((alpha * card.alpha).sum() > 0.45 * card.alpha.sum() for card in self.cards):
                continue
            if b.chance(0.6):
                self.shadow(b, image, alpha)
            if b.chance(0.2) and kind != "fingers":
                paint = ground(b, h, w)
            elif b.chance(0.7):
                paint = paint * (1 + b.uniform(0.02, 0.2) * b.noise(h, w))[..., None]
            blend(image, paint, alpha)
            self.hide(alpha)

    def hide(self, alpha):
        for card in self.cards:
            card.hidden = np.maximum(card.hidden, alpha)

    # Light

    def light(self, b, image):
        h, w = self.height, self.width
        x, y = grid(h // 2, w // 2)
        x, y = x * 2 / w, y * 2 / h
        light = np.ones((h // 2, w // 2), np.float32)
        if b.chance(0.5):
            if b.chance(0.5):
                light *= 1 + b.uniform(0, 0.7) * ((x - 0.5) * b.uniform(-1, 1) + (y - 0.5) * b.uniform(-1, 1))
            else:
                light *= 1 - b.uniform(0, 0.6) * np.hypot(x - b.uniform(0, 1), y - b.uniform(0, 1))
        if b.chance(0.38):
            self.tags.append("shadow")
            for _ in range(b.integer(1, 2)):
                mask = np.zeros((h // 2, w // 2), np.uint8)
                kind = b.integer(0, 2)
                if kind == 0:
                    fill(mask, half_plane(b, self.anywhere(b) / 2, direction(b), b.uniform(0.03, 3) * w), 255)
                elif kind == 1:
                    fill(mask, ragged(b, self.anywhere(b) / 2, b.uniform(0.1, 0.5) * w, b.integer(3, 12)), 255)
                else:
                    mask[:] = np.clip((b.noise(h // 2, w // 2, zoom=2) * b.uniform(2, 10) + b.uniform(-2, 2)) * 255, 0, 255)
                soft = cv2.GaussianBlur(mask, (0, 0), b.log_uniform(0.3, 9) * self.unit / 2)
                light *= 1 - np.float32(soft) * (b.uniform(0.2, 0.8) / 255)
        light = cv2.resize(light, (w, h), interpolation=cv2.INTER_LINEAR)
        image *= np.maximum(light, 0.05)[..., None]
        if b.chance(0.07):
            self.tags.append("glare")
            x, y = grid(h, w)
            spot = ((x - b.uniform(0, w)) ** 2 + (y - b.uniform(0, h)) ** 2) / (2 * (b.uniform(0.03, 0.22) * w) ** 2)
            image += (b.uniform(50, 260) * np.exp(-spot))[..., None]

    # The camera

    def expose(self, b, image):
        """White balance, exposure and curve; chooses what kind of camera it is."""
        self.camera = b.weighted(**self.CAMERAS)
        self.tags.append(self.camera)
        if b.chance(0.6):
            image *= np.float32([2 ** b.normal(0.16), 1, 2 ** b.normal(0.16)])
        level = image.mean()
        gain = 2 ** b.normal(0.35)
        if self.camera == "over" or self.camera == "webcam" and b.chance(0.3):
            gain = max(gain, b.uniform(150, 235) / (level + 1))
        elif self.camera == "dark":
            gain = min(gain, b.uniform(18, 55) / (level + 1))
        gain = max(gain, 14 / (level + 1))
        noisy = self.camera in ("webcam", "dark")
        self.noise = b.rng.exponential(5 if noisy else 2.2) if b.chance(0.9 if noisy else 0.5) else 0
        image = np.clip(image * gain, 0, 255)
        self.lost = (image.min(2) > 250).mean()  # What shows too much light, and so nothing else, whatever grey it becomes.
        if b.chance(0.5):
            image = 255 * (image / 255) ** np.float32(2 ** b.normal(0.3))
        if b.chance(0.25):
            low = b.uniform(0, 50)
            image = low + image * (b.uniform(0.5, 1) - low / 255)
        if b.chance(0.06):
            image[:] = image.mean(2, keepdims=True)
        return image

    def shows(self, image, card):
        """Whether enough of three sides shows: in the picture, not covered, and with something to see."""
        limit = np.float32([self.width - 1, self.height - 1])
        shares = []
        step = 2.0 * self.unit
        for i in range(4):
            points = along(card.quad, i, 0.04, 0.96)
            way = card.quad[(i + 1) % 4] - card.quad[i]
            out = np.float32([way[1], -way[0]]) / (np.linalg.norm(way) + 1e-6)
            inside = ((points >= 0) & (points <= limit)).all(1)
            free = sample(card.hidden, points - out * 1.5) < 0.3
            beyond, on, within = (sample(image, points + out * k * step) for k in (1, 0, -1))
            across = np.abs(beyond - within).max(1)
            ridge = np.minimum(np.abs(beyond - on).max(1), np.abs(within - on).max(1))
            clear = np.maximum(across, 1.5 * ridge) > max(self.CONTRAST, self.LOUD * self.noise)
            shares.append((inside & free & clear).mean())
        return all(share >= least for share, least in zip(sorted(shares, reverse=True), self.SHOWN))

    def photograph(self, b, image):
        """Blur, sharpening, noise, few pixels and JPEG."""
        h, w, unit = self.height, self.width, self.unit
        webcam = self.camera == "webcam"
        kind = b.rng.random()
        if kind < 0.28:
            image = cv2.GaussianBlur(image, (0, 0), b.uniform(0.3, 1.0) * unit)
        elif kind < 0.4:
            image = motion(b, image, b.uniform(2, 6) * unit)
        if webcam and b.chance(0.7):
            share = b.uniform(0.45, 0.95)
            small = cv2.resize(image, (int(w * share), int(h * share)), interpolation=cv2.INTER_AREA)
            image = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
        if b.chance(0.55 if webcam else 0.25):
            image = image + b.uniform(0.2, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), b.uniform(0.6, 1.5)))
        if self.noise:
            image = image + b.rng.standard_normal((h, w, 1 if b.chance(0.5) else 3), np.float32) * self.noise
        image = np.clip(image + 0.5, 0, 255).astype(np.uint8)
        if b.chance(0.6 if webcam else 0.3):
            quality = b.integer(25 if webcam else 45, 95)
            _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
            image = cv2.imdecode(coded, cv2.IMREAD_COLOR)
        return image


class More(Scene):
    """Scenes of what failed at first: pale cards side by side on bare tables before a webcam, cards that something long
    lies across, and further things that aren't cards."""

    KINDS = dict(one=38, several=18, grid=22, none=22)
    GAP, CARELESS = (0.01, 0.3), 1.0
    ACROSS = 0.3  # How often something long lies across a card.

    def stage(self, b):
        self.table = self.kind != "none" and b.chance(0.5)
        self.pale = self.table and b.chance(0.6)
        if self.table:
            self.CAMERAS = b.pick(Scene.CAMERAS, dict(webcam=60, over=40)) if self.pale else Scene.CAMERAS
            self.tags.append("table")
            image = table(b, self.height, self.width)
            for _ in range(b.pick(0, 0, 0, 1, 1, 2)):
                image = self.clutter(b, image)
            return image
        self.CAMERAS = Scene.CAMERAS
        if not b.chance(0.5 if self.kind == "none" else 0.1):
            return super().stage(b)
        image, name = further(b, self.height, self.width)
        self.tags.append(name if self.kind == "none" else "on " + name)
        for _ in range(b.pick(0, 0, 0, 1, 2, 4)):
            image = self.clutter(b, image)
        if b.chance(0.15):
            image = cv2.GaussianBlur(image, (0, 0), b.uniform(0.8, 4) * self.unit)
        return image

    def face(self, b):
        if self.pale and b.chance(0.9):
            return pale()[b.integer(0, len(pale()) - 1)]
        return super().face(b)

    def cover(self, b, image):
        super().cover(b, image)
        if self.cards and b.chance(self.ACROSS):
            self.tags.append("across")
            card = self.cards[b.integer(0, len(self.cards) - 1)]
            b.pick(self.handle, self.cables, self.cables)(b, image, card.quad)

    def handle(self, b, image, quad):
        """A round bar with a head, over the middle of a card, or under other cards."""
        at, size = self.somewhere(b, quad)
        way = direction(b) if b.chance(0.6) else (quad[1] - quad[0]) / np.linalg.norm(quad[1] - quad[0])
        thick = max(2, size * b.uniform(0.08, 0.34))
        start, end = at - way * size * b.uniform(0.3, 2), at + way * size * b.uniform(0.3, 2)
        mask = np.zeros((self.height, self.width), np.uint8)
        cv2.line(mask, np.int32(start * 8).tolist(), np.int32(end * 8).tolist(), 255, int(thick), cv2.LINE_AA, 3)
        if b.chance(0.5):
            across = np.float32([-way[1], way[0]]) * size * b.uniform(0.3, 1)
            cv2.line(mask, np.int32((end - across) * 8).tolist(), np.int32((end + across) * 8).tolist(), 255,
                     max(2, int(thick * b.uniform(0.5, 1.3))), cv2.LINE_AA, 3)
        self.over(b, image, mask, b.natural(), b.uniform(0.2, 0.9))

    def cables(self, b, image, quad):
        """Some cables beside one another over a card, or a bundle of them."""
        at, size = self.somewhere(b, quad)
        paint = b.natural() * b.uniform(0.1, 1)
        h, w = self.height, self.width
        apart = size * b.uniform(0.03, 0.4)
        knots = b.rng.uniform(-0.2, 1.2, (3, 2)) * [w, h]
        t = np.linspace(0, 1, 50)[:, None]
        for _ in range(b.integer(1, 5)):
            p = knots + b.normal(apart, (3, 2))
            middle = 2 * (at + b.normal(apart, 2)) - (p[0] + p[2]) / 2
            curve = (1 - t) ** 2 * p[0] + 2 * t * (1 - t) * middle + t ** 2 * p[2]
            mask = np.zeros((h, w), np.uint8)
            cv2.polylines(mask, [np.int32(curve * 8)], False, 255, max(1, int(size * b.uniform(0.015, 0.12))), cv2.LINE_AA, 3)
            self.over(b, image, mask, paint, b.uniform(0, 0.9))

    def somewhere(self, b, quad):
        """A place on a card, in its middle more often; and the length of its shortest side."""
        u, v = 0.5 + b.normal(0.25), 0.5 + b.normal(0.25)
        at = map_points(square_to(quad), [[u, v]])[0]
        return at, float(np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).min())

    def over(self, b, image, mask, paint, round_):
        """Lays something over the cards, if enough of each is left; `round_`: how much darker its edges are."""
        alpha = np.float32(mask) / 255
        if self.covers_most(alpha):
            return
        deep = cv2.distanceTransform(np.uint8(mask > 127), cv2.DIST_L2, 3)
        shade = 1 - round_ * (1 - deep / (deep.max() + 1e-6)) ** 2
        if b.chance(0.7):
            self.shadow(b, image, alpha)
        if b.chance(0.3):  # It shines.
            shade = shade + b.uniform(0.2, 1.5) * (deep > 0.7 * deep.max())
        blend(image, np.clip(paint * (shade * (1 + b.uniform(0, 0.1) * b.noise(*mask.shape)))[..., None], 0, 300), alpha)
        self.hide(alpha)

    def covers_most(self, alpha):
        """Whether less than half of a card would be left."""
        return any((np.maximum(alpha, card.hidden) * card.alpha).sum() > 0.5 * card.alpha.sum() for card in self.cards)


class Asked(More):
    """Scenes as the detector is asked to answer: what the trees learn from."""

    LEAST = LEAST_IN_GRID = 20
    SLANT = 45
    NEAR = 1.5
    CONTRAST = 11
    LOUD = 1.7
    CUT = 0.2
    BARE = 0.04  # How much of a picture with panes or tiles may have too much light: about a card's area.
    RAGS = (3, 3, 3, 7, 8, 9)

    def draw(self, b, long, shape, kind):
        """Not what nobody could tell from sheets, with cards before it or without: ribs in a frame, a board on a wall, panes
        and tiles of which too much light left bare rectangles."""
        if not super().draw(b, long, shape, kind):
            return False
        seen = {tag.removeprefix("on ") for tag in self.tags}
        if seen & {"shutter", "room"}:
            return False
        return not (self.lost > self.BARE and seen & {"facade", "garage", "cells", "paving", "bricks", "window"})

    def stage(self, b):
        image = super().stage(b)
        if b.chance(0.1):
            self.tags.append("board")
            self.board(b, image, self.anywhere(b), direction(b), b.uniform(0.08, 0.35) * self.width)
        return image

    def cover(self, b, image):
        super().cover(b, image)
        if self.cards and b.chance(self.ACROSS / 5):
            self.board_across(b, image, self.cards[b.integer(0, len(self.cards) - 1)].quad)

    def board_across(self, b, image, quad):
        """A board over one end of a card, or over a corner."""
        side, middle = b.integer(0, 3), quad.mean(0)
        out = (quad[side] + quad[(side + 1) % 4]) / 2 - middle
        turned = out @ rotation(b.normal(0.3))
        turned /= np.linalg.norm(turned)
        wide = b.uniform(0.3, 1.5) * np.linalg.norm(out)
        at = middle + out * b.uniform(0.3, 0.95) + turned * wide
        laid = image.copy()
        alpha = self.board(b, laid, at, np.float32([-turned[1], turned[0]]), wide)
        if not self.covers_most(alpha):
            self.tags.append("board across")
            image[:] = laid
            self.hide(alpha)

    def board(self, b, image, at, way, wide):
        """A long board with lanes, holes and marks, on which a card may lie; `wide`: half of its width. Returns where it is."""
        h, w = self.height, self.width
        across = np.float32([-way[1], way[0]])
        long = b.uniform(0.5, 2) * w
        corners = [at - way * long + across * wide, at + way * long + across * wide,
                   at + way * long - across * wide, at - way * long - across * wide]
        place = square_to(np.float32(corners) + b.normal(0.02 * w, (4, 2)))
        flat = np.clip(image, 0, 255).astype(np.uint8)
        base = b.natural()
        rows, step = b.integer(2, 9), wide / long / b.uniform(1, 4)
        colours = [b.colour() for _ in range(b.integer(1, 3))] + [base]
        mask = np.zeros((h, w), np.uint8)
        fill(mask, map_points(place, [[0, 0], [1, 0], [1, 1], [0, 1]]), 255)
        alpha = np.float32(mask) / 255
        if b.chance(0.6):
            image32 = np.float32(flat)
            self.shadow(b, image32, alpha)
            flat = np.clip(image32, 0, 255).astype(np.uint8)
        fill(flat, map_points(place, [[0, 0], [1, 0], [1, 1], [0, 1]]), base)
        start, end = b.uniform(0, 0.2), b.uniform(0.8, 1)
        for row in range(rows):
            y, deep = (row + b.uniform(0.05, 0.2)) / rows, b.uniform(0.5, 0.8) / rows
            colour = colours[b.integer(0, len(colours) - 1)]
            fill(flat, map_points(place, [[start, y], [end, y], [end, y + deep], [start, y + deep]]), colour)
            mark = as_colour(b.shade(colour, 0.2, 1.6))
            for x in np.arange(start, end, max(step, 0.012)):
                p = map_points(place, [[x, y + deep / 2], [x, y], [x, y + deep]])
                if row % 2:
                    cv2.line(flat, np.int32(p[1] * 8).tolist(), np.int32(p[2] * 8).tolist(), mark, 1, cv2.LINE_AA, 3)
                else:
                    cv2.circle(flat, np.int32(p[0] * 8).tolist(), max(2, int(wide * deep * 2)), mark, -1, cv2.LINE_AA, 3)
        image[:] = flat
        return alpha


class Crossed(Asked):
    """These, with something across a card more often than not: half of a card must not pass for one."""

    ACROSS = 0.75
    SHOWN = 0.6, 0.6, 0.25


class Judged(Asked):
    """What is evaluated: at most seven cards, no side shorter than nine hundredths of the picture's longer one; the sides
    still show when blur, noise and coding are done."""

    MOST = 7
    LEAST = LEAST_IN_GRID = 24
    CONTRAST = 12
    LOUD = 2.0

    def draw(self, b, long, shape, kind):
        if not super().draw(b, long, shape, kind):
            return False
        image = cv2.GaussianBlur(np.float32(self.image), (0, 0), 0.5 * self.unit)
        self.noise *= 0.5
        return all(self.shows(image, card) for card in self.cards)


BANK_SHARE = 0.12  # Of the faces, how many are drawn anew; the others come from the stock.
STOCK = []
PALE = []


def stock():
    """Faces drawn once."""
    if not STOCK:
        STOCK.extend(faces.face(Brush(20261123, 7, k)) for k in range(500))
    return STOCK


def pale():
    """Those of the stock whose border is white or nearly so."""
    if not PALE:
        for face in stock():
            image = face.image
            border = np.concatenate([image[2], image[-3], image[:, 2], image[:, -3]])
            if border.min(1).mean() > 185:
                PALE.append(face)
    return PALE


def direction(b):
    a = b.uniform(0, 2 * math.pi)
    return np.float32([math.cos(a), math.sin(a)])


def along(quad, side, start, end):
    t = np.linspace(start, end, SIDES, dtype=np.float32)[:, None]
    return quad[side] * (1 - t) + quad[(side + 1) % 4] * t


def sample(image, points):
    points = np.float32(points)
    return cv2.remap(image, points[:, :1], points[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0]


def ragged(b, at, size, corners):
    turn = np.sort(b.rng.uniform(0, 2 * math.pi, corners))
    far = size * b.rng.uniform(0.5, 1, corners)
    return np.stack([at[0] + far * np.cos(turn), at[1] + far * np.sin(turn)], 1)


def half_plane(b, at, out, deep):
    """A long strip that begins at a line through `at` and is `deep` towards `out`."""
    way = np.float32([-out[1], out[0]]) * 3000
    return [at - way, at + way, at + way + out * deep, at - way + out * deep]


def cord(b, mask, unit, at=None):
    h, w = mask.shape
    knots = b.rng.uniform(-0.2, 1.2, (b.integer(3, 5), 2)) * [w, h]
    if at is not None:
        knots[len(knots) // 2] = at
    t = np.linspace(0, 1, 40)[:, None]
    n = len(knots) - 1
    curve = sum(math.comb(n, k) * t ** k * (1 - t) ** (n - k) * knots[k] for k in range(n + 1))
    cv2.polylines(mask, [np.int32(curve * 8)], False, 255, max(1, int(b.uniform(0.8, 6) * unit)), cv2.LINE_AA, 3)


def fingers(b, mask, at, outward, size, long):
    thick = np.clip(size * b.uniform(0.12, 0.3), 0.02 * long, 0.12 * long)
    way = outward @ rotation(b.normal(0.4))
    across = np.array([-way[1], way[0]])
    count = b.integer(1, 4)
    for k in range(count):
        tip = at + across * (k - (count - 1) / 2) * thick * b.uniform(1, 1.3) + way * thick * b.normal(0.4)
        joint = tip + way * b.uniform(1.5, 4) * thick + across * b.normal(0.3) * thick
        bones = np.stack([tip, joint, joint + way * 2 * long])
        cv2.polylines(mask, [np.int32(bones * 8)], False, 255, max(2, int(thick)), cv2.LINE_AA, 3)


def outline(b, face):
    """A card's outline in the unit square: rounded corners, sides bowed by a hair where it bends."""
    h, w = face.image.shape[:2]
    rx, ry = face.radius * max(h, w) / w, face.radius * max(h, w) / h
    bow = None
    if b.chance(0.45 if face.bends else 0.06):
        bow = b.normal(0.009 if face.bends else 0.004, 4)
    points = []
    turns = ((rx, ry, math.pi), (1 - rx, ry, 1.5 * math.pi), (1 - rx, 1 - ry, 0), (rx, 1 - ry, 0.5 * math.pi))
    for i, (x, y, start) in enumerate(turns):
        for k in range(7 if rx > 0.004 else 1):
            a = start + (k / 6 if rx > 0.004 else 0.5) * math.pi / 2
            points.append((x + rx * math.cos(a), y + ry * math.sin(a)))
        if bow is not None:
            end = ((1 - rx, 0), (1, 1 - ry), (rx, 1), (0, ry))[i]
            begin = points[-1]
            for k in (0.1, 0.3, 0.5, 0.7, 0.9):
                bulge = bow[i] * 4 * k * (1 - k)
                dx, dy = (0, bulge) if i % 2 == 0 else (bulge, 0)
                points.append((begin[0] + (end[0] - begin[0]) * k + dx, begin[1] + (end[1] - begin[1]) * k + dy))
    return np.float32(points)


def motion(b, image, length):
    size = int(length) * 2 + 3
    kernel = np.zeros((size, size), np.uint8)
    way = direction(b) * length / 2 * 8
    centre = np.float32([size // 2, size // 2]) * 8
    cv2.line(kernel, np.int32(centre - way).tolist(), np.int32(centre + way).tolist(), 255, 1, cv2.LINE_AA, 3)
    kernel = np.float32(kernel)
    return cv2.filter2D(image, -1, kernel / kernel.sum())
