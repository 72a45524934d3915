/* alone.c - one operation in a loop, for a profiler: everything inside run_calls is the operation. */
#include <stdio.h>

#include "measure.h"
#include "parts.h"

#define INSTALLS 1000

void run_alone(const side *side, operation operation, uint64_t count)
{
    static call calls[BATCH];
    uint64_t unseen = INSTALLS, done = 0;
    double sum = 0, best = 0;
    void *server = side->create();
    add_installs(side, server, INSTALLS);
    add_history(side, server, INSTALLS, 0);
    while (done < count) {
        size_t batch = operation_is_fresh(operation) ? FRESH_BATCH : BATCH;
        if (batch > count - done) batch = (size_t)(count - done);
        for (size_t i = 0; i < batch; i++) {
            prepare_call(&calls[i], operation_is_fresh(operation) ? unseen++ : (done + i) * 617 % INSTALLS);
        }
        double nanoseconds = time_calls(side, server, operation, calls, batch);
        sum += nanoseconds * (double)batch;
        if (done == 0 || nanoseconds < best) best = nanoseconds;
        if (operation_is_fresh(operation)) forget_calls(side, server, calls, batch);
        done += batch;
    }
    side->destroy(server);
    printf("%s %s: %.0f ns a call, in the best batch %.0f; %llu calls\n", side->name, operation_name(operation),
           sum / (double)count, best, (unsigned long long)count);
}
