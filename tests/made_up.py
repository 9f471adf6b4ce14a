"""Made-up tournaments: a runner that plays nothing and reports what a test wants, a store with a roster of names."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path

import trio

from peloarena.game import make_options
from peloarena.referee.job import GameJob, GameReport, SeatJob, SeatStats
from peloarena.referee.verdict import Evidence, Outcome, Verdict
from peloarena.tournament.config import TournamentConfig, TournamentFile
from peloarena.tournament.deals import Deal, DealSource, game_name, solo_game_name
from peloarena.tournament.director import Director
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.fixtures import Fixture
from peloarena.tournament.game_runner import GameSpoiled
from peloarena.tournament.news import News
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_state

A_DAY = 24 * 3600.0
"""Of Trio's time: a tournament that goes on for ever fails its test instead of hanging it."""

LEFT_OPEN: list[sqlite3.Connection] = []
"""Connections whose store was collected while another thread ran; only their own thread can close them."""

Judge = Callable[[GameJob], Sequence[Verdict]]


def tournament_of(bots: Sequence[str], **changes: object) -> TournamentFile:
    config = TournamentConfig("Made up", list(bots), seed="s", **changes)  # type: ignore[arg-type]
    return TournamentFile(config, "", "", "")


def close(connection: sqlite3.Connection) -> None:
    """The collector runs in whichever thread allocates, so a store may be dropped in another than its own."""
    try:
        connection.close()
    except sqlite3.ProgrammingError:
        LEFT_OPEN.append(connection)


def store_of(path: Path, bots: Sequence[str]) -> Store:
    store = Store.open_to_play(path)
    weakref.finalize(store, close, store._db)  # most tests just drop it, which Python minds from 3.13 on
    while LEFT_OPEN:
        LEFT_OPEN.pop().close()
    if not store.entries():
        enter(store, bots)
    return store


def enter(store: Store, bots: Sequence[str], home: str = "/bots") -> None:
    """One after the other, each with a version that passed."""
    for number, name in enumerate(bots, len(store.entries()) + 1):
        store.set_entry(Entry(number, name, "", f"{home}/{name}"))
        store.set_version(Version(number, 1, f"v2-{number}", state="ready", copy=f"{name}/bot"))


def missing(tournament: TournamentFile, store: Store) -> list[str]:
    """The games that are still to be played: of rounds that began, and of the next one."""
    state = load_state(store, tournament.config, store.games())
    left = [fixture.game for round in state.rounds for fixture in state.due_fixtures(round)]
    following = None if left else state.next_round()
    return left if following is None else [fixture.game for fixture in state.fixtures(following)]


def crash(job: GameJob, *names: str) -> list[Verdict]:
    return [Verdict(n, "crashed", "it left", 3) for n, seat in enumerate(job.seats) if seat.name in names]


def fair(job: GameJob) -> Sequence[Verdict]:
    return ()


def made_up(job: GameJob, verdicts: Sequence[Verdict]) -> GameReport:
    """Whoever has no verdict is ranked by name; then those who have one."""
    gone = [Verdict(n, "forfeit", seat.forfeit, 0) for n, seat in enumerate(job.seats) if seat.forfeit]
    every = (*gone, *(v for v in verdicts if not job.seats[v.seat].forfeit))
    out = {verdict.seat for verdict in every if not verdict.forgiven}
    keys = [(number in out, seat.name) for number, seat in enumerate(job.seats)]
    return GameReport(
        game=job.game,
        seed=job.seed,
        seats=tuple(seat.name for seat in job.seats),
        outcome=Outcome(
            ranks=tuple(1 + sum(other < key for other in keys) for key in keys),
            scores=tuple(None if number in out else 10 for number in range(len(keys))),
            out=tuple(number in out for number in range(len(keys))),
            finished=True,
            result=None,
        ),
        verdicts=every,
        evidence=tuple(Evidence() for _ in every),
        stats=tuple(SeatStats(1, 0.5, 0.5, 0.25) for _ in keys),
        stderr=tuple("" for _ in keys),
        record=f"record of {job.game}".encode(),
    )


class FakeRunner:
    """Each game takes a second of Trio's time; `spoil` says how often a game is spoiled before it is played."""

    def __init__(self, judge: Judge = fair, spoil: dict[str, int] | None = None) -> None:
        self.judge = judge
        self.spoil = dict(spoil or {})
        self.jobs: list[GameJob] = []
        self.playing = self.most_at_once = 0

    async def play(self, job: GameJob) -> GameReport:
        self.jobs.append(job)
        self.playing += 1
        self.most_at_once = max(self.most_at_once, self.playing)
        try:
            await trio.sleep(1)
        finally:
            self.playing -= 1
        if self.spoil.get(job.game, 0) > 0:
            self.spoil[job.game] -= 1
            raise GameSpoiled("the worker was struck by lightning")
        return made_up(job, self.judge(job))

    @property
    def games(self) -> list[str]:
        return [job.game for job in self.jobs]


async def play(
    tournament: TournamentFile,
    store: Store,
    runner: FakeRunner,
    places: int = 1,
    tell: Callable[[News], None] = lambda _: None,
) -> Director:
    run = Director(tournament, store, runner, tell, places)
    with trio.fail_after(A_DAY):
        await run.play()
    return run


def fixture_of(
    seats: Sequence[str],
    *,
    number: int = 1,
    table: int = 1,
    deal: int = 0,
    seating: int = 1,
    level: int = 0,
    seed: str = "",
    editions: Sequence[int] = (),
) -> Fixture:
    """A game of bots a to h, which are the entries 1 to 8."""
    entries = tuple("abcdefgh".index(name) + 1 for name in seats)
    whole = Deal("main", number, level or deal or number, () if level else tuple(sorted(entries)))
    return Fixture(
        game=solo_game_name(whole, entries[0]) if level else game_name(whole, seating),
        stage="main",
        round=number,
        table=table,
        place=100 * table + seating,
        deal=whole.deal,
        seating=seating,
        redraw=0,
        entries=entries,
        editions=tuple(editions) or (1,) * len(entries),
        seats=tuple(seats),
        seed=seed or DealSource(b"s").seed(whole),
        level=level,
    )


def report_of(fixture: Fixture, verdicts: Sequence[Verdict] = (), absent: Sequence[str] = ()) -> GameReport:
    seats = tuple(SeatJob(name, name, "benched" if name in absent else "") for name in fixture.seats)
    return made_up(GameJob(fixture.game, make_options(max(2, len(seats))), fixture.seed, seats), verdicts)


def add(store: Store, fixture: Fixture, verdicts: Sequence[Verdict] = (), absent: Sequence[str] = ()) -> None:
    """A finished game without anybody having played it."""
    store.add_game(fixture.round, fixture, report_of(fixture, verdicts, absent), played=not absent)
