"""`peloarena play`: a person plays by numbers; every decision can be understood; opponents keep to the rules."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from terminal import Terminal

from peloarena.cli.common import console
from peloarena.cli.main import cli
from peloarena.cli.play import same_deal_command
from peloarena.cli.play.opponents import OPPONENTS, make_opponent
from peloarena.cli.play.recording import PERSON_NAME, LocalGame, save_record
from peloarena.cli.play.session import Session
from peloarena.game import Game, make_options
from peloarena.game.errors import ConfigError
from peloarena.game.moves import Bid
from peloarena.game.registry import DECISION_TEXTS, MODULES, MOVES, TEXTS
from peloarena.referee.record_verification import RecordError, verify_record

PLAYABLE = [
    (players, name)
    for name, module in MODULES.items()
    for players in (1, 2)
    if players in module.players and not module.needs
]


def play(*args: str, answers: str = "") -> Result:
    return CliRunner().invoke(cli, ["play", *args], input=answers, env={"COLUMNS": "80"})


class Scripted(Session):
    """A person who answers every question: numbers at random but the same each time."""

    asked = 0

    def read_line(self, prompt: str) -> str:
        lowest, highest = re.findall(r"(\d+)–(\d+)", prompt)[0]
        self.asked += 1
        return str(int(lowest) + self.asked * 7 % (int(highest) - int(lowest) + 1))


def scripted(players: int, modules: tuple[str, ...] = (), seed: str = "friday-1", level: int = 0) -> Scripted:
    options = make_options(players, modules, level)
    others = {seat: make_opponent("careful", seed, seat) for seat in range(1, players)}
    host = LocalGame(Game(options, seed), [PERSON_NAME, *["careful"] * (players - 1)])
    return Scripted(console(), host, others, "peloarena play", lambda host: save_record(host, "games"))


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are recorded in the working folder."""
    monkeypatch.chdir(tmp_path)


def first_bid(seed: str = "friday-1") -> Game:
    """Patras has bid 3 on A01; Argos, seat 0, with 5 coins is asked."""
    game = Game(make_options(2), seed)
    game.choose(Bid("A01", 3))
    assert game.decision is not None
    assert game.decision.seat == 0
    return game


# -- choosing


def test_bid_is_made_in_two_steps() -> None:
    result = play("--seed", "friday-1", answers="1\n4\n")
    assert "How many coins on A01 mountain? At least 4; you have 5." in result.output
    assert "coins 4–5, b goes back> 4\n" in result.output
    assert "Argos: bid 4 on A01 mountain" in result.output
    assert "Argos outbids Patras on A01 mountain" in result.output


def test_b_goes_back_to_the_tiles() -> None:
    result = play("--seed", "friday-1", answers="1\nb\n5\n")
    assert "Argos: pass" in result.output


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        ("0", "'0': enter a number from 1 to 5, ? or q"),
        ("6", "'6': enter a number from 1 to 5, ? or q"),
        ("-1", "'-1': enter a number from 1 to 5, ? or q"),
        ("", "nothing: enter a number from 1 to 5, ? or q"),
        ("x" * 30, f"'{'x' * 20}': enter a number from 1 to 5, ? or q"),
        ("9" * 5000, f"'{'9' * 20}': enter a number from 1 to 5, ? or q"),
        ("[bold]²", "'[bold]²': enter a number from 1 to 5, ? or q"),
        ("\x1b[2J", r"'\x1b[2J': enter a number from 1 to 5, ? or q"),
    ],
)
def test_wrong_answer_is_refused_and_asked_again(answer: str, refusal: str) -> None:
    result = play("--seed", "friday-1", answers=f"{answer}\n5\n")
    assert refusal in result.output
    assert "Argos: pass" in result.output
    assert "\x1b[2J" not in result.output


def test_wrong_number_of_coins_is_refused() -> None:
    result = play("--seed", "friday-1", answers="1\n3\n6\n5\n")
    assert "'3': enter a number from 4 to 5, ? or q" in result.output
    assert "'6': enter a number from 4 to 5, ? or q" in result.output
    assert "Argos: bid 5 on A01 mountain" in result.output


@pytest.mark.parametrize("key", ["?", "h", "help"])
def test_question_mark_and_help_explain_and_ask_again(key: str) -> None:
    result = play("--seed", "friday-1", answers=f"{key}\n1\n{key}\n5\n")
    text = " ".join(result.output.split())
    assert text.count("Your score is the LOWER of prestige") == 2
    assert text.count("Luxury can replace any missing good: 2 luxury for each.") == 2
    assert "Argos: bid 5 on A01 mountain" in text


# -- leaving


def test_q_asks_before_it_leaves() -> None:
    result = play("--seed", "friday-1", answers="q\nn\nq\ny\n")
    assert result.output.count("Leave the game? y/n>") == 2
    assert "You leave the game." in result.output
    assert "The same deal again: peloarena play --players 2 --seed friday-1\n" in result.output
    assert result.exit_code == 0


def test_command_for_the_same_deal_names_all_that_makes_it() -> None:
    told = same_deal_command(make_options(2, ("sea",)), "random", "a day")
    assert told == "peloarena play --players 2 --with sea --opponents random --seed 'a day'"
    assert same_deal_command(make_options(1, (), 2), "careful", "x") == "peloarena play --players 1 --level 2 --seed x"


@pytest.mark.parametrize("answers", ["", "1\n", "q\n"])
def test_end_of_input_ends_the_game_cleanly(answers: str) -> None:
    result = play("--seed", "friday-1", answers=answers)
    assert "End of input: the game is unfinished." in result.output
    assert result.exit_code == 0


def test_ctrl_c_leaves_at_once_and_says_how_to_deal_again(capsys: pytest.CaptureFixture[str]) -> None:
    class Impatient(Session):
        def read_line(self, prompt: str) -> str:
            raise KeyboardInterrupt

    host, again = LocalGame(Game(make_options(1), "friday-1"), [PERSON_NAME]), "peloarena play --seed friday-1"
    session = Impatient(console(), host, {}, again, lambda host: save_record(host, "games"))
    with pytest.raises(KeyboardInterrupt):
        session.play()
    assert capsys.readouterr().out.endswith("The same deal again: peloarena play --seed friday-1\n")


# -- bad options


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--players", "0"], "0 players: "),
        (["--with", "helas"], "unknown module 'helas' (did you mean 'hellas'?)"),
        (["--level", "2"], "level 2: only a solo game (1 player) has levels"),
        (["--players", "1", "--level", "6"], "level 6: 1 to 5"),
        (
            ["--opponents", "carefull"],
            "unknown opponent 'carefull' (did you mean 'careful'?); there are careful, random",
        ),
        (["--players", "1", "--opponents", "x"], "unknown opponent 'x'; there are careful, random"),
        (["--seed", ""], "seed ''"),
        (["--seed", "é"], "seed 'é'"),
    ],
)
def test_wrong_option_is_refused_in_one_line(args: list[str], message: str) -> None:
    result = play(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"peloarena: {message}")
    assert result.stderr.count("\n") == 1


def test_number_of_players_must_be_a_number() -> None:
    result = play("--players", "two")
    assert result.exit_code == 2
    assert "'two' is not a valid integer" in result.stderr


# -- what a person reads


def test_table_shows_the_round_the_seats_and_the_tiles() -> None:
    output = play("--seed", "friday-1").output
    assert "Round 1 of 8 ─" in output
    assert "Argos (you) 0/10  0/10 0/13     5      2      0     0             1:6" in output
    assert "A01 mountain" in output
    assert "Patras 3" in output
    assert "Chits so far: none (3rd of a kind strikes; 16 left)" in output
    assert max(len(line) for line in output.splitlines()) <= 80


def test_every_kind_of_decision_and_every_move_has_words() -> None:
    """What modules add must be shown without code here."""
    assert set(TEXTS) >= set(MOVES)
    asked = {q.kind for module in MODULES.values() for q in module.questions.values()}
    assert set(DECISION_TEXTS) >= asked


def test_bid_that_would_lose_the_building_is_warned_of() -> None:
    """R4a: with neither the cost nor a coin left the tile would be lost."""
    shown = " ".join(play("--seed", "friday-1").output.split())
    assert "5 coins for it leave you nothing to pay or mark it: you would lose it" in shown


@pytest.mark.parametrize(("players", "module"), PLAYABLE)
def test_every_decision_of_a_module_can_be_explained_and_played(players: int, module: str) -> None:
    session = scripted(players, (module,))
    session.play()
    assert session.game.result is not None


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_person_plays_a_base_game_to_its_scores(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    session = scripted(players)
    session.play()
    result = session.game.result
    assert result is not None
    output = capsys.readouterr().out
    assert "The end ─" in output
    assert f"is your score: {result.seats[0].score}." in " ".join(output.split())


def test_solo_end_says_whether_the_level_is_passed(capsys: pytest.CaptureFixture[str]) -> None:
    session = scripted(1, level=3)
    session.play()
    assert "Level 3 asks for 32: missed." in " ".join(capsys.readouterr().out.split())


# -- opponents


def finished(kinds: tuple[str, str], seed: str) -> Game:
    game = Game(make_options(2), seed)
    seats = [make_opponent(kind, seed, seat) for seat, kind in enumerate(kinds)]
    while game.decision is not None:
        game.choose(seats[game.decision.seat].choose(game, game.decision.seat))
    return game


@pytest.mark.parametrize("kind", sorted(OPPONENTS))
def test_opponent_plays_the_same_game_from_the_same_seed(kind: str) -> None:
    assert finished((kind, kind), "twice").save() == finished((kind, kind), "twice").save()


def test_careful_opponent_beats_the_random_one() -> None:
    results = [finished(("careful", "random"), f"deal-{n}").result for n in range(20)]
    assert sum(result is not None and result.seats[0].rank == 1 for result in results) >= 15


def test_opponent_leaves_the_game_as_it_is() -> None:
    game = first_bid()
    before = game.save()
    assert game.decision is not None
    for kind in OPPONENTS:
        assert make_opponent(kind, "s", 0).choose(game, 0) in game.decision.legal
    assert game.save() == before


def test_unknown_opponent_is_refused() -> None:
    with pytest.raises(ConfigError, match="there are careful, random"):
        make_opponent("kind", "s", 0)


# -- the record


def test_a_game_against_built_in_bots_is_recorded(tmp_path: Path) -> None:
    """It verifies, and `replay` shows it. A second game does not overwrite it."""
    for number in (1, 2):
        session = scripted(3, ("hellas",))
        session.play()
        assert len(list((tmp_path / "games").glob("*.jsonl"))) == number
    replay = verify_record((tmp_path / "games" / "play.jsonl").read_bytes())
    assert [(seat.name, seat.kind) for seat in replay.header.seats] == [
        ("person", "human"),
        ("careful", "bot"),
        ("careful", "bot"),
    ]
    assert "Decision 1 of " in CliRunner().invoke(cli, ["replay", "games/play.2.jsonl"]).output


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize(("answers", "why"), [("q\ny\n", "You leave the game."), ("", "End of input: ")])
def test_a_game_that_was_left_is_recorded_as_far_as_it_went(
    tmp_path: Path, players: int, answers: str, why: str
) -> None:
    """Nobody won it: it verifies, `replay` shows it as unfinished, and ratings leave it out."""
    told = play("--players", str(players), "--seed", "friday-1", answers=f"1\n5\n{answers}").output
    assert f"\n{why}" in told
    assert "Record (up to round " in told
    (record,) = (tmp_path / "games").iterdir()
    outcome = verify_record(record.read_bytes()).outcome
    assert outcome is not None
    assert (outcome.finished, outcome.left_open, any(outcome.out)) == (False, True, False)
    shown = CliRunner().invoke(cli, ["replay", str(record)]).output
    assert "Decision 1 of " in shown
    assert "Unfinished: a person left in round " in shown
    rated = CliRunner().invoke(cli, ["ratings", str(record.parent)])
    assert "left out: 1 game that a person left" in rated.output + rated.stderr


def test_a_game_of_bots_alone_cannot_be_left(tmp_path: Path) -> None:
    """The same record with nobody at the table but bots does not hold."""
    play("--seed", "friday-1", answers="5\nq\ny\n")
    (record,) = (tmp_path / "games").iterdir()
    lines = record.read_bytes().replace(b',"kind":"human"', b"").splitlines(keepends=True)
    game = hashlib.sha256(b"".join(lines[:-1])).hexdigest().encode()
    lines[-1] = b'{"type":"end","game":"%s","file":"%s"}\n' % (game, game)
    with pytest.raises(RecordError, match="a result before the end of the game"):
        verify_record(b"".join(lines))


def test_a_game_that_was_left_before_anything_was_decided_is_not_recorded(tmp_path: Path) -> None:
    assert "Nothing is recorded: you made no decision." in play("--seed", "s", answers="q\ny\n").output
    assert not (tmp_path / "games").exists()


def test_an_interrupted_game_is_recorded(tmp_path: Path) -> None:
    """Ctrl-C in a real terminal, after a decision."""
    with Terminal("play", "--seed", "friday-1", "--record", str(tmp_path / "games"), columns=100) as terminal:
        terminal.wait_for("1–5>")
        terminal.type("5\n")
        terminal.wait_for("Round 2 of 8")
        terminal.wait_for("> ")
        terminal.type("\x03")
        terminal.wait_for("Interrupted: the game is unfinished.")
        terminal.wait_for("Record (up to round 2): ")
        assert terminal.ends() == 130
    (record,) = (tmp_path / "games").iterdir()
    assert verify_record(record.read_bytes()).question >= 2


ONLY_A_TYPED_LINE_IS_READ = """
import builtins, select, sys
from peloarena.cli.common import console, read_answer

def patient_input() -> str:
    print("there is a line" if select.select([sys.stdin], [], [], 0)[0] else "read before there is a line")
    return sys.stdin.readline()

builtins.input = patient_input
read_answer(console(), "Well?")
"""


def test_nothing_is_read_before_a_line_is_typed() -> None:
    """A Ctrl-C that hits `input` before its reading begins is lost: nobody may be inside it while a person thinks."""
    with Terminal(main=ONLY_A_TYPED_LINE_IS_READ) as terminal:
        terminal.wait_for("Well? ")
        terminal.type("5\n")
        assert "read before" not in terminal.wait_for("there is a line")
        assert terminal.ends() == 0


def test_board_says_when_supply_comes_and_what_it_needs() -> None:
    output = play("--seed", "friday-1", answers="q\ny\n").output
    assert "Supply rounds: at the start of round 4–6, at the start of round 7–8, and after" in output
    assert "food (you have" in output


def test_a_person_plays_in_a_real_terminal() -> None:
    with Terminal("play", "--seed", "friday-1", columns=100) as terminal:
        terminal.wait_for("You play ")
        assert "turn order" in terminal.wait_for("Supply rounds: ")
        terminal.type("help\n")
        terminal.wait_for("Supply rounds: ")
        terminal.type("q\ny\n")
        terminal.wait_for("You leave the game.")
        assert terminal.ends() == 0
