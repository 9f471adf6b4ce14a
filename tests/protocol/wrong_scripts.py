"""What a bot may do wrong, as scripts: one or more for each row of PROTOCOL.md's last table that needs no process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from peloarena.testing.scripted import Message, ScriptedBot

Run = Callable[[ScriptedBot], Awaitable[None]]
BRACKETS = 60_000


# ---- at the start


def in_place_of_hello(*said: Message | bytes) -> Run:
    async def run(bot: ScriptedBot) -> None:
        await bot.hear()
        for content in said:
            await bot.say(content)
        await bot.listen()

    return run


def in_place_of_ready(*said: Message | bytes) -> Run:
    async def run(bot: ScriptedBot) -> None:
        await bot.hear()
        await bot.say({"type": "hello", "name": "x"})
        await bot.hear()
        for content in said:
            await bot.say(content)
        await bot.play_on()

    return run


async def ends_at_once(bot: ScriptedBot) -> None:
    await bot.hear()


async def hello_unasked(bot: ScriptedBot) -> None:
    await bot.say({"type": "hello", "name": "x"})
    await bot.listen()


async def does_not_read_newgame(bot: ScriptedBot) -> None:
    await bot.hear()
    await bot.say({"type": "hello", "name": "x"})
    bot.room = 10
    await trio.sleep_forever()


# ---- instead of the first answer


def answers(content: Message | bytes) -> Run:
    """The first answer is this; `%d` in bytes is the question's id, a message gets it unless it has one."""

    async def run(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        question = await bot.hear()
        await bot.say(filled(content, question["id"]))
        await bot.play_on()

    return run


def filled(content: Message | bytes, number: int) -> Message | bytes:
    if isinstance(content, bytes):
        return content.replace(b"%d", b"%d" % number)
    return {"type": "answer", "id": number, **content}


def answer(rest: bytes) -> Run:
    """An answer with its id, and this."""
    return answers(b'{"type":"answer","id":%d,' + rest + b"}\n")


def move(**fields: object) -> Run:
    return answers({"move": fields})


async def as_large_as_the_list(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    question = await bot.hear()
    await bot.answer(question, index=len(question["legal"]))
    await bot.play_on()


async def first_move_in_full(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    while True:
        question = await bot.hear()
        if question["type"] != "decide":
            return
        move = question["legal"][0]
        optional = {"way": ""} if move["type"] in ("pay", "complete") and "way" not in move else {}
        await bot.answer(question, move={**optional, **dict(reversed(move.items()))})


# ---- bytes


async def byte_by_byte(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    question = await bot.hear()
    for byte in b'{"type":"answer","id":%d,"index":0}\n' % question["id"]:
        await bot.say(bytes([byte]))
        await trio.sleep(0.001)
    await bot.play_on()


async def drips(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.hear()
    while True:
        await bot.say(b" ")
        await trio.sleep(0.5)


async def never_a_newline(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.hear()
    while True:
        await bot.say(b"x" * 4096)


async def half_before_the_question(bot: ScriptedBot) -> None:
    await bot.hear()
    await bot.say({"type": "hello", "name": "x"})
    await bot.hear()
    await bot.say(b'{"type":"ready"}\n{"type":"answer",')
    question = await bot.hear()
    await bot.say(b'"id":%d,"index":0}\n' % question["id"])
    await bot.play_on()


# ---- turns


async def before_the_question(bot: ScriptedBot) -> None:
    await bot.hear()
    await bot.say({"type": "hello", "name": "x"})
    await bot.hear()
    await bot.say(b'{"type":"ready"}\n{"type":"answer","id":1,"index":0}\n{"type":"answer","id":2,"index":0}\n')
    await bot.listen()


def then_more(line: bytes) -> Run:
    """A good answer, and more in the same breath."""
    return answers(b'{"type":"answer","id":%d,"index":0}\n' + line)


async def answers_an_old_question(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    first = await bot.hear()
    await bot.answer(first)
    await bot.hear()
    await bot.answer(first)
    await bot.play_on()


def late_answers(count: int) -> Run:
    """The first questions are answered late, this number of them; then it plays on."""

    async def run(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        first = await bot.hear()
        await bot.hear()
        for _ in range(count):
            await bot.answer(first)
        await bot.answer(bot.heard[-1])
        await bot.play_on()

    return run


async def valid_lines_for_ever(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.hear()
    while True:
        await bot.say({"type": "ready"})


# ---- time and ends


def after_seconds(seconds: float) -> Run:
    async def run(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        question = await bot.hear()
        await trio.sleep(seconds)
        await bot.answer(question)
        await bot.play_on()

    return run


async def silent(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.listen()


async def does_not_read(bot: ScriptedBot) -> None:
    await bot.hear()
    await bot.say({"type": "hello", "name": "x"})
    await bot.hear()
    bot.room = 100
    await bot.say({"type": "ready"})
    await trio.sleep_forever()


async def ends_when_asked(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.hear()


async def ends_in_a_line(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.hear()
    await bot.say(b'{"type":"answer","id":')


async def answers_and_ends(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.answer(await bot.hear())


async def closes_its_output(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.hear()
    bot.close_output()
    await bot.listen()


async def closes_its_input(bot: ScriptedBot) -> None:
    await bot.shake_hands()
    await bot.answer(await bot.hear())
    bot.close_input()
    await trio.sleep_forever()


ODD_NOTE = '"note":"\\u001b[31m\\u202e<script>alert(1)</script>\\u0000"'

WRONGS: dict[str, list[Run]] = {
    "S1": [in_place_of_hello()],
    "S2": [in_place_of_hello({"type": "ready"})],
    "S3": [in_place_of_hello(b"My Bot 1.0\n", {"type": "hello", "name": "x"})],
    "S4": [ends_at_once],
    "S5": [in_place_of_hello({"type": "hello"}), in_place_of_hello({"type": "hello", "name": "x" * 81})],
    "S6": [in_place_of_hello({"type": "hello", "name": "x", "wants": "everything"})],
    "S7": [in_place_of_hello({"type": "hello", "name": "x", "author": "y"})],
    "S8": [hello_unasked],
    "S9": [in_place_of_hello(b'{"type":"hello","name":"x"}\n' * 2)],
    "S10": [in_place_of_ready()],
    "S11": [does_not_read_newgame],
    "S12": [in_place_of_ready({"type": "answer", "id": 1, "index": 0})],
    "S13": [in_place_of_ready(b'{"type":"ready"}\n' * 2)],
    "S14": [in_place_of_hello(b"x" * 70_000)],
    "L1": [answers(b"\n"), answers(b"   \n")],
    "L2": [answers(b'{"type":"answer","id":%d,"index":0}\r\n')],
    "L3": [answers(b'  { "index" : 0 , "id" : %d , "type" : "answer" }  \n')],
    "L4": [answers(b'\xef\xbb\xbf{"type":"answer","id":%d,"index":0}\n')],
    "L5": [answer(b'"index":0,"note":"\xff"'), answer(b'"index":0,"\xc3":1'), answers(b"\xfe\xff\n")],
    "L6": [answers(b"\0\n"), answers(b'{"type":"answer","id":%d,"index":0}\0\n'), answer(b'"index":0,"note":"a\0"')],
    "L7": [answer(b'"index":0,"note":"\\ud800"'), answer(b'"index":0,"\\ud800":1')],
    "L8": [answer(b'"index":0,"note":"' + b"x" * 66_000 + b'"'), answers(b" " * 66_000 + b"\n")],
    "L9": [never_a_newline],
    "L10": [answers(b'{"type":"answer","id":%d')],
    "L11": [byte_by_byte],
    "L12": [drips],
    "L13": [half_before_the_question],
    "M1": [answers(b"your move!\n"), answers(b"{'type':'answer'}\n")],
    "M2": [answers(b'"ready"\n'), answers(b"[]\n"), answers(b"5\n"), answers(b"null\n")],
    "M3": [answers(b'{"type":"answer","id":%d,"index":0} {"type":"ready"}\n')],
    "M4": [answers(b"{}\n"), answers(b'{"id":%d,"index":0}\n')],
    "M5": [answers(b'{"type":"resign"}\n'), answers(b'{"type":"decide"}\n'), answers(b'{"type":5}\n')],
    "M6": [answers({"index": 0, "confidence": 1})],
    "M7": [answers(b'{"type":"answer","index":0}\n')],
    "M8": [answers({"index": bad}) for bad in ("0", True, None, [0], {"index": 0})] + [answers({"move": "pass"})],
    "M9": [
        answer(b'"index":0,"index":0'),
        answer(b'"index":0,"index":1'),
        answer(b'"move":{"type":"pass","type":"pass"}'),
        answers(b'{"type":"answer","type":"answer","id":%d,"index":0}\n'),
    ],
    "M10": [
        answers(b"[" * BRACKETS + b"\n"),
        answers(b'{"x":' + b"[" * BRACKETS + b',"type":"answer"}\n'),
        answer(b'"index":0,"note":' + b"[" * (BRACKETS // 2) + b"]" * (BRACKETS // 2)),
        answer(b'"move":{"type":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}"),
    ],
    "M11": [answers(b"[" * 100_000), answers(b"[" * 100_000 + b"\n")],
    "M12": [answer(b'"index":NaN'), answer(b'"index":Infinity'), answer(b'"index":-Infinity')],
    "M13": [answer(b'"index":1.0'), answer(b'"index":1e0'), answer(b'"index":0.5')],
    "M14": [answer(b'"index":1e400'), answer(b'"index":' + b"9" * 10_000), answers(b'{"type":"answer","id":1e999}\n')],
    "M15": [answers({"index": 0, "note": "x" * 501})],
    "M16": [answer(b'"index":0,' + ODD_NOTE.encode()), answers({"index": 0, "note": "ä" * 500})],
    "T1": [answers({"id": 999, "index": 0}), answers({"id": -1, "index": 0}), answers({"id": 10**30, "index": 0})],
    "T2": [before_the_question],
    "T3": [then_more(b'{"type":"answer","id":%d,"index":0}\n')],
    "T4": [then_more(b"\n"), then_more(b"thinking...\n")],
    "T6": [answers(b'{"type":"ready"}\n'), answers(b'{"type":"hello","name":"x"}\n')],
    "T7": [answers_an_old_question],
    "T8": [late_answers(1)],
    "T9": [late_answers(2)],
    "T10": [valid_lines_for_ever],
    "A1": [answers({"index": 0, "move": {"type": "pass"}})],
    "A2": [answers({"note": "hm"})],
    "A3": [answers({"index": -1})],
    "A4": [as_large_as_the_list],
    "A5": [answers({"index": 10**30}), answers({"index": -(10**30)})],
    "A6": [
        move(type="castle"),
        move(tile="A01"),
        move(type="pass", why="no"),
        move(type="bid", tile="A01"),
        move(type="bid", tile="A01", coins="3"),
        move(type="bid", tile="A01", coins=3.0),
        move(),
    ],
    "A7": [move(type="bid", tile="A01", coins=10**30), move(type="bid", tile="Z99", coins=3)],
    "A8": [
        move(type="bid", tile="A01", coins=7),
        move(type="offer_swap", deck="heroes", seat=10**6, coins=1),
        move(type="offer_swap", deck="heroes", seat=-5, coins=1),
    ],
    "A9": [move(type="withdraw"), move(type="feed", inhabitants=-1), move(type="ward_off", kind="x" * 5000)],
    "A10": [first_move_in_full],
    "C1": [silent],
    "C2": [after_seconds(30.051)],
    "C3": [after_seconds(30.049)],
    "C5": [does_not_read],
    "P1": [ends_when_asked],
    "P2": [ends_in_a_line],
    "P3": [answers_and_ends],
    "P5": [closes_its_output],
    "P6": [closes_its_input],
}
FORGIVEN = ("T8", "T9")
"""These play with one fault forgiven."""
ELSEWHERE = {
    "T5": "test_an_extra_answer_at_the_end_is_found_in_the_next_game",
    "C4": "test_time.py: test_the_limit_of_a_move_holds_whatever_the_bank",
    "C6": "test_processes.py",
    "P4": "test_processes.py",
    "P7": "test_processes.py",
    "P8": "test_processes.py",
    "P9": "test_processes.py",
    "P10": "test_arena.py: test_a_bot_whose_tree_does_not_die_fails_its_next_game",
}
