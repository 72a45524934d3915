#include "cases.h"
#include "hooks.h"
#include "support.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

skan_status open_and_close(const char *place, const void *options) {
    skan_store store;
    skan_status status = kind.open(place, options, &store, &failure);
    EXPECT((store.context != NULL) == (status == SKAN_OK) && (store.size != 0) == (status == SKAN_OK),
           "a store exactly for SKAN_OK");
    if (status == SKAN_OK) kind.close(&store);
    EXPECT(store.size == 0 && store.context == NULL && store.load == NULL && store.finalize == NULL, "zeroed");
    return status;
}

/* Options of another release: larger ones are taken where what is unknown in them is zero. */
static void check_sizes(const char *place, const void *options, size_t size) {
    enum { MOST = 1024 };
    unsigned char *larger = calloc(1, MOST + 1);
    if (!larger) abort();
    memcpy(larger, options, size);
    const size_t wrong[] = {0, 1, size - 1, MOST + 1, SIZE_MAX}, most = MOST;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(larger, &wrong[i], sizeof wrong[i]);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_and_close(place, larger));
    }
    memcpy(larger, &most, sizeof most);
    larger[MOST - 1] = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_and_close(place, larger));
    larger[MOST - 1] = 0;
    larger[MOST] = 1;
    ANSWER(SKAN_OK, open_and_close(place, larger));
    free(larger);
}

static void check_numbers(const char *place, const void *options, size_t size, const number_option *numbers,
                          size_t count) {
    unsigned char changed[256];
    for (size_t i = 0; i < count; i++) {
        for (uint32_t above = 0; above < 2; above++) {
            in_round("number %zu, %u above its limit", i, (unsigned)above);
            const uint32_t value = numbers[i].largest + above;
            memcpy(changed, options, size);
            memcpy(changed + numbers[i].offset, &value, sizeof value);
            ANSWER(above ? SKAN_ERROR_INVALID_ARGUMENT : SKAN_OK, open_and_close(place, changed));
        }
    }
    in_round("%s", "");
}

void check_arguments(const char *place, const void *options, size_t size, const number_option *numbers, size_t count) {
    skan_store store;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, kind.open(place, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, kind.open(NULL, NULL, &store, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, kind.open("", NULL, &store, &failure));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, kind.open(NULL, NULL, NULL, NULL));
    check_sizes(place, options, size);
    check_numbers(place, options, size, numbers, count);
    ANSWER(SKAN_OK, open_and_close(place, NULL));

    kind.close(NULL);
    store = (skan_store){0};
    kind.close(&store);
    store = (skan_store){.size = sizeof store, .context = &store};
    kind.close(&store);
    EXPECT(store.context == &store, "another store is left alone");
}

void refuse_cursors(const skan_store *store, const char *const *cursors, size_t count) {
    for (size_t i = 0; i < count; i++) EXPECT_STATUS(SKAN_ERROR_STORE, list(store, cursors[i])->status);
}
