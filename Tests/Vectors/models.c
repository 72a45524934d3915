/*
 * Runs Tests/Vectors/models through skan.h, on a store of the host's and in memory: every step of every trace, and
 * every document that is refused:
 *   vectors TOP invalid.jsonl told.jsonl random.jsonl ...
 */
#define _GNU_SOURCE
#include "host.h"
#include "support.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MODELS 4

static const char install[] = "install-1";
static const char *top;
static size_t *steps_run;

typedef struct run {
    const trace *trace;
    bool in_memory;
    host_store store;
    host_clock clock;
    skan *engine;
    skan_model *models[MOST_MODELS];
    size_t model_count;
    char *details;
} run;

static skan_model *model_of(json_object *json) {
    char *content = NULL;
    size_t length = 0;
    json_object *document = member(json, "document");
    if (document) {
        length = (size_t)json_object_get_string_len(document);
        content = strdup(json_object_get_string(document));
    } else {
        char *path = text_of("%s/%s", top, member_text(json, "file"));
        FILE *file = fopen(path, "rb");
        if (!file) {
            fprintf(stderr, "%s: cannot be opened\n", path);
            exit(2);
        }
        content = malloc(SKAN_MODEL_MAX);
        length = fread(content, 1, SKAN_MODEL_MAX, file);
        fclose(file);
        free(path);
    }
    skan_model *model = NULL;
    ANSWER(SKAN_OK, skan_model_create(content, length, &model, &failure));
    free(content);
    return model;
}

static void open_engine(run *run, json_object *listed) {
    skan_model *models[MOST_MODELS];
    size_t count = json_object_array_length(listed);
    for (size_t i = 0; i < count; i++)
        models[i] = run->models[json_object_get_int(json_object_array_get_idx(listed, i))];
    skan_store store = host_store_hooks(&run->store);
    skan_clock clock = host_clock_hooks(&run->clock);
    skan_options options = {.size = sizeof options,
                            .protocol = (uint32_t)run->trace->protocol,
                            .store = run->in_memory ? NULL : &store,
                            .clock = &clock,
                            .models = models,
                            .model_count = count};
    ANSWER(SKAN_OK, skan_create(&options, &run->engine, &failure));
}

static void expect_update(run *run, json_object *expected, const skan_update *came) {
    json_object *update = member(expected, "update");
    if (!update) {
        EXPECT_NUMBER(0, came->id);
        return;
    }
    EXPECT_NUMBER(json_object_get_int64(member(update, "id")), came->id);
    EXPECT_NUMBER(json_object_get_int(member(update, "window")), came->window);
    json_object *fine = member(update, "fine_value"), *coarse = member(update, "coarse_value");
    EXPECT_NUMBER(fine ? json_object_get_int(fine) : -1, came->fine_value);
    EXPECT_NUMBER(coarse ? json_object_get_int(coarse) : -1, came->coarse_value);
    EXPECT_NUMBER(json_object_get_boolean(member(update, "lock_window")), came->lock_window);
    json_object *timestamp = member(update, "timestamp");
    EXPECT_NUMBER(timestamp ? json_object_get_int64(timestamp) : run->clock.microseconds / 1000000, came->timestamp);
}

static void expect_document(json_object *expected, char *came) {
    const char *json = member_text(expected, "json");
    if (!json) {
        EXPECT(came == NULL, "a document where none is expected: %s", came);
    } else if (EXPECT(came != NULL, "no document")) {
        EXPECT_TEXT(json, came);
    }
    skan_free(came);
}

/* The status, whether it answers it, is the expected one. */
static void expect_name(json_object *expected, skan_status status) {
    EXPECT_TEXT(member_text(expected, "status"), short_name(status));
}

static int number_or(json_object *op, const char *key) {
    json_object *value = member(op, key);
    return value ? json_object_get_int(value) : -1;
}

static void run_step(run *run, json_object *op, json_object *expected) {
    const char *name = member_text(op, "op");
    skan_update update = {.size = sizeof update, .id = 77};
    char *json = NULL;
    if (strcmp(name, "now") == 0) {
        run->clock.microseconds = json_object_get_int64(member(op, "t")) * 1000000;
    } else if (strcmp(name, "register") == 0) {
        expect_name(expected, SETTLE(skan_register(run->engine, install, &update, &failure)));
        expect_update(run, expected, &update);
    } else if (strcmp(name, "update") == 0) {
        expect_name(expected, SETTLE(skan_update_conversion_values(run->engine, install, member_text(op, "event"),
                                                                   member_text(op, "event_id"), NULL, &update,
                                                                   &failure)));
        expect_update(run, expected, &update);
    } else if (strcmp(name, "revenue") == 0) {
        expect_name(expected,
                    SETTLE(skan_update_revenue(run->engine, install, strtod(member_text(op, "amount"), NULL),
                                               member_text(op, "currency"),
                                               json_object_get_boolean(member(op, "ad_monetization")), NULL,
                                               &failure)));
    } else if (strcmp(name, "explain") == 0) {
        expect_name(expected, SETTLE(skan_explain(run->engine, install, &json, &failure)));
        expect_document(expected, json);
    } else if (strcmp(name, "decode") == 0) {
        skan_status status =
            SETTLE(skan_model_decode(run->models[number_or(op, "model")], number_or(op, "window"),
                                     number_or(op, "fine"), number_or(op, "coarse"), &json, &failure));
        EXPECT_STATUS(member(expected, "json") ? SKAN_OK : SKAN_NOT_FOUND, status);
        expect_document(expected, json);
    } else if (strcmp(name, "import") == 0) {
        const char *body = member_text(op, "body");
        expect_name(expected, SETTLE(skan_import_details(run->engine, install, body, strlen(body), &failure)));
    } else if (strcmp(name, "forget") == 0) {
        expect_name(expected, SETTLE(skan_forget(run->engine, install, &failure)));
    } else if (strcmp(name, "reopen") == 0) {
        skan_destroy(run->engine);
        open_engine(run, member(op, "models"));
    } else {
        EXPECT(false, "no such operation: %s", name);
    }
}

static bool reopens(const trace *trace) {
    for (size_t i = 0; i < json_object_array_length(trace->steps); i++)
        if (strcmp(member_text(member(json_object_array_get_idx(trace->steps, i), "op"), "op"), "reopen") == 0)
            return true;
    return false;
}

static void run_trace_in(const trace *trace, bool in_memory) {
    run run = {.trace = trace, .in_memory = in_memory};
    host_store_init(&run.store);
    json_object *models = member(trace->line, "models");
    run.model_count = json_object_array_length(models);
    for (size_t i = 0; i < run.model_count; i++) run.models[i] = model_of(json_object_array_get_idx(models, i));
    open_engine(&run, member(trace->line, "listed"));
    ANSWER(SKAN_OK, skan_details(run.engine, install, &run.details, &failure));
    for (size_t i = 0; i < json_object_array_length(trace->steps); i++) {
        json_object *step = json_object_array_get_idx(trace->steps, i);
        json_object *op = member(step, "op"), *expected = member(step, "expect");
        in_round("%s, step %zu %s", in_memory ? "in memory" : "on a store", i, json_object_to_json_string(op));
        run_step(&run, op, expected);
        if (member(expected, "details")) {
            skan_free(run.details);
            run.details = strdup(member_text(expected, "details"));
        }
        char *details = NULL;
        ANSWER(SKAN_OK, skan_details(run.engine, install, &details, &failure));
        EXPECT_TEXT(run.details, details);
        skan_free(details);
        ++*steps_run;
    }
    in_round("%s", "");
    skan_free(run.details);
    for (size_t i = 0; i < run.model_count; i++) skan_model_destroy(run.models[i]);
    skan_destroy(run.engine);
    host_store_end(&run.store);
}

static void run_trace(const void *subject) {
    run_trace_in(subject, false);
    /* A new engine has a new memory. */
    if (!reopens(subject)) run_trace_in(subject, true);
}

static void refuse_document(const void *subject) {
    const trace *line = subject;
    size_t length = 0;
    void *body = step_body(line->line, &length);
    skan_model *model = (skan_model *)&length;
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_model_create(body, length, &model, &failure));
    EXPECT(model == NULL, "a refused document gives a model");
    char *start = text_of("model at \"%s\": ", member_text(line->line, "place"));
    EXPECT(strncmp(failure_message(), start, strlen(start)) == 0, "expected %s..., got %s", start, failure_message());
    EXPECT(strstr(failure_message(), member_text(line->line, "reason")) != NULL, "expected ...%s..., got %s",
           member_text(line->line, "reason"), failure_message());
    free(start);
    free(body);
}

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: %s TOP FILE.jsonl ...\n", arguments[0]);
        return 2;
    }
    top = arguments[1];
    steps_run = shared_memory(sizeof *steps_run);
    size_t steps = 0;
    for (int i = 2; i < count; i++) {
        trace_file file = trace_file_read(arguments[i]);
        bool has_steps = file.steps > 0;
        for (size_t j = 0; j < file.count; j++) {
            const trace *trace = &file.traces[j];
            run_case(trace->id, has_steps ? run_trace : refuse_document, trace);
            if (has_steps) steps += json_object_array_length(trace->steps) * (reopens(trace) ? 1 : 2);
        }
        printf("%s: %zu lines, %zu steps\n", arguments[i], file.count, file.steps);
        trace_file_end(&file);
    }
    int status = finish_cases();
    return *steps_run == steps ? status : 1;
}
