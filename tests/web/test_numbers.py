"""Numbers that a visitor writes, in every place that takes one: far too long, or no number in any alphabet but ours."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from web_servers import Visitor, asking, connected

LONG = "9" * 5000
"""Python makes no number of more than 4,300 digits."""
ARABIC = quote("٣")
"""A digit to `str.isdecimal`."""


@pytest.mark.parametrize("number", [LONG, "9" * 10, "-1", "x", ARABIC, quote("²")])
def test_a_number_that_is_none_of_ours_is_not_found(site: Visitor, number: str) -> None:
    statuses = {path: site.ask(path + number)[0] for path in ("/games?start=", "/bot/", "/game/", "/live/")}
    assert statuses == {"/games?start=": 400, "/bot/": 404, "/game/": 404, "/live/": 404}


@pytest.mark.parametrize("query", ["bot", "round", "theme", "sections", "last"])
def test_words_of_a_query_are_compared_and_never_counted(site: Visitor, query: str) -> None:
    assert site.ask(f"/games?{query}={LONG}")[0] == 200
    assert site.ask(f"/bot/1?{query}={LONG}")[0] == 200


def test_games_begin_where_the_number_says(site: Visitor) -> None:
    assert [site.ask(f"/games{query}")[0] for query in ("", "?start=", "?start=0", "?start=999999999")] == [200] * 4


def test_a_version_of_5000_digits_is_one_that_nobody_has_seen(site: Visitor) -> None:
    """The life of the server stands in every event, so that anybody can write it before a number."""
    whole = streamed(site, "")
    life = re.search(rb"\nid: ([0-9a-f]+)-", whole)
    assert life is not None
    assert b"event: section" in streamed(site, f"{life[1].decode()}-{LONG}")


def streamed(site: Visitor, last: str) -> bytes:
    found = b""
    with connected(site, asking(site, f"/events?last={last}")) as stream:
        while b"event: section" not in found and (more := stream.recv(1 << 16)):
            found += more
    return found


def test_a_form_with_a_number_of_4000_digits_shows_nothing(site: Visitor) -> None:
    body = b"token=t&entry=" + LONG[:4000].encode()
    origin = {"Origin": f"http://127.0.0.1:{site.port}", "Content-Type": "application/x-www-form-urlencoded"}
    assert site.ask("/evidence", "POST", body, **origin)[0] in (403, 404)


def test_an_origin_that_is_no_address_is_refused(site: Visitor) -> None:
    """`http://[` is one that urllib does not even take apart."""
    for origin in ("http://[", "http://127.0.0.1:99999999", "null", f"http://127.0.0.1:{site.port}/"):
        assert site.ask("/host/order", "POST", b"{}", Origin=origin)[0] == 403
