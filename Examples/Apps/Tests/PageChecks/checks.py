"""What must hold of a page in a size: axe-core finds nothing, and what it doesn't measure is right."""

import contextlib
import pathlib

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Error

from visit import SETTLED, wait_until

SIZES = [(360, 640), (390, 844), (844, 390), (1280, 800)]
THEMES = ["light", "dark"]
PHONE = (390, 844)

_HERE = pathlib.Path(__file__).parent
# Playwright wants a function first.
_MEASURE = "\n".join(line for line in (_HERE / "measure.js").read_text().splitlines() if not line.startswith("//"))
_FOCUS = "\n".join(line for line in (_HERE / "focus.js").read_text().splitlines() if not line.startswith("//"))

# In the dark only the colours are others.
_DARK_RULES = {"runOnly": ["color-contrast", "link-in-text-block"]}

# No colour is on its way to another one.
FADED = """() => !document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === "running")"""


class Checks:
    """Runs checks on a page, and keeps what was found: sentences by where they were."""

    def __init__(self, page):
        self.page = page
        self.found = []
        self.axe_runs = 0
        self.measured = 0

    def measure(self, where):
        self.measured += 1
        self.found += [(where, words) for words in self.page.evaluate(_MEASURE)]

    def focus(self, where):
        self.found += [(where, words) for words in self.page.evaluate(_FOCUS)]

    def axe(self, where, theme):
        self.axe_runs += 1
        if not self.page.evaluate("!!window.axe"):
            self.page.evaluate(AXE_SCRIPT)
        # Where the theme has just changed, colours fade from one to the other.
        self.page.evaluate(SETTLED)
        with contextlib.suppress(Error):
            wait_until(self.page, FADED, timeout=2000)
        result = self.page.evaluate(
            "(rules) => axe.run(document, { ...rules, resultTypes: ['violations'] })",
            {} if theme == "light" else _DARK_RULES)
        for finding in result["violations"]:
            nodes = [f"{node['target'][-1]}: {_cause(node)}" for node in finding["nodes"][:3]]
            self.found += [(where, f"axe {finding['id']} ({finding['impact']}): {node}") for node in nodes]

    def resize(self, size):
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.evaluate(SETTLED)

    @contextlib.contextmanager
    def text_size(self, pixels):
        """The size of letters that somebody chose in the browser."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Page.setFontSizes", {"fontSizes": {"standard": pixels, "fixed": pixels}})
        yield
        session.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
        session.detach()

    @contextlib.contextmanager
    def right_to_left(self):
        self.page.evaluate("document.documentElement.dir = 'rtl'")
        yield
        self.page.evaluate("document.documentElement.dir = 'ltr'")


def _cause(node):
    """Why a rule isn't kept, short."""
    message = next((check["message"] for kind in ["any", "all", "none"] for check in node[kind]), "")
    return f"{message[:160]} {node['html'][:100]}"
