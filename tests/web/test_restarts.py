"""When a web process that ended is started again, and how often."""

from __future__ import annotations

from peloarena.web.restarts import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    MAX_FAILED_STARTS,
    MAX_QUICK_DEATHS,
    STABLE_AFTER_SECONDS,
    Restarts,
)


def test_a_process_that_never_becomes_ready_has_three_tries() -> None:
    restarts = Restarts()
    pauses = [restarts.pause_after(1.0, False) for _ in range(MAX_FAILED_STARTS)]
    assert pauses == [2 * FIRST_PAUSE, 4 * FIRST_PAUSE, None]


def test_a_slow_start_that_fails_is_a_failed_start_too() -> None:
    restarts = Restarts()
    assert [restarts.pause_after(STABLE_AFTER_SECONDS + 1, False) is None for _ in range(3)] == [False, False, True]


def test_failed_starts_count_in_a_row_only() -> None:
    restarts = Restarts()
    for _ in range(3):
        assert restarts.pause_after(0.1, False) is not None
        assert restarts.pause_after(0.1, False) is not None
        assert restarts.pause_after(0.1, True) is not None


def test_a_process_that_was_ready_has_many_tries_with_growing_pauses_and_an_end() -> None:
    restarts = Restarts()
    pauses = [restarts.pause_after(0.5, True) for _ in range(MAX_QUICK_DEATHS)]
    assert pauses[:3] == [2 * FIRST_PAUSE, 4 * FIRST_PAUSE, 8 * FIRST_PAUSE]
    assert set(pauses[6:-1]) == {LONGEST_PAUSE}
    assert pauses[-1] is None
    assert sum(pause or 0 for pause in pauses) > 25


def test_a_process_that_lasted_is_forgiven_everything() -> None:
    restarts = Restarts()
    for _ in range(MAX_QUICK_DEATHS - 1):
        restarts.pause_after(0.5, True)
    assert restarts.pause_after(STABLE_AFTER_SECONDS, True) == FIRST_PAUSE
    assert restarts.pause_after(0.5, True) == 2 * FIRST_PAUSE
