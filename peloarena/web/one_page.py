"""`replay FILE --html OUT`: one self-contained file that shows a game. Its policy allows only its own script."""

from __future__ import annotations

from ..game.codec import encode
from ..referee.film import Film
from ..tournament.report.markup import Html, element
from .assets import asset_text
from .bundle import classic_script, digest, packed_text
from .film_json import FilmJson, film_facts
from .pages.game import account, keys
from .pages.layout import data_element

STYLES = ("hall.css", "board.css")


def one_page(film: Film, name: str) -> str:
    facts = film_facts(film, name)
    style, script = "\n".join(map(asset_text, STYLES)), classic_script()
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy(style, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title_of(facts)),
        Html(f"<style>{style}</style>"),
    )
    body = element(
        "body",
        element(
            "main",
            element("h1", title_of(facts), class_="unseen"),
            element("div", id="replay", data_packed="film"),
            element("div", *account(facts), id="account", class_="account card"),
            keys(),
            id="content",
        ),
        data_element("film", packed_text(encode(facts))),
        Html(f"<script>{script}</script>"),
        class_="replay",
    )
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n"


def title_of(facts: FilmJson) -> str:
    return " – ".join(seat.name for seat in facts.seats)


def policy(style: str, script: str) -> str:
    """A policy that loads nothing and allows only this style sheet and this script."""
    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; "
        f"base-uri 'none'; form-action 'none'"
    )
