"""What a changed tournament file means for a tournament that has begun."""

from __future__ import annotations

import pytest

from peloarena.tournament.config import TournamentConfig
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.file_changes import FileChanges, find_changes
from peloarena.tournament.rows import BotRow

ENTRIES = (Entry(1, "a"), Entry(2, "b"), Entry(3, "guest", listed=False))
VERSIONS = tuple(Version(entry.number, 1, f"v2-{entry.name}", state="ready") for entry in ENTRIES)


def config(**keys: object) -> TournamentConfig:
    return TournamentConfig("x", ["a", "b"], **keys)  # type: ignore[arg-type]


def listed(*names: str) -> list[BotRow]:
    return [BotRow(name, f"/bots/{name}", f"v2-{name}") for name in names]


def changes(
    old: TournamentConfig, new: TournamentConfig, begun: int = 0, bots: list[BotRow] | None = None
) -> FileChanges:
    return find_changes(old, new, begun, ENTRIES, VERSIONS, {"gone"}, listed("a", "b") if bots is None else bots)


def test_same_file_is_no_change_whatever_entered_besides() -> None:
    assert changes(config(), config()) == FileChanges()


@pytest.mark.parametrize(
    ("old", "new", "begun", "refused", "said"),
    [
        (config(deals=4), config(deals=6), 4, (), ("deals: 4 → 6",)),
        (config(deals=4), config(deals=3), 3, (), ("deals: 4 → 3",)),
        (config(deals=4), config(deals=3), 4, ("deals = 3: 4 rounds have begun",), ("deals: 4 → 3",)),
        (config(jobs=1), config(jobs=2, catch_up=False), 1, (), ("jobs: 1 → 2", "catch_up: true → false")),
        (config(faults=0), config(faults=1), 0, ("faults: 0 → 1",), ()),
        (config(levels=(1, 2)), config(levels=(1,)), 0, ("levels: [1,2] → [1]",), ()),
        (config(time="5s"), config(time="2s"), 0, ('time: "5s" → "2s"',), ()),
    ],
)
def test_some_keys_may_change_and_rules_may_not(
    old: TournamentConfig, new: TournamentConfig, begun: int, refused: tuple[str, ...], said: tuple[str, ...]
) -> None:
    found = changes(old, new, begun)
    assert (found.refused, found.descriptions) == (refused, said)


@pytest.mark.parametrize("format", ["swiss", "knockout"])
def test_deals_of_a_match_are_a_rule(format: str) -> None:
    assert changes(config(format=format, deals=2), config(format=format, deals=3)).refused == ("deals: 2 → 3",)


def test_bots_come_go_and_change() -> None:
    found = changes(config(), config(), 2, [*listed("c"), BotRow("b", "/bots/b", "v2-other")])
    assert [row.name for row in found.new_bots] == ["c"]
    assert [row.name for row in found.changed_bots] == ["b"]
    assert found.removed_names == ("a",)
    assert found.descriptions == (
        "c is new",
        "b has new files: a new version",
        "a is no longer in the file: it leaves after this round",
    )


def test_folder_that_is_not_there_any_more_is_no_change() -> None:
    """What is played is the copy."""
    lost = BotRow("b", "/bots/b", "", problem="no bot at '/bots/b'")
    assert changes(config(), config(), 2, [*listed("a"), lost]) == FileChanges()


def test_who_left_the_file_and_is_in_it_again_is_restored() -> None:
    entries = (*ENTRIES, Entry(4, "gone"))
    versions = (*VERSIONS, Version(4, 1, "v2-gone", state="ready"))
    found = find_changes(config(), config(), 2, entries, versions, {"gone"}, listed("a", "b", "gone"))
    assert found == FileChanges(descriptions=("gone is in the file again",), restored_names=("gone",))


def test_new_bot_of_a_knockout_that_has_begun_is_told_that_it_does_not_play() -> None:
    cup = config(format="knockout")
    found = changes(cup, cup, 1, listed("a", "b", "c"))
    assert [(row.name, row.problem) for row in found.new_bots] == [
        ("c", "a knockout takes nobody once its first round has begun")
    ]
    assert found.descriptions == (
        "c is new, but does not play: a knockout takes nobody once its first round has begun",
    )
