"""Tables in a terminal of 80 and of 100 columns: place, name and rating can be read, and what is left out is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from little_bots import little_bot
from little_tournament import made
from rich.cells import cell_len
from rich.console import Console

from peloarena.cli.main import cli
from peloarena.cli.terminal_tables import FittingTable
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.store import Store

BOTS = [f"olive-press-{number:02}" for number in range(1, 6)]
TOURNAMENTS = {
    "round-robin": ("deals = 1", "Elo"),
    "swiss": ('format = "swiss"\nrounds = 4\ndeals = 1', "match"),
    "knockout": ('format = "knockout"\ndeals = 3', "cup"),
    "ladder": ('format = "ladder"\ndeals = 1\nnewcomer_games = 4', "Elo"),
    "solo": ('format = "solo"\nlevels = [1, 2, 3, 4, 5]\ndeals = 1', "mean"),
}


def shown(store: Path, columns: int | None) -> list[str]:
    env = {"COLUMNS": None if columns is None else str(columns)}
    result = CliRunner().invoke(cli, ["tournament", "standings", str(store)], env=env)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def made_tournament(folder: Path, format: str) -> Path:
    return made(folder / "n.sqlite", f'name = "N"\nbots = ["x"]\n{TOURNAMENTS[format][0]}\n', BOTS, most=40)


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("format", TOURNAMENTS)
def test_place_name_and_what_decides_can_be_read(tmp_path: Path, format: str, columns: int) -> None:
    heading, *lines = shown(made_tournament(tmp_path, format), columns)[: len(BOTS) + 1]
    assert sorted(line.split()[1] for line in lines) == BOTS
    assert all(line.split()[0].isdigit() for line in lines)
    assert TOURNAMENTS[format][1] in heading.split()
    assert max(map(cell_len, [heading, *lines])) <= columns
    assert "…" not in "".join(lines)


def test_cup_keeps_its_words_in_one_line_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    lines = shown(made_tournament(tmp_path, "knockout"), 80)
    assert "won the cup" in lines[1]
    assert lines[0].split() == ["bot", "cup", "Elo", "±", "95", "%", "games"]
    assert lines[6] == "A wider terminal also shows won, drawn, lost, points."


def test_table_in_a_pipe_is_whole(tmp_path: Path) -> None:
    lines = shown(made_tournament(tmp_path, "knockout"), None)
    assert lines[0].split()[-6:] == ["points", "won", "drawn", "lost", "faults", "note"]
    assert not any("wider terminal" in line for line in lines)


def fitted(width: int, *names: str) -> list[str]:
    table = FittingTable("", "bot", "Elo", "won", "lost", "note", drop_order=[["won", "lost"], ["note"]])
    for place, name in enumerate(names, 1):
        table.add_row(str(place), name, "1500", "3", "4", "")
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]


def test_columns_leave_in_order_and_empty_ones_silently_before() -> None:
    assert fitted(40, "anna")[0].split() == ["bot", "Elo", "won", "lost", "note"]
    assert fitted(24, "anna") == ["   bot    Elo  won  lost", "1  anna  1500    3     4"]
    assert fitted(23, "anna") == ["   bot    Elo", "1  anna  1500", "A wider terminal also", "shows won, lost."]


def test_long_name_is_broken_not_cut() -> None:
    name = "a" * 20 + "b" * 10
    assert fitted(29, name)[:3] == ["   bot                    Elo", f"1  {'a' * 20}  1500", f"   {'b' * 10}"]


LONG = [f"{letter}-bot-with-a-rather-long-name" for letter in "ab"]


def test_game_of_long_names_fits_80_columns(tmp_path: Path) -> None:
    """Names were broken into pieces of twelve cells, beside a column of faults in which nothing stood."""
    bots = [little_bot(tmp_path, name) for name in LONG]
    words = ["match", *bots, "--sandbox", "off", "--quiet", "--record", str(tmp_path / "games")]
    lines = CliRunner().invoke(cli, words, env={"COLUMNS": "80"}).output.splitlines()
    assert lines[0].split() == ["rank", "bot", "score", "prestige", "population", "luxury", "time", "CPU"]
    assert all(any(f" {name[:20]}" in line for line in lines) for name in LONG)
    assert max(map(cell_len, lines)) <= 80


def test_entries_of_long_names_and_states_fit_80_columns(tmp_path: Path) -> None:
    store = made(tmp_path / "n.sqlite", 'name = "N"\nbots = ["x"]\n', LONG, most=1)
    with Store.open_to_change(store) as opened:
        opened.set_entry(Entry(1, LONG[0], "a team with a name that is long as well", "x"))
        opened.set_version(Version(1, 2, "v2-0123456789", state="refused"))
    lines = CliRunner().invoke(cli, ["tournament", "entries", str(store)], env={"COLUMNS": "80"}).output.splitlines()
    assert "v1 plays; v2 refused" in lines[1]
    assert "A wider terminal also shows files, author." in lines
    assert max(map(cell_len, lines)) <= 80
