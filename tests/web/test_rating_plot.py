"""A bot's rating over the tournament: one line for each version, and the same in words."""

from __future__ import annotations

from peloarena.web.pages.rating_plot import rating_section
from peloarena.web.web_tournament import PastRating, WebTournament


def tournament(*version_numbers: int) -> WebTournament:
    found = WebTournament()
    found.history = [
        (10 * place, {"bot": PastRating(1500.0 + place, 40.0, "", version_number)})
        for place, version_number in enumerate(version_numbers, 1)
    ]
    return found


def test_each_version_has_a_line_and_a_sentence_of_its_own() -> None:
    drawn = rating_section(tournament(1, 1, 2, 2), "bot")
    assert drawn.count("<polyline") == 2
    assert ">v1<" in drawn
    assert ">v2<" in drawn
    assert "v1: 1501 ± 40 after 10, 1502 ± 40 after 20 games of the tournament." in drawn
    assert "v2: 1503 ± 40 after 30, 1504 ± 40 after 40 games of the tournament." in drawn
    assert 'role="img"' in drawn


def test_one_version_needs_no_border() -> None:
    drawn = rating_section(tournament(1, 1, 1), "bot")
    assert drawn.count("<polyline") == 1
    assert "border" not in drawn


def test_who_has_hardly_played_has_no_drawing() -> None:
    assert "<svg" not in rating_section(tournament(1), "bot")
    assert "<svg" not in rating_section(tournament(1, 1), "another")
