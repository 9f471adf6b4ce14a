"""A season: several tournaments, archives and folders of records rated together. Matches their bots. Pure.

A bot is a name and an author: entries that share both are one bot in all tournaments. Only the hash of their files
distinguishes its versions, because every tournament numbers them separately.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..game import encode
from ..game.texts import plural
from ..referee.bot_files import HASH_VERSION
from .config import DEFAULT_PRIOR, TournamentConfig
from .game_selection import unused_version_label
from .points_and_ratings import rating_result
from .ratings import Counts, GameResult

SHORT_HASH = 8
"""Digits of a bot's hash that distinguish its versions."""
COMPARED_RULES = ("table", "modules", "components", "time", "faults", "pondering")
"""Keys of tournaments whose games are not quite comparable if they differ."""


class SeatedBot(Struct, frozen=True):
    """A participant at a table."""

    name: str
    author: str = ""
    """Empty if unknown."""
    files: str = ""
    """Their hash; empty if unknown."""


class SeasonGame(Struct, frozen=True):
    """A finished game of a source."""

    game: str
    seed: str
    """All games with one seed are one deal."""
    ranks: tuple[int, ...]
    seats: tuple[SeatedBot, ...]
    absent: tuple[int, ...] = ()
    """Seats that forfeited."""
    faults: tuple[int, ...] = ()
    """A seat for each verdict."""
    uncounted: tuple[int, ...] = ()
    """Seats whose points do not count."""
    order: tuple[int, ...] | None = None
    """Seats in turn order, if known."""


class SeasonSource(Struct, frozen=True):
    name: str
    """For people."""
    games: tuple[SeasonGame, ...]
    versions: tuple[SeatedBot, ...] = ()
    """In order of submission; others follow in order of appearance."""
    config: TournamentConfig | None = None
    notes: tuple[str, ...] = ()
    """About omitted games."""


class SeasonPlayer(Struct, frozen=True):
    """A row of the table: who it is, and where it played."""

    player: str
    names: tuple[str, ...]
    author: str
    files: tuple[str, ...]
    """Hashes: one, except for an author's row."""
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
    labels = author_labels(sources) if by_author else season_version_labels(sources)
    gathered = _SeasonTotals(labels)
    for source in sources:
        for game in source.games:
            gathered.add(source.name, game)
    left_out = [
        *gathered.omitted_games_notes(),
        *(f"{source.name}: {note}" for source in sources for note in source.notes),
    ]
    same = [] if by_author else same_files_notes(labels)
    return Season(
        results=tuple(gathered.results),
        faults=dict(gathered.faults),
        forfeits=dict(gathered.forfeits),
        counts=dict(gathered.counts),
        notes=(*joining_notes(sources, by_author), *left_out, *rule_difference_notes(sources), *same),
        prior=prior_of(sources),
        joined=tuple(season_players(labels, gathered.played)),
    )


class _SeasonTotals:
    """Everything that a season counts, game by game."""

    def __init__(self, labels: Mapping[SeatedBot, str]) -> None:
        self.labels = labels
        self.results: list[GameResult] = []
        self.faults: Counter[str] = Counter()
        self.forfeits: Counter[str] = Counter()
        self.counts: defaultdict[str, Counts] = defaultdict(Counts)
        self.played: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """By player: the sources, in order."""
        self._seen: set[SeasonGame] = set()
        self._copies = self._unrated = self._same_author = 0

    def add(self, source: str, game: SeasonGame) -> None:
        seats = [self.labels[seat] for seat in game.seats]
        if (same := game_identity(game)) in self._seen:
            self._copies += 1
        elif len(set(seats)) < len(seats):
            self._same_author += 1
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
        result = rating_result(f"{source} {game.game}", seats, game.ranks, game.seed, absent, game.order)
        if result is None:
            self._unrated += 1
        else:
            self.results.append(result)

    def omitted_games_notes(self) -> list[str]:
        counts = (
            (self._unrated, "counted, but not rated", "game with a forfeit", "games with a forfeit"),
            (self._copies, "left out", "game that was counted before", "games that were counted before"),
            (self._same_author, "left out", "game among bots of one author", "games among bots of one author"),
        )
        return [f"{what}: {plural(count, one, many)}" for count, what, one, many in counts if count]


def game_identity(game: SeasonGame) -> SeasonGame:
    """Equal for a game from a tournament and from its archive. Only one of them may know the authors, and records lack
    the files of bots that forfeit."""
    files_by_seat = [seat.files if number not in game.absent else "" for number, seat in enumerate(game.seats)]
    seats = tuple(SeatedBot(seat.name, "", files) for seat, files in zip(game.seats, files_by_seat, strict=True))
    return SeasonGame(game.game, game.seed, game.ranks, seats, game.absent)


# ---- identities


def all_seated_bots(sources: Iterable[SeasonSource]) -> list[SeatedBot]:
    """In order of submission, the earliest source first; then those known only from games."""
    seated_bots: dict[SeatedBot, None] = {}
    for source in sources:
        seated_bots.update(dict.fromkeys(source.versions))
        seated_bots.update(dict.fromkeys(seat for game in source.games for seat in game.seats))
    return list(seated_bots)


def names_of_bots(seated_bots: Iterable[SeatedBot]) -> dict[SeatedBot, str]:
    """The name of each one's bot: its own, followed by the author if authors share that name.

    Without a known author it counts as the only bot of that name, if there is only one.
    """
    every = list(seated_bots)
    authors: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for seat in every:
        authors[seat.name].update({seat.author: None} if seat.author else {})
    return {
        seat: seat.name if len(authors[seat.name]) < 2 else f"{seat.name} ({seat.author or 'author unknown'})"
        for seat in every
    }


def season_version_labels(sources: Sequence[SeasonSource]) -> dict[SeatedBot, str]:
    """The version that was present last has the bot's name, older ones are `mybot v1`, `mybot v2`."""
    every = all_seated_bots(sources)
    bots = names_of_bots(every)
    last: dict[str, str] = {}
    for source in sources:
        present = {seat for game in source.games for n, seat in enumerate(game.seats) if n not in game.absent}
        order = [sitter for sitter in all_seated_bots([source]) if sitter in present and sitter.files]
        last |= {bots[sitter]: sitter.files for sitter in order}
    numbers: defaultdict[str, list[str]] = defaultdict(list)
    for sitter in every:
        if sitter.files and sitter.files not in numbers[bots[sitter]]:
            numbers[bots[sitter]].append(sitter.files)
    taken = set(bots.values())

    def label_of(seated_bot: SeatedBot) -> str:
        bot = bots[seated_bot]
        if seated_bot.files in ("", last.get(bot, "")):  # unknown files: a forfeit, or CSV
            return bot
        return unused_version_label(bot, numbers[bot].index(seated_bot.files) + 1, taken)

    return {sitter: label_of(sitter) for sitter in every}


def author_labels(sources: Sequence[SeasonSource]) -> dict[SeatedBot, str]:
    """A bot without an author is a player of its own."""
    every = all_seated_bots(sources)
    known: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for bot in every:
        known[bot.name].update({bot.author: None} if bot.author else {})

    def label_of(seated_bot: SeatedBot) -> str:
        only = next(iter(known[seated_bot.name])) if len(known[seated_bot.name]) == 1 else ""
        return seated_bot.author or only or f"{seated_bot.name} (author unknown)"

    return {bot: label_of(bot) for bot in every}


# ---- descriptions


def joining_notes(sources: Sequence[SeasonSource], by_author: bool) -> list[str]:
    names = ", ".join(source.name for source in sources)
    what = "all bots and versions of one author are one player"
    if not by_author and len(sources) == 1:
        return []
    if not by_author:
        what = "bots of one name and author are one, versions are told apart by their files"
    return [f"{plural(len(sources), 'source')} ({names}): {what}"]


def rule_difference_notes(sources: Sequence[SeasonSource]) -> list[str]:
    """How the rules of the tournaments differ."""
    configs = [source.config for source in sources if source.config is not None]
    differences = []
    for key in COMPARED_RULES:
        values = list(dict.fromkeys(encode(getattr(config, key)).decode() for config in configs))
        if len(values) > 1:
            differences.append(f"{key}: {' / '.join(values)}")
    return [f"the nights differ in {'; '.join(differences)}"] if differences else []


def same_files_notes(labels: Mapping[SeatedBot, str]) -> list[str]:
    """The same files under several names count as several bots, but are worth a note."""
    players: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for bot, player in labels.items():
        if bot.files:
            players[bot.files][player] = None
    return [f"the same files: {', '.join(same)}" for same in players.values() if len(same) > 1]


def season_players(labels: Mapping[SeatedBot, str], played: Mapping[str, Iterable[str]]) -> Iterator[SeasonPlayer]:
    bots: defaultdict[str, list[SeatedBot]] = defaultdict(list)
    for bot, player in labels.items():
        bots[player].append(bot)
    for player, sources in sorted(played.items()):
        own_bots = bots[player]
        yield SeasonPlayer(
            player=player,
            names=tuple(dict.fromkeys(bot.name for bot in own_bots)),
            author=next((bot.author for bot in own_bots if bot.author), ""),
            files=tuple(dict.fromkeys(bot.files for bot in own_bots if bot.files)),
            sources=tuple(sources),
        )


def season_player_text(row: SeasonPlayer) -> str:
    """`mybot: team blue, files 5b3f09c2, in monday, friday`."""
    files = [files.removeprefix(HASH_VERSION)[:SHORT_HASH] for files in row.files]
    names = [", ".join(row.names)] if row.player == row.author else [row.author]
    parts = [*names, f"files {', '.join(files)}" if files else "", f"in {', '.join(row.sources)}"]
    return f"{row.player}: {', '.join(filter(None, parts))}"


def prior_of(sources: Sequence[SeasonSource]) -> int:
    """The tournaments' own, if they agree."""
    priors = {source.config.prior for source in sources if source.config is not None}
    return priors.pop() if len(priors) == 1 else DEFAULT_PRIOR
