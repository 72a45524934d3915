/*
 * Processes that work on one server are killed; and then their server is, under them:
 *   kills [kills of processes] [kills of the server]
 * While their server is stopped, killed and started, they go on: what answers SKAN_OK is there, what answers
 * SKAN_ERROR_STORE is not, and of SKAN_ERROR_STORE_UNKNOWN one of both is found and counts once when called again.
 */
#define _GNU_SOURCE
#include "Trouble/Stores/calls.h"
#include "Trouble/Stores/database.h"
#include "Trouble/Stores/kills.h"
#include "support.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of all processes. */
typedef struct counted {
    atomic_llong answered, refused, unknown, unknown_applied, wrong;
    atomic_int opened;
    atomic_bool is_over;
} counted;

static counted *all;
static skan_engine *engine;
static int process;

static void wrong_state(const char *what, const call *call, const install *before, const install *found) {
    atomic_fetch_add(&all->wrong, 1);
    fprintf(stderr,
            "%s: install-%d, operation %d of $%lld: before $%lld, update %" PRIu64 ", re-engagement %" PRIu64
            ", found $%lld, update %" PRIu64 ", re-engagement %" PRIu64 "\n",
            what, call->index, call->operation, call->dollars, before->dollars, before->pending, before->returns,
            found->dollars, found->pending, found->returns);
}

/* What the server has of an install, once it can be asked. */
static install found(int index) {
    char id[32];
    snprintf(id, sizeof id, "install-%d", index);
    install found = {0};
    while (see(engine, id, &found, NULL) != SKAN_OK) nanosleep(&(struct timespec){0, 20000000}, NULL);
    return found;
}

static void expect_found(const char *when, const install *expected, const call *call) {
    install there = found(call->index);
    if (!is(expected, &there)) wrong_state(when, call, expected, &there);
}

/* Makes the call until it has a certain answer, and compares what each answer promised. */
static void make_certain(install *mine, call *call) {
    for (;;) {
        struct call tried = *call;
        skan_status status = perform(engine, &tried);
        bool changes = !changes_nothing(mine, call);
        if (status == SKAN_OK || status < 100) {
            atomic_fetch_add(&all->answered, 1);
            if (status == SKAN_OK && changes) apply(mine, &tried);
            /* Nobody else has counted this event, and before it was never said to be. */
            if (status == SKAN_DUPLICATE_EVENT) wrong_state("counted before", call, mine, mine);
            return;
        }
        if (status != SKAN_ERROR_STORE && status != SKAN_ERROR_STORE_UNKNOWN) {
            wrong_state(skan_status_name(status), call, mine, mine);
            return;
        }
        install there = found(call->index), after = *mine;
        if (tried.operation == APPLY || tried.operation == REGISTER) tried.update = update_given(mine, &there);
        if (changes) apply(&after, &tried);
        bool is_before = is(mine, &there), is_after = is(&after, &there);
        if (status == SKAN_ERROR_STORE) {
            atomic_fetch_add(&all->refused, 1);
            if (!is_before) wrong_state("refused, and applied", call, mine, &there);
            if (!is_before) *mine = after;
            if (atomic_load(&all->is_over)) return;
            continue;
        }
        atomic_fetch_add(&all->unknown, 1);
        atomic_fetch_add(&all->unknown_applied, !is_before);
        if (!is_before && !is_after) wrong_state("neither before nor after", call, mine, &there);
        if (is_before && has_id(call)) continue;
        if (!is_before && has_id(call)) {
            skan_status again;
            while ((again = perform(engine, call)) >= 100) nanosleep(&(struct timespec){0, 20000000}, NULL);
            if (again != SKAN_DUPLICATE_EVENT) wrong_state("counted twice", call, mine, &there);
        }
        /* What is equal to the eye is made certain by making it again. */
        if (is_before && is_after && changes) continue;
        if (!is_before) *mine = after;
        return;
    }
}

static void *work_on(void *argument) {
    int worker = process * THREADS + (int)(intptr_t)argument;
    unsigned chance = (unsigned)worker + 77;
    install mine[INSTALLS];
    memset(mine, 0, sizeof mine);
    for (uint64_t i = 1; !atomic_load(&all->is_over); i++) {
        call call = draw(&chance, worker);
        install *install = &mine[call.index];
        call.event = i * WORKERS + (uint64_t)worker;
        if (call.operation == ACKNOWLEDGE) call.update = install->pending;
        make_certain(install, &call);
        if (call.operation == LOOK) expect_found("lost or more", install, &call);
    }
    for (int i = worker; i < INSTALLS; i += WORKERS)
        expect_found("at the end", &mine[i], &(call){.index = i, .operation = LOOK});
    return NULL;
}

/* Waits until 50 more calls are answered, and each process has opened its store, which takes a server. */
static void wait_for_answers(void) {
    long long enough = all->answered + 50;
    for (int i = 0; (all->answered < enough || all->opened < PROCESSES) && i < 12000; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    EXPECT(all->answered >= enough, "%lld of %lld calls were answered", (long long)all->answered, enough);
}

static void run_server_kills(const void *subject) {
    int kills = *(const int *)subject;
    database_empty();
    fflush(NULL);
    for (process = 0; process < PROCESSES; process++) {
        if (fork() != 0) continue;
        engine = open_engine("worker");
        atomic_fetch_add(&all->opened, 1);
        pthread_t thread;
        pthread_create(&thread, NULL, work_on, (void *)1);
        work_on(NULL);
        pthread_join(thread, NULL);
        skan_destroy(engine);
        _exit(0);
    }
    srand((unsigned)time(NULL));
    int done = 0;
    while (done < kills || (all->refused + all->unknown == 0 && done < 20 * kills)) {
        wait_for_answers();
        nanosleep(&(struct timespec){0, rand() % 300000000}, NULL);
        database_restart(done++);
    }
    wait_for_answers();
    atomic_store(&all->is_over, true);
    for (int i = 0; i < PROCESSES; i++) expect_success(-1);
    EXPECT_NUMBER(0, all->wrong);
    EXPECT(all->refused + all->unknown > 0, "no call met a server that had gone");
    printf("%d kills of the server: %lld calls answered, %lld refused, %lld unknown, of which %lld were found done\n",
           done, (long long)all->answered, (long long)all->refused, (long long)all->unknown,
           (long long)all->unknown_applied);
}

static void run_kills(const void *subject) {
    kill_processes(*(const int *)subject, NULL);
}

int main(int count, char **texts) {
    int kills = count > 1 ? atoi(texts[1]) : 10, server_kills = count > 2 ? atoi(texts[2]) : 3;
    all = shared_memory(sizeof *all);
    database_start(true);
    run_case("kills", run_kills, &kills);
    run_case("server kills", run_server_kills, &server_kills);
    return finish_cases();
}
