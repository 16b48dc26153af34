"""The pages of camera-server and photo-helper: the live picture, the timeline."""

import http.server
import re
import threading
import types

import made
from states import Table
from wallet_stages import CAMERA

TABLE = Table()


# MARK: Stages


def camera(place, browser):
    return types.SimpleNamespace(program=place.start("camera-server", *CAMERA))


def lost_camera(place, browser):
    """A camera that is gone after three seconds."""
    return types.SimpleNamespace(program=place.start("camera-server", *CAMERA, "--faults", "unplug@90:600"))


def no_camera(place, browser):
    return types.SimpleNamespace(program=place.start("camera-server", "--device", "no such camera"))


def ended_camera(place, browser):
    return camera(place, browser)


class Refusal(http.server.BaseHTTPRequestHandler):
    """A server that takes no photo."""

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_error(507)

    def log_message(self, *_):
        pass


class Patience(Refusal):
    """A server that answers nobody."""

    def do_PUT(self):
        threading.Event().wait(600)


def timeline(place, *options, photos=3):
    folder = place.new_folder("timeline")
    made.library(folder / "Pictures", 12)
    program = place.start("photo-helper", *CAMERA, *options, "--store", folder / "store", "--root", folder / "Pictures",
                          "--index", folder / "index")
    return types.SimpleNamespace(program=program, photos=photos, store=folder / "store")


def posts(place, browser):
    return timeline(place)


def no_posts(place, browser):
    return timeline(place)


def unwritable(place, browser):
    return timeline(place)


def _answering(handler, place):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return timeline(place, "--upload", f"http://127.0.0.1:{server.server_port}/uploads")


def refusing(place, browser):
    return _answering(Refusal, place)


def slow(place, browser):
    return _answering(Patience, place)


# MARK: How states come about


def shown(selector):
    def bring(visit):
        visit.open()
        visit.wait(selector)
        # Figures of some seconds.
        visit.page.wait_for_timeout(1500)
    return bring


live = shown("#plots:visible")


def taken(visit):
    live(visit)
    visit.click("#shutter")
    visit.wait("#photos img")


def late(visit):
    visit.delay("**/stream.mjpg*")
    visit.open()
    visit.page.get_by_text("Waiting for the camera’s first picture …").wait_for()


def full(visit):
    visit.answer(re.compile(r"/events(\?|$)"), 503, '{"error": "All places are taken.", "code": "busy"}', headers={"Retry-After": "20"})
    visit.open()
    visit.wait("#banner:visible")


def lost(visit):
    # Here the camera goes three seconds after somebody looks.
    visit.open()
    visit.wait("#over:visible, #none:visible", timeout=15_000)


def ended(visit):
    if visit.stage.program.process.poll() is not None:
        visit.stage.program.start()
    live(visit)
    visit.stage.program.stop()
    visit.wait("#banner:visible")


TABLE.add("server", "live", camera, live, is_large=True)
TABLE.add("server", "taken", camera, taken)
TABLE.add("server", "late", camera, late)
TABLE.add("server", "nocamera", no_camera, shown("#none:visible"))
TABLE.add("server", "lost", lost_camera, lost)
TABLE.add("server", "full", camera, full)
TABLE.add("server", "offline", ended_camera, ended)
