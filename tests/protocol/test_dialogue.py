"""The dialogue as a table: every pair of state and message is either in it or refused."""

from typing import get_args

import pytest

from peloarena.protocol import BotError, Dialogue, Phase
from peloarena.protocol.dialogue import (
    ACT_TRANSITIONS,
    AWAITING_PHASES,
    EXPECTED_MESSAGE_TEXT,
    RECEIVE_TRANSITIONS,
    SEND_TRANSITIONS,
    RefereeAct,
)
from peloarena.protocol.messages import Answer, BotHello, Decide, FromBot, GameOver, Hello, NewGame, Quit, Ready, ToBot

TO_BOT: dict[type, ToBot] = {
    Hello: Hello(1, "test"),
    Decide: Decide(7, "bid", [], 1000),
    GameOver: GameOver((1, 2), None),
    Quit: Quit(),
}
"""All but NewGame, whose catalogue no table needs."""
FROM_BOT: dict[type, bytes] = {
    BotHello: b'{"type":"hello","name":"x"}',
    Ready: b'{"type":"ready"}',
    Answer: b'{"type":"answer","id":7,"index":0}',
}


def dialogue_in(phase: Phase) -> Dialogue:
    dialogue = Dialogue()
    dialogue.phase = phase
    dialogue.question_id = 7
    return dialogue


def test_the_table_can_be_printed() -> None:
    """The whole life of a bot, in the order in which it is lived."""
    sends = [f"{a.name} → {m.__name__} → {b.name}" for (a, m), b in SEND_TRANSITIONS.items()]
    receives = [f"{a.name} ← {m.__name__} → {b.name}" for (a, m), b in RECEIVE_TRANSITIONS.items()]
    acts = [f"{a.name} – {act.name} → {b.name}" for (a, act), b in ACT_TRANSITIONS.items()]
    assert sorted(sends + receives + acts) == [
        "ASKED – DROP_OUT → OUT",
        "ASKED – OVERRULE → PLAYING",
        "ASKED ← Answer → PLAYING",
        "CLOSED – DROP_OUT → OUT",
        "GREETING – DROP_OUT → OUT",
        "GREETING ← BotHello → IDLE",
        "IDLE – DROP_OUT → OUT",
        "IDLE → NewGame → SEATED",
        "IDLE → Quit → CLOSED",
        "OUT – DROP_OUT → OUT",
        "PLAYING – DROP_OUT → OUT",
        "PLAYING → Decide → ASKED",
        "PLAYING → GameOver → IDLE",
        "SEATED – DROP_OUT → OUT",
        "SEATED ← Ready → PLAYING",
        "START – DROP_OUT → OUT",
        "START → Hello → GREETING",
    ]


def test_nobody_may_speak_in_a_state_where_the_other_may() -> None:
    assert not {phase for phase, _ in SEND_TRANSITIONS} & {phase for phase, _ in RECEIVE_TRANSITIONS}


def test_every_state_but_the_last_two_has_a_way_on_and_every_one_says_what_it_awaits() -> None:
    assert {phase for phase, _ in [*SEND_TRANSITIONS, *RECEIVE_TRANSITIONS]} == set(Phase) - {Phase.CLOSED, Phase.OUT}
    assert set(EXPECTED_MESSAGE_TEXT) == set(Phase)
    assert len(set(EXPECTED_MESSAGE_TEXT.values())) == len(Phase), (
        "whoever speaks out of turn is told in which state it is"
    )


def test_something_is_awaited_where_the_bot_may_speak() -> None:
    assert {phase for phase in Phase if dialogue_in(phase).is_awaiting_message} == AWAITING_PHASES
    assert {Phase.GREETING, Phase.SEATED, Phase.ASKED} == AWAITING_PHASES


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", [kind for kind in get_args(ToBot) if kind is not NewGame])
def test_the_referee_sends_what_the_table_says_and_nothing_else(phase: Phase, kind: type) -> None:
    dialogue = dialogue_in(phase)
    if (phase, kind) in SEND_TRANSITIONS:
        assert dialogue.send(TO_BOT[kind]).endswith(b"\n")
        assert dialogue.phase is SEND_TRANSITIONS[phase, kind]
    else:
        with pytest.raises(AssertionError, match="the referee may not send"):
            dialogue.send(TO_BOT[kind])


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", get_args(FromBot))
def test_a_bot_says_what_the_table_says_and_nothing_else(phase: Phase, kind: type) -> None:
    dialogue = dialogue_in(phase)
    if (phase, kind) in RECEIVE_TRANSITIONS:
        assert isinstance(dialogue.receive(FROM_BOT[kind]), kind)
        assert dialogue.phase is RECEIVE_TRANSITIONS[phase, kind]
    else:
        with pytest.raises(BotError, match="out of turn") as caught:
            dialogue.receive(FROM_BOT[kind])
        assert caught.value.fault == "malformed"
        assert EXPECTED_MESSAGE_TEXT[phase] in caught.value.reason
        assert dialogue.phase is phase, "what is said out of turn is never acted on"


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("act", RefereeAct)
def test_the_referee_does_what_the_table_says_and_nothing_else(phase: Phase, act: RefereeAct) -> None:
    dialogue = dialogue_in(phase)
    do = {RefereeAct.OVERRULE: dialogue.overrule, RefereeAct.DROP_OUT: dialogue.drop_out}[act]
    if (phase, act) in ACT_TRANSITIONS:
        do()
        assert dialogue.phase is ACT_TRANSITIONS[phase, act]
    else:
        with pytest.raises(AssertionError, match=f"the referee may not {act.name}"):
            do()
        assert not dialogue.overruled_ids


def test_an_answer_to_another_question_changes_nothing() -> None:
    dialogue = dialogue_in(Phase.ASKED)
    with pytest.raises(BotError, match="an answer to question 6; question 7 is open"):
        dialogue.receive(b'{"type":"answer","id":6,"index":0}')
    assert dialogue.phase is Phase.ASKED


def test_an_overruled_question_drops_one_answer_and_no_more() -> None:
    dialogue = dialogue_in(Phase.ASKED)
    dialogue.overrule()
    assert dialogue.phase is Phase.PLAYING
    assert dialogue.receive(FROM_BOT[Answer]) is None
    with pytest.raises(BotError, match="out of turn"):
        dialogue.receive(FROM_BOT[Answer])


def test_overruled_questions_are_forgotten_with_the_next_ready() -> None:
    """Ids begin anew with each game: an old answer is dropped before `ready`, not after it."""
    dialogue = dialogue_in(Phase.ASKED)
    dialogue.overrule()
    dialogue.phase = Phase.SEATED
    assert dialogue.receive(FROM_BOT[Ready]) == Ready()
    with pytest.raises(BotError, match="out of turn"):
        dialogue.receive(FROM_BOT[Answer])


def test_a_bot_that_was_thrown_out_is_told_from_one_that_was_told_to_quit() -> None:
    thrown_out, told_to_quit = dialogue_in(Phase.ASKED), dialogue_in(Phase.IDLE)
    thrown_out.drop_out()
    told_to_quit.send(Quit())
    assert (thrown_out.phase, told_to_quit.phase) == (Phase.OUT, Phase.CLOSED)
    with pytest.raises(BotError, match="expected was nothing: it is out"):
        thrown_out.receive(FROM_BOT[Answer])
    with pytest.raises(BotError, match="expected was nothing: it was told to quit"):
        told_to_quit.receive(FROM_BOT[Answer])
