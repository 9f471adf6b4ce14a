"""What holds in every state of every game, whatever modules are on. Knows rules only by what must not break."""

from collections import Counter

from peloarena.game import State, decode, determinize, encode
from peloarena.game.modules.athens import Aid
from peloarena.game.modules.goats import LARGEST_HERD, Herd
from peloarena.game.modules.persians.strength import CLOVERLEAVES, MOST, StrengthSeat
from peloarena.game.modules.sacrum import SacrumSeat, SacrumTable
from peloarena.game.modules.sea import SeaSeat, SeaTable
from peloarena.game.modules.trade import TradeTable
from peloarena.game.state import tag_of
from peloarena.game.steps import AskBuild, TakeTile


def found(owner, kind, default):
    return owner.parts.get(tag_of(kind), default)


def check_state(game):
    """Cheap: after every move."""
    check_goods(game)
    check_tiles(game)
    check_parts(game)


def check_goods(game):
    for seat in game.state.seats:
        storage = game.rules.mats[seat.mat].storage
        assert min(seat.wood, seat.stone, seat.food, seat.coin, seat.pop, seat.lux) >= 0
        assert seat.wood <= storage.wood
        assert seat.stone <= storage.stone
        assert seat.food <= storage.food


def check_tiles(game):
    """Every tile of the stacks lies in one place; those about to be taken are named by the agenda."""
    state = game.state
    places = Counter(state.deck + state.open + state.conquest + state.box)
    for seat in state.seats:
        places.update(seat.lands + seat.buildings)
    aid = found(state, Aid, Aid()).tile
    asked = {step.tile for step in state.agenda if isinstance(step, AskBuild)}
    waiting = {step.tile for step in state.agenda if isinstance(step, TakeTile)}
    places.update(asked | ({aid} if aid else set()))
    all_tiles = {tile for stack in game.rules.stacks.values() for tile in stack}
    assert set(places) == all_tiles
    assert set(places.values()) == {1}
    assert waiting <= set(state.open + state.conquest) | {aid}
    sea = Counter(found(state, SeaTable, SeaTable(())).tiles)
    for seat in state.seats:
        sea.update(found(seat, SeaSeat, SeaSeat()).tiles)
    assert set(sea.values()) <= {1}


def check_parts(game):
    state = game.state
    for seat in state.seats:
        assert 0 <= found(seat, Herd, Herd()).goats <= LARGEST_HERD
        assert found(seat, SacrumSeat, SacrumSeat()).given >= 0
        assert 0 <= found(seat, StrengthSeat, StrengthSeat()).strength <= MOST
    leaves = [found(seat, StrengthSeat, StrengthSeat()).cloverleaves for seat in state.seats]
    assert sum(leaves) == CLOVERLEAVES * len(leaves)
    assert min(leaves) >= 0
    trade = found(state, TradeTable, TradeTable())
    assert trade.tile not in trade.deck
    assert len(set(trade.deck)) == len(trade.deck) <= 4
    sacrum = found(state, SacrumTable, None)
    assert sacrum is None or sorted(chit for group in sacrum.groups for chit in group) == ["blank"] * 4 + ["skull"]


def check_codec(game):
    """A state and its views survive JSON."""
    assert decode(encode(game.state), State) == game.state
    view = game.view(0)
    assert decode(encode(view), type(view)) == view


def check_hidden(game, random):
    """P1: a guess from a view looks the same from there, offers the same, and the view tells no order."""
    view = game.view(0)
    guess = determinize(game.options, view, random)
    assert guess.view(0) == view
    assert guess.decision == game.decision
    assert guess.state.seed != game.state.seed
    for table, order in ((TradeTable, "deck"), (SacrumTable, "groups")):
        shown = found(view, table, None)
        if shown is not None:
            rows = getattr(shown, order) if order == "groups" else (shown.deck,)
            assert all(list(row) == sorted(row) for row in rows)


def check_texts(game, events):
    """Every move and event can be put into words."""
    names = game.names()
    lines = [names.text(item) for item in [*events, *(game.decision.legal if game.decision else [])]]
    assert all(line and "\n" not in line for line in lines)
