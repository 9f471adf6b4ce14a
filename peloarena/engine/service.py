"""The line service: games by number, a line in, a line out. No I/O.

Any line gets one answer, and a request that gets an error has changed nothing: the result of a request is stored only
when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
from msgspec import UNSET, Struct

from .. import __version__
from ..game import RULES, ConfigError, Game, RulesError, determinize, encode, make_options
from ..game.json_codec import decode_family
from ..game.kinds import Event, Move
from ..protocol import BotError
from ..protocol.about import about_of
from ..protocol.codec import explain_decode_error, parse_move, quote_line
from ..protocol.reconstruction import reconstruct_game
from .playouts import POLICIES, run_playouts
from .service_messages import (
    MAX_OPEN_GAMES,
    MAX_REQUEST_BYTES,
    SERVICE_VERSION,
    AnyReply,
    AnyRequest,
    ChooseRequest,
    CloneRequest,
    DeterminizeRequest,
    DroppedReply,
    DropRequest,
    EngineRequest,
    ErrorReply,
    FromDecideRequest,
    GameReply,
    HelloReply,
    HelloRequest,
    LegalReply,
    LegalRequest,
    NewRequest,
    PlayoutReply,
    PlayoutRequest,
    ViewReply,
    ViewRequest,
)

_decoder = msgspec.json.Decoder(AnyRequest, dec_hook=decode_family)


class RequestId(Struct, frozen=True):
    """The part of an invalid request that is needed for an answer."""

    id: int | None = None


class EngineService:
    def __init__(self) -> None:
        self.games: dict[int, Game] = {}
        self.last_game_number = 0
        """The number of the newest game: numbers rise by one and are never used again."""

    def answer(self, line: bytes) -> bytes:
        """Any bytes give one line."""
        return encode(self._reply(line)) + b"\n"

    def too_long_reply(self) -> bytes:
        """The answer to a line that is rejected before its end."""
        return encode(ErrorReply(error=f"a request has at most {MAX_REQUEST_BYTES} bytes")) + b"\n"

    def _reply(self, line: bytes) -> AnyReply:
        try:
            request: AnyRequest = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
            return ErrorReply(
                id=request_id_of(line), error=f"{explain_decode_error(error)}; the line was {quote_line(line)}"
            )
        try:
            return HANDLERS[type(request)](self, request)
        except (RulesError, ConfigError, BotError) as error:
            return ErrorReply(id=request.id, error=str(error))
        except Exception as error:  # a forged state gets past the checks and can break a rule anywhere, in any way
            broken = f"{type(error).__name__}: {error}"
            return ErrorReply(id=request.id, error=f"the rules failed: is this state possible? {broken}")

    # ---- by request

    def hello(self, request: HelloRequest) -> AnyReply:
        return HelloReply(
            id=request.id, engine=f"peloarena {__version__}", service=SERVICE_VERSION, rules=RULES, policies=POLICIES
        )

    def new(self, request: NewRequest) -> AnyReply:
        given = request.options
        options = make_options(given.players, given.modules, given.level, given.draft, given.components)
        return self._add_game(request, Game(options, request.seed))

    def from_decide(self, request: FromDecideRequest) -> AnyReply:
        return self._add_game(request, reconstruct_game(request.newgame, request.decide, Random(request.random)))

    def legal(self, request: LegalRequest) -> AnyReply:
        game = self._find_game(request.game)
        decision = game.decision
        if decision is None:
            raise RulesError(f"game {request.game} is over: nothing to decide")
        subject = about_of(game.state.agenda[-1])
        return LegalReply(
            id=request.id,
            game=request.game,
            seat=decision.seat,
            kind=decision.kind,
            legal=decision.legal,
            about=subject,
        )

    def choose(self, request: ChooseRequest) -> AnyReply:
        game = self._find_game(request.game).clone()  # an error half-way leaves the game as it was
        events = game.choose(requested_move(game, request))
        self.games[request.game] = game
        return game_reply(request, request.game, game, events if request.events else None)

    def clone(self, request: CloneRequest) -> AnyReply:
        return self._add_game(request, self._find_game(request.game).clone())

    def drop(self, request: DropRequest) -> AnyReply:
        self._find_game(request.game)
        del self.games[request.game]
        return DroppedReply(id=request.id, game=request.game)

    def view(self, request: ViewRequest) -> AnyReply:
        game = self._find_game(request.game)
        state = game.view(checked_seat(game, request.seat))
        tiles = tuple([game.rules.tiles[tile] for tile in state.open + state.conquest])
        return ViewReply(id=request.id, game=request.game, state=state, tiles=tiles)

    def determinize(self, request: DeterminizeRequest) -> AnyReply:
        game = self._find_game(request.game)
        view = game.view(checked_seat(game, request.seat))
        return self._add_game(request, determinize(game.options, view, Random(request.random)))

    def playout(self, request: PlayoutRequest) -> AnyReply:
        game, index, seat = self._find_game(request.game), request.index, request.seat
        if index is not None:
            move_at(game, index)
        if seat is not None:
            checked_seat(game, seat)
        sums = run_playouts(game, request.playouts, request.policy, Random(request.random), index, seat)
        return PlayoutReply(
            id=request.id,
            game=request.game,
            playouts=request.playouts,
            scores=tuple(sums.scores),
            ahead=tuple(sums.ahead),
            firsts=tuple(sums.firsts),
        )

    # ---- games

    def _find_game(self, number: int) -> Game:
        if number not in self.games:
            raise RulesError(f"no game {number if abs(number) < 10**9 else 'of that number'} is open here")
        return self.games[number]

    def _add_game(self, request: EngineRequest, game: Game) -> AnyReply:
        if len(self.games) >= MAX_OPEN_GAMES:
            raise RulesError(f"{MAX_OPEN_GAMES:,} games are open, which is the limit: drop some")
        reply = game_reply(request, self.last_game_number + 1, game)
        self.last_game_number += 1
        self.games[self.last_game_number] = game
        return reply


HANDLERS: dict[type[EngineRequest], Callable[..., AnyReply]] = {
    HelloRequest: EngineService.hello,
    NewRequest: EngineService.new,
    FromDecideRequest: EngineService.from_decide,
    LegalRequest: EngineService.legal,
    ChooseRequest: EngineService.choose,
    CloneRequest: EngineService.clone,
    DropRequest: EngineService.drop,
    ViewRequest: EngineService.view,
    DeterminizeRequest: EngineService.determinize,
    PlayoutRequest: EngineService.playout,
}


def game_reply(request: EngineRequest, number: int, game: Game, events: list[Event] | None = None) -> GameReply:
    decision, reply_events = game.decision, UNSET if events is None else events
    if decision is None:
        return GameReply(id=request.id, game=number, result=game.result or UNSET, events=reply_events)
    return GameReply(
        id=request.id,
        game=number,
        seat=decision.seat,
        kind=decision.kind,
        moves=len(decision.legal),
        events=reply_events,
    )


def requested_move(game: Game, request: ChooseRequest) -> Move:
    if (request.index is UNSET) == (request.move is UNSET):
        raise RulesError("choose has either `index` or `move`")
    if request.index is not UNSET:
        return move_at(game, request.index)
    assert request.move is not UNSET
    return parse_move(request.move)  # the game checks whether it is legal


def move_at(game: Game, index: int) -> Move:
    if game.decision is None:
        raise RulesError("the game is over: nothing to decide")
    legal = game.decision.legal
    if not 0 <= index < len(legal):
        raise RulesError(f"index {index}: this {game.decision.kind} decision has 0 to {len(legal) - 1}")
    return legal[index]


def checked_seat(game: Game, seat: int) -> int:
    if not 0 <= seat < game.options.players:
        raise RulesError(f"seat {seat}: 0 to {game.options.players - 1}")
    return seat


def request_id_of(line: bytes) -> int | None:
    try:
        return msgspec.json.decode(line, type=RequestId).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return None
