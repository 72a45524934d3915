#include "cases.h"
#include "hooks.h"
#include "support.h"

skan_status open_and_close(const char *place, const void *options) {
    skan_store store;
    skan_status status = kind.open(place, options, &store, &failure);
    EXPECT((store.context != NULL) == (status == SKAN_OK) && (store.size != 0) == (status == SKAN_OK),
           "a store exactly for SKAN_OK");
    if (status == SKAN_OK) kind.close(&store);
    EXPECT(store.size == 0 && store.context == NULL && store.load == NULL && store.finalize == NULL, "zeroed");
    return status;
}

static const char *place_of_options;

static skan_status open_with(const void *options) {
    return open_and_close(place_of_options, options);
}

void check_arguments(const char *place, const void *options, size_t size, const number_option *numbers, size_t count) {
    skan_store store;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, kind.open(place, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, kind.open(NULL, NULL, &store, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, kind.open("", NULL, &store, &failure));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, kind.open(NULL, NULL, NULL, NULL));
    place_of_options = place;
    check_options(options, size, numbers, count, open_with);
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
