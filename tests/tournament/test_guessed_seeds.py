"""A tournament whose file has a short seed: what bots are told does not help them to guess it; and hosts are warned."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import independent_archive
import pytest
from click.testing import CliRunner
from sample_tournament import Evening

from peloarena.cli.main import cli
from peloarena.game.json_codec import encode_indented
from peloarena.referee.ask_recorded import rebuild_newgame
from peloarena.referee.replay import read_replay
from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.archive.manifest import MANIFEST, ArchiveError, manifest_text
from peloarena.tournament.deals import Deal, source_from_host_seed
from peloarena.tournament.secret import META_TOKEN_KEY
from peloarena.tournament.seeds import ENOUGH_BITS, guessing_bits, random_seed, weak_seed_warning
from peloarena.tournament.store import Store

SEED = "friday-1"
GUESSES = """
import hashlib, hmac

WORDS = [f"{day}-{n}" for day in ("monday", "friday", "sunday") for n in range(1, 10)]

def deals(stage):
    for word in WORDS:
        for round in range(1, 5):
            for deal in range(1, 5):
                for entries in ([1, 2], [1], [2], [3]):
                    text = json.dumps(["", stage, round, deal, entries, 0], separators=(",", ":")).encode()
                    yield hmac.new(word.encode(), text, hashlib.sha256).hexdigest()

def guess(told, stage):
    seat = told["seat"]
    for seed in deals(stage):
        for seating in range(4):
            drawn = f"{seed}\\nrandom\\n{seat}" + (f"\\n{seating}" if seating else "")
            tokens = {
                hashlib.sha256(f"{seed}\\ngame\\n{seat}\\n{seating}".encode()).hexdigest()[:16],
                int(hashlib.sha256(drawn.encode()).hexdigest()[:12], 16),
            }
            if tokens & {told["game"], told["random"]}:
                return seed
    return ""
"""
"""What a bot does before it says `ready`: with the seed of the deal it knows every tile."""
TELLS = "sys.stderr.write('guessed ' + guess(message, 'main') + '\\n' + line)"
FAILS = "sys.exit(3)"


def guessing_evening(folder: Path, token_key: str | None = None) -> Evening:
    evening = Evening(folder)
    evening.bot("first")
    evening.bot("guesser", start=GUESSES, newgame=TELLS)
    evening.bot("fails", newgame=FAILS)
    evening.write("first", "guesser", "fails", seed=SEED)
    if token_key is not None:
        with Store.open_to_play(evening.store_path) as store:
            store.set_meta(META_TOKEN_KEY, token_key)
    evening.run()
    return evening


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return guessing_evening(tmp_path_factory.mktemp("night"))


@pytest.fixture(scope="module")
def archive(evening: Evening) -> Path:
    assert evening.call("close").exit_code == 0
    folder = evening.folder / "archive"
    assert evening.call("export", "--to", str(folder), "--archive").exit_code == 0
    return folder


def guesses(evening: Evening) -> dict[str, str]:
    """By the seed of each deal: what the guesser said of it."""
    with Store.open_to_read(evening.store_path) as store:
        found = {row.fixture.seed: store.stderr(row.fixture.game) for row in store.games()}
        seats = {row.fixture.seed: row.fixture.seats.index("guesser") for row in store.games()}
    return {seed: said[seats[seed]].partition("\n")[0] for seed, said in found.items()}


# ---- guessing


def test_a_bot_that_tries_words_on_its_tokens_does_not_find_the_deal(evening: Evening) -> None:
    found = guesses(evening)
    assert len(found) == 2
    assert set(found.values()) == {"guessed "}


def test_a_store_that_an_older_version_began_keeps_its_tokens(tmp_path: Path) -> None:
    """There the same bot knows every deal."""
    found = guesses(guessing_evening(tmp_path, token_key=""))
    assert found == {seed: f"guessed {seed}" for seed in found}
    assert len(found) == 2


def test_an_author_who_reads_the_tokens_of_a_failed_trial_does_not_find_the_seed(evening: Evening) -> None:
    with Store.open_to_read(evening.store_path) as store:
        failed = next(version for version in store.versions() if version.entry == 3)
    assert failed.state == "refused"
    told = json.loads(failed.details.rpartition("last request: ")[2])
    assert told["type"] == "newgame"
    names = {"json": json, "hashlib": hashlib, "hmac": hmac}
    exec(GUESSES, names)
    assert names["guess"](told, "trial") == ""  # type: ignore[operator]


def test_each_deal_has_a_key_of_its_own_and_no_record_tells_the_keys_to_come(evening: Evening) -> None:
    with Store.open_to_read(evening.store_path) as store:
        key = store.meta(META_TOKEN_KEY)
        headers = [json.loads(store.record(name).splitlines()[0]) for name in store.finished_game_names()]
    assert key is not None
    assert len(key) == 32
    by_seed = {(header["seed"], header["token_key"]) for header in headers}
    assert len(headers) == 4
    assert len(by_seed) == len({token_key for _, token_key in by_seed}) == 2
    assert not any(key in header["token_key"] for header in headers)


def test_two_stores_draw_two_keys_for_the_same_deals(evening: Evening, tmp_path: Path) -> None:
    other = guessing_evening(tmp_path)
    assert guesses(other).keys() == guesses(evening).keys()
    with Store.open_to_read(evening.store_path) as one, Store.open_to_read(other.store_path) as two:
        assert one.meta(META_TOKEN_KEY) != two.meta(META_TOKEN_KEY)


# ---- the record is enough


def test_a_record_rebuilds_the_tokens_that_its_bot_was_told(evening: Evening) -> None:
    with Store.open_to_read(evening.store_path) as store:
        for row in store.games():
            seat = row.fixture.seats.index("guesser")
            told = json.loads(store.stderr(row.fixture.game)[seat].splitlines()[1])
            again = rebuild_newgame(read_replay(store.record(row.fixture.game)), seat)
            assert (again.game, again.random) == (told["game"], told["random"])


def test_a_game_from_a_position_has_the_token_key_of_its_record(evening: Evening, tmp_path: Path) -> None:
    record, games = tmp_path / "game.jsonl", tmp_path / "games"
    with Store.open_to_read(evening.store_path) as store:
        record.write_bytes(store.record(min(store.finished_game_names())))
    words = ["match", "greedy", "greedy", "--from", f"{record}@5", "--sandbox", "off", "--record", str(games), "-q"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    [played] = games.glob("*.jsonl")
    headers = [json.loads(file.read_bytes().splitlines()[0]) for file in (record, played)]
    assert headers[0]["token_key"] == headers[1]["token_key"]
    assert CliRunner().invoke(cli, ["verify", str(played)]).exit_code == 0


def test_the_archive_publishes_the_key_and_each_record_follows_from_it(archive: Path) -> None:
    assert check_archive(archive).games == 4
    assert len(json.loads((archive / "night.json").read_bytes())["token_key"]) == 32
    words = [sys.executable, "-I", independent_archive.__file__, str(archive)]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "4 games\n"


@pytest.mark.parametrize(
    ("key", "place", "problem"),
    [
        ("00" * 16, "records/r01-1.2-d001-s1.jsonl", "line 1: token_key is"),
        ("", "records/r01-1.2-d001-s1.jsonl", "line 1: token_key is"),
        ("00" * 15, "night.json", "token_key: must be 16 bytes in lower-case hexadecimal"),
        ("AB" * 16, "night.json", "token_key: must be 16 bytes in lower-case hexadecimal"),
        ("zz" * 16, "night.json", "token_key: must be 16 bytes in lower-case hexadecimal"),
    ],
)
def test_an_archive_with_another_token_key_is_found(
    archive: Path, tmp_path: Path, key: str, place: str, problem: str
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    tournament = copy / "night.json"
    told = json.loads(tournament.read_text()) | {"token_key": key}
    tournament.write_text(encode_indented({name: value for name, value in told.items() if name != "token_key" or key}))
    relist(copy)
    with pytest.raises(ArchiveError, match=problem) as found:
        check_archive(copy)
    assert place in str(found.value)


def relist(folder: Path) -> None:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names if name != MANIFEST}
    (folder / MANIFEST).write_bytes(manifest_text(hashes))


def test_deals_by_a_secret_need_no_token_key(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.lay_out()
    evening.write(seed="", deals=1)
    evening.run()
    with Store.open_to_read(evening.store_path) as store:
        assert store.meta(META_TOKEN_KEY) is None
        assert not any(b"token_key" in store.record(name) for name in store.finished_game_names())
    assert (
        source_from_host_seed(SEED).deal_token_key(source_from_host_seed(SEED).seed(Deal("main", 1, 1, (1, 2)))) == ""
    )


# ---- the warning


@pytest.mark.parametrize("command", ["run", "plan"])
def test_a_weak_seed_is_warned_about_in_one_sentence(evening: Evening, tmp_path: Path, command: str) -> None:
    new = Evening(tmp_path)
    new.lay_out()
    new.write(seed=SEED, deals=1)
    weak = new.call(command)
    assert weak.exit_code == 0
    assert weak.stderr.splitlines() == [weak_seed_warning(SEED)]
    assert "leave `seed` out" in weak_seed_warning(SEED)
    new.store_path.unlink(missing_ok=True)
    for seed in ("", random_seed()):
        new.write(seed=seed, deals=1)
        assert new.call(command, *(["--store", str(tmp_path / f"{seed}.sqlite")] * (command == "run"))).stderr == ""


def test_words_count_little_and_drawn_digits_count_nearly_what_they_have() -> None:
    weak = ["7", SEED, "gauntlet-1", "the-championship-of-2026", "correct horse battery staple", "1" * 16, "апрель"]
    assert [seed for seed in weak if guessing_bits(seed) >= ENOUGH_BITS] == []
    repeated = ["1" * 20, "0" * 40, "1234567890" * 3, "9876543210" * 3, "12" * 20, "aA" * 20, "." * 64, "abc" * 20]
    assert [seed for seed in repeated if guessing_bits(seed) >= ENOUGH_BITS] == []
    chance = random.Random(1)  # of a million drawn seeds one has hardly a digit between its letters
    drawn = [chance.randbytes(16).hex() for _ in range(1000)]
    assert [seed for seed in drawn if guessing_bits(seed) < ENOUGH_BITS] == []
    assert guessing_bits("3f0c9d1a6b7e4c52a81d0e9f27b6c483") > 100
    assert guessing_bits("five drawn words would be weak but six are enough") >= ENOUGH_BITS
