"""The sample tournament files of `tournament new`: every key with a comment, bots by name, ready to run. Pure.

Default values come from TournamentConfig itself, so that samples cannot disagree with it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from .config import Format, TournamentConfig

COMMENT_WIDTH = 100
"""The width of a comment."""
LONGEST_NAME = 60

TABLE_FORMATS: tuple[Format, ...] = ("round-robin", "gauntlet", "ladder")
PAIR_FORMATS: tuple[Format, ...] = ("swiss", "knockout")
COMPETITIVE_FORMATS = TABLE_FORMATS + PAIR_FORMATS
ALL_FORMATS = (*COMPETITIVE_FORMATS, "solo")


class SampleKey(Struct, frozen=True):
    """A key of the tournament file as a sample explains it."""

    name: str
    comment: str
    formats: tuple[str, ...] = ALL_FORMATS
    """The samples that include it."""


class Sample(Struct, frozen=True):
    """The specific content of one format's sample."""

    title: str
    bots: str
    """As TOML."""
    values: Mapping[str, object] = {}
    """The keys that it sets; all others are commented out with their defaults."""


SAMPLES: Mapping[Format, Sample] = {
    "round-robin": Sample(
        "A round-robin: every bot meets every other bot.", '["random", "greedy", "planner"]', {"deals": 10}
    ),
    "gauntlet": Sample(
        "A gauntlet: one challenger meets everybody else; the others do not meet. Has my bot become better?",
        '[{ path = "planner", alias = "challenger" }, "random", "greedy", "planner"]',
        {"deals": 10, "challenger": "challenger"},
    ),
    "swiss": Sample(
        "A Swiss system: few rounds for many bots; in each, bots with equal points meet.",
        '["planner", "greedy", "random", { path = "greedy", alias = "greedy-2" }]',
        {"deals": 4, "rounds": 3},
    ),
    "knockout": Sample(
        "A knockout: the winner of a match advances. The order of the bots is the seeding.",
        '["planner", "greedy", "random", { path = "greedy", alias = "greedy-2" }]',
        {"deals": 5},
    ),
    "solo": Sample(
        "A solo championship: every bot plays alone, all of them on the same deals. The mean score decides.",
        '["random", "greedy", "planner"]',
        {"deals": 5, "levels": [1, 2, 3, 4, 5]},
    ),
    "ladder": Sample(
        "A ladder: no rounds and no end; bots may enter at any time. Ctrl-C stops `run`, and `peloarena tournament "
        "finish` ends the ladder with a round-robin that decides.",
        '["random", "greedy", "planner"]',
        {"deals": 4},
    ),
}

INTRODUCTION = (
    "Only `name` and `bots` are required. A key after # has its default value: remove the # to change it. "
    "Paths are relative to this file."
)

SECTIONS: Mapping[str, tuple[SampleKey, ...]] = {
    "": (
        SampleKey("name", "The title on every page, at most 60 characters."),
        SampleKey(
            "bots",
            'Who plays. "random", "greedy" and "planner" are built in; add your own bot by its folder ("mybot"), or '
            'many by a pattern ("bots/*").\n'
            'To play a bot under another name, or twice: { path = "mybot", alias = "mybot-2" }.',
        ),
        SampleKey("format", "round-robin, gauntlet, swiss, knockout, solo or ladder."),
        SampleKey("deals", "Deals of each table, each played in every seating; Swiss and knockout: of each match."),
    ),
    "This format": (
        SampleKey("table", "Seats at a table, 2 to 8.", TABLE_FORMATS),
        SampleKey(
            "tables",
            "Tables of three or more seats: how many per round; 0: all possible ones while they are few.",
            TABLE_FORMATS[:2],
        ),
        SampleKey("challenger", "The bot that everybody plays; empty: the first one.", ("gauntlet",)),
        SampleKey("rounds", "How many rounds.", ("swiss",)),
        SampleKey(
            "extra_deals", "The most extra deals for a tied match; they are played one at a time.", ("knockout",)
        ),
        SampleKey("third_place", "Whether the losers of the semi-finals play for third place.", ("knockout",)),
        SampleKey("same_deals", 'All tables of a round play the same deals. Needs restart = "game".', PAIR_FORMATS),
        SampleKey("levels", "The levels that every deal is played at, of 1 to 5.", ("solo",)),
        SampleKey("newcomer_games", "Games that a new bot or version plays right after it joins.", ("ladder",)),
        SampleKey("games_cap", "No bot plays more games than this many times the median; at least 1.25.", ("ladder",)),
        SampleKey(
            "seatings",
            '"rotations": every bot sits in every seat of a deal once; "balanced": every deal is played once, seats '
            'change from deal to deal (the default with entries = "tokens" or "open"); "one": every deal once, as '
            'listed; "all": every order, up to 4 seats.',
            COMPETITIVE_FORMATS,
        ),
        SampleKey(
            "catch_up",
            "Whether bots catch up after the last round on deals that they missed (late, benched, withdrawn).",
            ("round-robin", "gauntlet", "solo"),
        ),
    ),
    "The game": (
        SampleKey("modules", 'Expansions to play with, for example ["hellas", "sea"].'),
        SampleKey("components", "A TOML file that overrides values of the game pieces."),
        SampleKey(
            "seed",
            "Empty: the deals follow from a secret that is drawn when the tournament starts. A text gives the same "
            "deals every time, and every table says so.",
        ),
    ),
    "Bots": (
        SampleKey(
            "time",
            'The clock: a bank, an increment after each answer, perhaps a limit for one answer ("30s+0.5s/5s"), and '
            'after @ the time to start, else 10 s ("10s+0.1s@60s").',
        ),
        SampleKey("faults", "How many late or illegal answers per game are forgiven: a fixed policy answers instead."),
        SampleKey("bench_after", "A bot with this many faults in a row is benched at the round's end; 0: never."),
        SampleKey(
            "restart",
            '"game": a fresh process for each game; "deal": one for many games, but no process sees a deal twice; '
            '"never": one for all.',
        ),
        SampleKey("pondering", "Whether bots may think while others are asked."),
        SampleKey("anonymous", "Whether bots see seat 0, seat 1 … instead of names.", COMPETITIVE_FORMATS),
        SampleKey(
            "authors_apart",
            "Whether bots of one author sit at different tables of three and more, if possible.",
            TABLE_FORMATS,
        ),
        SampleKey(
            "sandbox",
            '"auto": the best that this machine has (`peloarena doctor`); "strict": no game without the whole sandbox; '
            '"off": for bots that you trust.',
        ),
        SampleKey("show", 'Further folders that bots may read, at most 16: tool chains such as "/opt/go".'),
    ),
    "The evening": (
        SampleKey("jobs", "Games at a time; 0: one for each core."),
        SampleKey(
            "entries", 'Who may submit bots on the web page: "closed": nobody; "tokens": who has a token; "open": all.'
        ),
        SampleKey("versions_per_hour", "How many versions of a bot may be submitted within an hour."),
        SampleKey(
            "prior", "Ratings: draws against the mean that each bot is assumed to have; 0: none.", COMPETITIVE_FORMATS
        ),
    ),
}
"""All keys of TournamentConfig, in the order of a sample."""


def sample_file(format: Format, name: str) -> str:
    """The text of a tournament file that runs unchanged, with built-in bots."""
    sample = SAMPLES[format]
    written = {"name": _toml(name), "bots": sample.bots, "format": _toml(format)}
    written |= {key: _toml(value) for key, value in sample.values.items()}
    parts = [f"{_comment(sample.title)}\n{_comment(INTRODUCTION)}"]
    for section, keys in SECTIONS.items():
        shown = [key for key in keys if format in key.formats]
        if section:
            parts.append(f"# ---- {section}")
        parts += [f"{_comment(key.comment)}\n{_line(key.name, written)}" for key in shown]
    return "\n\n".join(parts) + "\n"


def sample_name(stem: str) -> str:
    """The tournament's name, from the file's: `friday-night` → `Friday night`."""
    words = " ".join(re.findall(r"[^\W_]+", stem))[:LONGEST_NAME].strip()
    return words[:1].upper() + words[1:] or "Tournament"


def _line(key: str, written: Mapping[str, str]) -> str:
    return f"{key} = {written[key]}" if key in written else f"#{key} = {_toml(_default(key))}"


def _default(key: str) -> object:
    field = next(field for field in msgspec.structs.fields(TournamentConfig) if field.name == key)
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def _toml(value: object) -> str:
    """Strings, numbers, booleans and lists of them look the same in JSON and TOML, except for the spaces."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return msgspec.json.encode(value).decode()


def _comment(text: str) -> str:
    return "\n".join(
        textwrap.fill(line, COMMENT_WIDTH, initial_indent="# ", subsequent_indent="# ") for line in text.split("\n")
    )
