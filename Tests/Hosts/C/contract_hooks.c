/* Hooks: what they may answer, and what they may not do. */
#define _GNU_SOURCE
#include "contract.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- calling back */

/* Every function on an install that makes it succeed, with `act` run inside every hook; all answer as without. */
static void walk_functions(skan_status (*act)(host *host, const char *hook)) {
    host *host = host_with_engine();
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("inside %s", functions[i].name);
        if (i != REGISTER && i != IMPORT_DETAILS) ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
        host->before = act;
        host->hooks = 0;
        ANSWER(SKAN_OK, call(&functions[i], host->engine, "a"));
        EXPECT(host->hooks > 0, "no hook was called");
        host->before = NULL;
        ANSWER(SKAN_OK, skan_forget(host->engine, "a", &failure));
    }
}

static skan_status call_other_engine(host *unused, const char *hook) {
    (void)unused, (void)hook;
    host *other = host_with_engine();
    for (int i = 0; i < FUNCTION_COUNT; i++)
        EXPECT(SETTLE(call(&functions[i], other->engine, "b")) < 100, "%s failed", functions[i].name);
    return SKAN_OK;
}

CASE(a_hook_may_use_another_engine) {
    walk_functions(call_other_engine);
}

static void *call_from_a_thread(void *engine) {
    char *json = NULL;
    skan_error *error = NULL;
    skan_status status = skan_details(engine, "b", &json, &error);
    skan_free(json);
    skan_error_free(error);
    return status == SKAN_OK ? engine : NULL;
}

static skan_status let_a_thread_call(host *host, const char *hook) {
    pthread_t thread;
    void *ended = NULL;
    if (pthread_create(&thread, NULL, call_from_a_thread, host->engine) != 0) abort();
    pthread_join(thread, &ended);
    EXPECT(ended == host->engine, "a call on another thread failed while %s ran", hook);
    return SKAN_OK;
}

CASE(no_lock_is_held_around_a_hook) {
    walk_functions(let_a_thread_call);
}

static skan_engine *outer_engine;

static skan_status call_outer(host *inner, const char *hook) {
    (void)inner, (void)hook;
    ANSWER(SKAN_ERROR_MISUSE, skan_register(outer_engine, "b", NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_register(outer_engine, "", NULL, NULL, &failure)); /* which comes first */
    return SKAN_OK;
}

static skan_status call_around(host *outer, const char *hook) {
    (void)hook;
    host *inner = host_with_engine();
    outer_engine = outer->engine;
    inner->before = call_outer;
    ANSWER(SKAN_OK, skan_register(inner->engine, "a", NULL, NULL, &failure));
    EXPECT(inner->hooks > 0, "no hook was called");
    return SKAN_OK;
}

CASE(calling_back_through_another_engine_is_misuse) {
    walk_functions(call_around);
}

/* ------------------------------------------------------------------------------------------------------ transport */

CASE(a_repeated_event_is_not_asked_for) {
    host *host = host_with_install();
    const skan_status answers[] = {SKAN_OK, SKAN_DUPLICATE_EVENT};
    const skan_event *event = EVENT(.name = "level up", .event_id = "e");
    for (int i = 0; i < 2; i++)
        ANSWER(answers[i], skan_update_conversion_values(host->engine, "a", event, NULL, &failure));
    EXPECT_NUMBER(1, host->gets);
    const char *const empty[] = {NULL, ""};
    for (int i = 0; i < 2; i++) {
        host->answer = empty[i];
        ANSWER(SKAN_NO_NEW_VALUE, skan_update_conversion_values(host->engine, "a", NULL, NULL, &failure));
    }
}

CASE(a_transport_s_failure_is_told) {
    static const skan_status others[] = {INT32_MIN, INT32_MAX, 200, 404};
    host *host = host_with_install();
    char *before = details_of(host->engine, "a");
    for (skan_status status = -1; status < 160; status++) {
        host->transport_status = status < 156 ? status : others[status - 156];
        if (host->transport_status == SKAN_OK) continue;
        in_round("the transport answers %d", (int)host->transport_status);
        const bool is_told = status == SKAN_ERROR_LIMIT_EXCEEDED || status == SKAN_ERROR_TRANSPORT_UNKNOWN;
        ANSWER(is_told ? status : SKAN_ERROR_TRANSPORT,
               skan_update_conversion_values(host->engine, "a", EVENT(.event_id = "e"), NULL, &failure));
        EXPECT_DETAILS(before, host->engine, "a");
    }
    in_round("the transport works again");
    host->transport_status = SKAN_OK;
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", EVENT(.event_id = "e"), NULL, &failure));
}

CASE(an_answer_has_at_most_64_kib) {
    host *host = host_with_install();
    char *spaces = repeated(" ", SKAN_RESPONSE_MAX - 22);
    char *longest = text_of("{\"conversion_value\":3}%s", spaces), *longer = text_of("%s ", longest);
    host->answer = longest;
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, NULL, &failure));
    char *before = details_of(host->engine, "a");
    host->answer = longer;
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED,
           skan_update_conversion_values(host->engine, "a", NULL, NULL, &failure));
    EXPECT_DETAILS(before, host->engine, "a");
}

/* A transport that is slow: the install's window is over when it answers. */
static skan_status wait_three_days(host *host, const char *hook) {
    if (strcmp(hook, "get") == 0) host->clock.microseconds += 3 * DAY * 1000000;
    return SKAN_OK;
}

CASE(the_window_is_the_one_when_the_answer_comes) {
    host *host = host_with_engine();
    host->answer = "{\"conversion_value\":9,\"postback_sequence_index\":0}";
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    host->before = wait_three_days;
    ANSWER(SKAN_STALE_RESPONSE, skan_update_conversion_values(host->engine, "a", NULL, NULL, &failure));
}

/* ---------------------------------------------------------------------------------------------------------- clock */

/* Which moments are none is for Tests/Core. */
CASE(a_broken_clock_breaks_what_asks_it) {
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("%s", functions[i].name);
        host *host = host_with_engine();
        if (i != REGISTER && i != IMPORT_DETAILS) ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
        char *before = details_of(host->engine, "a");
        host->clock.microseconds = -1;
        ANSWER(functions[i].asks_clock ? SKAN_ERROR_CLOCK : SKAN_OK, call(&functions[i], host->engine, "a"));
        if (functions[i].asks_clock) EXPECT_DETAILS(before, host->engine, "a");
    }
}
