"""Tool chains in the bots' sandbox: what they log, what a build may fetch, and what Debian keeps outside of /usr."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
import trio
from promises import CGROUPS, JAVA, SANDBOX, needs, untried

from peloarena.game import ConfigError
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.build import build_bot_sync
from peloarena.referee.conformance import Checker, Finding
from peloarena.referee.hints import NO_NETWORK_ADVICE, hint_for_failed_build
from peloarena.referee.sandbox import runtimes, zygote_client
from peloarena.referee.sandbox.bubblewrap import OFFLINE_VARIABLES
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.launch import Launch
from peloarena.referee.sandbox.runtimes import is_visible
from peloarena.referee.sandbox.show_option import SHOW_VARIABLE
from peloarena.referee.time_control import TimeControl


@pytest.fixture(scope="module")
def sandbox_isolation() -> Iterator[Isolation]:
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
        yield isolation


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def folder(place: Path, **files: str) -> Path:
    made = place / "mine"
    made.mkdir(mode=0o755)
    made.chmod(0o755)
    for name, content in files.items():
        (made / name.replace("_", ".")).write_text(content)
    return made


def failed_build(place: Path, isolation: Isolation) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        build_bot_sync(find_bot(place), isolation)
    return caught.value


# ---- builds have no network


class Fetching(NamedTuple):
    """A build that wants something from the network, by a real program."""

    program: str
    build: str
    files: dict[str, str]


FETCHING = (
    Fetching(sys.executable, '["{python}", "-m", "pip", "install", "--target", ".", "left-pad-of-nobody"]', {}),
    Fetching("git", '["git", "clone", "https://git.example/left-pad.git"]', {}),
    Fetching("npm", '["npm", "install"]', {"package_json": '{"dependencies": {"left-pad": "1.3.0"}}'}),
    Fetching(
        "cargo",
        '["cargo", "build"]',
        {
            "Cargo_toml": '[package]\nname = "mine"\nversion = "1.0.0"\n[lib]\npath = "lib.rs"\n'
            '[dependencies]\nserde = "1"\n',
            "lib_rs": "",
        },
    ),
    Fetching("go", '["go", "mod", "download"]', {"go_mod": "module mine\ngo 1.19\nrequire example.org/uuid v1.3.0\n"}),
)


def can_be_tried(fetching: Fetching) -> bool:
    """What lies in a home only if it is rustup's, whose folder can be found and shown."""
    found = shutil.which(fetching.program)
    return found is not None and (is_visible(Path(found)) or fetching.program == "cargo")


@pytest.fixture
def sandbox_with(monkeypatch: pytest.MonkeyPatch, sandbox_isolation: Isolation) -> Iterator[Callable[[str], Isolation]]:
    """A sandbox in which this program is seen: rustup's lies in a home, and is shown."""
    with ExitStack() as stack:

        def made(program: str) -> Isolation:
            if is_visible(Path(shutil.which(program) or program)):
                return sandbox_isolation
            sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout
            monkeypatch.setenv(SHOW_VARIABLE, sysroot.strip())
            return stack.enter_context(prepare("auto"))

        yield made


@pytest.mark.parametrize("fetching", [*filter(can_be_tried, FETCHING)], ids=lambda one: Path(one.program).name)
def test_a_real_tool_in_a_build_is_told_at_once_that_there_is_no_network(
    tmp_path: Path, sandbox_with: Callable[[str], Isolation], fetching: Fetching
) -> None:
    """pip and git are on every machine that tests; npm, cargo and go are tried where somebody installed them.

    tools/install-test-tools does not: whole tool chains are too much to fetch for a sentence. The next test has
    their words instead.
    """
    manifest = f'build = {fetching.build}\ncommand = ["./bot"]\n'
    error = failed_build(folder(tmp_path, bot_toml=manifest, **fetching.files), sandbox_with(fetching.program))
    assert str(error).endswith(f"): {NO_NETWORK_ADVICE}"), getattr(error, "details", "")
    assert "took longer" not in str(error)


@pytest.mark.parametrize(
    "said",
    [
        "npm error code ENOTCACHED\nnpm error request to https://registry.example/left-pad failed",
        "npm ERR! code EAI_AGAIN",
        "ERROR: Could not find a suitable TLS CA certificate bundle, invalid path",
        # Debian's pip from 25 on reads the machine's certificates first, which a sandbox does not show
        "ctx.load_verify_locations(certifi.where())\nFileNotFoundError: [Errno 2] No such file or directory",
        "error: failed to get `serde` as a dependency\n  attempting an HTTP request, but --offline was specified",
        "go: example.org/uuid@v1.3.0: module lookup disabled by GOPROXY=off",
        "fatal: unable to access 'https://x/': Could not resolve host: x",
    ],
)
def test_what_tools_say_of_a_missing_network(tmp_path: Path, sandbox_isolation: Isolation, said: str) -> None:
    """Their words printed by a script, those of other versions among them, for machines on which they are not."""
    place = folder(
        tmp_path, bot_toml='build = ["sh", "b.sh"]\ncommand = ["./bot"]\n', said=said, b_sh="cat said; exit 1"
    )
    error = failed_build(place, sandbox_isolation)
    assert str(error).endswith(f"its build failed (sh b.sh): {NO_NETWORK_ADVICE}")
    assert error.details == said


@pytest.mark.parametrize(
    "said", ["bot.c:7: error: expected ;", "npm error Missing script: build", "error: offline is 1"]
)
def test_another_failure_is_no_question_of_the_network(said: str) -> None:
    assert hint_for_failed_build(said, sandboxed=True) == ""


def test_without_a_sandbox_there_may_be_a_network(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml='build = ["sh", "b.sh"]\ncommand = ["./bot"]\n', b_sh="echo EAI_AGAIN; exit 1")
    with prepare("off") as isolation:
        assert str(failed_build(place, isolation)).endswith("its build failed (sh b.sh)")


def test_a_build_that_takes_too_long_shows_what_it_said(
    tmp_path: Path, sandbox_isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("peloarena.referee.build.BUILD_SECONDS", 5.0)
    script = "echo Network is unreachable; sleep 60"
    place = folder(tmp_path, bot_toml='build = ["sh", "b.sh"]\ncommand = ["./bot"]\n', b_sh=script)
    error = failed_build(place, sandbox_isolation)
    assert str(error) == f"mine: its build took longer than 5 s: {NO_NETWORK_ADVICE}"
    assert error.details == "Network is unreachable"


def test_builds_are_told_that_they_are_offline_and_bots_are_not(tmp_path: Path, sandbox_isolation: Isolation) -> None:
    """A bot may use such names for itself."""
    place = folder(tmp_path, bot_toml='build = ["sh", "b.sh"]\ncommand = ["sh", "env"]\n', b_sh="env > env")
    told = dict(
        line.split("=", 1)
        for line in (build_bot_sync(find_bot(place), sandbox_isolation).folder / "env").read_text().splitlines()
    )
    assert OFFLINE_VARIABLES.items() <= told.items()
    with sandbox_isolation.make_sandbox(place) as sandbox:
        launch = sandbox.command(["true"])
        words = launch.argv if isinstance(launch, Launch) else [*launch.request.env]
        assert not any(name in word for name in OFFLINE_VARIABLES for word in words)


# ---- Java

THREADS = """
public class Bot {
    public static void main(String[] words) {
        for (int i = 0; i < 100; i++) {
            Thread thread = new Thread(() -> { try { Thread.sleep(60000); } catch (InterruptedException e) { } });
            thread.setDaemon(true);
            thread.start();
        }
    }
}
"""


@needs(JAVA, shutil.which("java") is not None)
def test_a_jvm_without_threads_says_so_on_stderr_and_its_author_learns_the_limit(
    tmp_path: Path, sandbox_isolation: Isolation
) -> None:
    """On stdout its warning was a malformed message."""
    if sandbox_isolation.hierarchy is None:
        untried(CGROUPS, "; ".join(sandbox_isolation.missing_part_texts))
    place = folder(tmp_path, bot_toml='command = ["java", "Bot.java"]\n', Bot_java=THREADS)
    found: list[Finding] = []
    trio.run(Checker(find_bot(place), sandbox_isolation, TimeControl(startup=30.0), found.append, short=True).run)
    assert "closed its output" in found[0].came
    assert "[warning]" in found[0].stderr
    assert found[0].hint.startswith("processes and threads together are at most 64: `processes` in [limits]")


# ---- Debian's tool chains


EVERYTHING = (
    *("etc/ld.so.cache", "etc/localtime", "etc/ocamlfind.conf", "etc/passwd", "etc/shadow", "etc/hosts"),
    *("etc/alternatives/", "etc/java-17-openjdk/", "etc/mono/", "etc/php/", "etc/ssl/certs/", "etc/ssh/", "etc/phpx/"),
    *("var/lib/ghc/", "var/lib/gems/", "var/lib/dpkg/", "var/lib/postgresql/", "var/log/", "var/mail/", "var/ghc/"),
)
"""Of a machine with all tool chains, and with what is nobody's business."""
DEBIANS = {
    *("etc/ld.so.cache", "etc/localtime", "etc/ocamlfind.conf", "etc/alternatives", "etc/java-17-openjdk"),
    *("etc/mono", "etc/php", "var/lib/ghc", "var/lib/gems"),
}
"""What of it bots see."""


def made_up_root(place: Path, names: Iterable[str]) -> Path:
    for name in names:
        made = place / name
        made.parent.mkdir(parents=True, exist_ok=True)
        made.mkdir() if name.endswith("/") else made.touch()
    return place


def seen_of(root: Path) -> set[str]:
    return {
        str(path.relative_to(root))
        for path in (*runtimes.etc_paths(network=False, root=root), *runtimes.var_folders(root))
    }


def test_of_etc_and_var_bots_see_what_tool_chains_need_and_no_more(tmp_path: Path) -> None:
    assert seen_of(made_up_root(tmp_path, EVERYTHING)) == DEBIANS


def test_of_what_is_not_installed_nothing_is_shown(tmp_path: Path) -> None:
    """Bubblewrap would refuse to show what is not there."""
    assert seen_of(made_up_root(tmp_path, ["etc/localtime", "etc/passwd", "var/lib/gems/", "var/log/"])) == {
        "etc/localtime",
        "var/lib/gems",
    }
    assert seen_of(tmp_path / "empty") == set()


def test_of_var_only_the_packages_of_two_compilers_are_seen(sandbox_isolation: Isolation, tmp_path: Path) -> None:
    """In the command of a real sandbox, on this machine. The interpreter itself may lie there, or the project."""
    with sandbox_isolation.make_sandbox(folder(tmp_path)) as sandbox:
        launch = sandbox.command(["true"])
        argv = launch.argv if isinstance(launch, Launch) else []
    bound = [argv[n + 2] for n, word in enumerate(argv) if word.endswith("bind")]
    shown = bound or [place for _, place in zygote_client.plan_base_mounts(()).shown]
    own = {str(place) for _, place in runtimes.interpreter_mounts()}
    packages = ("/var/lib/ghc", "/var/lib/gems")
    seen = [path for path in shown if path.startswith("/var") and path not in own]
    assert seen == [path for path in packages if Path(path).is_dir()]
