"""The wallet's pages: list, till, forms, card, deleted cards, settings, devices."""

import made
from states import Table, opened
from visit import wait_until
from wallet_stages import (
    address, conflict, empty, fill_up, filled, full_disk, gone, grouped, many, no_server, portal, refused, synced,
)

TABLE = Table()

# MARK: How states come about


def searched(text, shown):
    def bring(visit):
        visit.open()
        visit.wait("#cards > li")
        visit.page.get_by_role("searchbox").fill(text)
        visit.wait(shown)
    return bring


def menu(visit):
    visit.open()
    visit.wait("#cards > li")
    visit.click("main .head > button:last-of-type")
    visit.wait(".menu:popover-open")


def card_menu(visit):
    visit.open()
    visit.wait("#cards > li")
    visit.page.locator("#cards > li").first.click(button="right")
    visit.wait(".menu:popover-open")


def held_menu(visit):
    """A finger rests on a card, and is lifted again."""
    visit.open()
    visit.wait("#cards > li")
    box = visit.page.locator("#cards > li a").first.bounding_box()
    touch = visit.page.context.new_cdp_session(visit.page)
    point = {"x": box["x"] + 20, "y": box["y"] + 20}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    visit.wait(".menu:popover-open")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    visit.settle()
    if not visit.page.locator(".menu:popover-open").count() or "till" in visit.page.url:
        raise RuntimeError("the menu doesn't stay")


def contrast(visit):
    """Somebody wants stronger lines and words."""
    visit.open()
    visit.wait("#cards > li")
    colours = "() => [getComputedStyle(document.querySelector('.list-head')).color, getComputedStyle(document.body).color]"
    before = visit.page.evaluate(colours)
    visit.page.emulate_media(contrast="more")
    after = visit.page.evaluate(colours)
    if before[0] == before[1] or after[0] != after[1]:
        raise RuntimeError(f"quiet words are no stronger: {before}, {after}")


def groups(visit):
    visit.open()
    visit.wait("#cards > li")
    visit.press("More groups")
    visit.wait("viewfinder-sheet[open] li")


def sync_sheet(visit):
    visit.open()
    visit.wait("#cards > li")
    visit.click("main .head > button:nth-last-of-type(2)")
    visit.wait("viewfinder-sheet[open]")


def chosen_order(visit):
    visit.open()
    visit.wait("#cards > li")
    visit.click(".list-head button")
    visit.wait("viewfinder-sheet[open]")


def group(visit):
    visit.open()
    visit.wait("#cards > li")
    visit.click(".chip >> nth=1")
    visit.wait('.chip[aria-pressed="true"] >> nth=0')


def import_sheet(visit):
    """An import whose file is on its way."""
    visit.delay("**/import?*")
    visit.open()
    visit.wait("#cards > li")
    visit.page.locator("input[type=file]").set_input_files(
        {"name": "catima.zip", "mimeType": "application/zip", "buffer": made.catima(made.CARDS)})
    visit.wait("viewfinder-sheet[open] progress")


def import_banner(visit):
    import_sheet(visit)
    visit.click("viewfinder-sheet .primary")
    visit.wait(".banner")


def loading(visit):
    visit.delay("**/cards")
    visit.open()
    visit.wait(".bone")


def failing(visit):
    visit.answer("**/cards", 507, '{"error": "The disk is full."}')
    visit.open()
    visit.wait(".empty")


def deleted(visit):
    visit.open(address(8))
    visit.wait("h1")
    visit.press("More")
    visit.page.get_by_role("menuitem", name="Delete").click()
    visit.wait(".toast")


def deleted_ones(visit):
    """One lies there, whichever states came before."""
    visit.stage.visitor.ask("DELETE", f"cards/{made.card_identifier(8)}")
    visit.open("#/deleted")
    visit.wait(".rows li button")


def restored(visit):
    # The row as it stands, then the toast that tells of it.
    deleted_ones(visit)
    visit.click(".rows li button")
    visit.wait(".toast")


def deleted_loading(visit):
    visit.delay("**/deleted")
    visit.open("#/deleted")
    visit.wait(".bone")


def emptied(visit):
    deleted_ones(visit)
    visit.press("Empty")
    visit.wait("dialog[open]")


def till_side(name):
    def bring(visit):
        visit.open(address(1, "till"))
        visit.wait("dialog.till-page .segments")
        visit.page.locator(".segments label", has_text=name).click()
        visit.wait(".flip img")
    return bring


def till_failing(visit):
    visit.answer("**/barcode.svg*", 422, '{"error": "It has a letter too many."}')
    visit.open(address(1, "till"))
    visit.wait("dialog.till-page .code-number.alone")


def till_loading(visit):
    visit.delay("**/barcode.svg*")
    visit.open(address(1, "till"))
    visit.wait("dialog.till-page .till-head")


def typed(visit):
    visit.open("#/new")
    visit.wait("form")
    visit.fill("Name", "Blumen Ecke")
    visit.fill("Number", "4006381333931")


def with_photos(visit):
    """A form that was left with photos of both sides, those of a card."""
    visit.open()
    visit.wait("#cards > li")
    card = visit.stage.visitor.ask("GET", f"cards/{made.card_identifier(1)}").json()["card"]
    form = {"values": {"name": "Blumen Ecke", "front": card["front"], "back": card["back"]}}
    visit.page.evaluate("(form) => localStorage.setItem('wallet-draft-new', JSON.stringify(form))", form)
    visit.page.goto(visit.stage.program.base + "#/new")
    visit.wait(".slot.done img >> nth=1")


def form_error(visit):
    visit.open("#/new")
    visit.wait("form")
    # It says why it waits, and shows what lacks when it is pressed all the same.
    visit.page.locator("form [type=submit]").click(force=True)
    visit.wait("[aria-invalid=true]")


def more(visit):
    typed(visit)
    visit.click("form summary")


def discard(visit):
    typed(visit)
    visit.press("Cancel")
    visit.wait("dialog[open]")


def save_on_full_disk(visit):
    typed(visit)
    fill_up(visit.stage.disk)
    visit.click("form [type=submit]")
    visit.wait(".banner.danger")


def edited(visit):
    visit.open(address(1, "edit"))
    visit.wait("form")
    wait_until(visit.page, "() => document.querySelector('form input').value !== ''")


def edit_of_deleted(visit):
    visit.open(address(4, "edit"))
    visit.wait("form")
    wait_until(visit.page, "() => document.querySelector('form input').value !== ''")
    visit.stage.visitor.ask("DELETE", f"cards/{made.card_identifier(4)}")
    visit.fill("Name", "Grünwerk am Markt")
    visit.click("form [type=submit]")
    visit.wait(".banner.danger")


def detail_menu(visit):
    visit.open(address(1))
    visit.wait("h1")
    visit.press("More")
    visit.wait(".menu:popover-open")


def detail_loading(visit):
    visit.delay("**/cards")
    visit.open(address(1))
    visit.wait(".bone")


def lost(visit):
    visit.open(program=visit.stage.other)
    visit.wait("#cards > li")
    visit.page.evaluate("""fetch("/cards").then((answer) => answer.json())
      .then(({ lost }) => { location.hash = `#/lost/${lost[0].id}`; })""")
    visit.wait("main.narrow > *")


def forgotten(visit):
    visit.open("#/settings")
    visit.wait("main .rows")
    visit.wait('button.danger:visible')
    visit.click('button.danger')
    visit.wait("dialog[open]")


def device_code(visit):
    visit.open("#/devices")
    visit.wait("main")
    visit.settle()
    adding = visit.page.locator("main button", has_text="Add").or_(visit.page.locator("main button", has_text="device"))
    adding.first.click()
    visit.page.wait_for_timeout(300)


def kept(then):
    """The browser has the cards; then the program is gone, and a page is opened."""
    def bring(visit):
        if visit.stage.program.process.poll() is not None:
            visit.stage.program.start()
        visit.open()
        visit.wait("#cards > li")
        # A function that gives a promise would count as true at once.
        visit.page.evaluate("""async () => {
          await navigator.serviceWorker.ready;
          while (!await caches.match("/kept.json")) await new Promise((done) => setTimeout(done, 100));
        }""")
        visit.page.reload()
        visit.wait("#cards > li")
        visit.stage.program.stop()
        then(visit)
    return bring


def without_program(path, shown):
    def then(visit):
        visit.page.evaluate("(path) => { location.hash = path; }", path)
        visit.page.reload()
        visit.wait(shown)
    return kept(then)


# MARK: The table

for name, number in [("barcode", 1), ("qr", 3), ("long", 6), ("number", 5), ("ended", 4), ("aztec", 8)]:
    TABLE.add("till", name, filled, opened(address(number, "till"), "dialog.till-page .till-body"),
              is_large=name in ["barcode", "qr", "long"])
TABLE.add("till", "front", filled, till_side("Front"), is_large=True)
TABLE.add("till", "back", filled, till_side("Back"))
TABLE.add("till", "loading", filled, till_loading)
TABLE.add("till", "error", filled, till_failing)

TABLE.add("wallet", "list", filled, opened("", "#cards > li"), is_large=True)
TABLE.add("wallet", "search", filled, searched("berg", "#cards > li"))
TABLE.add("wallet", "none", filled, searched("zeppelin", ".empty"))
TABLE.add("wallet", "group", filled, group)
TABLE.add("wallet", "menu", filled, menu)
TABLE.add("wallet", "card-menu", filled, card_menu)
TABLE.add("wallet", "held", filled, held_menu)
TABLE.add("wallet", "contrast", filled, contrast)
TABLE.add("wallet", "order", filled, chosen_order)
TABLE.add("wallet", "archive", filled, opened("#/archive", "#cards > li"))
TABLE.add("wallet", "loading", filled, loading)
TABLE.add("wallet", "error", filled, failing)
TABLE.add("wallet", "alone", filled, sync_sheet)
TABLE.add("wallet", "import", filled, import_sheet)
TABLE.add("wallet", "import-banner", filled, import_banner)
TABLE.add("wallet", "many", many, opened("", "#cards > li"))
TABLE.add("wallet", "groups", grouped, groups)
TABLE.add("wallet", "empty", empty, opened("", ".empty"))

TABLE.add("card", "detail", filled, opened(address(1), "main h1, h1"), is_large=True)
TABLE.add("card", "drawn", filled, opened(address(3), "h1"))
TABLE.add("card", "edit", filled, edited)
TABLE.add("card", "menu", filled, detail_menu)
TABLE.add("card", "loading", filled, detail_loading)
TABLE.add("card", "gone", filled, opened("#/card/00000000-0000-4000-8000-00000000ffff", ".empty"))

TABLE.add("add", "empty", filled, opened("#/new", "form"))
TABLE.add("add", "typed", filled, typed, is_large=True)
TABLE.add("add", "photos", filled, with_photos)
TABLE.add("add", "error", filled, form_error)
TABLE.add("add", "more", filled, more, is_large=True)
TABLE.add("add", "discard", filled, discard)
TABLE.add("add", "deleted-meanwhile", filled, edit_of_deleted)
TABLE.add("add", "failed", full_disk, save_on_full_disk)

TABLE.add("wallet", "deleted", filled, deleted)
TABLE.add("deleted", "list", filled, deleted_ones, is_large=True)
TABLE.add("deleted", "loading", filled, deleted_loading)
TABLE.add("deleted", "ask", filled, emptied)
TABLE.add("deleted", "restored", filled, restored)
TABLE.add("deleted", "empty", empty, opened("#/deleted", ".empty"))

TABLE.add("settings", "settings", filled, opened("#/settings", "main .rows"), is_large=True, needs_worker=True)
TABLE.add("settings", "clear", filled, forgotten, needs_worker=True)
TABLE.add("devices", "alone", filled, opened("#/devices", "main"))

TABLE.add("wallet", "synced", synced, sync_sheet)
TABLE.add("devices", "list", synced, opened("#/devices", "main .rows li"), is_large=True)
TABLE.add("devices", "code", synced, device_code)
TABLE.add("wallet", "conflict", conflict, opened("", ".banner"))
TABLE.add("card", "conflict", conflict, opened(address(1), ".conflict, .choices, fieldset"), is_large=True)
TABLE.add("card", "deleted-elsewhere", conflict, lost)
TABLE.add("card", "refused", refused, opened(address(9), "h1"))
TABLE.add("wallet", "refused", refused, opened("", "#cards > li"))
TABLE.add("wallet", "portal", portal, opened("", ".banner"))
TABLE.add("settings", "portal", portal, opened("#/settings", "main .rows"))
TABLE.add("wallet", "offline", no_server, opened("", ".banner"))
TABLE.add("settings", "offline", no_server, opened("#/settings", "main .rows"))

TABLE.add("wallet", "no-program", gone, without_program("#/", "#cards > li"), needs_worker=True)
TABLE.add("till", "no-program", gone, without_program(address(1, "till"), ".till-body svg, .till-body img"), needs_worker=True)
TABLE.add("card", "offline", gone, without_program(address(1), "h1"), needs_worker=True)
TABLE.add("deleted", "offline", gone, without_program("#/deleted", ".banner"), needs_worker=True)
