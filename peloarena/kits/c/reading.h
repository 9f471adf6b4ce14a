/* Lines from the referee become messages: json.h makes a tree of a line, and here it is copied into messages.h's types. */
#ifndef READING_H
#define READING_H

#include "messages.h"

/* Room for `count` things that is freed with the message. A bot without memory cannot play on. */
static inline void *room(Memory **memory, size_t count, size_t size)
{
    Memory *made = calloc(1, sizeof(Memory) + 16 + count * size);
    if (!made) exit(1);
    made->before = *memory;
    *memory = made;
    return (char *)made + 16;
}

static inline int size_of(const Json *json)
{
    int count = 0;
    for (const Json *at = json && strchr("{[", json->kind) ? json->first : NULL; at; at = at->next) count++;
    return count;
}

#define TEXT(field) field = json_text(json_get(json, #field))
#define INT(field) field = (int)json_int(json_get(json, #field))
#define EACH(list, at, i) \
    int i = 0; \
    for (const Json *at = size_of(list) ? (list)->first : NULL; at; at = at->next, i++)

static inline Texts read_texts(const Json *json, Memory **memory)
{
    Texts texts = {size_of(json), NULL};
    texts.items = room(memory, (size_t)texts.count, sizeof(char *));
    EACH(json, at, i) texts.items[i] = json_text(at);
    return texts;
}

static inline Numbers read_numbers(const Json *json, Memory **memory)
{
    Numbers numbers = {size_of(json), NULL};
    numbers.items = room(memory, (size_t)numbers.count, sizeof(int));
    EACH(json, at, i) numbers.items[i] = (int)json_int(at);
    return numbers;
}

static inline Counts read_counts(const Json *json, Memory **memory)
{
    Counts counts = {size_of(json), NULL, NULL};
    counts.keys = room(memory, (size_t)counts.count, sizeof(char *));
    counts.numbers = room(memory, (size_t)counts.count, sizeof(int));
    EACH(json, at, i) counts.keys[i] = at->key, counts.numbers[i] = (int)json_int(at);
    return counts;
}

static inline Goods read_goods(const Json *json)
{
    Goods goods;
    goods.INT(wood), goods.INT(stone), goods.INT(food), goods.INT(coin), goods.INT(pop), goods.INT(lux);
    return goods;
}

static inline Tile read_tile(const Json *json, Memory **memory)
{
    Tile tile;
    tile.TEXT(id), tile.TEXT(kind), tile.TEXT(stack), tile.TEXT(name), tile.TEXT(terrain), tile.TEXT(set);
    tile.INT(points), tile.INT(min), tile.INT(any);
    const Json *supply = json_get(json, "supply");
    tile.supply = supply && supply->kind == 't';
    tile.cost = read_goods(json_get(json, "cost"));
    tile.once = read_goods(json_get(json, "once"));
    tile.income = read_goods(json_get(json, "income"));
    tile.counters = read_counts(json_get(json, "counters"), memory);
    tile.protects = read_texts(json_get(json, "protects"), memory);
    tile.abilities = read_texts(json_get(json, "abilities"), memory);
    return tile;
}

static inline Tile *read_tiles(const Json *json, int *count, Memory **memory)
{
    Tile *tiles = room(memory, (size_t)(*count = size_of(json)), sizeof(Tile));
    EACH(json, at, i) tiles[i] = read_tile(at, memory);
    return tiles;
}

static inline Move read_move(const Json *json)
{
    Move move;
    move.TEXT(type), move.TEXT(tile), move.TEXT(resource), move.TEXT(give), move.TEXT(get), move.TEXT(chit);
    move.TEXT(kind), move.TEXT(way), move.TEXT(deck);
    move.INT(coins), move.INT(inhabitants), move.INT(given), move.INT(got), move.INT(goats), move.INT(mercenaries);
    move.INT(seat);
    return move;
}

static inline Mat read_mat(const Json *json, Memory **memory)
{
    Mat mat;
    const Json *income = json_get(json, "income");
    mat.TEXT(id), mat.TEXT(note), mat.TEXT(set), mat.INT(coins_per_point), mat.INT(points_per_inhabitant);
    mat.storage = read_goods(json_get(json, "storage"));
    mat.income = room(memory, (size_t)(mat.rows = size_of(income)), sizeof(IncomeRow));
    EACH(income, row, i) {
        mat.income[i].inhabitants = (int)json_int(json_item(row, 0));
        mat.income[i].coins = (int)json_int(json_item(row, 1));
        mat.income[i].luxury = (int)json_int(json_item(row, 2));
    }
    mat.abilities = read_texts(json_get(json, "abilities"), memory);
    return mat;
}

static inline Civilization read_civilization(const Json *json, Memory **memory)
{
    Civilization found;
    found.TEXT(id), found.TEXT(set), found.INT(order), found.INT(any);
    found.start = read_goods(json_get(json, "start"));
    found.income = read_goods(json_get(json, "income"));
    found.protects = read_texts(json_get(json, "protects"), memory);
    found.abilities = read_texts(json_get(json, "abilities"), memory);
    return found;
}

static inline Catalogue read_catalogue(const Json *json, Memory **memory)
{
    Catalogue found = {.cards = json_get(json, "cards")};
    const Json *mats = json_get(json, "mats"), *civilizations = json_get(json, "civilizations");
    const Json *abilities = json_get(json, "abilities"), *chits = json_get(json, "chits");
    found.tiles = read_tiles(json_get(json, "tiles"), &found.tile_count, memory);
    found.mats = room(memory, (size_t)(found.mat_count = size_of(mats)), sizeof(Mat));
    EACH(mats, mat, i) found.mats[i] = read_mat(mat, memory);
    found.civilization_count = size_of(civilizations);
    found.civilizations = room(memory, (size_t)found.civilization_count, sizeof(Civilization));
    EACH(civilizations, one, j) found.civilizations[j] = read_civilization(one, memory);
    found.abilities = room(memory, (size_t)(found.ability_count = size_of(abilities)), sizeof(Ability));
    EACH(abilities, ability, k) found.abilities[k] = (Ability){ability->key, json_text(ability)};
    found.chits = room(memory, (size_t)(found.chit_sets = size_of(chits)), sizeof(ChitSet));
    EACH(chits, set, n) found.chits[n] = (ChitSet){set->key, read_counts(set, memory)};
    return found;
}

static inline NewGame read_newgame(const Json *json, Memory **memory)
{
    NewGame found;
    found.TEXT(game), found.INT(seat);
    found.random = json_int(json_get(json, "random"));
    found.seats = read_texts(json_get(json, "seats"), memory);
    found.catalogue = read_catalogue(json_get(json, "catalogue"), memory);
    const Json *clock = json_get(json, "clock"), *limit = json_get(clock, "move_ms");
    json = json_get(json, "options");
    found.options.TEXT(components), found.options.INT(players), found.options.INT(level), found.options.INT(rounds);
    found.options.INT(tiles_per_round), found.options.modules = read_texts(json_get(json, "modules"), memory);
    json = clock;
    found.clock.INT(bank_ms), found.clock.INT(increment_ms), found.clock.INT(move_ms);
    found.clock.has_move_ms = limit && limit->kind == '0';
    return found;
}

static inline About read_about(const Json *json, Memory **memory)
{
    About about;
    const Json *done = json_get(json, "done");
    about.TEXT(tile), about.TEXT(kind), about.TEXT(resource), about.TEXT(deck);
    about.INT(coins), about.INT(hungry), about.INT(most), about.INT(by);
    about.done = room(memory, (size_t)(about.done_count = size_of(done)), sizeof(Traded));
    EACH(done, pair, i) about.done[i] = (Traded){json_text(json_item(pair, 0)), json_text(json_item(pair, 1))};
    return about;
}

static inline Seat read_seat(const Json *json, Memory **memory)
{
    Seat seat;
    const Json *marks = json_get(json, "marks");
    seat.TEXT(civilization), seat.TEXT(mat), seat.TEXT(bidding), seat.TEXT(taken), seat.INT(any);
    seat.goods = read_goods(json);
    seat.income = read_goods(json_get(json, "income"));
    seat.lands = read_texts(json_get(json, "lands"), memory);
    seat.buildings = read_texts(json_get(json, "buildings"), memory);
    seat.chosen = read_texts(json_get(json, "chosen"), memory);
    seat.extra_income = read_texts(json_get(json, "extra_income"), memory);
    seat.abilities = read_texts(json_get(json, "abilities"), memory);
    seat.protects = read_texts(json_get(json, "protects"), memory);
    seat.parts = json_get(json, "parts");
    seat.marks = room(memory, (size_t)(seat.mark_count = size_of(marks)), sizeof(Mark));
    EACH(marks, mark, i) seat.marks[i] = (Mark){json_text(json_get(mark, "tile")), (int)json_int(json_get(mark, "coins"))};
    return seat;
}

static inline State *read_state(const Json *json, Memory **memory)
{
    if (!json) return NULL;
    State *state = room(memory, 1, sizeof(State));
    const Json *seats = json_get(json, "seats"), *offers = json_get(json, "offers"), *stacks = json_get(json, "stacks");
    state->INT(you), state->INT(round), state->INT(rounds), state->TEXT(chit);
    state->order = read_numbers(json_get(json, "order"), memory);
    state->open = read_texts(json_get(json, "open"), memory);
    state->conquest = read_texts(json_get(json, "conquest"), memory);
    state->box = read_texts(json_get(json, "box"), memory);
    state->pile_bottom = read_texts(json_get(json, "pile_bottom"), memory);
    state->chits = read_counts(json_get(json, "chits"), memory);
    state->pile = read_counts(json_get(json, "pile"), memory);
    state->parts = json_get(json, "parts");
    state->seats = room(memory, (size_t)(state->seat_count = size_of(seats)), sizeof(Seat));
    EACH(seats, seat, i) state->seats[i] = read_seat(seat, memory);
    state->offers = room(memory, (size_t)(state->offer_count = size_of(offers)), sizeof(Offer));
    EACH(offers, offer, j) {
        json = offer;
        state->offers[j].TEXT(tile), state->offers[j].INT(seat), state->offers[j].INT(coins);
    }
    state->stacks = room(memory, (size_t)(state->stack_count = size_of(stacks)), sizeof(Stack));
    EACH(stacks, stack, k) state->stacks[k] = (Stack){stack->key, read_texts(stack, memory)};
    return state;
}

static inline Decide read_decide(const Json *json, Memory **memory)
{
    Decide decide;
    const Json *legal = json_get(json, "legal");
    decide.TEXT(kind), decide.INT(id), decide.INT(bank_ms), decide.events = json_get(json, "events");
    decide.legal = room(memory, (size_t)(decide.moves = size_of(legal)), sizeof(Move));
    EACH(legal, move, i) decide.legal[i] = read_move(move);
    decide.about = read_about(json_get(json, "about"), memory);
    decide.state = read_state(json_get(json, "state"), memory);
    decide.tiles = read_tiles(json_get(json, "tiles"), &decide.tile_count, memory);
    return decide;
}

static inline GameOver read_gameover(const Json *json, Memory **memory)
{
    GameOver over = {.ranks = read_numbers(json_get(json, "ranks"), memory), .events = json_get(json, "events")};
    json = json_get(json, "result");
    const Json *seats = json_get(json, "seats"), *passed = json_get(json, "passed");
    over.has_result = json && json->kind == '{';
    over.INT(level), over.INT(target), over.passed = passed && passed->kind == 't';
    over.seats = room(memory, (size_t)(over.seat_count = size_of(seats)), sizeof(SeatResult));
    EACH(seats, seat, i) {
        json = seat;
        over.seats[i].INT(score), over.seats[i].INT(prestige), over.seats[i].INT(population);
        over.seats[i].INT(luxury), over.seats[i].INT(rank);
    }
    return over;
}

/* A message from a line that was allocated, which the message then owns. 0 if it is no JSON. */
static inline int make_message(char *line, Message *message)
{
    *message = (Message){.line = line, .json = json_read(line)};
    const Json *json = message->json;
    message->TEXT(type);
    if (is(message->type, "hello")) message->hello.INT(protocol), message->hello.TEXT(referee);
    if (is(message->type, "newgame")) message->newgame = read_newgame(json, &message->memory);
    if (is(message->type, "decide")) message->decide = read_decide(json, &message->memory);
    if (is(message->type, "gameover")) message->gameover = read_gameover(json, &message->memory);
    return json != NULL;
}

static inline void free_message(Message *message)
{
    for (Memory *at = message->memory, *before; at; at = before) before = at->before, free(at);
    free(message->json), free(message->line);
    *message = (Message){0};
}

/* The next line, however long it is. 0 at the end of the input. */
static inline int read_message(FILE *input, Message *message)
{
    size_t length = 0, size = 1 << 16;
    char *line = malloc(size);
    while (line && fgets(line + length, (int)(size - length), input)) {
        length += strlen(line + length);
        if (length && line[length - 1] == '\n') return make_message(line, message);
        if (length + 1 == size) line = realloc(line, size *= 2);
    }
    if (line && length) return make_message(line, message);
    free(line);
    return 0;
}

/* The game that begins, kept until the next; it takes everything from its message. */
static inline NewGame *keep_newgame(Message *message)
{
    static Message kept;
    free_message(&kept);
    kept = *message;
    *message = (Message){0};
    return &kept.newgame;
}

#endif
