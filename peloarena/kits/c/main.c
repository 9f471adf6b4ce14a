/* @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
 *
 * Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
 * the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
 * numbers, then the functions, then the idea. */
#include <stdio.h>
#include "reading.h"

/* One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts. */
static const Goods WORTH = {.wood = 3, .stone = 3, .food = 5, .coin = 5, .pop = 20, .lux = 3};
enum { POINT = 10, ANY = 3 }; /* a point of prestige, an income of "any" good */

static NewGame *game;

static int worth(Goods goods)
{
    return WORTH.wood * goods.wood + WORTH.stone * goods.stone + WORTH.food * goods.food + WORTH.coin * goods.coin
           + WORTH.pop * goods.pop + WORTH.lux * goods.lux;
}

/* Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food. */
static int fits(const Tile *tile, const Seat *me)
{
    if (!is(tile->kind, "land") || !me->lands.count || has(me->abilities, "free_placement")) return 1;
    Goods last = tile_of(game, me->lands.items[me->lands.count - 1])->income, income = tile->income;
    return (last.wood > 0 && income.wood > 0) || (last.stone > 0 && income.stone > 0)
           || (last.food > 0 && income.food > 0);
}

/* What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost. */
static int value(const char *id, const State *state)
{
    const Tile *tile = tile_of(game, id);
    if (!fits(tile, &state->seats[state->you])) return 0;
    int rounds = state->rounds - state->round + 1, income = worth(tile->income) + ANY * tile->any;
    return POINT * tile->points + worth(tile->once) + rounds * income - 2 * worth(tile->cost);
}

/* How much I like a move. `about` tells what the question is about: here the coins of a bid that was outbid. */
static int liking(const Move *move, const Decide *decide)
{
    const State *state = decide->state;
    const char *type = move->type;
    if (is(type, "bid")) return value(move->tile, state) - WORTH.coin * move->coins;
    if (is(type, "take_aid") || is(type, "move_bid") || is(type, "buy_sea")) return value(move->tile, state);
    if (is(type, "pass")) return 3 * WORTH.coin; /* passing brings 3 coins */
    if (is(type, "withdraw")) return WORTH.coin * (decide->about.coins + 1); /* the bid comes back, and a coin */
    if (is(type, "feed")) return move->inhabitants;
    if (is(type, "hire")) return move->mercenaries + 1;
    if (is(type, "take_any") || is(type, "extra_income")) /* what I have least of */
        return -good(state->seats[state->you].goods, move->resource);
    if (is(type, "pay") || is(type, "keep") || is(type, "complete")) return 1; /* keep what you have, */
    if (is(type, "skip") || is(type, "refuse")) return 1;                      /* leave what you do not know */
    return is(type, "strengthen") ? 2 : 0;
}

/* The place of the best move in `legal`. */
static int choose(const Decide *decide)
{
    int best = 0;
    for (int i = 1; i < decide->moves; i++)
        if (liking(&decide->legal[i], decide) > liking(&decide->legal[best], decide)) best = i;
    return best;
}

int main(void)
{
    for (Message message; read_message(stdin, &message); fflush(stdout)) {
        if (is(message.type, "hello")) puts("{\"type\":\"hello\",\"name\":\"@NAME@\"}");
        else if (is(message.type, "newgame")) game = keep_newgame(&message), puts("{\"type\":\"ready\"}");
        else if (is(message.type, "decide"))
            printf("{\"type\":\"answer\",\"id\":%d,\"index\":%d}\n", message.decide.id, choose(&message.decide));
        else if (is(message.type, "quit")) break;
        free_message(&message);
    }
    return 0;
}
