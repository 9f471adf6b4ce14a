"""`peloarena ask` and `match --from`: recorded positions, asked again and played on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_bots import CRASH, ILLEGAL, LAST_MOVE, SILENT, little_bot

from peloarena.cli.main import cli
from peloarena.referee.record_verification import verify_record

TALKS = "sys.stderr.write(f'asked {message[\"id\"]}\\n'); sys.stderr.flush()"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, [*map(str, args), "--sandbox", "off"], env={"COLUMNS": "120"})


class Played:
    """A game of two bots, its record and all lines that were said."""

    def __init__(self, folder: Path, wants: str) -> None:
        self.first = little_bot(folder, "first", wants=wants, decide=TALKS)
        self.last = little_bot(folder, "last", decide=LAST_MOVE)
        log = folder / "log"
        run("match", self.first, self.last, "--seed", "ask", "--log", log, "--record", folder / "games")
        (self.record,) = (folder / "games").iterdir()
        self.told = [line.partition(" first > ")[2] for line in log.read_text().splitlines() if " first > " in line]
        self.decides = [json.loads(line) for line in self.told if '"type":"decide"' in line]


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path, "state")


@pytest.mark.parametrize("wants", ["state", "events", "both"])
def test_the_messages_are_those_that_were_sent(tmp_path: Path, wants: str) -> None:
    """Every byte of `newgame` and of every question, clock included."""
    played = Played(tmp_path, wants)
    output = run("ask", played.record, "--all", "--seat", "0", "--json", "--wants", wants).stdout
    sent = [line for line in played.told if re.match(r'\{"type":"(newgame|decide)"', line)]
    assert output.splitlines()[1:] == sent
    third = played.decides[2]
    one = run("ask", played.record, str(third["id"]), "--json", "--wants", wants).stdout
    assert json.loads(one.splitlines()[-1]) == third


def test_the_bot_that_was_asked_answers_the_same(played: Played) -> None:
    number = str(played.decides[3]["id"])
    result = run("ask", played.record, number, played.first)
    assert result.exit_code == 0
    assert f"Decision {number}, round " in result.output
    assert ": the same\n" in result.output
    assert f"  stderr:   asked {number}\n" in result.output
    assert "  time:     0." in result.output


def test_another_bot_is_told_apart(played: Played) -> None:
    number = str(played.decides[0]["id"])
    assert ": different\n" in run("ask", played.record, number, played.last).output
    output = run("ask", played.record, "--all", played.last, "--seat", "0").output
    told = re.findall(r"^(\d+)\. first: .* → ", output, re.MULTILINE)
    assert output.endswith(
        f"{len(played.decides)} decisions asked, {len(told)} answered differently from the record.\n"
    )
    assert number in told
    assert "0 answered differently" in run("ask", played.record, "--all", played.first, "--seat", "0").output


def test_another_clock_is_told_and_kept(tmp_path: Path, played: Played) -> None:
    """With its whole bank for every decision; a bot that is slower than that is late."""
    last = played.decides[-1]
    words = ("ask", played.record, str(last["id"]), "--time", "7s+1s/200ms@20s")
    newgame, decide = map(json.loads, run(*words, "--json").stdout.splitlines()[1:])
    assert newgame["clock"] == {"bank_ms": 7000, "increment_ms": 1000, "move_ms": 200}
    assert decide == last | {"bank_ms": 7000}
    assert last["bank_ms"] > 30_000, "by the record's clock"
    result = run(*words, little_bot(tmp_path, "silent", decide=SILENT))
    assert result.exit_code == 1
    assert re.search(r"now: +late: .*0\.2", result.stdout), result.stdout


def test_all_seats_are_asked_without_seat(played: Played) -> None:
    output = run("ask", played.record, "--all", played.last).output
    assert " decisions asked, " in output


def test_bot_that_fails_is_told_and_asked_on(tmp_path: Path, played: Played) -> None:
    """Exit code 1; with --all a new process takes the next question."""
    number = str(played.decides[1]["id"])
    crash = little_bot(tmp_path, "crash", decide=CRASH)
    result = run("ask", played.record, number, crash)
    assert (result.exit_code, "crashed" in result.output, "my last words" in result.output) == (1, True, True)
    illegal = little_bot(tmp_path, "illegal", decide=ILLEGAL)
    result = run("ask", played.record, "--all", "--seat", "0", illegal)
    assert result.output.count("illegal: index ") == len(played.decides)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mybot"], "name a decision"),
        (["3"], "name one bot"),
        (["0", "mybot"], "decision 0: this game has decisions 1 to "),
        (["99999", "mybot"], "decision 99999: this game has decisions 1 to "),
        (["--all", "3", "mybot"], "name one bot"),
        (["--all", "--seat", "2", "mybot"], "--seat 2: this game has seats 0 to 1"),
        (["--all", "--json"], "--all --json needs --seat N"),
        (["3", "nowhere"], "no bot at 'nowhere'"),
    ],
)
def test_wrong_use_is_one_line(played: Played, words: list[str], said: str) -> None:
    result = run("ask", played.record, *words)
    assert (result.exit_code, said in result.stderr, result.stderr.count("\n")) == (2, True, 1)


# -- a game from a position


def test_game_goes_on_from_a_position(tmp_path: Path, played: Played) -> None:
    """The same bots give the same game; its record verifies and says where it comes from; ratings leave it out."""
    number = played.decides[4]["id"]
    result = run(
        "match", played.first, played.last, "--from", f"{played.record}@{number}", "--record", tmp_path / "more"
    )
    assert result.exit_code == 0, result.output
    assert "Games from a position are experiments" in result.output
    (record,) = (tmp_path / "more").iterdir()
    header = verify_record(record.read_bytes()).header
    assert header.origin is not None
    assert header.origin.decisions == number - 1
    lines = [json.loads(line) for line in record.read_bytes().splitlines()]
    made = [line.get("by", "bot") for line in lines if line["type"] == "decision"]
    assert made[: number - 1] == ["record"] * (number - 1)
    assert set(made[number - 1 :]) == {"bot"}
    old = [json.loads(line) for line in played.record.read_bytes().splitlines()]
    assert lines[-2] == old[-2], "the result"
    assert old[-1]["game"] == header.origin.digest
    record.rename(played.record.parent / "more.jsonl")
    rated = CliRunner().invoke(cli, ["ratings", str(played.record.parent)], env={"COLUMNS": "120"})
    assert "left out: 1 game that goes on from a position of another record" in rated.output


@pytest.mark.parametrize("wants", ["events", "both"])
def test_bots_that_want_events_hear_all_from_the_beginning(tmp_path: Path, wants: str) -> None:
    played = Played(tmp_path, wants)
    number = played.decides[3]["id"]
    log = tmp_path / "second"
    place = f"{played.record}@{number}"
    run("match", played.first, played.last, "--from", place, "--log", log, "--record", tmp_path / "more")
    lines = [line.partition(" first > ")[2] for line in log.read_text().splitlines() if " first > " in line]
    asked = next(json.loads(line) for line in lines if '"type":"decide"' in line)
    heard = [event for message in played.decides[:4] for event in message["events"]]
    assert (asked["id"], asked["events"]) == (number, heard)


def test_many_games_from_a_position_rotate_the_seats(tmp_path: Path, played: Played) -> None:
    place = f"{played.record}@{played.decides[2]['id']}"
    args = ("--from", place, "--games", "4", "--jobs", "2", "--record", tmp_path / "more", "--json")
    found = json.loads(run("match", played.first, played.last, *args).stdout)
    assert [game["seats"] for game in found["games"]] == [["first", "last"], ["last", "first"]] * 2
    assert {game["seed"] for game in found["games"]} == {"ask"}
    assert found["elo"] is None


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("RECORD", "expected a record and a decision"),
        ("RECORD@1", "choose a decision from 2 to "),
        ("RECORD@9999", "choose a decision from 2 to "),
        ("none.jsonl@3", "no record at 'none.jsonl'"),
    ],
)
def test_places_that_are_none(played: Played, place: str, said: str) -> None:
    result = run("match", played.first, played.last, "--from", place.replace("RECORD", str(played.record)))
    assert (result.exit_code, said in result.stderr, result.stderr.count("\n")) == (2, True, 1)


@pytest.mark.parametrize("words", [("--seed", "x"), ("--with", "hellas"), ("--sprt", "0,20", "--games", "4")])
def test_a_position_has_its_deal_and_takes_no_other(played: Played, words: tuple[str, ...]) -> None:
    result = run("match", played.first, played.last, "--from", f"{played.record}@3", *words)
    told = "peloarena: --from plays the deal of its record: leave --sprt, --with, --components and --seed out\n"
    assert (result.exit_code, result.stderr) == (2, told)


def test_many_games_of_one_position_give_no_elo_while_they_run_either(tmp_path: Path, played: Played) -> None:
    place = f"{played.record}@{played.decides[2]['id']}"
    result = run("match", played.first, played.last, "--from", place, "--games", "4", "--record", tmp_path / "more")
    assert re.search(r"^4/4 games: \w+ [\d.]+, \w+ [\d.]+$", result.stdout, re.MULTILINE), result.stdout
    assert "Elo" not in result.output


def test_a_position_wants_as_many_bots_as_sat_there(played: Played) -> None:
    result = run("match", played.first, played.last, played.last, "--from", f"{played.record}@3")
    assert (result.exit_code, "the game has 2 players, but 3 bots were given" in result.stderr) == (2, True)


def test_evidence_holds_the_whole_request(tmp_path: Path) -> None:
    """So that the position of a crash can be asked again."""
    crash = little_bot(tmp_path, "crash", decide=f"if asked == 3: {CRASH}")
    good = little_bot(tmp_path, "good")
    run("match", crash, good, "--record", tmp_path / "games", "--seed", "ask")
    (record,) = (tmp_path / "games").iterdir()
    verdict = next(json.loads(line) for line in record.read_text().splitlines() if '"type":"verdict"' in line)
    asked = json.loads(verdict["evidence"]["request"])
    assert (asked["type"], asked["id"]) == ("decide", verdict["verdict"]["decision"])
    assert len(verdict["evidence"]["request"]) > 2000


def test_so_does_what_match_tells_programs(tmp_path: Path) -> None:
    """A long series keeps only the beginning of a request in memory; --json reads it from the records."""
    crash = little_bot(tmp_path, "crash", decide=f"if asked == 3: {CRASH}")
    good = little_bot(tmp_path, "good")
    told = run("match", crash, good, "--record", tmp_path / "games", "--seed", "ask", "--games", "2", "--json").stdout
    requests = [game["evidence"][0]["request"] for game in json.loads(told)["games"]]
    assert [json.loads(request)["type"] for request in requests] == ["decide", "decide"]
    assert max(map(len, requests)) > 2000
