"""The photo app at work, with made-up photos, alone or in a photo stream."""

import types

import made
from wallet_stages import CAMERA, Visitor, until


def program(place, name="library", *options, root=None):
    folder = place.new_folder(name)
    pictures = root or place.new_folder(f"{name}/Pictures")
    return place.start("asset-navigator", *(options or CAMERA), "--root", pictures, "--index", folder / "index")


# MARK: Stages


def filled(place, browser):
    """A library with photos of two years, a video, a broken file, albums, favourites, and something in the trash."""
    pictures = place.new_folder("library/Pictures")
    made.library(pictures, 70)
    made.library(pictures / "Island", 5)
    page = browser.new_page()
    (pictures / "MOV_0001.webm").write_bytes(made.video(page))
    page.close()
    navigator = program(place)
    visitor = Visitor(browser, navigator)
    page = browser.new_page()
    page.goto(navigator.address)
    page.wait_for_selector("#grid button")
    ids = until("photos have thumbnails", lambda: identifiers(page))
    page.close()
    album = visitor.ask("POST", "albums", {"name": "Island"}).json()["id"]
    visitor.ask("POST", "albums", {"name": "Empty for now"})
    visitor.ask("POST", f"albums/{album}/add", {"assets": ids[:6]})
    visitor.ask("POST", "favorites", {"assets": ids[2:5], "isFavorite": True})
    visitor.ask("POST", "trash", {"assets": ids[8:11]})
    return types.SimpleNamespace(program=navigator, visitor=visitor, album=album)


def identifiers(page):
    """The assets that the page lists first, as the program names them; none while there are few."""
    ids = page.evaluate("""() => performance.getEntriesByType("resource")
      .map(({ name }) => /assets\\/([^/]+)\\/thumbnail/.exec(name)?.[1]).filter(Boolean)""")
    return list(dict.fromkeys(ids)) if len(ids) > 12 else None


def empty(place, browser):
    return types.SimpleNamespace(program=program(place))


def no_camera(place, browser):
    return types.SimpleNamespace(program=program(place, "library", "--no-camera"))


def stream(place, browser, ends=False):
    """Two libraries that share their photos."""
    folder = place.new_folder("feeds")
    token = place.run("feed-server", "--data", folder, "--add-token", "anna")
    tablet = place.run("feed-server", "--data", folder, "--add-token", "anna", "--device", "Tablet")
    server = place.start("feed-server", "--data", folder)
    made.library(place.new_folder("here/Pictures"), 4)
    here, there = program(place, "here"), program(place, "there", "--no-camera")
    for navigator in [here, there]:
        answer = Visitor(browser, navigator).ask(
            "POST", "stream", {"address": server.base.rstrip("/"), "token": token if navigator is here else tablet, "previews": navigator is here})
        if not answer.ok:
            raise RuntimeError(f"the stream wasn't joined: {answer.text()}")
    for at in range(3):
        (place.folder / f"there/Pictures/NEW_{at}.jpg").write_bytes(made.photo(100 + at, made.TODAY))
    return types.SimpleNamespace(program=here, server=server)


def stopped_stream(place, browser):
    stage = stream(place, browser)
    stage.server.stop()
    (place.folder / "here/Pictures/LATER.jpg").write_bytes(made.photo(200, made.TODAY))
    return stage


def with_camera(place, browser):
    return filled(place, browser)


def lost(place, browser):
    """A program that the states stop."""
    return filled(place, browser)
