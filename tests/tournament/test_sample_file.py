"""The samples of `tournament new`: each can be run as it is, and together they explain every key of the file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from peloarena.referee.builtin_bots import BUILTIN_BOT_NAMES
from peloarena.tournament.catch_up import CATCH_UP_FORMATS
from peloarena.tournament.config import (
    FORMAT_NAMES,
    Format,
    TournamentConfig,
    parse_config,
    read_tournament_file,
    resolve_bots,
)
from peloarena.tournament.plan_summary import summary
from peloarena.tournament.roster import check_roster, find_roster, names_of_players
from peloarena.tournament.sample_file import ALL_FORMATS, SAMPLES, SECTIONS, sample_file, sample_name

KEYS = {key.name: key for keys in SECTIONS.values() for key in keys}
COMMENTED_OUT = re.compile(r"^#(?=\w+ = )", re.MULTILINE)
MOST_GAMES = 100
"""A first tournament of built-in bots is over within a minute."""
each_format = pytest.mark.parametrize("format", FORMAT_NAMES)


@each_format
def test_a_sample_is_read_and_planned_in_an_empty_folder(format: Format, tmp_path: Path) -> None:
    file = tmp_path / "friday.toml"
    file.write_text(sample_file(format, "Friday"), encoding="utf-8")
    tournament = read_tournament_file(file)
    assert (tournament.config.name, tournament.config.format) == ("Friday", format)
    assert {Path(bot.path).name for bot in resolve_bots(tournament)} <= set(BUILTIN_BOT_NAMES), "bots by name alone"
    rows = find_roster(tournament)
    assert [row.name for row in rows if row.problem] == []
    check_roster(tournament, rows)
    assert 20 <= summary(tournament.config, len(names_of_players(rows))).games <= MOST_GAMES


@each_format
def test_a_key_that_is_commented_out_has_its_default_value(format: Format) -> None:
    text = sample_file(format, "Friday")
    whole = COMMENTED_OUT.sub("", text)
    assert whole != text
    assert parse_config(whole, "whole") == parse_config(text, "sample")


@each_format
def test_a_sample_shows_the_keys_of_its_format_and_each_of_them_once(format: Format) -> None:
    shown = re.findall(r"^#?(\w+) = ", sample_file(format, "Friday"), re.MULTILINE)
    assert shown == [name for name, key in KEYS.items() if format in key.formats]
    assert set(SAMPLES[format].values) <= set(shown), "what it sets is shown"


def test_the_samples_explain_every_key_of_the_file() -> None:
    assert sorted(KEYS) == sorted(TournamentConfig.__struct_fields__)
    assert all(key.comment and key.formats for key in KEYS.values())


def test_the_samples_are_those_of_all_formats() -> None:
    assert set(SAMPLES) == set(ALL_FORMATS) == set(FORMAT_NAMES)
    assert set(KEYS["catch_up"].formats) == set(CATCH_UP_FORMATS)


@each_format
def test_a_comment_stays_within_its_columns_and_breaks_no_example(format: Format) -> None:
    lines = sample_file(format, "Friday").splitlines()
    assert [line for line in lines if len(line) > 100] == []
    assert [line for line in lines if line.count("{") != line.count("}") or line.count('"') % 2] == []


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("friday", "Friday"),
        ("friday-night_2", "Friday night 2"),
        ("…", "Tournament"),
        ("Zürich", "Zürich"),
        ("a" * 80, "A" + "a" * 59),
        ('q"\\\x1b\x7f\udcff', "Q"),
    ],
)
def test_the_name_of_the_file_becomes_that_of_the_tournament(stem: str, name: str) -> None:
    assert sample_name(stem) == name
    assert tomllib.loads(sample_file("round-robin", name))["name"] == name
