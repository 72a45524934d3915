/* Receivers over one SQLite file: each postback sent many times, by threads and processes at once, over restarts. */
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

enum { THREADS = 10, PROCESSES = 2, POSTBACKS = 150, COPIES = 4, SENT = POSTBACKS * COPIES };

static char folder[] = "/tmp/skan-postback-XXXXXX";
static char *path;

/* How often each outcome came, in memory that processes share. */
typedef struct sending {
    atomic_int outcomes[8], failures;
} sending;

static sending *shared;
static skan_postback_receiver *receiver;
static atomic_int next;

/* The copies of one follow each other, so that threads send them at the same time. */
static void *send_some(void *argument) {
    for (int number; (number = atomic_fetch_add(&next, 1)) < SENT;) {
        char *body = signed_postback("4.0", number / COPIES, number / COPIES % 3 ? "a" : "b", "");
        skan_postback_receipt receipt = {.size = sizeof receipt};
        skan_status status = skan_postback_receive(receiver, NULL, body, strlen(body), &receipt, NULL);
        atomic_fetch_add(status == SKAN_OK ? &shared->outcomes[receipt.outcome] : &shared->failures, 1);
        free(body);
    }
    return argument;
}

/* All copies, by threads of this process. */
static void send_all(void) {
    pthread_t threads[THREADS];
    skan_store store;
    if (skan_sqlite_store_open(path, NULL, &store, NULL) != SKAN_OK) abort();
    const skan_postback_receiver_options options = {.size = sizeof options, .store = &store, .keys = test_keys()};
    if (skan_postback_receiver_create(&options, &receiver, NULL) != SKAN_OK) abort();
    atomic_store(&next, 0);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, send_some, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    skan_postback_receiver_destroy(receiver);
}

CASE(each_counts_once) {
    test_keys();
    shared = shared_memory(sizeof *shared);
    for (int process = 0; process < PROCESSES; process++) {
        fflush(NULL);
        if (fork() != 0) continue;
        send_all();
        _exit(0);
    }
    for (int process = 0, ending; process < PROCESSES; process++) {
        wait(&ending);
        EXPECT_NUMBER(0, ending);
    }
    EXPECT_NUMBER(POSTBACKS, shared->outcomes[SKAN_POSTBACK_COUNTED]);
    /* A restart, and once more. */
    send_all();
    EXPECT_NUMBER(POSTBACKS, shared->outcomes[SKAN_POSTBACK_COUNTED]);
    EXPECT_NUMBER(SENT * (PROCESSES + 1) - POSTBACKS, shared->outcomes[SKAN_POSTBACK_DUPLICATE]);
    EXPECT_NUMBER(0, shared->failures);
}

int main(void) {
    if (!mkdtemp(folder)) return 2;
    path = text_of("%s/postbacks.db", folder);
    const int ending = run_cases();
    char *remove = text_of("rm -r %s", folder);
    if (system(remove) != 0) return 2;
    free(remove);
    free(path);
    return ending;
}
