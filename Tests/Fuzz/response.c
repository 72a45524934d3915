/* The endpoint's answer: any bytes, against installs of both protocols in each window. */
#include "fuzz.h"

#include <json-c/json.h>

/* A member's value as json-c reads it; -1 where it is null or not there. */
static double number(struct json_object *json, const char *key) {
    struct json_object *value = NULL;
    return json_object_object_get_ex(json, key, &value) && value ? json_object_get_double(value) : -1;
}

/* json-c reads whatever was applied, and finds the same values. */
static void require_same_values(uint32_t protocol, const uint8_t *body, size_t size, const skan_update *update) {
    struct json_tokener *tokener = json_tokener_new_ex(64);
    struct json_object *json = json_tokener_parse_ex(tokener, (const char *)body, (int)size);
    REQUIRE(json != NULL && json_tokener_get_error(tokener) == json_tokener_success);
    REQUIRE(number(json, "conversion_value") == update->fine_value);
    if (protocol == 4) {
        REQUIRE(number(json, "skan_updated_coarse_value") == update->coarse_value);
        double window = number(json, "postback_sequence_index");
        REQUIRE(window == -1 || window == update->window);
        struct json_object *lock = NULL;
        json_object_object_get_ex(json, "skan_updated_lock_window_value", &lock);
        REQUIRE((lock != NULL && json_object_get_double(lock) == 1) == update->lock_window);
    }
    json_object_put(json);
    json_tokener_free(tokener);
}

/* Whatever an answer says, what it gives out is what the details show. */
static void apply(uint32_t protocol, int64_t age, const uint8_t *body, size_t size) {
    int64_t *now;
    skan_engine *engine = lasting_engine(protocol, MAIN_ENGINE, &now);
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    REQUIRE(settled(skan_register(engine, "install", NULL, &update, &error), error) == SKAN_OK);
    uint64_t registered = update.id; /* SKAN 3 registers without an update */
    REQUIRE(protocol == 3 ? registered == 0 : registered > (uint64_t)*now);
    char *before = details_of(engine, "install");
    *now += age * 1000000;
    skan_status status = settled(skan_apply_response(engine, "install", NULL, 7, body, size, &update, &error), error);
    char *after = details_of(engine, "install");
    if (status == SKAN_OK) {
        REQUIRE(registered == 0 ? update.id > (uint64_t)*now : update.id == registered + 1);
        REQUIRE(update.fine_value >= -1 && update.fine_value <= 63);
        REQUIRE(update.coarse_value >= -1 && update.coarse_value <= 2);
        REQUIRE(update.fine_value >= 0 || update.coarse_value >= 0);
        REQUIRE(update.timestamp == *now / 1000000);
        require_same_values(protocol, body, size, &update);
        skan_call call;
        REQUIRE(waiting_call(engine, "install", &call) == SKAN_OK);
        REQUIRE(call.id == update.id && call.window == update.window && call.coarse_value == update.coarse_value);
        REQUIRE(call.fine_value == (update.fine_value < 0 ? 0 : update.fine_value)); /* 0 since it was registered */
        REQUIRE(call.lock_window == update.lock_window && call.timestamp == update.timestamp);
        /* An answer sent in twice applies once. */
        status = settled(skan_apply_response(engine, "install", NULL, 7, body, size, &update, &error), error);
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
