/* tiny-c: values a tile by what it gives, and bids as little as it can. Written from spec/PROTOCOL.md alone.
 *
 * Two halves: a JSON reader of a page, and the bot. The reader trusts the referee to send valid JSON. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a small JSON reader -------------------------------------------------------------------------------------
 *
 * A document is its text and a flat list of tokens. An object holds key, value, key, value ...; an array its
 * items. `end` is the token after everything inside, so that a whole value is skipped in one step. */

typedef struct {
    char kind; /* '{' '[' '"' or 0 for a number, true, false, null */
    const char *start;
    size_t length;
    int end;
} Token;

typedef struct {
    char *text;
    size_t room;
    Token *tokens;
    int count, capacity;
} Document;

enum { NONE = -1 };

static int new_token(Document *doc, char kind, const char *start)
{
    if (doc->count == doc->capacity) {
        doc->capacity = doc->capacity ? 2 * doc->capacity : 1024;
        doc->tokens = realloc(doc->tokens, (size_t)doc->capacity * sizeof(Token));
        if (!doc->tokens) exit(1);
    }
    doc->tokens[doc->count] = (Token){kind, start, 0, 0};
    return doc->count++;
}

static const char *parse_string(Document *doc, const char *at)
{
    int token = new_token(doc, '"', ++at);
    const char *start = at;
    while (*at && *at != '"') at += *at == '\\' && at[1] ? 2 : 1;
    doc->tokens[token].length = (size_t)(at - start);
    doc->tokens[token].end = doc->count;
    return *at ? at + 1 : at;
}

static const char *parse_plain(Document *doc, const char *at)
{
    int token = new_token(doc, 0, at);
    size_t length = strcspn(at, ",]} \t\r\n");
    doc->tokens[token].length = length;
    doc->tokens[token].end = doc->count;
    return at + length;
}

static const char *parse_value(Document *doc, const char *at)
{
    at += strspn(at, " \t\r\n,:");
    if (*at == '"') return parse_string(doc, at);
    if (*at != '{' && *at != '[') return parse_plain(doc, at);
    int token = new_token(doc, *at, at);
    char close = *at == '{' ? '}' : ']';
    at++;
    while (at += strspn(at, " \t\r\n,:"), *at && *at != close) at = parse_value(doc, at);
    doc->tokens[token].end = doc->count;
    return *at ? at + 1 : at;
}

static void parse(Document *doc)
{
    doc->count = 0;
    parse_value(doc, doc->text);
}

static int is(const Document *doc, int token, const char *word)
{
    if (token == NONE) return 0;
    const Token *found = &doc->tokens[token];
    return found->kind == '"' && found->length == strlen(word) && !memcmp(found->start, word, found->length);
}

static int same(const Document *doc, int token, const Document *other, int second)
{
    if (token == NONE || second == NONE) return 0;
    const Token *a = &doc->tokens[token], *b = &other->tokens[second];
    return a->length == b->length && !memcmp(a->start, b->start, a->length);
}

/* The value under a key; NONE if it is not there. */
static int get(const Document *doc, int object, const char *key)
{
    if (object == NONE || doc->tokens[object].kind != '{') return NONE;
    for (int at = object + 1; at < doc->tokens[object].end; at = doc->tokens[at + 1].end)
        if (is(doc, at, key)) return at + 1;
    return NONE;
}

/* The same for a key that is a string in another document. */
static int get_same(const Document *doc, int object, const Document *other, int key)
{
    if (object == NONE) return NONE;
    for (int at = object + 1; at < doc->tokens[object].end; at = doc->tokens[at + 1].end)
        if (same(doc, at, other, key)) return at + 1;
    return NONE;
}

/* The items of an array, one after the other: for (i = first(...); i != NONE; i = next(...)). */
static int first(const Document *doc, int array)
{
    return array != NONE && doc->tokens[array].end > array + 1 ? array + 1 : NONE;
}

static int next(const Document *doc, int array, int item)
{
    int following = doc->tokens[item].end;
    return following < doc->tokens[array].end ? following : NONE;
}

static int item(const Document *doc, int array, int index)
{
    int at = first(doc, array);
    while (at != NONE && index-- > 0) at = next(doc, array, at);
    return at;
}

static double number(const Document *doc, int token)
{
    return token == NONE ? 0 : strtod(doc->tokens[token].start, NULL);
}

static double field(const Document *doc, int object, const char *key)
{
    return number(doc, get(doc, object, key));
}

/* ---- the bot --------------------------------------------------------------------------------------------------- */

#define GOODS 6
static const char *NAMES[GOODS] = {"wood", "stone", "food", "coin", "pop", "lux"};
static const double INCOME[GOODS] = {0.3, 0.3, 0.5, 0.4, 2.0, 0.2}; /* each round that is left */
static const double ONCE[GOODS] = {0.5, 0.5, 0.5, 0.5, 2.5, 0.5};
static const double COST[GOODS] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
#define STORED 3 /* wood, stone, food */
#define POINT 1.5
#define COIN 0.5
#define USELESS -100.0

static Document game, question; /* the newgame message, and the decide message */
static int state, me;           /* in `question` */

static double weighed(const Document *doc, int goods, const double *weights)
{
    double total = 0;
    for (int i = 0; i < GOODS; i++) total += weights[i] * field(doc, goods, NAMES[i]);
    return total;
}

static int has(const Document *doc, int array, const char *word)
{
    for (int i = first(doc, array); i != NONE; i = next(doc, array, i))
        if (is(doc, i, word)) return 1;
    return 0;
}

/* A tile on display, by its id. */
static int shown_tile(int id)
{
    int tiles = get(&question, 0, "tiles");
    for (int i = first(&question, tiles); i != NONE; i = next(&question, tiles, i))
        if (same(&question, get(&question, i, "id"), &question, id)) return i;
    return NONE;
}

/* The income of my last land, in the catalogue; NONE if I have no land. */
static int last_income(void)
{
    int lands = get(&question, me, "lands"), last = NONE;
    for (int i = first(&question, lands); i != NONE; i = next(&question, lands, i)) last = i;
    int tiles = get(&game, get(&game, 0, "catalogue"), "tiles");
    return get(&game, get_same(&game, tiles, &question, last), "income");
}

/* R4b: the lands must share wood, stone or food. */
static int placeable(int tile)
{
    if (first(&question, get(&question, me, "lands")) == NONE) return 1;
    if (has(&question, get(&question, me, "abilities"), "free_placement")) return 1;
    int before = last_income(), income = get(&question, tile, "income");
    for (int i = 0; i < STORED; i++)
        if (field(&game, before, NAMES[i]) > 0 && field(&question, income, NAMES[i]) > 0) return 1;
    return 0;
}

/* R4a: a building is paid, or marked with a coin. */
static int payable(int tile, double coins)
{
    int cost = get(&question, tile, "cost"), enough = 1;
    for (int i = 0; i < GOODS; i++) enough &= field(&question, me, NAMES[i]) >= field(&question, cost, NAMES[i]);
    return enough || coins >= 1;
}

/* What a tile is worth with this number of coins left after the bid. */
static double value(int id, double coins)
{
    int tile = shown_tile(id);
    if (tile == NONE) return 0;
    int land = is(&question, get(&question, tile, "kind"), "land");
    if (land ? !placeable(tile) : !payable(tile, coins)) return USELESS;
    double left = field(&question, state, "rounds") - field(&question, state, "round") + 1;
    double income = weighed(&question, get(&question, tile, "income"), INCOME);
    return POINT * field(&question, tile, "points") + weighed(&question, get(&question, tile, "once"), ONCE)
           + left * (income + INCOME[0] * field(&question, tile, "any"))
           - weighed(&question, get(&question, tile, "cost"), COST);
}

/* How much I like a move; those I do not know are all alike. */
static double liking(int move)
{
    int type = get(&question, move, "type"), tile = get(&question, move, "tile");
    double coins = field(&question, me, "coin"), bid = field(&question, move, "coins");
    if (is(&question, type, "bid")) return value(tile, coins - bid) - COIN * bid;
    if (is(&question, type, "take_aid")) return value(tile, coins) - 3;
    if (is(&question, type, "pass")) return 3 * COIN;
    if (is(&question, type, "move_bid")) return value(tile, coins);
    if (is(&question, type, "withdraw")) return 4 * COIN;
    if (is(&question, type, "feed")) return field(&question, move, "inhabitants");
    if (is(&question, type, "hire")) return field(&question, move, "mercenaries");
    if (is(&question, type, "pay") || is(&question, type, "keep")) return 1;
    if (is(&question, type, "complete") || is(&question, type, "buy_sea")) return 1;
    if (is(&question, type, "skip") || is(&question, type, "refuse")) return 0.5;
    return 0;
}

static int choose(void)
{
    state = get(&question, 0, "state");
    me = item(&question, get(&question, state, "seats"), (int)field(&question, state, "you"));
    int legal = get(&question, 0, "legal"), best = 0, index = 0;
    double most = 2 * USELESS;
    for (int i = first(&question, legal); i != NONE; i = next(&question, legal, i), index++) {
        double liked = liking(i);
        if (liked > most) most = liked, best = index;
    }
    return best;
}

static void exchange(Document *one, Document *other)
{
    Document kept = *one;
    *one = *other;
    *other = kept;
}

int main(void)
{
    while (getline(&question.text, &question.room, stdin) > 0) {
        parse(&question);
        int type = get(&question, 0, "type");
        if (is(&question, type, "hello")) {
            puts("{\"type\":\"hello\",\"name\":\"tiny-c\",\"version\":\"1\",\"wants\":\"state\"}");
        } else if (is(&question, type, "newgame")) {
            exchange(&game, &question);
            puts("{\"type\":\"ready\"}");
        } else if (is(&question, type, "decide")) {
            printf("{\"type\":\"answer\",\"id\":%d,\"index\":%d}\n", (int)field(&question, 0, "id"), choose());
        } else if (is(&question, type, "quit")) {
            break;
        }
        fflush(stdout);
    }
    return 0;
}
