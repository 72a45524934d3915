/* What the demo counts by itself, beside libskan, and the table at its end. */
#ifndef TALLY_H
#define TALLY_H

#include "player.h"

#include <skan/skan.h>

enum { CALLS_REGISTER, CALLS_REVENUE, CALLS_VALUES, CALLS_PENDING, CALLS, OUTCOMES = 16 };

/* How often each kind of call ended how. */
typedef struct tally {
    uint64_t outcomes[CALLS][OUTCOMES];
    uint64_t errors;
    uint64_t requests;
    /* What each player paid, by currency and apart from impressions, in millionths: the sums libskan must have. */
    struct paid {
        int64_t purchases[3];
        int64_t impressions;
    } *paid;
} tally;

bool tally_begin(tally *tally, uint32_t players);
void tally_end(tally *tally);
void tally_outcome(tally *tally, int call, skan_status status);
void tally_pay(tally *tally, const action *action);

/* Prints the table of all installs; answers how many of them differ from what they paid. */
uint32_t tally_print(const tally *tally, skan *engine, const skan_model *model, uint32_t players);

/* The name of a player's install. */
const char *install_of(uint32_t player, char *text, size_t size);

#endif
