"""The page: one self-contained HTML file without scripts or external content.

Knows the order of the sections; the other modules of this package write them.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from importlib.resources import files

from ... import __version__
from .bot_sections import bots_section
from .game_list import games_section, host_section
from .markup import Html, element, join
from .overview import (
    crosstable_section,
    facts_line,
    podium,
    scores_section,
    standings_section,
    time_section,
)
from .prize_table import prizes_section
from .report_data import ReportData
from .verdicts import verdicts_section

SECTIONS: dict[str, tuple[str, Callable[[ReportData], Html | None]]] = {
    "standings": ("Standings", standings_section),
    "prizes": ("Prizes", prizes_section),
    "cross-table": ("Who beat whom", crosstable_section),
    "verdicts": ("Games by verdict", verdicts_section),
    "scores": ("Scores", scores_section),
    "time": ("Time", time_section),
    "bots": ("The bots", bots_section),
    "host": ("What the host did", host_section),
    "games": ("Games, seeds and records", games_section),
}
"""In the order of the page; a section returns None if it is empty."""


def page(data: ReportData) -> str:
    parts = [(key, heading, content) for key, (heading, make) in SECTIONS.items() if (content := make(data))]
    return "<!DOCTYPE html>\n" + element("html", head(data), body(data, parts), lang="en") + "\n"


def head(data: ReportData) -> Html:
    style = stylesheet()
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=style_only_policy(style)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{data.name}: report"),
        Html(f"<style>{style}</style>"),
    )


def stylesheet() -> str:
    return files(__package__).joinpath("style.css").read_text("utf-8")


def style_only_policy(style: str) -> str:
    """Nothing is loaded and no script runs; only this exact style sheet applies."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def body(data: ReportData, parts: list[tuple[str, str, Html]]) -> Html:
    links = [element("li", element("a", heading, href=f"#{key}")) for key, heading, _ in parts]
    sections = [
        element(
            "section", element("h2", heading, id=f"{key}-heading"), content, id=key, aria_labelledby=f"{key}-heading"
        )
        for key, heading, content in parts
    ]
    return element(
        "body",
        element(
            "header",
            element("h1", data.name),
            facts_line(data),
            unfinished_warning(data),
            private_warning(data),
            podium(data) or Html(""),
            element("nav", element("ul", *links), aria_label="Contents"),
        ),
        element("main", *sections),
        element("footer", join("peloarena ", __version__, ". This page needs no network and runs no script.")),
    )


def private_warning(data: ReportData) -> Html:
    if not data.evidence:
        return Html("")
    return element(
        "p",
        "With evidence: this page shows output of bots, which is for the host and their authors only.",
        class_="warning",
    )


def unfinished_warning(data: ReportData) -> Html:
    if not data.missing:
        return Html("")
    return element("p", "This tournament is not over: games are still to be played.", class_="warning")
