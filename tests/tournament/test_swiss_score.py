"""The table of a Swiss: points, byes, Buchholz with FIDE's virtual opponent, Sonneborn–Berger."""

from __future__ import annotations

from played_matches import games

from peloarena.tournament.entries import RosterRow
from peloarena.tournament.fixtures import Round
from peloarena.tournament.matches import MatchRules, build_match
from peloarena.tournament.swiss_score import RoundResult, SwissRow, byes_of, swiss_rows

RULES = MatchRules(deals=1, seatings=2, best_of=False)


def table(
    *rounds: dict[tuple[int, int], str], entries: int = 4, away: dict[int, set[int]] | None = None
) -> dict[int, SwissRow]:
    """Rounds as pairs with their letters (played_matches.py); `away`: who is not there, by round."""
    made, matches = [], {}
    for number, pairs in enumerate(rounds, 1):
        gone = (away or {}).get(number, set())
        roster = tuple(RosterRow(n, 1, "withdrawn" if n in gone else "") for n in range(1, entries + 1))
        made.append(Round(number, "main", number, tuple(pairs), (1,), roster))
        matches[number] = [build_match(RULES, pair, (1,), games(pair, letters)) for pair, letters in pairs.items()]
    return swiss_rows(RULES, made, matches)


def test_match_points_come_before_game_points() -> None:
    """A host saw the second with 14 points behind the first with 13: places are by matches, and said to be."""
    rows = table({(1, 2): "WD", (3, 4): "WW"}, {(1, 3): "WD", (2, 4): "WW"})
    assert (rows[1].match_points, rows[1].game_points) == (2.0, 3.0)
    assert (rows[2].match_points, rows[2].game_points) == (1.0, 2.5)
    assert (rows[3].match_points, rows[3].game_points) == (1.0, 2.5)
    assert min(rows.values(), key=lambda row: row.sort_key).entry == 1


def test_drawn_match_is_half_a_point() -> None:
    rows = table({(1, 2): "WL", (3, 4): "DD"})
    assert [row.match_points for row in rows.values()] == [0.5] * 4


def test_bye_is_a_match_won_with_the_least_game_points_that_win_one() -> None:
    """A host saw a bye worth 0, and shown nowhere."""
    row = table({(1, 2): "WW"}, entries=3)[3]
    assert (row.match_points, row.game_points) == (1.0, 1.5)
    assert row.results == (RoundResult(1, "bye", None, 3, 0, 2),)


def test_who_is_not_there_has_no_bye_and_no_points() -> None:
    row = table({(1, 2): "WW"}, entries=4, away={1: {3, 4}})[3]
    assert row.results == (RoundResult(1, "absent"),)
    assert row.match_points == 0


def test_match_that_nobody_came_to_gives_nothing_to_either() -> None:
    rows = table({(1, 2): "xx", (3, 4): "FF"})
    assert [row.match_points for row in rows.values()] == [0.0, 0.0, 1.0, 0.0]
    assert rows[3].results[0].kind == "walkover"


def test_match_under_way_counts_its_games_and_no_match() -> None:
    row = table({(1, 2): "W"})[1]
    assert (row.match_points, row.game_points, row.results[0].kind) == (0.0, 1.0, "open")


def test_buchholz_is_what_the_opponents_have() -> None:
    rows = table({(1, 2): "WW", (3, 4): "WW"}, {(1, 3): "WW", (2, 4): "WW"})
    assert rows[1].buchholz == 1.0 + 1.0
    assert rows[4].buchholz == 1.0 + 1.0
    assert rows[2].buchholz == 2.0 + 0.0


def test_sonneborn_berger_is_what_those_have_who_were_beaten_and_half_of_who_drew() -> None:
    rows = table({(1, 2): "WW", (3, 4): "WL"}, {(1, 3): "WW", (2, 4): "WL"})
    assert rows[1].sonneborn_berger == 0.5 + 0.5
    assert rows[4].sonneborn_berger == 0.5 * 0.5 + 0.5 * 0.5
    assert rows[2].sonneborn_berger == 0.5 * 1.0


# ---- rounds that were not played: the examples of FIDE's handbook, C.02, 13.15.2


def nine_rounds(first: str, away_in: int = 0, walkover_in: int = 0) -> SwissRow:
    """Entry 1 over nine rounds against 2 to 10, who play nothing else. Letters: W, D, L for its matches."""
    pairs = {"W": "WW", "D": "WL", "L": "LL"}
    rounds: list[dict[tuple[int, int], str]] = []
    for number in range(1, 10):
        letters = pairs[first[number - 1]] if number <= len(first) else "LL"
        if number == walkover_in:
            letters = "FF"
        rounds.append({} if number == away_in else {(1, number + 1): letters})
    return table(*rounds, entries=10, away={away_in: {1}} if away_in else None)[1]


def test_virtual_opponent_of_one_who_did_not_come() -> None:
    """Round 3 of 9 at 1½ points: 1½ + 1 + ½ · 6 = 5½."""
    with_it, others = nine_rounds("WD", away_in=3), 0.0
    others = sum(_score_of_single(number, with_it) for number in (1, 2, 4, 5, 6, 7, 8, 9))
    assert with_it.buchholz - others == 5.5


def test_virtual_opponent_of_one_whose_opponent_did_not_come() -> None:
    """Round 6 of 9 at 3½ points: 3½ + 0 + ½ · 3 = 5."""
    row = nine_rounds("WWDWL", walkover_in=6)
    others = sum(_score_of_single(number, row) for number in (1, 2, 3, 4, 5, 7, 8, 9))
    assert row.buchholz - others == 5.0


def _score_of_single(number: int, row: SwissRow) -> float:
    """An opponent played once and had eight byes, which count as drawn in the tie-break of others."""
    return (2 - row.results[number - 1].score) / 2 + 8 * 0.5


def test_results_without_a_match_count_as_drawn_for_the_opponents() -> None:
    """1 beats 2 and has a bye: 2 meets 1½ points in its Buchholz, not 2."""
    rows = table({(1, 2): "WW"}, {(2, 3): "WW"}, entries=3)
    assert rows[1].match_points == 2.0
    assert rows[2].buchholz == 1.5 + 0.5


def test_bye_counts_against_its_virtual_opponent() -> None:
    """Before it nothing; it wins; then ½ for each round that follows."""
    row = table({(1, 2): "WW"}, {(3, 2): "LL"}, {(3, 1): "LL"}, entries=3)[3]
    assert row.results[0].kind == "bye"
    assert row.buchholz == (0 + 0 + 0.5 * 2) + 1.5 + 2.5
    assert row.sonneborn_berger == 1.0 * 1.0


def test_byes_are_those_who_could_play_and_sit_nowhere() -> None:
    roster = (RosterRow(1, 1), RosterRow(2, 1), RosterRow(3, 1), RosterRow(4, 1, "benched"))
    assert byes_of(Round(1, "main", 1, ((1, 2),), (1,), roster)) == [3]
