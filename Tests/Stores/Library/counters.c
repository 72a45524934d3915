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

/* All counters in one batch, beside those who change one. */
static void increment_all(void) {
    static const char *const keys[COUNTERS] = {"counter-2", "counter-0", "counter-3", "counter-1"};
    bool is_done[COUNTERS] = {false};
    for (int done = 0; done < COUNTERS;) {
        skan_load_item loads[COUNTERS];
        skan_save_item saves[COUNTERS];
        char texts[COUNTERS][32];
        size_t count = 0;
        for (int i = 0; i < COUNTERS; i++)
            if (!is_done[i]) loads[count++] = (skan_load_item){keys[i], skan_buffer_create(), 0, -1};
        shared->load_many(shared->context, loads, count);
        for (size_t i = 0; i < count; i++) {
            char text[32] = "0";
            if (loads[i].status == SKAN_OK)
                snprintf(text, sizeof text, "%.*s", (int)skan_buffer_size(loads[i].out),
                         (const char *)skan_buffer_data(loads[i].out));
            else
                EXPECT_STATUS(SKAN_NOT_FOUND, loads[i].status);
            snprintf(texts[i], sizeof texts[i], "%ld ", strtol(text, NULL, 10) + 1);
            saves[i] = (skan_save_item){loads[i].key, texts[i], strlen(texts[i]), loads[i].version, 0, -1};
            skan_buffer_destroy(loads[i].out);
        }
        shared->save_many(shared->context, saves, count);
        for (size_t i = 0; i < count; i++) {
            if (saves[i].status != SKAN_OK && !EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, saves[i].status)) return;
            for (int k = 0; k < COUNTERS; k++)
                if (saves[i].status == SKAN_OK && keys[k] == saves[i].key) is_done[k] = true, done++;
        }
    }
}

static void *increment_many(void *times) {
    char key[16];
    for (intptr_t i = 0; i < (intptr_t)times; i++) {
        if (i % (2 * COUNTERS) == 0) {
            increment_all();
            i += COUNTERS - 1;
            continue;
        }
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

void count_by_threads(const skan_store *store, long times) {
    enum { THREADS = 8 };
    shared = store;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)times);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts(THREADS * times / COUNTERS);
}

void count_under_forks(skan_store *store, long times, int forks, void (*close)(skan_store *store)) {
    enum { THREADS = 4, CHILD_TIMES = 16 };
    shared = store;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)times);
    for (int i = 0; i < forks; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            increment_many((void *)(intptr_t)CHILD_TIMES);
            if (i % 2) close(store);
            _exit(0);
        }
        int ending = 1;
        waitpid(child, &ending, 0);
        EXPECT_NUMBER(0, ending);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts((THREADS * times + forks * CHILD_TIMES) / COUNTERS);
}
