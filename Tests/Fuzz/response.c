/* The endpoint's answer: any bytes, against installs of both protocols in each window. */
#include "fuzz.h"

/* Whatever an answer says, what it gives out is what the details show. */
static void apply(uint32_t protocol, int64_t age, const uint8_t *body, size_t size) {
    int64_t *now;
    skan *engine = lasting_engine(protocol, MAIN_ENGINE, &now);
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    REQUIRE(settled(skan_register(engine, "install", &update, &error), error) == SKAN_OK);
    char *before = details_of(engine, "install");
    *now += age * 1000000;
    skan_status status = settled(skan_apply_response(engine, "install", 7, body, size, &update, &error), error);
    char *after = details_of(engine, "install");
    if (status == SKAN_OK) {
        REQUIRE(update.id == (protocol == 3 ? 1u : 2u));
        REQUIRE(update.fine_value >= -1 && update.fine_value <= 63);
        REQUIRE(update.coarse_value >= -1 && update.coarse_value <= 2);
        REQUIRE(update.fine_value >= 0 || update.coarse_value >= 0);
        REQUIRE(update.lock_window == 0 || update.lock_window == 1);
        REQUIRE(update.timestamp == *now / 1000000);
        skan_update pending = {.size = sizeof pending};
        REQUIRE(settled(skan_pending_update(engine, "install", &pending, &error), error) == SKAN_OK);
        REQUIRE(memcmp(&pending, &update, sizeof pending) == 0);
        /* An answer sent in twice applies once. */
        status = settled(skan_apply_response(engine, "install", 7, body, size, &update, &error), error);
        REQUIRE(status == SKAN_STALE_RESPONSE);
    } else {
        REQUIRE(update.id == 0 && strcmp(before, after) == 0);
    }
    require_imports_again(protocol, after);
    skan_free(before);
    skan_free(after);
    forget(engine, "install");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    apply(4, 10, data, size);
    apply(4, 200000, data, size);
    apply(3, 10, data, size);
    return 0;
}
