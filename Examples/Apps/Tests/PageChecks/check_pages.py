"""Looks at all pages of the apps, in all states and sizes: see Scripts/check-pages."""

import argparse
import multiprocessing
import os
import pathlib
import re
import signal
import sys
import tempfile
import threading

from playwright.sync_api import sync_playwright

import cameras
import photos
import pickers
import wallet
from looks import Looker, Result, launched
from programs import Place
from sheets import Sheets

STATES = [*wallet.TABLE.states, *pickers.TABLE.states, *cameras.TABLE.states, *photos.TABLE.states]


def options():
    parser = argparse.ArgumentParser(prog="Scripts/check-pages", description=__doc__)
    parser.add_argument("--only", default="", help="pages, such as wallet,till")
    parser.add_argument("--states", default="", help="states, such as list,empty")
    parser.add_argument("--all", action="store_true", help="axe-core in all sizes, light and dark")
    parser.add_argument("--some", type=int, metavar="NUMBER", help="main states, and a third of the others")
    parser.add_argument("--quick", action="store_true", help="without large text, right to left and focus")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count(), 4), help="how many browsers at a time")
    parser.add_argument("--sheets", type=pathlib.Path, metavar="FOLDER", help="write contact sheets there")
    parser.add_argument("--serve", action="store_true", help="start the programs of the first state, and wait")
    parser.add_argument("--list", action="store_true", help="print pages and states")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def chosen(given):
    pages, names = set(filter(None, given.only.split(","))), set(filter(None, given.states.split(",")))
    unknown = pages - {state.page for state in STATES} | names - {state.name for state in STATES}
    if unknown:
        sys.exit(f"There is no page or state {', '.join(sorted(unknown))}; --list prints them.")
    return [
        state for place, state in enumerate(STATES)
        if (not pages or state.page in pages) and (not names or state.name in names)
        and (given.some is None or state.is_large or (place + given.some) % 3 == 0)]


# Each process has a browser of its own.
_looker = None


def begin(given, states):
    global _looker
    # One that is ended ends its programs.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _looker = Looker(given, states)


def look(stage):
    return _looker.stage(stage)


def run(given, states):
    """Looks at all states, stage by stage, those with most states first."""
    stages = [state.stage for state in states]
    in_order = sorted(dict.fromkeys(stages), key=stages.count, reverse=True)
    total = Result()
    with multiprocessing.Pool(min(given.jobs, len(in_order)), begin, [given, states]) as pool:
        for result in pool.imap_unordered(look, in_order):
            total.add(result)
    return total


def tell(found):
    """The same of several elements, states and sizes is one finding."""
    places = {}
    for where, words in found:
        places.setdefault(re.sub("“[^”]*”", "“…”", words), []).append((where, words))
    for occurrences in places.values():
        where, words = occurrences[0]
        others = dict.fromkeys(", ".join(place.split(", ")[:2]) for place, _ in occurrences[1:])
        more = f" and {len(occurrences) - 1} more ({'; '.join(others)})" if others else ""
        print(f"! {words}\n    {where}{more}")
    return len(places)


def serve(given, states):
    with sync_playwright() as playwright, tempfile.TemporaryDirectory(prefix="check-pages-") as folder:
        with Place(given.programs, folder) as place:
            print(states[0].stage(place, launched(playwright)).program.address, flush=True)
            threading.Event().wait()


def main():
    given = options()
    states = chosen(given)
    if given.list:
        for page in dict.fromkeys(state.page for state in states):
            print(page, *(state.name for state in states if state.page == page))
        return 0
    if given.serve:
        return serve(given, states)
    result = run(given, states)
    if given.sheets:
        Sheets(given.sheets, states).write(result.shots)
    findings = tell(result.found)
    print(f"{result.states} of {len(states)} states looked at in {result.sizes} sizes and settings, {result.axe} runs of axe-core: "
          f"{findings or 'no'} finding{'' if findings == 1 else 's'}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
