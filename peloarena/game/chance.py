"""All chance of the game (P2): Fisher–Yates on words of SHA-256 over (seed, deck, shuffle, counter).

So any language can reproduce a deal (spec/RULES.md, "Chance"), and a deck's order depends neither on the seating
nor on any other deck.
"""

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct

from .errors import ConfigError

LONGEST_SEED = 100


DIGEST_WORDS = Struct(">8I")
"""A digest as eight 32-bit numbers, big-endian."""
WORD_RANGE = 1 << 32
FAIR_BELOW = WORD_RANGE - (1 << 16)
"""Below here every word is fair for a deck of up to 65,536 cards; testing this first is quicker."""
SPARE_DIGESTS = 1
"""The probability of skipping eight words in one shuffle is below 10^-60."""


def shuffled(seed: str, deck: str, cards: Iterable[str], shuffle: int = 1) -> tuple[str, ...]:
    """The cards in drawing order for the n-th shuffle of this deck, starting from their sorted order."""
    left = sorted(cards)
    words = random_words(f"{seed}\n{deck}\n{shuffle}\n", len(left))
    for last in range(len(left) - 1, 0, -1):
        word = words.pop()
        while word >= FAIR_BELOW and word >= WORD_RANGE - WORD_RANGE % (
            last + 1
        ):  # the last, incomplete stretch favours low numbers
            word = words.pop()
        pick = word % (last + 1)
        left[last], left[pick] = left[pick], left[last]
    return tuple(left)


def random_words(prefix: str, wanted: int) -> list[int]:
    """The words of SHA-256(prefix + "0"), SHA-256(prefix + "1"), ..., the first one last; some to spare."""
    words: list[int] = []
    for counter in range(wanted // 8 + SPARE_DIGESTS):
        words += DIGEST_WORDS.unpack(sha256(f"{prefix}{counter}".encode()).digest())
    words.reverse()
    return words


def check_seed(seed: str) -> str:
    if not 1 <= len(seed) <= LONGEST_SEED or not seed.isascii() or not seed.isprintable():
        raise ConfigError(f"seed {seed[:20]!r}: 1 to {LONGEST_SEED} printable ASCII characters, for example 'friday-1'")
    return seed


def numbered_copies(counts: dict[str, int]) -> list[str]:
    """Distinct cards for a deck with copies: `{"blank": 2}` → `blank/1`, `blank/2`."""
    return [f"{kind}/{n}" for kind, count in counts.items() for n in range(1, count + 1)]


def card_face(card: str) -> str:
    """The text printed on a card made by `numbered_copies`."""
    return card.partition("/")[0]
