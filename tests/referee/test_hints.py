"""Hints: each mistake is made by a real bot and gets its hint; beside it stands a near miss, which does not.

In the open and, where it could differ, in the sandbox; memory and threads only a sandbox with groups bounds. A short
start for bots that are silent.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from little_bots import little_bot
from promises import CGROUPS, NODE, SANDBOX, needs, untried

from peloarena.game import ConfigError
from peloarena.referee import silent_bots
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.build import build_bot_sync
from peloarena.referee.conformance import Checker, Finding
from peloarena.referee.hints import USE_DESCRIPTOR_ADVICE, FailureCase, hint_for
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.time_control import TimeControl
from peloarena.referee.verdict import Evidence

SAY_ANSWER = "say({{'type': 'answer', 'id': message['id'], {}}}); continue"
CLOCK = TimeControl(60.0, 0.0, 3.0)
SHORT_START = TimeControl(60.0, 0.0, 3.0, startup=2.0)
LONG = 30.0
"""Seconds: patience that ends early, with the line that it waits for."""
NO_TIME = 0.01
"""Seconds in which nothing can come, and no bot can use enough CPU time to seem at work."""


@pytest.fixture(scope="module")
def in_the_open() -> Iterator[Isolation]:
    with prepare("off") as isolation:
        yield isolation


@pytest.fixture(scope="module")
def in_the_sandbox() -> Iterator[Isolation]:
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
        yield isolation


@pytest.fixture(params=["in_the_open", "in_the_sandbox"])
def anywhere(request: pytest.FixtureRequest) -> Isolation:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Isolation)
    return found


@pytest.fixture(autouse=True)
def _everybody_may_read(tmp_path: Path) -> None:
    """Pytest's folders are for one user alone; bots in the sandbox have uids of their own."""
    tmp_path.chmod(0o755)


@pytest.fixture(scope="module")
def grouped() -> Iterator[Isolation]:
    with prepare("auto") as isolation:
        if isolation.style == "none" or isolation.hierarchy is None:
            untried(CGROUPS, "; ".join(isolation.missing_part_texts))
        yield isolation


def first_bad(path: Path | str, isolation: Isolation, clock: TimeControl = CLOCK) -> Finding | None:
    found: list[Finding] = []
    trio.run(Checker(find_bot(path), isolation, clock, found.append, short=True).run)
    return next((finding for finding in found if not finding.ok), None)


def hint_of(path: Path | str, isolation: Isolation, clock: TimeControl = CLOCK) -> str:
    finding = first_bad(path, isolation, clock)
    return "" if finding is None else finding.hint


def botkit_bot(place: Path, program: str) -> Path:
    (place / "main.py").write_text(f"from peloarena.botkit import play\n{program}\n")
    return place


# ---- what a bot says, each with the near miss that gets another hint or none

WORDS = {
    "print to stdout": ({"decide": "print('thinking')"}, "stdout is for messages only"),
    "print to stderr": ({"decide": "print('thinking', file=sys.stderr); index = 99999"}, "an index counts from 0"),
    "keys without quotes": ({"decide": "print('{type: answer}', flush=True)"}, "this is nearly JSON"),
    "a dict of Python's": ({"decide": "print({'type': 'answer'}, flush=True)"}, "this is nearly JSON"),
    "another type": ({"decide": "say({'type': 'move', 'index': 0}); continue"}, "`answer` to each question"),
    "no type": ({"decide": "say({'index': 0}); continue"}, "`answer` to each question"),
    "UTF-16": ({"start": "sys.stdout.reconfigure(encoding='utf-16')"}, "this is UTF-16"),
    "UTF-16 without a mark": ({"start": "sys.stdout.reconfigure(encoding='utf-16-le')"}, "this is UTF-16"),
    "big-endian UTF-16": ({"start": "sys.stdout.reconfigure(encoding='utf-16-be')"}, "this is UTF-16"),
    "one NUL byte": ({"hello": "say('\\0')"}, "stdout is for messages only"),
    "byte order mark": ({"start": "sys.stdout.write('\\ufeff')"}, "byte order mark"),
    "byte order mark inside": ({"decide": "say('x\\ufeff')"}, "stdout is for messages only"),
    "Latin-1": (
        {"hello": 'sys.stdout.buffer.write(b\'{"type":"hello","name":"\\xe9"}\\n\'); sys.stdout.flush(); continue'},
        "write UTF-8, or only ASCII",
    ),
    "wrong index": ({"decide": "index = len(message['legal'])"}, "an index counts from 0 into `legal`"),
    "index below 0": ({"decide": "index = -1"}, "an index counts from 0 into `legal`"),
    "illegal move": (
        {"decide": SAY_ANSWER.format("'move': {'type': 'bid', 'tile': 'Z99', 'coins': 1}")},
        "answer with an `index` into `legal`",
    ),
    "missing id": ({"decide": "say({'type': 'answer', 'index': 0}); continue"}, "copy `id` from the question"),
    "wrong id": ({"decide": "say({'type': 'answer', 'id': 4711, 'index': 0}); continue"}, ""),
    "unknown field": ({"decide": SAY_ANSWER.format("'index': 0, 'why': 'x'")}, "go into `note`"),
    "note": ({"decide": SAY_ANSWER.format("'index': 0, 'note': 'x'")}, ""),
    "string index": ({"decide": SAY_ANSWER.format("'index': '0'")}, 'a number, not text: 3 and not "3"'),
    "float index": ({"decide": SAY_ANSWER.format("'index': 0.5")}, ""),
    "exception": ({"decide": "raise ValueError"}, "an exception ended it"),
    "exception that is caught": ({"decide": "sys.stderr.write('Traceback (most recent call last):\\n')"}, ""),
    "exit without a word": ({"decide": "sys.exit(3)"}, ""),
    "end without an error": ({"decide": "break"}, "it ended by itself, and not by an error"),
    "start without a loop": ({"start": "sys.exit(0)"}, "it ended by itself, and not by an error"),
    "exception in gameover": ({"gameover": "raise ValueError"}, "it ended after `gameover`"),
    "exception in newgame": ({"newgame": "if games == 2: raise ValueError"}, "an exception ended it"),
    "syntax error": ({"start": "def f(:"}, "Python cannot read this file"),
    "missing package": ({"start": "import not_there"}, "pip install --target ."),
    "waits for something": ({"decide": "time.sleep(3600)"}, "it hardly used the CPU"),
    "no mistake": ({}, ""),
}


@pytest.mark.parametrize("name", WORDS)
def test_what_a_bot_says_or_does(tmp_path: Path, in_the_open: Isolation, name: str) -> None:
    parts, expected = WORDS[name]
    hint = hint_of(little_bot(tmp_path, "mine", **parts), in_the_open)
    assert expected in hint if expected else hint == ""


@pytest.mark.parametrize(
    "name", ["print to stdout", "exception", "exception in gameover", "syntax error", "no mistake"]
)
def test_ends_and_words_in_the_sandbox(tmp_path: Path, in_the_sandbox: Isolation, name: str) -> None:
    """Other processes stand between the bot and its referee there: they change neither."""
    test_what_a_bot_says_or_does(tmp_path, in_the_sandbox, name)


@pytest.mark.parametrize("chosen", ["None", "'0'"])
def test_choose_that_returns_no_move(tmp_path: Path, anywhere: Isolation, chosen: str) -> None:
    bot = botkit_bot(tmp_path, f"play(lambda decide, game: {chosen}, name='odd')")
    assert hint_of(bot, anywhere).startswith("return an index into decide['legal']")


def test_on_gameover_that_raises_and_one_that_does_not(tmp_path: Path, anywhere: Isolation) -> None:
    bot = botkit_bot(tmp_path, "play(lambda decide, game: 0, name='odd', on_gameover=lambda *said: 1 // 0)")
    assert hint_of(bot, anywhere).startswith("it ended after `gameover`")
    botkit_bot(tmp_path, "play(lambda decide, game: 0, name='odd', on_gameover=lambda *said: None)")
    assert hint_of(tmp_path, anywhere) == ""


def test_choose_that_raises(tmp_path: Path, anywhere: Isolation) -> None:
    bot = botkit_bot(tmp_path, "play(lambda decide, game: 1 // 0, name='odd')")
    assert hint_of(bot, anywhere).startswith("an exception ended it")


def test_a_script_that_calls_what_is_not_there(tmp_path: Path, anywhere: Isolation) -> None:
    (tmp_path / "bot.sh").write_text("cobol-9000 main.cob\n")
    assert hint_of(tmp_path, anywhere).startswith("a program or file is missing where bots run")
    (tmp_path / "bot.sh").write_text("echo 'no luck' >&2; exit 1\n")
    assert hint_of(tmp_path, anywhere) == ""


# ---- silence: three mistakes that look alike

HELLO = """
import json, sys, time
{before}
def answer(line, **how):
    if json.loads(line)["type"] == "hello":
        print('{{"type":"hello","name":"x"}}', **how)
    if json.loads(line)["type"] == "quit":
        sys.exit()
{reads}
"""
UNFLUSHED = "for line in iter(sys.stdin.readline, ''): answer(line)"
KNOWS_NO_QUIT = """
while line := sys.stdin.readline():
    if 'hello' in line: print('{"type":"hello","name":"x"}')
    else: json.loads(line)['id']
"""
BY_BLOCKS = "for line in sys.stdin.read().splitlines(): answer(line, flush=True)"
FLUSHED = "for line in iter(sys.stdin.readline, ''): answer(line, flush=True)"


def silent_bot(place: Path, reads: str, before: str = "") -> Path:
    (place / "main.py").write_text(HELLO.format(reads=reads, before=before))
    return place


def with_patience(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> None:
    stages = (stage._replace(seconds=s) for stage, s in zip(silent_bots.PROBE_STAGES, seconds, strict=True))
    monkeypatch.setattr(silent_bots, "PROBE_STAGES", tuple(stages))


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the CPU time shows that a bot is at work: beside forty programs it has no more."""
    monkeypatch.setattr(silent_bots, "STILL_BUSY_CPU_SECONDS", silent_bots.STILL_BUSY_CPU_SECONDS / 10)


@pytest.mark.parametrize("reads", [UNFLUSHED, KNOWS_NO_QUIT], ids=["knows quit", "knows no quit"])
def test_a_forgotten_flush(tmp_path: Path, anywhere: Isolation, monkeypatch: pytest.MonkeyPatch, reads: str) -> None:
    with_patience(monkeypatch, NO_TIME, LONG, LONG)
    assert hint_of(silent_bot(tmp_path, reads), anywhere, SHORT_START).startswith(
        "its line was stuck in a buffer: flush"
    )


def test_reading_by_blocks(tmp_path: Path, anywhere: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    with_patience(monkeypatch, NO_TIME, 0.3, LONG)
    hint = hint_of(silent_bot(tmp_path, BY_BLOCKS), anywhere, SHORT_START)
    assert hint.startswith("its line came when its input was closed: read line by line")


def test_a_slow_import_that_waits(tmp_path: Path, anywhere: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    with_patience(monkeypatch, LONG, 0.1, 0.1)
    bot = silent_bot(tmp_path, FLUSHED, before="time.sleep(2.5)")
    assert hint_of(bot, anywhere, SHORT_START).startswith("its line came after all, but too late: load less")


@pytest.mark.usefixtures("crowded")
def test_a_slow_import_that_works(tmp_path: Path, anywhere: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    with_patience(monkeypatch, 1.0, 0.1, 0.1)
    bot = silent_bot(tmp_path, FLUSHED, before="while True: pass")
    assert hint_of(bot, anywhere, SHORT_START).startswith("it was still busy when its time was over: load less")


@pytest.mark.usefixtures("crowded")
def test_a_slow_import_that_ends_when_its_input_does(
    tmp_path: Path, anywhere: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It seemed to read by blocks: on a busy machine it had too little CPU time to be told by that alone."""
    with_patience(monkeypatch, 1.0, 0.3, LONG)
    until_the_end = (
        "import select\nend = select.poll()\nend.register(0, 0)\nwhile not end.poll(30): sum(range(200_000))"
    )
    bot = silent_bot(tmp_path, FLUSHED, before=until_the_end)
    assert hint_of(bot, anywhere, SHORT_START).startswith("it was still busy when its time was over: load less")


def test_silence_that_shows_nothing_names_all_three(
    tmp_path: Path, anywhere: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_patience(monkeypatch, NO_TIME, 0.1, 0.1)
    bot = little_bot(tmp_path, "mine", start="time.sleep(3600)")
    hint = hint_of(bot, anywhere, SHORT_START)
    assert hint.startswith("either flush")
    assert all(part in hint for part in ("read line by line", "load less"))


def test_a_bot_that_is_only_a_little_slow_gets_no_hint(tmp_path: Path, anywhere: Isolation) -> None:
    assert hint_of(little_bot(tmp_path, "mine", start="time.sleep(0.3)"), anywhere) == ""


# ---- streams that are opened by name

SHELL_BOT = """#!/bin/sh
while read -r line; do
    case $line in
        '{{"type":"hello"'*) echo '{{"type":"hello","name":"shell"}}' {aloud} ;;
        '{{"type":"newgame"'*) echo '{{"type":"ready"}}' ;;
        '{{"type":"decide"'*)
            id=${{line#*'"id":'}}
            echo thinking {thinking}
            echo '{{"type":"answer","id":'"${{id%%,*}}"',"index":0}}' ;;
        '{{"type":"quit"'*) exit 0 ;;
    esac
done
"""


def shell_bot(place: Path, thinking: str = ">&2", aloud: str = "") -> Path:
    folder = place / "shell"
    folder.mkdir()
    (folder / "bot").write_text(SHELL_BOT.format(thinking=thinking, aloud=aloud))
    (folder / "bot").chmod(0o755)
    (folder / "bot.toml").write_text('command = ["./bot"]\n')
    return folder


@pytest.mark.parametrize(("thinking", "hint"), [(">/dev/stderr", USE_DESCRIPTOR_ADVICE), (">&2", "")])
def test_a_bot_that_plays_and_opens_stderr_by_name(
    tmp_path: Path, anywhere: Isolation, thinking: str, hint: str
) -> None:
    """It plays on, but its words are lost."""
    found: list[Finding] = []
    bot = find_bot(shell_bot(tmp_path, thinking))
    trio.run(Checker(bot, anywhere, CLOCK, found.append, short=True).run)
    assert [finding.name for finding in found if not finding.ok] == []
    assert found[-1].hint == hint


def test_a_bot_that_opens_stdout_by_name(tmp_path: Path, anywhere: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of what it says arrives."""
    with_patience(monkeypatch, NO_TIME, NO_TIME, NO_TIME)
    assert hint_of(shell_bot(tmp_path, aloud=">/dev/stdout"), anywhere, SHORT_START) == USE_DESCRIPTOR_ADVICE


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/2", "/proc/self/fd/0"])
def test_a_bot_in_python_that_opens_a_stream_by_name(tmp_path: Path, anywhere: Isolation, name: str) -> None:
    place = little_bot(tmp_path, "bot", start=f"open({name!r})")
    assert hint_of(place, anywhere) == USE_DESCRIPTOR_ADVICE


@needs(NODE, shutil.which("node") is not None)
def test_a_bot_in_javascript_that_opens_stdin_by_name(tmp_path: Path, anywhere: Isolation) -> None:
    (tmp_path / "bot.js").write_text("require('fs').readFileSync('/dev/stdin')")
    (tmp_path / "bot.toml").write_text('command = ["node", "bot.js"]\n')
    assert hint_of(tmp_path, anywhere) == USE_DESCRIPTOR_ADVICE


def test_a_build_that_opens_stderr_by_name(tmp_path: Path, anywhere: Isolation) -> None:
    (tmp_path / "bot").write_text("exit 0\n")
    (tmp_path / "bot.toml").write_text('build = ["sh", "-c", "echo hi >/dev/stderr"]\ncommand = ["sh", "bot"]\n')
    with pytest.raises(ConfigError) as caught:
        build_bot_sync(find_bot(tmp_path), anywhere)
    assert USE_DESCRIPTOR_ADVICE in str(caught.value)


# ---- limits


def limited(place: Path, limits: str, **parts: str) -> str:
    path = little_bot(place, "mine", **parts)
    with Path(path, "bot.toml").open("a") as manifest:
        manifest.write(f"[limits]\n{limits}\n")
    return path


def test_too_much_memory_names_limit_and_key(tmp_path: Path, grouped: Isolation) -> None:
    path = limited(tmp_path, "memory_mib = 64", hello="x = b'x' * 2**27")
    hint = hint_of(path, grouped)
    assert "is 64; a JVM's heap gets half of it. Raise `memory_mib` in [limits] of bot.toml, up to 4096" in hint


def test_a_kill_that_is_not_for_memory_is_no_question_of_it(tmp_path: Path, grouped: Isolation) -> None:
    path = limited(tmp_path, "memory_mib = 64", hello="os.kill(os.getpid(), signal.SIGKILL)")
    finding = first_bad(path, grouped)
    assert finding is not None
    assert "signal 9" in finding.came
    assert finding.hint == ""


THREADS = "import threading; [threading.Thread(target=time.sleep, args=(60,), daemon=True).start() for _ in range({})]"


def test_too_many_threads_name_limit_and_key(tmp_path: Path, grouped: Isolation) -> None:
    path = limited(tmp_path, "processes = 8", hello=THREADS.format(30))
    assert "are at most 8: `processes` in [limits] of bot.toml, up to 256" in hint_of(path, grouped)


def test_as_many_threads_as_allowed(tmp_path: Path, grouped: Isolation) -> None:
    assert hint_of(limited(tmp_path, "processes = 40", hello=THREADS.format(30)), grouped) == ""


# ---- without a closer look, as after a match


def test_a_limit_that_nobody_knows_is_told_as_the_usual_one() -> None:
    hint = hint_for(FailureCase("crashed", "it closed its output (its exit status was 137, out of memory)"))
    assert "is 1024 unless its bot.toml says otherwise" in hint


def test_a_start_that_used_the_cpu_was_slow_and_another_may_be_any_of_three() -> None:
    said = "no `hello` within 10 s"
    busy = FailureCase("no handshake", said, Evidence(seconds=10.0, cpu_seconds=2.5))
    assert hint_for(busy).startswith("it was still busy when its time was over: load less")
    for waited in (Evidence(seconds=10.0, cpu_seconds=0.1), Evidence()):
        assert hint_for(FailureCase("no handshake", said, waited)).startswith("either flush")


def test_who_was_late_and_thought_is_not_asked_whether_it_waits() -> None:
    """By hand: how much of a core a real one gets is the machine's affair."""
    for cpu, told in ((0.9, ""), (0.04, "it hardly used the CPU")):
        hint = hint_for(FailureCase("late", "no answer within 1.000 s", Evidence(seconds=1.0, cpu_seconds=cpu)))
        assert hint.startswith(told) if told else hint == ""


def test_what_stderr_says_explains_no_illegal_move() -> None:
    said = Evidence(stderr="MemoryError\nTraceback (most recent call last):")
    assert hint_for(FailureCase("illegal", "index 99: this bid decision has 0 to 3", said)).startswith(
        "an index counts"
    )
    assert "memory_mib" in hint_for(FailureCase("crashed", "it closed its output", said))


def test_nothing_is_guessed_of_what_is_not_known() -> None:
    assert hint_for(FailureCase("crashed", "it closed its output (its exit status was 3)")) == ""
    assert hint_for(FailureCase("flooded", "a line longer than 65536 bytes")) == ""
