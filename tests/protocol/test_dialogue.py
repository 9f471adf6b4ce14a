"""The dialogue as a table: every pair of state and message is either in it or refused."""

from typing import get_args

import pytest

from peloarena.protocol import BotError, Dialogue, Phase
from peloarena.protocol.dialogue import AWAITED, RECEIVES, SENDS
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
    dialogue.question = 7
    return dialogue


def test_the_table_can_be_printed() -> None:
    """The whole life of a bot, in the order in which it is lived."""
    sends = [f"{a.name} → {m.__name__} → {b.name}" for (a, m), b in SENDS.items()]
    receives = [f"{a.name} ← {m.__name__} → {b.name}" for (a, m), b in RECEIVES.items()]
    assert sorted(sends + receives) == [
        "ASKED ← Answer → PLAYING",
        "GREETING ← BotHello → IDLE",
        "IDLE → NewGame → SEATED",
        "IDLE → Quit → CLOSED",
        "PLAYING → Decide → ASKED",
        "PLAYING → GameOver → IDLE",
        "SEATED ← Ready → PLAYING",
        "START → Hello → GREETING",
    ]


def test_nobody_may_speak_in_a_state_where_the_other_may() -> None:
    assert not {phase for phase, _ in SENDS} & {phase for phase, _ in RECEIVES}


def test_every_state_but_the_last_has_a_way_on_and_every_one_says_what_it_awaits() -> None:
    assert {phase for phase, _ in [*SENDS, *RECEIVES]} == set(Phase) - {Phase.CLOSED}
    assert set(AWAITED) == set(Phase)


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", [kind for kind in get_args(ToBot) if kind is not NewGame])
def test_the_referee_sends_what_the_table_says_and_nothing_else(phase: Phase, kind: type) -> None:
    dialogue = dialogue_in(phase)
    if (phase, kind) in SENDS:
        assert dialogue.send(TO_BOT[kind]).endswith(b"\n")
        assert dialogue.phase is SENDS[phase, kind]
    else:
        with pytest.raises(AssertionError, match="the referee may not send"):
            dialogue.send(TO_BOT[kind])


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", get_args(FromBot))
def test_a_bot_says_what_the_table_says_and_nothing_else(phase: Phase, kind: type) -> None:
    dialogue = dialogue_in(phase)
    if (phase, kind) in RECEIVES:
        assert isinstance(dialogue.receive(FROM_BOT[kind]), kind)
        assert dialogue.phase is RECEIVES[phase, kind]
    else:
        with pytest.raises(BotError, match="out of turn") as caught:
            dialogue.receive(FROM_BOT[kind])
        assert caught.value.fault == "malformed"
        assert AWAITED[phase] in caught.value.reason
        assert dialogue.phase is phase, "what is said out of turn is never acted on"


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


def test_a_bot_that_dropped_out_is_not_listened_to() -> None:
    dialogue = dialogue_in(Phase.ASKED)
    dialogue.drop_out()
    with pytest.raises(BotError, match="nothing: it was told to quit"):
        dialogue.receive(FROM_BOT[Answer])
