"""The photo app's pages: photos, albums, search, trash, stream, full screen."""

import made
from photo_stages import empty, filled, lost, no_camera, stopped_stream, stream, with_camera
from states import Table, opened

TABLE = Table()

# MARK: How states come about


def grid(visit):
    visit.open("#/")
    visit.wait("#grid img[src]")


def scrubbed(visit):
    grid(visit)
    visit.page.mouse.move(200, 400)
    visit.page.mouse.wheel(0, 900)
    visit.wait("#scrubber:visible")


def sized(presses):
    def bring(visit):
        grid(visit)
        for _ in range(presses):
            visit.click("#size")
            visit.page.wait_for_timeout(150)
    return bring


def selected(visit):
    grid(visit)
    visit.click("#select")
    for at in [1, 2, 4]:
        visit.click(f"#grid button >> nth={at}")
    visit.wait("#actions:visible")


def trashed(visit):
    grid(visit)
    visit.click("#select")
    visit.click("#grid button >> nth=12")
    visit.click('[data-tool="toTrash"]:visible')
    visit.wait(".toast")


def added(visit):
    selected(visit)
    visit.click('[data-tool="addToAlbum"]')
    visit.wait("dialog[open]")


def menu(visit):
    grid(visit)
    visit.click("#more")
    visit.wait("#menu:popover-open")


def loading(visit):
    visit.delay("**/lists/**")
    visit.open("#/", wait="commit")
    visit.wait("h1")
    visit.page.wait_for_timeout(600)


def failing(visit):
    visit.answer("**/lists/**", 500, '{"error": "The folder can’t be read."}')
    visit.open("#/")
    visit.wait("h1")
    visit.page.wait_for_timeout(600)


def album(visit):
    visit.open(f"#/album/{visit.stage.album}")
    visit.wait("#grid img[src]")


def album_menu(visit):
    album(visit)
    visit.click("#more")
    visit.click("#delete-album")
    visit.wait("dialog[open]")


def new_album(visit):
    visit.open("#/albums")
    visit.wait("#albums li")
    visit.click("#new-album")
    visit.wait("dialog[open]")


def failing_part(pattern, path):
    """A part of the page that can't be had."""
    def bring(visit):
        visit.answer(pattern, 500, '{"error": "The folder can’t be read."}')
        visit.open(path)
        visit.wait(".empty button:visible")
    return bring


def loading_part(pattern, path):
    """A part of the page that takes long."""
    def bring(visit):
        visit.delay(pattern)
        visit.open(path, wait="commit")
        visit.wait(".bone:visible")
    return bring


def trash_item(visit):
    visit.open("#/trash")
    visit.wait("#trash .tile")
    visit.click("#trash .tile")
    visit.wait("dialog[open]")


def trash_emptied(visit):
    visit.open("#/trash")
    visit.wait("#trash .tile")
    visit.click("#empty-trash")
    visit.wait("dialog[open]")


def searched(text, shown):
    def bring(visit):
        visit.open("#/search")
        visit.wait("#search .chip")
        visit.page.get_by_role("searchbox").fill(text)
        visit.wait(shown)
        visit.page.wait_for_timeout(400)
    return bring


def search_chosen(visit):
    visit.open("#/search")
    visit.wait("#search .chip")
    visit.page.locator("#search .chip", has_text=str(made.TODAY.year)).first.click()
    visit.wait("#grid img[src]")


def search_days(visit):
    visit.open("#/search")
    visit.wait("#search .chip")
    visit.press("Choose days")
    visit.wait("dialog[open]")


def search_failing(visit):
    visit.open("#/search")
    visit.wait("#search .chip")
    visit.answer("**/lists/**", 500, '{"error": "The folder can’t be read."}')
    visit.page.get_by_role("searchbox").fill(str(made.TODAY.year))
    visit.wait("#empty button:visible")


def photo(visit):
    grid(visit)
    visit.click('#grid button[aria-label^="Photo"]:has(img[src]) >> nth=5')
    visit.wait("#viewer img")
    visit.page.wait_for_timeout(400)


def scroll_to(page, tile):
    """Scrolls down until the tile is there. Again from the top, slower: a busy page draws less than it passes."""
    page.mouse.move(200, 400)
    for pause in (100, 300, 1000):
        for _ in range(40):
            if tile.count():
                return
            page.mouse.wheel(0, 600)
            page.wait_for_timeout(pause)
        page.mouse.wheel(0, -100_000)


def of_kind(label):
    """A photo or video by what its tile is called."""
    def bring(visit):
        grid(visit)
        tile = visit.page.locator(f'#grid button[aria-label*="{label}"]').first
        scroll_to(visit.page, tile)
        tile.click()
        visit.wait("#viewer[open]")
        visit.page.wait_for_timeout(600)
    return bring


def info(visit):
    photo(visit)
    visit.click('#viewer [data-tool="about"]')
    visit.wait("aside.about")


def chromeless(visit):
    photo(visit)
    visit.page.mouse.click(195, 400)
    visit.wait("#viewer.chromeless")


def crop(visit):
    photo(visit)
    visit.click("#edit")
    visit.wait("#crop[open]")
    visit.page.wait_for_timeout(400)


def photo_trashed(visit):
    photo(visit)
    visit.click('#viewer [data-tool="toTrash"]')
    visit.wait(".toast, dialog.dialog[open]")


def photo_loading(visit):
    grid(visit)
    visit.delay("**/assets/*")
    visit.delay("**/picture*")
    visit.click("#grid button:has(img[src]) >> nth=6")
    visit.wait("#viewer[open]")
    visit.page.wait_for_timeout(600)


def slideshow(visit):
    menu(visit)
    visit.click("#menu button >> nth=0")
    visit.wait("#slideshow img")


def camera(visit):
    grid(visit)
    visit.open_picker(lambda: visit.click("#camera"))
    visit.wait(".shutter")
    visit.page.wait_for_timeout(800)


def contrasted(then):
    """For somebody who wants more contrast."""
    def bring(visit):
        visit.page.emulate_media(contrast="more")
        then(visit)
    return bring


def keys(visit):
    grid(visit)
    visit.page.keyboard.press("?")
    visit.wait(".keys")


def photo_keys(visit):
    photo(visit)
    visit.page.keyboard.press("?")
    visit.wait("#viewer .keys")


# What a server that takes no such photos would lead to.
_UNSENT = """async () => {
  const { StreamPage } = await import("/stream.js");
  const section = document.querySelector("#stream");
  section.replaceChildren();
  const problems = ["IMG_0412.jpg", "IMG_0413.jpg"].map((name) => ({ message: `${name}: The server takes photos up to 16 MB.` }));
  new StreamPage(section).show({ isOn: true, fetchesAll: true, device: "Phone", address: "http://192.168.1.5:8090",
    status: { phase: "idle", person: "anna", waiting: 0, wanted: 0, sent: 88, received: 4, offered: 0, previews: 0, problems } });
}"""


def unsent(visit):
    visit.open("#/stream")
    visit.wait("#stream-facts p")
    visit.page.evaluate(_UNSENT)
    visit.wait("#stream-devices button:visible")


def unsent_shown(visit):
    unsent(visit)
    visit.press("Show them")
    visit.wait("dialog[open]")


def stream_choices(visit):
    visit.open("#/stream")
    visit.wait("#stream-keep:enabled")
    visit.page.evaluate("""document.querySelector("#stream-keep").scrollIntoView({ block: "center" })""")


def device_removed(visit):
    visit.open("#/stream")
    visit.click("#stream-devices button")
    visit.wait("dialog[open]")


def joining(visit):
    visit.open("#/stream")
    visit.wait("#stream .switch")
    visit.click("#stream label:has(.switch)")
    visit.wait("dialog[open]")


def ended(then):
    def bring(visit):
        if visit.stage.program.process.poll() is not None:
            visit.stage.program.start()
        then(visit)
        visit.stage.program.stop()
        visit.wait("#connection:visible")
    return bring


def photo_ended(visit):
    ended(photo)(visit)
    visit.page.keyboard.press("ArrowRight")
    visit.wait("#viewer .stage .empty button")


TABLE.add("photos", "grid", filled, grid, is_large=True)
TABLE.add("photos", "scrub", filled, scrubbed)
TABLE.add("photos", "five", filled, sized(1))
TABLE.add("photos", "nine", filled, sized(2))
TABLE.add("photos", "months", filled, sized(3))
TABLE.add("photos", "select", filled, selected, is_large=True)
TABLE.add("photos", "add", filled, added)
TABLE.add("photos", "menu", filled, menu)
TABLE.add("photos", "loading", filled, loading)
TABLE.add("photos", "error", filled, failing)
TABLE.add("photos", "trashed", filled, trashed)
TABLE.add("photos", "slideshow", filled, slideshow)
TABLE.add("photos", "keys", filled, keys)
TABLE.add("photos", "contrast", filled, contrasted(selected))
TABLE.add("photos", "empty", empty, opened("#/", "#empty:visible"))
TABLE.add("photos", "no-camera", no_camera, opened("#/", "#empty:visible"))

TABLE.add("albums", "list", filled, opened("#/albums", "#albums .albums li"), is_large=True)
TABLE.add("albums", "album", filled, album)
TABLE.add("albums", "delete", filled, album_menu)
TABLE.add("albums", "new", filled, new_album)
TABLE.add("albums", "trash", filled, opened("#/trash", "#trash .tile"))
TABLE.add("albums", "trash-item", filled, trash_item)
TABLE.add("albums", "trash-empty", filled, trash_emptied)
TABLE.add("albums", "error", filled, failing_part("**/albums", "#/albums"))
TABLE.add("albums", "loading", filled, loading_part("**/albums", "#/albums"))
TABLE.add("albums", "trash-error", filled, failing_part("**/trash", "#/trash"))
TABLE.add("albums", "trash-loading", filled, loading_part("**/trash", "#/trash"))
TABLE.add("albums", "empty", empty, opened("#/albums", "#albums"))
TABLE.add("albums", "no-trash", empty, opened("#/trash", "#trash .empty:visible"))

TABLE.add("search", "start", filled, opened("#/search", "#search .chip"), is_large=True)
TABLE.add("search", "results", filled, search_chosen)
TABLE.add("search", "none", filled, searched("zeppelin", "#empty:visible"))
TABLE.add("search", "days", filled, search_days)
TABLE.add("search", "loading", filled, loading_part("**/search", "#/search"))
TABLE.add("search", "error", filled, search_failing)
TABLE.add("search", "start-error", filled, failing_part("**/search", "#/search"))

TABLE.add("photo", "photo", filled, photo, is_large=True)
TABLE.add("photo", "info", filled, info, is_large=True)
TABLE.add("photo", "video", filled, of_kind("MOV_0001"), is_large=True)
TABLE.add("photo", "crop", filled, crop, is_large=True)
TABLE.add("photo", "chromeless", filled, chromeless)
TABLE.add("photo", "broken", filled, of_kind("IMG_1000"))
TABLE.add("photo", "loading", filled, photo_loading)
TABLE.add("photo", "trash", filled, photo_trashed)
TABLE.add("photo", "keys", filled, photo_keys)
TABLE.add("photo", "contrast", filled, contrasted(info))

TABLE.add("stream", "off", empty, opened("#/stream", "#stream .switch"))
TABLE.add("stream", "join", empty, joining)
TABLE.add("stream", "on", stream, opened("#/stream", "#stream-facts p"), is_large=True)
TABLE.add("stream", "choices", stream, stream_choices, is_large=True)
TABLE.add("stream", "trouble", stream, unsent)
TABLE.add("stream", "unsent", stream, unsent_shown)
TABLE.add("stream", "remove", stream, device_removed)
TABLE.add("stream", "offline", stopped_stream, opened("#/stream", "#stream .banner:visible"))

TABLE.add("photos", "camera", with_camera, camera)
TABLE.add("photos", "offline", lost, ended(grid))
TABLE.add("albums", "offline", lost, ended(opened("#/albums", "#albums .albums li")))
TABLE.add("photo", "offline", lost, photo_ended)
