#include "cases.h"
#include "support.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

skan_status open_and_close(const opener *opener, const void *options) {
    skan_store store;
    skan_status status = opener->open(opener->place, options, &store, &failure);
    EXPECT((store.context != NULL) == (status == SKAN_OK) && (store.size != 0) == (status == SKAN_OK),
           "a store exactly for SKAN_OK");
    if (status == SKAN_OK) opener->close(&store);
    EXPECT(store.size == 0 && store.context == NULL && store.load == NULL && store.finalize == NULL, "zeroed");
    return status;
}

/* Options of another release: larger ones are taken where what is unknown in them is zero. */
static void check_sizes(const opener *opener) {
    enum { MOST = 1024 };
    unsigned char *larger = calloc(1, MOST + 1);
    if (!larger) abort();
    memcpy(larger, opener->options, opener->options_size);
    const size_t wrong[] = {0, 1, opener->options_size - 1, MOST + 1, SIZE_MAX}, most = MOST;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(larger, &wrong[i], sizeof wrong[i]);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_and_close(opener, larger));
    }
    memcpy(larger, &most, sizeof most);
    larger[MOST - 1] = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_and_close(opener, larger));
    larger[MOST - 1] = 0;
    larger[MOST] = 1;
    ANSWER(SKAN_OK, open_and_close(opener, larger));
    free(larger);
}

void check_arguments(const opener *opener) {
    skan_store store;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, opener->open(opener->place, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, opener->open(NULL, NULL, &store, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, opener->open("", NULL, &store, &failure));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, opener->open(NULL, NULL, NULL, NULL));
    check_sizes(opener);
    ANSWER(SKAN_OK, open_and_close(opener, NULL));

    opener->close(NULL);
    store = (skan_store){0};
    opener->close(&store);
    store = (skan_store){.size = sizeof store, .context = &store};
    opener->close(&store);
    EXPECT(store.context == &store, "another store is left alone");
}
