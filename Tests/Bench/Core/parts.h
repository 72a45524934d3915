/* parts.h - the parts of a run. */
#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "operations.h"

typedef struct effort {
    int rounds;         /* of each measure at 1 000 installs */
    int million_rounds; /* of each with many */
    uint64_t installs;  /* how many "many" are */
} effort;

/* The same calls on both sides, the answers compared; false if they differ. */
bool verify(void);
/* Time of each operation with 1 000 installs. */
void measure_operations(effort effort);
/* Memory, and time against 1 000 installs, with a million. */
void measure_million(effort effort);
/* Two threads against one. */
void measure_threads(effort effort);
/* One operation in a loop, for a profiler. */
void run_alone(const side *side, operation operation, uint64_t count);

#endif
