"""`peloarena tiles`: the catalogue as people and programs read it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from peloarena.cli.main import cli
from peloarena.cli.piece_tables import card_table, print_pieces
from peloarena.cli.tiles import tables_of
from peloarena.game.rulebook import full_catalogue


def tiles(*args: str, columns: int | None = None) -> Result:
    environment = {"COLUMNS": None if columns is None else str(columns)}
    return CliRunner().invoke(cli, ["tiles", *args], env=environment)


def line_of(result: Result, start: str) -> str:
    return next(line for line in result.output.splitlines() if line.startswith(start))


def test_pipe_gets_every_column_on_one_line_per_tile() -> None:
    line = line_of(tiles(), "A15")
    assert " ".join(line.split()) == "A15 Port building A base 2 1 wood, 3 stone 3 2 pop 1 any decline - printed"


def test_narrow_terminal_gets_letters_and_headings_and_no_line_is_longer() -> None:
    result = tiles(columns=80)
    assert " ".join(line_of(result, "A15").split()) == "A15 Port 2 1w 3s 3 2p 1 any no decline"
    assert "base · stack A · building" in result.output
    assert "goods: w wood, s stone, f food, c coin, p inhabitants (pop), l luxury (lux)" in result.output
    assert max(len(line) for line in result.output.splitlines()) <= 80


def test_filters_narrow_the_table_together() -> None:
    found = json.loads(tiles("--set", "hellas", "--stack", "D", "--kind", "land", "--json").stdout)
    assert [tile["id"] for tile in found["tiles"]] == ["D04", "D05"]


def test_filters_that_fit_nothing_together_say_so() -> None:
    result = tiles("--set", "sea", "--kind", "land")
    assert (result.exit_code, result.output.splitlines()[0]) == (0, "No piece fits these filters.")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--stack", "Q"], "unknown stack 'Q'; there are A, B, C, D, S"),
        (["--kind", "bilding"], "unknown kind 'bilding' (did you mean 'building'?); there are building, land, sea"),
        (["--table", "mats", "--kind", "land"], "--kind: pieces of the table mats have no kind"),
        (["--components", "/nowhere/x.toml"], "components '/nowhere/x.toml': No such file or directory"),
    ],
)
def test_wrong_value_is_refused_with_the_right_ones(args: list[str], message: str) -> None:
    result = tiles(*args)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"peloarena: {message}\n")


def test_unknown_table_and_set_are_refused_with_the_nearest() -> None:
    assert "unknown table 'civs'" in tiles("--table", "civs").stderr
    assert "unknown set 'helas' (did you mean 'hellas'?); there are base" in tiles("--set", "helas").stderr


def test_json_holds_a_tile_as_printed() -> None:
    found = json.loads(tiles("--json").stdout)["tiles"]
    assert next(tile for tile in found if tile["id"] == "A15") == {
        "id": "A15",
        "kind": "building",
        "points": 3,
        "stack": "A",
        "name": "Port",
        "min": 2,
        "cost": {"wood": 1, "stone": 3},
        "once": {"pop": 2},
        "any": 1,
        "protects": ["decline"],
        "set": "base",
        "title": "Port",
    }


@pytest.mark.parametrize("table", sorted(tables_of(full_catalogue())))
def test_every_table_is_shown_and_is_json(table: str) -> None:
    assert tiles("--table", table, columns=80).exit_code == 0
    assert set(json.loads(tiles("--table", table, "--json").stdout)) == {table}


def test_civilization_shows_start_and_income() -> None:
    line = line_of(tiles("--table", "civilizations"), "Sparta")
    assert " ".join(line.split()).startswith("Sparta 5 4 wood, 7 coin, 3 pop 1 wood")


def test_override_is_shown_marked_and_explained(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[tiles.A15]\npoints = 9\nname = "[red]Harbour\\u001b"\n', encoding="utf-8")
    result = tiles("--components", str(file), "--stack", "A")
    shown = " ".join(line_of(result, "A15").split())
    assert shown == "A15† [red]Harbour␛ building A base 2 1 wood, 3 stone 9 2 pop 1 any decline - override"
    assert "† changed by the --components file" in result.output
    assert "†" not in tiles("--stack", "A").output


def test_broken_override_names_the_key(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[tiles.A15]\npoint = 9\n", encoding="utf-8")
    result = tiles("--components", str(file))
    assert result.exit_code == 2
    assert result.stderr.startswith("peloarena: components: tiles.A15")
    assert "did you mean 'points'?" in result.stderr


def test_override_larger_than_the_limit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"#" * (256 * 1024 + 1))
    assert tiles("--components", str(file)).stderr == f"peloarena: components {str(file)!r}: larger than 256 KiB\n"


def test_reconstructed_pieces_are_marked_and_the_mark_explained() -> None:
    everything = full_catalogue()
    marked = [tile for tile in everything.tiles.values() if tile.source == "reconstructed" or tile.reconstructed]
    result = tiles()
    for tile in marked:
        assert "*" in line_of(result, tile.id)
    assert ("* reconstructed" in result.output) == bool(marked)
    assert "* reconstructed" not in tiles("--set", "base").output


def test_nothing_to_show_is_no_error() -> None:
    out = Console(file=None, width=80, record=True, quiet=True)
    print_pieces(out, full_catalogue(), [])
    assert card_table(list(full_catalogue().mats.values()), wide=True).row_count == len(full_catalogue().mats)
