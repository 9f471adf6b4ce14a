"""The beginning of a night, without a terminal: what is the same night, what is a change, when the seed is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from little_bots import LAST_MOVE, little_bot
from little_night import made
from made_up import night_of

from peloarena.game import ConfigError
from peloarena.tournament.config import Night, read_night
from peloarena.tournament.field import check_field, found_field
from peloarena.tournament.opening import Begun, Differences, Failures, begin, begun
from peloarena.tournament.rows import BotRow
from peloarena.tournament.seeds import random_seed
from peloarena.tournament.store import Store

TWO = 'name = "Two"\nbots = ["a", "b"]\ndeals = 2\n'
CUP = 'name = "Cup"\nbots = ["a", "b", "c"]\nformat = "knockout"\ndeals = 1\n'


class Beginning:
    """A folder with two bots and night.toml; `begin` remembers who was tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tried: list[str] = []
        little_bot(folder, "first")
        little_bot(folder, "last", decide=LAST_MOVE)
        self.write()

    def write(self, bots: str = '"first", "last"', more: str = "") -> None:
        text = f'name = "Evening"\nbots = [{bots}]\ndeals = 1\nsandbox = "off"\n{more}'
        (self.folder / "night.toml").write_text(text)

    def begin(self, *, accept: bool = False, all_must_pass: bool = False) -> Begun | Differences | Failures:
        self.tried = []
        night = read_night(self.folder / "night.toml")

        async def main() -> Begun | Differences | Failures:
            return await begin(
                night,
                found_field(night),
                store,
                lambda row: self.tried.append(row.name),
                accept=accept,
                all_must_pass=all_must_pass,
            )

        with Store.begin(self.folder / "night.sqlite") as store:
            return trio.run(main)

    def begun(self) -> Begun:
        found = self.begin()
        assert isinstance(found, Begun)
        return found

    def stored(self) -> tuple[str | None, list[BotRow]]:
        with Store.read(self.folder / "night.sqlite") as store:
            return store.meta("digest"), store.bots()


@pytest.fixture
def beginning(tmp_path: Path) -> Beginning:
    return Beginning(tmp_path)


def test_everybody_is_tried_once_and_not_again_when_the_night_goes_on(beginning: Beginning) -> None:
    first = beginning.begun()
    assert beginning.tried == ["first", "last"]
    assert first.plan.bots == ("first", "last")
    assert first.config.name == "Evening"
    again = beginning.begun()
    assert beginning.tried == []
    assert again == first


def test_seed_is_drawn_when_the_night_begins_and_kept(beginning: Beginning) -> None:
    seed = beginning.begun().plan.seed
    assert len(bytes.fromhex(seed)) == 16
    assert beginning.begun().plan.seed == seed
    beginning.write(more='seed = "chosen"\n')
    changed = beginning.begin(accept=True)
    assert isinstance(changed, Begun)
    assert changed.plan.seed == "chosen"


def test_changes_are_told_and_nothing_is_done(beginning: Beginning) -> None:
    beginning.begun()
    before = beginning.stored()
    with (beginning.folder / "last" / "main.py").open("a") as program:
        program.write("# changed\n")
    beginning.write('"last", "third"', "faults = 1\n")
    little_bot(beginning.folder, "third")
    assert beginning.begin() == Differences(
        (
            "the tournament file was changed",
            "first is no longer in the field",
            "third is new",
            "the files of last were changed",
        )
    )
    assert beginning.tried == []
    assert beginning.stored() == before


def test_accepted_changes_are_an_order_and_everybody_is_tried_again(beginning: Beginning) -> None:
    beginning.begun()
    beginning.write(more="faults = 1\n")
    found = beginning.begin(accept=True)
    assert isinstance(found, Begun)
    assert beginning.tried == ["first", "last"]
    assert [(order.kind, order.reason) for order in found.orders] == [
        ("accept-changes", "the tournament file was changed")
    ]


def test_night_carried_to_another_folder_is_the_same(beginning: Beginning, tmp_path: Path) -> None:
    beginning.begun()
    moved = tmp_path.rename(tmp_path.with_name("elsewhere"))
    beginning.folder = moved
    found = beginning.begun()
    assert beginning.tried == []
    assert [Path(bot.path).parent for bot in found.bots] == [moved, moved]


def test_bot_that_fails_is_left_out_or_stops_the_beginning(beginning: Beginning) -> None:
    beginning.write('"first", "last", "nowhere"')
    failed = beginning.begin(all_must_pass=True)
    assert isinstance(failed, Failures)
    assert [bot.name for bot in failed.bots] == ["nowhere"]
    assert beginning.stored() == (None, [])
    found = beginning.begun()
    assert found.plan.bots == ("first", "last")
    assert [bot.name for bot in found.bots] == ["first", "last", "nowhere"]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ('format = "gauntlet"\nchallenger = "frist"\n', "challenger 'frist' does not play (did you mean 'first'?)"),
        ("table = 3\n", "2 bots can play; a table needs 3"),
    ],
)
def test_what_no_trial_can_mend_is_told_before_the_trials(beginning: Beginning, more: str, problem: str) -> None:
    beginning.write(more=more)
    with pytest.raises(ConfigError) as told:
        beginning.begin()
    assert problem in str(told.value)
    assert beginning.tried == []


# ---- a night out of its store alone


def test_night_is_read_out_of_its_store_alone(tmp_path: Path) -> None:
    with Store.read(made(tmp_path / "s.sqlite", TWO, "ab", most=1)) as store:
        night = begun(store)
        first, second = sorted({fixture.game for fixture in night.missing()} | store.names())[:2]
    assert [row.fixture.game for row in night.games] == [first]
    assert next(night.missing()).game == second
    assert not night.is_over()
    assert night.champion() is None
    assert [game.fixture.game for game in night.history()] == [first]
    assert night.history(before=1) == []


def test_knockout_has_a_champion_when_it_is_over(tmp_path: Path) -> None:
    with Store.read(made(tmp_path / "whole.sqlite", CUP, "abc")) as store:
        whole = begun(store)
    with Store.read(made(tmp_path / "cut.sqlite", CUP, "abc", most=2)) as store:
        cut = begun(store)
    assert (whole.is_over(), whole.champion()) == (True, "a")
    assert (cut.is_over(), cut.champion()) == (False, None)
    assert [whole.is_round_over(number) for number in (1, 2)] == [True, True]
    assert not cut.is_round_over(2)


def test_store_without_a_night_is_told(tmp_path: Path) -> None:
    with Store.begin(tmp_path / "s.sqlite") as store, pytest.raises(ConfigError, match="no night was begun"):
        begun(store)


def test_game_of_another_size_is_damage(tmp_path: Path) -> None:
    with Store.change(made(tmp_path / "s.sqlite", TWO, "ab")) as store:
        text = store.meta("config")
        assert text is not None
        store.set_meta("config", f"{text}\ntable = 3\n")
        with pytest.raises(ConfigError, match="damaged: 'r01-t001-d001-s1' has 2 seats, its night 3"):
            begun(store)


# ---- the field


def rows(able: str, unable: str = "") -> list[BotRow]:
    return [BotRow(name, "", "", problem="it is ill") for name in unable] + [BotRow(name, "", "") for name in able]


@pytest.mark.parametrize(
    ("night", "field", "problem"),
    [
        (night_of("abc", table=3), rows("ab"), "2 bots can play; a table needs 3"),
        (night_of("ab"), rows("a", "b"), "1 bot can play; a table needs 2"),
        (night_of("abc", format="gauntlet"), rows("bc", "a"), "challenger 'a' does not play"),
        (night_of("ab", format="gauntlet", challenger="aa"), rows("ab"), "did you mean 'a'"),
        (night_of("a", format="solo"), rows("", "a"), "0 bots can play; a table needs 1"),
    ],
)
def test_field_that_cannot_play_is_refused(night: Night, field: list[BotRow], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem.replace("?", "\\?")):
        check_field(night, field)


def test_field_that_can_play_is_not_refused() -> None:
    check_field(night_of("abc", format="gauntlet"), rows("ab"))
    check_field(night_of("abc"), rows("bc", "a"))


def test_random_seeds_have_128_bits_and_differ() -> None:
    seeds = {random_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert {len(bytes.fromhex(seed)) for seed in seeds} == {16}
