/*
 * Runs the traces of Tests/Vectors through skan.h and compares every step, field by field:
 *   vectors skan4.jsonl skan3.jsonl ...
 * Each trace runs three times: on a store of the host, where `reopen` destroys the engine and makes another; on the
 * library's own in-memory store, where an engine cannot be reopened and lives on; and again on the host's store with
 * skan_update_conversion_values in place of each request whose answer is applied next and once.
 */
#include "host.h"
#include "support.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const install = "install-1";

typedef enum manner { ON_HOST_STORE, IN_MEMORY, IN_ONE_CALL } manner;
static const char *const manner_names[] = {"on the host's store", "in memory", "in one call"};

typedef struct counts {
    size_t steps[3], one_calls;
} counts;
static counts *run_counts;

typedef struct named_ticket {
    const char *name;
    uint64_t ticket;
} named_ticket;

typedef struct run {
    const trace *trace;
    manner manner;
    host_clock clock;
    host_store store;
    skan *engine;
    uint64_t newest_ticket;
    named_ticket tickets[64];
    json_object *details;
    int64_t last_update_timestamp;
    /* what the transport hook expects and answers */
    const char *expected_url;
    json_object *answer;
} run;

static skan_status get(void *context, const char *url, skan_buffer *body) {
    run *run = context;
    EXPECT_TEXT(run->expected_url, url);
    size_t length = 0;
    void *bytes = step_body(run->answer, &length);
    skan_status status = skan_buffer_set(body, bytes, length);
    free(bytes);
    return status;
}

static void open_engine(run *run) {
    skan_clock clock = host_clock_hooks(&run->clock);
    skan_store store = host_store_hooks(&run->store);
    skan_transport transport = {sizeof transport, run, get, NULL};
    skan_options options = {.size = sizeof options,
                            .protocol = (uint32_t)run->trace->protocol,
                            .store = run->manner == IN_MEMORY ? NULL : &store,
                            .clock = &clock,
                            .transport = run->manner == IN_ONE_CALL ? &transport : NULL,
                            .sdk_key = "sdk_key_here",
                            .bundle_id = "com.example.game",
                            .app_version = "1.2.3"};
    ANSWER(SKAN_OK, skan_create(&options, &run->engine, &failure));
    run->newest_ticket = 0;
}

static const skan_device device = {.size = sizeof device,
                                   .os_version = "16.1",
                                   .idfv = "21DB6612-09B3-4ECC-84AC-B353B0AF1334",
                                   .idfa = "DFC5A647-9043-4699-B2A5-76F03A97064B"};

static int64_t seconds(const run *run) {
    int64_t seconds = run->clock.microseconds / 1000000;
    return run->clock.microseconds < seconds * 1000000 ? seconds - 1 : seconds;
}

/* -------------------------------------------------------------------------------------------------- expectations */

static void expect_answer(json_object *expected, skan_status status, const char *call) {
    settle(status, call, __FILE__, __LINE__);
    const char *name = member_text(expected, "status");
    EXPECT(strcmp(name, short_name(status)) == 0, "%s: expected %s, came %s: %s", call, name, short_name(status),
           failure_message());
    const char *reason = member(expected, "reason") ? member_text(expected, "reason") : NULL;
    if (reason && *reason)
        EXPECT_TEXT(reason, failure_message());
    else if (reason) /* the answer gave none */
        EXPECT(strstr(failure_message(), "neither a value nor a reason"), "%s: %s", call, failure_message());
}

static skan_update unwritten(void) {
    skan_update update;
    memset(&update, 0xA5, sizeof update);
    update.size = sizeof update;
    return update;
}

static int number_or(json_object *value, int none) {
    return value ? json_object_get_int(value) : none;
}

static void expect_update(run *run, json_object *expected, const skan_update *came, bool decided_now) {
    EXPECT_NUMBER(sizeof *came, came->size);
    json_object *update = member(expected, "update");
    if (!update) {
        EXPECT_NUMBER(0, came->id);
        EXPECT_NUMBER(0, came->window);
        EXPECT_NUMBER(0, came->fine_value);
        EXPECT_NUMBER(0, came->coarse_value);
        EXPECT_NUMBER(0, came->lock_window);
        EXPECT_NUMBER(0, came->timestamp);
        return;
    }
    if (decided_now) run->last_update_timestamp = seconds(run);
    EXPECT_NUMBER(json_object_get_int64(member(update, "id")), came->id);
    EXPECT_NUMBER(json_object_get_int(member(update, "window")), came->window);
    EXPECT_NUMBER(number_or(member(update, "fine_value"), -1), came->fine_value);
    EXPECT_NUMBER(number_or(member(update, "coarse_value"), -1), came->coarse_value);
    EXPECT_NUMBER(json_object_get_boolean(member(update, "lock_window")), came->lock_window);
    EXPECT_NUMBER(run->last_update_timestamp, came->timestamp);
}

static void expect_details(run *run, json_object *expected) {
    if (member(expected, "details")) run->details = member(expected, "details");
    char *came = NULL, *difference = NULL;
    ANSWER(SKAN_OK, skan_details(run->engine, install, &came, &failure));
    if (!is_details(run->details, came, &difference)) {
        EXPECT_TEXT(difference, came);
        free(difference);
    }
    skan_free(came);
}

static char *expected_url(json_object *expected) {
    char *query = encoded_query(member(expected, "query"));
    char *url = text_of("https://sdk-api-v1.singular.net%s?%s", member_text(expected, "path"), query);
    free(query);
    return url;
}

/* ---------------------------------------------------------------------------------------------------------- steps */

static named_ticket *ticket_named(run *run, const char *name) {
    static named_ticket none;
    none = (named_ticket){NULL, 0};
    if (!name) return &none;
    for (size_t i = 0; i < sizeof run->tickets / sizeof *run->tickets; i++) {
        if (!run->tickets[i].name) run->tickets[i].name = name;
        if (strcmp(run->tickets[i].name, name) == 0) return &run->tickets[i];
    }
    fprintf(stderr, "%s: more names of tickets than this runner keeps\n", run->trace->id);
    exit(2);
}

static void step_register(run *run, json_object *op, json_object *expected) {
    (void)op;
    skan_update update = unwritten();
    expect_answer(expected, skan_register(run->engine, install, &update, &failure), "register");
    expect_update(run, expected, &update, true);
}

static void step_revenue(run *run, json_object *op, json_object *expected) {
    expect_answer(expected,
                  skan_update_revenue(
                      run->engine, install, json_object_get_double(member(op, "amount")), member_text(op, "currency"),
                      json_object_get_boolean(member(op, "ad_monetization")), member_text(op, "event_id"), &failure),
                  "update_revenue");
}

static void step_request(run *run, json_object *op, json_object *expected) {
    char *url = (char *)run;
    uint64_t ticket = UINT64_MAX;
    skan_status status =
        skan_conversion_request(run->engine, install, member_text(op, "event"), &device, &url, &ticket, &failure);
    expect_answer(expected, status, "conversion_request");
    if (status != SKAN_OK) {
        EXPECT(url == NULL, "a refused request gives no URL");
        EXPECT_NUMBER(0, ticket);
        return;
    }
    char *wanted = expected_url(expected);
    EXPECT_TEXT(wanted, url);
    free(wanted);
    skan_free(url);
    EXPECT(ticket > run->newest_ticket, "ticket %llu after %llu", (unsigned long long)ticket,
           (unsigned long long)run->newest_ticket);
    EXPECT((int64_t)ticket >= run->clock.microseconds, "ticket %lld is below the clock's %lld", (long long)ticket,
           (long long)run->clock.microseconds);
    run->newest_ticket = ticket;
    ticket_named(run, member_text(op, "ticket"))->ticket = ticket;
}

static void step_apply(run *run, json_object *op, json_object *expected) {
    size_t length = 0;
    void *body = step_body(op, &length);
    skan_update update = unwritten();
    expect_answer(expected,
                  skan_apply_response(run->engine, install, ticket_named(run, member_text(op, "ticket"))->ticket, body,
                                      length, &update, &failure),
                  "apply_response");
    expect_update(run, expected, &update, true);
    free(body);
}

static void step_pending(run *run, json_object *op, json_object *expected) {
    (void)op;
    skan_update update = unwritten();
    expect_answer(expected, skan_pending_update(run->engine, install, &update, &failure), "pending_update");
    expect_update(run, expected, &update, false);
}

static void step_acknowledge(run *run, json_object *op, json_object *expected) {
    expect_answer(expected,
                  skan_acknowledge_update(run->engine, install, (uint64_t)json_object_get_int64(member(op, "id")),
                                          json_object_get_boolean(member(op, "delivered")), &failure),
                  "acknowledge_update");
}

static void step_metadata(run *run, json_object *op, json_object *expected) {
    (void)op;
    char *query = NULL;
    expect_answer(expected, skan_metadata(run->engine, install, &query, &failure), "metadata");
    char *wanted = encoded_query(member(expected, "query"));
    EXPECT_TEXT(wanted, query);
    free(wanted);
    skan_free(query);
}

static void step_details(run *run, json_object *op, json_object *expected) {
    (void)op;
    char *json = NULL;
    expect_answer(expected, skan_details(run->engine, install, &json, &failure), "details");
    skan_free(json);
}

static void step_import(run *run, json_object *op, json_object *expected) {
    size_t length = 0;
    void *body = step_body(op, &length);
    expect_answer(expected, skan_import_details(run->engine, install, body, length, &failure), "import_details");
    free(body);
}

static void step_forget(run *run, json_object *op, json_object *expected) {
    (void)op;
    expect_answer(expected, skan_forget(run->engine, install, &failure), "forget");
}

static void step_now(run *run, json_object *op, json_object *expected) {
    (void)expected;
    run->clock.microseconds = json_object_get_int64(member(op, "t")) * 1000000;
}

static void step_reopen(run *run, json_object *op, json_object *expected) {
    (void)op;
    (void)expected;
    run->clock.microseconds += 1000;
    if (run->manner == IN_MEMORY) return;
    skan_destroy(run->engine);
    open_engine(run);
}

static const struct {
    const char *name;
    void (*step)(run *run, json_object *op, json_object *expected);
} operations[] = {{"now", step_now},
                  {"register", step_register},
                  {"revenue", step_revenue},
                  {"request", step_request},
                  {"apply", step_apply},
                  {"pending", step_pending},
                  {"acknowledge", step_acknowledge},
                  {"metadata", step_metadata},
                  {"details", step_details},
                  {"import", step_import},
                  {"reopen", step_reopen},
                  {"forget", step_forget}};

/* --------------------------------------------------------------------------------------------------- whole traces */

static json_object *part(const trace *trace, size_t index, const char *key) {
    return index < json_object_array_length(trace->steps) ? member(json_object_array_get_idx(trace->steps, index), key)
                                                          : NULL;
}

static bool is_step(json_object *op, const char *name, const char *ticket) {
    return op && strcmp(member_text(op, "op"), name) == 0 && member(op, "ticket") &&
           strcmp(member_text(op, "ticket"), ticket) == 0;
}

/* Whether the step is a request that is answered by the next step and by no later one. */
static bool fits_one_call(const trace *trace, size_t index) {
    json_object *op = part(trace, index, "op");
    if (strcmp(member_text(op, "op"), "request") != 0) return false;
    const char *ticket = member_text(op, "ticket");
    if (strcmp(member_text(part(trace, index, "expect"), "status"), "OK") != 0) return false;
    if (!is_step(part(trace, index + 1, "op"), "apply", ticket)) return false;
    for (size_t later = index + 2; part(trace, later, "op"); later++) {
        if (is_step(part(trace, later, "op"), "apply", ticket)) return false;
        if (is_step(part(trace, later, "op"), "request", ticket) &&
            strcmp(member_text(part(trace, later, "expect"), "status"), "OK") == 0)
            return true;
    }
    return true;
}

static void one_call(run *run, size_t index) {
    json_object *request = part(run->trace, index, "op");
    json_object *expected = part(run->trace, index + 1, "expect");
    char *url = expected_url(part(run->trace, index, "expect"));
    run->expected_url = url;
    run->answer = part(run->trace, index + 1, "op");
    skan_update update = unwritten();
    expect_answer(expected,
                  skan_update_conversion_values(run->engine, install, member_text(request, "event"), NULL, &device,
                                                &update, &failure),
                  "update_conversion_values");
    expect_update(run, expected, &update, true);
    free(url);
    run_counts->one_calls++;
}

static void run_step(run *run, size_t index) {
    json_object *op = part(run->trace, index, "op");
    const char *name = member_text(op, "op");
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, name) == 0) {
            operations[i].step(run, op, part(run->trace, index, "expect"));
            return;
        }
    EXPECT(false, "no such operation: %s", name);
}

static void run_trace_in(const trace *trace, manner manner) {
    run run = {.trace = trace, .manner = manner};
    host_store_init(&run.store);
    json_object *before = empty_details(trace->protocol);
    run.details = before;
    open_engine(&run);
    for (size_t index = 0; part(trace, index, "op"); index++) {
        in_round("%s, step %zu %s", manner_names[manner], index, json_object_to_json_string(part(trace, index, "op")));
        if (manner == IN_ONE_CALL && fits_one_call(trace, index)) {
            one_call(&run, index++);
            run_counts->steps[manner]++;
        } else {
            run_step(&run, index);
        }
        expect_details(&run, part(trace, index, "expect"));
        run_counts->steps[manner]++;
    }
    in_round("%s", manner_names[manner]);
    skan_destroy(run.engine);
    json_object_put(before);
    host_store_end(&run.store);
}

static void run_trace(const void *subject) {
    run_trace_in(subject, ON_HOST_STORE);
    run_trace_in(subject, IN_MEMORY);
    run_trace_in(subject, IN_ONE_CALL);
}

static bool every_step_was_run(size_t steps) {
    bool all = true;
    for (manner manner = ON_HOST_STORE; manner <= IN_ONE_CALL; manner++)
        all = EXPECT_NUMBER(steps, run_counts->steps[manner]) && all;
    return all;
}

int main(int count, char **paths) {
    if (count < 2) {
        fprintf(stderr, "usage: %s vectors.jsonl ...\n", paths[0]);
        return 2;
    }
    run_counts = shared_memory(sizeof *run_counts);
    bool complete = true;
    for (int i = 1; i < count; i++) {
        trace_file file = trace_file_read(paths[i]);
        memset(run_counts, 0, sizeof *run_counts);
        for (size_t j = 0; j < file.count; j++) run_case(file.traces[j].id, run_trace, &file.traces[j]);
        complete = every_step_was_run(file.steps) && complete;
        printf("%s: %zu traces, %zu steps; %zu requests in one call\n", paths[i], file.count, file.steps,
               run_counts->one_calls);
        trace_file_end(&file);
    }
    int status = finish_cases();
    return complete ? status : 1;
}
