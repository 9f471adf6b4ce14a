"""A ladder of twelve with entries coming and going, killed and gone on with (ladder_evening.py plays it)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ladder_evening import FINISH_DEALS, NEWCOMER_GAMES, ROSTER, LadderEvening
from promises import C, needs

from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.store import Store

pytestmark = needs(C, shutil.which("cc") is not None)
HERE = Path(__file__).parent
INDEPENDENT_TABLE = HERE / "independent_table.py"
INDEPENDENT_ARCHIVE = HERE.parent / "tournament" / "independent_archive.py"
TWELVE = {*ROSTER, "random", "late", "later"}


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> LadderEvening:
    tournament = LadderEvening(tmp_path_factory.mktemp("ladder"))
    tournament.play()
    return tournament


@pytest.fixture
def store(tournament: LadderEvening) -> Iterator[Store]:
    with Store.open_to_read(tournament.store_path) as store:
        yield store


def test_runner_was_killed_at_every_stage_and_nothing_was_lost_or_played_twice(
    tournament: LadderEvening, store: Store
) -> None:
    """LadderEvening.note has looked at every stop; here the count of all."""
    assert tournament.stages == ["ladder", "newcomers", "withdrawal", "finish"]
    assert store.voided_games() == []
    assert len(tournament.reported) == len(set(tournament.reported))
    unseen = tournament.kept.keys() - set(tournament.reported)
    assert len(unseen) <= 2 * len(tournament.stages), "stored, and killed before it could be told: one a place at most"


def test_every_deal_that_was_chosen_was_played_in_both_seatings_and_nothing_else(store: Store) -> None:
    chosen = Counter(
        (round.deals[0], tuple(sorted(round.tables[0]))) for round in store.rounds() if round.stage == "main"
    )
    played = Counter(
        (row.fixture.deal, tuple(sorted(row.fixture.entries))) for row in store.games() if row.fixture.stage == "main"
    )
    assert set(chosen.values()) == {1}
    assert played == Counter(dict.fromkeys(chosen, 2))
    assert sum(played.values()) >= 100


def test_every_choice_has_its_reason(store: Store) -> None:
    reasons = [round.reason for round in store.rounds() if round.stage == "main"]
    assert all(reasons)
    assert {reason.split()[1] for reason in reasons} == {"is", "most"}  # "x is new: …", "tells most about …"


def test_newcomers_and_new_versions_had_their_games(store: Store) -> None:
    had = Counter(
        version
        for row in store.games()
        for version in zip(row.fixture.entries, row.fixture.editions, strict=True)
        if row.fixture.stage == "main"
    )
    house = {entry.number for entry in store.entries() if entry.house}
    ready = [(v.entry, v.edition) for v in store.versions() if v.state == "ready" and v.entry not in house]
    assert len(ready) == 13
    falls = next(entry.number for entry in store.entries() if entry.name == "falls")
    assert had[falls, 1] == 2  # it was benched
    assert all(had[version] >= NEWCOMER_GAMES for version in ready if version != (falls, 1))
    assert not any(entry in house for entry, _ in had)


def test_bot_that_falls_gets_few_games(store: Store) -> None:
    falls = next(entry.number for entry in store.entries() if entry.name == "falls")
    crashed = [row for row in store.games() if any(v.fault == "crashed" for v in row.verdicts)]
    assert len(crashed) == 2
    assert all(falls in row.fixture.entries for row in crashed)


def test_finish_is_a_round_robin_of_all_twelve(store: Store) -> None:
    games = [row for row in store.games() if row.fixture.stage == "finish"]
    pairs = Counter((row.fixture.round, frozenset(row.fixture.seats)) for row in games)
    expected = [(n, frozenset(pair)) for n in range(1, FINISH_DEALS + 1) for pair in combinations(TWELVE, 2)]
    assert pairs == Counter(dict.fromkeys(expected, 2))
    assert all(row.played for row in games)


def test_table_is_the_one_that_an_independent_program_computes_from_the_export(tournament: LadderEvening) -> None:
    exported = tournament.folder / "export"
    tournament.run_command("export", "--to", str(exported))
    right: dict[str, list[float]] = json.loads(said_by(INDEPENDENT_TABLE, exported))
    shown: dict[str, Any] = json.loads(tournament.run_command("standings", "--json"))
    assert right.keys() == TWELVE
    assert shown["points"] == {name: row[0] for name, row in right.items()}
    rows = {r["player"]: [r["points"], r["games"], r["wins"], r["draws"], r["losses"]] for r in shown["ratings"]}
    assert rows == right


def test_archive_of_the_ladder_verifies_after_it_is_closed(tournament: LadderEvening) -> None:
    folder = tournament.folder / "archive"
    tournament.run_command("close")
    tournament.run_command("export", "--to", str(folder), "--archive")
    check_archive(folder)
    assert said_by(INDEPENDENT_ARCHIVE, folder) == f"{len(tournament.kept)} games\n"


def said_by(program: Path, folder: Path) -> str:
    return subprocess.run([sys.executable, "-I", program, folder], stdout=subprocess.PIPE, text=True, check=True).stdout
