// @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
//
// Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
// the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
// numbers, then the functions, then the idea.
#include <algorithm>
#include <iostream>
#include "messages.hpp"

// One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts.
const Goods WORTH = {/* wood */ 3, /* stone */ 3, /* food */ 5, /* coin */ 5, /* pop */ 20, /* lux */ 3};
const int POINT = 10; // a point of prestige
const int ANY = 3;    // an income of "any" good
// Moves that are liked without a further look: keep what you have, leave alone what you do not know.
const std::map<std::string, int> PLAIN = {
    {"pay", 1}, {"keep", 1}, {"complete", 1}, {"skip", 1}, {"refuse", 1}, {"strengthen", 2}};

static NewGame game;

int worth(const Goods& goods)
{
    return WORTH.wood * goods.wood + WORTH.stone * goods.stone + WORTH.food * goods.food + WORTH.coin * goods.coin
         + WORTH.pop * goods.pop + WORTH.lux * goods.lux;
}

/// Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food.
bool fits(const Tile& tile, const Seat& me)
{
    bool anywhere = std::count(me.abilities.begin(), me.abilities.end(), "free_placement") > 0;
    if (tile.kind != "land" || me.lands.empty() || anywhere) return true;
    const Goods &last = game.catalogue.tiles[me.lands.back()].income, &income = tile.income;
    return (last.wood > 0 && income.wood > 0) || (last.stone > 0 && income.stone > 0) || (last.food > 0 && income.food > 0);
}

/// What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost.
int value(const std::string& id, const State& state)
{
    const Tile& tile = game.catalogue.tiles[id];
    if (!fits(tile, state.seats[state.you])) return 0;
    int rounds = state.rounds - state.round + 1, income = worth(tile.income) + ANY * tile.any;
    return POINT * tile.points + worth(tile.once) + rounds * income - 2 * worth(tile.cost);
}

/// How much I like a move. `about` tells what the question is about: here the coins of a bid that was outbid.
int liking(const Move& move, const Decide& decide)
{
    const std::string& type = move.type;
    const State& state = *decide.state;
    if (type == "bid") return value(move.tile, state) - WORTH.coin * move.coins;
    if (type == "take_aid" || type == "move_bid" || type == "buy_sea") return value(move.tile, state);
    if (type == "pass") return 3 * WORTH.coin; // passing brings 3 coins
    if (type == "withdraw") return WORTH.coin * (decide.about.coins + 1); // the bid comes back, and a coin with it
    if (type == "feed") return move.inhabitants;
    if (type == "hire") return move.mercenaries + 1;
    if (type == "take_any" || type == "extra_income") return -state.seats[state.you][move.resource]; // the scarcest
    return PLAIN.count(type) ? PLAIN.at(type) : 0;
}

/// The place of the best move in `legal`.
long choose(const Decide& decide)
{
    std::vector<int> likings;
    for (const Move& move : decide.legal) likings.push_back(liking(move, decide));
    return std::max_element(likings.begin(), likings.end()) - likings.begin();
}

int main()
{
    for (std::string line; std::getline(std::cin, line);) {
        Json json = Json::read(line);
        const std::string& type = json["type"].text;
        if (type == "hello") std::cout << R"({"type":"hello","name":"@NAME@"})" << std::endl;
        if (type == "newgame") game = message<NewGame>(json), std::cout << R"({"type":"ready"})" << std::endl;
        if (type == "decide") {
            Decide decide = message<Decide>(json);
            std::cout << R"({"type":"answer","id":)" << decide.id << R"(,"index":)" << choose(decide) << "}" << std::endl;
        }
        if (type == "quit") break;
    }
}
