"""Records: what is written, that the page describes it, and that nothing can be changed unseen."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import MockClock

from peloarena.game import RULES, GameOptions, make_options
from peloarena.game.json_codec import decode
from peloarena.game.registry import MODULES
from peloarena.referee.caretaker import IDLE_MOVE_TAGS
from peloarena.referee.record import (
    RECORD_FORMAT,
    DecisionLine,
    EndLine,
    Header,
    RecordLine,
    RecordOrigin,
    ResultLine,
    SeatInfo,
    Timing,
    VerdictLine,
)
from peloarena.referee.record_verification import RecordError, read_lines, verify_record
from peloarena.referee.time_control import TimeControl
from peloarena.referee.verdict import Evidence, Outcome, Verdict
from peloarena.testing.scripted import DULL, Script, after, play_scripted
from peloarena.tournament.rating_sources import rating_input_of_records

PAGE = (Path(__file__).parents[2] / "spec" / "RECORD.md").read_text(encoding="utf-8")


def record_of(*scripts: Script, faults: int = 0, options: GameOptions | None = None) -> bytes:
    async def play() -> bytes:
        return (await play_scripted(*scripts, faults=faults, options=options)).record

    return trio.run(play, clock=MockClock(autojump_threshold=0))


@pytest.fixture(scope="module")
def record() -> bytes:
    """A whole game of three: a late and an illegal answer, both forgiven; a note."""
    note = after(0.1, index=0, note="x")
    return record_of([after(40)], [note], [after(0.1), after(0.1, index=-1)], faults=1)


@pytest.fixture(scope="module")
def judged() -> bytes:
    """A whole game with a bot that is out for good."""
    return record_of(DULL, DULL, [after(0.1, b"nonsense\n")])


# ---- tampering


def sealed(lines: list[bytes]) -> bytes:
    """These lines with right digests: what someone would do who knows this page."""
    game = hashlib.sha256()
    for line in lines:
        game.update(re.sub(rb',"(?:timing|evidence)":\{.*\}\}$', b"}", line) + b"\n")
    body = b"\n".join(lines) + b"\n"
    return body + msgspec.json.encode(EndLine(game.hexdigest(), hashlib.sha256(body).hexdigest())) + b"\n"


def body(data: bytes) -> list[bytes]:
    return data.splitlines()[:-1]


def number_of(data: bytes, words: bytes) -> int:
    """The first line with these words, counted from 1."""
    return next(n for n, line in enumerate(data.splitlines(), 1) if words in line)


def swapped(data: bytes, number: int, old: bytes, new: bytes) -> bytes:
    lines = data.splitlines()
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    return b"\n".join(lines) + b"\n"


def bad_line(data: bytes) -> tuple[int, str]:
    with pytest.raises(RecordError) as caught:
        verify_record(data)
    assert str(caught.value) == f"line {caught.value.line}: {caught.value.problem}"
    return caught.value.line, caught.value.problem


def test_untouched_records_hold(record: bytes, judged: bytes) -> None:
    for data in (record, judged):
        assert verify_record(data).outcome is not None
        assert verify_record(sealed(body(data))).outcome is not None


TAMPERING: dict[str, tuple[bytes, bytes, bytes, bool]] = {  # the line, old, new, whether the replay alone finds it
    "a move": (b'"id":2,', b'"move":{"type":"bid","tile":"A', b'"move":{"type":"bid","tile":"B', True),
    "a score": (b'"type":"result"', b'"score":', b'"score":1', True),
    "a rank": (b'"type":"result"', b'"ranks":[', b'"ranks":[7,', True),
    "an event": (b'"kind":"plague"', b'"kind":"plague"', b'"kind":"tempest"', True),
    "the opening": (b'"type":"header"', b'"type":"revealed","open":["A01"', b'"type":"revealed","open":["A02"', True),
    "the seed": (b'"type":"header"', b'"seed":"friday-1"', b'"seed":"friday-2"', True),
    "the options": (b'"type":"header"', b'"options":{"players":3', b'"options":{"players":2', True),
    "the format version": (b'"type":"header"', b'"format":3', b'"format":4', True),
    "the rules version": (b'"type":"header"', b'"rules":2', b'"rules":9', True),
    "the protocol version": (b'"type":"header"', b'"protocol":1', b'"protocol":9', True),
    "the number of a question": (b'"id":4,', b'"id":4,', b'"id":5,', True),
    "the seat": (b'"id":4,', b'"seat":', b'"seat":4', True),
    "who chose": (b'"by":"caretaker"', b',"by":"caretaker"', b"", True),
    "the forgiving": (b'"forgiven":true', b',"forgiven":true', b"", True),
    "the faults forgiven": (b'"type":"header"', b'"faults":1', b'"faults":0', False),
    "the question of a verdict": (b'"type":"verdict"', b'"decision":', b'"decision":1', True),
    "the seat of a verdict": (b'"type":"verdict"', b'"verdict":{"seat":', b'"verdict":{"seat":9', True),
    "the fault": (b'"type":"verdict"', b'"fault":"late"', b'"fault":"crashed"', True),
    "a bot's hash": (b'"type":"header"', b'"bot":"000', b'"bot":"111', False),
    "a bot's name": (b'"type":"header"', b'"name":"bot0"', b'"name":"winner"', False),
    "a note": (b'"note":"x"', b'"note":"x"', b'"note":"y"', False),
    "the clock": (b'"type":"header"', b'"clock":{}', b'"clock":{"bank":60.0}', False),
    "a timing": (b'"timing":', b'"seconds":', b'"seconds":1', False),
    "an evidence": (b'"evidence":', b'"request":"', b'"request":"x', False),
}


@pytest.mark.parametrize("what", TAMPERING)
def test_a_change_is_found(record: bytes, what: str) -> None:
    words, old, new, by_replay = TAMPERING[what]
    number = number_of(record, words)
    changed = swapped(record, number, old, new)
    last = len(record.splitlines())
    if by_replay:
        assert bad_line(changed)[0] == number
        assert bad_line(sealed(body(changed)))[0] == number, "new digests do not help"
    elif what == "the faults forgiven":
        assert bad_line(changed)[0] == number_of(record, b'"type":"verdict"')
    else:
        assert bad_line(changed)[0] == last
        verify_record(sealed(body(changed)))  # integrity, not authorship


def test_a_dropped_line_is_found(record: bytes) -> None:
    lines = body(record)
    for number in range(len(lines)):
        damaged = lines[:number] + lines[number + 1 :]
        bad_line(b"\n".join(damaged) + b"\n" + record.splitlines()[-1] + b"\n")
        bad_line(sealed(damaged))


def test_swapped_lines_are_found(record: bytes) -> None:
    lines = body(record)
    for number in range(len(lines) - 1):
        damaged = lines[:number] + [lines[number + 1], lines[number]] + lines[number + 2 :]
        assert bad_line(sealed(damaged))[0] in (number + 1, number + 2)


def test_a_line_twice_is_found(record: bytes) -> None:
    lines = body(record)
    for number in range(len(lines)):
        assert bad_line(sealed(lines[: number + 1] + lines[number:]))[0] == number + 2


def test_a_truncated_file_is_found(record: bytes) -> None:
    lines = record.splitlines(keepends=True)
    assert bad_line(b"".join(lines[:5])) == (6, "the file is cut off: there is no end line")
    assert bad_line(record[:-1])[1] == "the file is cut off: its last line has no end"
    assert bad_line(record[:200])[1] == "the file is cut off: its last line has no end"
    assert bad_line(b"")[1] == "the file is cut off: there is no end line"


def test_an_edited_digest_is_found(record: bytes) -> None:
    last = len(record.splitlines())
    end = json.loads(record.splitlines()[-1])
    for name, words in (("game", "something above was changed"), ("file", "a timing or evidence above was changed")):
        wrong = swapped(record, last, end[name].encode(), b"0" * 64)
        line, problem = bad_line(wrong)
        assert line == last
        assert words in problem


def test_a_timing_is_told_from_a_change_of_the_game(record: bytes) -> None:
    changed = swapped(record, number_of(record, b'"timing":'), b'"seconds":', b'"seconds":1')
    assert "the digest of the file does not fit" in bad_line(changed)[1]


def test_something_after_the_end_is_found(record: bytes) -> None:
    assert bad_line(record + b"{}\n")[1] == "something follows the end line"
    assert "cut off" in bad_line(record + b"x")[1]


@pytest.mark.parametrize(
    "junk",
    [b"\n", b"null\n", b"[]\n", b"{}\n", b'{"type":"header"}\n', b"\xff\n", b'{"type":"x"}\n', b"[" * 50_000 + b"\n"],
)
def test_junk_is_refused_at_its_line(record: bytes, junk: bytes) -> None:
    assert bad_line(junk)[0] == 1
    assert bad_line(record.splitlines(keepends=True)[0] + junk)[0] == 2


def test_a_line_written_in_another_way_is_refused(record: bytes) -> None:
    """Spaces, another order of fields, a field more: there is one way to write a line."""
    for old, new in ((b'"id":1,', b'"id": 1,'), (b'"id":1,', b'"id":1,"more":0,'), (b'"id":1,', b'"id":1,"id":1,')):
        assert bad_line(swapped(record, 2, old, new)) == (2, "not written as peloarena writes it")


def test_a_timing_must_be_one_and_stand_last(record: bytes) -> None:
    line = body(record)[1]
    assert line.endswith(b"}}")
    moved = re.sub(rb'^\{(.*),("timing":\{.*\})\}$', rb"{\2,\1}", line)
    for wrong, words in (
        (moved, "must be the last field"),
        (re.sub(rb'"seconds":[^,}]*', b'"seconds":"x"', line), "`timing`"),
    ):
        number, problem = bad_line(sealed([body(record)[0], wrong, *body(record)[2:]]))
        assert number == 2
        assert words in problem


def test_a_result_before_the_end_is_refused(record: bytes) -> None:
    lines = body(record)
    assert bad_line(sealed([*lines[:4], lines[-1]])) == (5, "a result before the end of the game")


def test_a_verdict_out_of_nowhere_is_refused(judged: bytes) -> None:
    lines = body(judged)
    extra = b'{"type":"verdict","verdict":{"seat":0,"fault":"crashed","reason":"x","decision":0}}'
    assert bad_line(sealed([*lines[:4], extra, *lines[4:]]))[0] == 5


# ---- the page


EXPLAINED = (
    *(Header, GameOptions, SeatInfo, RecordOrigin, TimeControl, DecisionLine, Timing),
    *(VerdictLine, Verdict, Evidence, ResultLine, Outcome, EndLine),
)


@pytest.mark.parametrize("kind", EXPLAINED, ids=lambda kind: kind.__name__)
def test_every_field_is_explained_in_its_order(kind: type[msgspec.Struct]) -> None:
    """The order matters here: it is the order in which they are written."""
    table = PAGE.partition(f"<!-- fields: {kind.__name__} -->")[2].strip().partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == kind.__struct_encode_fields__


def page_record() -> bytes:
    found = re.search(r"<!-- record -->\n```jsonl\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found.group(1).encode()


def test_the_record_of_the_page_holds() -> None:
    replay = verify_record(page_record())
    assert replay.outcome is not None
    assert replay.outcome.ranks == (1, 2)
    assert {type(line) for _, line, _ in read_lines(page_record())} == set(RecordLine.__args__)


@pytest.mark.parametrize("line", re.findall(r"<!-- line -->\n```json\n(.*?)\n```", PAGE))
def test_every_line_of_the_page_decodes(line: str) -> None:
    assert [number for number, _, _ in read_lines(line.encode() + b"\n")] == [1]


def test_the_pages_own_program_makes_the_digests(record: bytes) -> None:
    """Written for those who verify in another language."""
    found = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert found
    names: dict[str, Callable[[bytes], tuple[str, str]]] = {}
    exec(found.group(1), names)
    for data in (page_record(), record):
        end = json.loads(data.splitlines()[-1])
        assert names["digests"](data) == (end["game"], end["file"])


def test_the_numbers_of_the_page() -> None:
    assert f"The version of this page: {RECORD_FORMAT}." in PAGE
    assert f"The version of the rules: {RULES}, or an older one." in PAGE
    assert ", ".join(f"`{tag}`" for tag in IDLE_MOVE_TAGS) in PAGE


# ---- what is written


def test_the_same_bots_write_the_same_record() -> None:
    """Under one clock even the timing is the same."""
    assert record_of(DULL, DULL) == record_of(DULL, DULL)


def test_other_times_change_the_file_digest_only() -> None:
    quick, slow = record_of(DULL, DULL), record_of([after(0.3), after(0.7)], DULL)
    first, second = (json.loads(data.splitlines()[-1]) for data in (quick, slow))
    assert first["game"] == second["game"]
    assert first["file"] != second["file"]


def test_records_of_all_modules_hold() -> None:
    for players, modules in ((1, ()), (2, ()), (3, tuple(m for m in MODULES if m != "athens")), (8, tuple(MODULES))):
        data = record_of(*[DULL] * players, options=make_options(players, modules))
        assert verify_record(data).outcome is not None


def test_a_solo_bot_that_is_out_has_missed_its_level() -> None:
    data = record_of([after(0.0, index=99)], options=make_options(1))
    lines = [line for _, line, _ in read_lines(data)]
    assert lines[-2] == ResultLine(Outcome((1,), (None,), (True,), False, None))


def test_seats_that_are_out_rank_by_how_long_they_stayed() -> None:
    """Behind all who finish, the later out the higher; the score of a seat that is out is none."""
    data = record_of([after(0.0, index=-1)], DULL, DULL, [after(0.0), after(0.0, index=-1)], options=make_options(4))
    outcome = next(line.outcome for _, line, _ in read_lines(data) if isinstance(line, ResultLine))
    assert (outcome.ranks[0], outcome.ranks[3]) == (4, 3)
    assert outcome.scores[0] is outcome.scores[3] is None
    assert outcome.finished
    assert outcome.result is not None


# ---- format 2


def continued(data: bytes, decisions: int, origin: dict[str, object] | None = None) -> list[bytes]:
    """The lines of the same game, as if it had gone on after this number of decisions of `data`."""
    end = json.loads(data.splitlines()[-1])
    head = {**json.loads(body(data)[0]), "from": {"digest": end["game"], "decisions": decisions, **(origin or {})}}
    lines = [json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()]
    for line in body(data)[1:]:
        fields = json.loads(line)
        if fields["type"] == "decision" and fields["id"] <= decisions:
            fields.pop("timing", None)
            line = json.dumps({**fields, "by": "record"}, separators=(",", ":"), ensure_ascii=False).encode()
        lines.append(line)
    return lines


@pytest.fixture(scope="module")
def plain() -> bytes:
    return record_of(DULL, DULL)


def test_a_game_that_goes_on_from_a_position_holds(plain: bytes) -> None:
    replay = verify_record(sealed(continued(plain, 5)))
    assert replay.outcome == verify_record(plain).outcome
    assert replay.header.origin == RecordOrigin(json.loads(plain.splitlines()[-1])["game"], 5)


def test_a_decision_is_by_the_record_exactly_where_from_says_so(plain: bytes) -> None:
    lines = continued(plain, 5)
    too_few = [*lines[:5], lines[5].replace(b',"by":"record"', b""), *lines[6:]]
    assert bad_line(sealed(too_few)) == (6, "chosen by the bot, but the record must decide here")
    too_many = [*lines[:6], lines[6].replace(b',"timing":', b',"by":"record","timing":'), *lines[7:]]
    assert bad_line(sealed(too_many)) == (7, "chosen by the record, but the bot must decide here")
    without = [body(plain)[0], *lines[1:]]
    assert bad_line(sealed(without)) == (2, "chosen by the record, but the bot must decide here")


def test_the_decisions_of_from_are_judged_by_nobody(plain: bytes) -> None:
    """Verdicts are not taken over; those on the handshake stand behind the decisions that are."""
    lines = continued(plain, 5)
    seat = json.loads(lines[3])["seat"]
    verdict = b'{"type":"verdict","verdict":{"seat":%d,"fault":"crashed","reason":"x","decision":%d}}'
    asked = [*lines[:3], verdict % (seat, 3), *lines[3:]]
    assert bad_line(sealed(asked)) == (4, f"a verdict on seat {seat} for question 3, which it is not asked")
    early = [*lines[:1], verdict % (0, 0), *lines[1:]]
    assert bad_line(sealed(early))[0] == 2
    result = msgspec.json.encode(ResultLine(Outcome((2, 1), (None, None), (True, False), False, None)))
    verify_record(sealed([*lines[:6], verdict % (0, 0), result]))
    assert bad_line(sealed([*lines[:5], result]))[0] == 6


@pytest.mark.parametrize("wrong", [{"decisions": 0}, {"decisions": -1}, {"digest": "x"}, {"digest": "A" * 64}])
def test_from_names_a_digest_and_a_decision(plain: bytes, wrong: dict[str, object]) -> None:
    assert bad_line(sealed(continued(plain, 5, wrong)))[0] == 1


def test_a_game_cannot_go_on_after_its_end(plain: bytes) -> None:
    decisions = sum(b'"type":"decision"' in line for line in body(plain))
    verify_record(sealed(continued(plain, decisions)))
    assert "some are missing" in bad_line(sealed(continued(plain, decisions + 1)))[1]


def test_seats_and_seating_are_told(plain: bytes) -> None:
    head = decode(plain.splitlines()[0], Header)
    seats = (msgspec.structs.replace(head.seats[0], entry=7, edition=2, env={"DEPTH": "3"}), head.seats[1])
    told = msgspec.structs.replace(head, seats=seats, seating=1)
    assert verify_record(sealed([msgspec.json.encode(told), *body(plain)[1:]])).header == told
    old = msgspec.structs.replace(told, format=1)
    assert bad_line(sealed([msgspec.json.encode(old), *body(plain)[1:]])) == (1, "a field that format 1 does not have")


def test_one_question_has_one_verdict(record: bytes) -> None:
    """Else a small file could keep `verify` busy for ever."""
    lines = body(record)
    at = number_of(record, b'"forgiven":true')
    generous = [lines[0].replace(b'"faults":1', b'"faults":99'), *lines[1:at], *lines[at - 1 :]]
    assert bad_line(sealed(generous))[0] == at + 1


def test_a_handshake_is_never_forgiven(record: bytes) -> None:
    forgiven = b'{"type":"verdict","verdict":{"seat":0,"fault":"late","reason":"x","decision":0,"forgiven":true}}'
    lines = body(record)
    assert bad_line(sealed([lines[0], forgiven, *lines[1:]])) == (2, "a handshake is never forgiven")


def test_a_token_key_is_of_format_3_and_has_64_digits(record: bytes) -> None:
    head, *rest = body(record)
    for key, format, problem in (
        (b"ab" * 32, b"3", ""),
        (b"ab" * 32, b"2", "a field that format 2 does not have"),
        (b"ab" * 32, b"1", "a field that format 1 does not have"),
        (b"AB" * 32, b"3", "`token_key` must have 64 lower-case hexadecimal digits"),
        (b"ab" * 31, b"3", "`token_key` must have 64 lower-case hexadecimal digits"),
    ):
        changed = head[:-1].replace(b'"format":3', b'"format":' + format) + b',"token_key":"' + key + b'"}'
        data = sealed([changed, *rest])
        if problem:
            assert bad_line(data) == (1, problem)
        else:
            assert verify_record(data).header.token_key == key.decode()


def test_a_header_says_what_was_played(record: bytes) -> None:
    first = decode(record.splitlines()[0], Header)
    assert first.options == make_options(3)
    assert [seat.name for seat in first.seats] == ["bot0", "bot1", "bot2"]
    assert first.clock == TimeControl()


def test_ratings_leave_out_a_game_that_goes_on_from_a_position(plain: bytes) -> None:
    rated = rating_input_of_records([("whole", plain), ("continued", sealed(continued(plain, 5)))])
    assert len(rated.results) == 1
    assert rated.notes == ("left out: 1 game that goes on from a position of another record",)
