/*
 * at_million.c - memory of a million installs, and each operation's time against its time with 1 000.
 *
 * Each side has two processes of its own, one with many installs and one with 1 000, which take turns: so memory can
 * be told, and neither works in the other's heap or caches.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "parts.h"
#include "table.h"

#define SMALL 1000

/* --------------------------------------------------------------------------------------------------- in a process */

typedef struct population {
    const side *side;
    void *server;
    uint64_t count;
    uint32_t *order; /* a permutation of the first three quarters; the last one is for access in order */
    uint64_t next_random, next_in_order, next_unseen;
} population;

typedef struct memory {
    double resident, allocated; /* bytes an install */
    double build;               /* ns to register an install and add its purchase */
} memory;

/* Nanoseconds a call. */
typedef struct timing {
    double random, in_order;
} timing;

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

static memory build(population *population)
{
    malloc_trim(0); /* what was freed before is not to be used again unseen */
    double resident = resident_bytes(), allocated = allocated_bytes(), start = seconds_now();
    add_installs(population->side, population->server, population->count);
    double count = (double)population->count;
    return (memory){.build = (seconds_now() - start) * 1e9 / count,
                    .resident = (resident_bytes() - resident) / count,
                    .allocated = (allocated_bytes() - allocated) / count};
}

static size_t batch_size(operation operation)
{
    return operation_is_fresh(operation) ? FRESH_BATCH : BATCH;
}

/* Other installs in every round, as far as there are any: most are as young as when they were made. */
static double time_batch(population *population, operation operation, bool random)
{
    static call calls[BATCH];
    size_t batch = batch_size(operation);
    uint64_t spread = population->count / 4 * 3;
    bool fresh = operation_is_fresh(operation);
    for (size_t i = 0; i < batch; i++) {
        uint64_t index = fresh ? population->next_unseen++
                         : random ? population->order[population->next_random++ % spread]
                                  : spread + population->next_in_order++ % (population->count - spread);
        prepare_call(&calls[i], index);
    }
    double time = time_calls(population->side, population->server, operation, calls, batch);
    if (fresh) forget_calls(population->side, population->server, calls, batch);
    return time;
}

static timing time_many(population *population, operation operation)
{
    timing out = {.random = time_batch(population, operation, true)};
    if (!operation_is_fresh(operation)) out.in_order = time_batch(population, operation, false);
    return out;
}

/* With 1 000 installs, made anew so that they are as young as those of the many. */
static timing time_small(const side *side, operation operation)
{
    static call calls[BATCH];
    bool fresh = operation_is_fresh(operation);
    size_t batch = batch_size(operation);
    void *server = side->create();
    add_installs(side, server, SMALL);
    if (fresh) {
        /* The table has grown for a batch of other installs before. */
        for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], 2 * SMALL + i);
        run_calls(side, server, operation, calls, batch);
        forget_calls(side, server, calls, batch);
    }
    for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], fresh ? SMALL + i : i * 617 % SMALL);
    timing out = {.random = time_calls(side, server, operation, calls, batch)};
    side->destroy(server);
    return out;
}

/* ------------------------------------------------------------------------------------------------------ processes */

typedef struct process {
    pid_t id;
    int to, from;
} process;

static void receive(int from, void *data, size_t size)
{
    if (read(from, data, size) != (ssize_t)size) exit(1);
}

static void send(int to, const void *data, size_t size)
{
    if (write(to, data, size) != (ssize_t)size) exit(1);
}

/* Sends the memory of its installs, then takes operations until OPERATION_COUNT, and sends their times. */
static void serve(const side *side, uint64_t count, int from, int to)
{
    population many = {.side = side, .count = count, .next_unseen = count};
    if (count > SMALL) {
        many.order = permutation(count / 4 * 3);
        many.server = side->create();
        memory memory = build(&many);
        send(to, &memory, sizeof memory);
    }
    for (;;) {
        operation operation;
        receive(from, &operation, sizeof operation);
        if (operation == OPERATION_COUNT) break;
        timing timing = count > SMALL ? time_many(&many, operation) : time_small(side, operation);
        send(to, &timing, sizeof timing);
    }
    if (many.server != NULL) side->destroy(many.server);
    free(many.order);
}

static process start(const side *side, uint64_t count)
{
    int there[2], back[2];
    if (pipe(there) != 0 || pipe(back) != 0) exit(1);
    fflush(NULL);
    process process = {.id = fork(), .to = there[1], .from = back[0]};
    if (process.id < 0) exit(1);
    if (process.id == 0) {
        close(there[1]);
        close(back[0]);
        serve(side, count, there[0], back[1]);
        _exit(0);
    }
    close(there[0]);
    close(back[1]);
    return process;
}

static timing ask(const process *process, operation operation)
{
    timing timing;
    send(process->to, &operation, sizeof operation);
    receive(process->from, &timing, sizeof timing);
    return timing;
}

static void end(const process *process)
{
    operation none = OPERATION_COUNT;
    send(process->to, &none, sizeof none);
    waitpid(process->id, NULL, 0);
    close(process->to);
    close(process->from);
}

/* ------------------------------------------------------------------------------------------------------- findings */

typedef struct findings {
    memory memory;
    double small[OPERATION_COUNT], random[OPERATION_COUNT], in_order[OPERATION_COUNT];
} findings;

static findings find(const side *side, effort effort)
{
    findings out;
    size_t rounds = (size_t)effort.million_rounds;
    process small = start(side, SMALL), many = start(side, effort.installs);
    receive(many.from, &out.memory, sizeof out.memory);
    for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
        double with_small[MAX_ROUNDS], random[MAX_ROUNDS], in_order[MAX_ROUNDS];
        for (size_t round = 0; round < rounds; round++) {
            with_small[round] = ask(&small, operation).random;
            timing timing = ask(&many, operation);
            random[round] = timing.random;
            in_order[round] = timing.in_order;
        }
        out.small[operation] = median(with_small, rounds);
        out.random[operation] = median(random, rounds);
        out.in_order[operation] = median(in_order, rounds);
    }
    end(&many);
    end(&small);
    return out;
}

static void print_memory(const findings *skan, const findings *plain)
{
    table_line((line){.name = "bytes an install, resident",
                      .skan = skan->memory.resident,
                      .plain = plain->memory.resident,
                      .judged = skan->memory.resident,
                      .limit = 250,
                      .bar = BAR_AT_MOST});
    table_line((line){.name = "bytes an install, allocated",
                      .skan = skan->memory.allocated,
                      .plain = plain->memory.allocated});
    table_line(
        (line){.name = "register and purchase, ns", .skan = skan->memory.build, .plain = plain->memory.build});
}

void measure_million(effort effort)
{
    static findings skan, plain;
    const char *many = effort.installs == 1000000 ? "1 000 000" : "100 000";
    char title[64];
    skan = find(&side_skan, effort);
    plain = find(&side_plain, effort);
    snprintf(title, sizeof title, "%s installs, one purchase each", many);
    table_part(title, "", "", "");
    print_memory(&skan, &plain);

    snprintf(title, sizeof title, "%s installs, at random", many);
    table_part(title, "ns", "to 1 000", "plain's");
    for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
        double growth = skan.random[operation] / skan.small[operation];
        table_line((line){.name = operation_name(operation),
                          .skan = skan.random[operation],
                          .plain = plain.random[operation],
                          .ratio = growth,
                          .plain_ratio = plain.random[operation] / plain.small[operation],
                          .judged = growth,
                          .limit = 1.5,
                          .bar = BAR_AT_MOST});
    }

    snprintf(title, sizeof title, "%s installs, in order", many);
    table_part(title, "ns", "to 1 000", "plain's");
    for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
        if (operation_is_fresh(operation)) continue;
        table_line((line){.name = operation_name(operation),
                          .skan = skan.in_order[operation],
                          .plain = plain.in_order[operation],
                          .ratio = skan.in_order[operation] / skan.small[operation],
                          .plain_ratio = plain.in_order[operation] / plain.small[operation]});
    }
}
