"""`botkit.game_of`: the game made of a question is one that the asked seat cannot tell from the true one."""

from __future__ import annotations

import json
from random import Random

import pytest
from positions import played, positions

from peloarena.botkit import Message, game_of
from peloarena.game import ConfigError, Decision, Game, GameOptions, encode, make_options
from peloarena.game.registry import MODULES
from peloarena.protocol import codec
from peloarena.referee.seat_messages import decide_message, newgame_message
from peloarena.referee.time_control import TimeControl

CHEAPER = "[tiles.A07]\npoints = 9\nmin = 1\n"


def messages(game: Game, decision: Decision) -> tuple[Message, Message]:
    """`newgame` and `decide` as the asked bot reads them."""
    names = [f"bot {seat}" for seat in range(game.options.players)]
    newgame = newgame_message(game, decision.seat, names, TimeControl(), seating=0)
    decide = decide_message(game, decision, 1, 30.0, "state")
    return json.loads(codec.encode(newgame)), json.loads(codec.encode(decide))


def check_fit(game: Game, decision: Decision, chance: Random) -> Game:
    newgame, decide = messages(game, decision)
    made = game_of(newgame, decide, chance)
    assert made.decision is not None
    assert json.loads(encode(made.view(newgame["seat"]))) == decide["state"]
    assert json.loads(encode(made.decision.legal)) == decide["legal"]
    assert made.decision == decision
    assert made.rules is game.rules, "with the very pieces of the table"
    return made


def any_table(chance: Random) -> GameOptions:
    """Any modules for any number of players, some with corrected pieces."""
    while True:
        modules = [name for name in MODULES if chance.random() < 0.4]
        try:
            return make_options(chance.randint(1, 8), modules, components=chance.choice(["", "", CHEAPER]))
        except ConfigError:
            continue  # these do not go together


def test_the_made_game_shows_the_state_and_offers_the_moves_of_the_message() -> None:
    chance = Random("any table")
    for number in range(60):
        for game, decision in played(any_table(chance), f"any {number}"):
            if chance.random() < 0.2:
                check_fit(game, decision, chance)


def test_so_does_every_position_of_games_with_all_modules_and_alone() -> None:
    chance = Random("all modules")
    for game, decision in positions(games=10):
        check_fit(game, decision, chance)


def test_it_can_be_played_to_the_end() -> None:
    chance = Random("to the end")
    for game, decision in played(make_options(3, list(MODULES)), "to the end"):
        made = check_fit(game, decision, chance)
        while made.decision is not None:
            made.choose(chance.choice(made.decision.legal))
        assert made.result is not None


def test_what_is_hidden_is_drawn_at_random() -> None:
    game = Game(make_options(2), "hidden")
    assert game.decision is not None
    newgame, decide = messages(game, game.decision)
    drawn = [game_of(newgame, decide, Random(n)).state for n in range(40)]
    assert len({state.deck for state in drawn}) == len({state.pile for state in drawn}) == 40
    assert game.state.seed not in {state.seed for state in drawn}
    first = [state.deck[0] for state in drawn]
    assert set(first) <= set(game.view(0).stacks["A"])
    assert len(set(first)) > 5, "any of the ten tiles left in the stack may be next"


def test_the_same_random_numbers_draw_the_same_game() -> None:
    game = Game(make_options(4), "twice")
    assert game.decision is not None
    newgame, decide = messages(game, game.decision)
    assert game_of(newgame, decide, Random(7)).save() == game_of(newgame, decide, Random(7)).save()


def test_components_are_told_only_where_there_are_any() -> None:
    for components in ("", CHEAPER):
        game = Game(make_options(2, components=components), "components")
        assert game.decision is not None
        options = messages(game, game.decision)[0]["options"]
        assert options.get("components", "") == components
        assert ("components" in options) == bool(components)


def test_a_question_without_a_state_says_what_to_ask_for() -> None:
    game = Game(make_options(2), "events")
    assert game.decision is not None
    newgame, decide = messages(game, game.decision)
    del decide["state"]
    with pytest.raises(ValueError, match='decide has no `state`: say `"wants":"state"`'):
        game_of(newgame, decide, Random(1))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"you": 1}, "does not follow"),
        ({"you": 2}, "seat 2 of 2, in a game of 2"),
        ({"seats": []}, "seat 0 of 0"),
        ({"agenda": []}, "does not follow"),
        ({"agenda": [{"type": "AskBid", "seat": 7}]}, "no game has this state: IndexError"),
        ({"order": "first"}, r"not the messages of a game: Expected `array`, got `str` - at `\$.state.order`"),
        ({"stacks": {"A": ["Z99"]}}, "no game has this state"),
    ],
)
def test_a_state_that_no_game_has_is_refused(change: Message, words: str) -> None:
    game = Game(make_options(2), "friday-1")
    while game.decision is not None and game.decision.seat != 0:
        game.choose(game.decision.legal[0])
    assert game.decision is not None
    newgame, decide = messages(game, game.decision)
    decide["state"].update(change)
    with pytest.raises(ValueError, match=words):
        game_of(newgame, decide, Random(1))


def test_more_goods_than_any_game_has_are_refused_before_bids_are_listed() -> None:
    game = Game(make_options(2), "rich")
    assert game.decision is not None
    newgame, decide = messages(game, game.decision)
    decide["state"]["seats"][0]["coin"] = 10**15
    with pytest.raises(ValueError, match="1000000000000000 coin before a seat: 0 to 1000"):
        game_of(newgame, decide, Random(1))
