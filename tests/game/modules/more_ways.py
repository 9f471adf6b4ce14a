"""The ways a game with trade, goats, the Aid of Athens, sacrum and promos can go; told by the events alone."""

from collections.abc import Callable

from ways import Story, Told, Way, both, chosen, happens

from peloarena.game import GameOptions, make_options
from peloarena.game.events import Chose, Dealt, Lost, Ordered, Placed, Protected, RoundStarted, Stock, SupplyStarted
from peloarena.game.goods import NOTHING, Goods
from peloarena.game.kinds import Move
from peloarena.game.modules.athens.shapes import AidReturned, AidTaken
from peloarena.game.modules.colonies.shapes import ColonyDealt
from peloarena.game.modules.goats.rules import LARGEST_HERD
from peloarena.game.modules.goats.shapes import Exchange, HerdChanged
from peloarena.game.modules.sacrum.shapes import Sacrifice, Sacrificed, SacrumShown
from peloarena.game.modules.trade.shapes import Trade, TradeTurnedUp
from peloarena.game.moves import Bid, Skip
from peloarena.game.rulebook import full_catalogue

TILES = full_catalogue().tiles


def rounds(story: Story) -> list[list[object]]:
    """The events of each round."""
    found: list[list[object]] = []
    for event in story:
        if isinstance(event, RoundStarted):
            found.append([])
        if found:
            found[-1].append(event)
    return found


def in_a_round(*tests: Callable[[object], bool]) -> Told:
    """All of these in the same round."""
    return lambda story: any(all(any(map(test, events)) for test in tests) for events in rounds(story))


def moves_in_a_round(story: Story, kind: type[Move]) -> list[list[tuple[int, Move]]]:
    return [
        [(e.seat, e.move) for e in events if isinstance(e, Chose) and isinstance(e.move, kind)]
        for events in rounds(story)
    ]


def stock(why: str, test: Callable[[Goods], bool]) -> Told:
    """A change of goods for this reason."""
    return lambda story: any(isinstance(e, Stock) and e.why == why and test(e.change) for e in story)


def skipped(kind: str) -> Told:
    """An offer of this kind was not used."""
    return lambda story: any(
        isinstance(e, Chose) and e.kind == kind and isinstance(e.move, Skip) and not e.forced for e in story
    )


def held(story: Story, tile: str) -> list[int]:
    """The seats that hold this tile at the end: one or none."""
    seats = [e.seat for e in story if isinstance(e, Placed) and e.tile == tile]
    return [] if any(isinstance(e, Lost) and e.tile == tile for e in story) else seats


def goods(story: Story, seat: int) -> Goods:
    """What a seat has at the end: the events add up."""
    changes = [e.change for e in story if isinstance(e, Stock) and e.seat == seat]
    return sum(changes, NOTHING)


def two_trades(story: Story) -> bool:
    return any(len(trades) > 1 for trades in moves_in_a_round(story, Trade))


def overflow_by_trade(story: Story) -> bool:
    trades = [move for moves in moves_in_a_round(story, Trade) for _, move in moves]
    paid_in_luxury = any(isinstance(move, Trade) and move.give == "lux" for move in trades)
    return not paid_in_luxury and stock("trade", lambda change: change.lux > 0)(story)


def shuffled_again(story: Story) -> bool:
    return sum(isinstance(event, TradeTurnedUp) and event.shuffled for event in story) > 1


def three_kinds(story: Story) -> bool:
    """A seat took three kinds of goods for its herd."""
    for moves in moves_in_a_round(story, Exchange):
        seats = [seat for seat, move in moves if isinstance(move, Exchange) and move.goats]
        if any(seats.count(seat) > 2 for seat in seats):
            return True
    return False


def goat_tile(test: Callable[[Placed | Lost], bool]) -> Told:
    return lambda story: any(
        isinstance(e, Placed | Lost) and "goat" in TILES[e.tile].abilities and test(e) for e in story
    )


def store_spares(story: Story) -> bool:
    """Its owner fed nobody in the final supply round and lost nobody, although food was short."""
    if SupplyStarted(final=True) not in story:
        return False
    final = story[list(story).index(SupplyStarted(final=True)) :]
    fed = [e.seat for e in final if isinstance(e, Stock) and e.why == "feed"]
    return any(seat not in fed and goods(story, seat).pop > goods(story, seat).food for seat in held(story, "B21"))


def field_protects(story: Story) -> bool:
    return any(Protected(seat, "decline") in story for seat in held(story, "C21"))


def aid_for(kind: str) -> Told:
    """The tile is of this kind, and was placed."""
    return lambda story: any(
        isinstance(e, AidTaken) and TILES[e.tile].kind == kind and Placed(e.seat, e.tile) in story for e in story
    )


def aid_and_no_bids(story: Story) -> bool:
    return any(
        any(isinstance(e, AidTaken) for e in events)
        and not any(isinstance(e, Chose) and isinstance(e.move, Bid) for e in events)
        for events in rounds(story)
    )


def aid_behind_apollonia(story: Story) -> bool:
    colonies = {e.seat: e.colony for e in story if isinstance(e, ColonyDealt)}
    for events in rounds(story):
        holders = [e.seat for e in events if isinstance(e, AidTaken)]
        orders = [e.order for e in events if isinstance(e, Ordered)]
        if holders and orders[0][-1] == holders[0] and colonies.get(orders[0][-2]) == "Apollonia":
            return True
    return False


def skull(shown: bool) -> Callable[[object], bool]:
    return lambda event: isinstance(event, SacrumShown) and ("skull" in event.chits) == shown


def gave_up(event: object) -> bool:
    return isinstance(event, Sacrificed)


def treasury(story: Story) -> bool:
    return any(isinstance(e, Sacrificed) and e.seat in held(story, "D31") for e in story)


def at_table(players: int) -> Told:
    return lambda story: sum(isinstance(event, Dealt) for event in story) == players


def promo(civilization: str) -> GameOptions:
    return make_options(2, ["promos"], draft={"civilizations": ("Sparta", civilization)})


TRADE = make_options(3, ["trade"])
GOATS = make_options(3, ["goats"])
ATHENS = make_options(3, ["athens"])
SACRUM = make_options(3, ["sacrum"])
TREASURY = make_options(3, ["sacrum", "hellas"])
MANY = ["goats", "sacrum"]

MORE_WAYS: dict[str, Way] = {
    "trade-made": Way(chosen(Trade, give="wood"), TRADE),
    "trade-for-inhabitants": Way(chosen(Trade, get="pop"), TRADE),
    "trade-overflow": Way(overflow_by_trade, TRADE),
    "trade-of-two-pairs": Way(two_trades, TRADE),
    "trade-declined": Way(skipped("trade"), TRADE),
    "trade-tiles-shuffled-again": Way(shuffled_again, TRADE),
    "trade-alone": Way(both(at_table(1), chosen(Trade)), make_options(1, ["trade"], level=2)),
    "herd-for-three-kinds": Way(three_kinds, GOATS),
    "herd-full": Way(happens(HerdChanged, goats=LARGEST_HERD), GOATS),
    "herd-overflow": Way(stock("goats", lambda change: change.lux > 0), GOATS),
    "herd-alone": Way(both(at_table(1), chosen(Exchange)), make_options(1, ["goats"], level=4)),
    "goat-tile-marked": Way(goat_tile(lambda e: isinstance(e, Placed) and e.marked > 0), GOATS),
    "goat-tile-lost": Way(goat_tile(lambda e: isinstance(e, Lost) and e.why == "no neighbour"), GOATS),
    "store-spares-its-owner": Way(store_spares, GOATS),
    "field-of-goats-protects": Way(field_protects, GOATS),
    "six-players": Way(at_table(6), make_options(6, ["goats"])),
    "aid-for-a-land": Way(aid_for("land"), ATHENS),
    "aid-for-a-building": Way(aid_for("building"), ATHENS),
    "aid-returned": Way(happens(AidReturned), ATHENS),
    "aid-and-no-bids": Way(aid_and_no_bids, make_options(2, ["athens"])),
    "aid-behind-apollonia": Way(aid_behind_apollonia, make_options(4, ["athens", "colonies"])),
    "skull-shown-and-used": Way(in_a_round(skull(shown=True), gave_up), SACRUM),
    "skull-of-ones-own": Way(in_a_round(skull(shown=False), gave_up), SACRUM),
    "skull-not-used": Way(skipped("sacrifice"), SACRUM),
    "sacrifice-for-luxury": Way(stock("sacrifice", lambda change: change.lux < 0), SACRUM),
    "sacrifice-with-treasury": Way(treasury, TREASURY),
    "seven-players": Way(both(at_table(7), chosen(Sacrifice)), make_options(7, MANY)),
    "eight-players": Way(both(at_table(8), chosen(Sacrifice)), make_options(8, MANY)),
    "mycenae": Way(happens(Dealt, civilization="Mycenae"), promo("Mycenae")),
    "rhodes": Way(happens(Dealt, civilization="Rhodes"), promo("Rhodes")),
    "antioch": Way(both(happens(Dealt, civilization="Antioch"), happens(Protected)), promo("Antioch")),
}
