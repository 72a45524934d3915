/* Hooks: what they may answer, and what they may not do. */
#define _GNU_SOURCE
#include "contract.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- calling back */

/* Hooks that, once armed, do something before they do their work. */
typedef struct busybody {
    host *host;
    void (*act)(struct busybody *busybody, const char *hook);
    skan *engine;
    int acts;
} busybody;

static void act(busybody *busybody, const char *hook) {
    void (*armed)(struct busybody *, const char *) = busybody->act;
    if (!armed) return;
    busybody->act = NULL;
    skan_error *outer = failure;
    armed(busybody, hook);
    failure = outer;
    busybody->act = armed;
    busybody->acts++;
}

static skan_status busy_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    act(context, "load");
    return host_store_load(&((busybody *)context)->host->store, key, out, version);
}

static skan_status busy_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                             uint64_t *version) {
    act(context, "save");
    return host_store_save(&((busybody *)context)->host->store, key, data, length, expected, version);
}

static skan_status busy_remove(void *context, const char *key, uint64_t expected) {
    act(context, "remove");
    return host_store_remove(&((busybody *)context)->host->store, key, expected);
}

static int64_t busy_now(void *context) {
    act(context, "now");
    return ((busybody *)context)->host->clock.microseconds;
}

static skan_status busy_get(void *context, const char *url, skan_buffer *body) {
    (void)url;
    act(context, "get");
    return skan_buffer_set(body, "{\"conversion_value\":7}", 22);
}

static void open_busy(busybody *busybody) {
    host *host = busybody->host = host_make();
    host->store_hooks = (skan_store){
        .size = sizeof(skan_store), .context = busybody, .load = busy_load, .save = busy_save, .remove = busy_remove};
    host->clock_hooks = (skan_clock){sizeof(skan_clock), busybody, busy_now, NULL};
    host->transport_hooks = (skan_transport){sizeof(skan_transport), busybody, busy_get, NULL};
    host_open(host);
    busybody->engine = host->engine;
}

/* Every function on an install that makes it succeed, with `act` run inside every hook; all answer as without. */
static void walk_functions(void (*act)(busybody *busybody, const char *hook)) {
    busybody busybody = {0};
    open_busy(&busybody);
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("inside %s", functions[i].name);
        if (i != REGISTER && i != IMPORT_DETAILS) ANSWER(SKAN_OK, skan_register(busybody.engine, "a", NULL, &failure));
        busybody.act = act;
        busybody.acts = 0;
        ANSWER(SKAN_OK, call(&functions[i], busybody.engine, "a"));
        EXPECT(busybody.acts > 0, "no hook was called");
        busybody.act = NULL;
        ANSWER(SKAN_OK, skan_forget(busybody.engine, "a", &failure));
    }
    host_end(busybody.host);
}

static void call_back(busybody *busybody, const char *hook) {
    for (int i = 0; i < FUNCTION_COUNT; i++)
        EXPECT(SETTLE(call(&functions[i], busybody->engine, "b")) == SKAN_ERROR_MISUSE, "%s in %s was not misuse",
               functions[i].name, hook);
}

static void a_hook_that_calls_back_gets_misuse(const void *subject) {
    (void)subject;
    walk_functions(call_back);
}

static void call_back_with_bad_arguments(busybody *busybody, const char *hook) {
    (void)hook;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_register(busybody->engine, "", NULL, &failure));
}

static void arguments_are_checked_before_the_misuse(const void *subject) {
    (void)subject;
    walk_functions(call_back_with_bad_arguments);
}

static void call_other_engine(busybody *busybody, const char *hook) {
    (void)hook;
    busybody->act = NULL;
    host *other = host_with_engine();
    for (int i = 0; i < FUNCTION_COUNT; i++)
        EXPECT(SETTLE(call(&functions[i], other->engine, "b")) < 100, "%s failed", functions[i].name);
    host_end(other);
}

static void a_hook_may_use_another_engine(const void *subject) {
    (void)subject;
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

static void let_a_thread_call(busybody *busybody, const char *hook) {
    pthread_t thread;
    void *ended = NULL;
    if (pthread_create(&thread, NULL, call_from_a_thread, busybody->engine) != 0) abort();
    pthread_join(thread, &ended);
    EXPECT(ended == busybody->engine, "a call on another thread failed while %s ran", hook);
}

static void no_lock_is_held_around_a_hook(const void *subject) {
    (void)subject;
    walk_functions(let_a_thread_call);
}

typedef struct around {
    busybody inner;
    busybody *outer;
} around;

static void call_outer(busybody *busybody, const char *hook) {
    (void)hook;
    ANSWER(SKAN_ERROR_MISUSE, skan_register(((around *)busybody)->outer->engine, "b", NULL, &failure));
}

static void call_around(busybody *outer, const char *hook) {
    (void)hook;
    around around = {.outer = outer};
    open_busy(&around.inner);
    around.inner.act = call_outer;
    ANSWER(SKAN_OK, skan_register(around.inner.engine, "a", NULL, &failure));
    EXPECT(around.inner.acts > 0, "no hook was called");
    host_end(around.inner.host);
}

static void calling_back_through_another_engine_is_misuse(const void *subject) {
    (void)subject;
    walk_functions(call_around);
}

/* ------------------------------------------------------------------------------------------------------ transport */

static void a_transport_answers_with_a_body(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    const skan_device device = {.size = sizeof device, .os_version = "16.1", .idfv = "V", .idfa = "A"};
    char *url = NULL;
    ANSWER(SKAN_OK, skan_conversion_request(host->engine, "a", "level up", &device, &url, NULL, &failure));
    skan_update update = unwritten_update();
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", "level up", "e", &device, &update, &failure));
    EXPECT_TEXT(url, host->last_url);
    EXPECT(strstr(url, "a=" SDK_KEY "&v=16.1&"), "came %s", url);
    EXPECT_NUMBER(2, update.id);
    EXPECT_NUMBER(7, update.fine_value);
    EXPECT_NUMBER(1, update.coarse_value);
    EXPECT_NUMBER(1, host->gets);
    ANSWER(SKAN_DUPLICATE_EVENT,
           skan_update_conversion_values(host->engine, "a", "level up", "e", &device, &update, &failure));
    EXPECT_NUMBER(1, host->gets);
    skan_free(url);
    host_end(host);
}

static void a_transport_s_failure_is_told(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    char *before = details_of(host->engine, "a");
    const skan_status statuses[] = {SKAN_ERROR_LIMIT_EXCEEDED,
                                    SKAN_ERROR_TRANSPORT,
                                    -1,
                                    INT32_MIN,
                                    INT32_MAX,
                                    1,
                                    2,
                                    3,
                                    4,
                                    5,
                                    6,
                                    7,
                                    8,
                                    9,
                                    10,
                                    99,
                                    100,
                                    101,
                                    103,
                                    110,
                                    111,
                                    112,
                                    120,
                                    121,
                                    122,
                                    123,
                                    124,
                                    129,
                                    131,
                                    140,
                                    150,
                                    200,
                                    404};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        in_round("the transport answers %d", (int)statuses[i]);
        host->transport_status = statuses[i];
        ANSWER(statuses[i] == SKAN_ERROR_LIMIT_EXCEEDED ? SKAN_ERROR_LIMIT_EXCEEDED : SKAN_ERROR_TRANSPORT,
               skan_update_conversion_values(host->engine, "a", NULL, "e", NULL, NULL, &failure));
        EXPECT_DETAILS(before, host->engine, "a");
    }
    in_round("the transport works again");
    host->transport_status = SKAN_OK;
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, "e", NULL, NULL, &failure));
    free(before);
    host_end(host);
}

static void an_answer_without_a_body_is_no_value(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    host->answer = NULL;
    ANSWER(SKAN_NO_NEW_VALUE, skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, NULL, &failure));
    host->answer = "";
    ANSWER(SKAN_NO_NEW_VALUE, skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, NULL, &failure));
    host_end(host);
}

static void an_answer_has_at_most_64_kib(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    char *spaces = repeated(" ", SKAN_RESPONSE_MAX - 22);
    char *longest = text_of("{\"conversion_value\":3}%s", spaces);
    char *longer = text_of("{\"conversion_value\":4}%s ", spaces);
    char *blank = repeated(" ", SKAN_RESPONSE_MAX + 1);
    host->answer = longest;
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, NULL, &failure));
    char *before = details_of(host->engine, "a");
    host->answer = longer;
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED,
           skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED,
           skan_apply_response(host->engine, "a", 0, longer, strlen(longer), NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_apply_response(host->engine, "a", 0, blank, strlen(blank), NULL, &failure));
    EXPECT_DETAILS(before, host->engine, "a");
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", 0, longest, strlen(longest), NULL, &failure));
    free(before);
    free(spaces);
    free(longest);
    free(longer);
    free(blank);
    host_end(host);
}

static skan_status get_through_every_set(void *context, const char *url, skan_buffer *body) {
    (void)context, (void)url;
    static char bytes[SKAN_BUFFER_MAX + 1];
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_buffer_set(NULL, "x", 1));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_buffer_set(NULL, NULL, 0));
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(body, bytes, SKAN_BUFFER_MAX));
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(body, NULL, 0));
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(body, "{\"conversion_value\":9}", 22));
    /* These change nothing. */
    EXPECT_STATUS(SKAN_ERROR_LIMIT_EXCEEDED, skan_buffer_set(body, bytes, SKAN_BUFFER_MAX + 1));
    EXPECT_STATUS(SKAN_ERROR_LIMIT_EXCEEDED, skan_buffer_set(body, bytes, SIZE_MAX));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_buffer_set(body, NULL, 1));
    return SKAN_OK;
}

static void a_buffer_holds_what_was_set_last_up_to_1_mib(const void *subject) {
    (void)subject;
    host *host = host_make();
    host->transport_hooks.get = get_through_every_set;
    host_open(host);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    skan_update update = unwritten_update();
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, &update, &failure));
    EXPECT_NUMBER(9, update.fine_value);
    host_end(host);
}

/* A transport that is slow: the install's window is over when it answers. */
static skan_status get_too_late(void *context, const char *url, skan_buffer *body) {
    (void)url;
    ((host *)context)->clock.microseconds += 3 * DAY * 1000000;
    return skan_buffer_set(body, "{\"conversion_value\":9,\"postback_sequence_index\":0}", 50);
}

static void the_window_is_the_one_when_the_answer_comes(const void *subject) {
    (void)subject;
    host *host = host_make();
    host->transport_hooks.get = get_too_late;
    host_open(host);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_STALE_RESPONSE, skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, NULL, &failure));
    host_end(host);
}

/* ---------------------------------------------------------------------------------------------------------- clock */

#define YEAR_1 INT64_C(-62135596800000000) /* microseconds */

static void a_broken_clock_breaks_what_asks_it(const void *subject) {
    (void)subject;
    const int64_t broken[] = {-1, -2, -999999, YEAR_1 - 1, INT64_MIN};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (int j = 0; j < FUNCTION_COUNT; j++) {
            in_round("%s, the clock shows %lld", functions[j].name, (long long)broken[i]);
            host *host = host_with_engine();
            if (j != REGISTER && j != IMPORT_DETAILS) ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
            char *before = details_of(host->engine, "a");
            host->clock.microseconds = broken[i];
            ANSWER(functions[j].asks_clock ? SKAN_ERROR_CLOCK : SKAN_OK, call(&functions[j], host->engine, "a"));
            if (functions[j].asks_clock) EXPECT_DETAILS(before, host->engine, "a");
            free(before);
            host_end(host);
        }
}

const contract_case hook_cases[] = {
    {"a hook that calls back gets misuse", a_hook_that_calls_back_gets_misuse},
    {"arguments are checked before the misuse", arguments_are_checked_before_the_misuse},
    {"a hook may use another engine", a_hook_may_use_another_engine},
    {"no lock is held around a hook", no_lock_is_held_around_a_hook},
    {"calling back through another engine is misuse", calling_back_through_another_engine_is_misuse},
    {"a transport answers with a body", a_transport_answers_with_a_body},
    {"a transport's failure is told", a_transport_s_failure_is_told},
    {"an answer without a body is no value", an_answer_without_a_body_is_no_value},
    {"an answer has at most 64 KiB", an_answer_has_at_most_64_kib},
    {"a buffer holds what was set last, up to 1 MiB", a_buffer_holds_what_was_set_last_up_to_1_mib},
    {"the window is the one when the answer comes", the_window_is_the_one_when_the_answer_comes},
    {"a broken clock breaks what asks it", a_broken_clock_breaks_what_asks_it},
    {NULL, NULL}};
