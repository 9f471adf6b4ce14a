"""Whole games with heroes, colonies and Persians: what must hold at every moment and what all events add up to."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from peloarena.game import Decision, Game, make_options
from peloarena.game.disasters import BLANK
from peloarena.game.events import ChitDrawn, ChitSlid, Chose, RoundStarted
from peloarena.game.kinds import Event, Move, tag_of
from peloarena.game.modules.colonies.shapes import ColonyDealt
from peloarena.game.modules.heroes.shapes import HeroDealt, HeroSeat, HeroTurned, ReplaceChit, WardOff
from peloarena.game.modules.persians.shapes import Attacked, ConflictWon, Hire, StrengthChanged, StrengthSeat
from peloarena.game.modules.sea.shapes import SeaSeat
from peloarena.game.moves import Pass
from peloarena.game.parts import part
from peloarena.testing.states import happened

SETS = (
    (2, ("heroes", "persians")),
    (3, ("heroes-and-colonies",)),
    (5, ("heroes-and-colonies", "negotiation", "sea")),
    (4, ("heroes-and-colonies", "negotiation", "hellas", "trade")),
    (5, ("heroes", "persians", "hellas", "sea", "athens")),
    (6, ("heroes-and-colonies", "goats", "hellas")),
    (8, ("heroes-and-colonies", "negotiation", "goats", "sacrum", "hellas", "sea", "athens", "trade", "promos")),
)
GAMES = 6
"""For each of the sets."""


def eager(decision: Decision, rng: random.Random) -> Move:
    """Random, but seldom passing: tiles make these games."""
    moves = [move for move in decision.legal if not isinstance(move, Pass)]
    return rng.choice(moves if rng.random() < 0.95 else decision.legal)


def played(players: int, modules: Sequence[str], number: int) -> tuple[Game, list[Event]]:
    rng = random.Random(number)
    game = Game(make_options(players, modules), f"story {number}")
    events = list(game.opening)
    while game.decision:
        events += game.choose(eager(game.decision, rng))
        check(game)
    return game, events


def check(game: Game) -> None:
    """C1, C2: no chit is lost, no cloverleaf, no strength beyond the track."""
    state = game.state
    chits = len(state.pile) + sum(state.chits.values()) + bool(state.chit)
    assert chits == len(game.rules.chits)
    assert 0 <= state.pile_known <= len(state.pile)
    own = [part(seat, StrengthSeat) for seat in state.seats]
    assert all(0 <= seat.strength <= 29 and seat.cloverleaves >= 0 for seat in own)
    assert sum(seat.cloverleaves for seat in own) == 3 * len(own)


STORIES = [
    pytest.param(players, modules, number, id=f"{players}-{len(modules)}-{number}")
    for players, modules in SETS
    for number in range(GAMES)
]


@pytest.mark.parametrize(("players", "modules", "number"), STORIES)
def test_what_the_events_tell_is_what_the_state_holds(players: int, modules: Sequence[str], number: int) -> None:
    """C1-C5: chits in order, two attacks, and every seat's strength, hero, leaves and points."""
    game, events = played(players, modules, number)
    check_chits(game, events)
    check_attacks(game, events)
    for seat in range(players):
        check_seat(game, events, seat)
        check_score(game, seat)


def kind(chit: str) -> str:
    return chit.partition("_")[0]


def accepted_by_round(events: Sequence[Event]) -> list[list[str]]:
    """The chits that stood, round by round."""
    rounds = []
    for event in events:
        if isinstance(event, RoundStarted):
            rounds.append([])
        elif isinstance(event, ChitDrawn):
            rounds[-1].append(kind(event.kind))
        elif isinstance(event, ChitSlid):
            assert rounds[-1].pop() == kind(event.kind)
    return rounds


def check_chits(game: Game, events: Sequence[Event]) -> None:
    """C1: three a round, all in the end, none after its like while there are others."""
    rounds = accepted_by_round(events)
    assert {len(chits) for chits in rounds} == {3}
    assert len(rounds) == game.rules.rounds
    left = [chit for chits in rounds for chit in chits]
    for chits in rounds:
        for place, (one, other) in enumerate(pairwise(chits), 1):
            assert one != other or one == BLANK or set(left[place:]) == {one}
        left = left[3:]


def check_attacks(game: Game, events: Sequence[Event]) -> None:
    """C3: two, at the third and the sixth of eight chits; no hero turned but by the first."""
    attacks = happened(events, Attacked)
    assert len(attacks) == 2
    assert all(attack.repelled == (attack.defence >= attack.persians) for attack in attacks)
    values = {"persians_1": 1, "persians_2": 2}
    assert sum(values.get(chit, 0) * count for chit, count in game.state.chits.items()) == 12
    assert bool(happened(events, HeroTurned)) <= (not attacks[0].repelled)


def check_seat(game: Game, events: Sequence[Event], number: int) -> None:
    seat = game.state.seats[number]
    own, hero = part(seat, StrengthSeat), part(seat, HeroSeat)
    told = [event.strength for event in happened(events, StrengthChanged) if event.seat == number]
    assert own.strength == (told[-1] if told else 0)
    moves = [event.move for event in happened(events, Chose) if event.seat == number]
    assert own.mercenaries == sum(move.mercenaries for move in moves if isinstance(move, Hire))
    conflicts = happened(events, ConflictWon)
    won = sum(event.cloverleaves for event in conflicts if event.strong == number)
    lost = sum(event.cloverleaves for event in conflicts if event.weak == number)
    assert own.cloverleaves == 3 + won - lost
    assert hero.turned == any(event.seat == number for event in happened(events, HeroTurned))
    assert hero.spent == any(isinstance(move, WardOff) for move in moves)
    assert hero.hero == [event.hero for event in happened(events, HeroDealt) if event.seat == number][-1]
    boards = [event.colony for event in happened(events, ColonyDealt) if event.seat == number]
    assert seat.mat == (boards[-1] if boards else "mat")
    assert sum(isinstance(move, ReplaceChit) for move in moves) <= game.rules.rounds


def check_score(game: Game, number: int) -> None:
    """C5, from scratch; only where no other module has a say in the score."""
    if {"hellas", "sacrum"} & set(game.options.modules):
        return
    seat = game.state.seats[number]
    own, hero = part(seat, StrengthSeat), part(seat, HeroSeat)
    sea = seat.parts[tag_of(SeaSeat)].tiles if "sea" in game.options.modules else ()
    mat = game.rules.mats[seat.mat]
    power = sum(game.rules.tiles[tile].points for tile in seat.lands + seat.buildings + sea)
    power += seat.coin // mat.coins_per_point
    power += 0 if hero.turned else game.rules.catalogue.cards["heroes"][hero.hero].points
    population = seat.pop * mat.points_per_inhabitant + own.mercenaries
    ways = [(power + 2 * n, population + 2 * (own.cloverleaves - n)) for n in range(own.cloverleaves + 1)]
    result = game.result.seats[number]
    assert (result.prestige, result.population) in ways
    assert (result.score, max(result.prestige, result.population)) == max((min(way), max(way)) for way in ways)
