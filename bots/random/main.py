"""Any legal move, by the game's own random number: the same game again when it is repeated."""

from peloarena.botkit import GameInfo, Message, play


def choose(decide: Message, game: GameInfo) -> int:
    return game.random.randrange(len(decide["legal"]))


if __name__ == "__main__":
    play(choose, name="random", version="1")
