#define _GNU_SOURCE
#include "cases.h"
#include "hooks.h"
#include "support.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNTERS = 4 };
static const skan_store *shared;

static void increment(const char *key) {
    for (;;) {
        const loaded *found = load(shared, key);
        char text[32];
        long count = found->status == SKAN_OK ? strtol((const char *)found->bytes, NULL, 10) : 0;
        snprintf(text, sizeof text, "%ld ", count + 1);
        skan_status status = save_text(shared, key, text, found->version, NULL);
        if (status == SKAN_OK) return;
        if (!EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, status)) return;
    }
}

static void *increment_many(void *times) {
    char key[16];
    for (intptr_t i = 0; i < (intptr_t)times; i++) {
        snprintf(key, sizeof key, "counter-%d", (int)(i % COUNTERS));
        increment(key);
    }
    return NULL;
}

static void expect_counts(long expected) {
    char key[16];
    for (int i = 0; i < COUNTERS; i++) {
        snprintf(key, sizeof key, "counter-%d", i);
        const loaded *found = load(shared, key);
        EXPECT_NUMBER(expected, found->status == SKAN_OK ? strtol((const char *)found->bytes, NULL, 10) : -1);
    }
}

/* Threads of the parent are in calls at every fork. */
void count_under_forks(const char *place, const void *options, const forks *forks) {
    enum { THREADS = 4, MOST_CHILDREN = 64 };
    pthread_t threads[THREADS];
    pid_t children[MOST_CHILDREN];
    skan_store store = opened(place, options);
    shared = &store;
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)forks->times);
    for (int i = 0; i < forks->children; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            alarm(240);
            increment_many((void *)(intptr_t)forks->times_of_child);
            pid_t grandchild = fork();
            if (grandchild == 0) {
                increment_many((void *)(intptr_t)forks->times_of_child);
                kind.close(&store);
                _exit(0);
            }
            int ending = 1;
            waitpid(grandchild, &ending, 0);
            if (i % 2) kind.close(&store);
            _exit(ending != 0);
        }
        if (i % 4 == 3) usleep(20000);
    }
    for (int i = 0; i < forks->children; i++) expect_success(children[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts((THREADS * forks->times + 2 * forks->children * forks->times_of_child) / COUNTERS);
    kind.close(&store);
}

void make_by_many(int processes, skan_store (*open)(const void *context), const void *context) {
    int gate[2];
    char byte, key[32];
    if (pipe(gate) != 0) abort();
    for (int i = 0; i < processes; i++) {
        if (fork() != 0) continue;
        close(gate[1]);
        if (read(gate[0], &byte, 1) != 0) _exit(1);
        skan_store store = open(context);
        snprintf(key, sizeof key, "install-%d", i);
        _exit(save_text(&store, key, key, 0, NULL) == SKAN_OK ? 0 : 1);
    }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < processes; i++) expect_success(-1);
    skan_store store = open(context);
    for (int i = 0; i < processes; i++) {
        snprintf(key, sizeof key, "install-%d", i);
        EXPECT(holds_text(&store, key, key), "%s", key);
    }
    store.finalize(store.context);
}
