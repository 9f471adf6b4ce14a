"""`peloarena ratings A B …`: tournaments, archives, records and CSV in one table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from little_tournament import made

from peloarena.cli.main import cli
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.store import Store

TEXT = 'name = "{name}"\nbots = ["a", "b", "c"]\ndeals = 2\nseed = "{name}"\n'


def ratings(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["ratings", *map(str, args)])


def found(*args: str | Path) -> dict[str, Any]:
    result = ratings(*args, "--json")
    assert result.exit_code == 0, result.output
    table: dict[str, Any] = json.loads(result.stdout)
    return table


def tournament(folder: Path, name: str, bots: str, files: dict[str, str], authors: dict[str, str]) -> Path:
    path = made(folder / f"{name}.sqlite", TEXT.format(name=name), bots)
    with Store.open_to_change(path) as store:
        for number, bot in enumerate(bots, 1):
            store.set_entry(Entry(number, bot, authors.get(bot, "")))
            store.set_version(Version(number, 1, files.get(bot, f"v2-{bot}"), state="ready"))
    return path


@pytest.fixture
def monday(tmp_path: Path) -> Path:
    return tournament(tmp_path, "monday", "abc", {}, {"a": "team blue", "b": "team red", "c": "team red"})


@pytest.fixture
def friday(tmp_path: Path) -> Path:
    """c has become better than a, and a has other files."""
    return tournament(
        tmp_path, "friday", "cad", {"a": "v2-new"}, {"a": "team blue", "c": "team red", "d": "team green"}
    )


def test_two_tournaments_make_one_table(monday: Path, friday: Path) -> None:
    table = found(monday, friday)
    games = {row["player"]: row["games"] for row in table["ratings"]}
    assert games == {"a": 8, "a v1": 8, "b": 8, "c": 16, "d": 8}
    assert {row["player"]: row["sources"] for row in table["joined"]}["c"] == ["monday", "friday"]
    assert not any("never met" in said for said in table["warnings"])


def test_tournaments_without_a_bot_in_common_are_said_not_to_compare(monday: Path, tmp_path: Path) -> None:
    other = tournament(tmp_path, "other", "xyz", {}, {})
    table = found(monday, other)
    assert any("2 groups never met: [a, b, c] / [x, y, z]" in said for said in table["warnings"])
    assert table["groups"] == [["a", "b", "c"], ["x", "y", "z"]]
    shown = ratings(monday, other).stdout.splitlines()
    assert [line.split()[:2] for line in shown if line.startswith(("group", "1 "))] == [
        ["group", "1"],
        ["1", "a"],
        ["group", "2"],
        ["1", "x"],
    ]


def test_authors_are_rated(monday: Path, friday: Path) -> None:
    table = found(monday, friday, "--by-author")
    assert {row["player"] for row in table["ratings"]} == {"team blue", "team red", "team green"}
    assert "left out: 4 games among bots of one author" in table["warnings"]
    assert {row["player"] for row in found(monday, "--by-author")["ratings"]} == {"team blue", "team red"}


def test_table_tells_what_was_joined(monday: Path, friday: Path) -> None:
    shown = ratings(monday, friday).stdout
    assert "2 sources (monday, friday): bots of one name and author are one" in shown
    assert "a v1: team blue, files a, in monday" in shown
    assert "counts 2 extra draws against the mean" in shown


def test_results_of_others_join_by_name(monday: Path, tmp_path: Path) -> None:
    (tmp_path / "club.csv").write_text("game,first,second,result\n1,a,guest,1-0\n2,guest,a,1-0\n")
    table = found(monday, tmp_path / "club.csv")
    assert {row["player"]: row["games"] for row in table["ratings"]} == {"a": 10, "b": 8, "c": 8, "guest": 2}


def test_one_tournament_alone_is_rated_as_its_own_table(monday: Path) -> None:
    assert "joined" not in found(monday)


def test_records_of_a_tournament_add_nothing_to_it(little_tournament: Path, tmp_path: Path) -> None:
    with Store.open_to_read(little_tournament / "night.sqlite") as store:
        for game in store.finished_game_names():
            (tmp_path / f"{game}.jsonl").write_bytes(store.record(game))
    alone, both = found(little_tournament / "night.sqlite"), found(little_tournament / "night.toml", tmp_path)
    assert "left out: 18 games that were counted before" in both["warnings"]
    for one, two in zip(alone["ratings"], both["ratings"], strict=True):
        assert one == pytest.approx(two)


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (("--by-version",), "a season always rates versions separately"),
        (("--by-author", "--by-version"), "--by-version is"),
    ],
)
def test_versions_cannot_be_asked_for_twice(monday: Path, friday: Path, extra: tuple[str, ...], said: str) -> None:
    result = ratings(monday, friday, *extra)
    assert result.exit_code == 2
    assert said in result.stderr


def test_the_same_file_twice_is_a_slip(monday: Path) -> None:
    assert "is named twice" in ratings(monday, monday).stderr


def test_a_bad_source_is_named(monday: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("game,first,second,result\n1,a,b,2-0\n")
    result = ratings(monday, tmp_path / "bad.csv")
    assert result.exit_code == 2
    assert "bad.csv:2: result '2-0'" in result.stderr
