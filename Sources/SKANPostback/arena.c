#include "arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *before;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

enum { SMALLEST = 4096 - (int)sizeof(struct arena_block) };

void *arena_take(arena *arena, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct arena_block *block = arena->last;
    if (!block || block->size - block->used < size) {
        size_t room = size > SMALLEST ? size : SMALLEST;
        block = malloc(sizeof *block + room);
        if (!block) return NULL;
        *block = (struct arena_block){arena->last, 0, room};
        arena->last = block;
    }
    void *taken = block->bytes + block->used;
    block->used += size;
    return taken;
}

void arena_end(arena *arena) {
    while (arena->last) {
        struct arena_block *block = arena->last;
        arena->last = block->before;
        free(block);
    }
}

span arena_copy(arena *arena, const void *start, size_t length) {
    char *copy = arena_take(arena, length + 1);
    if (!copy) return (span){NULL, 0};
    if (length > 0) memcpy(copy, start, length);
    copy[length] = '\0';
    return (span){copy, length};
}

bool span_is(span text, const char *other) {
    return text.start && text.length == strlen(other) && memcmp(text.start, other, text.length) == 0;
}

bool span_holds(span text, span part) {
    for (size_t i = 0; text.start && i + part.length <= text.length; i++)
        if (memcmp(text.start + i, part.start, part.length) == 0) return true;
    return false;
}
