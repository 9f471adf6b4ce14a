"""The sample tournaments are read and planned, and their page explains every key with its default."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import msgspec
import pytest
from promises import NODE, needs

from peloarena.tournament.config import FORMAT_NAMES, BotEntry, TournamentConfig, read_tournament_file, resolve_bots
from peloarena.tournament.plan_summary import summary
from peloarena.tournament.roster import check_roster, find_roster, names_of_players

FOLDER = Path(__file__).parents[2] / "tournaments"
SAMPLES = sorted(FOLDER.glob("*.toml"))
PAGE = (FOLDER / "README.md").read_text("utf-8")
KEY_ROW = re.compile(r"^\| `(\w+)` \| (?:`(.*?)`|needed) \|", re.MULTILINE)


@needs(NODE, shutil.which("node") is not None)  # bots/tiny-js is in most of them
@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_sample_is_read_and_planned(file: Path) -> None:
    tournament = read_tournament_file(file)
    rows = find_roster(tournament)
    assert [row.name for row in rows if row.problem] == []
    check_roster(tournament, rows)
    found = summary(tournament.config, len(names_of_players(rows)))
    assert found.rounds >= 1
    assert found.tables >= 1
    assert found.games >= 20


def test_samples_show_every_format_and_an_expansion() -> None:
    configs = [read_tournament_file(file).config for file in SAMPLES]
    assert {config.format for config in configs} == set(FORMAT_NAMES)
    assert {config.table for config in configs} >= {2, 3, 4}
    assert any(config.modules for config in configs)


def test_samples_name_bots_by_path_glob_and_alias() -> None:
    entries = [entry for file in SAMPLES for entry in read_tournament_file(file).config.bots]
    assert any(isinstance(entry, BotEntry) and entry.alias for entry in entries)
    assert any(isinstance(entry, str) and "*" in entry for entry in entries)
    assert all(resolve_bots(read_tournament_file(file)) for file in SAMPLES)


def test_page_explains_every_key_in_order() -> None:
    assert [key for key, _ in KEY_ROW.findall(PAGE)] == list(TournamentConfig.__struct_fields__)


@pytest.mark.parametrize(("key", "default"), KEY_ROW.findall(PAGE))
def test_page_tells_the_default(key: str, default: str) -> None:
    field = next(field for field in msgspec.structs.fields(TournamentConfig) if field.name == key)
    if not default:
        assert field.required
        return
    told = tomllib.loads(f"value = {default}")["value"]
    real = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    assert told == (list(real) if isinstance(real, tuple) else real)


def test_page_names_every_sample() -> None:
    assert sorted(set(re.findall(r"\]\(([\w-]+\.toml)\)", PAGE))) == [file.name for file in SAMPLES]
