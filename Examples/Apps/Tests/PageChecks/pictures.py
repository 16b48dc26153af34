"""Makes the pictures of the apps' READMEs anew, from the pages of today and what is drawn here.

usage: Examples/Apps/.build/page-checks/bin/python Examples/Apps/Tests/PageChecks/pictures.py PROGRAMS

PROGRAMS is the folder of the built programs, such as Examples/Apps/.build/debug.
"""

import datetime
import io
import pathlib
import sys
import tempfile
import types

from PIL import Image
from playwright.sync_api import sync_playwright

import made
import photo_stages
import photos
import wallet_stages
from checks import PHONE
from looks import launched
from programs import Place
from states import opened
from visit import Visit, wait_until

_SOURCES = pathlib.Path(__file__).parents[2] / "Sources"

# MARK: Cards

# What is printed on some cards: colours from the top to the bottom, and what is drawn before them, 856 × 540.
_SEA = '<path d="M0 330q107-60 214 0t214 0t214 0t214 0v210H0z" fill="#0b6e99"/><path d="M0 410q107-60 214 0t214 0t214 0t214 0v130H0z" ' \
    'fill="#084c6b"/><circle cx="690" cy="250" r="66" fill="#ffe8a3"/>'
_HILLS = '<circle cx="640" cy="256" r="80" fill="#ffd98a"/><path d="M0 400L220 210L400 380L560 260L856 430V540H0z" fill="#5b3f8c"/>' \
    '<path d="M0 480L260 360L480 470L700 390L856 460V540H0z" fill="#38245f"/>'
_LEAF = '<path d="M560 440C560 250 660 120 800 90C830 260 740 420 560 440z" fill="#2f7d4a"/><path d="M560 440L760 150" stroke="#dff0d8" ' \
    'stroke-width="8"/><path d="M500 460C420 380 420 280 470 210C540 280 560 380 500 460z" fill="#4c9a63"/>'
_CUP = '<path d="M560 230h190v120a95 95 0 0 1-190 0z" fill="#fff4e3"/><path d="M750 255h30a45 45 0 0 1 0 90h-34" fill="none" ' \
    'stroke="#fff4e3" stroke-width="22"/><path d="M610 190q-20-30 0-60M660 190q-20-30 0-60M710 190q-20-30 0-60" fill="none" ' \
    'stroke="#fff4e3" stroke-width="12" stroke-linecap="round"/>'
_ART = {
    "Harbour Baths": ("#7fd0e8", "#c9eef2", "#06384f", _SEA), "Ridge Railway": ("#ef8f6b", "#f9cf9b", "#2b1850", _HILLS),
    "Greenhouse": ("#eaf4e2", "#cfe6c3", "#1d4d30", _LEAF), "Café Corner": ("#8a5a3c", "#5d3a25", "#fff4e3", _CUP),
}

# As in Catima's file of the page checks.
_CARDS = [
    ("Harbour Baths", "2914035827649", "EAN_13", 0x0B6E99, ["Free time"], 1, 200, 0, "", "0", 0, True),
    ("Café Corner", "40170725", "EAN_8", 0x6B4630, ["Food"], 1, None, 1, "", "12.50", 0, True),
    ("Nordkauf", "4006381333931", "EAN_13", 0xB3121D, ["Food", "Household"], 0, None, 2, "", "0", 0, False),
    ("Ridge Railway", "RR-2026-0417", "AZTEC", 0x4A2F80, ["Free time"], 0, 6, 3, "", "0", 0, True),
    ("Toy Box", "TB-2209-7781", "QR_CODE", 0xF2B705, ["Children"], 0, None, 4, "", "0", 0, False),
    ("Greenhouse", "A2874401B", "CODABAR", 0x2F7D4A, ["Household"], 0, None, 5, "", "0", 0, True),
    ("City Library", "0693551268401", "CODE_128", 0x14532D, ["Free time", "Children"], 0, None, 6, "", "0", 0, False),
    ("Velo Republic", "0112233445566", "CODE_128", 0x0E7490, ["Free time"], 0, None, 7, "", "0", 0, False),
]


def drawn(browser, name):
    """The front of a card."""
    top, bottom, ink, art = _ART[name]
    page = browser.new_page(viewport={"width": 856, "height": 540})
    page.set_content(f"""<body style="margin: 0"><svg width="856" height="540" style="display: block">
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="{top}"/><stop offset="1" stop-color="{bottom}"/></linearGradient>
      <rect width="856" height="540" fill="url(#sky)"/>{art}
      <text x="56" y="120" font-family="serif" font-size="76" font-weight="bold" fill="{ink}">{name}</text></svg>""")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.close()
    return picture


def cards(place, browser):
    """A wallet with cards that look like some."""
    fronts = {name: drawn(browser, name) for name in _ART}

    def photo_of(name, color, side):
        return fronts[name] if side == "front" else made.card_photo(name, color, side)
    program = wallet_stages.wallet(place)
    visitor = wallet_stages.Visitor(browser, program)
    visitor.fill(_CARDS, photo_of)
    return types.SimpleNamespace(program=program, visitor=visitor)


# MARK: Pictures

def shot(browser, stage, bring, size, theme="light"):
    """What a page looks like, at twice its size."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, device_scale_factor=2, locale="en-GB", reduced_motion="reduce",
        color_scheme=theme, service_workers="block")
    visit = Visit(context.new_page(), stage)
    bring(visit)
    visit.settle()
    picture = Image.open(io.BytesIO(visit.page.screenshot())).convert("RGB")
    visit.end()
    return picture


def save(picture, width, name):
    picture = picture.resize((width, round(picture.height * width / picture.width)), Image.LANCZOS)
    file = _SOURCES / name / "screenshot.png"
    picture.quantize(192, Image.MEDIANCUT, dither=Image.NONE).save(file, "PNG", optimize=True)
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


def of_wallet(place, browser):
    """The list, a card at the till, and the list in the dark, on phones side by side."""
    stage = cards(place, browser)
    listed = opened("", "#cards > li img")
    till = opened(wallet_stages.address(1, "till"), "dialog.till-page .till-body svg, dialog.till-page .till-body img")
    shots = [shot(browser, stage, bring, PHONE, theme) for bring, theme in [(listed, "light"), (till, "light"), (listed, "dark")]]
    width, height = shots[0].size
    whole = Image.new("RGB", (3 * width + 4 * 60, height + 2 * 60), "#8b8b90")
    for at, one in enumerate(shots):
        whole.paste(one, (60 + at * (width + 60), 60))
    save(whole, 1000, "my-cards")


def selected(visit):
    photos.selected(visit)
    wait_until(visit.page, """() => [...document.querySelectorAll("#grid .tile")].every((tile) =>
      tile.getBoundingClientRect().top > innerHeight || tile.querySelector("img").naturalWidth)""", timeout=60_000)


def of_navigator(place, browser):
    """Photos of some days, three of them selected."""
    pictures = place.new_folder("library/Pictures")
    for at in range(24):
        day = made.TODAY - datetime.timedelta(days=at // 5)
        (pictures / f"IMG_{at}.jpg").write_bytes(made.photo(3 * at + 11, day))
    stage = types.SimpleNamespace(program=photo_stages.program(place))
    save(shot(browser, stage, selected, (1000, 640)), 1000, "asset-navigator")


def main():
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for make in [of_wallet, of_navigator]:
            with tempfile.TemporaryDirectory(prefix="pictures-") as folder, Place(sys.argv[1], folder) as place:
                make(place, browser)


if __name__ == "__main__":
    main()
