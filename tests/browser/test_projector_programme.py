"""What the wall shows next: a game that is on is left for nothing, and what was shown waits. The browser's clock is the
test's."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from patience import PATIENCE
from tabs import Tab, open_tab
from web_servers import Visitor

GAME_SCENE = "/projector?scene=game"
SECOND = 1000


class Wall:
    """The projector with a list of featured games that the test makes; their replays are the web process's."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.featured: list[str] = []
        self.live: list[dict[str, object]] = []
        self.begun: list[str] = []
        """Games whose replay was fetched, or that were looked on at."""
        tab.page.clock.install()
        tab.page.route("**/featured.json", lambda route: route.fulfill(body=self.worth()))
        tab.page.route("**/live.json", lambda route: route.fulfill(body=json.dumps(self.live)))
        tab.page.route("**/live/*/position.json", lambda route: route.fulfill(status=200, body="null"))
        tab.page.on("request", self.asked)

    def worth(self) -> str:
        return json.dumps([{"game": game, "worth": 1, "why": game} for game in self.featured])

    def asked(self, request: Any) -> None:
        if request.url.endswith(("/film.json", "/position.json")):
            self.begun.append(request.url.split("/")[-2])

    def watch(self, text: str) -> list[str]:
        """Until the scene says so: the games that were begun by then."""
        self.go_on(lambda: text in self.tab.text("#p-game"))
        return self.begun

    def go_on(self, until: Callable[[], object]) -> None:
        """The browser's clock goes on, a second at a time."""
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, self.begun
            self.tab.page.clock.run_for(SECOND)


@pytest.fixture
def wall(browser: Any, site: Visitor) -> Iterator[Wall]:
    with open_tab(browser, site, 1920, 1080) as tab:
        yield Wall(tab)


def test_a_game_that_is_on_is_not_left_for_a_better_one(wall: Wall) -> None:
    wall.featured = ["two"]
    wall.tab.go(GAME_SCENE)
    wall.watch("ROUND 2 OF 8")
    wall.featured = ["sea", "two"]
    assert wall.watch("THE END · TWO") == ["two"]
    assert wall.watch("· SEA") == ["two", "sea"]


def test_what_was_shown_waits_and_the_one_shown_longest_ago_comes_first(wall: Wall) -> None:
    """With fewer games than it remembers, the wall showed the best one again and again."""
    wall.featured = ["two", "sea"]
    wall.tab.go(GAME_SCENE)
    for game in ("TWO", "SEA", "TWO", "SEA"):
        wall.watch(f"THE END · {game}")
    assert wall.begun == ["two", "sea", "two", "sea"]


@pytest.mark.parametrize(("seconds", "first"), [(3.9, "two"), (4.0, "running")])
def test_a_running_game_is_looked_on_at_only_if_it_lasts(wall: Wall, seconds: float, first: str) -> None:
    wall.featured, wall.live = ["two"], [{"game": "running", "seconds": seconds}]
    wall.tab.go(GAME_SCENE)
    wall.go_on(lambda: wall.begun)
    assert wall.begun[0] == first
