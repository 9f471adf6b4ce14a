"""Check the deals and the finish of an archived ladder, as far as the archive determines them. Pure.

Which table was chosen depends on who could play at that moment and which games were over; only the host knows that. The
deal itself, and who meets whom in the finish, can be computed.
"""

from __future__ import annotations

from collections import Counter

from ..fixtures import Round, TableEntries
from ..pairing import authors_kept_apart, balanced_or_all_tables
from . import archive_files
from .manifest import ArchiveError
from .plan import ArchivedTournament


def check_ladder(archive: ArchivedTournament) -> None:
    met: Counter[TableEntries] = Counter()
    finish: list[Round] = []
    for number, round in enumerate(archive.plan.rounds):
        if round.stage == "finish":
            problem = _problem_of_finish(archive, round, finish)
            finish.append(round)
        else:
            problem = "it is a deal, but the finish had begun" if finish else _find_deal_problem(round, met)
        if problem:
            raise ArchiveError(archive_files.ROUNDS_JSON, f"rounds[{number}]: {problem}")


def _find_deal_problem(round: Round, deals_per_table: Counter[TableEntries]) -> str:
    if round.stage != "main" or round.number or len(round.tables) != 1 or len(round.deals) != 1:
        return "a ladder has no rounds: a deal has stage main, number 0, one table and one deal"
    table = tuple(sorted(round.tables[0]))
    deals_per_table[table] += 1
    if round.deals != (deals_per_table[table],):
        return f"deals is {list(round.deals)}, but this is meeting {deals_per_table[table]} of these entries"
    return ""


def _problem_of_finish(archive: ArchivedTournament, round: Round, before: list[Round]) -> str:
    entries, config = [row.entry for row in round.roster], archive.tournament_file.config
    if round.number != len(before) + 1 or round.deals != (round.number,):
        return f"it must be round {len(before) + 1} of the finish, with one deal"
    if before and entries != [row.entry for row in before[0].roster]:
        return "its roster differs from that of the first round of the finish"
    authors = authors_kept_apart(config, archive.state((), ()).entries)
    if round.tables != tuple(balanced_or_all_tables(config, round.number, entries, 0, authors)):
        return "its tables are not those of a round-robin of its roster"
    return ""
