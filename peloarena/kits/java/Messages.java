import java.util.List;
import java.util.Map;
import java.util.Optional;

// What the referee says, as records; spec/PROTOCOL.md explains each field. What a message leaves out is 0, false, "" or
// empty here, and fields that are not here are ignored. What is an Object here is as Json.read makes it.

record Hello(int protocol, String referee) {}

record NewGame(
        String game, int seat, List<String> seats, Options options, Clock clock, long random, Catalogue catalogue) {}

record Options(
        int players, List<String> modules, int level, int rounds, int tilesPerRound, String components) {}

record Clock(int bankMs, int incrementMs, Optional<Integer> moveMs) {}

/** A question: one of {@code legal} is to be chosen. */
record Decide(
        int id, String kind, List<Move> legal, int bankMs, About about, State state, List<Tile> tiles,
        List<Object> events) {
    Seat me() {
        return state.seats().get(state.you());
    }
}

/** Which fields it has depends on its type. */
record Move(
        String type, String tile, int coins, String resource, int inhabitants, String give, int given, String get,
        int got, int goats, String chit, String kind, String way, int mercenaries, String deck, int seat) {}

/** What is asked about. Which fields it has depends on the kind of the question. */
record About(
        int coins, String tile, String kind, int hungry, List<List<String>> done, String resource, int most,
        String deck, int by) {}

/** The result is empty if the game was not played to its end. */
record GameOver(List<Integer> ranks, Optional<Result> result, List<Object> events) {}

record Result(List<SeatResult> seats, int level, int target, boolean passed) {}

record SeatResult(int score, int prestige, int population, int luxury, int rank) {}

record Quit() {}

/** What all players see. It is empty for a bot that wants events only. */
record State(
        int you, int round, int rounds, List<Integer> order, List<Seat> seats, List<String> open,
        List<String> conquest, List<Offer> offers, List<String> box, Map<String, List<String>> stacks,
        Map<String, Integer> chits, String chit, Map<String, Integer> pile, List<String> pileBottom,
        Map<String, Object> parts) {}

/** What lies before a player. */
record Seat(
        String civilization, String mat, int wood, int stone, int food, int coin, int pop, int lux,
        List<String> lands, List<String> buildings, List<Marker> marks, String bidding, String taken,
        List<String> chosen, List<String> extraIncome, Goods income, int any, List<String> abilities,
        List<String> protects, Map<String, Object> parts) {
    /** What it has in store. */
    Goods stock() {
        return new Goods(wood, stone, food, coin, pop, lux);
    }
}

record Offer(String tile, int seat, int coins) {}

record Marker(String tile, int coins) {}

record Goods(int wood, int stone, int food, int coin, int pop, int lux) {
    /** By name; there is none of what has another. */
    int get(String name) {
        return switch (name) {
            case "wood" -> wood;
            case "stone" -> stone;
            case "food" -> food;
            case "coin" -> coin;
            case "pop" -> pop;
            case "lux" -> lux;
            default -> 0;
        };
    }

    /** What the others are worth, when this is what one of each good is worth. */
    int times(Goods others) {
        return wood * others.wood + stone * others.stone + food * others.food
                + coin * others.coin + pop * others.pop + lux * others.lux;
    }
}

/** What is printed on the pieces in play. */
record Catalogue(
        Map<String, Mat> mats, Map<String, Civilization> civilizations, Map<String, Tile> tiles,
        Map<String, Object> cards, Map<String, String> abilities, Map<String, Map<String, Integer>> chits) {}

record Mat(
        String id, Goods storage, List<List<Integer>> income, int coinsPerPoint, int pointsPerInhabitant,
        List<String> abilities, String note, String set) {}

record Civilization(
        String id, int order, Goods start, Goods income, int any, List<String> protects, List<String> abilities,
        String set) {}

record Tile(
        String id, String kind, int points, String stack, String name, int min, Goods cost, Goods once,
        Goods income, int any, Map<String, Integer> counters, List<String> protects, List<String> abilities,
        boolean supply, String terrain, String set) {}
