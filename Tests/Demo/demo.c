/*
 * The main job, told: install lives that were recorded from runs of the published snippet, played through libskan.
 *   demo skan4.jsonl skan3.jsonl
 * A few lives are told step by step, every life in one line; all are compared with the recording, step by step.
 */
#define _GNU_SOURCE
#include "../C/host.h"
#include "../C/trace.h"

#include <skan/skan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many lives of each protocol are told in full. */
enum { TOLD_IN_FULL = 2 };

static const char *const install = "player-1";
static const char *const coarse_names[] = {"low", "medium", "high"};
static const skan_device device = {.size = sizeof device,
                                   .os_version = "16.1",
                                   .idfv = "21DB6612-09B3-4ECC-84AC-B353B0AF1334",
                                   .idfa = "DFC5A647-9043-4699-B2A5-76F03A97064B"};

/* What happened in one life. */
typedef struct life {
    const trace *trace;
    bool is_told;
    host_clock clock;
    host_store store;
    skan *engine;
    int64_t born;
    uint64_t ticket;
    unsigned steps, purchases, sessions, requests, applied, not_applied, refused;
    int fine, coarse, locked_windows;
    unsigned differences;
} life;

static void open_engine(life *life) {
    skan_clock clock = host_clock_hooks(&life->clock);
    skan_store store = host_store_hooks(&life->store);
    const skan_options options = {.size = sizeof options,
                                  .protocol = (uint32_t)life->trace->protocol,
                                  .store = &store,
                                  .clock = &clock,
                                  .sdk_key = "sdk_key_here",
                                  .bundle_id = "com.example.game",
                                  .app_version = "1.2.3"};
    skan_error *error = NULL;
    if (skan_create(&options, &life->engine, &error) != SKAN_OK) {
        fprintf(stderr, "demo: %s\n", skan_error_message(error));
        exit(1);
    }
}

/* ------------------------------------------------------------------------------------------------------- telling */

/* "day 12 03:25:00" since the first step of this life. */
static void tell_time(const life *life) {
    int64_t elapsed = life->clock.microseconds / 1000000 - life->born;
    const char *sign = elapsed < 0 ? "-" : "";
    if (elapsed < 0) elapsed = -elapsed;
    printf("  %sday %2lld %02lld:%02lld:%02lld  ", sign, (long long)(elapsed / 86400),
           (long long)(elapsed / 3600 % 24), (long long)(elapsed / 60 % 60), (long long)(elapsed % 60));
}

static void tell_update(const skan_update *update) {
    if (update->id == 0) return;
    printf(": update %llu for window %d", (unsigned long long)update->id, update->window);
    if (update->fine_value >= 0) printf(", fine %d", update->fine_value);
    if (update->coarse_value >= 0) printf(", coarse %s", coarse_names[update->coarse_value]);
    if (update->lock_window) printf(", locks the window");
}

/* One step and its end. */
static void tell(const life *life, const char *what, skan_status status, const skan_update *update,
                 const skan_error *error) {
    if (!life->is_told) return;
    tell_time(life);
    printf("%-60s %s", what, short_name(status));
    if (update) tell_update(update);
    if (error) printf(": %s", skan_error_message(error));
    putchar('\n');
}

/* ------------------------------------------------------------------------------------------------------- playing */

static void count_update(life *life, const skan_update *update) {
    if (update->id == 0) return;
    if (update->fine_value >= 0 && (update->window == 0)) life->fine = update->fine_value;
    if (update->coarse_value >= 0) life->coarse = update->coarse_value;
    life->locked_windows += update->lock_window;
}

static skan_status play_register(life *life, skan_error **error) {
    skan_update update = {.size = sizeof update};
    skan_status status = skan_register(life->engine, install, &update, error);
    tell(life, "first launch: register", status, &update, *error);
    count_update(life, &update);
    return status;
}

static skan_status play_revenue(life *life, json_object *op, skan_error **error) {
    double amount = json_object_get_double(member(op, "amount"));
    bool is_ad = json_object_get_boolean(member(op, "ad_monetization"));
    const char *currency = member_text(op, "currency"), *event = member_text(op, "event_id");
    skan_status status = skan_update_revenue(life->engine, install, amount, currency, is_ad, event, error);
    char what[128];
    snprintf(what, sizeof what, "%s of %s %s%s%s", is_ad ? "ad revenue" : "purchase",
             json_object_get_string(member(op, "amount")), currency, event ? ", id " : "", event ? event : "");
    tell(life, what, status, NULL, *error);
    life->purchases += status == SKAN_OK;
    return status;
}

static skan_status play_request(life *life, json_object *op, skan_error **error) {
    const char *event = member_text(op, "event");
    char *url = NULL;
    skan_status status = skan_conversion_request(life->engine, install, event, &device, &url, &life->ticket, error);
    char what[128];
    snprintf(what, sizeof what, "event %s: request", event ? event : "__SESSION__");
    tell(life, what, status, NULL, *error);
    skan_free(url);
    life->requests += status == SKAN_OK;
    return status;
}

static skan_status play_apply(life *life, json_object *op, skan_error **error) {
    size_t length = 0;
    char *body = step_body(op, &length);
    skan_update update = {.size = sizeof update};
    skan_status status = skan_apply_response(life->engine, install, member(op, "ticket") ? life->ticket : 0, body,
                                             length, &update, error);
    char what[256];
    bool is_long = length > 70;
    snprintf(what, sizeof what, "answer %.*s%s", (int)(is_long ? 67 : length), length ? body : "(empty)",
             is_long ? "..." : "");
    tell(life, what, status, &update, *error);
    if (status == SKAN_OK) {
        life->applied++;
        count_update(life, &update);
    } else if (status < SKAN_ERROR_INVALID_ARGUMENT) {
        life->not_applied++;
    } else {
        life->refused++;
    }
    free(body);
    return status;
}

static skan_status play_pending(life *life, skan_error **error) {
    skan_update update = {.size = sizeof update};
    skan_status status = skan_pending_update(life->engine, install, &update, error);
    tell(life, "the app calls: pending update?", status, &update, *error);
    return status;
}

static skan_status play_acknowledge(life *life, json_object *op, skan_error **error) {
    bool delivered = json_object_get_boolean(member(op, "delivered"));
    uint64_t id = (uint64_t)json_object_get_int64(member(op, "id"));
    skan_status status = skan_acknowledge_update(life->engine, install, id, delivered, error);
    char what[64];
    snprintf(what, sizeof what, "the app %s update %llu", delivered ? "delivered" : "could not deliver",
             (unsigned long long)id);
    tell(life, what, status, NULL, *error);
    return status;
}

static skan_status play_details(life *life, skan_error **error) {
    char *json = NULL;
    skan_status status = skan_details(life->engine, install, &json, error);
    skan_free(json);
    return status;
}

static skan_status play_metadata(life *life, skan_error **error) {
    char *query = NULL;
    skan_status status = skan_metadata(life->engine, install, &query, error);
    char what[200];
    snprintf(what, sizeof what, "session call forwards %zu bytes of metadata", query ? strlen(query) : 0);
    tell(life, what, status, NULL, *error);
    skan_free(query);
    return status;
}

static skan_status play_import(life *life, json_object *op, skan_error **error) {
    const char *body = member_text(op, "body");
    skan_status status = skan_import_details(life->engine, install, body, strlen(body), error);
    tell(life, "import of an earlier state", status, NULL, *error);
    return status;
}

static skan_status play_reopen(life *life) {
    skan_destroy(life->engine);
    life->clock.microseconds += 1000;
    open_engine(life);
    tell(life, "the server restarts", SKAN_OK, NULL, NULL);
    return SKAN_OK;
}

static skan_status play_step(life *life, json_object *op, skan_error **error) {
    const char *name = member_text(op, "op");
    if (strcmp(name, "register") == 0) return play_register(life, error);
    if (strcmp(name, "revenue") == 0) return play_revenue(life, op, error);
    if (strcmp(name, "request") == 0) return play_request(life, op, error);
    if (strcmp(name, "apply") == 0) return play_apply(life, op, error);
    if (strcmp(name, "pending") == 0) return play_pending(life, error);
    if (strcmp(name, "acknowledge") == 0) return play_acknowledge(life, op, error);
    if (strcmp(name, "details") == 0) return play_details(life, error);
    if (strcmp(name, "metadata") == 0) return play_metadata(life, error);
    if (strcmp(name, "import") == 0) return play_import(life, op, error);
    if (strcmp(name, "reopen") == 0) return play_reopen(life);
    if (strcmp(name, "forget") == 0) {
        skan_status status = skan_forget(life->engine, install, error);
        tell(life, "the player asks to be forgotten", status, NULL, *error);
        return status;
    }
    fprintf(stderr, "demo: unknown step %s\n", name);
    exit(1);
}

/* Says where a step did not end as it was recorded. */
static void compare(life *life, json_object *expected, skan_status status, json_object **details) {
    const char *name = member_text(expected, "status");
    if (name && strcmp(name, short_name(status)) != 0) {
        printf("  %s: step %u: recorded %s, came %s\n", life->trace->id, life->steps, name, short_name(status));
        life->differences++;
    }
    if (member(expected, "details")) *details = member(expected, "details");
    char *json = NULL, *difference = NULL;
    skan_error *error = NULL;
    skan_details(life->engine, install, &json, &error);
    if (!json || !is_details(*details, json, &difference)) {
        printf("  %s: step %u: recorded state %s, came %s\n", life->trace->id, life->steps,
               difference ? difference : "", json ? json : skan_error_message(error));
        life->differences++;
    }
    free(difference);
    skan_free(json);
    skan_error_free(error);
}

static void tell_summary(life *life) {
    int64_t days = (life->clock.microseconds / 1000000 - life->born) / 86400;
    printf("%-22s SKAN %d, %2lld days, %3u steps: %2u revenues, %2u requests, ", life->trace->id,
           life->trace->protocol, (long long)days, life->steps, life->purchases, life->requests);
    printf("%2u answers applied, %2u not, %2u refused", life->applied, life->not_applied, life->refused);
    if (life->fine >= 0) printf("; fine %d", life->fine);
    if (life->coarse >= 0) printf(", coarse %s", coarse_names[life->coarse]);
    if (life->locked_windows) printf(", %d locked", life->locked_windows);
    putchar('\n');
}

/* Plays one life; answers how many steps did not end as recorded. */
static unsigned play(const trace *trace, bool is_told, unsigned *steps) {
    life life = {.trace = trace, .is_told = is_told, .fine = -1, .coarse = -1};
    bool is_born = false;
    host_store_init(&life.store);
    open_engine(&life);
    json_object *details = empty_details(trace->protocol), *empty = details;
    if (is_told) printf("\n%s, SKAN %d\n", trace->id, trace->protocol);
    for (size_t i = 0; i < json_object_array_length(trace->steps); i++) {
        json_object *step = json_object_array_get_idx(trace->steps, i), *op = member(step, "op");
        life.steps++;
        if (strcmp(member_text(op, "op"), "now") == 0) {
            int64_t now = json_object_get_int64(member(op, "t"));
            if (!is_born) life.born = now;
            is_born = true;
            life.clock.microseconds = now * 1000000;
            continue;
        }
        skan_error *error = NULL;
        skan_status status = play_step(&life, op, &error);
        skan_error_free(error);
        compare(&life, member(step, "expect"), status, &details);
    }
    if (!is_told) tell_summary(&life);
    skan_destroy(life.engine);
    host_store_end(&life.store);
    json_object_put(empty);
    *steps += life.steps;
    return life.differences;
}

static bool is_recorded(const trace *trace) {
    return json_object_get_boolean(member(trace->line, "reference"));
}

/* A life worth telling: many things happen in it. */
static bool is_eventful(const trace *trace) {
    unsigned applied = 0, revenue = 0;
    for (size_t i = 0; i < json_object_array_length(trace->steps); i++) {
        json_object *step = json_object_array_get_idx(trace->steps, i);
        const char *name = member_text(member(step, "op"), "op");
        const char *status = member_text(member(step, "expect"), "status");
        if (!status || strcmp(status, "OK") != 0) continue;
        applied += strcmp(name, "apply") == 0;
        revenue += strcmp(name, "revenue") == 0;
    }
    return applied >= 2 && revenue >= 2 && json_object_array_length(trace->steps) <= 60;
}

int main(int argc, char **argv) {
    unsigned lives = 0, steps = 0, differences = 0;
    for (int file_index = 1; file_index < argc; file_index++) {
        trace_file file = trace_file_read(argv[file_index]);
        unsigned told = 0;
        bool *was_told = calloc(file.count, sizeof *was_told);
        if (!was_told) return 1;
        for (size_t i = 0; i < file.count && told < TOLD_IN_FULL; i++) {
            if (!is_recorded(&file.traces[i]) || !is_eventful(&file.traces[i])) continue;
            was_told[i] = true;
            told++;
            lives++;
            differences += play(&file.traces[i], true, &steps);
        }
        putchar('\n');
        for (size_t i = 0; i < file.count; i++) {
            if (!is_recorded(&file.traces[i]) || was_told[i]) continue;
            lives++;
            differences += play(&file.traces[i], false, &steps);
        }
        free(was_told);
        trace_file_end(&file);
    }
    printf("\n%u install lives recorded from the published snippet, %u steps: ", lives, steps);
    if (differences == 0) printf("libskan ended every step in the recorded state.\n");
    else printf("%u steps did not end as recorded.\n", differences);
    return differences == 0 ? 0 : 1;
}
