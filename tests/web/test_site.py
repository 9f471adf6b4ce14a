"""A tournament as a folder of pages: whole, linked, small, and without what the gate forbids."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from little_tournament import invoke, made

from peloarena.web import site as site_module

TOURNAMENT = 'name = "Early"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'


@pytest.fixture(scope="module")
def folder(little_tournament: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site") / "night"
    told = invoke("tournament", "report", str(little_tournament / "night.toml"), "--site", str(target))
    assert re.match(r"\d+ games, about \d+\.\d MB\n", told)
    return target


def test_every_link_of_the_site_leads_to_a_file_of_it(folder: Path) -> None:
    pages = sorted(folder.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        for _, target in re.findall(r'(href|src)="([^"#?][^"#?]*)', page.read_text()):
            assert (page.parent / target).is_file(), f"{page.name}: {target}"


def test_a_two_player_game_takes_25_kb_at_most(folder: Path) -> None:
    assert max(page.stat().st_size for page in (folder / "game").iterdir()) <= 25_000


def test_the_pages_run_no_module_and_load_nothing_from_elsewhere(folder: Path) -> None:
    for page in folder.rglob("*.html"):
        text = page.read_text()
        assert 'type="module"' not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "<script>alert" not in text


def test_a_closed_deal_is_not_in_it(tmp_path: Path) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    told = invoke("tournament", "report", str(store), "--site", str(tmp_path / "site"))
    assert told.startswith("0 games of 1, about 0.0 MB")
    assert list((tmp_path / "site" / "game").iterdir()) == []


def test_a_tournament_that_is_too_large_shows_its_featured_games(
    little_tournament: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_module, "LARGEST_SITE", 60_000)
    told = invoke("tournament", "report", str(little_tournament / "night.toml"), "--site", str(tmp_path / "small"))
    assert re.match(r"[1-9] games? of \d+, about", told)
    assert 1 <= len(list((tmp_path / "small" / "game").iterdir())) <= 9
