"""Data that is made up: cards in Catima's file, photos with dates and places, a video."""

import base64
import csv
import datetime
import io
import math
import random
import zipfile

from PIL import Image, ImageDraw, ImageFont

TODAY = datetime.date.today()

# Name, number, kind, colour, groups, favourite, days until it ends, days since it was used, note, balance,
# archived, photos.
CARDS = [
    ("Nordkauf", "4006381333931", "EAN_13", 0x1D5C9E, ["Food"], 1, None, 0, "", "0", 0, True),
    ("Bergblick Bücherei", "A2874401B", "CODABAR", 0x6B3FA0, ["Leisure"], 1, 6, 1, "Ask for Frau Ölmüller", "0", 0, True),
    ("Toy Box", "TB-2209-7781", "QR_CODE", 0xE4572E, ["Family"], 0, None, 2, "", "12.50", 0, False),
    ("Grünwerk", "00927714", "CODE_39", 0x2E7D4F, ["Home"], 0, -23, 3, "", "0", 0, False),
    ("Kaffeehaus am Stadttor mit einem langen Namen", "", "", 0x5B4636, ["Food"], 0, None, 4, "", "0", 0, False),
    ("Velo", "0112233445566778899001122334455", "CODE_128", 0x00838F, ["Leisure"], 0, None, 5, "", "0", 0, False),
    ("City Pharmacy", "73513537", "EAN_8", 0xC2185B, ["Health"], 0, None, 6, "", "0", 0, False),
    ("Museum", "MUS;2026;0417", "AZTEC", 0xF2C14E, ["Leisure", "Family"], 0, 25, 7, "", "0", 0, False),
    ("Fly & Stay", "FS880012345", "PDF_417", 0x263238, ["Travel"], 0, None, 8, "", "0", 0, False),
    ("Pool", "0488213", "DATA_MATRIX", 0x81D4FA, ["Leisure"], 0, None, 9, "", "0", 0, False),
    ("Old gym", "12345670", "EAN_8", 0x9E9E9E, [], 0, None, 400, "", "0", 1, False),
]


def card_identifier(number):
    return f"00000000-0000-4000-8000-{number:012d}"


def _millis(days):
    moment = datetime.datetime.combine(TODAY + datetime.timedelta(days=days), datetime.time(12))
    return str(int(moment.timestamp() * 1000))


def catima(cards=CARDS, photo_of=None):
    """A zip file with the cards, as Catima writes it; photos of their sides are drawn where nobody has others."""
    table = io.StringIO()
    write = csv.writer(table, lineterminator="\r\n")
    write.writerow(["2"])
    write.writerow([])
    write.writerow(["_id"])
    groups = list(dict.fromkeys(group for card in cards for group in card[4]))
    write.writerows([group] for group in groups)
    write.writerow([])
    write.writerow(["_id", "store", "note", "validfrom", "expiry", "balance", "balancetype", "cardid", "barcodeid",
                    "barcodetype", "headercolor", "starstatus", "lastused", "archive", "viewfinder_id"])
    for at, (name, number, kind, color, _, star, ends, used, note, balance, archived, _) in enumerate(cards, 1):
        # Catima's colours are signed, with alpha.
        signed = (0xFF000000 | color) - (1 << 32)
        expiry = "" if ends is None else _millis(ends)
        last = str(int(_millis(-used)) // 1000)
        write.writerow([at, name, note, "", expiry, balance, "EUR" if balance != "0" else "", number or "-", "", kind,
                        signed, star, last, archived, card_identifier(at)])
    write.writerow([])
    write.writerow(["cardId", "groupId"])
    write.writerows([at, group] for at, card in enumerate(cards, 1) for group in card[4])
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("catima.csv", table.getvalue())
        for at, card in enumerate(cards, 1):
            for side in ["front", "back"] if card[-1] else []:
                picture = io.BytesIO()
                (photo_of or card_photo)(card[0], card[3], side).save(picture, "PNG")
                archive.writestr(f"card_{at}_{side}.png", picture.getvalue())
    return data.getvalue()


def many_cards(count):
    """Cards in number, without photos."""
    kinds = [0x1D5C9E, 0x6B3FA0, 0xE4572E, 0x2E7D4F, 0x5B4636]
    return [(f"Shop {at:03d}", f"{10_000_000 + at}", "CODE_128", kinds[at % 5], [f"Group {at % 9}"], 0, None, at % 300,
             "", "0", 0, False) for at in range(count)]


def card_photo(name, color, side):
    image = Image.new("RGB", (856, 540), f"#{color:06x}")
    draw = ImageDraw.Draw(image)
    if side == "front":
        draw.ellipse((500, -160, 1100, 440), fill="#ffffff")
        # Pillow's own font has few letters.
        draw.text((48, 400), name.split()[0], font=ImageFont.load_default(64), fill="white")
    else:
        draw.rectangle((0, 60, 856, 170), fill="#202020")
        draw.rectangle((60, 260, 796, 460), fill="white")
    return image


def photo(seed, day, size=(1600, 1200), camera="Fuji X100V"):
    """A JPEG of a landscape that nobody has seen, with the day on which it was taken."""
    draw_from = random.Random(seed)
    width, height = size
    sky, ground = draw_from.randrange(360), draw_from.randrange(60, 160)
    image = Image.new("RGB", size, f"hsl({sky}, 45%, 72%)")
    draw = ImageDraw.Draw(image)
    x, radius = draw_from.randrange(width), width // 12
    draw.ellipse((x - radius, height // 6, x + radius, height // 6 + 2 * radius), fill=f"hsl({(sky + 40) % 360}, 80%, 88%)")
    for layer in range(4):
        base = height * (0.45 + 0.14 * layer)
        phase, waves = draw_from.random() * 6, draw_from.uniform(1.5, 4)
        ridge = [(at, base + height * 0.08 * math.sin(phase + waves * at / width * 6)) for at in range(0, width + 20, 20)]
        draw.polygon([*ridge, (width, height), (0, height)], fill=f"hsl({ground}, 35%, {52 - 10 * layer}%)")
    moment = datetime.datetime.combine(day, datetime.time(9 + seed % 9, seed % 60)).strftime("%Y:%m:%d %H:%M:%S")
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0132] = camera.split()[0], camera, moment
    exif.get_ifd(0x8769).update({0x9003: moment, 0x829A: 0.004, 0x829D: 2.8, 0x8827: 400, 0x920A: 23.0})
    data = io.BytesIO()
    image.save(data, "JPEG", quality=82, exif=exif)
    return data.getvalue()


def library(folder, count=60):
    """Photos of two years in a folder, one of them upright, one that is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for at in range(count):
        day = TODAY - datetime.timedelta(days=(at // 4) ** 2 // 2)
        size = (1200, 1600) if at % 7 == 3 else (1600, 1200)
        (folder / f"IMG_{2000 + at}.jpg").write_bytes(photo(at, day, size))
    (folder / "IMG_1000.jpg").write_bytes(b"\xff\xd8\xff\xe0no photo at all")


_RECORD = """async () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 360 });
  const context = canvas.getContext("2d");
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm" });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.start();
  for (let at = 0; at < 30; at += 1) {
    context.fillStyle = `hsl(${200 + at * 2}, 50%, 60%)`;
    context.fillRect(0, 0, 640, 360);
    context.fillStyle = "white";
    context.fillRect(40 + at * 12, 140, 80, 80);
    await new Promise((done) => setTimeout(done, 40));
  }
  await new Promise((done) => { recorder.onstop = done; recorder.stop(); });
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


def bar_code(digits):
    """An EAN-8 (ISO/IEC 15420) on white."""
    left = (13, 25, 19, 61, 35, 49, 47, 59, 55, 11)
    codes = [f"{left[int(digit)] ^ (0 if place < 4 else 127):07b}" for place, digit in enumerate(digits)]
    modules = "101" + "".join(codes[:4]) + "01010" + "".join(codes[4:]) + "101"
    image = Image.new("RGB", (1280, 720), "white")
    draw = ImageDraw.Draw(image)
    for place, module in enumerate(modules):
        if module == "1":
            draw.rectangle((438 + 6 * place, 260, 443 + 6 * place, 460), fill="black")
    return image


def video(page):
    """A WebM file of about a second, which the browser records."""
    return base64.b64decode(page.evaluate(_RECORD))
