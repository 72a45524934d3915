/* calls.c - an engine, and the calls of its installs. */
#include <json-c/json.h>
#include <skan/store.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

static const skan_device device = {.size = sizeof device,
                                   .os_version = "16.1",
                                   .idfv = "21DB6612-09B3-4ECC-84AC-B353B0AF1334",
                                   .idfa = "DFC5A647-9043-4699-B2A5-76F03A97064B"};

static const skan_event purchase = {.size = sizeof purchase, .name = "purchase", .device = &device};

static int64_t now(void *context) {
    (void)context;
    return BENCH_START * INT64_C(1000000);
}

skan_engine *create_engine(void) {
    const skan_clock clock = {.size = sizeof clock, .now = now};
    const skan_options options = {.size = sizeof options,
                                  .clock = &clock,
                                  .endpoint_url = SKAN_ENDPOINT_SINGULAR,
                                  .sdk_key = "sdk_key_here",
                                  .bundle_id = "com.example.game",
                                  .app_version = "1.2.3"};
    skan_engine *engine = NULL;
    if (skan_create(&options, &engine, NULL) != SKAN_OK) abort();
    return engine;
}

static const char answer[] =
    "{\"conversion_value\":12,\"skan_updated_coarse_value\":1,\"postback_sequence_index\":0,\"status\":\"ok\"}";

const char *operation_name(operation operation) {
    static const char *const names[OPERATION_COUNT] = {
        [OPERATION_REGISTER] = "register",           [OPERATION_REVENUE] = "revenue",
        [OPERATION_REVENUE_EVENT] = "revenue-event", [OPERATION_REQUEST] = "request",
        [OPERATION_APPLY] = "apply",                 [OPERATION_DETAILS] = "details",
        [OPERATION_CYCLE] = "cycle"};
    return names[operation];
}

bool operation_is_fresh(operation operation) {
    return operation == OPERATION_REGISTER || operation == OPERATION_CYCLE;
}

size_t batch_size(operation operation) {
    return operation_is_fresh(operation) ? FRESH_BATCH : BATCH;
}

/* A number that looks random; the same for the same index. */
static uint64_t mix(uint64_t value) {
    value = (value + 1) * UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* Ids are UUIDs, events are named as Apple names transactions. */
void prepare_call(call *call, uint64_t index) {
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
    call->kind = number % 4 == 3 ? SKAN_AD : SKAN_IAP;
    call->amount = call->kind == SKAN_AD ? ad_amounts[number / 4 % 8] : amounts[number / 4 % 8];
    call->currency = currencies[high % 8];
    call->ticket = BENCH_START * UINT64_C(1000000) + number + 1;
}

static void expect_ok(skan_status status, operation operation) {
    if (status == SKAN_OK) return;
    fprintf(stderr, "bench: %s answered %s\n", operation_name(operation), skan_status_name(status));
    exit(1);
}

/* The ticket is the call's, or the one that a request before it in a cycle gave. */
static skan_status run_one(skan_engine *engine, operation operation, const call *call, uint64_t *ticket) {
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    skan_status status;
    char *text = NULL;
    switch (operation) {
    case OPERATION_REGISTER: return skan_register(engine, call->id, NULL, &update, &error);
    case OPERATION_REVENUE:
    case OPERATION_REVENUE_EVENT:
        return skan_update_revenue(engine, call->id, (skan_amount){.number = call->amount}, call->currency, call->kind,
                                   operation == OPERATION_REVENUE ? NULL : call->event_id, &error);
    case OPERATION_APPLY:
        return skan_apply_response(engine, call->id, NULL, *ticket, answer, sizeof answer - 1, &update, &error);
    case OPERATION_REQUEST:
        status = skan_conversion_request(engine, call->id, &purchase, &text, ticket, &error);
        break;
    default: status = skan_details(engine, call->id, &text, &error); break;
    }
    skan_free(text);
    return status;
}

void run_calls(skan_engine *engine, operation operation, const call *calls, size_t count) {
    for (const call *call = calls; call < calls + count; call++) {
        uint64_t ticket = call->ticket;
        if (operation != OPERATION_CYCLE) {
            expect_ok(run_one(engine, operation, call, &ticket), operation);
            continue;
        }
        for (enum operation part = 0; part < OPERATION_CYCLE; part++) {
            if (part == OPERATION_REVENUE_EVENT) continue;
            expect_ok(run_one(engine, part, call, &ticket), part);
        }
    }
}

double time_calls(skan_engine *engine, operation operation, const call *calls, size_t count) {
    double start = seconds_now();
    run_calls(engine, operation, calls, count);
    double time = (seconds_now() - start) * 1e9 / (double)count;
    if (operation_is_fresh(operation)) {
        for (size_t i = 0; i < count; i++) skan_forget(engine, calls[i].id, NULL);
    }
    return time;
}

double time_json(void) {
    double start = seconds_now();
    for (int i = 0; i < BATCH; i++) {
        json_object *value = json_tokener_parse(answer);
        if (value == NULL || json_object_to_json_string(value) == NULL) abort();
        json_object_put(value);
    }
    return (seconds_now() - start) * 1e9 / BATCH;
}

void add_installs(skan_engine *engine, uint64_t count) {
    for (uint64_t index = 0; index < count; index++) {
        call call;
        prepare_call(&call, index);
        call.kind = SKAN_IAP;
        run_calls(engine, OPERATION_REGISTER, &call, 1);
        run_calls(engine, OPERATION_REVENUE, &call, 1);
    }
}

void add_history(skan_engine *engine, uint64_t count, int events) {
    for (uint64_t index = 0; index < count; index++) {
        call call;
        prepare_call(&call, index);
        call.kind = SKAN_AD;
        run_calls(engine, OPERATION_REVENUE, &call, 1);
        run_calls(engine, OPERATION_APPLY, &call, 1);
        for (int i = 0; i < events; i++) {
            prepare_call(&call, index);
            run_calls(engine, OPERATION_REVENUE_EVENT, &call, 1);
        }
    }
}
