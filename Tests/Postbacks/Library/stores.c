/* Receivers over SQLite files: one postback sent 100 times, in parallel, by threads and processes, over restarts. */
#define _GNU_SOURCE
#include "signer.h"
#include "support.h"

#include <pthread.h>
#include <skan/sqlite.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 10, PROCESSES = 2, TIMES = 100 };

static char folder[] = "/tmp/skan-postback-XXXXXX";

static char *file_path(void) {
    return text_of("%s/postbacks.db", folder);
}

static skan_postback_receiver *open_receiver(void) {
    char *path = file_path();
    skan_store store;
    skan_postback_receiver *receiver = NULL;
    if (skan_sqlite_store_open(path, NULL, &store, NULL) != SKAN_OK) abort();
    const skan_postback_receiver_options options = {.size = sizeof options, .store = &store, .keys = test_keys()};
    if (skan_postback_receiver_create(&options, &receiver, NULL) != SKAN_OK) abort();
    free(path);
    return receiver;
}

static void remove_files(void) {
    const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char *path = text_of("%s/postbacks.db%s", folder, ends[i]);
        unlink(path);
        free(path);
    }
}

/* Keys that begin with "postback/". */
static int counted(void) {
    char *path = file_path();
    skan_store store;
    if (skan_sqlite_store_open(path, NULL, &store, NULL) != SKAN_OK) abort();
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    int count = 0;
    do {
        if (store.list(store.context, cursor, keys) != SKAN_OK) abort();
        const char *key = skan_buffer_data(keys), *end = key + skan_buffer_size(keys);
        for (; key < end; key += strlen(key) + 1) count += strncmp(key, "postback/", 9) == 0;
    } while (skan_buffer_size(cursor) > 0);
    skan_buffer_destroy(cursor);
    skan_buffer_destroy(keys);
    skan_sqlite_store_close(&store);
    free(path);
    return count;
}

/* What many threads send, and how often each outcome came; in memory that processes share. */
typedef struct sending {
    char body[4096];
    atomic_int outcomes[8], failures;
} sending;

static sending *shared;
static skan_postback_receiver *receiver;

static void *send_copies(void *argument) {
    for (int i = 0; i < TIMES / THREADS; i++) {
        skan_postback_receipt receipt = {.size = sizeof receipt};
        skan_status status =
            skan_postback_receive(receiver, NULL, shared->body, strlen(shared->body), &receipt, NULL);
        if (status == SKAN_OK)
            atomic_fetch_add(&shared->outcomes[receipt.outcome], 1);
        else
            atomic_fetch_add(&shared->failures, 1);
    }
    return argument;
}

/* 100 copies by threads of this process. */
static void send_all(void) {
    pthread_t threads[THREADS];
    receiver = open_receiver();
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, send_copies, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    skan_postback_receiver_destroy(receiver);
}

static void one_of_a_hundred_counts(const void *subject) {
    (void)subject;
    test_keys();
    for (int round = 0; round < 5; round++) {
        shared = shared_memory(sizeof *shared);
        char *body = signed_postback("4.0", round, "com.example", ",\"conversion-value\":5");
        snprintf(shared->body, sizeof shared->body, "%s", body);
        for (int process = 0; process < PROCESSES; process++) {
            fflush(NULL);
            if (fork() == 0) {
                send_all();
                _exit(0);
            }
        }
        for (int process = 0, ending; process < PROCESSES; process++) {
            wait(&ending);
            EXPECT_NUMBER(0, ending);
        }
        EXPECT_NUMBER(round + 1, counted());
        /* A restart, and once more. */
        send_all();
        in_round("round %d", round);
        EXPECT_NUMBER(1, shared->outcomes[SKAN_POSTBACK_COUNTED]);
        EXPECT_NUMBER(TIMES * (PROCESSES + 1) - 1, shared->outcomes[SKAN_POSTBACK_DUPLICATE]);
        EXPECT_NUMBER(0, shared->failures);
        EXPECT_NUMBER(round + 1, counted());
        free(body);
    }
    remove_files();
}

static atomic_int next_number;

static void *send_many(void *argument) {
    for (int number; (number = atomic_fetch_add(&next_number, 1)) < 600;) {
        char *body = signed_postback("3.0", number / 2, number % 3 ? "a" : "b", "");
        skan_postback_receipt receipt = {.size = sizeof receipt};
        if (skan_postback_receive(receiver, NULL, body, strlen(body), &receipt, NULL) == SKAN_OK)
            atomic_fetch_add(&shared->outcomes[receipt.outcome], 1);
        free(body);
    }
    return argument;
}

/* Others at the same time are all counted, saved together or not. */
static void others_at_once_are_all_counted(const void *subject) {
    (void)subject;
    pthread_t threads[THREADS];
    shared = shared_memory(sizeof *shared);
    receiver = open_receiver();
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, send_many, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    skan_postback_receiver_destroy(receiver);
    /* Of two with one number, of three numbers two have other networks. */
    EXPECT_NUMBER(500, shared->outcomes[SKAN_POSTBACK_COUNTED]);
    EXPECT_NUMBER(100, shared->outcomes[SKAN_POSTBACK_DUPLICATE]);
    EXPECT_NUMBER(500, counted());
    remove_files();
}

int main(void) {
    if (!mkdtemp(folder)) return 2;
    run_case("one of a hundred counts", one_of_a_hundred_counts, NULL);
    run_case("others at once are all counted", others_at_once_are_all_counted, NULL);
    remove_files();
    rmdir(folder);
    return finish_cases();
}
