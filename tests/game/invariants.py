"""What holds in every state of every game: checked by adding up again, from the printed pieces and the events alone.

A module that keeps tiles, changes what luxury buys or what scores says so in its line of NETS, in words of its own:
none of these functions calls the rule that it checks.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import pytest

from peloarena.game import Game, Result, RulesError, Seat, State, View, decode, determinize, encode
from peloarena.game.events import (
    ChitDrawn,
    ChitSlid,
    Chose,
    Completed,
    Displaced,
    Finished,
    Lost,
    Ordered,
    Placed,
    RoundStarted,
    Stock,
)
from peloarena.game.flow import Flow
from peloarena.game.goods import Goods
from peloarena.game.holdings import refresh
from peloarena.game.kinds import Event, Move
from peloarena.game.modules.athens import Aid
from peloarena.game.modules.goats import Herd
from peloarena.game.modules.heroes import Hero, HeroSeat
from peloarena.game.modules.persians.strength import StrengthSeat
from peloarena.game.modules.sacrum import SacrumSeat
from peloarena.game.modules.sea import SeaSeat, SeaTable
from peloarena.game.moves import Bid, Mark, MoveBid, Pass, Withdraw
from peloarena.game.state import part
from peloarena.game.steps import AskBuild, AskMoveBid

# --- the score, from scratch (E2, L2, O3, C5, U1)


@dataclass
class Points:
    """What a seat's two totals are made of."""

    tiles: int
    coins: int
    coins_per_point: int
    inhabitants: int
    each: int
    population: int = 0
    either: int = 0
    """So many pairs of points for either side."""
    higher: bool = False

    def splits(self) -> Iterable[tuple[int, int]]:
        prestige = self.tiles + self.coins // self.coins_per_point
        population = self.inhabitants * self.each + self.population
        return [(prestige + 2 * n, population + 2 * (self.either - n)) for n in range(self.either + 1)]

    def key(self, luxury: int) -> tuple[int, int, int]:
        """(score, other total, luxury), the best there is."""
        keys = [(max(s), min(s), luxury) if self.higher else (min(s), max(s), luxury) for s in self.splits()]
        return max(keys)


def expected_keys(game: Game) -> list[tuple[int, int, int]]:
    keys = []
    for seat in game.state.seats:
        mat = game.rules.mats[seat.mat]
        tiles = sum(game.rules.tiles[tile].points for tile in (*seat.lands, *seat.buildings))
        points = Points(tiles, seat.coin, mat.coins_per_point, seat.pop, mat.points_per_inhabitant)
        for name in game.options.modules:
            net(name).score(game, seat, points)
        keys.append(points.key(seat.lux))
    return keys


def check_result(game: Game, result: Result) -> None:
    keys = expected_keys(game)
    for seat, key in zip(result.seats, keys, strict=True):
        totals = sorted((seat.prestige, seat.population))
        assert (seat.score, seat.luxury) == (key[0], key[2])
        assert totals == sorted(key[:2])
        assert seat.rank == 1 + sum(other > key for other in keys)


# --- what each module adds to the nets


def no_tiles(game: Game) -> Sequence[str]:
    return ()


def no_points(game: Game, seat: Seat, points: Points) -> None:
    return None


def no_check(game: Game) -> None:
    return None


@dataclass(frozen=True)
class Net:
    tiles: Callable[[Game], Sequence[str]] = no_tiles
    """Tiles of the stacks that lie in a place of the module's own."""
    score: Callable[[Game, Seat, Points], None] = no_points
    check: Callable[[Game], None] = no_check
    """What else must hold in every state."""


def hellas_score(game: Game, seat: Seat, points: Points) -> None:
    if "D01" in seat.buildings:
        points.coins_per_point = min(2, points.coins_per_point)
    if "D02" in seat.buildings:
        points.each = max(4, points.each)
    points.higher = "D03" in seat.buildings and seat.lux >= 20


def sea_check(game: Game) -> None:
    """O1: every sea tile dealt lies on the table or before a seat."""
    tiles = [*part(game.state, SeaTable).tiles, *(t for s in game.state.seats for t in part(s, SeaSeat).tiles)]
    dealt = min(game.options.players, sum(tile.kind == "sea" for tile in game.rules.tiles.values()))
    assert len(tiles) == len(set(tiles)) == dealt


def sea_score(game: Game, seat: Seat, points: Points) -> None:
    points.tiles += sum(game.rules.tiles[tile].points for tile in part(seat, SeaSeat).tiles)


def goats_check(game: Game) -> None:
    assert all(0 <= part(seat, Herd).goats <= 13 for seat in game.state.seats)


def aid_tiles(game: Game) -> Sequence[str]:
    """H1: it left the display; once it is being taken, the agenda holds it."""
    tile = part(game.state, Aid).tile
    taking = [step.tile for step in game.state.agenda if isinstance(step, AskBuild)]
    return [tile] if tile and tile not in taking and tile not in game.state.box else []


def heroes_score(game: Game, seat: Seat, points: Points) -> None:
    own = part(seat, HeroSeat)
    points.tiles += 0 if own.turned else game.rules.catalogue.deck("heroes", Hero)[own.hero].points


def persians_score(game: Game, seat: Seat, points: Points) -> None:
    own = part(seat, StrengthSeat)
    points.population += own.mercenaries
    points.either += own.cloverleaves


def persians_check(game: Game) -> None:
    """C2, C4: strength 0 to 29; cloverleaves change hands, none is lost."""
    own = [part(seat, StrengthSeat) for seat in game.state.seats]
    assert all(0 <= seat.strength <= 29 and seat.mercenaries >= 0 for seat in own)
    assert sum(seat.cloverleaves for seat in own) == 3 * len(own)
    assert all(seat.cloverleaves >= 0 for seat in own)


def sacrum_score(game: Game, seat: Seat, points: Points) -> None:
    points.population += part(seat, SacrumSeat).given * (3 if "D31" in seat.buildings else 2)


NETS: dict[str, Net] = {
    "hellas": Net(score=hellas_score),
    "sea": Net(score=sea_score, check=sea_check),
    "goats": Net(check=goats_check),
    "athens": Net(tiles=aid_tiles),
    "heroes": Net(score=heroes_score),
    "persians": Net(score=persians_score, check=persians_check),
    "sacrum": Net(score=sacrum_score),
}
"""A module without a line adds nothing that these nets would have to know."""


def net(module: str) -> Net:
    return NETS.get(module, Net())


# --- cheap checks of a state


def check_goods(game: Game) -> None:
    """P6: nothing below 0, nothing above its storehouse."""
    for seat in game.state.seats:
        storage = game.rules.mats[seat.mat].storage
        assert 0 <= seat.wood <= storage.wood
        assert 0 <= seat.stone <= storage.stone
        assert 0 <= seat.food <= storage.food
        assert seat.coin >= 0
        assert seat.pop >= 0
        assert seat.lux >= 0


def check_tiles(game: Game) -> None:
    """Every tile of the stacks lies in exactly one place."""
    state = game.state
    tiles = [*state.deck, *state.open, *state.conquest, *state.box]
    for seat in state.seats:
        tiles += seat.lands + seat.buildings
        assert all(mark.tile in seat.buildings and mark.coins > 0 for mark in seat.marks)
    tiles += [step.tile for step in state.agenda if isinstance(step, AskBuild)]
    for name in game.options.modules:
        tiles += net(name).tiles(game)
    assert sorted(tiles) == sorted(tile for stack in game.rules.stacks.values() for tile in stack)
    display = state.open + state.conquest
    assert all(offer.tile in display for offer in state.offers)
    assert (
        len({offer.tile for offer in state.offers}) == len({offer.seat for offer in state.offers}) == len(state.offers)
    )


def check_chits(game: Game) -> None:
    """Every chit is face down, turned up or accepted."""
    state = game.state
    chits = Counter(state.pile) + Counter(state.chits) + Counter([state.chit] if state.chit else [])
    assert chits == Counter(game.rules.catalogue.chit_counts())


def check_sums(game: Game) -> None:
    """What a Seat carries of its tiles' incomes, abilities and protections is what they give."""
    fresh = Flow(game.options, game.rules, game.state.clone())
    for number, seat in enumerate(game.state.seats):
        refresh(fresh, number)
        again = fresh.state.seats[number]
        assert (seat.income, seat.any) == (again.income, again.any)
        assert sorted(seat.abilities) == sorted(again.abilities)
        assert sorted(seat.protects) == sorted(again.protects)
        printed = printed_income(game, seat)
        assert {name: n for name, n in seat.income.items() if n} == {name: n for name, n in printed.items() if n}


def printed_income(game: Game, seat: Seat) -> Counter[str]:
    incomes = [game.rules.tiles[tile].income for tile in seat.lands + seat.buildings]
    total: Counter[str] = Counter(seat.extra_income)
    for income in (game.rules.civilizations[seat.civilization].income, *incomes):
        for name, amount in income.items():
            total[name] += amount
    return total


def check_state(game: Game) -> None:
    check_goods(game)
    check_tiles(game)
    check_chits(game)
    for name in game.options.modules:
        net(name).check(game)
    if game.decision:
        assert len(game.decision.legal) > 1  # P4
        assert game.result is None


# --- the bank


@dataclass
class Ledger:
    """Every coin and every good, booked from the events alone: who has it, where it lies, or the bank."""

    rate: Callable[[int], int]
    seats: dict[int, Counter[str]] = field(default_factory=dict)
    bids: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Tile and coins; no tile while a displaced bid is in the hand."""
    marks: dict[str, int] = field(default_factory=dict)
    laid: int = 0
    """Coins laid down for a mark, until its tile is placed."""
    due: int = 0
    """Coins taken from the table that are a player's again."""
    bank: int = 0
    """Coins taken in, less coins given out."""

    def book(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, Stock):
                self.stock(event)
            elif isinstance(event, Chose):
                self.chose(event)
            elif isinstance(event, Placed):
                self.placed(event)
            elif isinstance(event, Displaced):
                self.bids[event.seat] = ("", self.bids[event.seat][1])
            elif isinstance(event, Completed | Lost):
                self.give_back(self.marks.pop(event.tile, 0))
            elif isinstance(event, Ordered):
                self.bank += sum(coins for _, coins in self.bids.values())  # R4
                self.bids.clear()

    def chose(self, event: Chose) -> None:
        move = event.move
        if isinstance(move, Bid):
            self.bids[event.seat] = (move.tile, move.coins)
        elif isinstance(move, MoveBid):
            self.bids[event.seat] = (move.tile, self.bids[event.seat][1])
        elif isinstance(move, Withdraw):
            self.give_back(self.bids.pop(event.seat)[1])

    def give_back(self, coins: int) -> None:
        """From the table to the player, as the next stock event of the kind tells."""
        self.bank += coins
        self.due = coins

    def stock(self, event: Stock) -> None:
        change = event.change
        self.seats.setdefault(event.seat, Counter()).update(dict(change.items()))
        if event.why in ("bid", "mark"):
            bought = -change.lux // self.rate(event.seat)  # R2c, R4a: coins that luxury bought come from the bank
            self.bank -= bought
            self.laid = bought - change.coin
            assert event.why == "mark" or self.laid == self.bids[event.seat][1]
        else:
            self.bank -= change.coin
        exact = {"pass": 3, "withdraw": self.due + 1, "mark returned": self.due}
        assert event.why not in exact or change == Goods(coin=exact[event.why])

    def placed(self, event: Placed) -> None:
        if event.marked:
            assert event.marked == self.laid
            self.marks[event.tile] = event.marked

    def check(self, state: State) -> None:
        for number, seat in enumerate(state.seats):
            booked = self.seats.get(number, Counter())
            assert (seat.wood, seat.stone, seat.food) == (booked["wood"], booked["stone"], booked["food"])
            assert (seat.coin, seat.pop, seat.lux) == (booked["coin"], booked["pop"], booked["lux"])
        bids = {offer.seat: (offer.tile, offer.coins) for offer in state.offers}
        bids |= {step.seat: ("", step.coins) for step in state.agenda if isinstance(step, AskMoveBid)}
        assert bids == self.bids
        assert {mark.tile: mark.coins for seat in state.seats for mark in seat.marks} == self.marks
        on_table = sum(coins for _, coins in self.bids.values()) + sum(self.marks.values())
        assert sum(seat.coin for seat in state.seats) + on_table + self.bank == 0


def ledger_of(game: Game) -> Ledger:
    """The books of a game from its deal on."""
    ledger = Ledger(lambda number: 1 if game.state.seats[number].mat == "Naukratis" else 2)
    ledger.book(game.opening)
    return ledger


# --- dear checks


def check_codec(game: Game) -> None:
    assert decode(encode(game.state), State) == game.state


def check_views(game: Game, rng: random.Random) -> None:
    """P1: a guess that fits a view shows that view again; the true order of what is face down shows nowhere."""
    number = rng.randrange(game.options.players)
    view = game.view(number)
    guess = determinize(game.options, view, rng)
    assert guess.view(number) == view
    assert guess.decision == game.decision
    assert game.state.seed.encode() not in encode(view)
    shuffled = game.clone()
    shuffled.state.deck = in_other_order(game)
    known = len(game.state.pile) - game.state.pile_known
    shuffled.state.pile = tuple(sorted(game.state.pile[:known])) + game.state.pile[known:]
    assert encode(shuffled.view(number)) == encode(view)
    assert decode(encode(view), View) == view


def in_other_order(game: Game) -> tuple[str, ...]:
    """The face-down tiles, sorted within each stack."""
    return tuple(sorted(game.state.deck, key=lambda tile: (game.rules.tiles[tile].stack, tile)))


def check_clone(game: Game, rng: random.Random) -> None:
    """Clone and original go their own ways; the same moves lead to the same place."""
    assert game.decision is not None
    before, decision = game.save(), game.decision
    twin, other = game.clone(), game.clone()
    assert twin.state == game.state
    assert twin.decision == decision
    for _ in range(3):
        if twin.decision is None:
            break
        move = rng.choice(twin.decision.legal)
        assert twin.choose(move) == other.choose(move)
    assert game.save() == before
    assert game.decision == decision
    assert twin.save() == other.save() != before


NEVER_LEGAL = (Bid("A01", 999), Bid("Z99", 1), MoveBid(""), Mark(""), Pass(), Withdraw())


def check_refusals(game: Game) -> None:
    """P4: state unchanged after a refused move."""
    assert game.decision is not None
    before, decision = game.state.clone(), game.decision
    for move in NEVER_LEGAL:
        if move not in decision.legal:
            with pytest.raises(RulesError):
                game.choose(move)
    assert game.state == before
    assert game.decision == decision


def check_everything(game: Game, rng: random.Random) -> None:
    check_result(game, game.standing())
    check_sums(game)
    check_codec(game)
    check_views(game, rng)
    if game.decision:
        check_clone(game, rng)
        check_refusals(game)


# --- a game in the nets


def play_in_nets(game: Game, rng: random.Random, everything: bool) -> list[Event]:
    """A random game to its end: the cheap checks after every move, all of them if asked for."""
    events = list(game.opening)
    ledger = ledger_of(game)
    while True:
        check_state(game)
        ledger.check(game.state)
        if everything:
            check_everything(game, rng)
        if game.decision is None:
            break
        news = game.choose(some_move(game, rng))
        ledger.book(news)
        events += news
    check_end(game, events)
    return events


def some_move(game: Game, rng: random.Random) -> Move:
    """Half the time any move, half the time first a kind of move, so that long lists of bids do not hide the rest."""
    assert game.decision is not None
    legal = game.decision.legal
    if rng.random() < 0.5:
        return rng.choice(legal)
    kind = rng.choice(list(dict.fromkeys(type(move) for move in legal)))
    return rng.choice([move for move in legal if type(move) is kind])


def check_end(game: Game, events: Sequence[Event]) -> None:
    """E: all rounds played, every tile and chit drawn, and the result told."""
    state, result = game.state, game.result
    assert result is not None
    assert (state.agenda, state.deck, state.open, state.conquest, state.offers) == ([], (), (), (), ())
    assert [event.number for event in events if isinstance(event, RoundStarted)] == list(
        range(1, game.rules.rounds + 1)
    )
    assert (state.pile, state.chit) == ((), "")
    drawn = Counter(event.kind for event in events if isinstance(event, ChitDrawn))
    drawn.subtract(Counter(event.kind for event in events if isinstance(event, ChitSlid)))
    assert +drawn == Counter(game.rules.catalogue.chit_counts())
    assert not any(seat.marks for seat in state.seats)
    assert [event for event in events if isinstance(event, Finished)] == [Finished(result.scores, result.ranks)]
    check_result(game, result)
    check_codec(game)
    check_sums(game)
