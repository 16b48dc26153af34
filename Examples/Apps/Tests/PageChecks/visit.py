"""A page in the browser, and what states do with it."""

import contextlib
import re
import time

from playwright.sync_api import Error, TimeoutError

# Two frames: what follows a change of size is drawn then.
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Pictures in sight are there, fonts too; a live picture is, with its first frame.
WHOLE = """() => {
  const isSought = (image) => image.checkVisibility() && image.src && !image.complete
    && !(image.src.includes("mjpg") && image.naturalWidth)
    && image.getBoundingClientRect().top < innerHeight && image.getBoundingClientRect().bottom > 0;
  return document.fonts.status === "loaded" && ![...document.images].some(isSought);
}"""


def wait_until(page, holds, timeout=30_000):
    """Waits until a function of the page gives true. Playwright's own wait evaluates words in the page each time
    that it looks again, which our pages' Content Security Policy forbids."""
    end = time.monotonic() + timeout / 1000
    while not page.evaluate(holds):
        if time.monotonic() > end:
            raise TimeoutError(f"after {timeout / 1000:g} s this doesn't hold: {holds}")
        page.wait_for_timeout(30)


class Visit:
    """One page at one stage. The stage's object is what the programs' start gave."""

    def __init__(self, page, stage):
        self.page, self.stage = page, stage
        # What the page threw or was forbidden; answers that are no success are part of many states.
        self.complaints = []
        self.held = []
        page.on("pageerror", lambda error: self.complaints.append(f"the page throws: {error}"))
        page.on("console", self._hear)

    def _hear(self, message):
        if message.type == "error" and re.search("Content Security Policy|Uncaught", message.text):
            self.complaints.append(f"the page complains: {message.text}")

    def open(self, path="", program=None, wait="load"):
        """Opens a path of a program; its token, if it has one, is a cookie then."""
        program = program or self.stage.program
        if "?" in program.address:
            self.page.goto(program.address, wait_until="commit")
        self.page.goto(program.base + path, wait_until=wait)

    def open_picker(self, press, shown="dialog[open]"):
        """Presses until the picker is there: a page before that closed as in a crash has it for half a minute."""
        for _ in range(30):
            press()
            with contextlib.suppress(TimeoutError):
                return self.wait(shown, timeout=1500)
        raise RuntimeError("the picker doesn't open")

    def wait(self, selector, **settings):
        self.page.locator(selector).first.wait_for(**settings)

    def press(self, name, role="button", exact=True):
        self.page.get_by_role(role, name=name, exact=exact).first.click()

    def click(self, selector):
        self.page.locator(selector).first.click()

    def fill(self, label, text):
        self.page.get_by_label(label, exact=True).first.fill(text)

    def delay(self, pattern):
        """Answers to what matches don't come until the visit ends."""
        self.page.route(pattern, lambda route: self.held.append(route))

    def answer(self, pattern, status=500, body="", headers=None):
        """Gives an answer in the program's place."""
        self.page.route(pattern, lambda route: route.fulfill(
            status=status, body=body, headers={"Content-Type": "application/json", **(headers or {})}))

    def settle(self):
        self.page.evaluate(SETTLED)
        with contextlib.suppress(Error):
            wait_until(self.page, WHOLE, timeout=3000)
        # The animations of opening are over by then.
        self.page.wait_for_timeout(60)

    def end(self):
        for route in self.held:
            with contextlib.suppress(Error):
                route.abort()
        self.page.context.close()
