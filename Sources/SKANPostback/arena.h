/* Memory that grows by pieces and is given up at once; texts in it. */
#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct arena {
    struct arena_block *last;
} arena;

/* Bytes of a text; absent where `start` is NULL. */
typedef struct span {
    const char *start;
    size_t length;
} span;

/* Aligned for anything; NULL where there is no memory. */
void *arena_take(arena *arena, size_t size);
void arena_end(arena *arena);

/* A copy, ended by a NUL; absent where there is no memory. */
span arena_copy(arena *arena, const void *start, size_t length);

bool span_is(span text, const char *other);
bool span_holds(span text, span part);

#endif
