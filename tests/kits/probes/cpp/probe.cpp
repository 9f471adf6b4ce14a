// Prints what the kit's types hold of each message; see tests/kits/probing.py.
#include <functional>
#include <iostream>
#include <sstream>

#include "messages.hpp"

struct BotHello {
    std::string name, version, wants;
    template <class F> void fields(F f) { f("name", name), f("version", version), f("wants", wants); }
};

struct Answer {
    int id = 0;
    std::optional<int> index;
    std::optional<Move> move;
    std::string note;
    template <class F> void fields(F f) { f("id", id), f("index", index), f("move", move), f("note", note); }
};

static bool first_word;

static void word(std::string text)
{
    if (text.empty()) text = "-";
    for (char& each : text)
        if (each == ' ') each = '_';
    std::cout << (first_word ? "" : " ") << text;
    first_word = false;
}

static void word(long long number) { word(std::to_string(number)); }

template <class T> static std::string joined(const std::vector<T>& items, const char* between = ",")
{
    std::ostringstream out;
    for (size_t i = 0; i < items.size(); i++) out << (i ? between : "") << items[i];
    return out.str();
}

template <class T> static std::string mapped(const std::map<std::string, T>& items)
{
    std::ostringstream out;
    for (const auto& [key, value] : items) out << (out.tellp() > 0 ? "," : "") << key << "=" << value;
    return out.str();
}

template <class T> static std::string each(const std::vector<T>& items, std::function<std::string(const T&)> told)
{
    std::vector<std::string> words;
    for (const T& item : items) words.push_back(told(item));
    return joined(words);
}

static void goods(const Goods& g) { word(joined(std::vector<int>{g.wood, g.stone, g.food, g.coin, g.pop, g.lux}, "/")); }

static std::string said(const Move& m)
{
    std::vector<std::string> words;
    Move copy = m;
    copy.fields([&words](const std::string& name, auto& value) {
        std::ostringstream out;
        out << value;
        if (out.str() != "" && out.str() != "0") words.push_back(name + "=" + out.str());
    });
    return joined(words, ";");
}

static void tile(const Tile& t)
{
    word(t.id), word(t.kind), word(t.points), word(t.stack), word(t.name), word(t.min);
    goods(t.cost), goods(t.once), goods(t.income);
    word(t.any), word(mapped(t.counters)), word(joined(t.protects)), word(joined(t.abilities));
    word(t.supply ? 1 : 0), word(t.terrain), word(t.set);
}

static void seat(const Seat& s)
{
    word(s.civilization), word(s.mat), goods(s), word(joined(s.lands)), word(joined(s.buildings));
    word(each<Mark>(s.marks, [](const Mark& mark) { return mark.tile + ":" + std::to_string(mark.coins); }));
    word(s.bidding), word(s.taken), word(joined(s.chosen)), word(joined(s.extra_income));
    goods(s.income), word(s.any), word(joined(s.abilities)), word(joined(s.protects));
}

static void told(const NewGame& g)
{
    const Options& o = g.options;
    word("newgame"), word(g.game), word(g.seat), word(joined(g.seats)), word(o.players), word(joined(o.modules));
    word(o.level), word(o.rounds), word(o.tiles_per_round), word(o.components);
    word(g.clock.bank_ms), word(g.clock.increment_ms);
    g.clock.move_ms ? word(*g.clock.move_ms) : word("none");
    word(g.random);
    for (const auto& [key, m] : g.catalogue.mats) {
        word(m.id), goods(m.storage);
        word(each<std::vector<int>>(m.income, [](const std::vector<int>& row) { return joined(row, ":"); }));
        word(m.coins_per_point), word(m.points_per_inhabitant), word(joined(m.abilities)), word(m.note), word(m.set);
    }
    for (const auto& [key, c] : g.catalogue.civilizations) {
        word(c.id), word(c.order), goods(c.start), goods(c.income), word(c.any);
        word(joined(c.protects)), word(joined(c.abilities)), word(c.set);
    }
    for (const auto& [key, one] : g.catalogue.tiles) tile(one);
    word(mapped(g.catalogue.abilities));
    for (const auto& [key, chits] : g.catalogue.chits) word(key), word(mapped(chits));
}

static void told(const State& s, const std::vector<Tile>& tiles)
{
    word(s.you), word(s.round), word(s.rounds), word(joined(s.order));
    for (const Seat& one : s.seats) seat(one);
    word(joined(s.open)), word(joined(s.conquest));
    word(each<Offer>(s.offers, [](const Offer& offer) {
        return offer.tile + ":" + std::to_string(offer.seat) + ":" + std::to_string(offer.coins);
    }));
    word(joined(s.box));
    for (const auto& [key, stack] : s.stacks) word(key), word(joined(stack));
    word(mapped(s.chits)), word(s.chit), word(mapped(s.pile)), word(joined(s.pile_bottom));
    for (const Tile& one : tiles) tile(one);
}

static void told(const Decide& d)
{
    word("decide"), word(d.id), word(d.kind), word(d.bank_ms);
    for (const Move& move : d.legal) word(said(move));
    const About& a = d.about;
    word(a.coins), word(a.tile), word(a.kind), word(a.hungry);
    word(each<Texts>(a.done, [](const Texts& pair) { return joined(pair, ":"); }));
    word(a.resource), word(a.most), word(a.deck), word(a.by), word(static_cast<long long>(d.events.size()));
    d.state ? told(*d.state, d.tiles) : word("none");
}

static void told(const GameOver& over)
{
    word("gameover"), word(joined(over.ranks));
    if (!over.result) return word("none");
    for (const SeatResult& s : over.result->seats)
        word(s.score), word(s.prestige), word(s.population), word(s.luxury), word(s.rank);
    word(over.result->level), word(over.result->target), word(over.result->passed ? 1 : 0);
}

static void told(const Answer& answer)
{
    word("answer"), word(answer.id);
    answer.index ? word(*answer.index) : word("none");
    word(answer.move ? said(*answer.move) : "none"), word(answer.note);
}

int main()
{
    for (std::string line; std::getline(std::cin, line); std::cout << "\n") {
        first_word = true;
        size_t tab = line.find('\t');
        std::string kind = line.substr(0, tab);
        Json json = Json::read(line.substr(tab + 1));
        const std::string type = json["type"].text;
        if (kind == "seat") seat(message<Seat>(json));
        else if (type == "newgame") told(message<NewGame>(json));
        else if (type == "decide") told(message<Decide>(json));
        else if (type == "gameover") told(message<GameOver>(json));
        else if (type == "answer") told(message<Answer>(json));
        else if (kind == "to" && type == "hello") {
            Hello hello = message<Hello>(json);
            word("hello"), word(hello.protocol), word(hello.referee);
        } else if (type == "hello") {
            BotHello hello = message<BotHello>(json);
            word("hello"), word(hello.name), word(hello.version), word(hello.wants);
        } else word(type);
    }
}
