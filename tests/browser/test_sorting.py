"""Tables are sorted by their headings; the address keeps it, and so does a section that comes anew."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tabs import Tab, open_tab
from web_servers import Visitor, open_web_server

RECORD = Path(__file__).parent.parent / "records" / "format-1" / "two.jsonl"
PLACES = (("bot10", 1676.2, 12), ("alpha", 950.0, 4), ("bot2", 1020.0, 100), ("Gone", None, None))
"""Name, rating, games: of the last one nothing is known."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("archive")
    (folder / "records").mkdir()
    shutil.copy(RECORD, folder / "records" / "g1.jsonl")
    (folder / "night.json").write_text('{"name": "Friday"}')
    places = [{"place": rating and place, "player": name} for place, (name, rating, _) in enumerate(PLACES, 1)]
    empty = {"error": 30.0, "points": 1.0, "wins": 1, "draws": 0, "losses": 0, "los": 0.5, "faults": 0}
    rated = [
        {**empty, "place": place, "player": name, "rating": rating, "games": games}
        for place, (name, rating, games) in enumerate(PLACES, 1)
        if rating
    ]
    table = {"places": places, "points": {}, "ratings": rated, "history": [], "solo": []}
    (folder / "table.json").write_text(json.dumps(table))
    with open_web_server(folder) as visitor:
        yield visitor


@pytest.fixture
def tab(browser: Any, archive: Visitor) -> Iterator[Tab]:
    with open_tab(browser, archive) as tab:
        yield tab.go("/")


def bots(tab: Tab) -> list[str]:
    found: list[str] = tab.page.locator("#standings tbody th").all_inner_texts()
    return found


def click(tab: Tab, heading: str) -> list[str]:
    tab.page.click(f"#standings thead th:has-text('{heading}') button")
    return bots(tab)


def test_numbers_begin_with_the_largest_and_turn_round(tab: Tab) -> None:
    assert click(tab, "Elo") == ["bot10", "bot2", "alpha", "Gone"]
    assert click(tab, "Elo") == ["alpha", "bot2", "bot10", "Gone"], "nothing is told of the last one, so it stays last"
    assert click(tab, "games") == ["bot2", "bot10", "alpha", "Gone"]


def test_words_begin_with_a_and_2_comes_before_10(tab: Tab) -> None:
    assert click(tab, "bot") == ["alpha", "bot2", "bot10", "Gone"]
    assert click(tab, "bot") == ["Gone", "bot10", "bot2", "alpha"]


def test_places_begin_with_the_first(tab: Tab) -> None:
    click(tab, "bot")
    assert click(tab, "#") == ["bot10", "alpha", "bot2", "Gone"]


def test_whoever_listens_hears_which_way_a_column_goes(tab: Tab) -> None:
    click(tab, "games")
    tab.page.keyboard.press("Enter")  # the heading has the focus
    told = tab.page.eval_on_selector_all("#standings thead th", "every => every.map((one) => one.ariaSort)")
    assert told == [None, None, None, None, "ascending", None, None]


def test_the_address_keeps_it(tab: Tab) -> None:
    click(tab, "games")
    tab.page.reload()
    assert tab.page.url.endswith("?sort=Standings.4.down")
    assert bots(tab) == ["bot2", "bot10", "alpha", "Gone"]


def test_a_section_that_comes_anew_is_sorted_as_the_old_one_was(browser: Any, site: Visitor) -> None:
    with open_tab(browser, site) as tab:
        streams: list[Any] = []
        tab.page.route("**/events?*", lambda route: streams.append(route))
        with tab.page.expect_request("**/events?*"):
            tab.go("/")
        section = site.text("/").partition('<section id="standings"')[2].partition("</section>")[0]
        before = click(tab, "bot")
        assert before == sorted(before, key=str.casefold)
        news = {"id": "standings", "html": f'<section id="standings"{section}<p>anew</p></section>'}
        streams[0].fulfill(content_type="text/event-stream", body=f"event: section\ndata: {json.dumps(news)}\n\n")
        tab.shows("#standings", "anew")
        assert bots(tab) == before
