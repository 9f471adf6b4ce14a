"""What a match prints at its end: the final table of one game, the summary of many, or JSON."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from ..game import SeatResult
from ..game.texts import plural
from ..referee.job import GameReport
from ..referee.replay import evidence_of_record
from ..referee.verdict import Evidence
from ..tournament.rating_text import NO_INTERVAL, interval_text, rating_text, signed_elo_text
from ..tournament.ratings import Conclusion, elo_difference, ranks_with_ties, rating_table
from ..tournament.series import SeriesRow, series_results
from ..tournament.wording import for_people
from .common import safe
from .match_details import json_details, print_details
from .match_faults import print_faults, print_unexpected_exits, print_verdict
from .series_run import Contest
from .start_position import EXPERIMENT_REMARK
from .terminal_tables import FittingTable, plain_table


def print_game_result(out: Console, contest: Contest, report: GameReport, quiet: bool) -> None:
    """One game: the result, what went wrong, where the record is."""
    out.print(game_result_table(report))
    if not report.outcome.finished:
        out.print("The game ended early: only one seat was left.")
    for verdict, evidence in zip(report.verdicts, report.evidence, strict=True):
        print_verdict(out, report, verdict, evidence)
    print_unexpected_exits(out, contest.unexpected_exits)
    if contest.is_experiment:
        out.print(EXPERIMENT_REMARK)
    if not quiet:
        path = safe(str(contest.records.path(report.game)))
        out.print(f"Seed {safe(report.seed)}. Record: {path}", soft_wrap=True)


def game_result_table(report: GameReport) -> FittingTable:
    headings = ("rank", "bot", "score", "prestige", "population", "luxury", "time", "CPU", "faults")
    table = FittingTable(*headings, drop_order=[("CPU",), ("time",), ("prestige", "population", "luxury")])
    outcome = report.outcome
    for seat in sorted(range(len(report.seats)), key=lambda s: outcome.ranks[s]):
        stats, result = report.stats[seat], outcome.result
        totals = ("", "", "") if result is None else total_cells(result.seats[seat])
        faults = sum(v.seat == seat for v in report.verdicts)
        score = outcome.scores[seat]
        table.add_row(
            str(outcome.ranks[seat]),
            safe(report.seats[seat]),
            "eliminated" if outcome.out[seat] else "–" if score is None else str(score),
            *totals,
            f"{stats.seconds:.2f} s",
            f"{stats.cpu:.2f} s",
            str(faults or ""),
        )
    return table


def total_cells(seat: SeatResult) -> tuple[str, str, str]:
    return str(seat.prestige), str(seat.population), str(seat.luxury)


def print_summary(out: Console, contest: Contest, quiet: bool) -> None:
    """Many games: the standings, the difference between two bots, where the points come from, the faults."""
    if not contest.score.games:
        out.print("No game was finished.")
        return
    out.print(match_standings_table(contest))
    for line in conclusions(contest) if not contest.is_experiment else [EXPERIMENT_REMARK]:
        out.print(line)
    if not quiet:
        print_details(out, contest)
    print_faults(out, contest)
    if contest.failed_to_start and not contest.keep_going:
        name = safe(contest.failed_to_start)
        out.print(f"\n{name} could not start its first game: the match ends here (--keep-going continues).")
    out.print(f"{plural(contest.score.games, 'game')}. Records: {safe(str(contest.records.folder))}", soft_wrap=True)


def match_standings_table(contest: Contest) -> Table:
    table = plain_table("", "bot", "games", "points", "firsts", "mean score", "faults")
    rows = contest.score.standings()
    for rank, row in zip(ranks_with_ties([row.points for row in rows]), rows, strict=True):
        mean = "–" if row.mean_score is None else f"{row.mean_score:.2f}"
        table.add_row(
            str(rank), safe(row.name), str(row.games), f"{row.points:g}", str(row.firsts), mean, str(row.faults or "")
        )
    return table


def conclusions(contest: Contest) -> list[str]:
    return two_bot_conclusions(contest) if len(contest.score.names) == 2 else many_bot_conclusions(contest)


def two_bot_conclusions(contest: Contest) -> list[str]:
    scores = contest.score.first_bot_scores()
    if not scores:
        return ["No Elo difference yet: no deal was played in every seating."]
    difference = elo_difference(scores)
    first, second = (safe(name) for name in contest.score.names)
    interval = interval_text(difference.low, difference.high)
    interval = interval if interval == NO_INTERVAL else f"95 % interval {interval}"
    elo, deals = signed_elo_text(difference.elo), plural(difference.deals, "deal")
    lines = [f"{first} against {second}: {elo} Elo, {interval} ({deals})"]
    test = contest.score.test_state
    if test is not None:
        conclusion = {
            Conclusion.ACCEPT_H1: f"decided: {first} is {test.elo1:+g} Elo better rather than {test.elo0:+g}",
            Conclusion.ACCEPT_H0: f"decided: {first} is not {test.elo1:+g} Elo better; {test.elo0:+g} or less fits",
            Conclusion.CONTINUE: "not decided yet: play more games",
        }[test.decision]
        lines.append(
            f"SPRT on whole deals: {conclusion} (LLR {test.llr:+.2f} in [{test.lower:+.2f}, {test.upper:+.2f}])"
        )
    return lines


def many_bot_conclusions(contest: Contest) -> list[str]:
    table = rating_table(series_results(contest.score.reports))
    rows = [f"  {safe(row.player)}: {rating_text(row.rating, row.error)}" for row in table.ratings]
    return ["Elo, 95 % intervals:", *rows, *(safe(for_people(warning)) for warning in table.warnings)]


def json_report(contest: Contest) -> dict[str, object]:
    return {
        "games": [json_game(contest, report) for report in contest.score.reports],
        "standings": [json_standing(row) for row in contest.score.standings()],
        "elo": json_elo(contest),
        "sprt": contest.score.test_state,
        "departures": contest.unexpected_exits,
        **json_details(contest),
    }


def json_game(contest: Contest, report: GameReport) -> dict[str, object]:
    result = report.outcome.result
    totals = (
        None
        if result is None
        else [{"prestige": s.prestige, "population": s.population, "luxury": s.luxury} for s in result.seats]
    )
    return {
        "game": report.game,
        "seed": report.seed,
        "seats": report.seats,
        "scores": report.outcome.scores,
        "totals": totals,
        "ranks": report.outcome.ranks,
        "finished": report.outcome.finished,
        "verdicts": report.verdicts,
        "evidence": whole_evidence(contest, report),
        "stats": report.stats,
        "record": str(contest.records.path(report.game)),
    }


def whole_evidence(contest: Contest, report: GameReport) -> tuple[Evidence, ...]:
    """Read from the record: in a long series, memory holds only the beginning of each request."""
    return evidence_of_record(contest.records.path(report.game).read_bytes()) if report.verdicts else ()


def json_standing(row: SeriesRow) -> dict[str, object]:
    return {
        "name": row.name,
        "games": row.games,
        "points": row.points,
        "firsts": row.firsts,
        "mean_score": row.mean_score,
        "faults": row.faults,
    }


def json_elo(contest: Contest) -> object:
    """For two bots the difference; for more their ratings."""
    score = contest.score
    if contest.is_experiment:
        return None
    if len(score.names) != 2:
        return rating_table(series_results(score.reports)).ratings if score.games else None
    scores = score.first_bot_scores()
    return elo_difference(scores) if scores else None
