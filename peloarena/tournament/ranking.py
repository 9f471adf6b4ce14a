"""Ranks: what decides them in each format, and which bots are unranked. Pure.

    compute_standings(facts, games, prior)    the whole table: lines in order of rank, and the ratings

Withdrawn, benched and removed bots and those with too few games are listed after the others and never
ranked. Every screen, page and export shows these lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median_low

from msgspec import Struct
from msgspec.structs import replace

from ..game.texts import plural
from .brackets import round_name
from .config import Format
from .cup import Cup, build_cup, cup_ranks
from .entries import BotVersion
from .fixtures import PlayedGame, Round
from .game_selection import decisive_games, games_with_points, newest_version_numbers
from .matches import MatchRules, matches_by_round
from .points_and_ratings import SoloRow, has_rated_game, solo_sort_key, solo_table, tournament_ratings
from .ratings import RatingRow, RatingTable, ranks_with_ties
from .rows import GameRow
from .swiss_score import MATCH_WON, SwissRow, swiss_rows

MIN_GAMES_DIVISOR = 3
"""A bot with fewer than this fraction (1/3) of the median number of games has played too few."""
HARDLY_PLAYED = "hardly played"
"""The value in files; people read `too few games` (wording.py)."""
UNRANKED = "–"
"""In place of a rank."""
UNRANKED_TEXT = f"{UNRANKED}: not ranked (withdrawn, benched, removed, too few games, or built in)"
VERSION_NOTE_TEXT = (
    "a version in the note: the rating, and so the rank, is that of the newest version, from that many games; "
    "games and points are the entry's"
)
RANKING_DIGITS = 6
"""Ratings that are equal to this many digits share a rank: the last bits depend on the machine."""
BY_RATING = "rating, which all games together give; equal ones share a place"
DECIDED_BY: Mapping[Format, str] = {
    "swiss": "match points, then game points, Buchholz, Sonneborn–Berger, rating",
    "knockout": "the cup: how far a bot came; who went out in the same round shares a place",
    "solo": "mean score, then levels passed",
    "ladder": "rating; once the finish has begun, by its games alone",
}
"""The value of `decided_by` in files, which never changes; other formats: by rating."""
RANKED_BY: Mapping[Format, str] = {
    "swiss": "match points, then game points, Buchholz (BH), Sonneborn–Berger (SB) and rating",
    "knockout": "how far a bot came in the cup; bots that lost in the same round share a rank",
    "solo": "mean score, then levels passed",
    "ladder": "rating; once the finish has begun, by rating from its games alone",
}
"""The same for people, below every table."""
NOT_RANKED_BY_RATING: tuple[Format, ...] = ("swiss", "knockout", "solo")
"""Formats not decided by rating, which is at most shown in addition."""


def decided_by(format: Format) -> str:
    """For files."""
    return f"places: {DECIDED_BY.get(format, BY_RATING)}"


def ranked_by(format: Format) -> str:
    """For people: a sentence."""
    return f"Ranked by {RANKED_BY.get(format, 'rating from all games; ties share a rank')}."


class RankingFacts(Struct, frozen=True):
    """The facts that ranks depend on besides games. None of them is secret."""

    format: Format
    rules: MatchRules
    rounds: tuple[Round, ...]
    """The main rounds that began, in order."""
    names: dict[int, str]
    out: dict[int, str]
    """Entries that are withdrawn, benched, removed or built in: the reason in a word."""


class StandingsLine(Struct, frozen=True):
    """A bot in the table of a tournament."""

    place: int | None
    """None if it is unranked."""
    player: str
    entry: int
    apart: str = ""
    """Why it is unranked."""
    version: str = ""
    """`v2: 4 games`: if ratings decide, and the rated version played only some of its entry's games."""
    rating: RatingRow | None = None
    solo: SoloRow | None = None
    swiss: SwissRow | None = None
    cup: str = ""
    """How far it came."""

    @property
    def note(self) -> str:
        """The last column of the table."""
        return self.apart or self.version


class TournamentStandings(Struct, frozen=True):
    lines: tuple[StandingsLine, ...]
    """Ranked bots, then unranked ones."""
    ratings: RatingTable | None
    """From the strongest down, each with its rank in the tournament."""
    solo: tuple[SoloRow, ...]
    """Also in order of rank."""

    def ranked(self) -> tuple[StandingsLine, ...]:
        return tuple(line for line in self.lines if line.place is not None)


RankKey = tuple[float, ...]
"""The sort key of a rank; the smallest is the best."""


def compute_standings(facts: RankingFacts, games: Sequence[GameRow], prior: float) -> TournamentStandings:
    games = decisive_games(games)
    rated = tournament_ratings(games, prior) if has_rated_game(games) else None
    numbers = {name: entry for entry, name in facts.names.items()}
    seated = {entry for row in games for entry in row.fixture.entries}
    solo = solo_table([facts.names[n] for n in sorted(seated)], games) if facts.format == "solo" else []
    ratings = {numbers[row.player]: row for row in rated.ratings} if rated else {}
    lines = _standings_lines(
        facts, [row.played_game for row in games], ratings, {numbers[row.player]: row for row in solo}
    )
    if rated is not None:
        rated = _with_ranks(rated, {line.player: line.place for line in lines})
        ratings = {numbers[row.player]: row for row in rated.ratings}
    return TournamentStandings(
        lines=tuple(replace(line, rating=ratings.get(line.entry)) for line in lines),
        ratings=rated,
        solo=tuple(line.solo for line in lines if line.solo is not None),
    )


def _with_ranks(table: RatingTable, ranks: Mapping[str, int | None]) -> RatingTable:
    """No bot is compared with an unranked one."""
    after = [ranks.get(row.player) for row in table.ratings[1:]]
    rows = [
        replace(row, place=ranks[row.player], los=None if following is None else row.los)
        for row, following in zip(table.ratings, [*after, None], strict=True)
    ]
    return replace(table, ratings=tuple(rows))


def _standings_lines(
    facts: RankingFacts, games: Sequence[PlayedGame], ratings: Mapping[int, RatingRow], solo: Mapping[int, SoloRow]
) -> tuple[StandingsLine, ...]:
    played = {entry for game in games for entry in game.fixture.entries}
    swiss, cup = _swiss(facts, games), _cup(facts, games)
    in_cup = cup_ranks(cup) if cup else {}
    entries = sorted(played | swiss.keys() | in_cup.keys())

    def strength(entry: int) -> float:
        return -round(ratings[entry].rating, RANKING_DIGITS) if entry in ratings else float("inf")

    def key(entry: int) -> RankKey:
        match facts.format:
            case "swiss":
                return *swiss[entry].sort_key, strength(entry)
            case "knockout":
                return (in_cup.get(entry, len(in_cup) + 1),)
            case "solo":
                return solo_sort_key(solo[entry])
            case _:
                return (strength(entry),)

    apart = _unranked_reasons(facts, entries, games, swiss, ratings)
    versions = {} if facts.format in NOT_RANKED_BY_RATING else _newest_version_notes(games)
    ranked = sorted((entry for entry in entries if entry not in apart), key=lambda entry: (key(entry), entry))
    given: list[int | None] = [*ranks_with_ties([key(entry) for entry in ranked])]
    line_of = [*zip(ranked, given, strict=True), *((entry, None) for entry in apart)]
    return tuple(
        StandingsLine(
            place=place,
            player=facts.names[entry],
            entry=entry,
            apart=apart.get(entry, ""),
            version=versions.get(entry, ""),
            solo=None if entry not in solo else replace(solo[entry], place=place),
            swiss=swiss.get(entry),
            cup=cup_result_text(cup, entry) if cup else "",
        )
        for entry, place in line_of
    )


def _swiss(facts: RankingFacts, games: Sequence[PlayedGame]) -> dict[int, SwissRow]:
    if facts.format != "swiss":
        return {}
    return swiss_rows(facts.rules, facts.rounds, matches_by_round(facts.rules, facts.rounds, games))


def _cup(facts: RankingFacts, games: Sequence[PlayedGame]) -> Cup | None:
    if facts.format != "knockout" or not facts.rounds:
        return None
    seeds = [row.entry for row in facts.rounds[0].roster]
    return build_cup(seeds, matches_by_round(facts.rules, facts.rounds, games))


# ---- unranked bots


def _unranked_reasons(
    facts: RankingFacts,
    entries: Sequence[int],
    games: Sequence[PlayedGame],
    swiss: Mapping[int, SwissRow],
    ratings: Mapping[int, RatingRow],
) -> dict[int, str]:
    """The reason in a word."""
    match facts.format:
        case "swiss":
            hardly = {entry for entry in entries if _was_mostly_absent(swiss[entry])}
        case "knockout":  # a bot that loses its first match has played everything it could
            hardly = set()
        case "solo":
            hardly = _hardly_played(games)
        case _:
            hardly = _hardly_played(games) | {entry for entry in entries if entry not in ratings}
    return dict.fromkeys(sorted(hardly), HARDLY_PLAYED) | {
        entry: facts.out[entry] for entry in entries if entry in facts.out
    }


def _was_mostly_absent(row: SwissRow) -> bool:
    there = sum(one.kind in ("match", "open", "bye") or one.score == MATCH_WON for one in row.results)
    return MIN_GAMES_DIVISOR * there < len(row.results)


def _hardly_played(games: Sequence[PlayedGame]) -> set[int]:
    """Without forfeits; catch-up games count."""
    games_played: Counter[int] = Counter()
    for game in games_with_points(games):
        games_played.update(dict.fromkeys(game.fixture.entries, 0))
        games_played.update(entry for entry in game.fixture.entries if entry not in game.absent)
    median = median_low(games_played.values()) if games_played else 0
    return {entry for entry, count in games_played.items() if MIN_GAMES_DIVISOR * count < median or not count}


def _newest_version_notes(games: Sequence[PlayedGame]) -> dict[int, str]:
    """By entry, its newest version if other versions played as well: its rank may depend on a handful of games."""
    played: Counter[BotVersion] = Counter()
    for game in games:
        there = [
            version
            for version in zip(game.fixture.entries, game.fixture.editions, strict=True)
            if version[0] not in game.absent
        ]
        played.update(there if len(there) > 1 else ())  # a lone bot is not rated
    entries: Counter[int] = Counter()
    for (entry, _), count in played.items():
        entries[entry] += count
    return {
        entry: f"v{edition}: {plural(played[entry, edition], 'game')}"
        for entry, edition in newest_version_numbers(played).items()
        if played[entry, edition] < entries[entry]
    }


# ---- the cup in words


def cup_result_text(cup: Cup, entry: int) -> str:
    """`won the cup`, `lost the final`, `out in the semi-finals`, `plays in the final`."""
    if cup.champion == entry:
        return "won the cup"
    if cup.third_place is not None and entry in cup.third_place.sides:
        if cup.third_place.winner is None:
            return "plays for the third place"
        return "won the third place" if cup.third_place.winner == entry else "lost the match for the third place"
    for left, ties in enumerate(reversed(cup.rounds), 1):
        for tie in ties:
            if entry in tie.sides:
                name = round_name(left).lower()
                if tie.loser == entry:
                    return "lost the final" if left == 1 else f"out in the {name}"
                return f"plays in the {name}" if tie.winner is None else f"is through the {name}"
    return ""
