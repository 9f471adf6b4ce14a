"""The types of the kits: each decodes every example of PROTOCOL.md, and every message of games with all modules."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from probing import line_of
from promises import KIT_CHAINS, untried
from test_json_files import BAD, GOOD

from peloarena.botkit import GameInfo, Message
from peloarena.referee.kits import KITS_FOLDER, kit_of
from peloarena.simulate import play

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "spec" / "PROTOCOL.md").read_text(encoding="utf-8")
KINDS = {"to bot": "to", "from bot": "from", "Seat": "seat"}
ALL_MODULES = ["hellas", "sea", "trade", "goats", "athens", "heroes-and-colonies", "negotiation", "sacrum", "promos"]
ODD_TEXT = 'a"b\\c/d é 🜁\t\u20ac'
"""As a seat may be called: a quote, a backslash, escapes, two, three and four bytes."""


class Probe(NamedTuple):
    build: tuple[str, ...]
    command: tuple[str, ...]


PROBES = {
    "c": Probe(("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "probe", "probe.c"), ("./probe",)),
    "cpp": Probe(("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-o", "probe", "probe.cpp"), ("./probe",)),
    "rust": Probe(("/usr/bin/rustc", "--edition", "2021", "-A", "dead_code", "-o", "probe", "probe.rs"), ("./probe",)),
    "go": Probe(("go", "build", "-o", "probe", "."), ("./probe",)),
    "java": Probe(("javac", "Probe.java", "Messages.java", "Json.java"), ("java", "Probe")),
    "csharp": Probe(("mcs", "-out:probe.exe", "Probe.cs", "Messages.cs", "Json.cs"), ("mono", "probe.exe")),
}
Examples = list[tuple[str, dict[str, Any]]]


def examples_of_the_page() -> Examples:
    blocks = re.findall(r"<!-- (to bot|from bot|Seat) -->\n```json\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == PAGE.count("```json"), "an example without its marker"
    return [(KINDS[kind], json.loads(content)) for kind, content in blocks]


@pytest.fixture(scope="session")
def played() -> Examples:
    """All that the first seat of four is told and asked in a game with all modules, and one game in the base."""
    seen: Examples = []

    def choose(decide: Message, game: GameInfo) -> int:
        if not seen or seen[-1][1].get("id", 0) > decide["id"] or len(seen) == 1:
            seen.append(("to", game.newgame))
        seen.append(("to", decide))
        return game.random.randrange(len(decide["legal"]))

    play([choose, "random", "random", "random"], games=4, seed="probe", modules=ALL_MODULES, jobs=1)
    play([choose, "random"], games=2, seed="probe", jobs=1)
    assert len({decide["kind"] for _, decide in seen if decide["type"] == "decide"}) > 12
    return seen


@pytest.fixture(scope="session")
def examples(played: Examples) -> Examples:
    page = examples_of_the_page()
    odd = next(dict(message) for _, message in page if message["type"] == "newgame")
    odd["seats"], odd["random"] = [ODD_TEXT, "\x7f"], 2**48 - 1
    odd["clock"] = {"bank_ms": 1, "increment_ms": 0, "move_ms": 5000}
    odd["new_field"] = {"deep": [[[1e3, -0.5, True, False, None, {}]]]}
    moves = [json.loads(text) for text in re.findall(r"\| `(\{\"type\".*?\})` \|", PAGE)]
    assert len(moves) > 30
    asked = next(dict(message) for _, message in page if "about" in message)
    asked["legal"] = moves
    asked["about"] = {"coins": 3, "hungry": 2, "most": 4, "by": 1, "deck": "heroes", "done": [["wood", "food"]]}
    solo = {"seats": [{"score": -1, "prestige": 2, "population": 3, "luxury": 4, "rank": 1}]}
    over = {"type": "gameover", "ranks": [1], "result": solo | {"level": 3, "target": 20, "passed": True}}
    return [*page, ("to", odd), ("to", asked), ("to", over), *played]


@pytest.mark.parametrize("lang", PROBES)
def test_the_types_of_a_kit_decode_every_example(lang: str, examples: Examples, tmp_path: Path) -> None:
    probe = PROBES[lang]
    if not all(shutil.which(words[0]) or words[0].startswith("./") for words in probe):
        untried(KIT_CHAINS, f"{lang} is not installed here")
    shutil.copytree(KITS_FOLDER / lang, tmp_path, dirs_exist_ok=True)
    (tmp_path / kit_of(lang).main).unlink()
    shutil.copytree(HERE / "probes" / lang, tmp_path, dirs_exist_ok=True)
    built = subprocess.run(probe.build, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    lines = "".join(f"{kind}\t{json.dumps(message)}\n" for kind, message in examples)
    said = subprocess.run(
        probe.command, cwd=tmp_path, input=lines.encode(), capture_output=True, timeout=300, check=False
    )
    assert said.returncode == 0, said.stderr.decode()
    found = said.stdout.decode().split("\n")[:-1]
    wanted = [line_of(kind, message) for kind, message in examples]
    wrong = [
        (kind, message, there)
        for (kind, message), there, good in zip(examples, found, wanted, strict=True)
        if there != good
    ]
    assert wrong[:1] == []


def test_the_types_of_typescript_fit_every_example(examples: Examples, tmp_path: Path) -> None:
    """As constants of those types: a field that is missing, unknown or of another kind is an error of the compiler."""
    if shutil.which("tsc") is None:
        untried(KIT_CHAINS, "tsc is not installed here")
    shutil.copytree(KITS_FOLDER / "typescript", tmp_path, dirs_exist_ok=True)
    types = {"to": "ToBot", "from": "FromBot", "seat": "Seat"}
    known = [(kind, message) for kind, message in examples if "new_field" not in message]
    lines = [f"const e{n}: {types[kind]} = {json.dumps(message)};" for n, (kind, message) in enumerate(known)]
    assert compiled(tmp_path, lines) == ""
    misspelt = compiled(tmp_path, ['const wrong: FromBot = { type: "answer", id: 1, indx: 3 };'])
    assert "'indx' does not exist" in misspelt


def compiled(folder: Path, lines: list[str]) -> str:
    """What the compiler has against them."""
    (folder / "probe.ts").write_text('import { FromBot, Seat, ToBot } from "./messages";\n' + "\n".join(lines) + "\n")
    words = ["tsc", "--strict", "--noEmit", "--lib", "es2020", "probe.ts"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False).stdout


C_READER = r"""
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include "json.h"
int main(void) {
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        line[length - 1] = 0;
        Json *json = json_read(line);
        puts(json ? "good" : "error");
        free(json);
    }
    free(line);
    return 0;
}
"""
CPP_READER = r"""
#include <iostream>
#include "json.hpp"
int main() {
    for (std::string line; std::getline(std::cin, line);)
        try { Json::read(line); std::cout << "good\n"; } catch (const std::runtime_error&) { std::cout << "error\n"; }
}
"""
SANITIZED = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wall", "-Wextra", "-Werror")


@pytest.mark.parametrize(
    ("lang", "compiler", "program", "text"),
    [("c", ("cc", "-std=c11"), "reader.c", C_READER), ("cpp", ("g++", "-std=c++17"), "reader.cpp", CPP_READER)],
    ids=["c", "cpp"],
)
def test_the_readers_of_c_and_cpp_read_all_json_and_refuse_everything_else_without_a_wrong_step(
    lang: str, compiler: tuple[str, ...], program: str, text: str, tmp_path: Path
) -> None:
    """With the compiler's own guards against reading beyond a text and the like."""
    if shutil.which(compiler[0]) is None:
        untried(KIT_CHAINS, f"{compiler[0]} is not installed here")
    shutil.copytree(KITS_FOLDER / lang, tmp_path, dirs_exist_ok=True)
    (tmp_path / program).write_text(text)
    built = subprocess.run(
        [*compiler, *SANITIZED, "-o", "reader", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    lines = "".join(f"{line}\n" for line in [*GOOD, *BAD]).encode()
    said = subprocess.run(["./reader"], cwd=tmp_path, input=lines, capture_output=True, timeout=300, check=False)
    assert said.returncode == 0, said.stderr.decode()
    found = said.stdout.decode().splitlines()
    assert [text for text, there in zip(GOOD, found, strict=False) if there != "good"] == []
    assert [text[:80] for text, there in zip(BAD, found[len(GOOD) :], strict=True) if there != "error"] == []
