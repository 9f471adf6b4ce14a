/* The messages between referee and bot (spec/PROTOCOL.md) as types. What is left out of a message is 0, "" or empty here;
 * what is not known is ignored. Everything in a message lives until free_message (reading.h). */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdio.h>
#include "json.h"

typedef struct { int count; const char **items; } Texts;
typedef struct { int count, *items; } Numbers;
typedef struct { int count; const char **keys; int *numbers; } Counts;
typedef struct { int wood, stone, food, coin, pop, lux; } Goods;

typedef struct {
    const char *id, *kind, *stack, *name, *terrain, *set; /* kind: "land", "building" or "sea" */
    int points, min, any, supply;
    Goods cost, once, income;
    Counts counters;
    Texts protects, abilities;
} Tile;

typedef struct { const char *id, *set; int order, any; Goods start, income; Texts protects, abilities; } Civilization;
typedef struct { int inhabitants, coins, luxury; } IncomeRow;

typedef struct {
    const char *id, *note, *set;
    Goods storage;
    int rows, coins_per_point, points_per_inhabitant;
    IncomeRow *income;
    Texts abilities;
} Mat;

typedef struct { const char *name, *means; } Ability;
typedef struct { const char *set; Counts chits; } ChitSet;

typedef struct {
    int mat_count, civilization_count, tile_count, ability_count, chit_sets;
    Mat *mats;
    Civilization *civilizations;
    Tile *tiles;
    Ability *abilities;
    ChitSet *chits;
    const Json *cards;
} Catalogue;

typedef struct { const char *components; int players, level, rounds, tiles_per_round; Texts modules; } Options;
typedef struct { int bank_ms, increment_ms, has_move_ms, move_ms; } Clock;

typedef struct {
    const char *game;
    int seat;
    Texts seats;
    Options options;
    Clock clock;
    long long random;
    Catalogue catalogue;
} NewGame;

/* One type for all moves; each uses some of the fields. */
typedef struct {
    const char *type, *tile, *resource, *give, *get, *chit, *kind, *way, *deck;
    int coins, inhabitants, given, got, goats, mercenaries, seat;
} Move;

typedef struct { const char *given, *got; } Traded;
typedef struct {
    const char *tile, *kind, *resource, *deck;
    int coins, hungry, most, by, done_count;
    Traded *done;
} About;

typedef struct { const char *tile; int seat, coins; } Offer;
typedef struct { const char *tile; int coins; } Mark;
typedef struct { const char *letter; Texts tiles; } Stack;

typedef struct {
    const char *civilization, *mat, *bidding, *taken;
    Goods goods, income;
    int any, mark_count;
    Mark *marks;
    Texts lands, buildings, chosen, extra_income, abilities, protects;
    const Json *parts;
} Seat;

typedef struct {
    int you, round, rounds, seat_count, offer_count, stack_count;
    Seat *seats;
    Offer *offers;
    Stack *stacks;
    Numbers order;
    Texts open, conquest, box, pile_bottom;
    Counts chits, pile;
    const char *chit;
    const Json *parts;
} State;

typedef struct {
    const char *kind;
    int id, moves, bank_ms, tile_count;
    Move *legal;
    About about;
    State *state; /* NULL if `hello` wanted only events */
    Tile *tiles;  /* those on display */
    const Json *events;
} Decide;

typedef struct { int score, prestige, population, luxury, rank; } SeatResult;
typedef struct {
    Numbers ranks;
    int has_result, seat_count, level, target, passed; /* no result: the game was not played to its end */
    SeatResult *seats;
    const Json *events;
} GameOver;

typedef struct { int protocol; const char *referee; } Hello;
typedef struct Memory { struct Memory *before; } Memory;

/* Only what belongs to its type is filled in. */
typedef struct {
    const char *type;
    Hello hello;
    NewGame newgame;
    Decide decide;
    GameOver gameover;
    char *line;
    Json *json;
    Memory *memory;
} Message;

/* -- asking ------------------------------------------------------------------------------------------------------- */

static inline int is(const char *text, const char *word) { return text && !strcmp(text, word); }

static inline int has(Texts texts, const char *word)
{
    for (int i = 0; i < texts.count; i++)
        if (is(texts.items[i], word)) return 1;
    return 0;
}

static inline int good(Goods goods, const char *name)
{
    return is(name, "wood") ? goods.wood : is(name, "stone") ? goods.stone : is(name, "food") ? goods.food
         : is(name, "coin") ? goods.coin : is(name, "pop") ? goods.pop : is(name, "lux") ? goods.lux : 0;
}

/* What is printed on a tile; an empty one if there is none of this name. */
static inline const Tile *tile_of(const NewGame *game, const char *id)
{
    static const Tile NONE;
    for (int i = 0; i < game->catalogue.tile_count; i++)
        if (is(game->catalogue.tiles[i].id, id)) return &game->catalogue.tiles[i];
    return &NONE;
}

#endif
