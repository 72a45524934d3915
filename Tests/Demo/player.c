#include "player.h"

#include <stdlib.h>
#include <string.h>

const char *const player_kind_names[PLAYER_KINDS] = {"casual player", "regular player", "paying player", "big spender"};

/* What sets kinds of players apart; chances are in thousandths. */
static const struct behaviour {
    int share;            /* of all players */
    int first_return;     /* comes back on day 1 */
    int keeps_coming;     /* of that chance, each day after */
    int sessions;         /* on a day, at most */
    int impressions;      /* in a session, at most */
    int buys;             /* in a session */
    int64_t prices[4];    /* in millionths of a dollar */
} behaviours[PLAYER_KINDS] = {
    [CASUAL] = {550, 350, 780, 2, 3, 2, {990000, 990000, 1990000, 990000}},
    [REGULAR] = {300, 650, 930, 3, 4, 15, {990000, 1990000, 4990000, 990000}},
    [PAYER] = {120, 750, 960, 3, 2, 130, {1990000, 4990000, 9990000, 4990000}},
    [WHALE] = {30, 900, 985, 5, 1, 420, {9990000, 19990000, 49990000, 99990000}},
};

/* What a dollar costs, in thousandths, and who pays so. */
static const struct {
    const char *currency;
    int share;
    int64_t per_dollar;
} currencies[] = {{"USD", 600, 1000}, {"EUR", 250, 920}, {"JPY", 150, 149000}};

/* SplitMix64, by Sebastiano Vigna: the next of a sequence that every machine draws alike. */
static uint64_t draw(uint64_t *state) {
    uint64_t number = *state += UINT64_C(0x9E3779B97F4A7C15);
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

static int draw_below(uint64_t *state, int end) { return (int)(draw(state) % (uint64_t)end); }

static bool happens(uint64_t *state, int thousandths) { return draw_below(state, 1000) < thousandths; }

/* ------------------------------------------------------------------------------------------------------------ lives */

typedef struct drawing {
    lives lives;
    size_t capacity;
    bool has_failed;
} drawing;

static action *add(drawing *drawing, uint32_t player, int64_t time, action_kind kind) {
    static action nowhere;
    if (drawing->lives.count == drawing->capacity) {
        size_t capacity = drawing->capacity ? drawing->capacity * 2 : 4096;
        action *grown = realloc(drawing->lives.actions, capacity * sizeof *grown);
        if (!grown) drawing->has_failed = true;
        if (!grown) return &nowhere;
        drawing->lives.actions = grown;
        drawing->capacity = capacity;
    }
    action *added = &drawing->lives.actions[drawing->lives.count];
    *added = (action){.time = time, .player = player, .order = (uint32_t)drawing->lives.count, .kind = kind};
    drawing->lives.count++;
    return added;
}

typedef struct player {
    uint32_t number;
    player_kind kind;
    size_t currency;
    bool has_tutorial, has_level_10;
    int sessions;
} player;

static int64_t draw_session(drawing *drawing, uint64_t *state, player *player, int64_t time, bool is_first) {
    const struct behaviour *behaviour = &behaviours[player->kind];
    action *opened = add(drawing, player->number, time, is_first ? LAUNCH : SESSION);
    opened->is_lost = happens(state, 50);
    player->sessions++;
    time += 30 + draw_below(state, 120);
    if (!player->has_tutorial && happens(state, 650)) {
        player->has_tutorial = true;
        add(drawing, player->number, time, TUTORIAL);
        time += 60 + draw_below(state, 300);
    }
    if (player->has_tutorial && !player->has_level_10 && player->sessions > 2 && happens(state, 300)) {
        player->has_level_10 = true;
        add(drawing, player->number, time, LEVEL_10);
        time += 20 + draw_below(state, 60);
    }
    for (int left = draw_below(state, behaviour->impressions + 1); left > 0; left--) {
        action *seen = add(drawing, player->number, time, AD);
        seen->currency = "USD";
        seen->millionths = 1500 + draw_below(state, 18000);
        time += 20 + draw_below(state, 200);
    }
    if (happens(state, behaviour->buys)) {
        action *bought = add(drawing, player->number, time, PURCHASE);
        bought->currency = currencies[player->currency].currency;
        /* Whole yen, cents of the others. */
        int64_t unit = player->currency == 2 ? 1000000 : 10000;
        int64_t price = behaviour->prices[draw_below(state, 4)] * currencies[player->currency].per_dollar / 1000;
        bought->millionths = price / unit * unit;
        bought->repeats = happens(state, 200) ? 1 + (uint32_t)draw_below(state, 2) : 0;
        time += 10;
    }
    return time;
}

static player draw_player(uint64_t *state, uint32_t number) {
    player player = {.number = number, .kind = CASUAL};
    int left = draw_below(state, 1000);
    while (player.kind + 1 < PLAYER_KINDS && left >= behaviours[player.kind].share)
        left -= behaviours[player.kind++].share;
    left = draw_below(state, 1000);
    while (player.currency + 1 < sizeof currencies / sizeof currencies[0] && left >= currencies[player.currency].share)
        left -= currencies[player.currency++].share;
    return player;
}

/* Installed on the first day; back on some of the others. */
static void draw_life(drawing *drawing, uint64_t *state, uint32_t number, int days) {
    player player = draw_player(state, number);
    const struct behaviour *behaviour = &behaviours[player.kind];
    drawing->lives.kinds[number] = player.kind;
    int64_t start = draw_below(state, 86400);
    int64_t free_at = draw_session(drawing, state, &player, start, true);
    int chance = behaviour->first_return;
    for (int day = 0; day < days; day++) {
        if (day > 0) {
            if (!happens(state, chance)) continue;
            if (day > 1) chance = chance * behaviour->keeps_coming / 1000;
        }
        for (int left = draw_below(state, behaviour->sessions) + (day > 0); left > 0; left--) {
            int64_t time = start + (int64_t)day * 86400 + draw_below(state, 86400);
            if (time > free_at) free_at = draw_session(drawing, state, &player, time, false);
        }
    }
}

static int compare(const void *left, const void *right) {
    const action *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

lives lives_draw(uint64_t seed, uint32_t players, int days) {
    drawing drawing = {.lives.kinds = calloc(players, sizeof *drawing.lives.kinds)};
    drawing.has_failed = !drawing.lives.kinds;
    for (uint32_t number = 0; number < players && !drawing.has_failed; number++) {
        uint64_t state = seed + number * UINT64_C(0xD1342543DE82EF95);
        draw_life(&drawing, &state, number, days);
    }
    if (drawing.has_failed)
        lives_free(&drawing.lives);
    else
        qsort(drawing.lives.actions, drawing.lives.count, sizeof *drawing.lives.actions, compare);
    return drawing.lives;
}

void lives_free(lives *lives) {
    free(lives->actions);
    free(lives->kinds);
    memset(lives, 0, sizeof *lives);
}
