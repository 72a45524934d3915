/* What skan.h promises of re-engagements beside what they decide: arguments, sizes, protocols, the greatest record. */
#define _GNU_SOURCE
#include "contract.h"

#include <skan/model.h>
#include <skan/reengagement.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char install[] = "install-1";
static const char returns[] =
    "{\"schema\":1,\"id\":\"returns\",\"conversion\":\"re-engagement\",\"windows\":[{\"rules\":[{\"fine\":0,"
    "\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]}]}";
static const char installs[] =
    "{\"schema\":1,\"id\":\"installs\",\"windows\":[{\"rules\":[{\"fine\":5}]},{\"rules\":[]},{\"rules\":[]}]}";

static skan_model *model_of(const char *json) {
    skan_model *model = NULL;
    ANSWER(SKAN_OK, skan_model_create(json, strlen(json), &model, &failure));
    return model;
}

static skan_options options_for(skan_model *const *models, size_t count) {
    return (skan_options){.size = sizeof(skan_options), .reengagement_models = models, .reengagement_model_count = count};
}

static skan_engine *engine_with(skan_model *model) {
    const skan_options options = options_for(&model, model ? 1 : 0);
    skan_engine *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    return engine;
}

static skan_reengagement_report report_of(const char *open_id) {
    return (skan_reengagement_report){.size = sizeof(skan_reengagement_report), .open_id = open_id};
}

static skan_call room[SKAN_CALLS_MAX];

CASE(options_for_reengagements_are_checked) {
    skan_model *model = model_of(returns), *other = model_of(installs);
    skan_engine *engine = (skan_engine *)model;
    skan_options options = options_for(&other, 1);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&options, &engine, &failure));
    EXPECT(strstr(failure_message(), "reengagement_models: expected models for re-engagements, number 0 is for installs"),
           "%s", failure_message());
    options = (skan_options){.size = sizeof options, .models = &model, .model_count = 1};
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&options, &engine, &failure));
    options = options_for(NULL, 1);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&options, &engine, &failure));
    options = options_for(&model, SKAN_MODELS_MAX + 1);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&options, &engine, &failure));
    options = options_for(&model, 1);
    options.reengagement_credit = 2;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&options, &engine, &failure));
    options.reengagement_credit = SKAN_CREDIT_NEWEST;
    options.reengagement_cooldown_hours = SKAN_COOLDOWN_HOURS_MAX + 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&options, &engine, &failure));
    options.protocol = 3;
    options.reengagement_cooldown_hours = SKAN_COOLDOWN_HOURS_MAX;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&options, &engine, &failure));
    options.protocol = 4;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    skan_destroy(engine);
    skan_model_destroy(model);
    skan_model_destroy(other);
}

CASE(arguments_of_reengagements_are_checked) {
    skan_model *model = model_of(returns);
    skan_engine *engine = engine_with(model);
    skan_reengagement_report report = report_of("open");
    uint32_t number = 77;
    size_t count = 77;
    char *json = (char *)model;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_reengage(engine, install, NULL, &number, &failure));
    EXPECT(number == 0, "a refused report has the number %u", number);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_reengage(NULL, install, &report, &number, &failure));
    report.size = 8;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_reengage(engine, install, &report, &number, &failure));
    report = report_of("open");
    report.tag = "a secret\n";
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_reengage(engine, install, &report, &number, &failure));
    EXPECT(!strstr(failure_message(), "secret"), "%s", failure_message());

    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           skan_pending_calls(engine, install, NULL, room, SKAN_CALLS_MAX, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_pending_calls(engine, install, NULL, NULL, 1, &count, &failure));
    room[0].size = 8;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           skan_pending_calls(engine, install, NULL, room, SKAN_CALLS_MAX, &count, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_pending_calls_json(engine, install, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_acknowledge_calls(engine, install, NULL, 1, &failure));
    ANSWER(SKAN_OK, skan_acknowledge_calls(engine, install, NULL, 0, &failure));
    skan_acknowledgement result = {.size = sizeof result, .id = 1, .result = 4};
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_acknowledge_calls(engine, install, &result, 1, &failure));
    result.result = SKAN_CALL_DELIVERED;
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_acknowledge_calls(engine, install, &result, SKAN_BATCH_MAX + 1, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_acknowledge_calls(engine, install, &result, SIZE_MAX, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_end_reengagement(engine, install, 0, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_reengagements(engine, install, NULL, &failure));
    ANSWER(SKAN_ERROR_MISUSE, skan_explanation(engine, install, 0, &json, &failure));
    EXPECT(json == NULL, "a refused call gives a document");
    EXPECT(strstr(failure_message(), "conversion models") != NULL, "0 is the install: %s", failure_message());
    json = (char *)model;
    ANSWER(SKAN_NOT_FOUND, skan_explanation(engine, install, 1, &json, &failure));
    EXPECT(json == NULL, "nothing is found, and gives a document");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_explanation(engine, install, 1, NULL, &failure));
    skan_destroy(engine);
    skan_model_destroy(model);
}

/* A newer caller's report is taken if what is unknown in it is zero. */
CASE(a_report_has_a_legal_size) {
    skan_model *model = model_of(returns);
    skan_engine *engine = engine_with(model);
    const size_t known = sizeof(skan_reengagement_report);
    union {
        skan_reengagement_report report;
        unsigned char bytes[1032];
    } given = {.report = report_of("open")};
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, NULL, &failure));
    for (size_t size = 0; size <= 1025; size++) {
        const bool is_legal = size >= known && size <= 1024;
        uint32_t number = 77;
        in_round("size %zu", size);
        given.report.size = size;
        ANSWER(!is_legal ? SKAN_ERROR_INVALID_ARGUMENT : size == known ? SKAN_OK : SKAN_DUPLICATE_EVENT,
               skan_reengage(engine, install, &given.report, &number, &failure));
        EXPECT_NUMBER(is_legal ? 1 : 0, number);
        if (!is_legal) EXPECT_MESSAGE("report");
        if (!is_legal || size == known) continue;
        given.bytes[size - 1] = 1;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_reengage(engine, install, &given.report, &number, &failure));
        EXPECT_MESSAGE("report");
        given.bytes[size - 1] = 0;
        given.bytes[size] = 1; /* no part of it */
        ANSWER(SKAN_DUPLICATE_EVENT, skan_reengage(engine, install, &given.report, &number, &failure));
        given.bytes[size] = 0;
    }
    skan_destroy(engine);
    skan_model_destroy(model);
}

/* A newer caller's call has a tail, which is written, not read. Calls follow each other, so sizes are multiples of 8. */
CASE(the_calls_of_a_list_have_the_size_of_a_newer_caller) {
    skan_model *model = model_of(returns);
    skan_engine *engine = engine_with(model);
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, NULL, &failure));
    for (size_t more = 0; more <= 24; more++) {
        const size_t size = sizeof(skan_call) + more;
        unsigned char list[3 * (sizeof(skan_call) + 24)];
        in_round("size %zu", size);
        memset(list, 0xA5, sizeof list);
        memcpy(list, &size, sizeof size);
        size_t count = 0;
        skan_status status = SETTLE(skan_pending_calls(engine, install, NULL, (void *)list, 2, &count, &failure));
        if (size % 8 != 0) {
            EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, status);
            EXPECT_MESSAGE("out");
            continue;
        }
        EXPECT_STATUS(SKAN_OK, status);
        for (size_t i = 0; i < 2; i++) {
            skan_call call;
            memcpy(&call, list + i * size, sizeof call);
            EXPECT(call.size == size && call.framework == (int)i && !*call.tag, "call %zu is wrong", i);
            for (size_t at = sizeof call; at < size; at++)
                EXPECT(list[i * size + at] == 0, "byte %zu of the tail of call %zu is not 0", at, i);
        }
        EXPECT(list[2 * size] == 0xA5, "what follows the calls was written");
    }
    skan_destroy(engine);
    skan_model_destroy(model);
}

/* The tail of each is read: one that is not zero says something that this library does not know. */
CASE(the_results_of_a_list_have_the_size_of_a_newer_caller) {
    skan_model *model = model_of(returns);
    skan_engine *engine = engine_with(model);
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, NULL, &failure));
    const size_t known = sizeof(skan_acknowledgement);
    for (size_t size = known; size <= known + 16; size++)
        for (int wrong = 0; wrong < 3; wrong++) {
            unsigned char list[2 * (sizeof(skan_acknowledgement) + 16)] = {0};
            in_round("size %zu, %d", size, wrong);
            for (size_t i = 0; i < 2; i++) {
                const skan_acknowledgement result = {.size = size, .id = 77, .result = SKAN_CALL_DELIVERED};
                memcpy(list + i * size, &result, sizeof result);
            }
            if (wrong) list[(size_t)wrong * size - 1] = 1;
            bool is_legal = size % 8 == 0 && (wrong == 0 || size == known);
            if (wrong && size == known) continue;
            ANSWER(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT,
                   skan_acknowledge_calls(engine, install, (const void *)list, 2, &failure));
        }
    skan_destroy(engine);
    skan_model_destroy(model);
}

CASE(a_list_without_room_says_how_many_calls_there_are) {
    skan_model *model = model_of(returns);
    skan_engine *engine = engine_with(model);
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, NULL, &failure));
    size_t count = 0;
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_pending_calls(engine, install, NULL, NULL, 0, &count, &failure));
    EXPECT(count == 2, "%zu calls", count);
    room[0].size = sizeof *room;
    ANSWER(SKAN_OK, skan_pending_calls(engine, install, NULL, room, 2, &count, &failure));
    EXPECT(count == 2 && room[0].framework == 0 && room[1].framework == 1, "%zu calls", count);
    char *json = NULL;
    ANSWER(SKAN_OK, skan_pending_calls_json(engine, install, NULL, &json, &failure));
    EXPECT(strncmp(json, "{\"valid_seconds\":172", 20) == 0, "%s", json);
    skan_free(json);
    const skan_acknowledgement result = {.size = sizeof result, .id = room[0].id, .result = SKAN_CALL_DELIVERED};
    ANSWER(SKAN_OK, skan_acknowledge_calls(engine, install, &result, 1, &failure));
    ANSWER(SKAN_NOTHING_PENDING, skan_pending_calls_json(engine, install, NULL, &json, &failure));
    EXPECT_TEXT("{\"valid_seconds\":null,\"calls\":[]}", json);
    skan_free(json);
    skan_destroy(engine);
    skan_model_destroy(model);
}

CASE(reengagements_are_misuse_in_skan_3) {
    const skan_options options = {
        .size = sizeof options, .protocol = 3, .endpoint_url = "https://skan.example.com"};
    skan_engine *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    const skan_reengagement_report report = report_of("open");
    char *json = NULL;
    ANSWER(SKAN_ERROR_MISUSE, skan_reengage(engine, install, &report, NULL, &failure));
    ANSWER(SKAN_ERROR_MISUSE, skan_update_conversion_values(engine, install, EVENT(.reengagement = 1), NULL, &failure));
    ANSWER(SKAN_ERROR_MISUSE, skan_end_reengagement(engine, install, 1, &failure));
    ANSWER(SKAN_ERROR_MISUSE, skan_reengagements(engine, install, &json, &failure));
    ANSWER(SKAN_ERROR_MISUSE, skan_explanation(engine, install, 1, &json, &failure));
    EXPECT(json == NULL, "a refused call gives a document");
    skan_destroy(engine);
}

/* What the app is handed in SKAN 3: one call to SKAdNetwork, with nothing that SKAN 4 brought. */
CASE(a_list_of_skan_3_is_one_call_to_skadnetwork) {
    host *host = host_make();
    host->options.protocol = 3;
    host_open(host);
    size_t count = 77;
    ANSWER(SKAN_OK, skan_register(host->engine, install, NULL, NULL, &failure));
    ANSWER(SKAN_NOTHING_PENDING, skan_pending_calls(host->engine, install, NULL, NULL, 0, &count, &failure));
    EXPECT_NUMBER(0, count);
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, install, NULL, NULL, &failure));
    room[0].size = sizeof *room;
    ANSWER(SKAN_OK, skan_pending_calls(host->engine, install, NULL, room, SKAN_CALLS_MAX, &count, &failure));
    EXPECT_NUMBER(1, count);
    const skan_call *call = &room[0];
    EXPECT_NUMBER(NOW * INT64_C(1000000) + 1, call->id);
    EXPECT_NUMBER(0, call->conversion);
    EXPECT_NUMBER(SKAN_SKADNETWORK, call->framework);
    EXPECT_NUMBER(SKAN_CONVERSION_NONE, call->conversion_type);
    EXPECT_NUMBER(0, call->window);
    EXPECT_NUMBER(7, call->fine_value);
    EXPECT_NUMBER(SKAN_COARSE_NONE, call->coarse_value);
    EXPECT(!call->lock_window && !*call->tag, "a lock or a tag");
    EXPECT_NUMBER(NOW, call->timestamp);
    const skan_acknowledgement result = {.size = sizeof result, .id = call->id, .result = SKAN_CALL_DELIVERED};
    ANSWER(SKAN_OK, skan_acknowledge_calls(host->engine, install, &result, 1, &failure));
    ANSWER(SKAN_NOTHING_PENDING, skan_pending_calls(host->engine, install, NULL, NULL, 0, &count, &failure));
}

/* Whether "counts" is among the events of a re-engagement. */
static bool counts_for(skan_engine *engine, uint32_t number) {
    char *json = NULL, *part = text_of("{\"number\":%u,", number);
    ANSWER(SKAN_OK, skan_reengagements(engine, install, &json, &failure));
    const char *start = strstr(json, part), *next = start ? strstr(start + 1, "{\"number\":") : NULL;
    const char *found = start ? strstr(start, "\"counts\":") : NULL;
    bool counts = found && (!next || found < next);
    skan_free(json);
    return counts;
}

CASE(an_event_says_for_which_reengagement_it_counts) {
    static const struct {
        uint32_t reengagement;
        bool first, second;
    } cases[] = {{0, true, true}, {1, true, false}, {2, false, true}, {SKAN_INSTALL_ALONE, false, false}};
    static const char counting[] =
        "{\"schema\":1,\"id\":\"counting\",\"conversion\":\"re-engagement\",\"windows\":[{\"rules\":[{\"fine\":0,"
        "\"coarse\":0},{\"fine\":3,\"coarse\":1,\"when\":{\"events\":[{\"name\":\"counts\",\"min_count\":5}]}}]},"
        "{\"rules\":[{\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]}]}";
    skan_model *model = model_of(counting), *other = model_of(installs);
    const skan_options options = {.size = sizeof options,
                                  .models = &other,
                                  .model_count = 1,
                                  .reengagement_models = &model,
                                  .reengagement_model_count = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        in_round("re-engagement %u", cases[i].reengagement);
        skan_engine *engine = NULL;
        ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
        ANSWER(SKAN_OK, skan_register(engine, install, NULL, NULL, &failure));
        for (int number = 1; number <= 2; number++) {
            skan_reengagement_report report = report_of(number == 1 ? "one" : "two");
            report.tag = report.open_id;
            report.is_overlapping = true;
            ANSWER(SKAN_OK, skan_reengage(engine, install, &report, NULL, &failure));
        }
        const skan_event *event = EVENT(.name = "counts", .reengagement = cases[i].reengagement);
        skan_update update = unwritten_update();
        ANSWER(SKAN_OK, skan_update_conversion_values(engine, install, event, &update, &failure));
        EXPECT_NUMBER(5, update.fine_value); /* for the install in any case */
        EXPECT(counts_for(engine, 1) == cases[i].first && counts_for(engine, 2) == cases[i].second,
               "it counts for others");
        skan_destroy(engine);
    }
    skan_model_destroy(model);
    skan_model_destroy(other);
}

/* It decides for re-engagements alone, and has nobody to ask for the install. */
CASE(an_engine_of_reengagements_needs_no_endpoint) {
    skan_model *model = model_of(returns);
    skan_engine *engine = engine_with(model);
    char *url = (char *)model;
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_MISUSE, skan_conversion_request(engine, install, NULL, &url, NULL, &failure));
    EXPECT_MESSAGE("endpoint_url");
    EXPECT(url == NULL, "a refused request gives a URL");
    skan_destroy(engine);
    skan_model_destroy(model);
}
