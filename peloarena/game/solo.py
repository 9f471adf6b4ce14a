"""The solo game (Z): its levels, and the campaign that plays them in a row. Knows no flow: numbers and options only."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from .chance import LONGEST_SEED, shuffled
from .errors import ConfigError
from .shapes import GameOptions


class Level(Struct, frozen=True):
    """Z2. A level n has n − 1 conquest tiles (Z1)."""

    extra_incomes: int
    target: int


LEVELS = {1: Level(0, 24), 2: Level(1, 28), 3: Level(2, 32), 4: Level(3, 35), 5: Level(3, 35)}


LEVEL_SUFFIX_LENGTH = len(f"/{max(LEVELS)}")
"""What a level appends to the seed (P2)."""


class Campaign(Struct, frozen=True):
    """Z3: the levels in a row, each with a civilization not used before; over at the first level missed."""

    options: GameOptions
    """Of the first level; players 1. A civilization that they fix (Z1) is the first level's."""
    seed: str
    used: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    passed: tuple[bool, ...] = ()

    def __post_init__(self) -> None:
        most = LONGEST_SEED - LEVEL_SUFFIX_LENGTH
        if len(self.seed) > most:
            raise ConfigError(f"seed {self.seed[:20]!r}: at most {most} characters in a campaign: levels add theirs")

    @property
    def level(self) -> int:
        return len(self.passed) + 1

    @property
    def is_over(self) -> bool:
        return len(self.passed) == len(LEVELS) or not all(self.passed)

    def next_game(self, civilizations: list[str]) -> tuple[GameOptions, str]:
        """The options and the seed (P2) of the next level, given the civilizations that can be drawn."""
        if self.is_over:
            raise ConfigError("the campaign is over")
        seed = f"{self.seed}/{self.level}"
        fixed = self.options.draft.get("civilizations", ())
        order = (*fixed, *shuffled(seed, "civilizations", civilizations))
        drawn = next(name for name in order if name not in self.used)
        draft = {**self.options.draft, "civilizations": (drawn,)}
        return replace(self.options, level=self.level, draft=draft), seed

    def with_result(self, civilization: str, score: int, passed: bool) -> Campaign:
        return replace(
            self,
            used=(*self.used, civilization),
            scores=(*self.scores, score),
            passed=(*self.passed, passed),
        )
