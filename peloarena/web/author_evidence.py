"""What only a bot's author may read, on the trusted side: requests, answers, stderr, build output.

A bot's token gives access to that bot's evidence; the host reads everything. The gate applies to both: they see nothing
of a deal that is not open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..game import ConfigError
from ..tournament.entries import Version
from ..tournament.report.evidence_text import excerpts
from ..tournament.report.public_text import public_problem, without_folders
from ..tournament.report.usage import BotFault, fault_position_text, faults_of_bot
from ..tournament.rows import GameRow
from ..tournament.store import Store
from ..tournament.submission_tokens import entry_name_of_token, tokens_of
from .submission_messages import EvidencePart, EvidenceReply, GetEvidence
from .tournament_source import TournamentSource
from .uploads import WrongToken

MAX_PARTS = 60
"""The newest ones."""
LONGEST_EXCERPT = 32 * 1024
"""Characters of one excerpt."""


def evidence_for(source: TournamentSource, request: GetEvidence, is_host: bool) -> EvidenceReply:
    """WrongToken if nobody has the token, or it belongs to another bot; ConfigError if there is no evidence."""
    store, state = source.follower.store, source.follower.state
    if store is None or state is None:
        raise ConfigError("no game has been played yet")
    names = [entry.name for entry in state.entries]
    mine = names if is_host else [entry_name_of_token(tokens_of(store), request.token)]
    asked = next((entry.name for entry in state.entries if entry.number == request.entry), None)
    if mine == [None] or (request.entry and asked not in mine):
        raise WrongToken("wrong token: use this bot's, or the host's")
    wanted = [asked] if request.entry else mine
    if request.game:
        parts = list(evidence_of_game(source, store, request.game, [name for name in wanted if name is not None]))
    else:
        numbers = {entry.number: entry.name for entry in state.entries if entry.name in wanted}
        faults = evidence_of_faults(open_games(source), list(numbers.values()))
        parts = [*evidence_of_versions(state.versions, numbers), *faults]
    title = request.game or ("all bots" if is_host and not request.entry else str(wanted[0]))
    if not parts:
        raise ConfigError(f"{title}: there is nothing for its author to read, or its deal is still being played")
    return EvidenceReply(title, tuple(parts[:MAX_PARTS]))


def open_games(source: TournamentSource) -> list[GameRow]:
    return [row for row in reversed(source.games_with_evidence()) if source.is_public(row.fixture.game)]


def evidence_of_game(source: TournamentSource, store: Store, game: str, names: Sequence[str]) -> Iterator[EvidencePart]:
    if not source.is_public(game):
        raise ConfigError(f"{game}: its evidence is shown when all seatings of its deal are played")
    row = next(row for row in source.games_with_evidence() if row.fixture.game == game)
    yield from evidence_of_faults([row], names)
    for seat, text in store.stderr(game).items():
        if row.fixture.seats[seat] in names:
            yield EvidencePart(f"{row.fixture.seats[seat]} in {game}", (("stderr", last_part(text)),))


def evidence_of_faults(games: Sequence[GameRow], names: Sequence[str]) -> Iterator[EvidencePart]:
    """In the order of the games; a forfeit has no evidence."""
    for row in games:
        for name in names:
            for fault in faults_of_bot(name, [row]):
                if fault.fault != "forfeit":
                    yield fault_part(name, fault)


def fault_part(name: str, fault: BotFault) -> EvidencePart:
    heading = f"{name}: {fault.fault} in {fault.game}, {fault_position_text(fault)}: {without_folders(fault.reason)}"
    return EvidencePart(heading, tuple((what, last_part(text)) for what, text, _ in excerpts(fault)))


def evidence_of_versions(versions: Sequence[Version], names: dict[int, str]) -> Iterator[EvidencePart]:
    """Each version's result, and what it or its build printed; newest first."""
    for version in sorted(versions, key=lambda one: one.at, reverse=True):
        if version.entry in names and version.details:
            result = f"refused: {public_problem(version.problem)}" if version.state == "refused" else version.state
            heading = f"{names[version.entry]} v{version.edition}: {result}"
            yield EvidencePart(heading, (("build and trial", last_part(version.details)),))


def last_part(text: str) -> str:
    """The end of a text, where a traceback says what happened."""
    return text if len(text) <= LONGEST_EXCERPT else f"…{text[-LONGEST_EXCERPT:]}"
