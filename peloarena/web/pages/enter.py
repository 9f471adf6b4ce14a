"""The submission page: a form for a zip file, and the status of submissions. Does not decide who may submit."""

from __future__ import annotations

from collections.abc import Callable

from ...tournament.report.markup import Html, element
from ..hall_night import HallNight
from ..hand_in_messages import Started, UploadRow
from .layout import bot_link, input_field, page, section
from .night import clock

ABOUT = (
    "A zip file of the bot's folder, with bot.toml or main.py in it: 64 MiB and 2,000 files at most, no links. It is "
    "built and plays trial games; if it passes it plays from the next round on, else the former version plays on."
)


def enter_page(hall: HallNight, theme: str = "") -> str:
    name = hall.night.name if hall.night else hall.title
    return page(
        f"Submit a bot: {name}",
        element("h1", "Submit a bot"),
        *([] if hall.entries == "closed" else [form(hall.entries == "open")]),
        element("p", id="said", role="status", class_="said"),
        *sections(hall).values(),
        here="/enter",
        scripts=["enter.js"],
        theme=theme,
        stream="/events?sections=" + ",".join(SECTIONS),
    )


def form(is_open: bool) -> Html:
    hint = "for a new version of a bot" if is_open else "from the host"
    rows = [element("label", f"Token, {hint} ", input_field("token", "password", required=not is_open))]
    if is_open:
        rows.append(element("label", "Name of a new bot, if its bot.toml has none ", input_field("name", "text")))
    file = input_field("zip", "file", required=True, accept=".zip,application/zip")
    rows.append(element("label", "Zip file ", file))
    return element(
        "form",
        element("p", ABOUT, class_="small"),
        *(element("p", row) for row in rows),
        element("p", element("button", "Submit")),
        element("progress", max=1, value=0, hidden=True, aria_label="Sent so far"),
        method="post",
        action="/enter",
        enctype="multipart/form-data",
        id="enter-form",
        class_="card with-token",
    )


def sections(hall: HallNight) -> dict[str, Html]:
    return {name: make(hall) for name, make in SECTIONS.items()}


def door(hall: HallNight) -> Html:
    """Why nobody may submit now, if so."""
    reason = closed_because(hall)
    told = reason or "Entries are open."
    said = element("p", told, class_="alarm" if reason else "alarm calm", role="status")
    return element("section", said, id="enter-door", data_section="enter-door")


def closed_because(hall: HallNight) -> str:
    night = hall.night
    if hall.entries == "closed":
        return 'This tournament takes no uploads: its file does not say entries = "tokens" or "open".'
    if night is not None and night.closed:
        return "The tournament is closed."
    if hall.runner is None:
        return "The tournament is not running. Uploads open when the host starts it."
    return "Entries are locked." if night is not None and night.locked else ""


def listed(hall: HallNight) -> Html:
    rows = [upload_row(row) for row in hall.uploads]
    shown = element("ol", *rows, class_="games") if rows else element("p", "Nothing yet.")
    return section("enter-list", "Uploads", shown)


def upload_row(row: UploadRow) -> Html:
    version = f" v{row.edition}" if row.edition else ""
    return element(
        "li",
        f"{row.upload}. ",
        element("strong", bot_link(row.entry, row.name or "a new bot"), version),
        " ",
        element("span", row.state, class_="tag bad" if row.state == "refused" else "tag"),
        f" {row.told} ",
        element("span", clock(row.at), class_="small"),
        data_upload=row.upload,
        data_state=row.state,
    )


def received_page(started: Started) -> str:
    """For a browser without scripts."""
    token = [
        element(
            "p",
            "Your token. Keep it: it is shown only once. "
            "You need it to submit new versions and to read what your bot prints.",
        ),
        element("p", element("code", started.token)),
    ]
    return page(
        "Received",
        element("h1", f"Received, testing now (upload {started.upload})"),
        *(token if started.token else []),
        element("p", element("a", "See how the test goes", href="/enter")),
        here="/enter",
    )


SECTIONS: dict[str, Callable[[HallNight], Html]] = {"enter-door": door, "enter-list": listed}
