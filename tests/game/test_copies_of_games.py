"""What may be done with a Game besides playing it: the same, whether the rules are compiled or not."""

import copy

import pytest

from peloarena.game import Game, make_options


def test_a_deep_copy_is_a_clone() -> None:
    game = Game(make_options(2), "copied")
    twin = copy.deepcopy(game)
    assert game.decision is not None
    twin.choose(game.decision.legal[0])
    assert game.save() == Game(make_options(2), "copied").save() != twin.save()


def test_a_clone_of_a_clone_plays_on() -> None:
    game = Game(make_options(2), "cloned").clone().clone()
    while game.decision is not None:
        game = game.clone()
        assert game.decision is not None
        game.choose(game.decision.legal[-1])
    assert game.result is not None


def test_a_subclass_is_refused_with_the_way_round() -> None:
    with pytest.raises(TypeError, match=r"^Mine: a Game cannot be subclassed; let yours hold a game and call it$"):
        type("Mine", (Game,), {})
