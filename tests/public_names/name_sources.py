"""Where the public things are in the code. Whoever renames a class or a module edits this file and no list, because
the lists hold only what users, bots and other programs see.

`"module:name"` is a name of the package. On the left of a table is the public word that the lists use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "peloarena"
STORE = Path("friday.sqlite")
"""An example: what lies beside a store is called after it."""

COMMANDS = "cli.main:cli"
CLUSTER_LOOK = ("cluster.cluster_check", "check_nodes", "cluster.cluster_check:NodeFacts")
"""The function that asks a real cluster for `cluster check` and `plan --cluster`, and the type of its items."""
JSON_WRITER = "encode_indented"
"""The function of `game.codec` that writes all JSON for people and programs."""
WEB_APP = "web.app:WebApp"
BOT_ENVIRONMENT = ("referee.bot_env:RESERVED_VARIABLES", "referee.sandbox.bubblewrap:OFFLINE_VARIABLES")
"""Variables that are set for bots and builds."""
BOT_SETTINGS = ("bots/planner/weights.py", "PREFIX", "Weights")
"""Settings of a built-in bot: its file, the prefix of the variables, the class that lists them."""
NEW_STORE = "tournament.store:Store"
NEVER_FILLED: Mapping[str, str] = {
    "doctor --json: shown": "",
    "export standings.json: forfeits": "",
    "match --json: departures": "referee.bot_pool:UnexpectedExit",
    "ratings --json: forfeits": "",
    "solo --json: departures": "referee.bot_pool:UnexpectedExit",
    "solo --json: games[].evidence": "referee.verdict:Evidence",
    "solo --json: games[].verdicts": "referee.verdict:Verdict",
    "table.json: history": "tournament.ratings:RatingRow",
    "tournament standings --json: forfeits": "",
    "tournament standings --json: history": "tournament.ratings:RatingRow",
    "tournament standings --json: notes": "",
}
"""Lists that no run of the tests fills, and the type of their items; empty: they have no keys of ours."""
CSV_READERS = "tournament.ratings.csv_results:_READERS"
SIGNATURE = "tournament.archive.manifest:SIGNATURE"
TOKEN_KEY = "tournament.secret:META_TOKEN_KEY"
"""The key of `meta` that only a tournament with a `seed` has."""
SCHEMA = "protocol.message_schema:schema"
MODULES, PRESETS, DECISIONS = "game.registry:MODULES", "game.registry:PRESETS", "game.registry:DECISION_TEXTS"

RECORDS: Mapping[str, str] = {
    "record": "referee.record:RecordLine",
    "record: decision.timing": "referee.record:Timing",
    "record: verdict.evidence": "referee.verdict:Evidence",
    "vector: vector": "engine.conformance_vectors:VectorHead",
    "vector: question": "engine.conformance_vectors:VectorQuestion",
    "vector: result": "engine.conformance_vectors:VectorResult",
    "saved state": "game.state:State",
}
SERVICE: Mapping[str, str] = {
    "request": "engine.service_messages:AnyRequest",
    "reply": "engine.service_messages:AnyReply",
}
"""The line service `peloarena engine`."""
TOML: Mapping[str, str] = {
    "bot.toml": "referee.bot_finder:Manifest",
    "tournament file": "tournament.config:TournamentConfig",
}
COMPONENT_TABLES = ("game.catalogue:PIECE_TYPES", "game.registry:ALL_MODULES", "game.catalogue:FIXED_FIELDS")
"""A file of component overrides: its own tables, those of modules (`cards`), and the fields that stay as printed."""

STORED: Mapping[str, str] = {
    "versions.state": "tournament.entries:VersionState",
    "rounds.round": "tournament.fixtures:Round",
    "games.fixture": "tournament.fixtures:Fixture",
    "games.outcome": "referee.verdict:Outcome",
    "games.verdicts[]": "referee.verdict:Verdict",
    "games.evidence[]": "referee.verdict:Evidence",
    "games.stats[]": "referee.job:SeatStats",
    "redraws.deal": "tournament.deals:Deal",
    "orders.kind": "tournament.store:HostActionKind",
    "voids.origin": "tournament.store:VoidOrigin",
    "voids.fixture": "tournament.fixtures:Fixture",
    "meta tokens[]": "tournament.submission_tokens:EntryToken",
    "tuning.json": "tournament.tuning.run:SavedRun",
}
"""JSON and closed sets of values in the columns of a store, and what `tune` goes on with."""
BESIDE_A_STORE: Mapping[str, str] = {
    "one runner at a time": "tournament.database:_lock_file",
    "heartbeat": "tournament.heartbeat:heartbeat_file",
    "games that are on": "tournament.live_feed:feed_folder",
    "address of the pages": "tournament.page_address:_address_file",
    "snapshots of bots": "tournament.snapshots:snapshots_beside",
    "files of entries": "tournament.entry_reports:ENTRIES_FOLDER_SUFFIX",
    "uploads": "web.uploads:UPLOADS_SUFFIX",
}
"""Functions from a store's path to the companion's, or the companion's suffix."""
TUNE_FILES = ("tournament.tuning.run:TUNING_FILE", "cli.tune_report:GAMES_FOLDER", "cli.tune_report:PLOT_FILE")

WEB_DATA: Mapping[str, tuple[str, str]] = {
    "POST /host/order": ("takes", "web.host_action_handler:HostActionForm"),
    "POST /enter": ("answers", "web.submission_messages:UploadStarted"),
}
ASKED_OF: Mapping[str, str] = {"query_params": "query", "query": "query", "fields": "form field", "headers": "header"}
"""The parts of a request: the word in the code → the word in the list. Of headers only our own (`x-...`) are listed."""

PYTHON = (
    *("peloarena.botkit", "peloarena.game", "peloarena.simulate"),
    *("peloarena.testing.scripted", "peloarena.testing.states"),
)
DOCUMENTED: Mapping[str, tuple[str, ...]] = {
    "peloarena.game.Game": (
        *("choose", "clone", "decision", "load", "opening", "options", "result", "save", "standing", "state", "view"),
    )
}
"""Classes of which only a part is public: see spec/ENGINE.md."""
MADE_BY_US = ("Decision", "Result", "SeatResult", "SimulatedGame", "View")
"""Classes that users read and never make: their parameters may grow."""
REACHED: Mapping[str, str] = {"peloarena.simulate.SimulatedGame.outcome": "referee.verdict:Outcome"}
"""Classes without a public name of their own, by the way to one."""


def newgame() -> dict[str, object]:
    return {"seat": 0, "options": {}, "catalogue": {"tiles": {}}, "random": 1}


INSTANCES: Mapping[str, Callable[[type[Any]], object]] = {
    "peloarena.botkit.GameInfo": lambda kind: kind(newgame()),
    "peloarena.testing.scripted.ScriptedBot": lambda kind: kind([]),
    "peloarena.game.ConfigError": lambda kind: kind("", ""),
}
"""How to make one of a class whose attributes its `__init__` sets."""
