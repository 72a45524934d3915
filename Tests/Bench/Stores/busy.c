/*
 * Calls that meet on one install, beside the same calls by one thread, and calls of 64 threads on 1 000 installs:
 *   busy [rounds] [another libskan.so]
 * Rounds of all take turns; printed are the medians, the median of each round's ratio, and how many calls failed. The
 * other library, such as an older one, does the same beside this one. Nothing is asserted.
 */
#define _GNU_SOURCE
#include "Bench/measure.h"
#include "Trouble/Stores/database.h"
#include "support.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 200, CALLS = 4000, FEW = 64, INSTALLS = 1000, LIBRARIES = 2, ROUNDS = 101 };

typedef struct library {
    const char *name;
    skan_status (*create)(const skan_options *options, skan_engine **out, skan_error **error);
    skan_status (*update_revenue)(skan_engine *engine, const char *install_id, skan_amount amount,
                                  const char *currency, int32_t kind, const char *event_id, skan_error **error);
    void (*destroy)(skan_engine *engine);
    skan_engine *engine;
} library;

static library libraries[LIBRARIES] = {{"this", skan_create, skan_update_revenue, skan_destroy, NULL}};
static int library_count = 1;

/* One way to make the calls. */
typedef struct way {
    const char *name;
    int threads, installs;
} way;

enum { ALONE, TOGETHER, APART, WAYS };
static const way ways[WAYS] = {
    {"1 thread, 1 install", 1, 1}, {"200 threads, 1 install", THREADS, 1}, {"64 threads, 1 000 installs", FEW, INSTALLS}};

static double took[LIBRARIES][WAYS][ROUNDS];
static long failed[LIBRARIES][WAYS];

/* ----------------------------------------------------------------------------------------------------------- calls */

static const library *calling;
static const way *going;
static atomic_long next_install, failures;

static void *buy(void *unused) {
    char id[32];
    for (int i = 0; i < CALLS / going->threads; i++) {
        long install = atomic_fetch_add_explicit(&next_install, 1, memory_order_relaxed) % going->installs;
        snprintf(id, sizeof id, "%s-%ld", calling->name, install); /* each reads only its own records */
        if (calling->update_revenue(calling->engine, id, AMOUNT(0.99), "USD", SKAN_IAP, NULL, NULL) != SKAN_OK)
            atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
    }
    return unused;
}

/* Microseconds of a call. */
static double run(int library, int way) {
    pthread_t threads[THREADS];
    calling = &libraries[library];
    going = &ways[way];
    atomic_store(&failures, 0);
    double start = seconds_now();
    for (int i = 0; i < going->threads; i++)
        if (pthread_create(&threads[i], NULL, buy, NULL) != 0) abort();
    for (int i = 0; i < going->threads; i++) pthread_join(threads[i], NULL);
    failed[library][way] += atomic_load(&failures);
    return (seconds_now() - start) * 1e6 / (CALLS / going->threads * going->threads);
}

/* --------------------------------------------------------------------------------------------------------- libraries */

/* Functions of another library, whose symbols nobody else sees. */
static void load_other(const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    library *other = &libraries[library_count++];
    other->name = "other";
    if (handle) {
        *(void **)&other->create = dlsym(handle, "skan_create");
        *(void **)&other->update_revenue = dlsym(handle, "skan_update_revenue");
        *(void **)&other->destroy = dlsym(handle, "skan_destroy");
    }
    if (other->create && other->update_revenue && other->destroy) return;
    fprintf(stderr, "%s: %s\n", path, dlerror());
    exit(2);
}

static void open_engine_of(library *library) {
    skan_store store = database_open("worker");
    /* An older library does not know what came later. */
    if (library != libraries) store.size = offsetof(skan_store, keeps_stack);
    const skan_options options = {.size = sizeof options, .store = &store, .endpoint_url = "https://skan.example.com"};
    if (library->create(&options, &library->engine, NULL) != SKAN_OK) abort();
}

/* ---------------------------------------------------------------------------------------------------------- printing */

static void print_ratio(const char *what, const double *one, const double *other, int rounds) {
    double ratios[ROUNDS];
    for (int i = 0; i < rounds; i++) ratios[i] = one[i] / other[i];
    printf("  %-46s ratio %.2f\n", what, median(ratios, (size_t)rounds));
}

static void print(int rounds) {
    for (int library = 0; library < library_count; library++) {
        double (*times)[ROUNDS] = took[library];
        printf("%s library\n", libraries[library].name);
        print_ratio("200 threads beside 1 thread", times[TOGETHER], times[ALONE], rounds);
        if (library > 0) print_ratio("64 threads, this library beside it", took[0][APART], times[APART], rounds);
        for (int way = 0; way < WAYS; way++)
            printf("  %-30s %9.1f us a call, %ld of %d calls failed\n", ways[way].name,
                   median(times[way], (size_t)rounds), failed[library][way], rounds * CALLS);
    }
}

int main(int count, char **texts) {
    int rounds = count > 1 ? atoi(texts[1]) : 5;
    if (rounds < 1 || rounds > ROUNDS) return 2;
    if (count > 2) load_other(texts[2]);
    database_start(false);
    for (int library = 0; library < library_count; library++) open_engine_of(&libraries[library]);
    for (int library = 0; library < library_count; library++) run(library, APART); /* which makes the records */
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < library_count * WAYS; i++) {
            int way = i % WAYS, library = (i / WAYS + round) % library_count;
            took[library][way][round] = run(library, way);
        }
    print(rounds);
    for (int library = 0; library < library_count; library++) libraries[library].destroy(libraries[library].engine);
    return 0;
}
