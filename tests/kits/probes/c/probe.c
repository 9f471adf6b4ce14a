/* Prints what the kit's types hold of each message; see tests/kits/probing.py. Maps are lists in C: they are sorted here. */
#include "reading.h"

static int first_word;

static void begin(void)
{
    if (!first_word) putchar(' ');
    first_word = 0;
}

static void put(const char *text)
{
    for (; *text; text++) putchar(*text == ' ' ? '_' : *text);
}

static void word(const char *text) { begin(), put(*text ? text : "-"); }
static void number(long long value) { begin(), printf("%lld", value); }

static void texts(Texts list)
{
    begin();
    for (int i = 0; i < list.count; i++) i ? put(",") : (void)0, put(list.items[i]);
    if (!list.count) put("-");
}

static void numbers(Numbers list)
{
    begin();
    for (int i = 0; i < list.count; i++) printf(i ? ",%d" : "%d", list.items[i]);
    if (!list.count) put("-");
}

/* Which of `count` keys comes after `last` and before all others; -1 if none does. */
static int following(const char *const *keys, int count, size_t step, const char *last)
{
    int best = -1;
    for (int i = 0; i < count; i++) {
        const char *key = *(const char *const *)((const char *)keys + (size_t)i * step);
        const char *lead = best < 0 ? NULL : *(const char *const *)((const char *)keys + (size_t)best * step);
        if ((!last || strcmp(key, last) > 0) && (!lead || strcmp(key, lead) < 0)) best = i;
    }
    return best;
}

/* By sorted key: `first` is the first field of the first item, the key. */
#define SORTED(items, count, first, i) \
    for (int i = following(&(items)->first, count, sizeof *(items), NULL); i >= 0; \
         i = following(&(items)->first, count, sizeof *(items), (items)[i].first))

static void counts(Counts map)
{
    begin();
    if (!map.count) put("-");
    const char *last = NULL;
    for (int i; (i = following(map.keys, map.count, sizeof(char *), last)) >= 0; last = map.keys[i])
        last ? put(",") : (void)0, put(map.keys[i]), printf("=%d", map.numbers[i]);
}

static void goods(Goods g)
{
    begin();
    printf("%d/%d/%d/%d/%d/%d", g.wood, g.stone, g.food, g.coin, g.pop, g.lux);
}

static int fields; /* of the move that is being printed */
static void text_field(const char *name, const char *value)
{
    if (*value) fields++ ? put(";") : (void)0, put(name), put("="), put(value);
}
static void int_field(const char *name, int value)
{
    if (value) fields++ ? put(";") : (void)0, put(name), printf("=%d", value);
}

static void move(const Move *m)
{
    begin(), fields = 0;
    text_field("type", m->type), text_field("tile", m->tile), int_field("coins", m->coins);
    text_field("resource", m->resource), int_field("inhabitants", m->inhabitants), text_field("give", m->give);
    int_field("given", m->given), text_field("get", m->get), int_field("got", m->got), int_field("goats", m->goats);
    text_field("chit", m->chit), text_field("kind", m->kind), text_field("way", m->way);
    int_field("mercenaries", m->mercenaries), text_field("deck", m->deck), int_field("seat", m->seat);
}

static void tile(const Tile *t)
{
    word(t->id), word(t->kind), number(t->points), word(t->stack), word(t->name), number(t->min);
    goods(t->cost), goods(t->once), goods(t->income), number(t->any), counts(t->counters), texts(t->protects);
    texts(t->abilities), number(t->supply), word(t->terrain), word(t->set);
}

static void seat(const Seat *s)
{
    word(s->civilization), word(s->mat), goods(s->goods), texts(s->lands), texts(s->buildings), begin();
    for (int i = 0; i < s->mark_count; i++) printf(i ? ",%s:%d" : "%s:%d", s->marks[i].tile, s->marks[i].coins);
    if (!s->mark_count) put("-");
    word(s->bidding), word(s->taken), texts(s->chosen), texts(s->extra_income);
    goods(s->income), number(s->any), texts(s->abilities), texts(s->protects);
}

static void catalogue(const Catalogue *c)
{
    SORTED(c->mats, c->mat_count, id, i) {
        const Mat *m = &c->mats[i];
        word(m->id), goods(m->storage), begin();
        for (int row = 0; row < m->rows; row++) {
            IncomeRow r = m->income[row];
            printf(row ? ",%d:%d:%d" : "%d:%d:%d", r.inhabitants, r.coins, r.luxury);
        }
        number(m->coins_per_point), number(m->points_per_inhabitant), texts(m->abilities), word(m->note), word(m->set);
    }
    SORTED(c->civilizations, c->civilization_count, id, i) {
        const Civilization *one = &c->civilizations[i];
        word(one->id), number(one->order), goods(one->start), goods(one->income), number(one->any);
        texts(one->protects), texts(one->abilities), word(one->set);
    }
    SORTED(c->tiles, c->tile_count, id, i) tile(&c->tiles[i]);
    begin();
    int told = 0;
    SORTED(c->abilities, c->ability_count, name, i)
        told++ ? put(",") : (void)0, put(c->abilities[i].name), put("="), put(c->abilities[i].means);
    if (!told) put("-");
    SORTED(c->chits, c->chit_sets, set, i) word(c->chits[i].set), counts(c->chits[i].chits);
}

static void newgame(const NewGame *g)
{
    word("newgame"), word(g->game), number(g->seat), texts(g->seats), number(g->options.players);
    texts(g->options.modules), number(g->options.level), number(g->options.rounds), number(g->options.tiles_per_round);
    word(g->options.components), number(g->clock.bank_ms), number(g->clock.increment_ms);
    g->clock.has_move_ms ? number(g->clock.move_ms) : word("none");
    number(g->random), catalogue(&g->catalogue);
}

static void state(const State *s, const Decide *d)
{
    number(s->you), number(s->round), number(s->rounds), numbers(s->order);
    for (int i = 0; i < s->seat_count; i++) seat(&s->seats[i]);
    texts(s->open), texts(s->conquest), begin();
    for (int i = 0; i < s->offer_count; i++)
        printf(i ? ",%s:%d:%d" : "%s:%d:%d", s->offers[i].tile, s->offers[i].seat, s->offers[i].coins);
    if (!s->offer_count) put("-");
    texts(s->box);
    SORTED(s->stacks, s->stack_count, letter, i) word(s->stacks[i].letter), texts(s->stacks[i].tiles);
    counts(s->chits), word(s->chit), counts(s->pile), texts(s->pile_bottom);
    for (int i = 0; i < d->tile_count; i++) tile(&d->tiles[i]);
}

static void decide(const Decide *d)
{
    word("decide"), number(d->id), word(d->kind), number(d->bank_ms);
    for (int i = 0; i < d->moves; i++) move(&d->legal[i]);
    number(d->about.coins), word(d->about.tile), word(d->about.kind), number(d->about.hungry), begin();
    for (int i = 0; i < d->about.done_count; i++)
        printf(i ? ",%s:%s" : "%s:%s", d->about.done[i].given, d->about.done[i].got);
    if (!d->about.done_count) put("-");
    word(d->about.resource), number(d->about.most), word(d->about.deck), number(d->about.by), number(size_of(d->events));
    d->state ? state(d->state, d) : word("none");
}

static void gameover(const GameOver *over)
{
    word("gameover"), numbers(over->ranks);
    if (!over->has_result) { word("none"); return; }
    for (int i = 0; i < over->seat_count; i++) {
        const SeatResult *s = &over->seats[i];
        number(s->score), number(s->prestige), number(s->population), number(s->luxury), number(s->rank);
    }
    number(over->level), number(over->target), number(over->passed);
}

/* The kit has no types for what it writes itself: those lines are read by json.h and read_move. */
static void sent(const Json *json, const char *type)
{
    const Json *index = json_get(json, "index"), *chosen = json_get(json, "move");
    word(type);
    if (is(type, "hello"))
        word(json_text(json_get(json, "name"))), word(json_text(json_get(json, "version"))),
            word(json_text(json_get(json, "wants")));
    if (!is(type, "answer")) return;
    Move made = read_move(chosen);
    number(json_int(json_get(json, "id"))), index ? number(json_int(index)) : word("none");
    chosen ? move(&made) : word("none"), word(json_text(json_get(json, "note")));
}

int main(void)
{
    char kind[8];
    for (Message m; scanf("%7[a-z]%*c", kind) == 1; free_message(&m), putchar('\n')) {
        first_word = 1;
        if (!read_message(stdin, &m)) return 1;
        if (is(kind, "seat")) { Seat one = read_seat(m.json, &m.memory); seat(&one); }
        else if (is(kind, "from")) sent(m.json, m.type);
        else if (is(m.type, "newgame")) newgame(&m.newgame);
        else if (is(m.type, "decide")) decide(&m.decide);
        else if (is(m.type, "gameover")) gameover(&m.gameover);
        else if (is(m.type, "hello")) word("hello"), number(m.hello.protocol), word(m.hello.referee);
        else word(m.type);
    }
    return 0;
}
