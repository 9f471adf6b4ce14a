"""Bytecode of Python bots: made from the hashed source and nothing else, by a process that runs none of it."""

import marshal
import os
import py_compile
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from promises import SANDBOX, untried

from peloarena.game import ConfigError
from peloarena.referee import bytecode
from peloarena.referee.bot_builder import BotBuilder, BuildFinished, BuildNews
from peloarena.referee.bot_copies import compile_copy, copy_and_compile, copy_bot, remove_unhashed_files
from peloarena.referee.bot_files import SizeLimits, content_hash
from peloarena.referee.bot_finder import Bot, find_bot
from peloarena.referee.sandbox.isolation import Isolation, SandboxPolicy, prepare

SHOW = "import helper; print(helper.__cached__, helper.WHO)"
TAG = sys.implementation.cache_tag
HEADER = 16
"""Bytes before the code (PEP 552)."""


@pytest.fixture(scope="module", params=["auto", "off"])
def isolation(request: pytest.FixtureRequest) -> Iterator[Isolation]:
    policy: SandboxPolicy = request.param
    with prepare(policy) as made:
        if policy == "auto" and made.style == "none":
            untried(SANDBOX, "; ".join(made.missing_part_texts))
        yield made


@pytest.fixture(scope="module")
def sandbox_isolation() -> Iterator[Isolation]:
    with prepare("auto") as made:
        if made.style == "none":
            untried(SANDBOX, "; ".join(made.missing_part_texts))
        yield made


def lay_out(folder: Path, files: dict[str, str | bytes] | None = None) -> Bot:
    folder.mkdir(mode=0o755)
    (folder / "bot.toml").write_text('command = ["{python}", "main.py"]\n')
    for name, content in {"main.py": SHOW, "helper.py": "WHO = 'source'", **(files or {})}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return find_bot(folder)


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def compiled_names(copy: Path) -> list[str]:
    return [name.replace(f".{TAG}", "") for name in names(copy) if name.endswith(".pyc")]


def started(bot: Bot, isolation: Isolation) -> str:
    with isolation.make_sandbox(bot.folder) as sandbox:
        launch = sandbox.command([sys.executable, "main.py"])
        with launch.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            sandbox.track(process)
            assert process.stdout is not None
            return (process.stdout.read() or b"").decode()


# ---- what is played


def test_python_loads_the_bytecode_that_was_made_for_the_copy(tmp_path: Path, sandbox_isolation: Isolation) -> None:
    bot = lay_out(tmp_path / "mine")
    copy = copy_and_compile(bot, tmp_path, sandbox_isolation)
    compiled = f"__pycache__/helper.{TAG}.pyc"
    assert stat.S_IMODE((copy / compiled).stat().st_mode) == 0o444
    assert stat.S_IMODE((copy / "__pycache__").stat().st_mode) == 0o755
    assert names(tmp_path / bot.digest)[:2] == ["bot", "bot/__pycache__"], "nothing is left of the compiler"
    (copy / compiled).chmod(0o644)
    (copy / compiled).write_bytes((copy / compiled).read_bytes().replace(b"source", b"stored"))
    assert started(find_bot(copy), sandbox_isolation) == f"/bot/{compiled} stored\n", "it is this file that is played"


def test_bytecode_is_what_pythons_own_compiler_writes(tmp_path: Path, isolation: Isolation) -> None:
    source = 'import os\n\ndef f(x: int = 1) -> str:\n    "Doc."\n    return f"{x!r:>{x}}" + "ab" * 3\n'
    copy = copy_and_compile(lay_out(tmp_path / "mine", {"deep/er/tool.py": source}), tmp_path, isolation)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    place = "/bot/deep/er/tool.py"
    written = py_compile.compile(str(copy / place[5:]), str(tmp_path / "pyc"), dfile=place, invalidation_mode=mode)
    assert written is not None
    expected, ours = Path(written).read_bytes(), (copy / f"deep/er/__pycache__/tool.{TAG}.pyc").read_bytes()
    assert ours[:HEADER] == expected[:HEADER]
    assert marshal.loads(ours[HEADER:]) == marshal.loads(expected[HEADER:])
    assert marshal.loads(ours[HEADER:]).co_filename == place


def test_what_was_compiled_is_not_trusted_once_the_copy_was_stripped(
    tmp_path: Path, sandbox_isolation: Isolation
) -> None:
    """No hash names it: a changed .pyc was played under the hash of the source."""
    bot = lay_out(tmp_path / "mine")
    copy = copy_and_compile(bot, tmp_path, sandbox_isolation)
    compiled = copy / f"__pycache__/helper.{TAG}.pyc"
    compiled.chmod(0o644)
    compiled.write_bytes(compiled.read_bytes().replace(b"source", b"stored"))
    remove_unhashed_files(tmp_path / bot.digest)
    assert names(copy) == ["bot.toml", "helper.py", "main.py"]
    assert copy_and_compile(bot, tmp_path, sandbox_isolation) == copy
    assert compiled.exists()
    assert "source" in started(find_bot(copy), sandbox_isolation)


def test_code_in_a_pycache_of_its_own_is_not_played(tmp_path: Path, sandbox_isolation: Isolation) -> None:
    """Python does not look at the source of a file that was compiled `unchecked`, and the hash does not see it."""
    place = tmp_path / "mine"
    lay_out(place, {"helper.py": "WHO = 'hidden'"})
    py_compile.compile(str(place / "helper.py"), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    (place / "helper.py").write_text("WHO = 'source'")
    bot = find_bot(place)
    assert "hidden" in started(bot, sandbox_isolation)
    assert "source" in started(find_bot(copy_and_compile(bot, tmp_path, sandbox_isolation)), sandbox_isolation)


# ---- nothing of the bot is run

PLANTS = """
import importlib._bootstrap_external as library, os, sys
def plant():
    code = compile("WHO = 'planted'", "/bot/helper.py", "exec")
    place = library.cache_from_source("/bot/helper.py")
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as file:
        file.write(library._code_to_hash_pyc(code, bytes(8), False))
    os._exit(0)
compile_dir = lambda *_, **__: plant()
"""
"""Writes other bytecode than that of its source when a compiler imports it."""
BURSTS = 'import os, shutil, sys; at = f"{sys.pycache_prefix}/bot"; shutil.rmtree(at); os.mkdir(at); os._exit(0)'
"""Leaves an empty folder of bytecode."""
LIBRARY = [
    *("compileall.py", "py_compile.py", "importlib/__init__.py", "importlib/util.py", "struct.py", "marshal.py"),
    *("resource.py", "encodings/__init__.py", "codecs.py", "os.py", "sitecustomize.py", "usercustomize.py"),
]


@pytest.mark.parametrize("name", LIBRARY)
def test_a_module_of_the_bots_that_is_called_like_one_of_the_librarys_is_not_run(
    tmp_path: Path, isolation: Isolation, name: str
) -> None:
    bot = lay_out(tmp_path / "mine", {name: PLANTS, "evil.pth": "import compileall"})
    copy = copy_and_compile(bot, tmp_path, isolation)
    helper = copy / f"__pycache__/helper.{TAG}.pyc"
    assert b"source" in helper.read_bytes()
    assert b"planted" not in helper.read_bytes()
    assert content_hash(copy) == bot.digest


def test_a_bot_whose_compileall_leaves_an_empty_folder_has_its_bytecode(tmp_path: Path, isolation: Isolation) -> None:
    """It ended everybody's run with a traceback; by a timer also that of a tournament that was to be resumed."""
    copy = copy_and_compile(lay_out(tmp_path / "mine", {"compileall.py": BURSTS}), tmp_path, isolation)
    assert compiled_names(copy) == ["__pycache__/compileall.pyc", "__pycache__/helper.pyc", "__pycache__/main.pyc"]


def test_the_compiler_sees_no_file_of_the_bot(
    tmp_path: Path, sandbox_isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = lay_out(tmp_path / "mine")
    copy = copy_bot(bot, tmp_path)
    spy = "import os, sys; print(os.getcwd(), os.listdir('/bot'), os.path.exists(sys.argv[1]), flush=True)"
    expected, said = b"/bot [] False\n", []

    async def hear(process: bytecode._CompilerProcess, _: object) -> None:
        said.append(await process.receive(len(expected)))

    monkeypatch.setattr(bytecode, "COMPILER_COMMAND", (sys.executable, "-I", "-S", "-c", spy, str(copy)))
    monkeypatch.setattr(bytecode, "_receive_bytecode", hear)
    trio.run(compile_copy, bot, tmp_path, sandbox_isolation)
    assert said == [expected]


# ---- what is wrong with one source


def test_a_file_with_a_wrong_source_has_no_bytecode_and_the_others_have(tmp_path: Path, isolation: Isolation) -> None:
    wrong: dict[str, str | bytes] = {
        "syntax.py": "def",
        "null.py": b"x = 1\0",
        "latin.py": b"x = '\xe9'",
        "encoding.py": "# coding: nonsense\nx = 1",
        "rot.py": "# coding: rot13\nx = 1",
        "deep.py": "(" * 100_000,
        "digits.py": "x = " + "9" * 5000,
        "break.py": "break",
        "empty/none.py": "",
    }
    copy = copy_and_compile(lay_out(tmp_path / "mine", wrong), tmp_path, isolation)
    assert compiled_names(copy) == ["__pycache__/helper.pyc", "__pycache__/main.pyc", "empty/__pycache__/none.pyc"]


def test_a_name_that_leaves_no_room_for_the_end_of_bytecode_is_played_from_source(
    tmp_path: Path, isolation: Isolation
) -> None:
    long = "a" * 243
    show = f"{SHOW}; import {long}; print({long}.WHO)"
    copy = copy_and_compile(
        lay_out(tmp_path / "mine", {f"{long}.py": "WHO = 'long'", "main.py": show}), tmp_path, isolation
    )
    assert compiled_names(copy) == ["__pycache__/helper.pyc", "__pycache__/main.pyc"]
    assert started(find_bot(copy), isolation).endswith(".pyc source\nlong\n")


def test_a_bot_whose_only_source_has_such_a_name_is_copied(tmp_path: Path, isolation: Isolation) -> None:
    """It ended everybody's run with a traceback."""
    bot = lay_out(tmp_path / "mine")
    (bot.folder / "main.py").unlink()
    (bot.folder / "helper.py").rename(bot.folder / f"{'a' * 243}.py")
    bot = find_bot(bot.folder)
    assert content_hash(copy_and_compile(bot, tmp_path, isolation)) == bot.digest


def test_any_bytes_may_be_a_name(tmp_path: Path, isolation: Isolation) -> None:
    bot = lay_out(tmp_path / "mine")
    (tmp_path / "mine" / os.fsdecode(b"\xff\n\xc3\xa9.py")).write_text("x = 1")
    (tmp_path / "mine" / ".py").write_text("x = 1")
    bot = find_bot(tmp_path / "mine")
    copy = copy_and_compile(bot, tmp_path, isolation)
    assert len(compiled_names(copy)) == 4
    assert content_hash(copy) == bot.digest


def test_a_file_of_the_bots_that_is_called_pycache_stays(tmp_path: Path, isolation: Isolation) -> None:
    """Only folders of that name are left out of the hash. The file was removed for the folder of bytecode."""
    bot = lay_out(tmp_path / "mine", {"sub/__pycache__": "a file", "sub/tool.py": "x = 1"})
    copy = copy_and_compile(bot, tmp_path, isolation)
    assert (copy / "sub/__pycache__").read_text() == "a file"
    assert compiled_names(copy) == ["__pycache__/helper.pyc", "__pycache__/main.pyc"]
    assert content_hash(copy) == bot.digest


def test_links_are_not_compiled_and_not_followed(tmp_path: Path, isolation: Isolation) -> None:
    bot = lay_out(tmp_path / "mine")
    (tmp_path / "mine" / "link.py").symlink_to("helper.py")
    (tmp_path / "mine" / "out.py").symlink_to(os.__file__)
    copy = copy_and_compile(find_bot(bot.folder), tmp_path, isolation)
    assert compiled_names(copy) == ["__pycache__/helper.pyc", "__pycache__/main.pyc"]


# ---- what is too much

BOMBS = {
    "a power": "x = 9**9**9",
    "a long string": 'x = "a" * 10**10',
    "many strings": 'x = ["a" * 4000' + ', "a" * 4000' * 20_000 + "]",
    "signs": "x = " + "-" * 1_000_000 + "1",
    "names": "x" + ".x" * 500_000,
    "calls": "x" + "()" * 500_000,
    "lines": "x = 1\n" * 300_000,
    "brackets": "[" * 190 + "]" * 190,
    "branches": "if x:\n pass\n" + "elif x:\n pass\n" * 30_000,
    "sums": "x = " + "1+" * 300_000 + "1",
    "strings side by side": "x = " + "'a' " * 500_000,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_source_that_is_hard_to_compile_costs_its_bot_the_bytecode_at_most(
    tmp_path: Path, isolation: Isolation, bomb: str
) -> None:
    bombs, good = lay_out(tmp_path / "bombs", {"bomb.py": BOMBS[bomb]}), lay_out(tmp_path / "good", {"one.py": "1"})
    for bot in (bombs, good):
        copy_bot(bot, tmp_path)
    told: list[BuildNews] = []
    trio.run(BotBuilder(isolation, told.append).compile_all, [bombs, good], tmp_path)
    made = [news for news in told if isinstance(news, BuildFinished)]
    assert [news.problem for news in made if news.name == "good"] == [""]
    assert "__pycache__/one.pyc" in compiled_names(tmp_path / good.digest / "bot")
    assert content_hash(tmp_path / bombs.digest / "bot") == bombs.digest
    assert started(find_bot(tmp_path / bombs.digest / "bot"), isolation).endswith("source\n")


def test_memory_is_bounded_without_a_sandbox_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode, "COMPILER_LIMITS", bytecode.Limits(memory_mib=100, processes=4))
    bot = lay_out(tmp_path / "mine", {"bomb.py": "x = [" + "y," * 3_000_000 + "]"})
    with prepare("off") as isolation:
        copy = copy_and_compile(bot, tmp_path, isolation)
    assert "__pycache__/bomb.pyc" not in compiled_names(copy)


def test_no_more_bytecode_is_kept_than_a_bot_may_have_files(
    tmp_path: Path, isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = lay_out(tmp_path / "mine", {"large.py": "\n".join(f"x = {number} * 'a' * 500" for number in range(8, 800))})
    copy_bot(bot, tmp_path)
    monkeypatch.setattr(bytecode, "size_limits", lambda: SizeLimits(10, 100_000))
    with pytest.raises(ConfigError, match="MiB of bytecode"):
        trio.run(compile_copy, bot, tmp_path, isolation)
    assert compiled_names(tmp_path / bot.digest / "bot") == []


# ---- what a compiler could say that is no longer ours

SAYS = {
    "nothing": "",
    "too little": "out.write(MAGIC + b'\\0')",
    "another version": "out.write(b'\\0\\1\\r\\n' + bytes(100))",
    "too much": "out.write(MAGIC + (2**32 - 1).to_bytes(4, 'big') + bytes(100))",
    "half": "out.write(MAGIC + (1000).to_bytes(4, 'big') + bytes(100))",
    "without end": "out.write(MAGIC)\nwhile True: out.write(bytes(65536))",
    "never": "out.write(MAGIC); out.flush()\nimport time; time.sleep(1000)",
    "unasked": "out.write(MAGIC + ((10).to_bytes(4, 'big') + bytes(10)) * 3)",
}


@pytest.mark.parametrize("says", SAYS)
def test_a_reply_that_is_none_costs_the_bytecode_and_leaves_nothing(
    tmp_path: Path, isolation: Isolation, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = f"import sys; from importlib.util import MAGIC_NUMBER as MAGIC; out = sys.stdout.buffer\n{SAYS[says]}"
    monkeypatch.setattr(bytecode, "COMPILER_COMMAND", (sys.executable, "-I", "-S", "-c", program))
    monkeypatch.setattr(
        bytecode, "COMPILE_TIMEOUT_SECONDS", 1.0 if says == "never" else bytecode.COMPILE_TIMEOUT_SECONDS
    )
    bot = lay_out(tmp_path / "mine")
    copy = copy_bot(bot, tmp_path)
    assert copy_and_compile(bot, tmp_path, isolation) == copy
    if says != "unasked":  # bytes that no Python loads: a compiler that is the bot's own could do that to its bot
        assert names(copy) == ["bot.toml", "helper.py", "main.py"]
    assert content_hash(copy) == bot.digest
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", bot.digest]
