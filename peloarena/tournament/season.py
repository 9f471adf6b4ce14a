"""A season: several nights, archives and folders of records as one field. Says which bots of theirs are the same. Pure.

A bot is a name and an author: entries of both in common are one bot, whatever their night. Its versions are told apart
by the hash of their files alone, for every night counts editions of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..game import encode
from ..game.texts import plural
from ..referee.bot_files import HASH_VERSION
from .config import NIGHT_PRIOR, NightConfig
from .counting import label
from .ratings import Counts, GameResult
from .standings import compared

SHORT_HASH = 8
"""Digits of a bot's hash that tell its versions apart."""
RULES = ("table", "modules", "components", "time", "faults", "pondering")
"""Keys of nights in which games are not quite the same ones if they differ."""


class Sitter(Struct, frozen=True):
    """Who sat at a table."""

    name: str
    author: str = ""
    """Empty: not known."""
    files: str = ""
    """Their hash; empty: not known."""


class SeasonGame(Struct, frozen=True):
    """A finished game of a source."""

    game: str
    seed: str
    """All games of one seed are one deal."""
    ranks: tuple[int, ...]
    seats: tuple[Sitter, ...]
    absent: tuple[int, ...] = ()
    """Seats that forfeited."""
    faults: tuple[int, ...] = ()
    """A seat for each verdict."""
    uncounted: tuple[int, ...] = ()
    """Seats whose points do not count."""
    order: tuple[int, ...] | None = None
    """Seats in turn order, where it is known."""


class SeasonSource(Struct, frozen=True):
    name: str
    """As people call it."""
    games: tuple[SeasonGame, ...]
    versions: tuple[Sitter, ...] = ()
    """In the order in which they were handed in; others follow as they come."""
    config: NightConfig | None = None
    notes: tuple[str, ...] = ()
    """What was left out."""


class SeasonPlayer(Struct, frozen=True):
    """A row of the table: who it is, and where it played."""

    player: str
    names: tuple[str, ...]
    author: str
    files: tuple[str, ...]
    """Hashes: one, but for an author's."""
    sources: tuple[str, ...]


class Season(Struct, frozen=True):
    results: tuple[GameResult, ...]
    faults: dict[str, int]
    forfeits: dict[str, int]
    counts: dict[str, Counts]
    notes: tuple[str, ...]
    prior: int
    joined: tuple[SeasonPlayer, ...]


def season_of(sources: Sequence[SeasonSource], *, by_author: bool = False) -> Season:
    """`by_author`: all bots and versions of an author are one player."""
    labels = author_labels(sources) if by_author else version_labels(sources)
    gathered = _Gathered(labels)
    for source in sources:
        for game in source.games:
            gathered.add(source.name, game)
    left_out = [*gathered.left_out(), *(f"{source.name}: {note}" for source in sources for note in source.notes)]
    same = [] if by_author else twins(labels)
    return Season(
        results=tuple(gathered.results),
        faults=dict(gathered.faults),
        forfeits=dict(gathered.forfeits),
        counts=dict(gathered.counts),
        notes=(*how_joined(sources, by_author), *left_out, *differences(sources), *same),
        prior=prior_of(sources),
        joined=tuple(joined(labels, gathered.played)),
    )


class _Gathered:
    """All that a season counts, game by game."""

    def __init__(self, labels: Mapping[Sitter, str]) -> None:
        self.labels = labels
        self.results: list[GameResult] = []
        self.faults: Counter[str] = Counter()
        self.forfeits: Counter[str] = Counter()
        self.counts: defaultdict[str, Counts] = defaultdict(Counts)
        self.played: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """By player: the sources, in order."""
        self._seen: set[SeasonGame] = set()
        self._copies = self._unrated = self._kin = 0

    def add(self, source: str, game: SeasonGame) -> None:
        seats = [self.labels[sitter] for sitter in game.seats]
        if (same := identity(game)) in self._seen:
            self._copies += 1
        elif len(set(seats)) < len(seats):
            self._kin += 1
        else:
            self._count(source, game, seats)
        self._seen.add(same)

    def _count(self, source: str, game: SeasonGame, seats: Sequence[str]) -> None:
        absent = [seats[seat] for seat in game.absent]
        self.forfeits.update(absent)
        self.faults.update(seats[seat] for seat in game.faults)
        for seat, player in enumerate(seats):
            self.played[player][source] = None
            if seat not in game.uncounted:
                self.counts[player].add(game.ranks, seat, absent=seat in game.absent)
        result = compared(f"{source} {game.game}", seats, game.ranks, game.seed, absent, game.order)
        if result is None:
            self._unrated += 1
        else:
            self.results.append(result)

    def left_out(self) -> list[str]:
        told = (
            (self._unrated, "counted, but not rated", "game with a forfeit", "games with a forfeit"),
            (self._copies, "left out", "game that was there before", "games that were there before"),
            (self._kin, "left out", "game among bots of one author", "games among bots of one author"),
        )
        return [f"{what}: {plural(count, one, many)}" for count, what, one, many in told if count]


def identity(game: SeasonGame) -> SeasonGame:
    """The same for a game that comes from a night and from its archive. Authors may be known in one of them only, and
    records do not tell the files of who forfeits."""
    there = [seat.files if number not in game.absent else "" for number, seat in enumerate(game.seats)]
    seats = tuple(Sitter(seat.name, "", files) for seat, files in zip(game.seats, there, strict=True))
    return SeasonGame(game.game, game.seed, game.ranks, seats, game.absent)


# ---- who is who


def every_sitter(sources: Iterable[SeasonSource]) -> list[Sitter]:
    """In order of hand-in, the earliest source first; then those of whom only games are known."""
    found: dict[Sitter, None] = {}
    for source in sources:
        found.update(dict.fromkeys(source.versions))
        found.update(dict.fromkeys(seat for game in source.games for seat in game.seats))
    return list(found)


def bots_of(sitters: Iterable[Sitter]) -> dict[Sitter, str]:
    """What the bot of each is called: by its name, and by its author as well where authors share that name.

    Whose author is not known is taken for the one bot of that name, if there is one.
    """
    every = list(sitters)
    authors: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for sitter in every:
        authors[sitter.name].update({sitter.author: None} if sitter.author else {})
    return {
        sitter: sitter.name if len(authors[sitter.name]) < 2 else f"{sitter.name} ({sitter.author or 'author unknown'})"
        for sitter in every
    }


def version_labels(sources: Sequence[SeasonSource]) -> dict[Sitter, str]:
    """The version that was there last bears the bot's name, older ones are `mybot v1`, `mybot v2`."""
    every = every_sitter(sources)
    bots = bots_of(every)
    last: dict[str, str] = {}
    for source in sources:
        there = {seat for game in source.games for n, seat in enumerate(game.seats) if n not in game.absent}
        order = [sitter for sitter in every_sitter([source]) if sitter in there and sitter.files]
        last |= {bots[sitter]: sitter.files for sitter in order}
    numbers: defaultdict[str, list[str]] = defaultdict(list)
    for sitter in every:
        if sitter.files and sitter.files not in numbers[bots[sitter]]:
            numbers[bots[sitter]].append(sitter.files)
    taken = set(bots.values())

    def called(sitter: Sitter) -> str:
        bot = bots[sitter]
        if sitter.files in ("", last.get(bot, "")):  # files that nobody knows: a forfeit, or somebody's CSV
            return bot
        return label(bot, numbers[bot].index(sitter.files) + 1, taken)

    return {sitter: called(sitter) for sitter in every}


def author_labels(sources: Sequence[SeasonSource]) -> dict[Sitter, str]:
    """Who has no author stands for itself."""
    every = every_sitter(sources)
    known: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for sitter in every:
        known[sitter.name].update({sitter.author: None} if sitter.author else {})

    def called(sitter: Sitter) -> str:
        only = next(iter(known[sitter.name])) if len(known[sitter.name]) == 1 else ""
        return sitter.author or only or f"{sitter.name} (author unknown)"

    return {sitter: called(sitter) for sitter in every}


# ---- what is told


def how_joined(sources: Sequence[SeasonSource], by_author: bool) -> list[str]:
    names = ", ".join(source.name for source in sources)
    what = "all bots and versions of one author are one player"
    if not by_author and len(sources) == 1:
        return []
    if not by_author:
        what = "bots of one name and author are one, versions are told apart by their files"
    return [f"{plural(len(sources), 'source')} ({names}): {what}"]


def differences(sources: Sequence[SeasonSource]) -> list[str]:
    """Where nights did not play quite the same game."""
    configs = [source.config for source in sources if source.config is not None]
    found = []
    for key in RULES:
        values = list(dict.fromkeys(encode(getattr(config, key)).decode() for config in configs))
        if len(values) > 1:
            found.append(f"{key}: {' / '.join(values)}")
    return [f"the nights differ in {'; '.join(found)}"] if found else []


def twins(labels: Mapping[Sitter, str]) -> list[str]:
    """The same files under several names are several bots, but worth a word."""
    players: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for sitter, player in labels.items():
        if sitter.files:
            players[sitter.files][player] = None
    return [f"the same files: {', '.join(same)}" for same in players.values() if len(same) > 1]


def joined(labels: Mapping[Sitter, str], played: Mapping[str, Iterable[str]]) -> Iterator[SeasonPlayer]:
    sitters: defaultdict[str, list[Sitter]] = defaultdict(list)
    for sitter, player in labels.items():
        sitters[player].append(sitter)
    for player, sources in sorted(played.items()):
        mine = sitters[player]
        yield SeasonPlayer(
            player=player,
            names=tuple(dict.fromkeys(sitter.name for sitter in mine)),
            author=next((sitter.author for sitter in mine if sitter.author), ""),
            files=tuple(dict.fromkeys(sitter.files for sitter in mine if sitter.files)),
            sources=tuple(sources),
        )


def joined_text(row: SeasonPlayer) -> str:
    """`mybot: team blue, files 5b3f09c2, in monday, friday`."""
    files = [files.removeprefix(HASH_VERSION)[:SHORT_HASH] for files in row.files]
    names = [", ".join(row.names)] if row.player == row.author else [row.author]
    parts = [*names, f"files {', '.join(files)}" if files else "", f"in {', '.join(row.sources)}"]
    return f"{row.player}: {', '.join(filter(None, parts))}"


def prior_of(sources: Sequence[SeasonSource]) -> int:
    """The nights' own, if they agree."""
    given = {source.config.prior for source in sources if source.config is not None}
    return given.pop() if len(given) == 1 else NIGHT_PRIOR
