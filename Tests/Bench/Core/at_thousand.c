/* at_thousand.c - each operation with 1 000 installs, libskan and plain C in turns. */
#include <stdlib.h>

#include "bench.h"

#define INSTALLS 1000

typedef struct pair {
    const side *side[2];
    skan *engine[2];
    double nanoseconds[2]; /* medians of the last measure */
} pair;

/* Both sides with the same installs. */
static pair make_pair(int events) {
    pair pair = {.side = {&side_skan, &side_plain}};
    for (int i = 0; i < 2; i++) {
        pair.engine[i] = pair.side[i]->create();
        add_installs(pair.side[i], pair.engine[i], INSTALLS);
        add_history(pair.side[i], pair.engine[i], INSTALLS, events);
    }
    return pair;
}

static void free_pair(pair *pair) {
    for (int i = 0; i < 2; i++) pair->side[i]->destroy(pair->engine[i]);
}

/* Every install once, in another order each time; or installs never seen. */
static size_t prepare_batch(call calls[BATCH], operation operation) {
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
static void run_round(const pair *pair, operation operation, int first, double out[2]) {
    static call calls[BATCH];
    size_t count = prepare_batch(calls, operation);
    for (int turn = 0; turn < 2; turn++) {
        int i = first ^ turn;
        out[i] = time_calls(pair->side[i], pair->engine[i], operation, calls, count);
    }
}

static void measure(pair *pair, operation operation, int rounds) {
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
static void measure_event(pair *out, int rounds) {
    double values[2][MAX_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        pair pair = make_pair(7);
        double once[2];
        run_round(&pair, OPERATION_REVENUE_EVENT, 0, once); /* the eighth; and warms up */
        run_round(&pair, OPERATION_REVENUE_EVENT, round & 1, once);
        for (int i = 0; i < 2; i++) values[i][round] = once[i];
        free_pair(&pair);
    }
    for (int i = 0; i < 2; i++) out->nanoseconds[i] = median(values[i], (size_t)rounds);
}

/* The bar is held against the ratio, or against libskan's microseconds. */
static void print_line(const char *name, const pair *pair, double limit, bool is_ratio) {
    double ratio = pair->nanoseconds[0] / pair->nanoseconds[1];
    table_line((line){.name = name,
                      .skan = pair->nanoseconds[0],
                      .plain = pair->nanoseconds[1],
                      .ratio = ratio,
                      .judged = is_ratio ? ratio : pair->nanoseconds[0] / 1000,
                      .limit = limit,
                      .bar = limit > 0 ? BAR_AT_MOST : BAR_NONE});
}

void measure_operations(effort effort) {
    static const struct {
        const char *name;
        operation operation;
        const side *plain;
        double limit;
    } lines[] = {{"register", OPERATION_REGISTER, &side_plain, 2},
                 {"update revenue", OPERATION_REVENUE, &side_plain, 2},
                 {"update revenue, event id", OPERATION_REVENUE_EVENT, &side_plain, 2},
                 {"request", OPERATION_REQUEST, &side_plain, 2},
                 {"apply", OPERATION_APPLY, &side_plain, 2},
                 {"details", OPERATION_DETAILS, &side_plain, 1},
                 {"details, plain C with constant keys", OPERATION_DETAILS, &side_plain_constant_keys, 0},
                 {"whole cycle", OPERATION_CYCLE, &side_plain, 8}};
    table_part("1 000 installs", "ns", "ratio", "");
    pair pair = make_pair(0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        operation operation = lines[i].operation;
        pair.side[1] = lines[i].plain;
        if (operation == OPERATION_REVENUE_EVENT) {
            measure_event(&pair, effort.rounds);
        } else {
            measure(&pair, operation, effort.rounds);
        }
        print_line(lines[i].name, &pair, lines[i].limit, operation != OPERATION_CYCLE);
    }
    free_pair(&pair);

    table_part("1 000 installs that remember 64 event ids", "ns", "ratio", "");
    pair = make_pair(64);
    for (operation operation = OPERATION_REVENUE; operation <= OPERATION_DETAILS; operation++) {
        measure(&pair, operation, effort.rounds);
        print_line(operation_name(operation), &pair, 0, true);
    }
    free_pair(&pair);
}
