"""`about`: what a decision is about, told whatever a bot wants."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET
from positions import positions

from peloarena.game import decode, encode, make_options
from peloarena.game.steps import AskBid, AskKeep, AskMoveBid
from peloarena.protocol.about import About, about_of
from peloarena.testing.scripted import ScriptedBot, play_scripted


def test_it_is_the_asking_step_without_its_seat() -> None:
    assert about_of(AskMoveBid(seat=1, coins=4)) == {"coins": 4}
    assert about_of(AskKeep(seat=0, kind="tempest", tile="A07")) == {"kind": "tempest", "tile": "A07"}


def test_it_is_left_out_where_there_is_nothing_to_tell() -> None:
    assert about_of(AskBid(seat=1)) is UNSET


def test_every_fact_of_every_question_survives_the_wire() -> None:
    """What a step holds must be what `About` may hold, or a bot would read something else than was meant."""
    told = set()
    for game, decision in positions(20):
        subject = about_of(game.state.agenda[-1])
        if subject is not UNSET:
            assert decode(encode(subject), About) == subject  # type: ignore[arg-type]
            told.add(decision.kind)
    assert {"keep", "trade", "accept_swap", "feed"} <= told


@pytest.mark.trio
@pytest.mark.parametrize("wants", ["state", "events", "both"])
async def test_an_offer_is_told_with_its_terms_whatever_a_bot_wants(wants: str) -> None:
    """C7: `accept` and `refuse` say nothing of who offers what."""
    asked: list[dict[str, Any]] = []

    async def bot(own: ScriptedBot) -> None:
        await own.shake_hands(wants=wants)
        while (message := await own.hear())["type"] == "decide":
            asked.append(message)
            await own.answer(message)

    await play_scripted(bot, bot, options=make_options(2, ["heroes-and-colonies", "negotiation"]), seed="friday-1")
    offer, answer = asked[0], asked[1]
    assert (offer["kind"], offer["about"]) == ("offer_swap", {"deck": "colonies"})
    assert offer["legal"][0] == {"type": "offer_swap", "deck": "colonies", "seat": 0, "coins": 0}
    assert (answer["kind"], answer["about"]) == ("accept_swap", {"deck": "colonies", "by": 1, "coins": 0})
    assert all("about" not in message for message in asked if message["kind"] == "bid")
