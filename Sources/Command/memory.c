#include "memory.h"

#include "command.h"
#include "messages.h"

#include <stdlib.h>
#include <string.h>

static void *checked(void *memory) {
    if (memory) return memory;
    complain("memory", "none is left");
    exit(EXIT_FOUND);
}

void *memory_take(size_t size) {
    return checked(calloc(1, size > 0 ? size : 1));
}

char *memory_copy(const char *text) {
    return checked(strdup(text));
}

void *memory_grow(void *memory, size_t size) {
    return checked(realloc(memory, size));
}
