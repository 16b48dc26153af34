"""Looks at the states of one stage after the other; processes do so side by side."""

import dataclasses
import shutil
import tempfile
import time

from playwright.sync_api import Error, sync_playwright

from checks import PHONE, SIZES, THEMES, Checks
from programs import Place
from sheets import Sheets
from visit import Visit


@dataclasses.dataclass
class Result:
    """What was found on the states of a stage, and how much was done."""
    found: list = dataclasses.field(default_factory=list)
    shots: list = dataclasses.field(default_factory=list)
    states: int = 0
    sizes: int = 0
    axe: int = 0

    def add(self, other):
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


def launched(playwright):
    return playwright.chromium.launch(
        executable_path=shutil.which("chromium") or shutil.which("chromium-browser"), args=["--hide-scrollbars"])


class Looker:
    """A browser that looks at pages as the options say."""

    def __init__(self, given, states):
        self.given, self.states = given, states
        self.browser = launched(sync_playwright().start())

    def stage(self, stage):
        """Starts a stage's programs and looks at its states."""
        result = Result()
        with tempfile.TemporaryDirectory(prefix="check-pages-") as folder, Place(self.given.programs, folder) as place:
            begin = time.monotonic()
            try:
                started = stage(place, self.browser)
            except (Error, RuntimeError, OSError) as error:
                result.found.append((f"stage, {stage.__name__}", f"the programs can't be had: {error}"))
                return result
            if started is None:
                print(f"  {stage.__name__}: not possible here, not looked at", flush=True)
                return result
            print(f"  {stage.__name__} began in {time.monotonic() - begin:.1f} s", flush=True)
            for state in self.states:
                if state.stage is stage:
                    self.state(state, started, result)
        return result

    def state(self, state, started, result):
        begin = time.monotonic()
        context = self.browser.new_context(
            reduced_motion="reduce", locale="en-GB", service_workers="allow" if state.needs_worker else "block",
            viewport={"width": PHONE[0], "height": PHONE[1]}, permissions=["clipboard-write"])
        context.set_default_timeout(30_000)  # of an element or an action: two cores may have much else to do
        visit = Visit(context.new_page(), started)
        checks = Checks(visit.page)
        try:
            state.bring(visit)
            visit.settle()
            self.look(state, visit, checks, result)
            result.states += 1
        except (Error, RuntimeError, OSError) as error:
            words = " ".join(str(error).split())[:300]
            result.found.append((state.title, f"the state can't be brought about: {words}"))
        result.found += checks.found + [(state.title, words) for words in visit.complaints]
        result.sizes += checks.measured
        result.axe += checks.axe_runs
        visit.end()
        print(f"  {state.title}: {time.monotonic() - begin:.1f} s", flush=True)

    def runs_axe(self, state, size, theme):
        """Each state in one size, light and dark, and the main ones on a desktop; all with --all."""
        if self.given.all or size == PHONE:
            return True
        return not self.given.quick and state.is_large and (size, theme) == (SIZES[3], "light")

    def look(self, state, visit, checks, result):
        """Looks at a state that is there, in all sizes."""
        page = visit.page
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            for size in SIZES:
                is_shot = self.given.sheets and (state.is_large or size == PHONE)
                runs_axe = self.runs_axe(state, size, theme)
                # In the dark only the colours are others.
                if theme == "dark" and not is_shot and not runs_axe:
                    continue
                where = f"{state.title}, {size[0]} × {size[1]}, {theme}"
                checks.resize(size)
                if theme == "light":
                    checks.measure(where)
                if runs_axe:
                    checks.axe(where, theme)
                if is_shot:
                    visit.settle()
                    result.shots.append(state.shot(page.screenshot(), size, theme))
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        if not self.given.quick:
            self.look_otherwise(state, visit, checks, result)

    def look_otherwise(self, state, visit, checks, result):
        """The same with large letters, from right to left, and by keyboard."""
        # What is narrow, and what is low, is where most goes wrong.
        sizes = SIZES if self.given.all or state.is_large else SIZES[::2]
        others = [("text-200", "200 % text", checks.text_size(32)), ("right-to-left", "right to left", checks.right_to_left())]
        for name, words, changed in others:
            with changed:
                for size in sizes:
                    checks.resize(size)
                    checks.measure(f"{state.title}, {size[0]} × {size[1]}, {words}")
                if self.given.sheets and (state.page, state.name) in Sheets.CHOSEN:
                    checks.resize(PHONE)
                    visit.settle()
                    result.shots.append(state.shot(visit.page.screenshot(), PHONE, "light", name))
        checks.resize(PHONE)
        stops = Sheets.STOPS.get((state.page, state.name))
        if self.given.sheets and stops:
            for _ in range(stops):
                visit.page.keyboard.press("Tab")
            result.shots.append(state.shot(visit.page.screenshot(), PHONE, "light", "focus", f": Tab {stops} times"))
        checks.focus(state.title)
