/*
 * Processes that receive postbacks are killed at any moment, again and again on the same file:
 *   kills [kills]
 * Two at a time, each with two threads. They note each postback before they receive it and what came of it after, in
 * shared memory; numbers are drawn from a few, so that many are sent again. Afterwards every postback that was
 * answered is in the store, exactly as it was answered first; none was answered as counted twice; and those that were
 * under way are counted once when they come again.
 */
#define _GNU_SOURCE
#include "Postbacks/Library/signer.h"
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <skan/sqlite.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 2, WORKERS = PROCESSES * 2, NUMBERS_EACH_ROUND = 400, NUMBERS_MAX = 400000, NONE = -1 };

/* What outlives the processes: the number that each worker sends, and how often each was answered, and as counted. */
typedef struct noted {
    atomic_int under_way[WORKERS];
    atomic_int answers[NUMBERS_MAX], counted[NUMBERS_MAX];
    atomic_llong answered, wrong;
} noted;

static char folder[] = "/tmp/skan-postback-XXXXXX";
static char *path;
static noted *all;
static int first_number, process;
static skan_postback_receiver *receiver;
static long long in_doubt, in_doubt_stored, kills_done;

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
        atomic_store(&all->under_way[worker], number);
        int outcome = send_one(number);
        if (outcome == SKAN_POSTBACK_COUNTED)
            atomic_fetch_add(&all->counted[number], 1);
        else if (outcome != SKAN_POSTBACK_DUPLICATE)
            atomic_fetch_add(&all->wrong, 1);
        atomic_fetch_add(&all->answers[number], 1);
        atomic_fetch_add(&all->answered, 1);
        atomic_store(&all->under_way[worker], NONE);
    }
    return NULL;
}

static void run_process(void) {
    pthread_t thread;
    receiver = open_receiver();
    pthread_create(&thread, NULL, work, (void *)1);
    work(NULL);
}

static void kill_at_any_moment(void) {
    pid_t children[PROCESSES];
    for (int i = 0; i < WORKERS; i++) atomic_store(&all->under_way[i], NONE);
    fflush(NULL);
    for (process = 0; process < PROCESSES; process++) {
        children[process] = fork();
        if (children[process] == 0) run_process();
    }
    for (int i = 0; i < PROCESSES; i++) {
        nanosleep(&(struct timespec){0, 5000000 + rand() % (i == 0 ? 120000000 : 40000000)}, NULL);
        kill(children[i], SIGKILL);
        kills_done++;
    }
    for (int i = 0; i < PROCESSES; i++) {
        int ending = 0;
        waitpid(children[i], &ending, 0);
        EXPECT(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGKILL, "a process ended by itself: %x", (unsigned)ending);
    }
}

/* After a kill everything is sent once more: what was answered is a duplicate now. */
static void check(int number) {
    int answers = all->answers[number], counted = all->counted[number];
    bool is_in_doubt = false;
    for (int i = 0; i < WORKERS; i++) is_in_doubt = is_in_doubt || all->under_way[i] == number;
    if (answers == 0 && !is_in_doubt) return;
    int outcome = send_one(number);
    EXPECT(counted <= 1, "postback %d was counted %d times", number, counted);
    if (answers > 0) {
        EXPECT(outcome == SKAN_POSTBACK_DUPLICATE, "postback %d was answered and lost: %d", number, outcome);
        /* One that was answered as a duplicate only was counted by a call that did not live to answer. */
        EXPECT(counted == 1 || is_in_doubt, "postback %d is a duplicate of none", number);
    } else {
        in_doubt++;
        in_doubt_stored += outcome == SKAN_POSTBACK_DUPLICATE;
        EXPECT(outcome == SKAN_POSTBACK_DUPLICATE || outcome == SKAN_POSTBACK_COUNTED, "postback %d: %d", number,
               outcome);
    }
    EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, send_one(number));
}

static void run_kills(const void *subject) {
    int kills = *(const int *)subject;
    srand((unsigned)time(NULL));
    test_keys();
    all = shared_memory(sizeof *all);
    for (; kills_done < kills && first_number < NUMBERS_MAX - 2 * NUMBERS_EACH_ROUND;
         first_number += 2 * NUMBERS_EACH_ROUND) {
        kill_at_any_moment();
        receiver = open_receiver();
        for (int i = 0; i < NUMBERS_EACH_ROUND; i++) check(first_number + i);
        skan_postback_receiver_destroy(receiver);
    }
    long long answered = all->answered;
    EXPECT_NUMBER(0, all->wrong);
    EXPECT(answered > kills, "only %lld postbacks were answered", answered);
    printf("%lld kills: %lld postbacks answered, %lld under way, of which %lld were found stored\n", kills_done,
           answered, in_doubt, in_doubt_stored);
}

int main(int count, char **arguments) {
    int kills = count > 1 ? atoi(arguments[1]) : 20;
    if (!mkdtemp(folder)) return 2;
    path = text_of("%s/postbacks.db", folder);
    run_case("kills", run_kills, &kills);
    unlink(path);
    unlink(text_of("%s-wal", path));
    unlink(text_of("%s-shm", path));
    rmdir(folder);
    return finish_cases();
}
