"""The picker in the pages that open it: camera, review, library; the scanner of cards; the timeline, the booth."""

import datetime
import json
import shutil
import types

import made
from cameras import no_posts, posts, refusing, slow, unwritable
from made import library
from states import Table
from wallet_stages import CAMERA, wallet

TABLE = Table()


# MARK: Stages


def _picker(place, *options, pictures=12):
    folder = place.new_folder("picker")
    root = place.new_folder("picker/Pictures")
    if pictures:
        library(root, pictures)
    return types.SimpleNamespace(
        program=place.start("picker-component", *(options or CAMERA), "--root", root, "--index", folder / "index"))


def picker(place, browser):
    return _picker(place)


def many(place, browser):
    """Any number of photos may be picked."""
    return _picker(place, *CAMERA, "--limit", "0")


def cropper(place, browser):
    return _picker(place, *CAMERA, "--square")


def without_camera(place, browser):
    return _picker(place, "--no-camera")


def without_photos(place, browser):
    return _picker(place, pictures=0)


def without_access(place, browser):
    """A library that is no folder of this person's."""
    folder = place.new_folder("picker")
    (folder / "Pictures").write_text("no folder")
    return types.SimpleNamespace(
        program=place.start("picker-component", *CAMERA, "--root", folder / "Pictures", "--index", folder / "index"))


def lost(place, browser):
    """A camera that is unplugged three seconds after it was opened."""
    return _picker(place, *CAMERA, "--faults", "unplug@90:600")


def ended(place, browser):
    return _picker(place)


def booth(place, browser):
    folder = place.new_folder("booth")
    library(folder / "Pictures", 6)
    return types.SimpleNamespace(
        program=place.start("overlay-booth", *CAMERA, "--root", folder / "Pictures", "--index", folder / "index"))


def scanner(place, browser):
    """A wallet whose camera sees a card on a table, as a person's hand holds it."""
    return types.SimpleNamespace(program=wallet(place, "wallet", "--simulate", "card"))


def code_scanner(place, browser):
    """A wallet whose camera sees a bar code on white, and no card."""
    picture = place.new_folder("code") / "code.png"
    made.bar_code("96385074").save(picture)
    return types.SimpleNamespace(program=wallet(place, "wallet", "--replay", str(picture)))


def blind_scanner(place, browser):
    """A wallet whose camera sees nothing but grey."""
    return types.SimpleNamespace(program=wallet(place, "wallet", "--simulate", "grey"))


def scanner_without_camera(place, browser):
    return types.SimpleNamespace(program=wallet(place, "wallet", "--no-camera"))


# MARK: How states come about


# Changes what the page hears of a topic: what takes a real camera or disk in some state.
HEARS = """(() => {
  const [topic, change] = ARGUMENTS;
  window.EventSource = class extends EventSource {
    addEventListener(type, listener) {
      const isIt = new URL(this.url).searchParams.getAll("topic").includes(`${type}.${topic}`);
      super.addEventListener(type, isIt ? ({ data }) => listener({ data: JSON.stringify({ ...JSON.parse(data), ...change }) }) : listener);
    }
  };
})()"""


def hears(visit, topic, **change):
    visit.page.add_init_script(HEARS.replace("ARGUMENTS", json.dumps([topic, change])))


def camera_says(visit, code, **values):
    hears(visit, "picker-live", state="unavailable", code=code, values=values)


def start(visit):
    visit.open()
    visit.wait("h1")


def booth_keys(visit):
    start(visit)
    visit.page.keyboard.press("?")
    visit.wait(".keys")


def chosen(visit):
    start(visit)
    visit.open_picker(lambda: visit.page.get_by_role("button", name="Choose").first.click())


def camera(visit):
    chosen(visit)
    visit.wait(".shutter")
    visit.page.wait_for_timeout(800)


def timer_menu(visit):
    camera(visit)
    visit.page.get_by_role("button", name="Timer").first.click()
    visit.page.wait_for_timeout(300)


def countdown(visit):
    timer_menu(visit)
    visit.page.get_by_role("menuitemradio", name="10").first.click()
    visit.click(".shutter")
    visit.page.wait_for_timeout(400)


def cropping(visit):
    """The app wants its photos cropped."""
    camera(visit)
    visit.click(".shutter")
    visit.wait(".crop")
    visit.page.wait_for_timeout(500)


def series(visit):
    camera(visit)
    visit.click("button.series")
    visit.click(".shutter")
    visit.page.wait_for_timeout(2500)


def zoom(visit):
    camera(visit)
    step = visit.page.locator(".zoom button, .zoom label").first
    box = step.bounding_box()
    visit.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visit.page.mouse.down()
    visit.page.wait_for_timeout(900)
    visit.page.mouse.up()
    visit.wait('input[type="range"]:visible')


def review(visit):
    camera(visit)
    visit.click(".shutter")
    visit.wait('[data-do="retake"]')
    visit.page.wait_for_timeout(400)


def starting(visit):
    visit.delay("**/picker/live*")
    visit.delay("**/stream*")
    chosen(visit)
    visit.page.wait_for_timeout(800)


def none(visit):
    """It begins with the library, which can be used."""
    chosen(visit)
    visit.click('[data-do="showSource"][data-name="camera"]')
    visit.wait(".camera-none[data-trouble]")


def permission(visit):
    camera_says(visit, "cameraGroup", device="/dev/video0", group="video")
    none(visit)


def in_use(visit):
    camera_says(visit, "cameraInUseUnseen", device="/dev/video0")
    none(visit)


def full(visit):
    """The disk is."""
    hears(visit, "picker", problem={"code": "fullAt", "message": "The disk is full."})
    chosen(visit)
    visit.wait('.camera-none[data-trouble="full"]')


def gone(visit):
    camera(visit)
    visit.page.wait_for_timeout(4500)


def shelf(visit):
    camera(visit)
    visit.click('[data-do="showSource"][data-name="photoLibrary"]')
    visit.page.wait_for_timeout(1200)


def some_days(visit):
    """The fields for days are open, and a day is chosen."""
    shelf(visit)
    visit.click(".library-filters .chip")
    day = made.TODAY - datetime.timedelta(days=3)
    visit.fill("Taken from", day.isoformat())
    visit.page.wait_for_timeout(600)


def loading(visit):
    visit.delay("**/picker/assets*")
    shelf(visit)


def ended_library(visit):
    if visit.stage.program.process.poll() is not None:
        visit.stage.program.start()
    shelf(visit)
    visit.stage.program.stop()
    visit.page.wait_for_timeout(2500)


def parts(visit):
    visit.open("parts")
    visit.wait("button#what")


def part(name, shown):
    """One of the picker's parts, within a page."""
    def bring(visit):
        parts(visit)
        visit.open_picker(lambda: visit.click(f"button#{name}"), shown=f"viewfinder-{name}[screen]")
        visit.wait(shown)
        # That the page before still had the picker.
        visit.wait(".toast", state="detached")
        visit.page.wait_for_timeout(800)
    return bring


def part_photos(visit):
    """Photos of the camera, one after the other."""
    part("camera", ".shutter:not(:disabled)")(visit)
    visit.click(".shutter")
    visit.wait("#pictures li")
    visit.wait(".shutter:not(:disabled)")
    visit.page.wait_for_timeout(400)


def part_tray(visit):
    part_photos(visit)
    visit.click("button.thumb")
    visit.wait("viewfinder-sheet[open]")


def part_crop(visit):
    part("camera", ".shutter:not(:disabled)")(visit)
    visit.click(".shutter")
    visit.wait("viewfinder-crop[screen=editing] .crop")
    visit.page.wait_for_timeout(500)


def part_toast(visit):
    part_tray(visit)
    visit.click("viewfinder-sheet [data-do=done]")
    visit.click("#forget")
    visit.wait(".toast")
    visit.page.wait_for_timeout(300)


def part_sheet(visit):
    parts(visit)
    visit.click("button#what")
    visit.wait("viewfinder-sheet[open] p")


def scanning(visit):
    # A code would end the scan before anybody looks.
    visit.page.route("**/scan", lambda route: route.continue_(url=route.request.url.replace("/scan", "/photos")))
    visit.open("#/new")
    visit.wait("form")
    visit.open_picker(lambda: visit.page.get_by_role("button", name="Scan").first.click())


def scan(milliseconds):
    def bring(visit):
        scanning(visit)
        visit.wait("dialog[open] .shutter")
        visit.page.wait_for_timeout(milliseconds)
    return bring


def closer(visit):
    corners = [[0.4, 0.4], [0.6, 0.41], [0.61, 0.6], [0.4, 0.59]]
    hears(visit, "picker-live", card={"corners": corners, "advice": "tooFar", "progress": 0})
    scan(800)(visit)
    visit.wait('.advice[data-code="tooFar"]')


def scan_permission(visit):
    camera_says(visit, "cameraGroup", device="/dev/video0", group="video")
    scanning(visit)
    visit.click('[data-do="showSource"][data-name="camera"]')
    visit.wait('.camera-none[data-trouble="permission"]')


def hold(visit):
    """The card is to be held still, for as long as it takes to look."""
    scan(0)(visit)
    visit.click("button.auto")
    visit.wait('.advice[data-code="good"]')


def code(visit):
    scan(0)(visit)
    visit.wait('.advice[data-code="code"]')


def adjust(visit):
    scan(800)(visit)
    visit.click("dialog[open] .shutter")
    visit.wait(".handle")
    visit.page.wait_for_timeout(500)


def post(visit):
    visit.open()
    visit.wait("h1")
    visit.click("#photo, .fab")
    visit.page.wait_for_timeout(500)


def timeline_loading(visit):
    """Nothing is heard of it yet."""
    visit.delay("**/events?*")
    visit.open(wait="commit")
    visit.wait("#loading")
    visit.page.wait_for_timeout(600)


def unkept(visit):
    """A photo that can't be written."""
    shutil.rmtree(visit.stage.store / "outbox", ignore_errors=True)
    post(visit)
    visit.click('[data-source="photoLibrary"]')
    visit.click(".grid button")
    visit.wait("#problem-banner:visible")


def posted(visit):
    """A photo of the camera, in the timeline."""
    post(visit)
    if visit.page.locator(".shutter").count() == 0:
        visit.page.get_by_role("button", name="Take").first.click()
    visit.wait(".shutter")
    visit.page.wait_for_timeout(800)
    visit.click(".shutter")
    visit.click('[data-do="usePhoto"]')
    visit.wait("#timeline img, .post img")
    visit.page.wait_for_timeout(1500)


TABLE.add("component", "start", picker, start)
TABLE.add("parts", "start", many, parts)
TABLE.add("parts", "camera", many, part("camera", ".shutter:not(:disabled)"), is_large=True)
TABLE.add("parts", "photos", many, part_photos)
TABLE.add("parts", "tray", many, part_tray)
TABLE.add("parts", "library", many, part("library", ".grid .tile"), is_large=True)
TABLE.add("parts", "crop", cropper, part_crop, is_large=True)
TABLE.add("parts", "toast", many, part_toast)
TABLE.add("parts", "sheet", many, part_sheet)
TABLE.add("picker", "camera", picker, camera, is_large=True)
TABLE.add("picker", "zoom", picker, zoom, is_large=True)
TABLE.add("picker", "timer", picker, timer_menu)
TABLE.add("picker", "countdown", picker, countdown)
TABLE.add("picker", "series", many, series, is_large=True)
TABLE.add("picker", "review", picker, review, is_large=True)
TABLE.add("picker", "crop", cropper, cropping)
TABLE.add("picker", "starting", picker, starting)
TABLE.add("library", "library", picker, shelf, is_large=True)
TABLE.add("picker", "none", without_camera, none, is_large=True)
TABLE.add("picker", "permission", without_camera, permission)
TABLE.add("picker", "in-use", without_camera, in_use)
TABLE.add("picker", "full", picker, full)
TABLE.add("library", "days", picker, some_days)
TABLE.add("library", "loading", picker, loading)
TABLE.add("library", "empty", without_photos, shelf)
TABLE.add("library", "denied", without_access, shelf)
TABLE.add("picker", "lost", lost, gone)
TABLE.add("library", "offline", ended, ended_library)

TABLE.add("scan", "searching", blind_scanner, scan(1500), is_large=True)
TABLE.add("scan", "closer", blind_scanner, closer)
TABLE.add("scan", "hold", scanner, hold, is_large=True)
TABLE.add("scan", "code", code_scanner, code, is_large=True)
TABLE.add("scan", "adjust", scanner, adjust, is_large=True)
TABLE.add("scan", "permission", scanner_without_camera, scan_permission)

TABLE.add("booth", "start", booth, start)
TABLE.add("booth", "keys", booth, booth_keys)
TABLE.add("timeline", "loading", no_posts, timeline_loading)
TABLE.add("timeline", "empty", no_posts, start)
TABLE.add("timeline", "choose", posts, post)
TABLE.add("timeline", "posts", posts, posted, is_large=True)
TABLE.add("timeline", "failed", refusing, posted)
TABLE.add("timeline", "sending", slow, posted)
TABLE.add("timeline", "error", unwritable, unkept)
