/* Hooks that switch to another stack of their thread, as coroutines, fibers and green threads do. */
#define _GNU_SOURCE
#include "contract.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { COROUTINES = 8, PURCHASES = 70, STACK = 1 << 18 };
enum { STORE, CLOCK, TRANSPORT, KINDS };

typedef struct coroutine {
    ucontext_t context;
    void *stack;
    host *host;
    char *install;
    bool is_over;
    int wrong; /* calls that did not answer SKAN_OK */
} coroutine;

static ucontext_t scheduler;
static coroutine *running;
static int switches[KINDS];

/* Lets the others run. */
static void switch_away(int kind) {
    if (!running) return;
    switches[kind]++;
    swapcontext(&running->context, &scheduler);
}

static skan_status slow_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    switch_away(STORE);
    return host_store_load(&((host *)context)->store, key, out, version);
}

static skan_status slow_save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                             uint64_t *new_version) {
    switch_away(STORE);
    return host_store_save(&((host *)context)->store, key, data, length, expected_version, new_version);
}

static int64_t slow_now(void *context) {
    switch_away(CLOCK);
    return ((host *)context)->clock.microseconds;
}

static skan_status slow_get(void *context, const char *url, skan_buffer *body) {
    (void)url;
    switch_away(TRANSPORT);
    const char *answer = ((host *)context)->answer;
    return skan_buffer_set(body, answer, strlen(answer));
}

static void buy(coroutine *self) {
    skan_engine *engine = self->host->engine;
    self->wrong += skan_register(engine, self->install, NULL, NULL, NULL) != SKAN_OK;
    for (int i = 0; i < PURCHASES; i++) {
        char *order = text_of("order-%d", i);
        self->wrong += skan_update_revenue(engine, self->install, AMOUNT(0.5), "USD", SKAN_IAP, order, NULL) != SKAN_OK;
        const skan_event *event = EVENT(.name = "purchase", .event_id = order);
        self->wrong += skan_update_conversion_values(engine, self->install, event, NULL, NULL) >= 100;
    }
    self->is_over = true;
    swapcontext(&self->context, &scheduler);
}

static void begin(void) {
    buy(running);
}

/* Runs each coroutine from switch to switch, in turn; the stack of one that is over is gone at once. */
static void run_all(coroutine *coroutines) {
    for (int left = COROUTINES, i = 0; left > 0; i = (i + 1) % COROUTINES) {
        running = &coroutines[i];
        if (running->is_over) continue;
        swapcontext(&scheduler, &running->context);
        if (running->is_over) {
            memset(running->stack, 0xA5, STACK);
            free(running->stack);
            left--;
        }
    }
    running = NULL;
}

static host *host_with_coroutines(coroutine *coroutines, bool switches_stacks) {
    host *host = host_make();
    host->store_hooks.load = slow_load;
    host->store_hooks.save = slow_save;
    host->clock_hooks.now = slow_now;
    host->transport_hooks.get = slow_get;
    host->options.switches_stacks = switches_stacks;
    host_open(host);
    memset(switches, 0, sizeof switches);
    for (int i = 0; i < COROUTINES; i++) {
        coroutine *made = &coroutines[i];
        memset(made, 0, sizeof *made);
        made->host = host;
        made->install = text_of("player-%d", i);
        made->stack = malloc(STACK);
        if (!made->stack || getcontext(&made->context) != 0) abort();
        made->context.uc_stack.ss_sp = made->stack;
        made->context.uc_stack.ss_size = STACK;
        makecontext(&made->context, begin, 0);
    }
    return host;
}

CASE(hooks_may_switch_stacks_where_the_options_say_so) {
    static coroutine coroutines[COROUTINES];
    host *host = host_with_coroutines(coroutines, true);
    run_all(coroutines);
    for (int kind = 0; kind < KINDS; kind++) EXPECT(switches[kind] >= 400, "%d switches of %d", switches[kind], kind);
    for (int i = 0; i < COROUTINES; i++) {
        EXPECT_NUMBER(0, coroutines[i].wrong);
        const char *details = details_of(host->engine, coroutines[i].install);
        EXPECT(strstr(details, "\"skan_total_revenue_by_currency\":{\"USD\":35}"), "%s", details);
    }
}

/* Then the engine takes the others for calls out of the hook. */
CASE(a_thread_whose_hook_is_suspended_is_refused_otherwise) {
    static coroutine coroutines[COROUTINES];
    host *host = host_with_coroutines(coroutines, false);
    run_all(coroutines);
    EXPECT_NUMBER(0, coroutines[0].wrong);
    EXPECT(coroutines[1].wrong > 0, "no call was refused");
    /* Nothing of the hooks is left, whose stacks are gone. */
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "b", AMOUNT(1), "USD", SKAN_IAP, NULL, &failure));
}
