"""Random games over many choices of modules, 1 to 8 players, to the end; every state is checked on the way."""

import random
from contextlib import suppress
from itertools import combinations

import module_checks as checks
import pytest

from peloarena.game import ConfigError, Game, make_options
from peloarena.game.registry import KINDS, MODULES

NAMES = tuple(MODULES)
GAMES = 200
FULL_CHECK = 0.05
"""At so many of the decisions the costly checks are made, too."""


def random_options(rng):
    """Any legal choice; by rejection, so that none is left out."""
    while True:
        players = rng.randint(1, 8)
        modules = [name for name in NAMES if rng.random() < rng.choice((0.3, 0.6, 0.9))]
        level = rng.randint(1, 5) if players == 1 else 0
        try:
            return make_options(players, modules, level)
        except ConfigError:
            continue


def play_checked(game, rng):
    events, kinds = list(game.opening), set()
    while game.decision:
        assert game.decision.kind in KINDS
        assert len(game.decision.legal) == len(set(map(repr, game.decision.legal))) > 1
        kinds.add(game.decision.kind)
        if rng.random() < FULL_CHECK:
            checks.check_codec(game)
            checks.check_hidden(game, rng)
            checks.check_texts(game, events)
        events = game.choose(rng.choice(game.decision.legal))
        checks.check_state(game)
    checks.check_codec(game)
    checks.check_texts(game, events)
    return kinds


@pytest.mark.parametrize("number", range(GAMES))
def test_a_random_table_plays_to_the_end(number):
    """M: nothing negative, herds 0 to 13, every tile in one place, states survive JSON, views keep their secrets."""
    rng = random.Random(f"table {number}")
    options = random_options(rng)
    game = Game(options, f"table {number}")
    play_checked(game, rng)
    assert game.state.round == game.rules.rounds
    assert len(game.result.seats) == options.players
    assert game.state.pile == ()


def with_needs(names):
    """These modules and all that they need."""
    wanted = set(names)
    while more := {need for name in wanted for need in MODULES[name].needs} - wanted:
        wanted |= more
    return sorted(wanted)


def player_counts(modules):
    """The smallest and the largest number that can play."""
    fit = []
    for players in range(1, 9):
        with suppress(ConfigError):
            fit.append(make_options(players, modules).players)
    return fit[0], fit[-1]


@pytest.mark.parametrize("pair", list(combinations(NAMES, 2)), ids="+".join)
def test_every_two_modules_play_with_the_fewest_and_the_most_players(pair):
    """M."""
    modules = with_needs(pair)
    for players in player_counts(modules):
        rng = random.Random(f"{pair} {players}")
        game = Game(make_options(players, modules), f"pair {players}")
        play_checked(game, rng)
        assert game.result is not None


def test_all_modules_together_play_with_any_number_of_players():
    """M, X2: all that may; every kind of decision of theirs comes up."""
    kinds = set()
    for players in range(1, 9):
        modules = [name for name in NAMES if players in MODULES[name].players]
        game = Game(make_options(players, modules), f"all {players}")
        kinds |= play_checked(game, random.Random(players))
    assert {"bid", "buy_sea", "trade", "exchange", "sacrifice"} <= kinds


def test_the_same_seed_and_choices_give_the_same_game():
    """P2: byte for byte."""
    ends = []
    for _ in range(2):
        rng = random.Random(7)
        game = Game(make_options(8, NAMES), "same")
        while game.decision:
            game.choose(rng.choice(game.decision.legal))
        ends.append(game.save())
    assert ends[0] == ends[1]


def test_a_clone_goes_its_own_way():
    """Parts are replaced, never changed: what a clone plays does not show in the original."""
    rng = random.Random(8)
    game = Game(make_options(6, NAMES), "clone")
    while game.decision:
        before = game.save()
        twin = game.clone()
        for _ in range(3):
            if twin.decision:
                twin.choose(rng.choice(twin.decision.legal))
        assert game.save() == before
        game.choose(rng.choice(game.decision.legal))
