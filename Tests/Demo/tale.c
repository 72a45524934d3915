#define _GNU_SOURCE
#include "tale.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TALES = 3 };

static struct {
    uint32_t player;
    char *text;
    size_t size;
    FILE *out;
} tales[TALES];

/* The first player of a kind whose life is neither short nor long. */
static uint32_t choose(const lives *lives, uint32_t players, player_kind kind, uint32_t least, uint32_t most) {
    uint32_t *lengths = calloc(players, sizeof *lengths);
    uint32_t chosen = 0;
    for (size_t i = 0; lengths && i < lives->count; i++)
        lengths[lives->actions[i].player] += lives->actions[i].kind != AD;
    for (uint32_t player = 0; lengths && player < players && chosen == 0; player++)
        if (lives->kinds[player] == kind && lengths[player] >= least && lengths[player] <= most) chosen = player;
    free(lengths);
    return chosen;
}

void tale_choose(const lives *lives, uint32_t players) {
    static const player_kind kinds[TALES] = {CASUAL, REGULAR, PAYER};
    for (int i = 0; i < TALES; i++) {
        tales[i].player = choose(lives, players, kinds[i], 3 + 3 * (uint32_t)i, 9 + 9 * (uint32_t)i);
        tales[i].out = open_memstream(&tales[i].text, &tales[i].size);
    }
}

bool tale_is_told(uint32_t player) {
    for (int i = 0; i < TALES; i++)
        if (tales[i].player == player) return true;
    return false;
}

void tale_add(const action *action, const char *format, ...) {
    for (int i = 0; i < TALES; i++) {
        if (tales[i].player != action->player || !tales[i].out) continue;
        va_list values;
        va_start(values, format);
        fprintf(tales[i].out, "  day %2" PRId64 " %02" PRId64 ":%02" PRId64 "  ", action->time / 86400,
                action->time / 3600 % 24, action->time / 60 % 60);
        vfprintf(tales[i].out, format, values);
        fputc('\n', tales[i].out);
        va_end(values);
        return;
    }
}

const char *tale_of_update(const skan_update *update, char *text, size_t size) {
    static const char *const coarse[] = {"low", "medium", "high"};
    int used = snprintf(text, size, "update %" PRIu64 ":", update->id);
    if (update->fine_value >= 0)
        used += snprintf(text + used, size - (size_t)used, " fine %d%s", update->fine_value,
                         update->coarse_value >= 0 ? "," : "");
    if (update->coarse_value >= 0 && update->coarse_value < 3)
        used += snprintf(text + used, size - (size_t)used, " coarse %s", coarse[update->coarse_value]);
    snprintf(text + used, size - (size_t)used, " for window %d%s", update->window,
             update->lock_window ? ", locks it" : "");
    return text;
}

void tale_print(const lives *lives) {
    for (int i = 0; i < TALES; i++) {
        if (!tales[i].out) continue;
        fclose(tales[i].out);
        printf("\nThe life of player-%" PRIu32 ", a %s\n%s", tales[i].player + 1,
               player_kind_names[lives->kinds[tales[i].player]], tales[i].text);
        free(tales[i].text);
    }
}
