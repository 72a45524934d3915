#define _GNU_SOURCE
#include "kills.h"

#include "calls.h"
#include "database.h"
#include "support.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = LOOK + 1 }; /* one more operation, at the places after the installs */
enum { PLACES = INSTALLS + WORKERS };

static install installs[PLACES]; /* the updates of a batch are its number */
static call under_way[PLACES];   /* answer < 0: there is one */
static uint64_t next_event = 1;
static long long answered, wrong_answers, in_doubt, in_doubt_applied, kills_done;

static const batches *batches_saved; /* NULL: none */
static skan *engine;
static int pipe_end, process;

static skan_status make(call *call) {
    if (call->operation != BATCH) return perform(engine, call);
    call->update = call->event;
    return batches_saved->save(call->index, call->event);
}

static void note(install *install, const call *call) {
    if (call->operation == BATCH)
        install->newest = install->pending = call->update;
    else
        apply(install, call);
}

static call draw(unsigned *chance, int worker, const install *mine) {
    call drawn = {.index = rand_r(chance) % (INSTALLS / WORKERS) * WORKERS + worker, .answer = -1};
    int percent = rand_r(chance) % 100;
    drawn.operation = percent < 50   ? PURCHASE
                      : percent < 58 ? REGISTER
                      : percent < 78 ? APPLY
                      : percent < 88 ? ACKNOWLEDGE
                      : percent < 91 ? FORGET
                                     : LOOK;
    if (batches_saved && rand_r(chance) % 10 == 0) drawn.operation = BATCH, drawn.index = INSTALLS + worker;
    if (drawn.operation == PURCHASE) drawn.dollars = 1 + rand_r(chance) % 9;
    if (drawn.operation == ACKNOWLEDGE) drawn.update = mine[drawn.index].pending;
    return drawn;
}

static void *work(void *argument) {
    int worker = process * THREADS + (int)(intptr_t)argument;
    unsigned chance = (unsigned)(next_event * 8 + (uint64_t)worker);
    install mine[PLACES];
    memcpy(mine, installs, sizeof mine);
    for (uint64_t i = 0;; i++) {
        call call = draw(&chance, worker, mine);
        call.event = next_event + i * WORKERS + (uint64_t)worker;
        if (write(pipe_end, &call, sizeof call) != (ssize_t)sizeof call) _exit(2);
        call.answer = make(&call);
        if (call.answer == SKAN_OK) note(&mine[call.index], &call);
        if (write(pipe_end, &call, sizeof call) != (ssize_t)sizeof call) _exit(2);
    }
    return NULL;
}

static void run_process(void) {
    engine = open_engine("worker");
    if (batches_saved) batches_saved->open();
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    work(NULL);
}

/* Answers the end of the pipe that tells what they do. */
static int start_processes(pid_t *children) {
    int ends[2];
    if (pipe(ends) != 0) abort();
    fflush(NULL);
    for (process = 0; process < PROCESSES; process++) {
        children[process] = fork();
        if (children[process] != 0) continue;
        close(ends[0]);
        pipe_end = ends[1];
        run_process();
    }
    close(ends[1]);
    return ends[0];
}

/* Reads what the processes tell until a moment, or until they are gone (NULL). */
static void listen_until(int end, const struct timespec *moment) {
    for (;;) {
        struct timespec present;
        clock_gettime(CLOCK_MONOTONIC, &present);
        int left = -1;
        if (moment)
            left = (int)((moment->tv_sec - present.tv_sec) * 1000 + (moment->tv_nsec - present.tv_nsec) / 1000000);
        if (moment && left <= 0) return;
        if (poll(&(struct pollfd){end, POLLIN, 0}, 1, left) <= 0) continue;
        call told;
        if (read(end, &told, sizeof told) != (ssize_t)sizeof told) return;
        under_way[told.index] = told;
        if (told.answer < 0) continue;
        answered++;
        if (told.answer == SKAN_OK) note(&installs[told.index], &told);
        /* Two processes never meet on an install here, and the database is well. */
        wrong_answers += told.answer >= 100;
    }
}

static void end_processes(const pid_t *children, int told) {
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    for (int i = 0; i < PROCESSES; i++) {
        moment.tv_nsec += rand() % (i == 0 ? 120000000 : 40000000);
        if (moment.tv_nsec >= 1000000000) moment.tv_sec++, moment.tv_nsec -= 1000000000;
        listen_until(told, &moment);
        kill(children[i], SIGKILL);
        kills_done++;
    }
    listen_until(told, NULL);
    close(told);
    for (int i = 0; i < PROCESSES; i++) {
        int ending = 0;
        waitpid(children[i], &ending, 0);
        EXPECT(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGKILL, "a process ended by itself: %x", (unsigned)ending);
    }
}

static void check_install(int index) {
    install *before = &installs[index];
    install after = *before;
    call *call = &under_way[index];
    bool was_under_way = call->answer < 0;
    if (call->operation == APPLY || call->operation == REGISTER) call->update = before->newest + 1;
    if (was_under_way && !changes_nothing(before, call)) apply(&after, call);
    char id[32];
    snprintf(id, sizeof id, "install-%d", index);
    char *details = NULL;
    if (!ANSWER(SKAN_OK, skan_details(engine, id, &details, &failure))) return;
    long long dollars = dollars_in(details);
    skan_update update = {.size = sizeof update};
    SETTLE(skan_pending_update(engine, id, &update, &failure));
    bool is_before = is(before, dollars, update.id), is_after = is(&after, dollars, update.id);
    EXPECT(is_before || (was_under_way && is_after),
           "%s has $%lld, update %" PRIu64 "; answered were $%lld, update %" PRIu64
           "; operation %d under way: %d, $%lld",
           id, dollars, update.id, before->dollars, before->pending, call->operation, was_under_way, call->dollars);
    skan_free(details);
    if (!was_under_way) return;
    in_doubt++;
    in_doubt_applied += !is_before;
    if (call->operation == PURCHASE) {
        EXPECT_STATUS(is_before ? SKAN_OK : SKAN_DUPLICATE_EVENT, perform(engine, call));
        *before = after;
    } else if (!is_before) {
        *before = after;
    } else if (call->operation == ACKNOWLEDGE || call->operation == FORGET) {
        /* Equal to the eye where there was nothing to acknowledge or forget; now for certain. */
        EXPECT_STATUS(SKAN_OK, perform(engine, call));
        *before = after;
    }
    call->answer = 0;
}

static void check_batch(int place) {
    install *before = &installs[place];
    call *call = &under_way[place];
    bool was_under_way = call->answer < 0;
    uint64_t number = batches_saved->number_at(place);
    EXPECT(number == before->pending || (was_under_way && number == call->event),
           "place %d has %" PRIu64 "; answered was %" PRIu64 "; under way: %d, %" PRIu64, place, number,
           before->pending, was_under_way, call->event);
    if (!was_under_way) return;
    in_doubt++;
    in_doubt_applied += number == call->event;
    before->newest = before->pending = number;
    call->answer = 0;
}

static void check_batches(void) {
    batches_saved->open();
    for (int i = INSTALLS; i < PLACES; i++) check_batch(i);
    batches_saved->close();
}

/* What was sent is carried out by the server, though nobody waits for its answer. */
static void wait_for_connections(void) {
    for (int i = 0; i < 2000; i++) {
        if (database_is_quiet("worker")) return;
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    EXPECT(false, "connections of killed processes do not end");
}

void kill_processes(int kills, const batches *batches) {
    bool stays_open = false;
    batches_saved = batches;
    srand((unsigned)time(NULL));
    for (int round = 0; kills_done < kills; round++) {
        in_round("round %d", round);
        pid_t children[PROCESSES];
        int told = start_processes(children);
        end_processes(children, told);
        if (!stays_open) engine = open_engine("test");
        wait_for_connections();
        for (int i = 0; i < INSTALLS; i++) check_install(i);
        if (batches) check_batches();
        next_event += 1000000;
        stays_open = round % 2 == 0;
        if (!stays_open) skan_destroy(engine);
    }
    if (stays_open) skan_destroy(engine);
    EXPECT_NUMBER(0, wrong_answers);
    EXPECT(answered > kills, "only %lld calls were answered", answered);
    printf("%lld kills: %lld calls answered, %lld under way, of which %lld were found done\n", kills_done, answered,
           in_doubt, in_doubt_applied);
}
