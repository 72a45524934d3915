/*
 * Processes that receive postbacks are killed at any moment, again and again on the same file:
 *   kills [kills]
 * Two at a time, each with two threads. They tell each postback before they receive it and what came of it after,
 * through a pipe; numbers are drawn from a few, so that many are sent again. Afterwards every postback that was
 * answered is in the store, exactly as it was answered first; none was answered as counted twice; and those that were
 * under way are counted once when they come again.
 */
#define _GNU_SOURCE
#include "Postbacks/Library/signer.h"
#include "support.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <skan/sqlite.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 2, NUMBERS_EACH_ROUND = 400, NUMBERS_MAX = 400000 };

/* A postback, before (`outcome` < 0) and after. */
typedef struct message {
    int number, outcome, worker;
} message;

static char folder[] = "/tmp/skan-postback-XXXXXX";
static char *path;
static unsigned char counted_answers[NUMBERS_MAX], answers[NUMBERS_MAX], doubtful[NUMBERS_MAX];
static int first_number, pipe_end, process;
static skan_postback_receiver *receiver;
static long long answered, in_doubt, in_doubt_stored, kills_done;

static skan_postback_receiver *open_receiver(void) {
    skan_store store;
    skan_postback_receiver *made = NULL;
    if (skan_sqlite_store_open(path, NULL, &store, NULL) != SKAN_OK) abort();
    const skan_postback_receiver_options options = {.size = sizeof options, .store = &store, .keys = test_keys()};
    if (skan_postback_receiver_create(&options, &made, NULL) != SKAN_OK) abort();
    return made;
}

/* What comes of a postback with this number; -1 for an error. */
static int send_one(int number) {
    char *body = signed_postback("4.0", number, "com.example", "");
    skan_postback_receipt receipt = {.size = sizeof receipt};
    skan_status status = skan_postback_receive(receiver, NULL, body, strlen(body), &receipt, NULL);
    free(body);
    return status == SKAN_OK ? receipt.outcome : -1;
}

static void *work(void *argument) {
    int worker = process * 2 + (int)(intptr_t)argument;
    unsigned chance = (unsigned)(first_number + worker);
    for (int i = 0;; i++) {
        /* The numbers go up, and some of the last ones come again. */
        int number = first_number + (i / 2 + rand_r(&chance) % 8) % NUMBERS_EACH_ROUND;
        message told = {number, -1, worker};
        if (write(pipe_end, &told, sizeof told) != (ssize_t)sizeof told) _exit(2);
        told.outcome = send_one(number);
        if (told.outcome < 0) _exit(3);
        if (write(pipe_end, &told, sizeof told) != (ssize_t)sizeof told) _exit(2);
    }
    return NULL;
}

static void run_process(void) {
    pthread_t thread;
    receiver = open_receiver();
    pthread_create(&thread, NULL, work, (void *)1);
    work(NULL);
}

static message under_way[PROCESSES * 2]; /* by worker; outcome < 0: there is one */

static void hear(const message *told) {
    under_way[told->worker] = *told;
    if (told->outcome < 0) return;
    answered++;
    answers[told->number] = 1;
    if (told->outcome == SKAN_POSTBACK_COUNTED) {
        EXPECT(!counted_answers[told->number], "postback %d was counted twice", told->number);
        counted_answers[told->number] = 1;
    } else {
        EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, told->outcome);
    }
}

/* Reads what the processes tell for some milliseconds, or until they are gone (-1). */
static void listen_for(int end, int milliseconds) {
    struct timespec now, until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += milliseconds / 1000;
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    for (;;) {
        struct pollfd ready = {end, POLLIN, 0};
        clock_gettime(CLOCK_MONOTONIC, &now);
        long long left = (until.tv_sec - now.tv_sec) * 1000LL + (until.tv_nsec - now.tv_nsec) / 1000000;
        if (milliseconds >= 0 && left <= 0) return;
        if (poll(&ready, 1, milliseconds < 0 ? -1 : (int)left) <= 0) continue;
        message told;
        if (read(end, &told, sizeof told) != (ssize_t)sizeof told) return;
        hear(&told);
    }
}

/* After a kill everything is sent once more: what was answered is a duplicate now. */
static void check_all(void) {
    receiver = open_receiver();
    for (int worker = 0; worker < PROCESSES * 2; worker++)
        if (under_way[worker].outcome < 0) doubtful[under_way[worker].number] = 1;
    for (int number = first_number; number < first_number + NUMBERS_EACH_ROUND + 8; number++) {
        if (!answers[number] && !doubtful[number]) continue;
        int outcome = send_one(number);
        if (answers[number]) {
            EXPECT(outcome == SKAN_POSTBACK_DUPLICATE, "postback %d was answered and lost: %d", number, outcome);
            /* One that was answered as a duplicate only was counted by a call that did not live to answer. */
            if (!counted_answers[number])
                EXPECT(doubtful[number], "postback %d is a duplicate of none", number);
        } else {
            in_doubt++;
            in_doubt_stored += outcome == SKAN_POSTBACK_DUPLICATE;
            EXPECT(outcome == SKAN_POSTBACK_DUPLICATE || outcome == SKAN_POSTBACK_COUNTED, "postback %d: %d", number,
                   outcome);
        }
        EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, send_one(number));
    }
    skan_postback_receiver_destroy(receiver);
}

static void run_kills(const void *subject) {
    int kills = *(const int *)subject;
    srand((unsigned)time(NULL));
    test_keys();
    for (first_number = 0; kills_done < kills && first_number < NUMBERS_MAX - 2 * NUMBERS_EACH_ROUND;
         first_number += 2 * NUMBERS_EACH_ROUND) {
        int ends[2];
        pid_t children[PROCESSES];
        if (pipe(ends) != 0) abort();
        for (int i = 0; i < PROCESSES * 2; i++) under_way[i] = (message){0, 0, i};
        fflush(NULL);
        for (process = 0; process < PROCESSES; process++) {
            children[process] = fork();
            if (children[process] != 0) continue;
            close(ends[0]);
            pipe_end = ends[1];
            run_process();
        }
        close(ends[1]);
        for (int i = 0; i < PROCESSES; i++) {
            listen_for(ends[0], 5 + rand() % (i == 0 ? 120 : 40));
            kill(children[i], SIGKILL);
            kills_done++;
        }
        listen_for(ends[0], -1);
        close(ends[0]);
        for (int i = 0; i < PROCESSES; i++) {
            int ending = 0;
            waitpid(children[i], &ending, 0);
            EXPECT(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGKILL, "a process ended by itself: %x",
                   (unsigned)ending);
        }
        check_all();
    }
    EXPECT(answered > kills, "only %lld postbacks were answered", answered);
    printf("%lld kills: %lld postbacks answered, %lld under way, of which %lld were found stored\n", kills_done,
           answered, in_doubt, in_doubt_stored);
}

int main(int count, char **arguments) {
    int kills = count > 1 ? atoi(arguments[1]) : 20;
    if (!mkdtemp(folder)) return 2;
    path = text_of("%s/postbacks.db", folder);
    run_case("kills", run_kills, &kills);
    const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char *file = text_of("%s%s", path, ends[i]);
        unlink(file);
        free(file);
    }
    rmdir(folder);
    free(path);
    return finish_cases();
}
