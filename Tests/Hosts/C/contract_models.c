/* What skan.h promises of conversion models beside what they decide: arguments, ownership, protocols. */
#define _GNU_SOURCE
#include "contract.h"

#include <skan/model.h>

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

static skan_engine *engine_with(skan_model *model) {
    const skan_options options = options_with(&model, 1);
    skan_engine *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    return engine;
}

static skan_status get_nothing(void *context, const char *url, skan_buffer *body) {
    (void)context, (void)url, (void)body;
    return SKAN_OK;
}

CASE(null_is_refused) {
    skan_model *model = model_of(two_sessions), *three = model_of(skan3), *out = model;
    char *json = (char *)model;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_create(two_sessions, 3, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_create(NULL, 3, &out, &failure));
    EXPECT(out == NULL, "a refused call gives a model");
    out = model;
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_model_create(NULL, 0, &out, &failure));
    EXPECT(out == NULL, "a refused call gives a model");
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_model_create(two_sessions, SIZE_MAX, &out, &failure));
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_model_create(two_sessions, SKAN_MODEL_MAX + 1, &out, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_decode(three, 1, 5, -1, &json, &failure));
    EXPECT(json == NULL, "a refused call gives a document");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_decode(NULL, 0, 5, -1, &json, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_model_decode(model, 0, 5, -1, NULL, &failure));
    EXPECT(skan_model_version(NULL) == NULL, "NULL has a version");
    skan_model_destroy(NULL);
    skan_engine *engine = engine_with(model);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_explanation(engine, install, 0, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_explanation(NULL, install, 0, &json, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_explanation(engine, "", 0, &json, &failure));
    skan_destroy(engine);
    skan_model_destroy(three);
    skan_model_destroy(model);
}

CASE(an_engine_keeps_its_models) {
    skan_model *model = model_of(two_sessions);
    char version[65] = "";
    EXPECT_NUMBER(64, strlen(skan_model_version(model)));
    memcpy(version, skan_model_version(model), sizeof version);
    skan_engine *first = engine_with(model), *second = engine_with(model);
    skan_model_destroy(model);
    skan_destroy(first);
    ANSWER(SKAN_OK, skan_register(second, install, NULL, NULL, &failure));
    ANSWER(SKAN_NO_NEW_VALUE, skan_update_conversion_values(second, install, NULL, NULL, &failure));
    skan_update update = {.size = sizeof update};
    ANSWER(SKAN_OK, skan_update_conversion_values(second, install, NULL, &update, &failure));
    EXPECT_NUMBER(5, update.fine_value);
    char *json = NULL, *start = text_of("{\"model\":\"%s\",\"id\":\"two\",\"window\":0,", version);
    ANSWER(SKAN_OK, skan_explanation(second, install, 0, &json, &failure));
    EXPECT(strncmp(json, start, strlen(start)) == 0, "expected %s..., got %s", start, json);
    skan_free(json);
    skan_destroy(second);
}

CASE(an_engine_has_a_transport_or_models) {
    skan_model *models[] = {model_of(two_sessions), model_of(skan3), NULL};
    skan_transport transport = {sizeof transport, NULL, get_nothing, NULL};
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
        {options_with(models, 1), "expected models or a transport, got both"},
    };
    refused[6].options.protocol = 3;
    refused[7].options.transport = &transport;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        skan_engine *engine = (skan_engine *)models;
        in_round("number %zu", i);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&refused[i].options, &engine, &failure));
        EXPECT(engine == NULL, "an engine");
        EXPECT(strstr(failure_message(), refused[i].message) != NULL, "%s", failure_message());
    }
    in_round("%s", "");
    skan_options none = options_with(models, 0);
    none.endpoint_url = "https://skan.example.com";
    none.transport = &transport;
    skan_engine *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&none, &engine, &failure));
    char *json = NULL;
    ANSWER(SKAN_ERROR_MISUSE, skan_explanation(engine, install, 0, &json, &failure));
    skan_destroy(engine);

    engine = engine_with(models[0]);
    char *url = (char *)models;
    uint64_t ticket = 7;
    ANSWER(SKAN_ERROR_MISUSE, skan_conversion_request(engine, install, NULL, &url, &ticket, &failure));
    EXPECT(url == NULL && ticket == 0, "a refused request gives a URL or a ticket");
    ANSWER(SKAN_ERROR_MISUSE, skan_apply_response(engine, install, NULL, 0, NULL, 0, NULL, &failure));
    skan_destroy(engine);
    skan_model_destroy(models[0]);
    skan_model_destroy(models[1]);
}
