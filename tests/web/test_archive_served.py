"""An archive in the browser: its table as it tells it, its games, and nothing believed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from web_servers import open_web_server

from peloarena.web.record_library import RecordLibrary

RECORD = Path(__file__).parent.parent / "records" / "format-1" / "two.jsonl"
RATED = {
    "place": 1, "player": "<b>one", "rating": 1675.8, "error": 1415.54, "games": 4, "points": 4.0, "wins": 4,
    "draws": 0, "losses": 0, "los": 0.875, "faults": 0, "open_end": "above",
}  # fmt: skip


def archive(folder: Path, **table: object) -> Path:
    (folder / "records").mkdir()
    shutil.copy(RECORD, folder / "records" / "g1.jsonl")
    (folder / "night.json").write_text(json.dumps({"name": "Friday", "secret": "ab" * 16}))
    empty = {"places": [], "points": {}, "ratings": [], "history": [], "solo": []}
    (folder / "table.json").write_text(json.dumps({**empty, **table}))
    return folder


def test_an_archive_is_served_with_its_table_and_its_games(tmp_path: Path) -> None:
    places = [{"place": 1, "player": "<b>one"}, {"place": None, "player": "two", "apart": "withdrawn"}]
    with open_web_server(archive(tmp_path, places=places, ratings=[RATED])) as visitor:
        page = visitor.text("/")
    assert "<title>Friday</title>" in page
    assert 'href="/game/g1"' in page
    assert "&lt;b&gt;one" in page
    assert ">1676<" in page
    assert "withdrawn" in page
    assert "peloarena verify" in page


def test_a_solo_archive_tells_mean_scores(tmp_path: Path) -> None:
    row = {"place": 1, "player": "one", "games": 5, "mean_score": 21.5, "passed": 3, "by_level": {}, "faults": 0}
    records = RecordLibrary([archive(tmp_path, places=[{"place": 1, "player": "one"}], solo=[row])]).record_list()
    assert [(one.player, one.games, one.points) for one in records.standings] == [("one", 5, 21.5)]


def test_an_archive_whose_table_is_broken_still_shows_its_games(tmp_path: Path) -> None:
    folder = archive(tmp_path)
    (folder / "table.json").write_text("{")
    records = RecordLibrary([folder]).record_list()
    assert [row.game for row in records.rows] == ["g1"]
    assert records.standings == ()
    assert records.problems[0].startswith("the archive's standings cannot be read: ")
