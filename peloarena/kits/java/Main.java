import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Map;
import java.util.stream.Stream;

/**
 * @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
 *
 * <p>Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
 * the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
 * numbers, then the functions, then the idea.
 */
final class Main {
    /** One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts. */
    static final Goods WORTH = new Goods(3, 3, 5, 5, 20, 3); // wood, stone, food, coin, pop, lux
    static final int POINT = 10, ANY = 3; // a point of prestige; an income of "any" good

    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        NewGame game = null;
        for (String line; (line = lines.readLine()) != null; ) {
            var message = (Map<?, ?>) Json.read(line);
            switch ((String) message.get("type")) {
                case "hello" -> System.out.println(Json.write(Map.of("type", "hello", "name", "@NAME@")));
                case "newgame" -> {
                    game = Json.as(message, NewGame.class);
                    System.out.println(Json.write(Map.of("type", "ready")));
                }
                case "decide" -> {
                    var decide = Json.as(message, Decide.class);
                    var answer = Map.of("type", "answer", "id", decide.id(), "index", choose(decide, game));
                    System.out.println(Json.write(answer));
                }
                default -> {} // gameover, and what a later version says; after quit there is no further line
            }
            System.out.flush();
        }
    }

    /** The place of the best move in legal. */
    static int choose(Decide decide, NewGame game) {
        var likings = decide.legal().stream().map(move -> liking(move, decide, game)).toList();
        return likings.indexOf(likings.stream().max(Integer::compare).orElseThrow());
    }

    /** How much I like a move. about() tells what the question is about: here the coins of a bid that was outbid. */
    static int liking(Move move, Decide decide, NewGame game) {
        return switch (move.type()) {
            case "bid" -> value(move.tile(), decide, game) - WORTH.coin() * move.coins();
            case "take_aid", "move_bid", "buy_sea" -> value(move.tile(), decide, game);
            case "pass" -> 3 * WORTH.coin(); // passing brings 3 coins
            case "withdraw" -> WORTH.coin() * (decide.about().coins() + 1); // the bid comes back, and a coin with it
            case "feed" -> move.inhabitants();
            case "hire" -> move.mercenaries() + 1;
            case "take_any", "extra_income" -> -decide.me().stock().get(move.resource()); // what I have least of
            case "strengthen" -> 2;
            case "pay", "keep", "complete", "skip", "refuse" -> 1; // keep what you have, leave alone the unknown
            default -> 0;
        };
    }

    /** What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost. */
    static int value(String name, Decide decide, NewGame game) {
        var tile = game.catalogue().tiles().get(name);
        if (!fits(tile, decide.me(), game)) return 0;
        int rounds = decide.state().rounds() - decide.state().round() + 1;
        int income = WORTH.times(tile.income()) + ANY * tile.any();
        return POINT * tile.points() + WORTH.times(tile.once()) + rounds * income - 2 * WORTH.times(tile.cost());
    }

    /** Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food. */
    static boolean fits(Tile tile, Seat me, NewGame game) {
        boolean free = me.lands().isEmpty() || me.abilities().contains("free_placement");
        if (!tile.kind().equals("land") || free) return true;
        var last = game.catalogue().tiles().get(me.lands().get(me.lands().size() - 1)).income();
        return Stream.of("wood", "stone", "food").anyMatch(good -> last.get(good) > 0 && tile.income().get(good) > 0);
    }
}
