"""The base game, described to the engine in the same form as a module: the table of all its handlers."""

from __future__ import annotations

from . import auction, building, disasters, events, explained, income, moves, rounds, scoring, steps, supply, texts
from .flow import Flow
from .kinds import Step
from .module import Module, asks, does, plays


def skip(flow: Flow, step: Step, move: moves.Skip) -> None:
    """Declines an offer."""


BASE = Module(
    name="base",
    summary="the base game and solo",
    sets=("base",),
    decks={"civilizations": lambda catalogue: catalogue.civilizations},
    steps={
        **does(steps.Begin, rounds.begin),
        **does(steps.GiveGoods, rounds.give_goods),
        **does(steps.SettleOrder, rounds.settle_order),
        **does(steps.StartRound, rounds.start_round),
        **does(steps.Reveal, rounds.reveal),
        **does(steps.StartBidding, auction.start_bidding),
        **does(steps.EndBidding, auction.end_bidding),
        **does(steps.TakeTiles, building.take_tiles),
        **does(steps.TakeTile, building.take_tile),
        **does(steps.GiveOnces, building.give_onces),
        **does(steps.GiveIncomes, income.give_incomes),
        **does(steps.GiveIncome, income.give_income),
        **does(steps.AfterIncome, rounds.after_income),
        **does(steps.DrawChits, disasters.draw_chits),
        **does(steps.DrawChit, disasters.draw_chit),
        **does(steps.AcceptChit, disasters.accept_chit),
        **does(steps.StrikeSeat, disasters.strike_seat),
        **does(steps.Suffer, disasters.suffer),
        **does(steps.SupplyRound, supply.supply_round),
        **does(steps.SupplySeat, supply.supply_seat),
        **does(steps.EndSupply, supply.end_supply),
        **does(steps.EndRound, rounds.end_round),
        **does(steps.Score, scoring.score),
    },
    questions={
        **asks(steps.AskExtraIncome, "extra_income", rounds.extra_income_options, explained.EXTRA_INCOME),
        **asks(steps.AskBid, "bid", auction.bid_options, explained.BID, refusal=auction.explain_illegal_bid),
        **asks(steps.AskMoveBid, "move_bid", auction.move_bid_options, explained.MOVE_BID),
        **asks(steps.AskBuild, "build", building.build_options, explained.BUILD),
        **asks(steps.AskAny, "any_income", income.any_options, explained.ANY_INCOME),
        **asks(steps.AskKeep, "keep", disasters.keep_options, explained.KEEP),
        **asks(steps.AskFeed, "feed", supply.feed_options, explained.FEED),
        **asks(steps.AskComplete, "complete", supply.complete_options, explained.COMPLETE),
    },
    moves={
        **plays(moves.ExtraIncome, rounds.choose_extra_income),
        **plays(moves.Bid, auction.bid),
        **plays(moves.Pass, auction.pass_bid),
        **plays(moves.MoveBid, auction.move_bid),
        **plays(moves.Withdraw, auction.withdraw),
        **plays(moves.Pay, building.pay_now),
        **plays(moves.Mark, building.mark_building),
        **plays(moves.TakeAny, income.take_any),
        **plays(moves.Keep, disasters.pay_to_keep),
        **plays(moves.Lose, disasters.choose_to_lose),
        **plays(moves.Feed, supply.feed),
        **plays(moves.Complete, supply.complete_building),
        **plays(moves.Skip, skip),
    },
    events=(
        events.Dealt,
        events.Ordered,
        events.RoundStarted,
        events.Revealed,
        events.Chose,
        events.Stock,
        events.Displaced,
        events.Discarded,
        events.Placed,
        events.Lost,
        events.Completed,
        events.ChitDrawn,
        events.ChitSlid,
        events.Struck,
        events.Protected,
        events.SupplyStarted,
        events.Finished,
    ),
    disasters=disasters.DISASTERS,
    texts=texts.TEXTS,
)
