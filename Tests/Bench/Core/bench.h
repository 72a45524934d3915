/* bench.h - what the parts of the bench share: two sides that are told the same, the calls that are measured, and the
 * table of measures. */
#ifndef BENCH_H
#define BENCH_H

#include <skan/skan.h>

#include "../measure.h"

/* libskan's functions, and those of plain C in the same form. */
typedef struct side {
    const char *name;
    skan *(*create)(void);
    void (*destroy)(skan *engine);
    skan_status (*add)(skan *engine, const char *install_id, skan_update *out, skan_error **error);
    skan_status (*revenue)(skan *engine, const char *install_id, double amount, const char *currency, bool ad,
                           const char *event_id, skan_error **error);
    skan_status (*request)(skan *engine, const char *install_id, const char *event_name, const skan_device *device,
                           char **url, uint64_t *ticket, skan_error **error);
    skan_status (*apply)(skan *engine, const char *install_id, uint64_t ticket, const void *body, size_t length,
                         skan_update *out, skan_error **error);
    skan_status (*details)(skan *engine, const char *install_id, char **json, skan_error **error);
    skan_status (*forget)(skan *engine, const char *install_id, skan_error **error);
    void (*release)(void *text);
} side;

extern const side side_skan;
extern const side side_plain;
/* As side_plain, but its details tell json-c that keys are new and constant: it neither looks for them nor copies. */
extern const side side_plain_constant_keys;

#define BENCH_START 1700000000 /* where the clock of both stands at first, Unix seconds */
extern int64_t bench_now;      /* microseconds */

/* What both are told. */
#define BENCH_ENDPOINT "https://sdk-api-v1.singular.net"
#define BENCH_SDK_KEY "sdk_key_here"
#define BENCH_BUNDLE_ID "com.example.game"
#define BENCH_APP_VERSION "1.2.3"
extern const skan_device bench_device;

/* ------------------------------------------------------------------------------------------------------- operations */

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
    bool ad;
} call;

#define BATCH 1000      /* calls of a batch */
#define FRESH_BATCH 250 /* of one that registers */

const char *operation_name(operation operation);
/* Registers installs, so its batches need new ids and are forgotten afterwards. */
bool operation_is_fresh(operation operation);

/* Prepares the calls of an install: `index` names the install, a counter makes event ids and tickets new. */
void prepare_call(call *call, uint64_t index);
/* Runs the operation once for each call. Any other answer than OK ends the program. */
void run_calls(const side *side, skan *engine, operation operation, const call *calls, size_t count);
/* The same, and forgets installs that are fresh; answers nanoseconds for one call. */
double time_calls(const side *side, skan *engine, operation operation, const call *calls, size_t count);

/* An engine with installs 0 ..< count: registered, with one purchase. */
void add_installs(const side *side, skan *engine, uint64_t count);
/* Then what a live install has: ad revenue, an applied answer, and purchases with event ids. */
void add_history(const side *side, skan *engine, uint64_t count, int events);

/* ------------------------------------------------------------------------------------------------------------ parts */

typedef struct effort {
    int rounds;        /* of each measure */
    uint64_t installs; /* how many "many" are */
} effort;

/* The same calls on both sides, the answers compared; false if they differ. */
bool verify(void);
/* Time of each operation with 1 000 installs. */
void measure_operations(effort effort);
/* Memory, and time against 1 000 installs, with a million. */
void measure_million(effort effort);
/* Two threads against one. */
void measure_threads(effort effort);

/* ------------------------------------------------------------------------------------------------------------ table */

typedef enum bar { BAR_NONE, BAR_AT_MOST, BAR_AT_LEAST } bar;

/* A line: both sides' values and one or two ratios, 0 = leave out. `judged` is what the bar is held against. */
typedef struct line {
    const char *name;
    double skan, plain, ratio, plain_ratio;
    double judged, limit;
    bar bar;
} line;

/* Starts a part of the table; `unit` is that of the two sides' columns, the ratios head the next two. */
void table_part(const char *title, const char *unit, const char *ratio, const char *plain_ratio);
void table_line(line line);
/* How many bars were met. */
void table_summary(void);

#endif
