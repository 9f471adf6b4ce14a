"""Real processes in real sandboxes, with whatever this machine has. Without bubblewrap the sandbox's tests are
skipped."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from promises import CGROUPS, SANDBOX, untried
from sandbox_helpers import Outcome, by_bubblewrap, close_streams, finish, start_python

from peloarena.referee.sandbox import cgroup
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.limits import Limits
from peloarena.referee.sandbox.sandbox import Sandbox


def without_cgroups(policy: str) -> Isolation:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cgroup, "find", lambda: None)
        return prepare(policy)  # type: ignore[arg-type]


VARIANTS: dict[str, Callable[[], Isolation]] = {
    "sandbox": lambda: prepare("auto"),
    "sandbox without cgroups": lambda: without_cgroups("auto"),
    "sandbox by bubblewrap": lambda: by_bubblewrap(prepare("auto")),
    "off": lambda: prepare("off"),
    "off without cgroups": lambda: without_cgroups("off"),
}


@pytest.fixture(scope="session", params=VARIANTS)
def anyhow(request: pytest.FixtureRequest) -> Iterator[Isolation]:
    """Every way in which a bot may be run."""
    with VARIANTS[request.param]() as isolation:
        if request.param.startswith("sandbox"):
            _skip_without_sandbox(isolation)
        if "without" not in request.param:
            _skip_without_groups(isolation)
        yield isolation


@pytest.fixture(scope="session")
def isolation() -> Iterator[Isolation]:
    """The best that this machine has, and a sandbox at least."""
    with prepare("auto") as isolation:
        _skip_without_sandbox(isolation)
        yield isolation


@pytest.fixture(scope="session")
def grouped(isolation: Isolation) -> Isolation:
    """A sandbox with cgroups."""
    _skip_without_groups(isolation)
    return isolation


def _skip_without_sandbox(isolation: Isolation) -> None:
    if isolation.style == "none":
        untried(SANDBOX, "; ".join(isolation.missing_part_texts))


def _skip_without_groups(isolation: Isolation) -> None:
    if isolation.hierarchy is None:
        untried(CGROUPS, "; ".join(isolation.missing_part_texts))


@pytest.fixture(autouse=True)
def _closed_streams() -> Iterator[None]:
    yield
    close_streams()


@pytest.fixture
def bot_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    return folder


@pytest.fixture
def sandbox(isolation: Isolation, bot_dir: Path) -> Iterator[Sandbox]:
    with isolation.make_sandbox(bot_dir, Limits(tmp_mib=4)) as sandbox:
        yield sandbox


@pytest.fixture
def inside(sandbox: Sandbox) -> Callable[..., Outcome]:
    """Runs a Python program in the sandbox to its end."""
    return lambda program, *arguments: finish(start_python(sandbox, program, *arguments))
