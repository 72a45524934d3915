/* Runs the vectors through skan.h: runner FOLDER TOGETHER TOP */
#include "host.h"
#include "support.h"
#include "traces.h"

#include <skan/model.h>
#include <skan/reengagement.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_MODELS = 4, MOST_ITEMS = 256 };

typedef struct run {
    const engine_of_trace *of;
    host_clock clock;
    host_store store;
    skan_engine *engine;
    skan_model *models[MOST_MODELS];
    uint64_t newest_ticket;
    json_object *tickets; /* by the names that the trace gives them */
    json_object *answer;  /* what the transport finds, */
    char *asked;          /* and the URL that it was asked for */
} run;

static const skan_device device = {.size = sizeof device,
                                   .os_version = "16.1",
                                   .idfv = "21DB6612-09B3-4ECC-84AC-B353B0AF1334",
                                   .idfa = "DFC5A647-9043-4699-B2A5-76F03A97064B"};

/* ----------------------------------------------------------------------------------------------------------- engine */

static skan_status get(void *context, const char *url, skan_buffer *body) {
    run *run = context;
    size_t length = 0;
    run->asked = text_of("%s", url);
    if (!member(run->answer, "body") && !member(run->answer, "body_b64")) return SKAN_ERROR_TRANSPORT;
    void *bytes = step_body(run->answer, &length);
    skan_status status = skan_buffer_set(body, bytes, length);
    free(bytes);
    return status;
}

/* The models with these numbers; answers how many. */
static size_t choose(run *run, json_object *numbers, skan_model **models) {
    size_t count = numbers ? json_object_array_length(numbers) : 0;
    for (size_t i = 0; i < count; i++)
        models[i] = run->models[json_object_get_int(json_object_array_get_idx(numbers, i))];
    return count;
}

static void open_engine(run *run, json_object *listed, json_object *reengagement_listed) {
    bool is_together = run->of->how == TOGETHER;
    skan_model *models[MOST_MODELS], *reengagement_models[MOST_MODELS];
    size_t count = choose(run, listed, models);
    size_t reengagement_count = choose(run, reengagement_listed, reengagement_models);
    bool has_transport = run->of->has_transport || (is_together && count == 0 && !reengagement_listed);
    skan_clock clock = host_clock_hooks(&run->clock);
    skan_store store = host_store_hooks(&run->store);
    store.load_many = is_together ? host_store_load_many : NULL;
    store.save_many = is_together ? host_store_save_many : NULL;
    skan_transport transport = {sizeof transport, run, get, NULL};
    skan_options options = {.size = sizeof options,
                            .protocol = run->of->protocol,
                            .store = run->of->how == IN_MEMORY ? NULL : &store,
                            .clock = &clock,
                            .transport = has_transport ? &transport : NULL,
                            .endpoint_url = ENDPOINT,
                            .sdk_key = "sdk_key_here",
                            .bundle_id = "com.example.game",
                            .app_version = "1.2.3",
                            .models = models,
                            .model_count = count,
                            .reengagement_models = reengagement_models,
                            .reengagement_model_count = reengagement_count,
                            .reengagement_credit = run->of->credits_newest ? SKAN_CREDIT_NEWEST : SKAN_CREDIT_ALL,
                            .reengagement_cooldown_hours = run->of->cooldown_hours};
    ANSWER(SKAN_OK, skan_create(&options, &run->engine, &failure));
    run->newest_ticket = 0;
}

static void *open_run(const engine_of_trace *of) {
    run *run = calloc(1, sizeof *run);
    if (!run) abort();
    run->of = of;
    run->tickets = json_object_new_object();
    host_store_init(&run->store);
    for (size_t i = 0; of->models && i < json_object_array_length(of->models); i++) {
        json_object *document = json_object_array_get_idx(of->models, i);
        ANSWER(SKAN_OK, skan_model_create(json_object_get_string(document),
                                          (size_t)json_object_get_string_len(document), &run->models[i], &failure));
    }
    open_engine(run, of->listed, of->reengagement_listed);
    return run;
}

static void close_run(void *context) {
    run *run = context;
    skan_destroy(run->engine);
    for (size_t i = 0; i < MOST_MODELS; i++) skan_model_destroy(run->models[i]);
    json_object_put(run->tickets);
    host_store_end(&run->store);
    free(run);
}

static char *details_of_run(void *context, const char *install) {
    char *json = NULL;
    ANSWER(SKAN_OK, skan_details(((run *)context)->engine, install, &json, &failure));
    char *details = text_of("%s", json);
    skan_free(json);
    return details;
}

/* ------------------------------------------------------------------------------------------------------- operations */

static skan_update unwritten(void) {
    skan_update update;
    memset(&update, 0xA5, sizeof update);
    update.size = sizeof update;
    return update;
}

/* A text that a call gave, under `key`; the answer has none where it gave none. */
static json_object *with_text(json_object *answer, const char *key, char *text) {
    if (text) json_object_object_add(answer, key, json_object_new_string(text));
    skan_free(text);
    return answer;
}

static json_object *call_now(run *run, json_object *op) {
    run->clock.microseconds = member_number(op, "t", 0) * 1000000;
    return json_object_new_object();
}

static json_object *call_reopen(run *run, json_object *op) {
    run->clock.microseconds += 1000;
    if (run->of->how == IN_MEMORY) return status_answer(SKAN_OK);
    skan_destroy(run->engine);
    json_object *models = member(op, "models"), *reengagement_models = member(op, "reengagement_models");
    open_engine(run, models ? models : run->of->listed,
                reengagement_models ? reengagement_models : run->of->reengagement_listed);
    return status_answer(SKAN_OK);
}

static json_object *call_register(run *run, json_object *op) {
    const skan_registration registration = {.size = sizeof registration,
                                            .first_launch = member_number(op, "first_launch", 0),
                                            .begins_again = member_flag(op, "begins_again"),
                                            .keeps_revenue = member_flag(op, "keeps_revenue")};
    const bool is_plain = !registration.first_launch && !registration.begins_again;
    skan_update update = unwritten();
    skan_status status = SETTLE(
        skan_register(run->engine, install_of(op), is_plain ? NULL : &registration, &update, &failure));
    return update_answer(status, &update);
}

/* Also of an event, whose amount may be absent. */
static skan_amount amount_of(json_object *op) {
    return (skan_amount){member_text(op, "amount_text"), json_object_get_double(member(op, "amount"))};
}

static int32_t kind_of(json_object *op) {
    return member_flag(op, "ad_monetization") ? SKAN_AD : SKAN_IAP;
}

static skan_revenue revenue_of(json_object *op) {
    return (skan_revenue){.size = sizeof(skan_revenue),
                          .install_id = install_of(op),
                          .amount = amount_of(op),
                          .currency = member_text(op, "currency"),
                          .event_id = member_text(op, "event_id"),
                          .kind = kind_of(op),
                          .reengagement = (uint32_t)member_number(op, "reengagement", 0)};
}

/* An amount for a re-engagement is the only one of its call. */
static json_object *call_revenue(run *run, json_object *op) {
    skan_revenue item = revenue_of(op);
    if (!item.reengagement)
        return status_answer(SETTLE(skan_update_revenue(run->engine, item.install_id, item.amount, item.currency,
                                                        item.kind, item.event_id, &failure)));
    skan_status status = -1, all = SETTLE(skan_update_revenue_many(run->engine, &item, 1, &status, &failure));
    EXPECT_STATUS(status < 100 ? SKAN_OK : status, all);
    return status_answer(status);
}

static json_object *call_revenue_many(run *run, json_object *op) {
    json_object *given = member(op, "items");
    size_t count = json_object_array_length(given);
    skan_revenue items[MOST_ITEMS];
    skan_status statuses[MOST_ITEMS];
    for (size_t i = 0; i < count; i++) {
        items[i] = revenue_of(json_object_array_get_idx(given, i));
        statuses[i] = -1;
    }
    json_object *answer =
        status_answer(SETTLE(skan_update_revenue_many(run->engine, items, count, statuses, &failure)));
    json_object *names = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        json_object *single = status_answer(statuses[i]);
        json_object_array_add(names, json_object_get(member(single, "status")));
        json_object_put(single);
    }
    json_object_object_add(answer, "statuses", names);
    return answer;
}

static json_object *call_request(run *run, json_object *op) {
    char *url = (char *)run;
    uint64_t ticket = UINT64_MAX;
    const skan_event *event = EVENT(.name = member_text(op, "event"), .device = &device);
    skan_status status =
        SETTLE(skan_conversion_request(run->engine, install_of(op), event, &url, &ticket, &failure));
    if (status != SKAN_OK) {
        EXPECT(url == NULL && ticket == 0, "a refused request gives a URL or a ticket");
        return status_answer(status);
    }
    EXPECT(ticket > run->newest_ticket && (int64_t)ticket >= run->clock.microseconds,
           "ticket %lld after %lld at %lld", (long long)ticket, (long long)run->newest_ticket,
           (long long)run->clock.microseconds);
    run->newest_ticket = ticket;
    json_object_object_add(run->tickets, member_text(op, "ticket"), json_object_new_int64((int64_t)ticket));
    return with_text(status_answer(status), "url", url);
}

static json_object *call_apply(run *run, json_object *op) {
    size_t length = 0;
    void *body = step_body(op, &length);
    skan_update update = unwritten();
    const char *name = member_text(op, "ticket");
    uint64_t ticket = name ? (uint64_t)member_number(run->tickets, name, 0) : 0;
    skan_status status =
        SETTLE(skan_apply_response(run->engine, install_of(op), NULL, ticket, body, length, &update, &failure));
    free(body);
    return update_answer(status, &update);
}

/* The event of an operation, with the money that came with it. */
static skan_event event_of(json_object *op, uint32_t reengagement) {
    skan_event event = {.size = sizeof event,
                        .name = member_text(op, "event"),
                        .event_id = member_text(op, "event_id"),
                        .device = &device,
                        .reengagement = reengagement};
    if (member(op, "amount")) {
        event.currency = member_text(op, "currency");
        event.amount = amount_of(op);
        event.kind = kind_of(op);
    }
    return event;
}

/* By the install's model, or by the endpoint, whose answer is the operation's body. */
static json_object *call_update(run *run, json_object *op) {
    skan_update update = unwritten();
    run->answer = op;
    const skan_event event = event_of(op, run->of->reengagement_listed ? SKAN_INSTALL_ALONE : 0);
    skan_status status =
        SETTLE(skan_update_conversion_values(run->engine, install_of(op), &event, &update, &failure));
    json_object *answer = update_answer(status, &update);
    if (run->asked) json_object_object_add(answer, "url", json_object_new_string(run->asked));
    free(run->asked);
    run->asked = NULL;
    return answer;
}

static json_object *call_update_all(run *run, json_object *op) {
    run->answer = op;
    const skan_event event = event_of(op, (uint32_t)member_number(op, "reengagement", 0));
    skan_update update = unwritten();
    skan_status status =
        SETTLE(skan_update_conversion_values(run->engine, install_of(op), &event, &update, &failure));
    EXPECT(status == SKAN_OK || update.id == 0, "an update with %s", skan_status_name(status));
    free(run->asked);
    run->asked = NULL;
    return status_answer(status);
}

static const skan_device *device_of(json_object *op, skan_device *device) {
    *device = (skan_device){.size = sizeof *device, .os_version = member_text(op, "os_version")};
    return device->os_version ? device : NULL;
}

static json_object *call_reengage(run *run, json_object *op) {
    skan_device device;
    skan_reengagement_report report = {.size = sizeof report,
                                .open_id = member_text(op, "open_id"),
                                .tag = member_text(op, "tag"),
                                .reference = member_text(op, "reference"),
                                .opened_at = member_number(op, "opened_at", 0),
                                .is_started = member_flag(op, "is_started"),
                                .is_overlapping = member_flag(op, "is_overlapping"),
                                .device = device_of(op, &device)};
    uint32_t number = 99;
    json_object *answer =
        status_answer(SETTLE(skan_reengage(run->engine, install_of(op), &report, &number, &failure)));
    if (number) json_object_object_add(answer, "number", json_object_new_int64(number));
    return answer;
}

static json_object *call_calls(run *run, json_object *op) {
    skan_device device;
    skan_call calls[SKAN_CALLS_MAX];
    memset(calls, 0xA5, sizeof calls);
    calls[0].size = sizeof *calls;
    size_t count = 99;
    json_object *answer = status_answer(SETTLE(skan_pending_calls(
        run->engine, install_of(op), device_of(op, &device), calls, SKAN_CALLS_MAX, &count, &failure)));
    json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        EXPECT(calls[i].size == sizeof *calls, "the size of call %zu is %zu", i, calls[i].size);
        json_object_array_add(list, call_answer(&calls[i]));
    }
    json_object_object_add(answer, "calls", list);
    return answer;
}

static json_object *call_acknowledge_calls(run *run, json_object *op) {
    json_object *given = member(op, "results");
    size_t count = json_object_array_length(given);
    skan_acknowledgement results[MOST_ITEMS];
    for (size_t i = 0; i < count; i++) {
        json_object *result = json_object_array_get_idx(given, i);
        results[i] = (skan_acknowledgement){.size = sizeof *results,
                                            .id = (uint64_t)member_number(result, "id", 0),
                                            .result = call_result(member_text(result, "result"))};
    }
    return status_answer(SETTLE(skan_acknowledge_calls(run->engine, install_of(op), results, count, &failure)));
}

static json_object *call_end(run *run, json_object *op) {
    return status_answer(SETTLE(skan_end_reengagement(run->engine, install_of(op),
                                                      (uint32_t)member_number(op, "number", 0), &failure)));
}

static json_object *call_reengagements(run *run, json_object *op) {
    char *json = NULL;
    skan_status status = SETTLE(skan_reengagements(run->engine, install_of(op), &json, &failure));
    return with_text(status_answer(status), "json", json);
}

static json_object *call_explain_reengagement(run *run, json_object *op) {
    const uint32_t number = (uint32_t)member_number(op, "number", 0);
    if (number == 0) return status_answer(SKAN_ERROR_INVALID_ARGUMENT); /* in C this is the install */
    char *json = NULL;
    skan_status status = SETTLE(skan_explanation(run->engine, install_of(op), number, &json, &failure));
    return with_text(status_answer(status), "json", json);
}

static json_object *call_explain(run *run, json_object *op) {
    char *json = NULL;
    skan_status status = SETTLE(skan_explanation(run->engine, install_of(op), 0, &json, &failure));
    return with_text(status_answer(status), "json", json);
}

static json_object *call_decode(run *run, json_object *op) {
    char *json = NULL;
    skan_status status = SETTLE(skan_model_decode(
        run->models[member_number(op, "model", 0)], (int)member_number(op, "window", 0),
        (int)member_number(op, "fine", -1), (int)member_number(op, "coarse", -1), &json, &failure));
    EXPECT_STATUS(json ? SKAN_OK : SKAN_NOT_FOUND, status);
    return with_text(json_object_new_object(), "json", json);
}

static json_object *call_model(run *run, json_object *op) {
    size_t length = 0;
    void *body = step_body(op, &length);
    skan_model *model = (skan_model *)run;
    skan_status status = SETTLE(skan_model_create(body, length, &model, &failure));
    EXPECT((model != NULL) == (status == SKAN_OK), "a refused document gives a model");
    skan_model_destroy(model);
    free(body);
    return status_answer(status);
}

static json_object *call_pending(run *run, json_object *op) {
    skan_call calls[SKAN_CALLS_MAX] = {{.size = sizeof *calls}};
    size_t count = 0;
    skan_status status = SETTLE(
        skan_pending_calls(run->engine, install_of(op), NULL, calls, SKAN_CALLS_MAX, &count, &failure));
    return pending_answer(status, calls, count);
}

static json_object *call_acknowledge(run *run, json_object *op) {
    const skan_acknowledgement result = {
        sizeof result, (uint64_t)member_number(op, "id", 0),
        member_flag(op, "delivered") ? SKAN_CALL_DELIVERED : SKAN_CALL_FAILED};
    return status_answer(SETTLE(skan_acknowledge_calls(run->engine, install_of(op), &result, 1, &failure)));
}

static json_object *call_metadata(run *run, json_object *op) {
    char *query = NULL;
    skan_status status = SETTLE(skan_metadata(run->engine, install_of(op), &query, &failure));
    return with_text(status_answer(status), "query", query);
}

static json_object *call_details(run *run, json_object *op) {
    char *json = NULL;
    skan_status status = SETTLE(skan_details(run->engine, install_of(op), &json, &failure));
    skan_free(json);
    return status_answer(status);
}

static json_object *call_import(run *run, json_object *op) {
    size_t length = 0;
    void *body = step_body(op, &length);
    skan_status status = SETTLE(skan_import_details(run->engine, install_of(op), body, length, &failure));
    free(body);
    return status_answer(status);
}

static json_object *call_forget(run *run, json_object *op) {
    return status_answer(SETTLE(skan_forget(run->engine, install_of(op), &failure)));
}

static json_object *call_rename(run *run, json_object *op) {
    return status_answer(
        SETTLE(skan_rename(run->engine, install_of(op), member_text(op, "to"), &failure)));
}

static const struct {
    const char *name;
    json_object *(*call)(run *run, json_object *op);
} calls[] = {{"now", call_now},           {"register", call_register},
             {"revenue", call_revenue},   {"revenue_many", call_revenue_many},
             {"request", call_request},   {"apply", call_apply},
             {"convert", call_update},    {"update", call_update},
             {"explain", call_explain},   {"decode", call_decode},
             {"model", call_model},       {"pending", call_pending},
             {"metadata", call_metadata}, {"acknowledge", call_acknowledge},
             {"details", call_details},   {"import", call_import},
             {"reopen", call_reopen},     {"forget", call_forget},
             {"reengage", call_reengage}, {"update_all", call_update_all},
             {"calls", call_calls},       {"acknowledge_calls", call_acknowledge_calls},
             {"end", call_end},           {"reengagements", call_reengagements},
             {"explain_reengagement", call_explain_reengagement},
             {"rename", call_rename}};

static json_object *call(void *run, const char *name, json_object *op, char **message) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0) {
            json_object *answer = calls[i].call(run, op);
            *message = text_of("%s", failure_message());
            return answer;
        }
    return NULL;
}

int main(int count, char **arguments) {
    look_for_leaks_in_every(20);
    static const language c = {open_run, close_run, call, details_of_run};
    return run_vectors(count, arguments, &c);
}
