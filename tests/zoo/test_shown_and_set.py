"""What a host shows to bots and what bots set for themselves: beasts try it in real games, at every level."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from promises import CGROUPS, SANDBOX, C, needs, untried
from witness import WITNESS
from zookeeper import WITHOUT_GROUPS, WORKER, RefereeProcess, Zoo, all_gone, notes, referee, sound

from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.time_control import TimeControl

PATIENT = TimeControl(bank=5.0, increment=0.5)


class Level(NamedTuple):
    """One way in which a bot may be run, with its referee."""

    name: str
    referee: RefereeProcess
    isolation: Isolation
    zoo: Zoo


@pytest.fixture(params=["sandbox and groups", "sandbox alone", "off and groups", "off alone"])
def level(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Level]:
    policy, program = "auto" if request.param.startswith("sandbox") else "off", WORKER
    with prepare(policy) as isolation:  # type: ignore[arg-type]
        if policy == "auto" and isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
        if request.param.endswith("alone"):
            program = WITHOUT_GROUPS
        elif isolation.hierarchy is None:
            untried(CGROUPS, "; ".join(isolation.missing_part_texts))
        with referee(policy, tmp_path / "scratch", program=program) as process:  # type: ignore[arg-type]
            yield Level(request.param, process, isolation, Zoo(tmp_path / "bots"))


def armed(zoo: Zoo, env: dict[str, str]) -> Path:
    """The beast with its libraries, and these variables in its bot.toml."""
    beast = zoo.beast("brings_libraries")
    (beast / "witness.c").write_text(WITNESS)
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", "witness.so", "witness.c"], cwd=beast, check=True)
    (beast / "gconv-modules").write_text("module WITNESS// INTERNAL witness 1\nmodule INTERNAL WITNESS// witness 1\n")
    for name in ("C.UTF-8", "C.utf8", "en_US.UTF-8", "xx_XX.UTF-8"):
        (beast / name).mkdir()
        for part in ("LC_CTYPE", "LC_MESSAGES", "LC_COLLATE"):
            (beast / name / part).write_bytes(b"\xff" * 4096)
    with (beast / "bot.toml").open("a") as file:
        file.write("[env]\n" + "".join(f'{name} = "{value}"\n' for name, value in env.items()))
    return beast


@needs(C, shutil.which("cc") is not None)
def test_in_vain_a_beast_brings_libraries(level: Level) -> None:
    """LD_PRELOAD, LD_AUDIT, GCONV_PATH, LOCPATH: they are loaded by the bot's own programs, without privileges.

    GCONV_PATH and LOCPATH also stand in its bot.toml. Nothing that was started before the bot loads them, not even as
    root inside setpriv, and rubbish in place of a locale harms nobody.
    """
    sandboxed = level.name.startswith("sandbox")
    zoo = level.zoo
    place = "/bot" if sandboxed else str(zoo.folder / "brings_libraries")
    beast = armed(zoo, {"GCONV_PATH": place, "LOCPATH": place})
    report = level.referee.play(zoo.good, beast, clock=PATIENT, stderr="record")
    assert report.verdicts == ()
    assert sound(report)
    assert notes(report, 1) == ["shot"]
    assert all_gone(zoo, level.referee)
    loaded = re.findall(r"loaded into (\S+) uid (\d+) caps (\w+)", report.record.decode())
    # In the open the kernel makes an ordinary user's `su` root's, and then the linker loads nothing of a stranger's.
    own = {"true", "iconv"} if not sandboxed and os.geteuid() != 0 else {"true", "su", "iconv"}
    assert {program for program, _, _ in loaded} == own, "the bot's own, and they do load it"
    assert sum(program == "iconv" for program, _, _ in loaded) >= 3, "as a character set, too"
    if sandboxed:
        assert {int(caps, 16) for _, _, caps in loaded} == {0}
    if level.isolation.style == "root":
        assert 0 not in {int(uid) for _, uid, _ in loaded}


@needs(C, shutil.which("cc") is not None)
@pytest.mark.parametrize("name", ["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "GLIBC_TUNABLES"])
def test_a_beast_that_sets_a_name_of_the_linker_is_not_started(level: Level, name: str) -> None:
    beast = armed(level.zoo, {name: "/bot/witness.so"})
    with pytest.raises(ValueError, match=f"env: '{name}': names that begin with LD_ or GLIBC_ steer the linker"):
        level.referee.play(level.zoo.good, beast)


@pytest.mark.parametrize("program", [WORKER, WITHOUT_GROUPS], ids=["with groups", "without groups"])
def test_in_vain_a_sandboxed_beast_reaches_out_of_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: tuple[str, ...]
) -> None:
    """`--show` lets bots read a folder: no more, and nothing beside it.

    What lies above it in the sandbox may be the bot's private /tmp, where it may write; on the host nothing is changed.
    """
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
    chain = tmp_path / "opt" / "chain"
    (chain / "lib").mkdir(parents=True)
    (chain / "lib" / "words").write_text("hello")
    (chain.parent / "secret").write_text("secret")
    os.chmod(chain / "lib", 0o777)
    monkeypatch.setenv("PELOARENA_SHOW", str(chain))
    zoo = Zoo(tmp_path / "bots")
    beast = zoo.beast(
        "reaches_out_of_what_is_shown", targets={"chain": str(chain), "beside": str(chain.parent / "secret")}
    )
    with referee("auto", tmp_path / "scratch", program=program) as process:
        report = process.play(zoo.good, beast, clock=PATIENT)
    assert report.verdicts == ()
    found = notes(report, 1)[0].split("; ")
    assert len(found) == 10
    assert {line for line in found if not line.endswith(": refused")} <= {"above: got 1"}
    assert sorted(path.name for path in chain.parent.rglob("*")) == ["chain", "lib", "secret", "words"]
    assert (chain / "lib" / "words").read_text() == "hello"
