"""What a match prints at its end: the final table of one game, the summary of many, or JSON."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from ..game import SeatResult
from ..game.texts import plural
from ..referee.film import evidence_in
from ..referee.job import GameReport
from ..referee.verdict import Evidence
from ..tournament.rating_text import NO_INTERVAL, interval_text, rating_text, signed
from ..tournament.ratings import Conclusion, elo_difference, places, rating_table
from ..tournament.series import SeriesRow, results
from .common import safe
from .from_position import REMARK
from .match_details import json_details, print_details
from .match_faults import print_departures, print_faults, print_verdict
from .series_run import Contest
from .tables import FittingTable, plain_table


def print_final(out: Console, contest: Contest, report: GameReport, quiet: bool) -> None:
    """One game: the result, what went wrong, where the record is."""
    out.print(final_table(report))
    if not report.outcome.finished:
        out.print("The game ended early: only one seat was left.")
    for verdict, evidence in zip(report.verdicts, report.evidence, strict=True):
        print_verdict(out, report, verdict, evidence)
    print_departures(out, contest.departures)
    if contest.experiment:
        out.print(REMARK)
    if not quiet:
        path = safe(str(contest.records.path(report.game)))
        out.print(f"Seed {safe(report.seed)}. Record: {path}", soft_wrap=True)


def final_table(report: GameReport) -> FittingTable:
    headings = ("rank", "bot", "score", "prestige", "population", "luxury", "time", "CPU", "faults")
    table = FittingTable(*headings, leaving=[("CPU",), ("time",), ("prestige", "population", "luxury")])
    outcome = report.outcome
    for seat in sorted(range(len(report.seats)), key=lambda s: outcome.ranks[s]):
        stats, result = report.stats[seat], outcome.result
        totals = ("", "", "") if result is None else totals_of(result.seats[seat])
        faults = sum(v.seat == seat for v in report.verdicts)
        score = outcome.scores[seat]
        table.add_row(
            str(outcome.ranks[seat]),
            safe(report.seats[seat]),
            "out" if outcome.out[seat] else "–" if score is None else str(score),
            *totals,
            f"{stats.seconds:.2f} s",
            f"{stats.cpu:.2f} s",
            str(faults or ""),
        )
    return table


def totals_of(seat: SeatResult) -> tuple[str, str, str]:
    return str(seat.prestige), str(seat.population), str(seat.luxury)


def print_summary(out: Console, contest: Contest, quiet: bool) -> None:
    """Many games: the standings, the difference between two bots, where the points come from, the faults."""
    if not contest.score.games:
        out.print("No game was finished.")
        return
    out.print(standings_table(contest))
    for line in conclusions(contest) if not contest.experiment else [REMARK]:
        out.print(line)
    if not quiet:
        print_details(out, contest)
    print_faults(out, contest)
    if contest.never_began and not contest.keep_going:
        name = safe(contest.never_began)
        out.print(f"\n{name} could not start its first game: the match ends here (--keep-going continues).")
    out.print(f"{plural(contest.score.games, 'game')}. Records: {safe(str(contest.records.folder))}", soft_wrap=True)


def standings_table(contest: Contest) -> Table:
    table = plain_table("", "bot", "games", "points", "firsts", "mean score", "faults")
    rows = contest.score.standings()
    for place, row in zip(places([row.points for row in rows]), rows, strict=True):
        mean = "–" if row.mean_score is None else f"{row.mean_score:.2f}"
        table.add_row(
            str(place), safe(row.name), str(row.games), f"{row.points:g}", str(row.firsts), mean, str(row.faults or "")
        )
    return table


def conclusions(contest: Contest) -> list[str]:
    return two_bots(contest) if len(contest.score.names) == 2 else many_bots(contest)


def two_bots(contest: Contest) -> list[str]:
    scores = contest.score.first_scores()
    if not scores:
        return ["No Elo difference yet: no deal was played in every seating."]
    found = elo_difference(scores)
    first, second = (safe(name) for name in contest.score.names)
    interval = interval_text(found.low, found.high)
    said = interval if interval == NO_INTERVAL else f"95 % interval {interval}"
    lines = [f"{first} against {second}: {signed(found.elo)} Elo, {said} ({plural(found.deals, 'deal')})"]
    test = contest.score.verdict
    if test is not None:
        said = {
            Conclusion.ACCEPT_H1: f"decided: {first} is {test.elo1:+g} Elo better rather than {test.elo0:+g}",
            Conclusion.ACCEPT_H0: f"decided: {first} is not {test.elo1:+g} Elo better; {test.elo0:+g} or less fits",
            Conclusion.CONTINUE: "not decided yet: play more games",
        }[test.decision]
        lines.append(f"SPRT on whole deals: {said} (LLR {test.llr:+.2f} in [{test.lower:+.2f}, {test.upper:+.2f}])")
    return lines


def many_bots(contest: Contest) -> list[str]:
    table = rating_table(results(contest.score.reports))
    rows = [f"  {safe(row.player)}: {rating_text(row.rating, row.error)}" for row in table.ratings]
    return ["Elo, 95 % intervals:", *rows, *(safe(warning) for warning in table.warnings)]


def json_report(contest: Contest) -> dict[str, object]:
    return {
        "games": [json_game(contest, report) for report in contest.score.reports],
        "standings": [json_standing(row) for row in contest.score.standings()],
        "elo": json_elo(contest),
        "sprt": contest.score.verdict,
        "departures": contest.departures,
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
    return evidence_in(contest.records.path(report.game).read_bytes()) if report.verdicts else ()


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
    if contest.experiment:
        return None
    if len(score.names) != 2:
        return rating_table(results(score.reports)).ratings if score.games else None
    scores = score.first_scores()
    return elo_difference(scores) if scores else None
