"""Debian's GHC, OCaml, Mono, PHP and Ruby: bots are built in the strict sandbox and play a whole game there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from promises import DEBIAN_CHAINS, EVERY_PROTECTION, needs, untried

from peloarena.referee.sandbox.isolation import missing_part_texts

HASKELL = r"""
import Data.Char (isDigit)
import Data.List (isPrefixOf, stripPrefix)
import System.IO

main :: IO ()
main = hSetBuffering stdout LineBuffering >> getContents >>= mapM_ reply . lines

reply :: String -> IO ()
reply line
  | said "hello" = putStrLn "{\"type\":\"hello\",\"name\":\"haskell\"}"
  | said "newgame" = putStrLn "{\"type\":\"ready\"}"
  | said "decide" = putStrLn ("{\"type\":\"answer\",\"id\":" ++ number line ++ ",\"index\":0}")
  | otherwise = return ()
  where said kind = ("{\"type\":\"" ++ kind ++ "\"") `isPrefixOf` line

number :: String -> String
number text = maybe (number (tail text)) (takeWhile isDigit) (stripPrefix "\"id\":" text)
"""
OCAML = r"""
let said kind line =
  let start = "{\"type\":\"" ^ kind ^ "\"" in
  let length = String.length start in
  String.length line >= length && String.sub line 0 length = start

let reply line =
  if said "hello" line then print_endline "{\"type\":\"hello\",\"name\":\"ocaml\"}"
  else if said "newgame" line then print_endline "{\"type\":\"ready\"}"
  else if said "decide" line then
    Scanf.sscanf line "{\"type\":\"decide\",\"id\":%d" (Printf.printf "{\"type\":\"answer\",\"id\":%d,\"index\":0}\n%!")

let () = try while true do reply (input_line stdin) done with End_of_file -> ()
"""
C_SHARP = r"""
using System;

class Bot {
    static string Reply(string line) {
        if (line.StartsWith("{\"type\":\"hello\"")) return "{\"type\":\"hello\",\"name\":\"mono\"}";
        if (line.StartsWith("{\"type\":\"newgame\"")) return "{\"type\":\"ready\"}";
        if (!line.StartsWith("{\"type\":\"decide\"")) return null;
        int start = line.IndexOf("\"id\":") + 5;
        string id = line.Substring(start, line.IndexOf(',', start) - start);
        return "{\"type\":\"answer\",\"id\":" + id + ",\"index\":0}";
    }

    static void Main() {
        for (string line; (line = Console.ReadLine()) != null;) {
            string said = Reply(line);
            if (said != null) { Console.WriteLine(said); Console.Out.Flush(); }
        }
    }
}
"""
PHP = r"""<?php
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $said = ["hello" => ["type" => "hello", "name" => "php"], "newgame" => ["type" => "ready"],
             "decide" => ["type" => "answer", "id" => $asked["id"] ?? 0, "index" => 0]];
    if (isset($said[$asked["type"]])) { echo json_encode($said[$asked["type"]]), "\n"; flush(); }
}
"""
RUBY = r"""
require "json"
$stdout.sync = true
while (line = gets)
  asked = JSON.parse(line)
  case asked["type"]
  when "hello" then puts JSON.generate(type: "hello", name: "ruby")
  when "newgame" then puts JSON.generate(type: "ready")
  when "decide" then puts JSON.generate(type: "answer", id: asked["id"], index: 0)
  end
end
"""
BOTS = {
    "haskell": ("ghc", "main.hs", HASKELL, 'build = ["ghc", "-o", "bot", "main.hs"]\ncommand = ["./bot"]\n'),
    "ocaml": (
        *("ocamlfind", "bot.ml", OCAML),
        'build = ["ocamlfind", "ocamlopt", "-o", "bot", "bot.ml"]\ncommand = ["./bot"]\n',
    ),
    "mono": ("mcs", "bot.cs", C_SHARP, 'build = ["mcs", "-out:bot.exe", "bot.cs"]\ncommand = ["mono", "bot.exe"]\n'),
    "php": ("php", "bot.php", PHP, 'command = ["php", "bot.php"]\n'),
    "ruby": ("ruby", "main.rb", RUBY, ""),
}
"""Name: the program that must be there, the file, its text, bot.toml (none: the entry file is obvious)."""

pytestmark = needs(DEBIAN_CHAINS, all(shutil.which(program) for program, *_ in BOTS.values()))


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_built_and_plays_a_whole_game_in_the_strict_sandbox(tmp_path: Path, name: str) -> None:
    if lacks := missing_part_texts():
        untried(EVERY_PROTECTION, "; ".join(lacks))
    _, file, text, manifest = BOTS[name]
    folder = tmp_path / name
    folder.mkdir()
    (folder / file).write_text(text)
    if manifest:
        (folder / "bot.toml").write_text(manifest)
    words = [
        sys.executable,
        "-m",
        "peloarena",
        "match",
        str(folder),
        "random",
        "--sandbox",
        "strict",
        "--json",
        "-n",
        "2",
    ]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [game["verdicts"] for game in json.loads(done.stdout)["games"]] == [[], []]
