"""What users, bots and other programs can see keeps its name: the lists beside this file against the code.

tests/public_names/README.md says what to do when a test here fails.
"""

from __future__ import annotations

import pytest
from name_lists import HERE, LISTS, broken, file_of, listed, now, unlisted
from name_outputs import Outputs
from name_walk import Name


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    return Outputs(tmp_path_factory.mktemp("names"))


@pytest.mark.parametrize("name", LISTS)
def test_what_is_public_is_there_and_what_is_there_is_listed(name: str, outputs: Outputs) -> None:
    names, promised = now(name, outputs), listed(name)
    gone = broken(names, promised)
    assert not gone, "\n  ".join([f"{file_of(name).name}: users rely on these names, which must stay:", *gone])
    new = unlisted(names, promised)
    told = f"add these lines to {file_of(name).name} (`make names` does it): they are public from now on"
    assert not new, "\n  ".join([told, *new])


def test_each_list_is_sorted_and_holds_a_name_once() -> None:
    assert {file.stem for file in HERE.glob("*.txt")} == set(LISTS)
    for name in LISTS:
        lines = file_of(name).read_text(encoding="utf-8").splitlines()
        assert lines == sorted(set(lines)), f"{name}.txt: `make names` sorts it"


# ---- what is wrong, by a list that is made up

PROMISED = {"play": "", "play(1 choose)": "required", "play(name=)": "", "Decide.id": "always", "bot.toml: command": ""}


def compared(*changed: Name, without: str = "") -> tuple[list[str], list[str]]:
    names = {text: Name(text, mark) for text, mark in PROMISED.items() if text != without}  # type: ignore[arg-type]
    names |= {one.text: one for one in changed}
    return broken(names, PROMISED), unlisted(names, PROMISED)


def test_the_same_is_good() -> None:
    assert compared() == ([], [])


def test_a_name_that_is_gone_is_named() -> None:
    assert compared(without="play(name=)")[0] == ["is gone: play(name=)"]


def test_what_could_be_left_out_must_stay_so() -> None:
    assert "no longer can: play(name=)" in compared(Name("play(name=)", "required", "play"))[0][0]


def test_a_new_demand_is_refused_for_what_is_there_already() -> None:
    assert "cannot be left out" in compared(Name("play(2 level)", "required", "play"))[0][0]
    assert "cannot be left out" in compared(Name("bot.toml: more", "required", "bot.toml"))[0][0]


def test_something_new_may_demand_what_it_wants() -> None:
    new = (Name("solo"), Name("solo(1 choose)", "required", "solo"))
    assert compared(*new) == ([], ["solo", "solo(1 choose) (required)"])


def test_a_demand_that_is_dropped_breaks_nobody() -> None:
    assert compared(Name("play(1 choose)", "", "play")) == ([], ["play(1 choose)"])


def test_what_was_always_told_is_told_for_ever() -> None:
    assert compared(Name("Decide.id"))[0] == ["was always there, and no longer is: Decide.id"]
