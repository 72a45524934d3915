#include "cases.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

void list_every_key(const skan_store *store, bool gives_each_once, void (*remove_two)(void)) {
    static int seen[LISTED_KEYS];
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    int pages = 0;
    do {
        EXPECT_STATUS(SKAN_OK, store->list(store->context, cursor, keys));
        const char *key = skan_buffer_data(keys), *end = key + skan_buffer_size(keys);
        EXPECT(key == end || end[-1] == '\0', "each key ends");
        for (; key < end; key += strlen(key) + 1) {
            int number = -1, length = 0;
            EXPECT(sscanf(key, "key-%d%n", &number, &length) == 1 && number >= 0 && number < LISTED_KEYS &&
                       !key[length],
                   "%s", key);
            if (number >= 0 && number < LISTED_KEYS) seen[number]++;
        }
        if (++pages == 1) remove_two();
    } while (skan_buffer_size(cursor) > 0 && pages < 100);
    for (int i = 1; i < LISTED_KEYS; i++)
        EXPECT(seen[i] == 1 || (seen[i] > 1 && !gives_each_once) || i == 999, "key-%d was given %d times", i, seen[i]);
    EXPECT(pages >= 3, "%d pages", pages);
    skan_buffer_destroy(cursor);
    skan_buffer_destroy(keys);
}

void refuse_cursors(const skan_store *store, const char *const *cursors, size_t count) {
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    for (size_t i = 0; i < count; i++) {
        skan_buffer_set(cursor, cursors[i], strlen(cursors[i]));
        EXPECT_STATUS(SKAN_ERROR_STORE, store->list(store->context, cursor, keys));
    }
    skan_buffer_destroy(cursor);
    skan_buffer_destroy(keys);
}
