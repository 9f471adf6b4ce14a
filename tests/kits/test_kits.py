"""Every kit: made by `new`, built in the strict sandbox, checked, better than random, move by move equal to the
others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from promises import EVERY_PROTECTION, KIT_CHAINS, untried

from peloarena.referee.kits import KITS, KitStatus, find_kit_statuses
from peloarena.referee.sandbox.isolation import missing_part_texts

PELOARENA = [sys.executable, "-m", "peloarena"]
ALL_MODULES = "hellas,sea,trade,goats,athens,heroes-and-colonies,negotiation,sacrum,promos"
GAMES = 40
"""20 deals, each with either seat first."""
ENOUGH = 32
"""Wins of 40 against random; they are 39 in the base game and 38 with all modules."""
FIRST = "python"
"""The kit that the others are compared with."""
LANGS = [kit.lang for kit in KITS]
Moves = dict[str, list[object]]


@pytest.fixture(scope="session")
def bots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A bot of each kit, as an author makes it."""
    folder = tmp_path_factory.mktemp("authors")
    for lang in LANGS:
        done = run("new", f"my-{lang}", "--lang", lang, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == f"  peloarena match my-{lang} random"
    return {lang: folder / f"my-{lang}" for lang in LANGS}


@pytest.fixture(scope="session")
def here() -> dict[str, KitStatus]:
    return {kit.lang: kit for kit in find_kit_statuses()}


@pytest.fixture(scope="session")
def first_moves(bots: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Moves]:
    """The games of the first kit, by modules."""
    folder = tmp_path_factory.mktemp("first")
    return {modules: played(bots[FIRST], modules, folder / (modules or "base")) for modules in ("", ALL_MODULES)}


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PELOARENA, *words], cwd=cwd, capture_output=True, text=True, timeout=580, check=False)


def usable(lang: str, here: dict[str, KitStatus]) -> None:
    """Says what is not tried here; a run that forbids skips fails by it."""
    if lacks := missing_part_texts():
        untried(EVERY_PROTECTION, "; ".join(lacks))
    if not here[lang].usable:
        untried(KIT_CHAINS, here[lang].problem)


def played(bot: Path, modules: str, folder: Path) -> Moves:
    """All moves of 40 games against random in the strict sandbox, by deal and seat."""
    folder.mkdir(parents=True)
    words = ["match", str(bot), "random", "-n", str(GAMES), "-j", "2", "--seed", "kits", "--sandbox", "strict", "-q"]
    done = run(*words, "--with", modules, "--record", str(folder), "--json", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    games = json.loads(done.stdout)["games"]
    assert [game["verdicts"] for game in games] == [[]] * GAMES
    return dict(read_moves(game) for game in games)


def read_moves(game: dict[str, Any]) -> tuple[str, list[object]]:
    lines = [json.loads(line) for line in Path(game["record"]).read_text().splitlines()]
    moves: list[object] = [(line["seat"], line["move"]) for line in lines if line["type"] == "decision"]
    mine = 1 - game["seats"].index("random")
    return f"{game['seed']}, the kit in seat {mine}", [*moves, "won" if game["ranks"][mine] == 1 else "lost"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_kit_passes_the_whole_check(lang: str, bots: dict[str, Path], here: dict[str, KitStatus]) -> None:
    usable(lang, here)
    done = run("check", str(bots[lang]), "--sandbox", "strict", cwd=bots[lang].parent)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("modules", ["", ALL_MODULES], ids=["base", "all modules"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_kit_beats_random_with_the_same_moves_as_the_others(
    lang: str,
    modules: str,
    bots: dict[str, Path],
    here: dict[str, KitStatus],
    first_moves: dict[str, Moves],
    tmp_path: Path,
) -> None:
    usable(lang, here)
    moves = first_moves[modules] if lang == FIRST else played(bots[lang], modules, tmp_path / "games")
    assert len(moves) == GAMES
    assert sum(game[-1] == "won" for game in moves.values()) >= ENOUGH
    assert [name for name in moves if moves[name] != first_moves[modules].get(name)] == []


@pytest.mark.parametrize("langs", [LANGS[:8], LANGS[-8:]], ids=["the first eight", "the last eight"])
def test_kits_sit_at_one_table_with_all_modules(
    langs: list[str], bots: dict[str, Path], here: dict[str, KitStatus], tmp_path: Path
) -> None:
    for lang in langs:
        usable(lang, here)
    words = ["match", *(str(bots[lang]) for lang in langs), "--with", ALL_MODULES, "--sandbox", "strict", "--json"]
    done = run(*words, "--seed", "kits", "-n", "8", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    games = json.loads(done.stdout)["games"]
    assert [game["verdicts"] for game in games] == [[]] * len(langs)
    assert {name for game in games for name in game["seats"]} == {f"my-{lang}" for lang in langs}
