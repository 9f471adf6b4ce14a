"""Read a tournament from its store alone: a page, a table or a web host needs no tournament file.

Only reads; set_up.py starts and changes tournaments, which needs bots and a sandbox.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .config import PAIRED_BY_RESULTS, TournamentConfig, stored_config
from .entries import Entry, Version, newest_ready_numbers
from .fixtures import Fixture
from .gate import Gate
from .old_store import OldStore
from .ranking import TournamentStandings, compute_standings
from .rows import BotRow, DamagedStoreError, GameRow, HostAction, VoidRow
from .secret import deals_text, is_closed, read_deal_source
from .store import Store
from .tournament_state import TournamentState


class StoredTournament(Struct, frozen=True):
    """A tournament as its store has it at one moment: everything except the records."""

    text: str
    """The tournament file."""
    config: TournamentConfig
    state: TournamentState
    games: tuple[GameRow, ...]
    """Finished games, in the order of the schedule."""
    actions: tuple[HostAction, ...]
    voids: tuple[VoidRow, ...]
    closed: bool
    """Nothing is played any more, so everything may be shown."""

    @property
    def bots(self) -> tuple[BotRow, ...]:
        """The version of each entry that plays, or why none does; in order of entry."""
        return tuple(bot_row(entry, self.state.versions) for entry in self.state.entries)

    def player_names(self) -> list[str]:
        return [bot.name for bot in self.bots if not bot.problem]

    def due_fixtures(self) -> list[Fixture]:
        """The unplayed games of the rounds that began."""
        return [fixture for round in self.state.rounds for fixture in self.state.due_fixtures(round)]

    def is_over(self) -> bool:
        return self.closed or self.state.is_over()

    def deals_text(self) -> str:
        """The source of the deals, for the line below every table."""
        return deals_text(self.config, self.state.source, Gate((), (), closed=self.closed).may_show_secret())

    def standings(self) -> TournamentStandings:
        return compute_standings(self.state.rank_facts(), self.games, self.config.prior)

    def champion(self) -> str | None:
        """The winner of a finished knockout."""
        if self.config.format != "knockout" or not self.is_over() or not self.state.rounds:
            return None
        winner = self.state.cup().champion
        return None if winner is None else self.state.names[winner]


def bot_row(entry: Entry, versions: Sequence[Version]) -> BotRow:
    own_versions = [version for version in versions if version.entry == entry.number]
    playing = newest_ready_numbers(own_versions).get(entry.number)
    version = next(
        (v for v in own_versions if v.edition == playing),
        own_versions[-1] if own_versions else Version(entry.number, 1, ""),
    )
    problem = "\n".join(filter(None, [version.problem or "not tried yet", version.details]))
    return BotRow(
        name=entry.name,
        path=entry.path,
        digest=version.hash,
        version=version.version,
        author=entry.author,
        language=version.language,
        problem="" if version.state == "ready" else problem,
        house=entry.house,
    )


def load_tournament(store: Store) -> StoredTournament:
    """ConfigError if the store holds no tournament, or is inconsistent."""
    text = store.meta("config")
    config = stored_config(text)
    games = store.games()
    seats = 1 if config.format == "solo" else config.table
    for row in games:
        if len(row.fixture.seats) != seats:
            raise DamagedStoreError(
                f"{row.fixture.game!r} has {len(row.fixture.seats)} seats, but its tournament has {seats}"
            )
    return StoredTournament(
        text=text or "",
        config=config,
        state=load_state(store, config, games),
        games=tuple(games),
        actions=tuple(store.host_actions()),
        voids=tuple(store.voids()),
        closed=is_closed(store),
    )


def load_state(store: Store, config: TournamentConfig, games: Sequence[GameRow]) -> TournamentState:
    """ConfigError if its parts are inconsistent."""
    state = TournamentState(
        config,
        read_deal_source(store, config),
        store.entries(),
        store.versions(),
        store.rounds(),
        [row.played_game for row in games],
        store.host_actions(),
        store.redraws(),
        scores_count=not isinstance(store, OldStore),  # there, ties went to the better seed
    )
    for round in state.rounds:
        seated = {number for table in round.tables for number in table}
        if not seated <= {row.entry for row in round.roster} or not seated <= state.names.keys():
            raise DamagedStoreError(f"round {round.number} has a table with an unknown entry")
        if config.format in PAIRED_BY_RESULTS and any(len(set(table)) != 2 for table in round.tables):
            raise DamagedStoreError(f"round {round.number} has a table that belongs to no match")
    return state
