/* How the players of the demo behave: drawn from a seed, so that every run lives the same lives. */
#ifndef PLAYER_H
#define PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum player_kind { CASUAL, REGULAR, PAYER, WHALE, PLAYER_KINDS } player_kind;

extern const char *const player_kind_names[PLAYER_KINDS];

typedef enum action_kind {
    LAUNCH,   /* the first one */
    SESSION,  /* the app is opened: it takes the update that waits */
    TUTORIAL, /* completed */
    LEVEL_10, /* reached */
    AD,       /* an impression */
    PURCHASE
} action_kind;

/* What a player does at one moment. */
typedef struct action {
    int64_t time; /* seconds since the demo's first day began */
    uint32_t player;
    uint32_t order; /* of the player's actions */
    action_kind kind;
    const char *currency; /* of a purchase or an impression */
    int64_t millionths;   /* of that currency */
    uint32_t repeats;     /* the purchase is posted again so many times */
    bool is_lost;         /* the update that this session hands to the app does not arrive */
} action;

typedef struct lives {
    action *actions; /* of all players, in order of time */
    size_t count;
    player_kind *kinds; /* by player */
} lives;

/* NULL actions where memory fails. */
lives lives_draw(uint64_t seed, uint32_t players, int days);
void lives_free(lives *lives);

#endif
