"""The line service: each request does what spec/ENGINE.md says, and one that gets an error has changed nothing."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from peloarena.engine.service import EngineService
from peloarena.engine.service_messages import MAX_OPEN_GAMES, MAX_PLAYOUTS
from peloarena.game import RULES, Game, determinize, encode, make_options
from peloarena.game.registry import MODULES
from peloarena.protocol import codec
from peloarena.referee.seat_messages import decide_message, newgame_message
from peloarena.referee.time_control import TimeControl

Reply = dict[str, Any]


def ask(service: EngineService, type: str, **fields: object) -> Reply:
    line = service.answer(json.dumps({"type": type, **fields}).encode())
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    reply: Reply = json.loads(line)
    return reply


def held(service: EngineService) -> tuple[int, dict[int, bytes]]:
    """All that a service is made of."""
    return service.last_game_number, {number: game.save() for number, game in service.games.items()}


@pytest.fixture
def service() -> EngineService:
    """With one game, number 1."""
    made = EngineService()
    ask(made, "new", options={"players": 2}, seed="friday-1")
    return made


def the_same() -> Game:
    return Game(make_options(2), "friday-1")


# ---- what each request does


def test_hello_tells_the_versions(service: EngineService) -> None:
    reply = ask(service, "hello", id=4)
    assert reply.pop("engine").startswith("peloarena ")
    assert reply == {
        "type": "hello",
        "id": 4,
        "service": 1,
        "rules": RULES,
        "policies": ["random", "greedy", "planner"],
    }


def test_new_deals_the_game_that_the_referee_would_deal(service: EngineService) -> None:
    options = {"players": 3, "modules": ["hellas", "sea"], "draft": {"civilizations": ["Sparta", "Argos", "Patras"]}}
    reply = ask(service, "new", options=options, seed="x")
    game = Game(make_options(3, ["hellas", "sea"], draft={"civilizations": ("Sparta", "Argos", "Patras")}), "x")
    assert game.decision is not None
    assert reply == {
        "type": "game",
        "game": 2,
        "seat": game.decision.seat,
        "kind": game.decision.kind,
        "moves": len(game.decision.legal),
    }
    assert service.games[2].save() == game.save()


def test_legal_lists_the_moves_as_decide_does(service: EngineService) -> None:
    decision = the_same().decision
    assert decision is not None
    reply = ask(service, "legal", id=9, game=1)
    assert reply == {
        "type": "legal",
        "id": 9,
        "game": 1,
        "seat": decision.seat,
        "kind": "bid",
        "legal": json.loads(encode(decision.legal)),
    }


def test_choose_takes_an_index_or_a_move_and_tells_events_if_asked(service: EngineService) -> None:
    twin = the_same()
    assert twin.decision is not None
    first, events = twin.decision.legal[3], twin.choose(twin.decision.legal[3])
    ask(service, "clone", game=1)
    reply = ask(service, "choose", game=1, index=3, events=True)
    assert reply["events"] == json.loads(encode(events))
    assert ask(service, "choose", game=2, move=json.loads(encode(first))) == {
        "type": "game",
        "game": 2,
        "seat": 0,
        "kind": "bid",
        "moves": reply["moves"],
    }
    assert service.games[1].save() == service.games[2].save() == twin.save()


def test_a_finished_game_has_a_result_and_nothing_to_choose(service: EngineService) -> None:
    twin = the_same()
    reply: Reply = {}
    while twin.decision is not None:
        twin.choose(twin.decision.legal[0])
        reply = ask(service, "choose", game=1, index=0)
    assert reply == {"type": "game", "game": 1, "result": json.loads(encode(twin.result))}
    for request in ("legal", "choose"):
        fields = {"index": 0} if request == "choose" else {}
        assert "over: nothing to decide" in ask(service, request, game=1, **fields)["error"]


def test_a_clone_goes_its_own_way_and_numbers_are_never_used_again(service: EngineService) -> None:
    assert ask(service, "clone", game=1)["game"] == 2
    ask(service, "choose", game=2, index=0)
    assert service.games[1].save() == the_same().save()
    assert ask(service, "drop", game=2) == {"type": "dropped", "game": 2}
    assert ask(service, "clone", game=1)["game"] == 3
    assert ask(service, "drop", game=2)["error"] == "no game 2 is open here"


def test_view_is_the_state_and_the_tiles_of_a_decide(service: EngineService) -> None:
    game = the_same()
    assert game.decision is not None
    decide = json.loads(codec.encode(decide_message(game, game.decision, 1, 1.0, "state")))
    reply = ask(service, "view", game=1, seat=game.decision.seat)
    assert reply == {"type": "view", "game": 1, "state": decide["state"], "tiles": decide["tiles"]}


def test_determinize_draws_what_the_seat_does_not_see(service: EngineService) -> None:
    game = the_same()
    assert ask(service, "determinize", game=1, seat=0, random=7)["game"] == 2
    assert service.games[2].save() == determinize(game.options, game.view(0), Random(7)).save()
    assert service.games[2].view(0) == game.view(0)


def test_from_decide_makes_a_game_of_the_two_messages_as_they_came() -> None:
    service = EngineService()
    game = Game(make_options(4, list(MODULES), components="[tiles.A07]\npoints = 9\n"), "all")
    for number in range(1, 12):
        assert game.decision is not None
        newgame = codec.encode(newgame_message(game, game.decision.seat, ["a", "b", "c", "d"], TimeControl(), 0))
        decide = codec.encode(decide_message(game, game.decision, number, 30.0, "both", []))
        spliced = b'{"type":"from_decide","random":5,"newgame":%s,"decide":%s}' % (newgame.strip(), decide.strip())
        reply = json.loads(service.answer(spliced))
        assert (reply["game"], reply["moves"]) == (number, len(game.decision.legal))
        assert service.games[number].view(game.decision.seat) == game.view(game.decision.seat)
        game.choose(game.decision.legal[-1])


def test_from_decide_needs_only_options_state_and_legal(service: EngineService) -> None:
    view = ask(service, "view", game=1, seat=1)
    legal = ask(service, "legal", game=1)
    options = {"players": 2, "modules": [], "level": 0, "rounds": 8, "tiles_per_round": 5}
    decide = {"state": view["state"], "legal": legal["legal"]}
    reply = ask(service, "from_decide", newgame={"options": options}, decide=decide, random=1)
    assert reply["type"] == "game"


# ---- playouts


def test_playouts_are_sums_over_games_played_to_the_end_and_change_nothing(service: EngineService) -> None:
    before = held(service)
    reply = ask(service, "playout", game=1, playouts=50, random=3)
    assert held(service) == before
    chance, scores, firsts = Random(3), [0, 0], [0, 0]
    for _ in range(50):
        game = the_same()
        while game.decision is not None:
            game.choose(game.decision.legal[int(chance.random() * len(game.decision.legal))])
        assert game.result is not None
        scores = [total + score for total, score in zip(scores, game.result.scores, strict=True)]
        firsts = [won + (rank == 1) for won, rank in zip(firsts, game.result.ranks, strict=True)]
    ahead = [scores[0] - scores[1], scores[1] - scores[0]]
    assert reply == {"type": "playout", "game": 1, "playouts": 50, "scores": scores, "ahead": ahead, "firsts": firsts}


def test_the_same_number_gives_the_same_playouts(service: EngineService) -> None:
    one, other, third = (ask(service, "playout", game=1, playouts=20, random=n, seat=0, index=2) for n in (1, 1, 2))
    assert one == other != third


def test_a_playout_can_begin_with_a_move(service: EngineService) -> None:
    ask(service, "clone", game=1)
    ask(service, "choose", game=2, index=4)
    after = ask(service, "playout", game=2, playouts=20, random=1)
    assert ask(service, "playout", game=1, playouts=20, random=1, index=4) == {**after, "game": 1}


def test_with_a_seat_the_hidden_is_drawn_anew_each_time(service: EngineService) -> None:
    """All seats played by greedy, which leaves nothing to chance: without `seat` every playout is the same game."""
    fixed = ask(service, "playout", game=1, playouts=6, random=1, policy="greedy")
    drawn = ask(service, "playout", game=1, playouts=6, random=1, policy="greedy", seat=0)
    assert [score % 6 for score in fixed["scores"]] == [0, 0]
    assert [score % 6 for score in drawn["scores"]] != [0, 0]


@pytest.mark.parametrize("policy", ["greedy", "planner"])
def test_built_in_policies_play_every_seat_better_than_chance(service: EngineService, policy: str) -> None:
    chance = ask(service, "playout", game=1, playouts=8, random=1)
    house = ask(service, "playout", game=1, playouts=8, random=1, policy=policy, seat=1)
    assert sum(house["scores"]) > sum(chance["scores"]) + 8 * 10


def test_alone_a_first_place_is_a_level_passed(service: EngineService) -> None:
    ask(service, "new", options={"players": 1, "level": 1}, seed="alone")
    reply = ask(service, "playout", game=2, playouts=5, random=1, policy="planner", seat=0)
    assert reply["ahead"] == reply["scores"]
    assert reply["firsts"] == [5]


# ---- errors


GOOD: list[Reply] = [
    {"type": "hello"},
    {"type": "new", "options": {"players": 2}, "seed": "b"},
    {"type": "legal", "game": 1},
    {"type": "choose", "game": 1, "index": 0},
    {"type": "clone", "game": 1},
    {"type": "view", "game": 1, "seat": 0},
    {"type": "determinize", "game": 1, "seat": 0, "random": 1},
    {"type": "playout", "game": 1, "random": 1},
    {"type": "drop", "game": 1},
]
BAD: list[tuple[Reply, str]] = [
    ({}, "missing required field `type`"),
    ({"type": "guess"}, "Invalid value 'guess' - at `$.type`"),
    ({"type": "hello", "who": "me"}, "unknown field `who`"),
    ({"type": "new", "seed": "x"}, "missing required field `options`"),
    ({"type": "new", "seed": "", "options": {"players": 2}}, "seed ''"),
    ({"type": "new", "seed": "x", "options": {"players": 9}}, "9 players: 1 to 5 can play"),
    ({"type": "new", "seed": "x", "options": {"players": 2, "modules": ["see"]}}, "unknown module 'see'"),
    ({"type": "new", "seed": "x", "options": {"players": 2, "components": "["}}, "components"),
    ({"type": "legal", "game": 7}, "no game 7 is open here"),
    ({"type": "legal", "game": 10**40}, ""),
    ({"type": "choose", "game": 1}, "either `index` or `move`"),
    ({"type": "choose", "game": 1, "index": 0, "move": {"type": "pass"}}, "either `index` or `move`"),
    ({"type": "choose", "game": 1, "index": 14}, "index 14: this bid decision has 0 to 13"),
    ({"type": "choose", "game": 1, "index": -1}, "index -1: this bid decision has 0 to 13"),
    ({"type": "choose", "game": 1, "move": {"type": "bid", "tile": "A01", "coins": 9}}, "bid 9 on A01"),
    ({"type": "choose", "game": 1, "move": {"type": "bet"}}, "no move is called 'bet'"),
    ({"type": "clone", "game": 2}, "no game 2 is open here"),
    ({"type": "drop", "game": 2}, "no game 2 is open here"),
    ({"type": "view", "game": 1, "seat": 2}, "seat 2: 0 to 1"),
    ({"type": "determinize", "game": 1, "seat": -1, "random": 1}, "seat -1: 0 to 1"),
    ({"type": "determinize", "game": 1, "seat": 0, "random": -1}, "Expected `int` >= 0 - at `$.random`"),
    ({"type": "playout", "game": 1, "random": 1, "playouts": 0}, "`$.playouts`"),
    ({"type": "playout", "game": 1, "random": 1, "playouts": MAX_PLAYOUTS + 1}, "Expected `int` <= 10000"),
    ({"type": "playout", "game": 1, "random": 1, "policy": "gredy"}, "policy 'gredy' (did you mean 'greedy'?)"),
    ({"type": "playout", "game": 1, "random": 1, "index": 99}, "index 99"),
    ({"type": "playout", "game": 1, "random": 1, "seat": 5}, "seat 5: 0 to 1"),
]


@pytest.mark.parametrize(("request_", "words"), BAD, ids=[json.dumps(request)[:70] for request, _ in BAD])
def test_a_bad_request_gets_one_error_and_changes_nothing(service: EngineService, request_: Reply, words: str) -> None:
    before = held(service)
    reply = json.loads(service.answer(json.dumps({"id": 77, **request_}).encode()))
    assert (reply["type"], reply["id"]) == ("error", 77)
    assert words in reply["error"]
    assert held(service) == before


def test_at_most_a_thousand_games_are_held() -> None:
    service = EngineService()
    for _ in range(MAX_OPEN_GAMES):
        ask(service, "new", options={"players": 2}, seed="many")
    for request in GOOD[1], GOOD[4], GOOD[6]:
        assert "1,000 games are open, which is the limit: drop some" in ask(service, **request)["error"]
    assert (len(service.games), service.last_game_number) == (MAX_OPEN_GAMES, MAX_OPEN_GAMES)
    ask(service, "drop", game=500)
    assert ask(service, "clone", game=1)["game"] == MAX_OPEN_GAMES + 1


def test_a_move_that_breaks_the_rules_of_a_forged_game_leaves_it_as_it_was(service: EngineService) -> None:
    view = ask(service, "view", game=1, seat=1)["state"]
    view["agenda"][0] = {"type": "AskBid", "seat": 5}  # comes up when the round is over
    options = {"players": 2, "modules": [], "level": 0, "rounds": 8, "tiles_per_round": 5}
    decide = {"state": view, "legal": ask(service, "legal", game=1)["legal"]}
    assert ask(service, "from_decide", newgame={"options": options}, decide=decide, random=1)["game"] == 2
    while (reply := ask(service, "choose", game=2, index=0))["type"] == "game":
        before = held(service)
    assert reply["error"] == "the rules failed: is this state possible? IndexError: list index out of range"
    assert held(service) == before
    assert ask(service, "playout", game=2, random=1)["type"] == "error"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = sorted({field for request in GOOD for field in request} | {"move", "events", "policy", "playouts", "newgame"})
CHANGES = st.lists(st.tuples(st.sampled_from(FIELDS), JSON), min_size=1, max_size=3)


@settings(max_examples=400)
@given(st.sampled_from(GOOD), CHANGES)
def test_any_spoiled_request_gets_one_line_and_an_error_changes_nothing(request_: Reply, changes: list[Any]) -> None:
    service = EngineService()
    ask(service, "new", options={"players": 2}, seed="friday-1")
    before = held(service)
    reply = json.loads(service.answer(json.dumps({**request_, **dict(changes)}).encode()))
    assert reply["type"] != "error" or held(service) == before


@settings(max_examples=300)
@given(st.binary(max_size=200) | st.text(max_size=60).map(str.encode))
def test_any_bytes_get_one_error_line(line: bytes) -> None:
    service = EngineService()
    answer = service.answer(line)
    assert answer.count(b"\n") == 1
    assert json.loads(answer)["type"] == "error"
    assert held(service) == (0, {})
