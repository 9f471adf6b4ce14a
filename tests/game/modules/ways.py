"""The ways a game with heroes, colonies and Persians can go: for each a name, how to tell, and a table for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from peloarena.game import GameOptions, make_options
from peloarena.game.events import ChitSlid, Chose, Dealt, RoundStarted
from peloarena.game.kinds import Event, Move
from peloarena.game.modules.colonies.shapes import ColonyDealt
from peloarena.game.modules.heroes.shapes import HeroDealt, HeroTurned, ReplaceChit, WardOff
from peloarena.game.modules.negotiation.shapes import Accept, OfferSwap, Refuse, Swapped
from peloarena.game.modules.persians.shapes import Attacked, ConflictWon, Hire, Strengthen, Surrender
from peloarena.game.moves import Pay, Skip
from peloarena.game.rulebook import full_catalogue

Story = Sequence[Event]
Told = Callable[[Story], bool]

HEROES = (
    ("Achilles", "Andromeda", "Ariadne", "Daedalus", "Hector"),
    ("Helen", "Odysseus", "Penelope", "Sisyphus", "Tantalus"),
)
COLONIES = (
    ("Apollonia", "Byzantium", "Leptis Magna", "Massilia", "Miletus"),
    ("Naukratis", "Naxos", "Salamis", "Taras", "Miletus"),
)


@dataclass(frozen=True)
class Way:
    told: Told
    options: GameOptions


def happens(kind: type[Event], /, **fields: object) -> Told:
    """An event of this kind with these values."""
    return lambda story: any(isinstance(event, kind) and fits(event, fields) for event in story)


def chosen(kind: type[Move], /, **fields: object) -> Told:
    """A seat's free choice of such a move."""
    return lambda story: any(
        isinstance(event, Chose) and isinstance(event.move, kind) and not event.forced and fits(event.move, fields)
        for event in story
    )


def fits(item: object, fields: dict[str, object]) -> bool:
    return all(getattr(item, name) == value for name, value in fields.items())


def both(one: Told, other: Told) -> Told:
    return lambda story: one(story) and other(story)


def attack(number: int, repelled: bool) -> Told:
    """How the n-th attack ended."""

    def told(story: Story) -> bool:
        attacks = [event for event in story if isinstance(event, Attacked)]
        return len(attacks) >= number and attacks[number - 1].repelled == repelled

    return told


def strengthened(kind: str) -> Told:
    """With a building, or with a land."""
    tiles = full_catalogue().tiles
    return lambda story: any(
        isinstance(event, Chose) and isinstance(event.move, Strengthen) and tiles[event.move.tile].kind == kind
        for event in story
    )


def two_pairs(story: Story) -> bool:
    """C4: in each of three supply rounds."""
    return sum(isinstance(event, ConflictWon) for event in story) == 6


def answered(deck: str, answer: type[Move]) -> Told:
    """An offer for this deck, and this answer to it."""

    def told(story: Story) -> bool:
        moves = [event.move for event in story if isinstance(event, Chose)]
        return any(
            isinstance(offer, OfferSwap) and offer.deck == deck and isinstance(reply, answer)
            for offer, reply in pairwise(moves)
        )

    return told


def no_offer(story: Story) -> bool:
    offers = [event for event in story if isinstance(event, Chose) and event.kind == "offer_swap"]
    return bool(offers) and all(isinstance(event.move, Skip) for event in offers)


def with_hero(*heroes: str, civilizations: tuple[str, ...] = ()) -> GameOptions:
    draft = {"heroes": heroes} | ({"civilizations": civilizations} if civilizations else {})
    return make_options(len(heroes), ["heroes-and-colonies"], draft=draft)


TWO = make_options(2, ["heroes-and-colonies"])
FIVE = make_options(5, ["heroes-and-colonies"])
BARGAIN = make_options(2, ["heroes-and-colonies", "negotiation"])
ODYSSEUS = with_hero("Odysseus", "Hector")

WAYS: dict[str, Way] = {
    "first-attack-repelled": Way(attack(1, repelled=True), TWO),
    "first-attack-lost": Way(attack(1, repelled=False), TWO),
    "second-attack-repelled": Way(attack(2, repelled=True), TWO),
    "second-attack-lost": Way(attack(2, repelled=False), TWO),
    "both-attacks-repelled": Way(both(attack(1, repelled=True), attack(2, repelled=True)), TWO),
    "hero-turned": Way(happens(HeroTurned), TWO),
    "best-tile-chosen": Way(chosen(Surrender), TWO),
    "mercenaries-hired": Way(both(attack(1, repelled=True), chosen(Hire)), with_hero("Hector", "Helen")),
    "mercenaries-of-tantalus": Way(both(attack(1, repelled=False), chosen(Hire)), with_hero("Tantalus", "Helen")),
    "strength-with-a-building": Way(strengthened("building"), TWO),
    "strength-with-a-land": Way(strengthened("land"), TWO),
    "conflict-won": Way(happens(ConflictWon, cloverleaves=1, inhabitants=1), TWO),
    "conflict-without-an-inhabitant": Way(happens(ConflictWon, inhabitants=0), TWO),
    "conflicts-of-two-pairs": Way(two_pairs, FIVE),
    "chit-slid": Way(happens(ChitSlid), with_hero("Hector", "Helen")),
    "chit-replaced-by-ariadne": Way(chosen(ReplaceChit), with_hero("Ariadne", "Hector")),
    "chit-left-by-ariadne": Way(both(chosen(Skip), happens(HeroDealt, hero="Ariadne")), with_hero("Ariadne", "Hector")),
    "odysseus-and-a-disaster": Way(chosen(WardOff, kind="tempest"), ODYSSEUS),
    "odysseus-and-the-first-attack": Way(chosen(WardOff, kind="first_attack"), ODYSSEUS),
    "odysseus-and-the-second-attack": Way(chosen(WardOff, kind="second_attack"), ODYSSEUS),
    "daedalus-saves-wood": Way(chosen(Pay, way="less wood"), with_hero("Daedalus", "Hector")),
    "daedalus-saves-stone": Way(chosen(Pay, way="less stone"), with_hero("Daedalus", "Hector")),
    "sikyon": Way(
        happens(Dealt, civilization="Sikyon"), with_hero("Helen", "Hector", civilizations=("Sikyon", "Argos"))
    ),
    "colonies-exchanged": Way(happens(Swapped, deck="colonies"), BARGAIN),
    "heroes-exchanged": Way(happens(Swapped, deck="heroes"), BARGAIN),
    "exchange-for-nothing": Way(happens(Swapped, coins=0), BARGAIN),
    "offer-for-a-colony-accepted": Way(answered("colonies", Accept), BARGAIN),
    "offer-for-a-colony-refused": Way(answered("colonies", Refuse), BARGAIN),
    "offer-for-a-hero-refused": Way(answered("heroes", Refuse), BARGAIN),
    "no-offer": Way(no_offer, BARGAIN),
    "nine-rounds-of-three-chits": Way(
        both(happens(RoundStarted, number=9), attack(2, repelled=False)),
        make_options(2, ["heroes-and-colonies", "hellas"]),
    ),
}
for heroes, colonies in zip(HEROES, COLONIES, strict=True):
    draft = {"heroes": heroes, "colonies": colonies}
    table = make_options(5, ["heroes-and-colonies"], draft=draft)
    WAYS |= {f"hero-{name.lower()}": Way(happens(HeroDealt, hero=name), table) for name in heroes}
    WAYS |= {
        f"colony-{name.lower().replace(' ', '-')}": Way(happens(ColonyDealt, colony=name), table) for name in colonies
    }
