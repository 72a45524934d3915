/*
 * bench - what libskan's calls cost in memory.
 *
 *     bench                              everything; half a minute
 *     bench --quick                      fewer rounds and installs
 *     bench --operation NAME --count N   one operation in a loop, for a profiler
 *
 * Times are shown, never asserted.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static int usage(void) {
    fprintf(stderr, "usage: bench [--quick] | --operation NAME [--count N]\noperations:");
    for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
        fprintf(stderr, " %s", operation_name(operation));
    }
    fprintf(stderr, "\n");
    return 2;
}

void print_measure(const char *name, double value, double ratio) {
    printf(value < 100 ? "  %-44s %11.2f" : "  %-44s %11.0f", name, value);
    if (ratio != 0) printf(" %11.2f", ratio);
    printf("\n");
    fflush(stdout);
}

static void print_load(void) {
    double load;
    if (getloadavg(&load, 1) == 1) printf("Load of this machine: %.2f\n", load);
}

static int run_all(effort effort) {
    printf("libskan %s, json-c %s; medians of %d rounds\n", skan_version(), json_c_version(), effort.rounds);
    print_load();
    measure_operations(effort);
    measure_documents(effort);
    measure_million(effort);
    measure_threads(effort);
    print_load();
    return 0;
}

/* Everything inside run_calls is the operation. */
static int run_alone(const char *name, long count) {
    enum { INSTALLS = 1000 };
    static call calls[BATCH];
    operation operation = 0;
    while (operation < OPERATION_COUNT && strcmp(operation_name(operation), name) != 0) operation++;
    if (operation == OPERATION_COUNT || count < 1) return usage();
    size_t batch = batch_size(operation);
    skan_engine *engine = create_engine();
    add_installs(engine, INSTALLS);
    add_history(engine, INSTALLS, 0);
    double sum = 0;
    long done = 0;
    for (; done < count; done += (long)batch) {
        uint64_t first = operation_is_fresh(operation) ? INSTALLS : 0;
        for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], first + i * 617 % INSTALLS);
        sum += time_calls(engine, operation, calls, batch) * (double)batch;
    }
    printf("%s: %.0f ns a call\n", name, sum / (double)done);
    skan_destroy(engine);
    return 0;
}

int main(int argc, char **argv) {
    effort effort = {.rounds = 41, .installs = 1000000};
    const char *operation = NULL;
    long count = 100000;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--quick") == 0) {
            effort.rounds = 7;
            effort.installs = 100000;
        } else if (strcmp(argv[i], "--operation") == 0) {
            operation = value;
            i++;
        } else if (strcmp(argv[i], "--count") == 0) {
            count = atol(value);
            i++;
        } else {
            return usage();
        }
    }
    return operation == NULL ? run_all(effort) : run_alone(operation, count);
}
