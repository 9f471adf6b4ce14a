"""Prizes of a tournament: biggest upset, fastest, fewest faults, best newcomer, best per language and per author. Pure.

tournaments/README.md defines each. Only ranked bots win, equals share, and without competition there is no prize. The
example game is always one that the gate lets through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from ..game.texts import plural
from .game_selection import first_rounds_of_entries
from .points_and_ratings import labels_of
from .ranking import StandingsLine, TournamentStandings
from .rating_text import percent
from .ratings import expected_score
from .rows import GameRow
from .stored_tournament import StoredTournament
from .wording import for_people

PRIZE_DIGITS = 6
"""Numbers that are equal to this many digits share a prize: the last bits depend on the machine."""


class Prize(Struct, frozen=True):
    title: str
    winners: tuple[str, ...]
    """Equals share it."""
    sentence: str
    """Why."""
    game: str = ""
    """An example; empty if none may be shown yet, or there is none."""


class BotWork(Struct):
    """A bot's work in the games it played."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    faults: int = 0


class PrizeFacts(Struct, frozen=True):
    """The data that prizes depend on."""

    table: TournamentStandings
    shown: Sequence[GameRow]
    """Games that may be shown and in which all bots were present."""
    work: Mapping[str, BotWork]
    """By bot, over all games in which all bots were present."""
    labels: Mapping[tuple[int, int], str]
    """The name of each version in the ratings."""
    newcomers: Mapping[str, int]
    """The first round of each bot that entered after round 1."""
    languages: Mapping[str, str]
    authors: Mapping[str, str]


def prizes_of(tournament: StoredTournament, standings: TournamentStandings) -> tuple[Prize, ...]:
    """`table`: the tournament's current one."""
    facts = prize_facts(tournament, standings)
    return tuple(prize for give in PRIZES for prize in give(facts))


def prize_facts(tournament: StoredTournament, standings: TournamentStandings) -> PrizeFacts:
    gate = tournament.state.gate(tournament.closed)
    played = [row for row in tournament.games if row.played]
    names = tournament.state.names
    return PrizeFacts(
        table=standings,
        shown=[row for row in played if gate.may_show_record(row.fixture)],
        work=work_of(played),
        labels=labels_of(tournament.games),
        newcomers={
            names[entry]: first
            for entry, first in first_rounds_of_entries(tournament.state.rounds).items()
            if first > 1
        },
        languages={bot.name: bot.language for bot in tournament.bots},
        authors={bot.name: bot.author for bot in tournament.bots},
    )


# ---- the prizes


def biggest_upset(facts: PrizeFacts) -> list[Prize]:
    """An unshared win without a verdict against the bot rated highest above the winner."""
    ranked = {line.player for line in facts.table.ranked()}
    upsets = [one for one in map(upset_finder(facts), facts.shown) if one is not None and one.winner in ranked]
    if not upsets:
        return []
    most = max(round(one.gap, PRIZE_DIGITS) for one in upsets)
    best = [one for one in upsets if round(one.gap, PRIZE_DIGITS) == most]
    first = best[0]
    chance = percent(expected_score(-first.gap))
    sentence = f"{first.winner} beat {first.loser}, which is rated {first.gap:.0f} Elo higher: a chance of {chance}"
    return [Prize("biggest upset", tuple(dict.fromkeys(one.winner for one in best)), sentence, first.game)]


def fastest(facts: PrizeFacts) -> list[Prize]:
    """The least time per decision, over all its games."""
    work = {name: done for name, done in facts.work.items() if done.decisions}
    winners, best = bots_with_least(facts, {name: done.seconds / done.decisions for name, done in work.items()})
    if not winners:
        return []
    done = work[winners[0]]
    sentence = f"{comma_separated(winners)}: {time_text(best)} a decision, over {plural(done.decisions, 'decision')}"
    return [Prize("fastest", winners, sentence, example_game(facts, winners[0], score_speed))]


def fewest_faults(facts: PrizeFacts) -> list[Prize]:
    """Per game; among equals, the bot with the most answers."""
    work = {name: done for name, done in facts.work.items() if done.decisions}
    fewest, _ = bots_with_least(facts, {name: done.faults / done.games for name, done in work.items()})
    winners, _ = bots_with_least(facts, {name: -float(work[name].decisions) for name in fewest})
    if not winners:
        return []
    done = work[winners[0]]
    faults = plural(done.faults, "fault") if done.faults else "no fault"
    sentence = (
        f"{comma_separated(winners)}: {faults} in {plural(done.games, 'game')}, {plural(done.decisions, 'decision')}"
    )
    return [Prize("fewest faults", winners, sentence, example_game(facts, winners[0], score_faultless_length))]


def best_newcomer(facts: PrizeFacts) -> list[Prize]:
    """Among bots that entered after the first round."""
    lines = [line for line in facts.table.ranked() if line.player in facts.newcomers]
    if not lines:
        return []
    return [best_ranked(facts, "best newcomer", lines, f"from round {facts.newcomers[lines[0].player]} on")]


def best_in_language(facts: PrizeFacts) -> list[Prize]:
    return best_in_each_group(facts, "best in {}", facts.languages, "bots in it")


def best_of_author(facts: PrizeFacts) -> list[Prize]:
    return best_in_each_group(facts, "best of {}", facts.authors, "entries of theirs")


def best_in_each_group(facts: PrizeFacts, title: str, groups: Mapping[str, str], rivals: str) -> list[Prize]:
    """If at least two ranked bots compete."""
    kind_of = {line.player: groups.get(line.player, "") for line in facts.table.ranked()}
    prizes = []
    for kind in sorted(set(kind_of.values()) - {""}, key=str.casefold):
        lines = [line for line in facts.table.ranked() if kind_of[line.player] == kind]
        if len(lines) > 1:
            prizes.append(best_ranked(facts, title.format(kind), lines, f"of {len(lines)} {rivals}"))
    return prizes


PRIZES: tuple[Callable[[PrizeFacts], list[Prize]], ...] = (
    biggest_upset,
    fastest,
    fewest_faults,
    best_newcomer,
    best_in_language,
    best_of_author,
)


# ---- how to find them


def best_ranked(facts: PrizeFacts, title: str, lines: Sequence[StandingsLine], why: str) -> Prize:
    """The bots with the best rank; lines are in order of rank."""
    winners = tuple(line.player for line in lines if line.place == lines[0].place)
    sentence = f"{comma_separated(winners)}: place {lines[0].place}, {why}"
    return Prize(title, winners, sentence, example_game(facts, winners[0], strongest_win_score(facts)))


def bots_with_least(facts: PrizeFacts, values: Mapping[str, float]) -> tuple[tuple[str, ...], float]:
    """The ranked bots with the least value, in order of rank."""
    ranked = [line.player for line in facts.table.ranked() if line.player in values]
    best = min((round(values[name], PRIZE_DIGITS) for name in ranked), default=0.0)
    return tuple(name for name in ranked if round(values[name], PRIZE_DIGITS) == best), best


def work_of(games: Iterable[GameRow]) -> dict[str, BotWork]:
    found: defaultdict[str, BotWork] = defaultdict(BotWork)
    for row in games:
        for name, stats in zip(row.fixture.seats, row.stats, strict=True):
            done = found[name]
            done.games += 1
            done.decisions += stats.decisions
            done.seconds += stats.seconds
        for verdict in row.verdicts:
            found[row.fixture.seats[verdict.seat]].faults += 1
    return dict(found)


def ratings_of(facts: PrizeFacts) -> dict[str, float]:
    """By version, as named in the ratings."""
    table = facts.table.ratings
    return {} if table is None else {row.player: row.rating for row in (*table.ratings, *table.history)}


class Upset(Struct, frozen=True):
    gap: float
    """How far above the winner the best beaten bot is rated."""
    winner: str
    loser: str
    game: str


def upset_finder(facts: PrizeFacts) -> Callable[[GameRow], Upset | None]:
    ratings = ratings_of(facts)
    groups = facts.table.ratings.groups if facts.table.ratings else ()
    group_of = {player: number for number, group in enumerate(groups) for player in group}

    def find_upset(row: GameRow) -> Upset | None:
        ranks, fixture = row.outcome.ranks, row.fixture
        if row.verdicts or len(ranks) < 2 or ranks.count(1) != 1:
            return None
        players = [facts.labels[version] for version in zip(fixture.entries, fixture.editions, strict=True)]
        winner = ranks.index(1)
        others = [n for n, one in enumerate(players) if n != winner and group_of.get(one) == group_of[players[winner]]]
        loser = max(others, key=lambda seat: ratings[players[seat]])
        gap = ratings[players[loser]] - ratings[players[winner]]
        return Upset(gap, fixture.seats[winner], fixture.seats[loser], fixture.game) if gap > 0 else None

    return find_upset


ExampleScore = Callable[[GameRow, int], float | None]
"""How well a game shows the achievement of the bot in this seat; None: not at all."""


def example_game(facts: PrizeFacts, name: str, score: ExampleScore) -> str:
    """The first of the best examples."""
    examples = [
        (value, row.fixture.game)
        for row in facts.shown
        if name in row.fixture.seats and (value := score(row, row.fixture.seats.index(name))) is not None
    ]
    return max(examples, key=lambda one: one[0])[1] if examples else ""


def score_speed(row: GameRow, seat: int) -> float | None:
    stats = row.stats[seat]
    return -stats.seconds / stats.decisions if stats.decisions else None


def score_faultless_length(row: GameRow, seat: int) -> float | None:
    faulty = any(verdict.seat == seat for verdict in row.verdicts)
    return None if faulty else float(row.stats[seat].decisions)


def strongest_win_score(facts: PrizeFacts) -> ExampleScore:
    """A win against the strongest opponent; solo: the highest score."""
    ratings = ratings_of(facts)

    def score_win(row: GameRow, seat: int) -> float | None:
        ranks, fixture = row.outcome.ranks, row.fixture
        if len(ranks) == 1:
            score = row.outcome.scores[0]
            return None if score is None else float(score)
        if ranks[seat] != 1 or ranks.count(1) > 1 or row.verdicts:
            return None
        versions = list(zip(fixture.entries, fixture.editions, strict=True))
        return max(ratings.get(facts.labels[version], 0.0) for n, version in enumerate(versions) if n != seat)

    return score_win


# ---- words


def comma_separated(names: Iterable[str]) -> str:
    return ", ".join(names)


def time_text(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def prize_text(prize: Prize) -> str:
    """`fastest: tiny-c: 0.8 ms a decision, over 400 decisions (r01-1.2-d001-s1)`."""
    game = f" ({prize.game})" if prize.game else ""
    return f"{prize.title}: {for_people(prize.sentence)}{game}"
