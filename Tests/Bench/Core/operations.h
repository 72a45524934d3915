/* operations.h - the operations that are measured, in batches of prepared calls. */
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

#include "side.h"

typedef enum operation {
    OPERATION_REGISTER,
    OPERATION_REVENUE,
    OPERATION_REVENUE_EVENT,
    OPERATION_REQUEST,
    OPERATION_APPLY,
    OPERATION_DETAILS,
    OPERATION_CYCLE, /* register, revenue, request, apply, details */
    OPERATION_COUNT
} operation;

const char *operation_name(operation operation);
/* Registers installs, so its batches need new ids and are forgotten afterwards. */
bool operation_is_fresh(operation operation);

#define BATCH 1000      /* calls of a batch */
#define FRESH_BATCH 250 /* of one that registers */

/* Prepares the calls of an install: `index` names the install, a counter makes event ids and tickets new. */
void prepare_call(call *call, uint64_t index);

/* Runs the operation once for each call. Any other answer than OK ends the program. */
void run_calls(const side *side, void *server, operation operation, const call *calls, size_t count);
/* The same; answers nanoseconds for one call. */
double time_calls(const side *side, void *server, operation operation, const call *calls, size_t count);
void forget_calls(const side *side, void *server, const call *calls, size_t count);

/* An engine with installs 0 ..< count: registered, with one purchase. */
void add_installs(const side *side, void *server, uint64_t count);
/* Then what a live install has: ad revenue, an applied answer, and purchases with event ids. */
void add_history(const side *side, void *server, uint64_t count, int events);

#endif
