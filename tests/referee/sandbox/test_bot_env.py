"""`[env]` of bot.toml reaches the bot's own process, after root was given up, and no program before it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from promises import C, needs
from sandbox_helpers import PATIENCE, eventually
from witness import WITNESS

from peloarena.game import ConfigError
from peloarena.referee.bot_env import MAX_ENV_BYTES, MAX_VARIABLES, RESERVED_VARIABLES, check_env, with_env
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.sandbox.isolation import Isolation
from peloarena.referee.sandbox.launch import Launch

STEERING = ("LD_PRELOAD", "LD_AUDIT", "GCONV_PATH", "LOCPATH")
"""What makes a program load a stranger's library or data before its first line."""
TELLS = """
import json, os, sys
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
told = {name: os.environ.get(name) for name in sys.argv[1:]}
print(json.dumps({"env": told, "capabilities": int(status["CapEff"], 16), "uid": os.getuid()}), flush=True)
sys.stdin.readline()
"""


def bot_toml(folder: Path, env: str, command: str = '["{python}", "main.py"]') -> Path:
    (folder / "bot.toml").write_text(f"command = {command}\n[env]\n{env}\n")
    return folder


@pytest.mark.parametrize("name", [*STEERING[:2], "GLIBC_TUNABLES", "PATH", "HOME", "PYTHONPATH", "PELOARENA_CAGE"])
def test_names_that_steer_the_linker_or_are_ours_are_refused(bot_dir: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"bot/bot.toml: env: '{name}'"):
        find_bot(bot_toml(bot_dir, f'{name} = "/bot/evil.so"'))


def test_every_name_that_we_set_is_refused() -> None:
    for name in RESERVED_VARIABLES:
        with pytest.raises(ConfigError, match="is set by peloarena for every bot"):
            check_env({name: ""}, "bot.toml")


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({f"A{n}": "" for n in range(MAX_VARIABLES + 1)}, "at most 32 variables, got 33"),
        ({"A": "é" * (MAX_ENV_BYTES // 2)}, "more than 4096 bytes"),
        ({"omp_threads": "1"}, "'omp_threads': a name has capital letters"),
        ({"1A": "1"}, "'1A': a name has"),
        ({"A\n": "1"}, "a name has"),
        ({"": "1"}, "'': a name has"),
        ({"A": "x\0y"}, "null character"),
    ],
)
def test_what_is_no_variable_is_refused(env: dict[str, str], says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_env(env, "bot.toml")
    assert says in str(caught.value)


def test_as_many_and_as_long_as_allowed() -> None:
    check_env({f"A{n:02}": "" for n in range(MAX_VARIABLES)}, "bot.toml")
    check_env({"LDX": "x" * (MAX_ENV_BYTES - 3)}, "bot.toml")


def test_a_program_whose_name_env_would_take_for_a_variable_is_refused(bot_dir: Path) -> None:
    (bot_dir / "a=b").write_text("#!/bin/sh\n")
    (bot_dir / "a=b").chmod(0o755)
    with pytest.raises(ConfigError, match="with \\[env\\], the program's name cannot hold '='"):
        find_bot(bot_toml(bot_dir, 'A = "1"', '["./a=b"]'))
    (bot_dir / "bot.toml").write_text('command = ["./a=b"]\n')
    assert find_bot(bot_dir).argv == ("./a=b",)


def test_values_are_words_and_never_a_shells(bot_dir: Path) -> None:
    bot = find_bot(bot_toml(bot_dir, 'A = "$(id) `id`; x"'))
    assert with_env(bot.env, ["prog"]) == ["/usr/bin/env", "A=$(id) `id`; x", "prog"]
    assert with_env({}, ["prog"]) == ["prog"], "who sets none pays for none"


def test_the_bots_process_has_them_and_no_program_before_it(anyhow: Isolation, bot_dir: Path) -> None:
    """Of GCONV_PATH and LOCPATH, which are no names of the linker, and so with the linker's own if one got through."""
    variables = {"GCONV_PATH": "/bot", "LOCPATH": "/bot", "OMP_NUM_THREADS": "1"}
    with anyhow.make_sandbox(bot_dir) as sandbox:
        launch = sandbox.command(with_env(variables, [sys.executable, "-c", TELLS, *variables]))
        pipe = subprocess.PIPE
        assert not variables.keys() & (launch.env if isinstance(launch, Launch) else launch.request.env).keys()
        with launch.start(stdin=pipe, stdout=pipe, stderr=pipe) as process:
            sandbox.track(process)
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            carriers = [pid for pid in {process.pid, *sandbox.pids()} if b"GCONV_PATH=" in environ(pid)]
            assert len(carriers) == 1, "not bubblewrap, not its process 1"
            sandbox.kill()
    assert told["env"] == variables
    if anyhow.style != "none":
        assert told["capabilities"] == 0
    if anyhow.style == "root":
        assert told["uid"] != 0


@needs(C, shutil.which("cc") is not None)
@pytest.mark.parametrize("name", STEERING[:2])
def test_even_if_it_got_through_a_library_is_loaded_by_the_bot_alone(
    anyhow: Isolation, bot_dir: Path, name: str
) -> None:
    """Not by setpriv, as root with capabilities, as it was when bubblewrap set the bot's variables."""
    (bot_dir / "evil.c").write_text(WITNESS)
    library = bot_dir / "evil.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", str(library), str(bot_dir / "evil.c")], check=True)
    seen = str(library) if anyhow.style == "none" else "/bot/evil.so"
    with anyhow.make_sandbox(bot_dir) as sandbox:
        launch = sandbox.command(with_env({name: seen}, ["/usr/bin/sleep", "0"]))
        pipe = subprocess.PIPE
        with launch.start(stdin=pipe, stdout=pipe, stderr=pipe) as process:
            sandbox.track(process)
            assert eventually(lambda: process.poll() is not None, PATIENCE)
            assert process.stderr is not None
            said = process.stderr.read().decode().splitlines()
    assert [line.split(" uid ")[0] for line in said] == ["loaded into sleep"]
    if anyhow.style != "none":
        assert said[0].endswith(f"caps {0:016x}")
    if anyhow.style == "root":
        assert " uid 0 " not in said[0]


def environ(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
