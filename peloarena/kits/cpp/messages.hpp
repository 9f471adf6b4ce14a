// The messages between referee and bot (spec/PROTOCOL.md) as types. What is left out of a message is 0, "" or empty
// here; what is not known is ignored. `fields` names each field once, and `read` fills any of these types by it.
#pragma once

#include <map>
#include <optional>

#include "json.hpp"

using Texts = std::vector<std::string>;
using Counts = std::map<std::string, int>;

struct Goods {
    int wood = 0, stone = 0, food = 0, coin = 0, pop = 0, lux = 0;

    template <class F> void fields(F f)
    {
        f("wood", wood), f("stone", stone), f("food", food), f("coin", coin), f("pop", pop), f("lux", lux);
    }

    int operator[](const std::string& name) const
    {
        return name == "wood" ? wood : name == "stone" ? stone : name == "food" ? food
             : name == "coin" ? coin : name == "pop" ? pop : name == "lux" ? lux : 0;
    }
};

// -- what is printed on the pieces -----------------------------------------------------------------------------------

struct Tile {
    std::string id, kind, stack, name, terrain, set; // kind: "land", "building" or "sea"
    int points = 0, min = 0, any = 0;
    Goods cost, once, income;
    Counts counters;
    Texts protects, abilities;
    bool supply = false;

    template <class F> void fields(F f)
    {
        f("id", id), f("kind", kind), f("points", points), f("stack", stack), f("name", name), f("min", min);
        f("cost", cost), f("once", once), f("income", income), f("any", any), f("counters", counters);
        f("protects", protects), f("abilities", abilities), f("supply", supply), f("terrain", terrain), f("set", set);
    }
};

struct Civilization {
    std::string id, set;
    int order = 0, any = 0;
    Goods start, income;
    Texts protects, abilities;

    template <class F> void fields(F f)
    {
        f("id", id), f("order", order), f("start", start), f("income", income), f("any", any);
        f("protects", protects), f("abilities", abilities), f("set", set);
    }
};

struct Mat {
    std::string id, note, set;
    Goods storage;
    std::vector<std::vector<int>> income; // rows: inhabitants from, coins, luxury
    int coins_per_point = 0, points_per_inhabitant = 0;
    Texts abilities;

    template <class F> void fields(F f)
    {
        f("id", id), f("storage", storage), f("income", income), f("coins_per_point", coins_per_point);
        f("points_per_inhabitant", points_per_inhabitant), f("abilities", abilities), f("note", note), f("set", set);
    }
};

struct Catalogue {
    std::map<std::string, Mat> mats;
    std::map<std::string, Civilization> civilizations;
    std::map<std::string, Tile> tiles;
    Json cards;
    std::map<std::string, std::string> abilities;
    std::map<std::string, Counts> chits;

    template <class F> void fields(F f)
    {
        f("mats", mats), f("civilizations", civilizations), f("tiles", tiles), f("cards", cards);
        f("abilities", abilities), f("chits", chits);
    }
};

// -- moves, and the table --------------------------------------------------------------------------------------------

struct Move { // one type for all moves; each uses some of the fields
    std::string type, tile, resource, give, get, chit, kind, way, deck;
    int coins = 0, inhabitants = 0, given = 0, got = 0, goats = 0, mercenaries = 0, seat = 0;

    template <class F> void fields(F f)
    {
        f("type", type), f("tile", tile), f("coins", coins), f("resource", resource), f("inhabitants", inhabitants);
        f("give", give), f("given", given), f("get", get), f("got", got), f("goats", goats), f("chit", chit);
        f("kind", kind), f("way", way), f("mercenaries", mercenaries), f("deck", deck), f("seat", seat);
    }
};

struct About {
    int coins = 0, hungry = 0, most = 0, by = 0;
    std::string tile, kind, resource, deck;
    std::vector<Texts> done; // pairs: given, got

    template <class F> void fields(F f)
    {
        f("coins", coins), f("tile", tile), f("kind", kind), f("hungry", hungry), f("done", done);
        f("resource", resource), f("most", most), f("deck", deck), f("by", by);
    }
};

struct Offer {
    std::string tile;
    int seat = 0, coins = 0;

    template <class F> void fields(F f) { f("tile", tile), f("seat", seat), f("coins", coins); }
};

struct Mark {
    std::string tile;
    int coins = 0;

    template <class F> void fields(F f) { f("tile", tile), f("coins", coins); }
};

struct Seat : Goods {
    std::string civilization, mat, bidding, taken;
    Texts lands, buildings, chosen, extra_income, abilities, protects;
    std::vector<Mark> marks;
    Goods income;
    int any = 0;
    Json parts;

    template <class F> void fields(F f)
    {
        Goods::fields(f);
        f("civilization", civilization), f("mat", mat), f("lands", lands), f("buildings", buildings);
        f("marks", marks), f("bidding", bidding), f("taken", taken), f("chosen", chosen);
        f("extra_income", extra_income), f("income", income), f("any", any), f("abilities", abilities);
        f("protects", protects), f("parts", parts);
    }
};

struct State {
    int you = 0, round = 0, rounds = 0;
    std::vector<int> order;
    std::vector<Seat> seats;
    Texts open, conquest, box, pile_bottom;
    std::vector<Offer> offers;
    std::map<std::string, Texts> stacks;
    Counts chits, pile;
    std::string chit;
    Json parts;

    template <class F> void fields(F f)
    {
        f("you", you), f("round", round), f("rounds", rounds), f("order", order), f("seats", seats), f("open", open);
        f("conquest", conquest), f("offers", offers), f("box", box), f("stacks", stacks), f("chits", chits);
        f("chit", chit), f("pile", pile), f("pile_bottom", pile_bottom), f("parts", parts);
    }
};

// -- messages --------------------------------------------------------------------------------------------------------

struct Hello {
    int protocol = 0;
    std::string referee;

    template <class F> void fields(F f) { f("protocol", protocol), f("referee", referee); }
};

struct Options {
    int players = 0, level = 0, rounds = 0, tiles_per_round = 0;
    Texts modules;
    std::string components;

    template <class F> void fields(F f)
    {
        f("players", players), f("modules", modules), f("level", level), f("rounds", rounds);
        f("tiles_per_round", tiles_per_round), f("components", components);
    }
};

struct Clock {
    int bank_ms = 0, increment_ms = 0;
    std::optional<int> move_ms;

    template <class F> void fields(F f) { f("bank_ms", bank_ms), f("increment_ms", increment_ms), f("move_ms", move_ms); }
};

struct NewGame {
    std::string game;
    int seat = 0;
    Texts seats;
    Options options;
    Clock clock;
    long long random = 0;
    Catalogue catalogue;

    template <class F> void fields(F f)
    {
        f("game", game), f("seat", seat), f("seats", seats), f("options", options), f("clock", clock);
        f("random", random), f("catalogue", catalogue);
    }
};

struct Decide {
    int id = 0, bank_ms = 0;
    std::string kind;
    std::vector<Move> legal;
    About about;
    std::optional<State> state; // not if `hello` wanted only events
    std::vector<Tile> tiles;    // those on display
    std::vector<Json> events;

    template <class F> void fields(F f)
    {
        f("id", id), f("kind", kind), f("legal", legal), f("bank_ms", bank_ms), f("about", about), f("state", state);
        f("tiles", tiles), f("events", events);
    }
};

struct SeatResult {
    int score = 0, prestige = 0, population = 0, luxury = 0, rank = 0;

    template <class F> void fields(F f)
    {
        f("score", score), f("prestige", prestige), f("population", population), f("luxury", luxury), f("rank", rank);
    }
};

struct Result {
    std::vector<SeatResult> seats;
    int level = 0, target = 0; // these and `passed`: solo
    bool passed = false;

    template <class F> void fields(F f) { f("seats", seats), f("level", level), f("target", target), f("passed", passed); }
};

struct GameOver {
    std::vector<int> ranks;
    std::optional<Result> result; // none if the game was not played to its end
    std::vector<Json> events;

    template <class F> void fields(F f) { f("ranks", ranks), f("result", result), f("events", events); }
};

// -- reading ---------------------------------------------------------------------------------------------------------

inline void read(const Json& json, int& into) { into = static_cast<int>(json.number); }
inline void read(const Json& json, long long& into) { into = static_cast<long long>(json.number); }
inline void read(const Json& json, bool& into) { into = json.yes; }
inline void read(const Json& json, std::string& into) { into = json.text; }
inline void read(const Json& json, Json& into) { into = json; }

template <class T> void read(const Json& json, std::vector<T>& into)
{
    for (const Json& item : json.items) read(item, into.emplace_back());
}

template <class T> void read(const Json& json, std::map<std::string, T>& into)
{
    for (size_t i = 0; i < json.keys.size(); i++) read(json.items[i], into[json.keys[i]]);
}

template <class T> void read(const Json& json, std::optional<T>& into)
{
    if (json.kind != Json::Null) read(json, into.emplace());
}

template <class T> void read(const Json& json, T& into)
{
    into.fields([&json](const char* name, auto& field) { read(json[name], field); });
}

template <class T> T message(const Json& json)
{
    T made;
    read(json, made);
    return made;
}
