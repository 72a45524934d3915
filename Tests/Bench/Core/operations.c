#include "operations.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

static const char answer[] =
    "{\"conversion_value\":12,\"skan_updated_coarse_value\":1,\"postback_sequence_index\":0,\"status\":\"ok\"}";

const char *operation_name(operation operation)
{
    static const char *const names[OPERATION_COUNT] = {
        [OPERATION_REGISTER] = "register",           [OPERATION_REVENUE] = "revenue",
        [OPERATION_REVENUE_EVENT] = "revenue-event", [OPERATION_REQUEST] = "request",
        [OPERATION_APPLY] = "apply",                 [OPERATION_DETAILS] = "details",
        [OPERATION_CYCLE] = "cycle"};
    return names[operation];
}

bool operation_is_fresh(operation operation)
{
    return operation == OPERATION_REGISTER || operation == OPERATION_CYCLE;
}

/* A number that looks random; the same for the same index. */
static uint64_t mix(uint64_t value)
{
    value = (value + 1) * UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* Ids are UUIDs, events are named as Apple names transactions. */
void prepare_call(call *call, uint64_t index)
{
    static const double amounts[] = {0.99, 4.99, 9.99, 1.99, 19.99, 2.49, 99.99, 0.49};
    static const double ad_amounts[] = {0.0123, 0.004, 0.25, 0.031415, 0.0075, 0.1, 0.012, 0.002718};
    static const char *const currencies[] = {"USD", "USD", "EUR", "USD", "GBP", "USD", "JPY", "EUR"};
    static _Atomic uint64_t counter;
    uint64_t high = mix(2 * index), low = mix(2 * index + 1);
    uint64_t number = atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    snprintf(call->id, sizeof call->id, "%08X-%04X-%04X-%04X-%012llX", (unsigned)(high >> 32),
             (unsigned)(high >> 16) & 0xffff, (unsigned)high & 0xffff, (unsigned)(low >> 48),
             (unsigned long long)(low & 0xffffffffffff));
    snprintf(call->event_id, sizeof call->event_id, "2000000%09llu", (unsigned long long)(number % 1000000000));
    call->ad = number % 4 == 3;
    call->amount = call->ad ? ad_amounts[number / 4 % 8] : amounts[number / 4 % 8];
    call->currency = currencies[high % 8];
    call->ticket = BENCH_START * UINT64_C(1000000) + number + 1;
}

static void expect_ok(int status, const side *side, const char *what)
{
    if (status == 0) return;
    fprintf(stderr, "bench: %s: %s answered %d\n", side->name, what, status);
    exit(1);
}

static void ask(const side *side, void *server, const call *call, uint64_t *ticket)
{
    char *url;
    expect_ok(side->request(server, call->id, "purchase", &url, ticket), side, "request");
    side->release(url);
}

static void show(const side *side, void *server, const call *call)
{
    char *json;
    expect_ok(side->details(server, call->id, &json), side, "details");
    side->release(json);
}

void run_calls(const side *side, void *server, operation operation, const call *calls, size_t count)
{
    update update;
    uint64_t ticket;
    for (const call *call = calls; call < calls + count; call++) {
        switch (operation) {
        case OPERATION_REGISTER: expect_ok(side->add(server, call->id, &update), side, "register"); break;
        case OPERATION_REVENUE: expect_ok(side->revenue(server, call, NULL), side, "revenue"); break;
        case OPERATION_REVENUE_EVENT: expect_ok(side->revenue(server, call, call->event_id), side, "revenue"); break;
        case OPERATION_REQUEST: ask(side, server, call, &ticket); break;
        case OPERATION_APPLY:
            expect_ok(side->apply(server, call->id, call->ticket, answer, sizeof answer - 1, &update), side, "apply");
            break;
        case OPERATION_DETAILS: show(side, server, call); break;
        case OPERATION_CYCLE:
            expect_ok(side->add(server, call->id, &update), side, "register");
            expect_ok(side->revenue(server, call, NULL), side, "revenue");
            ask(side, server, call, &ticket);
            expect_ok(side->apply(server, call->id, ticket, answer, sizeof answer - 1, &update), side, "apply");
            show(side, server, call);
            break;
        case OPERATION_COUNT: break;
        }
    }
}

double time_calls(const side *side, void *server, operation operation, const call *calls, size_t count)
{
    double start = seconds_now();
    run_calls(side, server, operation, calls, count);
    return (seconds_now() - start) * 1e9 / (double)count;
}

void forget_calls(const side *side, void *server, const call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) side->forget(server, calls[i].id);
}

void add_installs(const side *side, void *server, uint64_t count)
{
    for (uint64_t index = 0; index < count; index++) {
        call call;
        prepare_call(&call, index);
        call.ad = false;
        run_calls(side, server, OPERATION_REGISTER, &call, 1);
        run_calls(side, server, OPERATION_REVENUE, &call, 1);
    }
}

void add_history(const side *side, void *server, uint64_t count, int events)
{
    for (uint64_t index = 0; index < count; index++) {
        call call;
        prepare_call(&call, index);
        call.ad = true;
        run_calls(side, server, OPERATION_REVENUE, &call, 1);
        run_calls(side, server, OPERATION_APPLY, &call, 1);
        for (int i = 0; i < events; i++) {
            prepare_call(&call, index);
            run_calls(side, server, OPERATION_REVENUE_EVENT, &call, 1);
        }
    }
}
