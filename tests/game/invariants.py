"""What holds in every state of every game: checked by adding up again, from the printed pieces and the events alone.

The one file of nets: random games and the soak play in them (`play_in_nets`). What a module adds stands in its line of
module_nets.py; the books of coins and goods are ledger.py's. No function here calls the rule that it checks.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from ledger import ledger_of
from module_nets import Points, net

from peloarena.game import Game, Result, RulesError, Seat, State, View, decode, determinize, encode
from peloarena.game.events import ChitDrawn, ChitSlid, Finished, RoundStarted
from peloarena.game.flow import Flow
from peloarena.game.holdings import refresh_sums
from peloarena.game.kinds import Event, Move
from peloarena.game.moves import Bid, Mark, MoveBid, Pass, Withdraw
from peloarena.game.registry import DECISION_TEXTS
from peloarena.game.steps import AskBuild, TakeTile

# --- the score, from scratch (E2, L2, O3, C5, U1)


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
    """Every tile of the stacks lies in exactly one place; one about to be taken lies open or with a module."""
    state = game.state
    tiles = [*state.deck, *state.open, *state.conquest, *state.box]
    for seat in state.seats:
        tiles += seat.lands + seat.buildings
        assert all(mark.tile in seat.buildings and mark.coins > 0 for mark in seat.marks)
    tiles += [step.tile for step in state.agenda if isinstance(step, AskBuild)]
    kept = [tile for name in game.options.modules for tile in net(name).tiles(game)]
    tiles += kept
    assert sorted(tiles) == sorted(tile for stack in game.rules.stacks.values() for tile in stack)
    display = state.open + state.conquest
    assert all(step.tile in (*display, *kept) for step in state.agenda if isinstance(step, TakeTile))
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
        refresh_sums(fresh, number)
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
        assert game.decision.kind in DECISION_TEXTS
        assert len(game.decision.legal) == len(set(game.decision.legal)) > 1  # P4
        assert game.result is None


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
    assert guess.state.seed != game.state.seed
    assert game.state.seed.encode() not in encode(view)
    rows = [row for name in game.options.modules for row in net(name).face_down(view)]
    assert all(list(row) == sorted(row) for row in rows)
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


def check_texts(game: Game, events: Iterable[Event]) -> None:
    """Every move and event can be put into words, in one line."""
    names = game.names()
    lines = [names.text(item) for item in [*events, *(game.decision.legal if game.decision else [])]]
    assert all(line and "\n" not in line for line in lines)


def check_everything(game: Game, rng: random.Random, news: Iterable[Event]) -> None:
    """`news`: what happened since the last decision."""
    check_texts(game, news)
    check_result(game, game.standing())
    check_sums(game)
    check_codec(game)
    check_views(game, rng)
    if game.decision:
        check_clone(game, rng)
        check_refusals(game)


# --- a game in the nets


def play_in_nets(game: Game, rng: random.Random, dear: float) -> list[Event]:
    """A random game to its end: the cheap checks in every state, the dear ones in this share of them."""
    news: Sequence[Event] = game.opening
    events = list(news)
    ledger = ledger_of(game)
    while True:
        check_state(game)
        ledger.check(game.state)
        if rng.random() < dear:
            check_everything(game, rng, news)
        if game.decision is None:
            break
        news = game.choose(some_move(game, rng))
        ledger.book(news)
        events += news
    check_end(game, events)
    check_texts(game, news)
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
    assert state.round == game.rules.rounds
    assert len(result.seats) == game.options.players
    assert (state.pile, state.chit) == ((), "")
    drawn = Counter(event.kind for event in events if isinstance(event, ChitDrawn))
    drawn.subtract(Counter(event.kind for event in events if isinstance(event, ChitSlid)))
    assert +drawn == Counter(game.rules.catalogue.chit_counts())
    assert not any(seat.marks for seat in state.seats)
    assert [event for event in events if isinstance(event, Finished)] == [Finished(result.scores, result.ranks)]
    check_result(game, result)
    check_codec(game)
    check_sums(game)
