/*
 * A conversion model's document, any bytes up to the first FF, which no UTF-8 holds; behind it a life of an install
 * that has the model, one byte a step. What the model decides is in what the value decodes to.
 */
#include "fuzz.h"

#include <skan/model.h>

#include <json-c/json.h>

static json_object *parsed(char *text) {
    json_object *json = json_tokener_parse(text);
    REQUIRE(json != NULL && json_object_is_type(json, json_type_object));
    skan_free(text);
    return json;
}

static json_object *part(json_object *object, const char *key) {
    json_object *value = NULL;
    REQUIRE(json_object_object_get_ex(object, key, &value));
    return value;
}

static bool is_within(int64_t value, json_object *low, json_object *high) {
    return (low == NULL || json_object_get_int64(low) <= value) &&
           (high == NULL || value < json_object_get_int64(high));
}

/* A measure; of a sum only what is certain where doubles are the nearest to decimals. */
static bool is_measure_within(json_object *value, json_object *low, json_object *high) {
    if (json_object_is_type(value, json_type_int)) return is_within(json_object_get_int64(value), low, high);
    double number = json_object_get_double(value);
    return (low == NULL || json_object_get_double(low) <= number) &&
           (high == NULL || number <= json_object_get_double(high));
}

/* Whether counts, times and measures are in an envelope. */
static void require_inside(json_object *envelope, json_object *seen) {
    static const char *const simple[] = {"sessions", "day", "hours"};
    for (size_t i = 0; i < 3; i++) {
        json_object *range = NULL;
        if (!json_object_object_get_ex(envelope, simple[i], &range) || range == NULL) continue;
        REQUIRE(is_within(json_object_get_int64(part(seen, simple[i])), part(range, "min"), part(range, "max")));
    }
    json_object *events = part(envelope, "events");
    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *range = json_object_array_get_idx(events, i);
        json_object *count = part(part(seen, "events"), json_object_get_string(part(range, "name")));
        REQUIRE(is_within(json_object_get_int64(count), part(range, "min_count"), part(range, "max_count")));
    }
    json_object *measures = NULL;
    if (!json_object_object_get_ex(envelope, "measures", &measures)) return;
    for (size_t i = 0; i < json_object_array_length(measures); i++) {
        json_object *range = json_object_array_get_idx(measures, i);
        json_object *value = part(part(seen, "measures"), json_object_get_string(part(range, "name")));
        REQUIRE(is_measure_within(value, part(range, "min"), part(range, "max")));
    }
}

/* What decodes a value of a window; -1 is none. */
static json_object *decoded(const skan_model *model, int window, int fine, int coarse) {
    skan_error *error = NULL;
    char *json = NULL;
    REQUIRE(settled(skan_model_decode(model, window, fine, coarse, &json, &error), error) == SKAN_OK);
    return parsed(json);
}

/* With coarse rules a value may be older than the other one: only what holds now is looked at. */
static void require_decoded_apart(const skan_model *model, const skan_update *update, json_object *seen) {
    json_object *rule = part(seen, "rule"), *coarse_rule = part(seen, "coarse_rule");
    REQUIRE(rule != NULL || coarse_rule != NULL);
    if (rule != NULL && json_object_get_int(part(seen, "fine")) == update->fine_value) {
        json_object *fine = decoded(model, 0, update->fine_value, -1);
        require_inside(part(fine, "envelope"), seen);
        json_object_put(fine);
    }
    if (coarse_rule != NULL && json_object_get_int(part(seen, "coarse")) == update->coarse_value) {
        json_object *coarse = decoded(model, 0, -1, update->coarse_value);
        require_inside(part(coarse, "coarse_envelope"), seen);
        json_object_put(coarse);
    }
}

static json_object *explained(skan_engine *engine) {
    char *json = NULL;
    skan_error *error = NULL;
    skan_status status = settled(skan_explanation(engine, "install", 0, &json, &error), error);
    REQUIRE(status == SKAN_OK || status == SKAN_WINDOW_CLOSED);
    REQUIRE((json != NULL) == (status == SKAN_OK));
    return json == NULL ? NULL : parsed(json);
}

/* Every value is decoded, or is not; the first byte of the life says which. */
static void decode_all(const skan_model *model, int windows) {
    skan_error *error = NULL;
    char *json;
    for (int window = 0; window < windows; window++) {
        for (int value = 0; value < 67; value++) {
            skan_status status =
                settled(skan_model_decode(model, window, value < 64 ? value : -1, value < 64 ? -1 : value - 64, &json,
                                          &error),
                        error);
            REQUIRE(status == SKAN_OK || status == SKAN_NOT_FOUND);
            if (json != NULL) json_object_put(parsed(json));
        }
    }
}

/* Whether the model counted a session or an event in the window that is explained: counts begin anew in each window. */
static bool has_counted(json_object *seen) {
    json_object_object_foreach(part(seen, "events"), name, count) {
        (void)name;
        if (json_object_get_int64(count) > 0) return true;
    }
    return json_object_get_int64(part(seen, "sessions")) > 0;
}

/* An event, or a session. The window never goes back behind one in which the model counted something or that of the last
 * update, even if the clock does. A window that was only seen on the clock is not remembered. Rules, "Windows". */
static void update(skan_engine *engine, const skan_model *model, skan_event event, int64_t *window) {
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    event.size = sizeof event;
    skan_status status =
        settled(skan_update_conversion_values(engine, "install", &event, &update, &error), error);
    if (status == SKAN_ERROR_LIMIT_EXCEEDED) return; /* of revenue */
    REQUIRE(status == SKAN_OK || status == SKAN_NO_NEW_VALUE || status == SKAN_WINDOW_LOCKED ||
            status == SKAN_WINDOW_CLOSED);
    REQUIRE((update.id != 0) == (status == SKAN_OK));
    if (status == SKAN_WINDOW_CLOSED) return;
    json_object *seen = explained(engine);
    REQUIRE(seen != NULL && json_object_get_int64(part(seen, "window")) >= *window);
    if (status == SKAN_OK || has_counted(seen)) *window = json_object_get_int64(part(seen, "window"));
    if (status != SKAN_OK) {
        json_object_put(seen);
        return;
    }
    REQUIRE(update.window == *window);
    skan_call waiting;
    REQUIRE(waiting_call(engine, "install", &waiting) == SKAN_OK);
    REQUIRE(waiting.id == update.id);
    json_object *meaning = decoded(model, update.window, update.fine_value, update.coarse_value);
    if (json_object_object_get_ex(meaning, "coarse_rules", NULL)) {
        require_decoded_apart(model, &update, seen);
    } else {
        REQUIRE(part(seen, "rule") != NULL);
        require_inside(part(meaning, "envelope"), seen);
    }
    json_object_put(meaning);
    json_object_put(seen);
}

static const char *const currencies[] = {"USD", "EUR", "XYZ"};

static double amount_of(uint8_t step) {
    return (step & 1 ? 0.01 : 1e9) * (1 + (step >> 1 & 7)) * (step & 8 ? -1 : 1);
}

/* An event with an amount, 0 is none. SKAN 3 has IAP alone, as every amount here. */
static skan_event paid(skan_event event, uint8_t amount) {
    if (amount == 0) return event;
    event.currency = currencies[amount % 3];
    event.amount.number = amount_of(amount);
    return event;
}

static void live(skan_engine *engine, const skan_model *model, int64_t *now, input life) {
    skan_error *error = NULL;
    REQUIRE(settled(skan_register(engine, "install", NULL, NULL, &error), error) == SKAN_OK);
    json_object *seen = explained(engine);
    REQUIRE(strcmp(json_object_get_string(part(seen, "model")), skan_model_version(model)) == 0);
    json_object *events = part(seen, "events");
    int64_t window = 0;
    while (life.size > 0) {
        uint8_t step = take_byte(&life);
        switch (step >> 5) {
        case 0: update(engine, model, paid((skan_event){.name = NULL}, step & 1 ? step : 0), &window); break;
        case 1:
        case 2:
        case 3: {
            uint32_t number = step & 63;
            static const char *const others[] = {"purchase", "a"};
            /* Those of the upper half carry an amount. */
            uint8_t amount = step >> 5 == 3 ? take_byte(&life) : 0;
            if (number >= 62) update(engine, model, paid((skan_event){.name = others[number & 1]}, amount), &window);
            json_object_object_foreach(events, name, count) {
                (void)count;
                if (number-- == 0) update(engine, model, paid((skan_event){.name = name}, amount), &window);
            }
            break;
        }
        case 4:
        case 5: {
            const skan_amount amount = {.number = amount_of(step)};
            const char *currency = currencies[step % 3];
            settled(skan_update_revenue(engine, "install", amount, currency, SKAN_IAP, NULL, &error), error);
            break;
        }
        case 6: *now += (int64_t)(step & 31) * 43200 * 1000000; break;
        default: *now -= (int64_t)(step & 31) * 3600 * 1000000;
        }
    }
    json_object_put(seen);
    seen = explained(engine);
    if (seen != NULL) json_object_put(seen);
    skan_free(details_of(engine, "install"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = memchr(data, 0xFF, size);
    input life = {.data = NULL, .size = 0};
    if (end != NULL) life = (input){end + 1, size - (size_t)(end + 1 - data)};
    if (life.size > 256) life.size = 256;
    skan_model *model = NULL;
    skan_error *error = NULL;
    skan_status status = skan_model_create(data, end == NULL ? size : (size_t)(end - data), &model, &error);
    REQUIRE(status == SKAN_OK || status == SKAN_ERROR_INVALID_DOCUMENT);
    REQUIRE(status == SKAN_OK || strncmp(skan_error_message(error), "model at \"", 10) == 0);
    settled(status, error);
    if (status != SKAN_OK) return 0;
    REQUIRE(strlen(skan_model_version(model)) == 64);

    skan_engine *engine = NULL;
    int64_t now = 1700000000000000;
    skan_clock clock = told_clock(&now);
    for (uint32_t protocol = 3; protocol <= 4; protocol++) {
        skan_options options = {.size = sizeof options,
                                .protocol = protocol,
                                .clock = &clock,
                                .models = &model,
                                .model_count = 1};
        status = settled(skan_create(&options, &engine, &error), error);
        REQUIRE(status == SKAN_OK || status == SKAN_ERROR_INVALID_ARGUMENT);
        if (status != SKAN_OK) continue;
        decode_all(model, protocol == 4 ? 3 : 1);
        live(engine, model, &now, life);
        skan_destroy(engine);
    }
    skan_model_destroy(model);
    return 0;
}
