"""A tournament without store and runner: whoever's version is in `crashing` gets a verdict in each of its games."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from peloarena.tournament.config import TournamentConfig
from peloarena.tournament.deals import DealSource
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.fixtures import Fixture, PlayedGame, Round
from peloarena.tournament.host_actions import HostAction
from peloarena.tournament.tournament_state import TournamentState

SECRET = b"s"
Ranks = Callable[[Fixture], tuple[int, ...]]


def name_of(number: int) -> str:
    return f"b{number}"


def config_of(**keys: object) -> TournamentConfig:
    return TournamentConfig("Night", ["bots/*"], **keys)  # type: ignore[arg-type]


def all_equal(fixture: Fixture) -> tuple[int, ...]:
    return (1,) * len(fixture.entries)


def first_wins(fixture: Fixture) -> tuple[int, ...]:
    """Whoever entered earlier wins."""
    return tuple(1 + sorted(fixture.entries).index(entry) for entry in fixture.entries)


class PureTournament:
    def __init__(self, config: TournamentConfig, entries: int = 0, ranks: Ranks = all_equal) -> None:
        self.state = TournamentState(config, DealSource(SECRET), [], [], [])
        self.ranks = ranks
        self.log: list[str] = []
        self.crashing: set[tuple[int, int]] = set()
        for _ in range(entries):
            self.enter()

    @property
    def rounds(self) -> list[Round]:
        return self.state.rounds

    def enter(self, *, crashes: bool = False) -> int:
        number = len(self.state.entries) + 1
        self.state.entries.append(Entry(number, name_of(number)))
        self.hand_in(number, crashes=crashes)
        return number

    def hand_in(self, number: int, *, good: bool = True, crashes: bool = False) -> int:
        version_number = 1 + sum(version.entry == number for version in self.state.versions)
        self.state.versions.append(Version(number, version_number, "v2-0", state="ready" if good else "refused"))
        if crashes:
            self.crashing.add((number, version_number))
        return version_number

    def host_action(self, kind: str, number: int) -> None:
        host_actions = self.state.actions
        host_actions.append(HostAction(len(host_actions) + 1, kind, name_of(number), "because", 0.0))

    def finished(self) -> list[PlayedGame]:
        return self.state.all_finished_games()

    def begin_again(self) -> None:
        """As after a stop: everything is made anew from what is stored."""
        old = self.state
        rounds = [msgspec.json.decode(msgspec.json.encode(round), type=Round) for round in old.rounds]
        played = [msgspec.json.decode(msgspec.json.encode(game), type=PlayedGame) for game in old.played.values()]
        self.state = TournamentState(
            old.config, old.source, old.entries, old.versions, rounds, played, old.actions, old.redraws
        )

    def missing(self) -> list[Fixture]:
        """Of the round that is on; when it is over the next begins."""
        while True:
            left = self.state.due_fixtures(self.rounds[-1]) if self.rounds else []
            if left:
                return left
            begun = self.state.next_round()
            if begun is None:
                return []
            self.rounds.append(begun)

    def play(self, fixture: Fixture) -> PlayedGame:
        out = self.state.absent_entries(self.rounds[-1])
        absent = tuple(n for n in fixture.entries if n in out)
        seats = zip(fixture.entries, fixture.editions, strict=True)
        guilty = tuple(version[0] for version in seats if version in self.crashing and version[0] not in absent)
        game = PlayedGame(fixture, self.ranks(fixture), absent, guilty)
        self.state.played[fixture.game] = game
        self.log.append(fixture.game)
        return game

    def play_all(self, most: int = 10**9) -> None:
        for _ in range(most):
            left = self.missing()
            if not left:
                return
            self.play(left[0])

    def play_through(self) -> list[Fixture]:
        """All of it, round by round: the games in the order of play."""
        while left := self.missing():
            for fixture in left:
                self.play(fixture)
        return self.state.scheduled_fixtures()
