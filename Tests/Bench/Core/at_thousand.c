/* at_thousand.c - each operation with 1 000 installs, libskan and plain C in turns. */
#include <stdlib.h>

#include "measure.h"
#include "parts.h"
#include "table.h"

#define INSTALLS 1000

typedef struct pair {
    const side *side[2];
    void *server[2];
    double nanoseconds[2]; /* medians of the last measure */
} pair;

/* Both sides with the same installs; plain as one of its two kinds. */
static pair make_pair(const side *plain, int events)
{
    pair pair = {.side = {&side_skan, plain}};
    for (int i = 0; i < 2; i++) {
        pair.server[i] = pair.side[i]->create();
        add_installs(pair.side[i], pair.server[i], INSTALLS);
        add_history(pair.side[i], pair.server[i], INSTALLS, events);
    }
    return pair;
}

static void free_pair(pair *pair)
{
    for (int i = 0; i < 2; i++) pair->side[i]->destroy(pair->server[i]);
}

/* Every install once, in another order each time; or installs never seen. */
static size_t prepare_batch(call calls[BATCH], operation operation)
{
    static uint64_t unseen = INSTALLS;
    if (operation_is_fresh(operation)) {
        for (size_t i = 0; i < FRESH_BATCH; i++) prepare_call(&calls[i], unseen++);
        return FRESH_BATCH;
    }
    uint64_t order[BATCH];
    for (size_t i = 0; i < BATCH; i++) {
        size_t j = (size_t)rand() % (i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < BATCH; i++) prepare_call(&calls[i], order[i]);
    return BATCH;
}

/* One round: the same calls on each side, this one or that one first. Answers nanoseconds a call. */
static void run_round(const pair *pair, operation operation, int first, double out[2])
{
    static call calls[BATCH];
    size_t count = prepare_batch(calls, operation);
    for (int turn = 0; turn < 2; turn++) {
        int i = first ^ turn;
        out[i] = time_calls(pair->side[i], pair->server[i], operation, calls, count);
        if (operation_is_fresh(operation)) forget_calls(pair->side[i], pair->server[i], calls, count);
    }
}

static void measure(pair *pair, operation operation, int rounds)
{
    double values[2][MAX_ROUNDS], warm_up[2];
    run_round(pair, operation, 0, warm_up);
    for (int round = 0; round < rounds; round++) {
        double out[2];
        run_round(pair, operation, round & 1, out);
        for (int i = 0; i < 2; i++) values[i][round] = out[i];
    }
    for (int i = 0; i < 2; i++) pair->nanoseconds[i] = median(values[i], (size_t)rounds);
}

/* As above, but every round starts with installs that remember 8 purchases. */
static void measure_event(pair *out, int rounds)
{
    double values[2][MAX_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        pair pair = make_pair(&side_plain, 7);
        double once[2];
        run_round(&pair, OPERATION_REVENUE_EVENT, 0, once); /* the eighth; and warms up */
        run_round(&pair, OPERATION_REVENUE_EVENT, round & 1, once);
        for (int i = 0; i < 2; i++) values[i][round] = once[i];
        free_pair(&pair);
    }
    for (int i = 0; i < 2; i++) out->nanoseconds[i] = median(values[i], (size_t)rounds);
}

static void print_ratio(const char *name, const pair *pair, double limit)
{
    double ratio = pair->nanoseconds[0] / pair->nanoseconds[1];
    table_line((line){.name = name,
                      .skan = pair->nanoseconds[0],
                      .plain = pair->nanoseconds[1],
                      .ratio = ratio,
                      .judged = ratio,
                      .limit = limit,
                      .bar = limit > 0 ? BAR_AT_MOST : BAR_NONE});
}

void measure_operations(effort effort)
{
    table_part("1 000 installs", "ns", "ratio", "");
    pair pair = make_pair(&side_plain, 0);
    measure(&pair, OPERATION_REGISTER, effort.rounds);
    print_ratio("register", &pair, 2);
    measure(&pair, OPERATION_REVENUE, effort.rounds);
    print_ratio("update revenue", &pair, 2);
    measure_event(&pair, effort.rounds);
    print_ratio("update revenue, event id", &pair, 2);
    measure(&pair, OPERATION_REQUEST, effort.rounds);
    print_ratio("request", &pair, 2);
    measure(&pair, OPERATION_APPLY, effort.rounds);
    print_ratio("apply", &pair, 2);
    measure(&pair, OPERATION_DETAILS, effort.rounds);
    print_ratio("details", &pair, 1);
    pair.side[1] = &side_plain_constant_keys;
    measure(&pair, OPERATION_DETAILS, effort.rounds);
    print_ratio("details, plain C with constant keys", &pair, 0);
    pair.side[1] = &side_plain;
    measure(&pair, OPERATION_CYCLE, effort.rounds);
    table_line((line){.name = "whole cycle",
                      .skan = pair.nanoseconds[0],
                      .plain = pair.nanoseconds[1],
                      .ratio = pair.nanoseconds[0] / pair.nanoseconds[1],
                      .judged = pair.nanoseconds[0] / 1000,
                      .limit = 8,
                      .bar = BAR_AT_MOST});
    free_pair(&pair);

    table_part("1 000 installs that remember 64 event ids", "ns", "ratio", "");
    pair = make_pair(&side_plain, 64);
    static const operation operations[] = {OPERATION_REVENUE, OPERATION_REVENUE_EVENT, OPERATION_REQUEST,
                                           OPERATION_APPLY, OPERATION_DETAILS};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        measure(&pair, operations[i], effort.rounds);
        print_ratio(operation_name(operations[i]), &pair, 0);
    }
    free_pair(&pair);
}
