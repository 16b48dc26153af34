"""Contact sheets: screenshots side by side, each sheet below 400 kB."""

import dataclasses
import io

from PIL import Image, ImageDraw, ImageFont

from checks import SIZES, THEMES

LIMIT = 400_000
_GROUND, _INK = "#8b8b90", "#111111"


class Sheet:
    """Screenshots at places; drawn smaller and with fewer colours until the file is small enough."""

    def __init__(self, path):
        self.path, self.shots = path, []

    def add(self, png, label, x, y, size=1):
        self.shots.append((Image.open(io.BytesIO(png)).convert("RGB"), label, x, y, size))

    def write(self):
        if not self.shots:
            return
        for scale, colors in [(0.62, 256), (0.62, 128), (0.56, 96), (0.5, 64), (0.45, 48), (0.4, 32)]:
            data = self._drawn(scale, colors)
            if len(data) < LIMIT:
                break
        self.path.write_bytes(data)

    def _drawn(self, scale, colors):
        places = [(shot, label, int(x * scale), int(y * scale), round(shot.width * size * scale), round(shot.height * size * scale))
                  for shot, label, x, y, size in self.shots]
        width = max(x + wide for _, _, x, _, wide, _ in places) + 10
        height = max(y + high for _, _, _, y, _, high in places) + 10
        sheet = Image.new("RGB", (width, height), _GROUND)
        draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(12)
        for shot, label, x, y, wide, high in places:
            draw.text((x, y - 16), label, font=font, fill=_INK)
            sheet.paste(shot.resize((wide, high), Image.LANCZOS), (x, y))
        data = io.BytesIO()
        sheet.quantize(colors, Image.MEDIANCUT, dither=Image.NONE).save(data, "PNG", optimize=True)
        return data.getvalue()


@dataclasses.dataclass
class Shot:
    """A screenshot of a state, for a sheet of its page, or for the one that is named."""
    page: str
    name: str
    is_large: bool
    png: bytes
    size: tuple
    theme: str
    sheet: str = ""
    note: str = ""

    @property
    def title(self):
        return f"{self.page}, {self.name}"


class Sheets:
    """All sheets of a run, in a folder, as the design names its own."""

    # Of these states large text and the other direction are shown.
    CHOSEN = [("wallet", "list"), ("till", "barcode"), ("add", "typed"), ("card", "conflict"), ("scan", "hold"),
              ("picker", "camera"), ("photos", "select"), ("photo", "photo")]
    # And of these where the focus is after so many stops.
    STOPS = {("wallet", "list"): 6, ("till", "barcode"): 4, ("add", "typed"): 3, ("picker", "camera"): 10,
             ("scan", "adjust"): 4, ("photos", "select"): 7, ("photo", "photo"): 5, ("server", "live"): 2}

    def __init__(self, folder, states):
        self.folder, self.order = folder, [state.title for state in states]
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, shots):
        shots = sorted(shots, key=lambda shot: self.order.index(shot.title))
        for sheet in [*self._large(shots), *self._small(shots), *self._extra(shots)]:
            sheet.write()

    def _large(self, shots):
        """A state in all sizes, light at the left."""
        sheets = {}
        for shot in shots:
            if shot.sheet or not shot.is_large:
                continue
            row, column, (width, height) = THEMES.index(shot.theme), SIZES.index(shot.size), shot.size
            x = [16 + row * 798, 400 + row * 798, 16 + row * 868, 16 + row * 868][column]
            y = [32, 32, 910, 1334][column]
            sheet = sheets.setdefault(shot.title, Sheet(self.folder / f"{shot.page}-{shot.name}.png"))
            sheet.add(shot.png, f"{shot.title}: {width} x {height}, {shot.theme}", x, y, 844 / 1280 if column == 3 else 1)
        return sheets.values()

    def _small(self, shots):
        """The other states of a page, four a sheet, light above dark."""
        pages = {}
        for shot in shots:
            if not shot.sheet and not shot.is_large:
                pages.setdefault(shot.page, {}).setdefault(shot.name, []).append(shot)
        for page, states in pages.items():
            parts = [list(states.items())[at:at + 4] for at in range(0, len(states), 4)]
            for number, part in enumerate(parts, 1):
                sheet = Sheet(self.folder / f"{page}-states{number if len(parts) > 1 else ''}.png")
                for at, (name, both) in enumerate(part):
                    for shot in both:
                        sheet.add(shot.png, f"{name}, {shot.theme}", 16 + at * 414, 32 + THEMES.index(shot.theme) * 884)
                yield sheet

    def _extra(self, shots):
        """focus.png, text-200.png and right-to-left.png."""
        sheets = {}
        for shot in shots:
            if shot.sheet:
                sheet = sheets.setdefault(shot.sheet, Sheet(self.folder / f"{shot.sheet}.png"))
                at = len(sheet.shots)
                sheet.add(shot.png, shot.title + shot.note, 16 + at % 4 * 414, 32 + at // 4 * 884)
        return sheets.values()
