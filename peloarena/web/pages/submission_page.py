"""The submission page: a form for a zip file, and the status of submissions. Does not decide who may submit."""

from __future__ import annotations

from collections.abc import Callable

from ...tournament.report.markup import Html, element
from ..submission_messages import UploadStarted, UploadStatus
from ..web_tournament import WebTournament
from .page_layout import bot_link, input_field, page, section
from .tournament_page import time_of_day

SUBMISSION_HELP = (
    "A zip file of the bot's folder, with bot.toml or main.py in it: 64 MiB and 2,000 files at most, no links. The bot "
    "is built and plays trial games. If it passes, it plays from the next round on; otherwise the previous version "
    "plays on."
)


def submission_page(tournament: WebTournament, theme: str = "") -> str:
    name = tournament.state.name if tournament.state else tournament.title
    return page(
        f"Submit a bot: {name}",
        element("h1", "Submit a bot"),
        *([] if tournament.entry_mode == "closed" else [submission_form(tournament.entry_mode == "open")]),
        element("p", id="said", role="status", class_="said"),
        *sections(tournament).values(),
        here="/enter",
        scripts=["enter.js"],
        theme=theme,
        stream="/events?sections=" + ",".join(SECTIONS),
    )


def submission_form(is_open: bool) -> Html:
    hint = "for a new version of a bot" if is_open else "from the host"
    rows = [element("label", f"Token {hint} ", input_field("token", "password", required=not is_open))]
    if is_open:
        rows.append(element("label", "Name of a new bot, if its bot.toml has none ", input_field("name", "text")))
    file = input_field("zip", "file", required=True, accept=".zip,application/zip")
    rows.append(element("label", "Zip file ", file))
    return element(
        "form",
        element("p", SUBMISSION_HELP, class_="small"),
        *(element("p", row) for row in rows),
        element("p", element("button", "Submit")),
        element("progress", max=1, value=0, hidden=True, aria_label="Sent so far"),
        method="post",
        action="/enter",
        enctype="multipart/form-data",
        id="enter-form",
        class_="card with-token",
    )


def sections(tournament: WebTournament) -> dict[str, Html]:
    return {name: make(tournament) for name, make in SECTIONS.items()}


def admission_section(tournament: WebTournament) -> Html:
    """Why nobody may submit now, if so."""
    reason = why_closed(tournament)
    text = reason or "Entries are open."
    paragraph = element("p", text, class_="alarm" if reason else "alarm calm", role="status")
    return element("section", paragraph, id="enter-door", data_section="enter-door")


def why_closed(tournament: WebTournament) -> str:
    state = tournament.state
    if tournament.entry_mode == "closed":
        return 'This tournament takes no uploads: its file must set entries = "tokens" or entries = "open".'
    if state is not None and state.closed:
        return "The tournament is closed."
    if tournament.runner_since is None:
        return "The tournament is not running. Uploads open when the host starts it."
    return "Entries are locked." if state is not None and state.locked else ""


def uploads_section(tournament: WebTournament) -> Html:
    rows = [upload_row(row) for row in tournament.uploads]
    shown = element("ol", *rows, class_="games") if rows else element("p", "Nothing yet.")
    return section("enter-list", "Uploads", shown)


def upload_row(row: UploadStatus) -> Html:
    version = f" v{row.edition}" if row.edition else ""
    return element(
        "li",
        f"{row.upload}. ",
        element("strong", bot_link(row.entry, row.name or "a new bot"), version),
        " ",
        element("span", row.state, class_="tag bad" if row.state == "refused" else "tag"),
        f" {row.text} ",
        element("span", time_of_day(row.at), class_="small"),
        data_upload=row.upload,
        data_state=row.state,
    )


def received_page(started: UploadStarted) -> str:
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


SECTIONS: dict[str, Callable[[WebTournament], Html]] = {"enter-door": admission_section, "enter-list": uploads_section}
