/* at_million.c - memory of a million installs, and each operation's time against its time with 1 000. Each side
 * has a process of its own, so that its memory can be told. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "parts.h"
#include "table.h"

#define SMALL 1000

/* Nanoseconds a call, with 1 000 installs and with many. */
typedef struct timing {
    double small, random, in_order;
} timing;

typedef struct findings {
    double resident, allocated; /* bytes an install */
    double build;               /* ns to register an install and add its purchase */
    timing timings[OPERATION_COUNT];
} findings;

typedef struct many {
    const side *side;
    void *server;
    uint64_t count;
    uint32_t *order; /* a permutation of the first three quarters; the last one is for access in order */
    uint64_t next_random, next_in_order, next_unseen;
} many;

static uint32_t *permutation(uint64_t count)
{
    uint32_t *order = malloc(count * sizeof *order);
    if (order == NULL) abort();
    srand(7);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t j = (((uint64_t)rand() << 31) ^ (uint64_t)rand()) % (i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    return order;
}

static uint64_t next_random(many *many)
{
    return many->order[many->next_random++ % (many->count / 4 * 3)];
}

static uint64_t next_in_order(many *many)
{
    return many->count / 4 * 3 + many->next_in_order++ % (many->count / 4);
}

/* 1 000 installs as young as those of the million, made anew: no round sees what an earlier one left. */
static double time_small(const side *side, operation operation, size_t batch)
{
    static call calls[BATCH];
    void *server = side->create();
    add_installs(side, server, SMALL);
    if (operation_is_fresh(operation)) {
        /* The table has grown for a batch of other installs before. */
        for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], 2 * SMALL + i);
        run_calls(side, server, operation, calls, batch);
        forget_calls(side, server, calls, batch);
        for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], SMALL + i);
    } else {
        for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], i * 617 % SMALL);
    }
    double time = time_calls(side, server, operation, calls, batch);
    side->destroy(server);
    return time;
}

static double time_many(many *many, operation operation, size_t batch, bool random)
{
    static call calls[BATCH];
    bool fresh = operation_is_fresh(operation);
    for (size_t i = 0; i < batch; i++) {
        uint64_t index = fresh ? many->next_unseen++ : random ? next_random(many) : next_in_order(many);
        prepare_call(&calls[i], index);
    }
    double time = time_calls(many->side, many->server, operation, calls, batch);
    if (fresh) forget_calls(many->side, many->server, calls, batch);
    return time;
}

static findings find(const side *side, effort effort)
{
    findings out = {.resident = 0};
    many many = {.side = side, .count = effort.installs, .next_unseen = effort.installs};
    many.order = permutation(many.count / 4 * 3);
    many.server = side->create();
    malloc_trim(0); /* what was freed before is not to be used again unseen */
    double resident = resident_bytes(), allocated = allocated_bytes(), start = seconds_now();
    add_installs(side, many.server, many.count);
    out.build = (seconds_now() - start) * 1e9 / (double)many.count;
    out.resident = (resident_bytes() - resident) / (double)many.count;
    out.allocated = (allocated_bytes() - allocated) / (double)many.count;

    for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
        double small[MAX_ROUNDS], random[MAX_ROUNDS], in_order[MAX_ROUNDS];
        size_t rounds = (size_t)effort.million_rounds, batch = operation_is_fresh(operation) ? FRESH_BATCH : BATCH;
        for (size_t round = 0; round < rounds; round++) {
            small[round] = time_small(side, operation, batch);
            random[round] = time_many(&many, operation, batch, true);
            in_order[round] = time_many(&many, operation, batch, false);
        }
        out.timings[operation] = (timing){.small = median(small, rounds),
                                          .random = median(random, rounds),
                                          .in_order = median(in_order, rounds)};
    }
    side->destroy(many.server);
    free(many.order);
    return out;
}

static findings find_in_child(const side *side, effort effort)
{
    findings out = {.resident = 0};
    int ends[2];
    if (pipe(ends) != 0) exit(1);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
        out = find(side, effort);
        _exit(write(ends[1], &out, sizeof out) == sizeof out ? 0 : 1);
    }
    int status;
    close(ends[1]);
    ssize_t got = read(ends[0], &out, sizeof out);
    close(ends[0]);
    waitpid(child, &status, 0);
    if (got != sizeof out) exit(1);
    return out;
}

void measure_million(effort effort)
{
    findings skan = find_in_child(&side_skan, effort), plain = find_in_child(&side_plain, effort);
    char title[64];
    snprintf(title, sizeof title, "%llu 000 installs, one purchase each", (unsigned long long)effort.installs / 1000);
    table_part(title, "", "", "");
    table_line((line){.name = "bytes an install, resident",
                      .skan = skan.resident,
                      .plain = plain.resident,
                      .judged = skan.resident,
                      .limit = 250,
                      .bar = BAR_AT_MOST});
    table_line((line){.name = "bytes an install, allocated", .skan = skan.allocated, .plain = plain.allocated});
    table_line((line){.name = "register and purchase, ns", .skan = skan.build, .plain = plain.build});

    static const char *const orders[] = {"at random", "in order"};
    for (int in_order = 0; in_order < 2; in_order++) {
        snprintf(title, sizeof title, "%llu 000 installs, %s", (unsigned long long)effort.installs / 1000,
                 orders[in_order]);
        table_part(title, "ns", "to 1 000", "plain's");
        for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
            if (in_order && operation_is_fresh(operation)) continue;
            const timing *by_skan = &skan.timings[operation], *by_plain = &plain.timings[operation];
            double skan_many = in_order ? by_skan->in_order : by_skan->random;
            double plain_many = in_order ? by_plain->in_order : by_plain->random;
            table_line((line){.name = operation_name(operation),
                              .skan = skan_many,
                              .plain = plain_many,
                              .ratio = skan_many / by_skan->small,
                              .plain_ratio = plain_many / by_plain->small,
                              .judged = skan_many / by_skan->small,
                              .limit = 1.5,
                              .bar = in_order ? BAR_NONE : BAR_AT_MOST});
        }
    }
}
