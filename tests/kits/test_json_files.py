"""The JSON files of kits whose language has none: each reads what Python reads, and refuses whatever is no JSON.

Each is compiled with a program of a few lines that writes every value it read, or "error".
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from promises import KIT_CHAINS, untried

from peloarena.referee.kits import KITS_FOLDER, find_kit_statuses, kit_of

PAGE = Path(__file__).parents[2] / "spec" / "PROTOCOL.md"


class Echo(NamedTuple):
    """A program around a kit's JSON file."""

    json_file: str
    program: str
    text: str
    build: tuple[str, ...]
    command: tuple[str, ...]


RUST = r"""
mod json;
fn main() {
    for line in std::io::stdin().lines() {
        match line.unwrap().parse::<json::Json>() {
            Ok(value) => println!("{value}"),
            Err(error) => println!("error: {error}"),
        }
    }
}
"""
JAVA = r"""
import java.io.*;
import java.nio.charset.StandardCharsets;
class Echo {
    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line; (line = lines.readLine()) != null; )
            try { out.println(Json.write(Json.read(line))); }
            catch (IllegalArgumentException error) { out.println("error: " + error.getMessage()); }
    }
}
"""
C_SHARP = r"""
using System;
class Echo {
    static void Main() {
        for (string line; (line = Console.ReadLine()) != null;)
            try { Console.WriteLine(Json.Write(Json.Read(line))); }
            catch (FormatException error) { Console.WriteLine("error: " + error.Message); }
    }
}
"""
LUA = r"""
local json = require("json")
for line in io.lines() do
  local good, value = pcall(json.decode, line)
  print(good and json.encode(value) or "error: " .. value)
end
"""
ECHOES = {
    "rust": Echo("json.rs", "echo.rs", RUST, ("rustc", "--edition", "2021", "-o", "echo", "echo.rs"), ("./echo",)),
    "java": Echo("Json.java", "Echo.java", JAVA, ("javac", "Echo.java", "Json.java"), ("java", "-cp", ".", "Echo")),
    "csharp": Echo("Json.cs", "Echo.cs", C_SHARP, ("mcs", "-out:echo.exe", "Echo.cs", "Json.cs"), ("mono", "echo.exe")),
    "lua": Echo("json.lua", "echo.lua", LUA, ("true",), ("lua", "echo.lua")),
}
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}
"""As in the sandbox: Debian's programs, not those of a home."""
GOOD = [
    *("{}", "[]", '{"a":[],"b":{}}', '""', "true", "false", "[null,true]", ' [ 1 , 2 ,\t{ "x" : "y" } ] \r'),
    *("0", "-0", "-1", "1.5", "-0.25", "1e3", "1E+2", "2.5e-1", "9007199254740993"),
    *("9223372036854775807", "-9223372036854775808", "9223372036854775808", "0.1", "1e-400"),
    *('"\\u00e9\\n\\"\\\\\\/\\b\\f\\r\\t"', '"\\ud83d\\ude00 \\u0000"', '"é😀"', '"\\u007f\\u2028"', '{"\\u0061":1}'),
    *('{"a":1,"a":2}', "[" * 100 + "]" * 100, '{"a":' * 100 + "1" + "}" * 100),
]
BAD = [
    *("", "{", "[", '"', "nul", "tru", "tru e", "truex", "NaN", "Infinity", "\\", "'a'", "/**/1", "\x0b1", "\ufeff1"),
    *("[1,]", "[,1]", "[1 2]", "[1", '{"a":1,}', '{"a"}', '{"a":}', "{a:1}", "{,}", '{"a":1 "b":2}', "{1:2}", "[}"),
    *(
        "01",
        "-",
        "-a",
        "1.",
        ".5",
        "+1",
        "1e",
        "1e+",
        "0x1",
        "--1",
        "1 1",
        "{} {}",
        "[]]",
        '"a" "b"',
        "1e400",
        "-1e999",
    ),
    *('"\\x"', '"\\', '"\\u', '"\\u12"', '"\\u12g4"', '"\\u+123"', '"\t"', '"a'),
    *('"\\ud800"', '"\\udc00"', '"\\ud800\\u0041"', '"\\ud800x"', '"\\ud800\\ud800"', '"\\ud83d\\n"'),
    *("[" * 100_000, '{"a":' * 100_000, "[" * 300 + "]" * 300),
]


@pytest.mark.parametrize("lang", ECHOES)
def test_a_json_file_reads_all_json_and_refuses_everything_else(lang: str, tmp_path: Path) -> None:
    (here,) = find_kit_statuses((kit_of(lang),))
    if not here.usable:
        untried(KIT_CHAINS, here.problem)
    echo = ECHOES[lang]
    (tmp_path / echo.program).write_text(echo.text)
    (tmp_path / echo.json_file).write_bytes((KITS_FOLDER / lang / echo.json_file).read_bytes())
    built = subprocess.run(echo.build, cwd=tmp_path, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    lines = [*GOOD, *examples(), *BAD]
    text = "".join(f"{line}\n" for line in lines).encode()
    done = subprocess.run(echo.command, cwd=tmp_path, input=text, capture_output=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 0, done.stderr.decode()
    said = done.stdout.decode().split("\n")[:-1]
    good = len(lines) - len(BAD)
    assert [json.loads(line) for line in said[:good]] == [expected(lang, line) for line in lines[:good]]
    assert [
        (text[:80], line) for text, line in zip(BAD, said[good:], strict=True) if not line.startswith("error: ")
    ] == []


def examples() -> list[str]:
    page = PAGE.read_text(encoding="utf-8")
    blocks = [text.partition("\n")[2] for text in page.split("```")[1::2] if text.startswith("json\n")]
    return [json.dumps(json.loads(block)) for block in blocks]


def expected(lang: str, line: str) -> object:
    return without_nulls(json.loads(line)) if lang == "lua" else json.loads(line)


def without_nulls(value: object) -> object:
    """To Lua a field that is null is not there."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value
