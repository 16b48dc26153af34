"""The checks find what they must, each on a page that has one thing wrong, and nothing on a page that is right."""

import io
import os
import pathlib
import shutil
import tempfile
import unittest

from PIL import Image
from playwright.sync_api import sync_playwright

from checks import Checks
from sheets import LIMIT, Sheet

_RIGHT = """<!doctype html><html lang="en"><head><title>Right</title><meta name="viewport" content="width=device-width">
<style>
  body { margin: 0; font: 1rem sans-serif; color: #111; background: #fff }
  button, a.button { font: inherit; min-block-size: 44px; min-inline-size: 44px; color: #111; background: #fff; border: 1px solid #111 }
  :focus-visible { outline: 3px solid #05a }
  dialog.full { inset: 0; width: 100vw; height: 100vh; max-width: none; max-height: none; border: 0; padding: 0 }
  STYLE
</style></head><body><main><h1>Right</h1><p>Words.</p>BODY</main></body></html>"""
_BUTTON = '<button type="button">Save</button>'


class ChecksTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=shutil.which("chromium"))
        cls.addClassCleanup(cls.playwright.stop)
        cls.addClassCleanup(cls.browser.close)

    def found(self, body=_BUTTON, style="", script="", look=lambda checks: None):
        """What is found on the page that is right but for this."""
        page = self.browser.new_page(viewport={"width": 390, "height": 844})
        self.addCleanup(page.close)
        page.set_content(_RIGHT.replace("STYLE", style).replace("BODY", body))
        if script:
            page.evaluate(script)
        checks = Checks(page)
        look(checks)
        checks.measure("here")
        checks.axe("here", "light")
        checks.focus("here")
        return [words for _, words in checks.found]

    def check(self, words, *arguments, **settings):
        found = self.found(*arguments, **settings)
        self.assertTrue(any(words in one for one in found), f"{words!r} isn't among {found}")

    def test_nothing_is_found_on_a_page_that_is_right(self):
        self.assertEqual(self.found(), [])

    def test_axe_finds_a_picture_without_words(self):
        self.check("axe image-alt", '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">')

    def test_axe_finds_faint_words(self):
        self.check("axe color-contrast", '<p style="color: #bbb">Faint</p>')

    def test_axe_looks_into_shadow_roots(self):
        self.check("axe button-name", "<div></div>", script=
                   "document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<button></button>'")

    def test_a_page_that_scrolls_sideways_is_found(self):
        self.check("scrolls sideways by 110 px", '<div style="inline-size: 500px">wide</div>')

    def test_a_page_that_scrolls_sideways_with_large_text_is_found(self):
        wide = '<div style="inline-size: 15rem">wide</div>'
        self.assertEqual(self.found(wide), [])

        def large(checks):
            with checks.text_size(32):
                checks.measure("large")

        self.check("scrolls sideways by 90 px", wide, look=large)

    def test_a_control_beyond_the_edge_from_right_to_left_is_found(self):
        far = '<button type="button" style="position: absolute; left: 300px; margin-inline-start: 60px">Far</button>'

        def mirrored(checks):
            with checks.right_to_left():
                checks.measure("mirrored")

        self.check("lies beyond the edge", far.replace("left: 300px", "inset-inline-start: -70px"), look=mirrored)

    def test_a_small_target_is_found_also_in_a_shadow_root(self):
        self.check("is 20 × 20, less than 44", "<div></div>", script=
                   "document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = "
                   "'<button aria-label=\"x\" style=\"inline-size: 20px; block-size: 20px; padding: 0; border: 0\"></button>'")

    def test_a_small_box_in_a_large_label_is_right(self):
        box = '<label style="display: block; padding: 20px"><input type="checkbox"> Keep the screen on</label>'
        self.assertEqual(self.found(box, style="input { margin: 0 }"), [])

    def test_a_control_below_another_thing_is_found(self):
        self.check("lies under div", f'{_BUTTON}<div style="position: fixed; inset: 0; background: #fff">Words</div>')

    def test_a_control_that_scrolls_out_from_below_a_bar_is_right(self):
        bar = '<div style="position: fixed; inset: auto 0 0; block-size: 60px; background: #fff">Bar</div>'
        self.assertEqual(self.found(f'<div style="block-size: 760px"></div>{_BUTTON}<div style="block-size: 300px"></div>{bar}'), [])

    def test_controls_that_lie_over_each_other_are_found(self):
        at = "position: fixed; inset-block-start: 200px; inline-size: 100px;"
        self.check("lie over each other", f'<button style="{at} left: 20px">One</button><button style="{at} left: 90px">Two</button>')

    def test_a_control_out_of_reach_is_found(self):
        self.check("can't be reached", f'<dialog class="full" aria-label="All">{_BUTTON}<div style="block-size: 900px"></div>{_BUTTON}</dialog>',
                   style="dialog { overflow: hidden }", script="document.querySelector('dialog').showModal()")

    def test_words_that_are_cut_are_found(self):
        self.check("is cut", '<button type="button" style="inline-size: 60px; white-space: nowrap">Many many words</button>')

    def test_a_picture_that_did_not_come_is_found(self):
        self.check("is broken", '<img alt="A card" src="data:image/png;base64,AAAA">')

    def test_what_a_program_says_by_mistake_is_found(self):
        for slip in ["[object Object]", "undefined", "NaN", "{name}"]:
            self.check(f"“{slip}” stands in p", f"<p>There are {slip} cards.</p>")

    def test_a_word_that_breaks_inside_a_button_is_found(self):
        narrow = "inline-size: 70px; overflow-wrap: anywhere"
        self.check("“Kartenverzeichnis” breaks inside button", f'<button type="button" style="{narrow}">Kartenverzeichnis</button>')

    def test_words_that_break_between_them_are_right(self):
        narrow = "inline-size: 70px; overflow-wrap: anywhere"
        self.assertEqual(self.found(f'<button type="button" style="{narrow}">Save this card <span>now-ish</span></button>'), [])

    def test_a_focus_that_is_not_seen_is_found(self):
        self.check("the focus isn't seen on button", style="button:focus-visible { outline: none }")

    def test_a_sheet_is_small_enough(self):
        noise = io.BytesIO()
        Image.frombytes("RGB", (390, 844), os.urandom(390 * 844 * 3)).save(noise, "PNG")
        with tempfile.TemporaryDirectory() as folder:
            sheet = Sheet(pathlib.Path(folder) / "sheet.png")
            for at in range(4):
                sheet.add(noise.getvalue(), "Noise", 16 + at * 400, 32)
            sheet.write()
            self.assertLess(sheet.path.stat().st_size, LIMIT)


if __name__ == "__main__":
    unittest.main()
