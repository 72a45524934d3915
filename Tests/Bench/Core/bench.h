/* bench.h - what the parts of the bench share: the calls that are measured, and how a measure is printed. */
#ifndef BENCH_H
#define BENCH_H

#include <skan/skan.h>

#include "../measure.h"

#define BENCH_START 1700000000 /* where the engines' clock stands, Unix seconds */

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

/* One install's next calls. They are made before the clock runs, as if they had come off the network. */
typedef struct call {
    char id[40];
    char event_id[24];
    const char *currency;
    double amount;
    uint64_t ticket;
    int32_t kind; /* SKAN_IAP or SKAN_AD */
} call;

#define BATCH 1000      /* calls of a batch */
#define FRESH_BATCH 250 /* of one that registers */

/* In memory, with an endpoint; its clock stands still. */
skan_engine *create_engine(void);

const char *operation_name(operation operation);
/* Registers installs, so its batches need new ids and are forgotten afterwards. */
bool operation_is_fresh(operation operation);
size_t batch_size(operation operation);

/* Prepares the calls of an install: `index` names the install, a counter makes event ids and tickets new. */
void prepare_call(call *call, uint64_t index);
/* Runs the operation once for each call. Any other answer than OK ends the program. */
void run_calls(skan_engine *engine, operation operation, const call *calls, size_t count);
/* The same, and forgets installs that are fresh; answers nanoseconds for one call. */
double time_calls(skan_engine *engine, operation operation, const call *calls, size_t count);
/* The yardstick: nanoseconds in which json-c reads an answer of the endpoint and prints it again. */
double time_json(void);

/* Installs 0 ..< count: registered, with one purchase. */
void add_installs(skan_engine *engine, uint64_t count);
/* Then what a live install has: ad revenue, an applied answer, and purchases with event ids. */
void add_history(skan_engine *engine, uint64_t count, int events);

typedef struct effort {
    int rounds;        /* of each measure */
    uint64_t installs; /* how many "many" are */
} effort;

/* Time of each operation with 1 000 installs, beside the yardstick. */
void measure_operations(effort effort);
/* Answers that are made to take long, beside plain ones. */
void measure_documents(effort effort);
/* Memory, and time against 1 000 installs, with a million. */
void measure_million(effort effort);
/* Two threads against one. */
void measure_threads(effort effort);

/* A line of the table: a value, and a ratio where it is not 0. */
void print_measure(const char *name, double value, double ratio);

#endif
