"""Component overrides: a host's TOML text changes what is printed, or is refused as a whole with the place named."""

import pytest

from peloarena.game import ConfigError, Game, make_options
from peloarena.game.catalogue import MAX_OVERRIDE_BYTES, every_piece
from peloarena.game.goods import Goods
from peloarena.game.rulebook import full_catalogue, rules_for
from peloarena.testing.states import goods_of


def test_an_override_changes_what_it_names_and_nothing_else() -> None:
    text = "[tiles.A12]\npoints = 9\ncost = { wood = 1, stone = 1 }"
    changed, printed = full_catalogue(text), full_catalogue()
    assert (changed.tiles["A12"].points, changed.tiles["A12"].cost) == (9, Goods(wood=1, stone=1))
    assert changed.tiles["A12"].min == printed.tiles["A12"].min
    assert changed.tiles["A12"].source == "override"
    assert {key: tile for key, tile in changed.tiles.items() if key != "A12"} == {
        key: tile for key, tile in printed.tiles.items() if key != "A12"
    }


def test_a_game_is_played_with_the_overridden_pieces() -> None:
    text = "[civilizations.Sparta]\nstart = { coin = 1, lux = 4 }\n[mats.mat]\ncoins_per_point = 2"
    options = make_options(2, draft={"civilizations": ("Sparta", "Argos")}, components=text)
    game = Game(options, "x")
    assert goods_of(game, 0) == Goods(coin=1, lux=4)
    assert rules_for(options).mats["mat"].coins_per_point == 2
    assert goods_of(Game(make_options(2, draft={"civilizations": ("Sparta", "Argos")}), "x"), 0).coin == 7


def test_chits_can_be_overridden_as_long_as_they_fill_the_rounds() -> None:
    game = Game(make_options(2, components="[chits.base]\nplague = 2\nblank = 2"), "x")
    assert (game.state.pile.count("plague"), game.state.pile.count("blank")) == (2, 2)


def test_every_piece_carries_its_source() -> None:
    for where, piece in every_piece(full_catalogue()):
        assert getattr(piece, "source", None) in ("printed", "text", "reconstructed"), where


BROKEN = {
    "not TOML": ("points: 3", "not valid TOML: "),
    "not TOML, nested deeply": ("a = " + "[" * 5000, "not valid TOML"),
    "an unknown table": ("[tile.A12]\npoints = 3", "table: there is no 'tile' (did you mean 'tiles'?)"),
    "a table that is none": ("tiles = 3", "tiles: expected a table, got int"),
    "a piece that is none": ("[tiles]\nA12 = 3", "tiles.A12: expected a table, got int"),
    "an order number that another civilization has (S1)": (
        "[civilizations.Messene]\norder = 7",
        "civilizations.Messene.order: 7 is the number of Argos: each civilization has its own",
    ),
    "an unknown piece": ("[civilizations.Spatra]\norder = 3", "there is no 'Spatra' (did you mean 'Sparta'?)"),
    "an unknown piece like none": ("[tiles.Q]\nmin = 3", "tiles.Q: there is no 'Q'; one of A01, "),
    "an unknown key": ("[tiles.A12]\npoint = 3", "unknown field `point` (did you mean 'points'?)"),
    "an unknown good": ("[tiles.A12]\ncost = { woods = 3 }", "unknown field `woods` (did you mean 'wood'?)"),
    "an unknown good like none": (
        "[tiles.A12]\ncost = { gold = 3 }",
        "field `gold`; one of wood, stone, food, coin, pop, lux",
    ),
    "an unknown storehouse": ("[mats.mat.storage]\nwood = 9\nstone = 9\nfoot = 9", "mats.mat.storage: "),
    "text for a number": ('[tiles.A12]\nmin = "3"', "tiles.A12.min: Expected `int`, got `str`"),
    "a number for text": ("[tiles.A12]\nname = 3", "tiles.A12.name: Expected `str`, got `int`"),
    "a fraction": ("[tiles.A12]\nmin = 2.5", "tiles.A12.min: Expected `int`, got `float`"),
    "true for a number": ("[tiles.A12]\nmin = true", "tiles.A12.min: Expected `int`, got `bool`"),
    "a date": ("[tiles.A12]\nmin = 2009-01-01", "tiles.A12.min: Expected `int`"),
    "too many points": ("[tiles.A12]\npoints = 100", "tiles.A12.points: Expected `int` <= 99"),
    "a negative minimum": ("[tiles.A12]\nmin = -1", "tiles.A12.min: Expected `int` >= 0"),
    "a negative cost": ("[tiles.A12]\ncost = { wood = -1 }", "tiles.A12.cost.wood: expected 0 to 99, got -1"),
    "a huge start": (
        "[civilizations.Argos]\nstart = { coin = 1000000 }",
        "civilizations.Argos.start.coin: expected 0 to 99, got 1000000",
    ),
    "a huge loss": ("[tiles.A12]\nonce = { pop = -100 }", "tiles.A12.once.pop: expected -99 to 99, got -100"),
    "half a storage": ("[mats.mat]\nstorage = { wood = 9 }", "mats.mat.storage: Object missing required field `stone`"),
    "no income": ("[mats.mat]\nincome = []", "mats.mat.income: Expected `array` of length >= 1"),
    "a short row": ("[mats.mat]\nincome = [[0, 1]]", "mats.mat.income[0]: Expected `array` of length 3"),
    "rows that do not begin with nobody": (
        "[mats.mat]\nincome = [[1, 1, 1]]",
        "mats.mat.income: rows must begin with population 0",
    ),
    "rows that do not rise": ("[mats.mat]\nincome = [[0, 1, 1], [3, 1, 1], [3, 1, 1]]", "mats.mat.income: rows must"),
    "no divisor": ("[mats.mat]\ncoins_per_point = 0", "mats.mat.coins_per_point: Expected `int` >= 1"),
    "an unknown disaster": (
        '[tiles.A12]\nprotects = ["plage"]',
        "tiles.A12.protects: there is no 'plage' (did you mean 'plague'?)",
    ),
    "an unknown ability": (
        '[tiles.A12]\nabilities = ["bidhalf"]',
        "tiles.A12.abilities: there is no 'bidhalf' (did you mean 'bid_half'?)",
    ),
    "an unknown ability of a mat": ('[mats.mat]\nabilities = ["free"]', "mats.mat.abilities: there is no 'free'"),
    "another id": ('[tiles.A12]\nid = "A13"', "tiles.A12.id: cannot be overridden"),
    "another set": ('[tiles.A12]\nset = "sea"', "tiles.A12.set: cannot be overridden"),
    "another source": ('[tiles.A12]\nsource = "printed"', "tiles.A12.source: cannot be overridden"),
    "another kind": ('[tiles.A12]\nkind = "sea"', "tiles.A12.kind: cannot be overridden"),
    "uneven stacks": ('[tiles.A12]\nstack = "B"', "stacks do not fill their rounds evenly"),
    "uneven chits": ("[chits.base]\nblank = 2", "17 chits cannot be drawn evenly in 8 rounds"),
    "an unknown chit": ("[chits.base]\nblanc = 2", "chits.base.blanc: there is no 'blanc' (did you mean 'blank'?)"),
    "chits of an unknown set": ("[chits.bas]\nblank = 2", "chits.bas: there is no 'bas' (did you mean 'base'?)"),
    "chits that are none": ("[chits]\nbase = 16", "chits.base: expected a table, got int"),
    "chits below none": ("[chits.base]\nblank = -1", "chits.base.blank: Expected `int` >= 0"),
    "abilities": ('[abilities]\nbid_half = "x"', "table: there is no 'abilities'"),
    "too big": ("#" * (MAX_OVERRIDE_BYTES + 1), "the file is larger than 256 KiB"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_override_is_refused_with_its_place_and_what_was_expected(fault: str) -> None:
    text, words = BROKEN[fault]
    with pytest.raises(ConfigError) as refusal:
        make_options(2, components=text)
    message = str(refusal.value)
    assert message.startswith("components: ")
    assert words in message
    assert "\n" not in message


def test_nothing_of_a_broken_override_is_loaded() -> None:
    before = full_catalogue()
    for text in ("[tiles.A12]\npoints = 50\n[tiles.A13]\npoint = 3", "[chits.base]\nplague = 9\nblanc = 1"):
        with pytest.raises(ConfigError):
            full_catalogue(text)
        assert full_catalogue() == before
        assert rules_for(make_options(2)).tiles["A12"].points == 4
        assert rules_for(make_options(2)).catalogue.chit_counts()["plague"] == 3
