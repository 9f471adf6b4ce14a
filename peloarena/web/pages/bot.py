"""A bot's page: its versions, its rating over time, its results by opponent and seat, and losses to learn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from ...game.texts import plural
from ...tournament.entries import Version
from ...tournament.outcome_text import places_text
from ...tournament.rating_text import rating_text
from ...tournament.report.markup import Html, element
from ...tournament.series_details import PointsOfGames
from ..bot_facts import BotNight, LostGame, bot_night
from ..hall_night import HallNight, Standing
from .layout import bot_link, game_link, page, section
from .night import clock, head, number
from .rating_plot import rating_section

LOSSES = 6


def bot_page(hall: HallNight, entry: int, theme: str = "", private: str = "") -> str | None:
    """None if no entry has that number."""
    night = hall.night
    name = hall.entry_names().get(entry)
    if night is None or name is None:
        return None
    who = next(one for one in night.entries if one.number == entry)
    place = next((row for row in hall.standings if row.entry == entry), None)
    facts = bot_night(hall.games, entry, hall.ratings(), LOSSES)
    versions = [version for version in night.versions if version.entry == entry]
    note = [text for kind, called, text in night.notes if called == name and kind != "bye"]
    return page(
        f"{name}: {night.name}",
        element("h1", name),
        element("p", " · ".join(told(place, facts, who.author, versions)), class_="facts"),
        *(element("p", text, class_="alarm") for text in note),
        element("p", *ways(entry, name), class_="choices"),
        element(
            "div",
            rating_section(hall, name),
            versions_section(versions),
            shares_section("opponents", "Opponents, hardest first", facts.opponents, hall),
            shares_section("seats", "By seat", {f"seat {seat}": share for seat, share in facts.seats.items()}, hall),
            losses_section(facts.losses, hall),
            faults_section(facts, entry, hall),
            class_="columns",
        ),
        private,
        here="/",
        scripts=["live.js", "token.js"] if private else ["live.js"],
        theme=theme,
    )


def ways(entry: int, name: str) -> list[Html]:
    return [
        element("a", "All its games", href=f"/games?bot={entry}"),
        element("a", "Standings with this bot marked", href=f"/?{urlencode({'my': name})}"),
    ]


def told(place: Standing | None, facts: BotNight, author: str, versions: Sequence[Version]) -> list[str]:
    said = [f"place {place.place}"] if place is not None and place.place else []
    if place is not None and place.rating is not None:
        said += [rating_text(place.rating, place.error, place.open_end)]
    said += [plural(len(facts.games), "game")]
    said += [plural(place.faults, "fault")] if place is not None and place.faults else []
    said += [versions[-1].language] if versions and versions[-1].language else []
    return said + ([f"by {author}"] if author else [])


def versions_section(versions: Sequence[Version]) -> Html:
    rows = [
        element(
            "tr",
            element("th", f"v{version.edition}", scope="row"),
            element("td", version.version),
            element("td", version.state),
            element("td", version.problem),
            element("td", clock(version.at) if version.at else ""),
            element("td", element("code", version.hash[:11])),
        )
        for version in versions
    ]
    if not rows:
        return section("versions", "", class_="empty")
    heads = element("thead", element("tr", *(element("th", one, scope="col") for one in VERSIONS)))
    table = element("table", element("caption", "Versions", class_="unseen"), heads, element("tbody", *rows))
    return section("versions", "Versions", element("div", table, class_="scroll"))


VERSIONS = ("", "Version", "state", "why", "when", "fingerprint")


def shares_section(key: str, title: str, shares: Mapping[str, PointsOfGames], hall: HallNight) -> Html:
    if not shares:
        return section(key, "", class_="empty")
    numbers = {name: entry for entry, name in hall.entry_names().items()}
    rows = [
        element(
            "tr",
            element("th", bot_link(numbers.get(name, 0), name), scope="row"),
            number(share.games),
            number(f"{share.points:g}"),
            number(f"{share.mean:.0%}"),
            element("td", element("progress", value=f"{share.mean:.3f}", max=1, aria_label=f"share against {name}")),
        )
        for name, share in shares.items()
    ]
    heads = element("thead", element("tr", *(head(one) for one in ("bot", "games", "points", "share", ""))))
    caption = element("caption", title, class_="unseen")
    table = element("table", caption, heads, element("tbody", *rows), class_="sortable")
    return section(key, title, element("div", table, class_="scroll"))


def losses_section(losses: Sequence[LostGame], hall: HallNight) -> Html:
    shown = [loss for loss in losses if hall.is_open(loss.row.fixture.game)]
    if not shown:
        return section("losses", "", class_="empty")
    rows = [
        element(
            "li",
            game_link(loss.row.fixture.game, places_text(loss.row.fixture.seats, loss.row.outcome, loss.row.verdicts)),
            element("span", f" lost to {loss.winner} {by_how_much(loss.gap)}", class_="small"),
        )
        for loss in shown
    ]
    return section("losses", "Losses to learn from", element("ul", *rows, class_="games"))


def by_how_much(gap: int) -> str:
    return f"by {gap}" if gap else "on the tie-break"


def faults_section(facts: BotNight, entry: int, hall: HallNight) -> Html:
    found = []
    for row in reversed(facts.games):
        seat = row.fixture.entries.index(entry)
        for verdict in row.verdicts:
            if verdict.seat == seat and verdict.fault != "forfeit":
                game = row.fixture.game
                where = game_link(game, decision=verdict.decision or 1) if hall.is_open(game) else game
                kind = element("span", verdict.fault, class_="tag bad")
                found.append(element("li", kind, " in ", where, f": {verdict.reason}"))
    if not found:
        return section("own-faults", "", class_="empty")
    return section("own-faults", "Its faults", element("ul", *found[:30], class_="games"))
