"""Tokens of entries: who has one, whose it is, and what the store gives away of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from little_night import made

from peloarena.game import ConfigError
from peloarena.tournament.page_address import forget_page, page_of, tell_page
from peloarena.tournament.store import Store
from peloarena.tournament.tokens import make_token, name_of, revoke_token, tokens_of

NIGHT = 'name = "Tokens"\nbots = ["a", "b"]\nsandbox = "off"\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made(tmp_path / "night.sqlite", NIGHT, ["a", "b"], most=0)


def test_a_token_is_known_by_its_digest_alone(path: Path) -> None:
    with Store.change(path) as store:
        token = make_token(store, "mybot")
        other = make_token(store, "a")
        assert (name_of(tokens_of(store), token), name_of(tokens_of(store), other)) == ("mybot", "a")
    for guess in ("", "mybot", token[:-1], token + "x", token.swapcase(), "\ud800"):
        with Store.read(path) as store:
            assert name_of(tokens_of(store), guess) is None
    assert token.encode() not in path.read_bytes()


def test_a_second_token_replaces_the_first_and_a_revoked_one_is_nobodys(path: Path) -> None:
    with Store.change(path) as store:
        first, second = make_token(store, "mybot"), make_token(store, "mybot")
        assert name_of(tokens_of(store), first) is None
        assert name_of(tokens_of(store), second) == "mybot"
        revoke_token(store, "mybot")
        assert tokens_of(store) == ()
        with pytest.raises(ConfigError, match="no token of 'mybot'"):
            revoke_token(store, "mybot")


@pytest.mark.parametrize("name", ["", " x", "x" * 61, "a\x1b[2J", "A", "\uff41"])
def test_a_name_that_is_none_or_looks_like_somebodys_gets_no_token(path: Path, name: str) -> None:
    with Store.change(path) as store, pytest.raises(ConfigError):
        make_token(store, name)


def test_the_address_of_the_page_is_told_while_it_is_served(path: Path) -> None:
    assert page_of(path) is None
    tell_page(path, "http://127.0.0.1:8000/")
    assert page_of(path) == "http://127.0.0.1:8000/"
    forget_page(path)
    assert page_of(path) is None
