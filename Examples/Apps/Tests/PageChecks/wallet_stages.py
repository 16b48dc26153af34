"""The wallet at work, with made-up cards, alone or with other devices."""

import http.server
import threading
import time
import types

import made

CAMERA = ["--simulate", "steady", "--size", "1280x720"]


def wallet(place, name="wallet", *options, token=None, data=None):
    """A wallet with a photo library of its own."""
    folder = place.new_folder(name)
    made.library(folder / "Pictures", 6)
    environment = {"MY_CARDS_TOKEN": token} if token else {}
    camera = [] if {"--no-camera", "--replay"} & set(options) else CAMERA
    return place.start("my-cards", *camera, *options, "--data", data or folder / "cards", "--root", folder / "Pictures",
                       "--index", folder / "index", environment=environment)


class Visitor:
    """Somebody who asks a program for something, as its page does."""

    def __init__(self, browser, program):
        self.program = program
        fields = {"Authorization": f"Bearer {program.token}"} if program.token else {}
        self.request = browser.new_context(extra_http_headers=fields).request

    def ask(self, method, path, data=None, **settings):
        return self.request.fetch(self.program.base + path, method=method, data=data, **settings)

    def cards(self):
        return self.ask("GET", "cards").json()["cards"]

    def change(self, number, **changes):
        place = f"cards/{made.card_identifier(number)}"
        card = self.ask("GET", place).json()["card"]
        before = {name: card[name] for name in changes if name in card}
        answer = self.ask("PUT", place, {"changes": changes, "before": before})
        if not answer.ok:
            raise RuntimeError(f"the card wasn't changed: {answer.text()}")

    def fill(self, cards=made.CARDS, photo_of=None):
        self.ask("POST", "import", made.catima(cards, photo_of), headers={"Content-Type": "application/zip"}, timeout=60_000)
        wanted = len([card for card in cards if not card[-2]])
        until("the cards are imported", lambda: len(self.cards()) >= wanted)


def until(words, holds, seconds=40):
    end = time.monotonic() + seconds
    while not (value := holds()):
        if time.monotonic() > end:
            raise RuntimeError(f"waited in vain until {words}")
        time.sleep(0.1)
    return value


def address(number, view="card"):
    return f"#/{view}/{made.card_identifier(number)}"


# MARK: Stages


def filled(place, browser):
    program = wallet(place)
    visitor = Visitor(browser, program)
    visitor.fill()
    return types.SimpleNamespace(program=program, visitor=visitor)


def empty(place, browser):
    return types.SimpleNamespace(program=wallet(place))


def many(place, browser):
    program = wallet(place)
    Visitor(browser, program).fill(made.many_cards(300))
    return types.SimpleNamespace(program=program)


def grouped(place, browser):
    """More groups than a page has room for, some with long names."""
    program = wallet(place)
    cards = [(*card[:4], [f"Group {at}" + " of the neighbourhood" * (at % 3)], *card[5:]) for at, card in enumerate(made.many_cards(60))]
    Visitor(browser, program).fill(cards)
    return types.SimpleNamespace(program=program)


def two_devices(place, browser, *options):
    """A backend and two wallets that agree."""
    folder = place.new_folder("backend")
    token, other = (place.run("cards-backend", "--data", folder, "--add-token", "anna", "--device", device)
                    for device in ["Phone", "Kitchen tablet"])
    backend = place.start("cards-backend", "--data", folder, *options)
    here = wallet(place, "here", "--backend", backend.base.rstrip("/"), token=token)
    there = wallet(place, "there", "--no-camera", "--backend", backend.base.rstrip("/"), token=other)
    here, there = Visitor(browser, here), Visitor(browser, there)
    return types.SimpleNamespace(program=here.program, backend=backend, here=here, there=there)


def synced(place, browser):
    stage = two_devices(place, browser)
    stage.here.fill()
    until("the other device has the cards", lambda: len(stage.there.cards()) >= 10)
    return stage


def conflict(place, browser):
    """Both devices changed a card's number while the backend was away; one deleted what the other changed."""
    stage = synced(place, browser)
    stage.backend.stop()
    stage.there.change(1, cardId="4006381333948", note="At the counter")
    stage.here.change(1, cardId="4006381333900", note="Ask for the discount")
    stage.there.ask("DELETE", f"cards/{made.card_identifier(7)}")
    stage.here.change(7, note="Closed on Mondays")
    stage.backend.start()
    for visitor in [stage.here, stage.there]:
        visitor.ask("POST", "sync")

    def one_with(holds):
        return next((one for one in [stage.here, stage.there] if holds(one.ask("GET", "cards").json())), None)

    # Which of the two devices has them depends on who came first.
    stage.program = until("the card differs", lambda: one_with(
        lambda report: any(card.get("kept") for card in report["cards"]))).program
    stage.other = until("the deletion is told", lambda: one_with(lambda report: report["lost"])).program
    return stage


def refused(place, browser):
    """A backend that takes only three cards."""
    stage = two_devices(place, browser, "--maximum-records", 3)
    stage.here.fill()
    return stage


class SignIn(http.server.BaseHTTPRequestHandler):
    """What a hotel's network answers, whatever one asks."""

    def do_GET(self):
        body = b"<html><body>Welcome! Your room number?</body></html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_DELETE = do_GET

    def log_message(self, *_):
        pass


def portal(place, browser):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), SignIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = wallet(place, "wallet", "--backend", f"http://127.0.0.1:{server.server_port}", token="anybody-s-token")
    Visitor(browser, program).fill()
    return types.SimpleNamespace(program=program)


def no_server(place, browser):
    """A backend that was there once."""
    stage = synced(place, browser)
    stage.backend.stop()
    stage.here.change(2, note="Changed without a network")
    return stage


def full_disk(place, browser):
    disk = place.disk("disk", 4)
    return disk and types.SimpleNamespace(program=wallet(place, data=disk / "cards"), disk=disk)


def gone(place, browser):
    """A program that the states stop; the browser keeps the cards."""
    return filled(place, browser)


def fill_up(disk):
    """Leaves no room on a disk."""
    size = 4096
    while size:
        try:
            with open(disk / f"filler-{size}", "ab", buffering=0) as filler:
                while True:
                    filler.write(b"\0" * size)
        except OSError:
            size //= 4
