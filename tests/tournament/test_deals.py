"""Deals that nobody chose: seeds, commitment and names, and the example that spec/ARCHIVE.md gives."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from pathlib import Path

import pytest

from peloarena.game import ConfigError
from peloarena.game.chance import check_seed
from peloarena.tournament.deals import (
    Deal,
    DealSource,
    commitment,
    draw_secret,
    game_name,
    normalize_room_word,
    solo_game_name,
    source_from_host_seed,
)

PAGE = (Path(__file__).parents[2] / "spec" / "ARCHIVE.md").read_text()
SOURCE = DealSource(bytes(range(16)), "olive")


def test_example_of_the_page_holds_and_is_recomputed_without_our_code() -> None:
    example = dict(re.findall(r"^(secret|commitment|word|text|seed) +(.+)$", PAGE, re.MULTILINE))
    secret = bytes.fromhex(example["secret"])
    assert hashlib.sha256(secret).hexdigest() == example["commitment"]
    assert hmac.new(secret, example["text"].encode(), hashlib.sha256).hexdigest() == example["seed"]
    word, stage, round, deal, entries, redraw = json.loads(example["text"])
    assert word == example["word"]
    assert commitment(secret) == example["commitment"]
    assert DealSource(secret, word).seed(Deal(stage, round, deal, tuple(entries), redraw)) == example["seed"]


def test_every_part_of_a_deal_changes_its_seed() -> None:
    deals = [
        Deal("main", 3, 3, (2, 5)),
        Deal("catch-up", 3, 3, (2, 5)),
        Deal("main", 4, 3, (2, 5)),
        Deal("main", 3, 4, (2, 5)),
        Deal("main", 3, 3, (2, 6)),
        Deal("main", 3, 3, (2, 5), 1),
        Deal("main", 3, 3, ()),
    ]
    seeds = {SOURCE.seed(deal) for deal in deals} | {DealSource(SOURCE.secret).seed(deals[0])}
    assert len(seeds) == len(deals) + 1
    assert {check_seed(seed) for seed in seeds} == seeds


def test_seed_of_the_file_takes_the_secrets_place() -> None:
    text = '["","main",1,1,[1,2],0]'
    wanted = hmac.new(b"friday-1", text.encode(), hashlib.sha256).hexdigest()
    assert source_from_host_seed("friday-1").seed(Deal("main", 1, 1, (1, 2))) == wanted


def test_secret_is_drawn_and_has_16_bytes() -> None:
    assert len(draw_secret()) == 16
    assert draw_secret() != draw_secret()


@pytest.mark.parametrize(
    ("word", "used"), [(" olive ", "olive"), ("Öl", "Öl"), ("O\u0308l", "Öl"), ("two words", "two words")]
)
def test_word_is_used_as_every_language_writes_it(word: str, used: str) -> None:
    assert normalize_room_word(word) == used


@pytest.mark.parametrize("word", ["", "  ", 'a"b', "a\\b", "a\nb", "a\x1bb", "x" * 61])
def test_word_that_could_be_written_in_two_ways_is_refused(word: str) -> None:
    with pytest.raises(ConfigError, match="1 to 60 printable characters"):
        normalize_room_word(word)


@pytest.mark.parametrize(
    ("deal", "name"),
    [
        (Deal("main", 3, 3, (2, 5)), "r03-2.5-d003-s1"),
        (Deal("catch-up", 3, 3, (2, 5)), "c03-2.5-d003-s1"),
        (Deal("main", 12, 100, (1, 10, 11)), "r12-1.10.11-d100-s1"),
        (Deal("main", 3, 3, (2, 5), 1), "r03-2.5-d003-s1-x1"),
    ],
)
def test_name_of_a_game_tells_stage_round_entries_deal_and_seating(deal: Deal, name: str) -> None:
    assert game_name(deal, 1) == name


def test_name_of_a_solo_game_tells_level_and_entry() -> None:
    assert solo_game_name(Deal("main", 3, 2, ()), 5) == "r03-l2-e5"
    assert solo_game_name(Deal("catch-up", 3, 2, (), 2), 5) == "c03-l2-e5-x2"
