/* Lives that are told in words at the demo's end. */
#ifndef TALE_H
#define TALE_H

#include "player.h"

#include <skan/skan.h>

/* Which players' lives are told: the first of each of three kinds. */
void tale_choose(const lives *lives, uint32_t players);
/* Whether a player's is. */
bool tale_is_told(uint32_t player);
/* Adds a line to it. */
void tale_add(const action *action, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* " -> fine 12, coarse medium, locks the window" */
const char *tale_of_update(const skan_update *update, char *text, size_t size);
void tale_print(const lives *lives);

#endif
