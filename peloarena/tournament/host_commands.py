"""What a host can do during or after a tournament: pause, lock, withdraw, readmit, void. Each with a reason.

Decides what is allowed; the runner, which checks the store every half second, carries it out.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..game.errors import did_you_mean
from .config import PAIRED_BY_RESULTS, stored_config
from .fixtures import Fixture
from .host_actions import active_pause, is_finish_requested, readmission_text, withdrawn_entries
from .secret import check_open
from .store import Store
from .stored_tournament import load_tournament


def pause(store: Store, on: bool, reason: str) -> None:
    check_open(store)
    store.add_host_action("pause" if on else "resume", "", reason)


def pause_at_round_end(store: Store, reason: str) -> None:
    """When the current round is over; on a ladder, when the current deals are."""
    check_open(store)
    if active_pause(store.host_actions()) is not None:
        raise ConfigError("the tournament is already paused (`tournament pause --off` resumes)")
    store.add_host_action("pause-after-round", "", reason)


def finish_ladder(store: Store, reason: str) -> None:
    """End a ladder: nobody enters any more, and the finish decides."""
    check_open(store)
    config = stored_config(store.meta("config"))
    if config.format != "ladder":
        raise ConfigError(f"{config.name}: only a ladder can be finished, but its format is {config.format}")
    if is_finish_requested(store.host_actions()):
        raise ConfigError("the ladder has already ended; its final round-robin is being played")
    with store.transaction():
        store.add_host_action("lock", "", reason)
        store.add_host_action("finish", "", reason)


def lock_entries(store: Store, on: bool, reason: str) -> None:
    check_open(store)
    if not on and is_finish_requested(store.host_actions()):
        raise ConfigError("the ladder has ended: nobody can enter its final round-robin")
    store.add_host_action("lock" if on else "unlock", "", reason)


def withdraw(store: Store, bot: str, reason: str) -> None:
    """It forfeits its games from now on."""
    check_entry(store, bot)
    store.add_host_action("withdraw", bot, reason)


def readmit(store: Store, bot: str, reason: str) -> str:
    """Undo a withdrawal or benching from the next round on (on a ladder, at once); missed deals are caught up.

    Returns when it plays, in words.
    """
    check_entry(store, bot)
    state = load_tournament(store).state
    benched = {state.names[entry] for entry, _ in state.benched_versions()}
    if bot not in withdrawn_entries(store.host_actions()) and bot not in benched:
        raise ConfigError(f"{bot!r} is neither withdrawn nor benched")
    store.add_host_action("readmit", bot, reason)
    return f"{bot} {readmission_text(state.is_endless())}."


def check_entry(store: Store, bot: str) -> None:
    check_open(store)
    names = [entry.name for entry in store.entries()]
    if bot not in names:
        raise ConfigError(f"no bot {bot!r}{did_you_mean(bot, names)}; the bots are {', '.join(names)}")


class GameFilter(Struct, frozen=True):
    """Selects finished games: one by its name, or all that match the given fields."""

    game: str = ""
    bot: str = ""
    round: int = 0
    version: int = 0
    """The bot's version, as the tournament counts them."""

    def __str__(self) -> str:
        parts = [self.game, self.bot, f"v{self.version}" if self.version else ""]
        return " ".join(filter(None, [*parts, f"round {self.round}" if self.round else ""]))

    def matches(self, fixture: Fixture) -> bool:
        seat = fixture.seats.index(self.bot) if self.bot in fixture.seats else None
        return (
            self.game in ("", fixture.game)
            and self.round in (0, fixture.round)
            and (not self.bot or seat is not None)
            and (not self.version or (seat is not None and fixture.editions[seat] == self.version))
        )


def void_finished_games(store: Store, game_filter: GameFilter, reason: str) -> tuple[str, ...]:
    """Finished games no longer count and are played again, unless later rounds were paired by their results.

    If a deal may have been seen, all its seatings are voided and it is redrawn. Returns the names of all voided games.
    """
    check_open(store)
    if game_filter.bot:
        check_entry(store, game_filter.bot)
    tournament = load_tournament(store)
    fixtures = [row.fixture for row in tournament.games]
    selected = [fixture for fixture in fixtures if game_filter.matches(fixture)]
    if not selected:
        hint = did_you_mean(game_filter.game, [fixture.game for fixture in fixtures]) if game_filter.game else ""
        raise ConfigError(f"no finished game {str(game_filter)!r}{hint}")
    last = max((round.number for round in tournament.state.rounds), default=0)
    if tournament.config.format in PAIRED_BY_RESULTS and (paired := [f for f in selected if f.round < last]):
        raise ConfigError(f"{paired[0].game} can no longer be voided, because later rounds were paired by its result")
    gate = tournament.state.gate(tournament.closed)
    seen_deals = {fixture.deal_identity for fixture in selected if gate.may_show_deal(fixture.deal_identity)}
    names = [f.game for f in fixtures if f in selected or f.deal_identity in seen_deals]
    with store.transaction():
        store.add_host_action("void", str(game_filter), reason)
        for name in names:
            store.void_game(name, reason, "host")
        for deal in seen_deals:
            store.redraw_deal(replace(deal, redraw=0))
    return tuple(names)
