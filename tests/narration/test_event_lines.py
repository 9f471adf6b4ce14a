"""What happened, as lines: an onlooker hears what matters, a player what the table does not show."""

from __future__ import annotations

from peloarena.game import Game, make_options
from peloarena.game.events import ChitDrawn, Chose, Lost, RoundStarted, Stock, Struck
from peloarena.game.goods import Goods
from peloarena.game.kinds import Event
from peloarena.game.moves import Bid, Skip
from peloarena.narration.event_lines import StyledLine, onlooker_lines, player_lines

BID = Chose(0, "bid", Bid("A01", 4))
PAID = Stock(0, "bid", Goods(coin=-4))
PLAGUE = Stock(0, "plague", Goods(pop=-2))


def onlooker(*events: Event) -> list[StyledLine]:
    return onlooker_lines(Game(make_options(2), "friday-1"), events, ["first", "second"])


def player(you: int, *events: Event) -> list[StyledLine]:
    return player_lines(events, you, Game(make_options(2), "friday-1").names())


def test_lines_have_styles_and_players_their_names() -> None:
    told = onlooker(RoundStarted(3), Lost(0, "A01", "tempest"), Struck("plague"), ChitDrawn("blank"), BID)
    assert told == [
        StyledLine("round 3", "round"),
        StyledLine("first (Argos) loses A01 mountain (tempest)", "loss"),
        StyledLine("plague strikes", "disaster"),
        StyledLine("chit: blank", "aside"),
        StyledLine("first (Argos): bid 4 on A01 mountain"),
        StyledLine("second (Patras) has 7 coin, 1 pop", "aside"),
        StyledLine("first (Argos) has 5 coin, 2 pop", "aside"),
    ]


def test_onlooker_does_not_hear_what_follows_from_the_move() -> None:
    assert onlooker(PAID) == []
    assert onlooker(PLAGUE) == [StyledLine("first (Argos): −2 pop (plague)")]


def test_player_hears_what_a_move_brought_in_its_line() -> None:
    hired = Stock(0, "hire", Goods(coin=-4))
    assert player(0, BID, hired) == [StyledLine("Argos: bid 4 on A01 mountain: −4 coin")]
    assert player(0, BID, PAID) == [StyledLine("Argos: bid 4 on A01 mountain")]


def test_player_hears_the_own_income_and_of_others_only_their_losses() -> None:
    income = Stock(0, "income", Goods(wood=1))
    starved = Stock(0, "feed", Goods(pop=-1))
    assert player(0, income) == [StyledLine("Argos: +1 wood (income)")]
    assert player(1, income) == []
    assert player(1, starved) == [StyledLine("Argos: −1 pop (feed)")]


def test_change_after_a_move_that_is_not_told_has_a_line_of_its_own() -> None:
    nothing_to_do = Chose(0, "use", Skip(), forced=True)
    assert player(0, nothing_to_do, PLAGUE) == [StyledLine("Argos: −2 pop (plague)")]
