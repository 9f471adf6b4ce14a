import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints what the kit's types hold of each message; see tests/kits/probing.py. */
final class Probe {
    private final List<String> words = new ArrayList<>();

    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line; (line = lines.readLine()) != null; ) {
            String[] parts = line.split("\t", 2);
            var probe = new Probe();
            probe.tell(parts[0], (Map<?, ?>) Json.read(parts[1]));
            out.println(String.join(" ", probe.words));
        }
    }

    private void tell(String kind, Map<?, ?> message) {
        String type = (String) message.get("type");
        if (kind.equals("seat")) seat(Json.as(message, Seat.class));
        else if (kind.equals("from")) own(type, message);
        else if (type.equals("newgame")) newGame(Json.as(message, NewGame.class));
        else if (type.equals("decide")) decide(Json.as(message, Decide.class));
        else if (type.equals("gameover")) gameOver(Json.as(message, GameOver.class));
        else if (type.equals("hello")) {
            var hello = Json.as(message, Hello.class);
            add("hello", hello.protocol(), hello.referee());
        } else if (Json.as(message, Quit.class) != null) add(type);
    }

    private void add(Object... values) {
        for (Object value : values) {
            String word = word(value).replace(' ', '_');
            words.add(word.isEmpty() ? "-" : word);
        }
    }

    private static String word(Object value) {
        if (value instanceof Boolean truth) return truth ? "1" : "0";
        if (value instanceof Optional<?> maybe) return maybe.map(Probe::word).orElse("none");
        if (value instanceof List<?> items) return joined(items, ",");
        if (value instanceof Offer o) return o.tile() + ":" + o.seat() + ":" + o.coins();
        if (value instanceof Marker m) return m.tile() + ":" + m.coins();
        if (value instanceof Move m) return said(m);
        if (value instanceof Goods g) return joined(List.of(g.wood(), g.stone(), g.food(), g.coin(), g.pop(), g.lux()), "/");
        if (value instanceof Map<?, ?> map)
            return joined(new TreeMap<>(map).entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList(), ",");
        return value.toString();
    }

    private static String joined(List<?> items, String between) {
        return items.stream().map(Probe::word).collect(Collectors.joining(between));
    }

    /** Lists in a list: their items joined otherwise. */
    private static List<String> rows(List<? extends List<?>> rows) {
        return rows.stream().map(row -> joined(row, ":")).toList();
    }

    private static String said(Move m) {
        var fields = Stream.of(
                "type=" + m.type(), "tile=" + m.tile(), "coins=" + m.coins(), "resource=" + m.resource(),
                "inhabitants=" + m.inhabitants(), "give=" + m.give(), "given=" + m.given(), "get=" + m.get(),
                "got=" + m.got(), "goats=" + m.goats(), "chit=" + m.chit(), "kind=" + m.kind(), "way=" + m.way(),
                "mercenaries=" + m.mercenaries(), "deck=" + m.deck(), "seat=" + m.seat());
        return fields.filter(field -> !field.matches("\\w+=0?")).collect(Collectors.joining(";"));
    }

    private void tile(Tile t) {
        add(t.id(), t.kind(), t.points(), t.stack(), t.name(), t.min(), t.cost(), t.once(), t.income(), t.any());
        add(t.counters(), t.protects(), t.abilities(), t.supply(), t.terrain(), t.set());
    }

    private void seat(Seat s) {
        add(s.civilization(), s.mat(), s.stock(), s.lands(), s.buildings(), s.marks(), s.bidding(), s.taken());
        add(s.chosen(), s.extraIncome(), s.income(), s.any(), s.abilities(), s.protects());
    }

    private void newGame(NewGame g) {
        var options = g.options();
        var pieces = g.catalogue();
        add("newgame", g.game(), g.seat(), g.seats(), options.players(), options.modules(), options.level());
        add(options.rounds(), options.tilesPerRound(), options.components());
        add(g.clock().bankMs(), g.clock().incrementMs(), g.clock().moveMs(), g.random());
        for (Mat m : new TreeMap<>(pieces.mats()).values()) {
            add(m.id(), m.storage(), rows(m.income()), m.coinsPerPoint(), m.pointsPerInhabitant());
            add(m.abilities(), m.note(), m.set());
        }
        for (Civilization c : new TreeMap<>(pieces.civilizations()).values())
            add(c.id(), c.order(), c.start(), c.income(), c.any(), c.protects(), c.abilities(), c.set());
        new TreeMap<>(pieces.tiles()).values().forEach(this::tile);
        add(pieces.abilities());
        new TreeMap<>(pieces.chits()).forEach((set, chits) -> add(set, chits));
    }

    private void decide(Decide d) {
        add("decide", d.id(), d.kind(), d.bankMs());
        add(d.legal().toArray());
        var a = d.about();
        add(a.coins(), a.tile(), a.kind(), a.hungry(), rows(a.done()), a.resource(), a.most(), a.deck(), a.by());
        add(d.events().size());
        if (d.state().seats().isEmpty()) add("none");
        else {
            state(d.state());
            d.tiles().forEach(this::tile);
        }
    }

    private void state(State s) {
        add(s.you(), s.round(), s.rounds(), s.order());
        s.seats().forEach(this::seat);
        add(s.open(), s.conquest(), s.offers(), s.box());
        new TreeMap<>(s.stacks()).forEach((stack, tiles) -> add(stack, tiles));
        add(s.chits(), s.chit(), s.pile(), s.pileBottom());
    }

    private void gameOver(GameOver over) {
        add("gameover", over.ranks());
        if (over.result().isEmpty()) {
            add("none");
            return;
        }
        var result = over.result().get();
        for (SeatResult s : result.seats()) add(s.score(), s.prestige(), s.population(), s.luxury(), s.rank());
        add(result.level(), result.target(), result.passed());
    }

    /** What a bot says needs no types: it is written as a Map. */
    private void own(String type, Map<?, ?> message) {
        add(type);
        if (type.equals("hello")) for (String name : List.of("name", "version", "wants")) add(found(message, name, ""));
        if (type.equals("answer")) {
            var move = Optional.ofNullable(message.get("move")).map(there -> Json.as(there, Move.class));
            add(message.get("id"), found(message, "index", "none"), move, found(message, "note", ""));
        }
    }

    private static Object found(Map<?, ?> message, String name, String otherwise) {
        return message.containsKey(name) ? message.get(name) : otherwise;
    }
}
