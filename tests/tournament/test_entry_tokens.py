"""Tokens of entries: who has one, whose it is, and what the store gives away of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from little_tournament import made

from peloarena.game import ConfigError
from peloarena.tournament.page_address import read_page_address, remove_page_address, write_page_address
from peloarena.tournament.store import Store
from peloarena.tournament.submission_tokens import entry_name_of_token, make_token, revoke_token, tokens_of

TOURNAMENT = 'name = "Tokens"\nbots = ["a", "b"]\nsandbox = "off"\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=0)


def test_a_token_is_known_by_its_digest_alone(path: Path) -> None:
    with Store.open_to_change(path) as store:
        token = make_token(store, "mybot")
        other = make_token(store, "a")
        assert (entry_name_of_token(tokens_of(store), token), entry_name_of_token(tokens_of(store), other)) == (
            "mybot",
            "a",
        )
    for guess in ("", "mybot", token[:-1], token + "x", token.swapcase(), "\ud800"):
        with Store.open_to_read(path) as store:
            assert entry_name_of_token(tokens_of(store), guess) is None
    assert token.encode() not in path.read_bytes()


def test_a_second_token_replaces_the_first_and_a_revoked_one_is_nobodys(path: Path) -> None:
    with Store.open_to_change(path) as store:
        first, second = make_token(store, "mybot"), make_token(store, "mybot")
        assert entry_name_of_token(tokens_of(store), first) is None
        assert entry_name_of_token(tokens_of(store), second) == "mybot"
        revoke_token(store, "mybot")
        assert tokens_of(store) == ()
        with pytest.raises(ConfigError, match="there is no token for 'mybot'"):
            revoke_token(store, "mybot")


@pytest.mark.parametrize("name", ["", " x", "x" * 61, "a\x1b[2J", "A", "\uff41"])
def test_a_name_that_is_none_or_looks_like_somebodys_gets_no_token(path: Path, name: str) -> None:
    with Store.open_to_change(path) as store, pytest.raises(ConfigError):
        make_token(store, name)


def test_the_address_of_the_page_is_told_while_it_is_served(path: Path) -> None:
    assert read_page_address(path) is None
    write_page_address(path, "http://127.0.0.1:8000/")
    assert read_page_address(path) == "http://127.0.0.1:8000/"
    remove_page_address(path)
    assert read_page_address(path) is None
