/* What skan.h promises of conversion models beside what they decide: arguments, ownership, protocols, records,
 * hooks. */
#define _GNU_SOURCE
#include "host.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char install[] = "install-1";
static const char two_sessions[] =
    "{\"schema\":1,\"id\":\"two\",\"windows\":[{\"rules\":[{\"fine\":5,\"when\":{\"sessions\":{\"min\":2}}},"
    "{\"fine\":7,\"when\":{\"events\":[{\"name\":\"win\"}]}}]},{\"rules\":[]},{\"rules\":[]}]}";
static const char skan3[] = "{\"schema\":1,\"id\":\"three\",\"protocol\":3,\"windows\":[{\"rules\":[{\"fine\":5}]}]}";

static skan_model *model_of(const char *json) {
    skan_model *model = NULL;
    ANSWER(SKAN_OK, skan_model_create(json, strlen(json), &model, &failure));
    return model;
}

static skan_options options_with(skan_model *const *models, size_t count) {
    return (skan_options){.size = sizeof(skan_options), .models = models, .model_count = count};
}

static skan *engine_with(skan_model *model, const skan_store *store) {
    skan_options options = options_with(&model, 1);
    options.store = store;
    skan *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    return engine;
}

static skan_status get_value(void *context, const char *url, skan_buffer *body) {
    (void)url;
    const char *answer = context;
    return skan_buffer_set(body, answer, strlen(answer));
}

static void null_is_refused(const void *subject) {
    (void)subject;
    skan_model *model = model_of(two_sessions), *out = model;
    char *json = NULL;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_create(two_sessions, 3, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_create(NULL, 3, &out, &failure));
    EXPECT(out == NULL, "a refused call gives a model");
    out = model;
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_model_create(NULL, 0, &out, &failure));
    EXPECT(out == NULL, "a refused call gives a model");
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_model_create(two_sessions, SIZE_MAX, &out, &failure));
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_model_create(two_sessions, SKAN_MODEL_MAX + 1, &out, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_decode(NULL, 0, 5, -1, &json, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_decode(model, 0, 5, -1, NULL, &failure));
    EXPECT(skan_model_version(NULL) == NULL, "NULL has a version");
    skan_model_destroy(NULL);
    skan *engine = engine_with(model, NULL);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_explain(engine, install, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_explain(NULL, install, &json, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_explain(engine, "", &json, &failure));
    skan_destroy(engine);
    skan_model_destroy(model);
}

static void what_is_no_value_is_refused(const void *subject) {
    (void)subject;
    skan_model *model = model_of(two_sessions), *three = model_of(skan3);
    static const int wrong[][3] = {{-1, 5, -1}, {3, 5, -1},  {0, 64, -1}, {0, -2, -1},         {0, -1, 3},
                                   {0, -1, -2}, {0, -1, -1}, {0, 5, 3},   {0, INT32_MAX, -1}, {INT32_MIN, 5, -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *json = (char *)model;
        in_round("number %zu", i);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_model_decode(model, wrong[i][0], wrong[i][1], wrong[i][2], &json, &failure));
        EXPECT(json == NULL, "a document");
    }
    in_round("%s", "");
    char *json = (char *)model;
    ANSWER(SKAN_NOT_FOUND, skan_model_decode(model, 0, 6, -1, &json, &failure));
    EXPECT(json == NULL, "a document");
    ANSWER(SKAN_NOT_FOUND, skan_model_decode(model, 1, 5, -1, &json, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_decode(three, 1, 5, -1, &json, &failure));
    ANSWER(SKAN_OK, skan_model_decode(three, 0, 5, -1, &json, &failure));
    EXPECT_TEXT("{\"window\":0,\"currency\":\"USD\",\"rules\":[{\"rule\":0,\"fine\":5,\"coarse\":null,\"lock\":false,"
                "\"when\":{\"events\":[],\"revenue\":[],\"sessions\":null,\"day\":null}}],\"envelope\":{\"events\":[],"
                "\"revenue\":[],\"sessions\":null,\"day\":null}}",
                json);
    skan_free(json);
    skan_model_destroy(three);
    skan_model_destroy(model);
}

static void an_engine_keeps_its_models(const void *subject) {
    (void)subject;
    skan_model *model = model_of(two_sessions);
    char version[65] = "";
    EXPECT_NUMBER(64, strlen(skan_model_version(model)));
    memcpy(version, skan_model_version(model), sizeof version);
    skan *first = engine_with(model, NULL), *second = engine_with(model, NULL);
    skan_model_destroy(model);
    skan_destroy(first);
    ANSWER(SKAN_OK, skan_register(second, install, NULL, &failure));
    ANSWER(SKAN_NO_NEW_VALUE, skan_update_conversion_values(second, install, NULL, NULL, NULL, NULL, &failure));
    skan_update update = {.size = sizeof update};
    ANSWER(SKAN_OK, skan_update_conversion_values(second, install, NULL, NULL, NULL, &update, &failure));
    EXPECT_NUMBER(5, update.fine_value);
    char *json = NULL, *start = text_of("{\"model\":\"%s\",\"id\":\"two\",\"window\":0,", version);
    ANSWER(SKAN_OK, skan_explain(second, install, &json, &failure));
    EXPECT(strncmp(json, start, strlen(start)) == 0, "expected %s..., got %s", start, json);
    free(start);
    skan_free(json);
    skan_destroy(second);
}

static void an_engine_has_a_transport_or_models(const void *subject) {
    (void)subject;
    skan_model *models[] = {model_of(two_sessions), model_of(skan3), NULL};
    skan_transport transport = {sizeof transport, "", get_value, NULL};
    struct {
        skan_options options;
        const char *message;
    } refused[] = {
        {options_with(models, 2), "number 1 is of SKAN 3, the engine speaks SKAN 4"},
        {options_with(models, 3), "SKAN 3"},
        {options_with(models + 2, 1), "expected a pointer, got NULL"},
        {options_with(NULL, 1), "expected a pointer, got NULL"},
        {options_with(models, SKAN_MODELS_MAX + 1), "model_count"},
        {options_with(models, SIZE_MAX), "model_count"},
        {options_with(models, 1), "number 0 is of SKAN 4, the engine speaks SKAN 3"},
        {options_with(models, 1), "beside a transport"},
    };
    refused[6].options.protocol = 3;
    refused[7].options.transport = &transport;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        skan *engine = (skan *)models;
        in_round("number %zu", i);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&refused[i].options, &engine, &failure));
        EXPECT(engine == NULL, "an engine");
        EXPECT(strstr(failure_message(), refused[i].message) != NULL, "%s", failure_message());
    }
    in_round("%s", "");
    skan_options none = options_with(models, 0);
    none.transport = &transport;
    skan *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&none, &engine, &failure));
    char *json = NULL;
    ANSWER(SKAN_ERROR_MISUSE, skan_explain(engine, install, &json, &failure));
    skan_destroy(engine);

    engine = engine_with(models[0], NULL);
    char *url = (char *)models;
    uint64_t ticket = 7;
    ANSWER(SKAN_ERROR_MISUSE, skan_conversion_request(engine, install, NULL, NULL, &url, &ticket, &failure));
    EXPECT(url == NULL && ticket == 0, "a refused request gives a URL or a ticket");
    ANSWER(SKAN_ERROR_MISUSE, skan_apply_response(engine, install, 0, NULL, 0, NULL, &failure));
    skan_destroy(engine);
    skan_model_destroy(models[0]);
    skan_model_destroy(models[1]);
}

static void an_endpoint_and_models_share_no_install(const void *subject) {
    (void)subject;
    host_store records;
    host_store_init(&records);
    skan_store store = host_store_hooks(&records);
    skan_model *model = model_of(two_sessions);
    skan *with_model = engine_with(model, &store);
    skan_transport transport = {sizeof transport, "{\"conversion_value\":9}", get_value, NULL};
    skan_options options = {.size = sizeof options, .store = &store, .transport = &transport};
    skan *with_endpoint = NULL;
    ANSWER(SKAN_OK, skan_create(&options, &with_endpoint, &failure));
    ANSWER(SKAN_OK, skan_register(with_model, "modelled", NULL, &failure));
    ANSWER(SKAN_OK, skan_register(with_endpoint, "asked", NULL, &failure));
    const unsigned char *format = host_store_find(&records, "modelled")->data;
    EXPECT_NUMBER(2, format == NULL ? 0 : *format);
    EXPECT_NUMBER(1, *(unsigned char *)host_store_find(&records, "asked")->data);
    EXPECT_NUMBER(host_store_find(&records, "asked")->length + 34, host_store_find(&records, "modelled")->length);

    const char body[] = "{\"conversion_value\":9}";
    char *url = NULL, *json = NULL;
    for (int round = 0; round < 2; round++) {
        ANSWER(SKAN_ERROR_MODEL_UNKNOWN,
               skan_update_conversion_values(with_endpoint, "modelled", NULL, "id", NULL, NULL, &failure));
        ANSWER(SKAN_ERROR_MODEL_UNKNOWN,
               skan_update_conversion_values(with_model, "asked", NULL, "id", NULL, NULL, &failure));
    }
    ANSWER(SKAN_ERROR_MODEL_UNKNOWN,
           skan_conversion_request(with_endpoint, "modelled", NULL, NULL, &url, NULL, &failure));
    ANSWER(SKAN_ERROR_MODEL_UNKNOWN,
           skan_apply_response(with_endpoint, "modelled", 0, body, sizeof body - 1, NULL, &failure));
    ANSWER(SKAN_ERROR_MODEL_UNKNOWN, skan_explain(with_model, "asked", &json, &failure));
    ANSWER(SKAN_OK, skan_update_conversion_values(with_endpoint, "asked", NULL, "id", NULL, NULL, &failure));
    /* Nothing else needs the model. */
    skan *other = NULL;
    ANSWER(SKAN_OK, skan_create(&(skan_options){.size = sizeof(skan_options), .store = &store}, &other, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(other, "modelled", 1, "USD", true, "id", &failure));
    ANSWER(SKAN_OK, skan_acknowledge_update(other, "modelled", 1, true, &failure));
    ANSWER(SKAN_OK, skan_details(other, "modelled", &json, &failure));
    skan_free(json);
    ANSWER(SKAN_NO_NEW_VALUE, skan_update_conversion_values(with_model, "modelled", NULL, "id", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_forget(other, "modelled", &failure));
    skan_destroy(other);
    skan_destroy(with_endpoint);
    skan_destroy(with_model);
    skan_model_destroy(model);
    host_store_end(&records);
}

/* A store between two updates: while the first one saves, the second one comes in between. */
typedef struct meddling_store {
    skan_store inner;
    skan *engine;
    int saves;
} meddling_store;

static skan_status meddle_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    meddling_store *store = context;
    return store->inner.load(store->inner.context, key, out, version);
}

static skan_status meddle_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    meddling_store *store = context;
    if (store->saves++ == 0)
        EXPECT_STATUS(SKAN_NO_NEW_VALUE,
                      skan_update_conversion_values(store->engine, key, NULL, NULL, NULL, NULL, NULL));
    return store->inner.save(store->inner.context, key, data, length, expected, version);
}

static skan_status meddle_remove(void *context, const char *key, uint64_t expected) {
    meddling_store *store = context;
    return store->inner.remove(store->inner.context, key, expected);
}

static void a_conflict_decides_again(const void *subject) {
    (void)subject;
    host_store records;
    host_store_init(&records);
    skan_store store = host_store_hooks(&records);
    skan_model *model = model_of(two_sessions);
    skan *engine = engine_with(model, &store);
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, &failure));
    meddling_store meddling = {store, engine, 0};
    skan_store hooks = {.size = sizeof hooks,
                        .context = &meddling,
                        .load = meddle_load,
                        .save = meddle_save,
                        .remove = meddle_remove};
    skan *slow = engine_with(model, &hooks);
    skan_update update = {.size = sizeof update};
    /* Alone it would be the first session, which has no rule; the other one came first. */
    ANSWER(SKAN_OK, skan_update_conversion_values(slow, install, NULL, NULL, NULL, &update, &failure));
    EXPECT_NUMBER(5, update.fine_value);
    EXPECT_NUMBER(2, meddling.saves);
    char *json = NULL;
    ANSWER(SKAN_OK, skan_explain(engine, install, &json, &failure));
    EXPECT(strstr(json, "\"sessions\":2,") != NULL, "%s", json);
    skan_free(json);
    skan_destroy(slow);
    skan_destroy(engine);
    skan_model_destroy(model);
    host_store_end(&records);
}

/* A full state, with 64 counts of five bytes: within the limit of records, and read back. */
static void the_largest_state_fits_a_record(const void *subject) {
    (void)subject;
    char events[8192] = "";
    for (int i = 0; i < 64; i++) {
        char event[64];
        snprintf(event, sizeof event, "%s{\"name\":\"event %026d\"}", i ? "," : "", i);
        strcat(events, event);
    }
    char *json = text_of(
        "{\"schema\":1,\"id\":\"full\",\"windows\":[{\"rules\":[{\"fine\":5,\"when\":{\"events\":[%s]}}]},"
        "{\"rules\":[]},"
        "{\"rules\":[]}]}",
        events);
    skan_model *model = model_of(json);
    host_store records;
    host_store_init(&records);
    skan_store store = host_store_hooks(&records);
    host_clock clock = {.microseconds = 1700000000000000};
    skan_clock clock_hooks = host_clock_hooks(&clock);
    skan_options options = options_with(&model, 1);
    options.store = &store;
    options.clock = &clock_hooks;
    skan *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, &failure));
    for (int window = 0; window < 3; window++) {
        clock.microseconds = 1700000000000000 + (int64_t[]){0, 172800, 604800}[window] * 1000000;
        for (int i = 0; i < 64; i++) {
            char currency[4] = {'A', (char)('A' + i / 8), (char)('A' + i % 8), 0}, id[129];
            snprintf(id, sizeof id, "%0127d%d", i, window);
            for (int ad = 0; ad < 2; ad++)
                ANSWER(SKAN_OK, skan_update_revenue(engine, install, 999999999999.123, currency, ad, NULL, &failure));
            ANSWER(SKAN_OK, skan_update_revenue(engine, install, 0, currency, false, id, &failure));
            char name[33];
            snprintf(name, sizeof name, "event %026d", i);
            SETTLE(skan_update_conversion_values(engine, install, name, id, NULL, NULL, &failure));
        }
    }
    char *explained = NULL;
    ANSWER(SKAN_OK, skan_explain(engine, install, &explained, &failure));
    EXPECT(strstr(explained, "\"event 00000000000000000000000063\":1}") != NULL, "%s", explained);
    skan_free(explained);
    EXPECT(host_store_find(&records, install)->length + 64 * 4 <= SKAN_RECORD_MAX, "%zu bytes",
           host_store_find(&records, install)->length);
    skan_destroy(engine);
    skan_model_destroy(model);
    host_store_end(&records);
    free(json);
}

static void names_may_hold_quotes(const void *subject) {
    (void)subject;
    skan_model *model = model_of("{\"schema\":1,\"id\":\"a \\\"b\\\\ c\",\"windows\":[{\"rules\":[{\"fine\":1,\"when\":"
                                 "{\"events\":[{\"name\":\"\\\"x\\\\\"}]}}]},{\"rules\":[]},{\"rules\":[]}]}");
    skan *engine = engine_with(model, NULL);
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_conversion_values(engine, install, "\"x\\", NULL, NULL, NULL, &failure));
    char *json = NULL;
    ANSWER(SKAN_OK, skan_explain(engine, install, &json, &failure));
    EXPECT(strstr(json, "\"id\":\"a \\\"b\\\\ c\",") && strstr(json, "{\"\\\"x\\\\\":1}"), "%s", json);
    skan_free(json);
    skan_destroy(engine);
    skan_model_destroy(model);
}

int main(void) {
    run_case("NULL is refused", null_is_refused, NULL);
    run_case("what is no value is refused", what_is_no_value_is_refused, NULL);
    run_case("an engine keeps its models", an_engine_keeps_its_models, NULL);
    run_case("an engine has a transport or models", an_engine_has_a_transport_or_models, NULL);
    run_case("an endpoint and models share no install", an_endpoint_and_models_share_no_install, NULL);
    run_case("a conflict decides again", a_conflict_decides_again, NULL);
    run_case("the largest state fits a record", the_largest_state_fits_a_record, NULL);
    run_case("names may hold quotes", names_may_hold_quotes, NULL);
    return finish_cases();
}
