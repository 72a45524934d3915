#include "seen.h"

#include "../Command/memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct print {
    uint64_t words[2];
} print;

struct seen {
    print *slots; /* all zeros = free */
    size_t count, room;
};

seen *seen_create(void) {
    seen *made = memory_take(sizeof *made);
    made->room = 1024;
    made->slots = memory_take(made->room * sizeof *made->slots);
    return made;
}

void seen_destroy(seen *seen) {
    if (seen) free(seen->slots);
    free(seen);
}

static bool is_taken(const print *slot) {
    return slot->words[0] || slot->words[1];
}

static bool put(print *slots, size_t room, print print) {
    size_t slot = print.words[0] % room;
    for (; is_taken(&slots[slot]); slot = (slot + 1) % room)
        if (memcmp(&slots[slot], &print, sizeof print) == 0) return false;
    slots[slot] = print;
    return true;
}

bool seen_add(seen *seen, const char *key) {
    const char *digits = strchr(key, '/');
    char first[17] = "", second[17] = "";
    if (digits && strlen(digits) > 32) {
        memcpy(first, digits + 1, 16);
        memcpy(second, digits + 17, 16);
    }
    /* The first letter keeps "postback/" and "refused/" apart. */
    print print = {{strtoull(first, NULL, 16) ^ (unsigned char)key[0], strtoull(second, NULL, 16) | 1}};
    if (seen->count * 2 >= seen->room) {
        struct print *larger = memory_take(seen->room * 2 * sizeof *larger);
        for (size_t slot = 0; slot < seen->room; slot++)
            if (is_taken(&seen->slots[slot])) put(larger, seen->room * 2, seen->slots[slot]);
        free(seen->slots);
        seen->slots = larger;
        seen->room *= 2;
    }
    bool is_new = put(seen->slots, seen->room, print);
    seen->count += is_new;
    return is_new;
}
