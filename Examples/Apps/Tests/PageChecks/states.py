"""The table of pages and states: what is shown, by which programs, and how it comes about."""

import dataclasses
from collections.abc import Callable

from sheets import Shot


@dataclasses.dataclass(frozen=True)
class State:
    # As the design names page and state; the contact sheets have these names.
    page: str
    name: str
    # The function that starts the programs; states of one stage share them, in the table's order.
    stage: Callable
    # What is done in the browser until the state is there.
    bring: Callable
    # A sheet of its own with all sizes; the others of a page share one at 390 × 844.
    is_large: bool = False
    # What only exists where the browser may keep pages for the time without a network.
    needs_worker: bool = False

    @property
    def title(self):
        return f"{self.page}, {self.name}"

    def shot(self, png, size, theme, sheet="", note=""):
        return Shot(self.page, self.name, self.is_large, png, size, theme, sheet, note)


class Table:
    """States, added in the order in which they are looked at."""

    def __init__(self):
        self.states = []

    def add(self, page, name, stage, bring=lambda visit: None, **settings):
        self.states.append(State(page, name, stage, bring, **settings))


def opened(path, shown):
    """Brings a state about that an address alone has."""
    def bring(visit):
        visit.open(path)
        visit.wait(shown)
    return bring
