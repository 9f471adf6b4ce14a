"""Who plays a round: versions, host actions, the bench."""

from __future__ import annotations

import pytest

from peloarena.tournament.entries import Appearance, BenchTracker, Entry, RosterRow, Version, VersionState, build_roster
from peloarena.tournament.host_actions import HostAction, removed_entries, withdrawn_entries

ENTRIES = (Entry(1, "a"), Entry(2, "b"))
READY = (Version(1, 1, "v2-1", state="ready"), Version(2, 1, "v2-2", state="ready"))
NAMES = {1: "a", 2: "b"}


def host_action(number: int, kind: str, target: str) -> HostAction:
    return HostAction(number, kind, target, "its author asked", 0.0)


def test_newest_ready_version_plays() -> None:
    versions = (*READY, Version(1, 2, "v2-3", state="ready"))
    assert build_roster(ENTRIES, versions, (), {}) == (RosterRow(1, 2), RosterRow(2, 1))


@pytest.mark.parametrize("state", ["queued", "building", "trying", "refused"])
def test_version_that_is_not_ready_changes_nothing(state: VersionState) -> None:
    assert build_roster(ENTRIES, (*READY, Version(1, 2, "v2-3", state=state)), (), {}) == (
        RosterRow(1, 1),
        RosterRow(2, 1),
    )


def test_entry_without_a_version_that_passed_is_not_in_the_round() -> None:
    assert build_roster(ENTRIES, READY[:1], (), {}) == (RosterRow(1, 1),)


def test_withdrawn_entry_is_absent_and_readmitted_is_back() -> None:
    host_actions = [host_action(1, "withdraw", "a"), host_action(2, "withdraw", "b"), host_action(3, "readmit", "b")]
    assert build_roster(ENTRIES, READY, host_actions, {}) == (
        RosterRow(1, 1, "withdrawn by the host: its author asked"),
        RosterRow(2, 1),
    )
    assert withdrawn_entries(host_actions) == {"a": "its author asked"}


def test_removed_entry_is_not_in_the_round_and_restored_is_back() -> None:
    host_actions = [host_action(1, "remove", "a"), host_action(2, "remove", "b"), host_action(3, "restore", "b")]
    assert build_roster(ENTRIES, READY, host_actions, {}) == (RosterRow(2, 1),)
    assert removed_entries(host_actions) == {"a": "its author asked"}


def test_bench_is_for_a_version() -> None:
    versions = (*READY, Version(1, 2, "v2-3", state="ready"))
    benched = {(1, 1): "benched", (2, 1): "benched"}
    assert build_roster(ENTRIES, versions, (), benched) == (RosterRow(1, 2), RosterRow(2, 1, "benched"))


GUILTY, CLEAN = Appearance((1, 1), True), Appearance((1, 1), False)


def test_version_with_so_many_verdicts_in_a_row_is_benched_at_the_rounds_end() -> None:
    bench = BenchTracker(3)
    bench.add_round(1, 0, [GUILTY, GUILTY], [], NAMES)
    assert bench.benched_versions([], NAMES) == {}
    bench.add_round(2, 0, [GUILTY, GUILTY], [], NAMES)
    assert bench.benched_versions([], NAMES) == {(1, 1): "benched after round 2: 4 verdicts in a row"}


def test_game_without_a_verdict_ends_a_row_and_bench_after_0_benches_nobody() -> None:
    bench, never = BenchTracker(3), BenchTracker(0)
    for one in (bench, never):
        one.add_round(1, 0, [GUILTY, GUILTY, CLEAN, GUILTY, GUILTY], [], NAMES)
    assert bench.benched_versions([], NAMES) == never.benched_versions([], NAMES) == {}


def test_readmit_ends_the_bench_and_its_row_of_verdicts() -> None:
    host_actions = [host_action(1, "readmit", "a")]
    bench = BenchTracker(2)
    bench.add_round(1, 0, [GUILTY, GUILTY], host_actions, NAMES)
    assert bench.benched_versions([], NAMES) == {(1, 1): "benched after round 1: 2 verdicts in a row"}
    assert bench.benched_versions(host_actions, NAMES) == {}
    bench.add_round(2, 1, [GUILTY], host_actions, NAMES)
    assert bench.benched_versions(host_actions, NAMES) == {}
    bench.add_round(3, 1, [GUILTY], host_actions, NAMES)
    assert bench.benched_versions(host_actions, NAMES) == {(1, 1): "benched after round 3: 2 verdicts in a row"}
