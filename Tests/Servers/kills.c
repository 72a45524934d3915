/*
 * Processes that work on one server are killed at any moment, again and again; and then their server is, under them:
 *   kills [kills of processes] [kills of the server]
 * Two processes at a time, each with two threads and installs of their own. They tell each call before it begins and
 * its answer after, through a pipe. Afterwards every install is as the answered calls left it, or as the call that was
 * under way makes it; and making that call again, with the same event id, counts it once.
 * While their server is stopped, killed and started, they go on: what answers SKAN_OK is there, what answers
 * SKAN_ERROR_STORE is not, and of SKAN_ERROR_STORE_UNKNOWN one of both is found and counts once when called again.
 */
#define _GNU_SOURCE
#include "database.h"
#include "support.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 2, THREADS = 2, WORKERS = PROCESSES * THREADS, INSTALLS = 12 };
enum { PURCHASE, REGISTER, APPLY, ACKNOWLEDGE, FORGET, LOOK };

/* What an install is known to be. */
typedef struct install {
    long long dollars; /* 0: no revenue */
    uint64_t newest, pending; /* updates */
} install;

/* A call, before (`answer` < 0) and after. */
typedef struct message {
    int index, operation, answer;
    long long dollars;
    uint64_t event, update;
} message;

static install installs[INSTALLS];
static message under_way[INSTALLS]; /* answer < 0: there is one */
static uint64_t next_event = 1;
static long long answered, wrong_answers, in_doubt, in_doubt_applied, kills_done;

static skan *engine;
static int pipe_end, process;

static int64_t now(void *context) {
    (void)context;
    return INT64_C(1700000000000000);
}

/* Connections of the processes are told apart from the test's own. */
static skan *open_engine(const char *user) {
    skan_store store = database_open(user);
    const skan_clock clock = {sizeof clock, NULL, now, NULL};
    const skan_options options = {.size = sizeof options, .store = &store, .clock = &clock};
    skan *made = NULL;
    if (skan_create(&options, &made, NULL) != SKAN_OK) abort();
    return made;
}

static skan_status perform(message *call) {
    char id[32], text[64];
    snprintf(id, sizeof id, "install-%d", call->index);
    skan_update update = {.size = sizeof update};
    skan_status status = SKAN_OK;
    char *json = NULL;
    switch (call->operation) {
    case PURCHASE:
        snprintf(text, sizeof text, "event-%" PRIu64, call->event);
        return skan_update_revenue(engine, id, (double)call->dollars, "USD", false, text, NULL);
    case REGISTER:
        status = skan_register(engine, id, &update, NULL);
        break;
    case APPLY:
        snprintf(text, sizeof text, "{\"conversion_value\":%d}", (int)(call->event % 64));
        status = skan_apply_response(engine, id, 0, text, strlen(text), &update, NULL);
        break;
    case ACKNOWLEDGE:
        return skan_acknowledge_update(engine, id, call->update, true, NULL);
    case FORGET:
        return skan_forget(engine, id, NULL);
    default:
        status = skan_details(engine, id, &json, NULL);
        skan_free(json);
        return status;
    }
    call->update = update.id;
    return status;
}

/* What a call that answered SKAN_OK makes of an install. */
static void apply(install *install, const message *call) {
    switch (call->operation) {
    case PURCHASE: install->dollars += call->dollars; break;
    case REGISTER:
    case APPLY: install->newest = install->pending = call->update; break;
    case ACKNOWLEDGE: install->pending = 0; break;
    case FORGET: *install = (struct install){0, 0, 0}; break;
    default: break;
    }
}

static void *work(void *argument) {
    int worker = process * THREADS + (int)(intptr_t)argument;
    unsigned chance = (unsigned)(next_event * 8 + (uint64_t)worker);
    install mine[INSTALLS];
    memcpy(mine, installs, sizeof mine);
    for (uint64_t i = 0;; i++) {
        int index = rand_r(&chance) % (INSTALLS / WORKERS) * WORKERS + worker;
        int drawn = rand_r(&chance) % 100;
        message call = {.index = index, .answer = -1, .event = next_event + i * WORKERS + (uint64_t)worker};
        call.operation = drawn < 50   ? PURCHASE
                         : drawn < 58 ? REGISTER
                         : drawn < 78 ? APPLY
                         : drawn < 88 ? ACKNOWLEDGE
                         : drawn < 91 ? FORGET
                                      : LOOK;
        if (call.operation == PURCHASE) call.dollars = 1 + rand_r(&chance) % 9;
        if (call.operation == ACKNOWLEDGE) call.update = mine[index].pending;
        if (write(pipe_end, &call, sizeof call) != (ssize_t)sizeof call) _exit(2);
        call.answer = perform(&call);
        if (call.answer == SKAN_OK) apply(&mine[index], &call);
        if (write(pipe_end, &call, sizeof call) != (ssize_t)sizeof call) _exit(2);
    }
    return NULL;
}

static void run_process(void) {
    engine = open_engine("worker");
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    work(NULL);
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
        message told;
        if (read(end, &told, sizeof told) != (ssize_t)sizeof told) return;
        under_way[told.index] = told;
        if (told.answer < 0) continue;
        answered++;
        if (told.answer == SKAN_OK) apply(&installs[told.index], &told);
        /* Two processes never meet on an install here, and the server is well. */
        wrong_answers += told.answer >= 100;
    }
}

static bool is(const install *expected, long long dollars, uint64_t pending) {
    return expected->dollars == dollars && expected->pending == pending;
}

static void check_install(int index) {
    install *before = &installs[index];
    install after = *before;
    message *call = &under_way[index];
    bool was_under_way = call->answer < 0;
    if (call->operation == APPLY || call->operation == REGISTER) call->update = before->newest + 1;
    bool is_registered = before->newest > 0;
    bool changes_nothing = is_registered ? call->operation == REGISTER : call->operation == APPLY;
    if (was_under_way && !changes_nothing) apply(&after, call);
    char id[32];
    snprintf(id, sizeof id, "install-%d", index);
    char *details = NULL;
    if (!ANSWER(SKAN_OK, skan_details(engine, id, &details, &failure))) return;
    static const char total[] = "\"skan_total_revenue_by_currency\":{\"USD\":";
    const char *table = strstr(details, total);
    long long dollars = table ? strtoll(table + strlen(total), NULL, 10) : 0;
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
        EXPECT_STATUS(is_before ? SKAN_OK : SKAN_DUPLICATE_EVENT, perform(call));
        *before = after;
    } else if (!is_before) {
        *before = after;
    } else if (call->operation == ACKNOWLEDGE || call->operation == FORGET) {
        /* Equal to the eye where there was nothing to acknowledge or forget; now for certain. */
        EXPECT_STATUS(SKAN_OK, perform(call));
        *before = after;
    }
    call->answer = 0;
}

/* What was sent is carried out by the server, though nobody waits for its answer. */
static void wait_for_connections(void) {
    for (int i = 0; i < 2000; i++) {
        if (database_is_quiet("worker")) return;
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    EXPECT(false, "connections of killed processes do not end");
}

static void run_kills(const void *subject) {
    int kills = *(const int *)subject;
    bool stays_open = false;
    srand((unsigned)time(NULL));
    for (int round = 0; kills_done < kills; round++) {
        in_round("round %d", round);
        int ends[2];
        if (pipe(ends) != 0) abort();
        pid_t children[PROCESSES];
        fflush(NULL);
        for (process = 0; process < PROCESSES; process++) {
            children[process] = fork();
            if (children[process] != 0) continue;
            close(ends[0]);
            pipe_end = ends[1];
            run_process();
        }
        close(ends[1]);
        struct timespec moment;
        clock_gettime(CLOCK_MONOTONIC, &moment);
        for (int i = 0; i < PROCESSES; i++) {
            moment.tv_nsec += rand() % (i == 0 ? 120000000 : 40000000);
            if (moment.tv_nsec >= 1000000000) moment.tv_sec++, moment.tv_nsec -= 1000000000;
            listen_until(ends[0], &moment);
            kill(children[i], SIGKILL);
            kills_done++;
        }
        listen_until(ends[0], NULL);
        close(ends[0]);
        for (int i = 0; i < PROCESSES; i++) {
            int ending = 0;
            waitpid(children[i], &ending, 0);
            EXPECT(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGKILL, "a process ended by itself: %x",
                   (unsigned)ending);
        }
        if (!stays_open) engine = open_engine("test");
        wait_for_connections();
        for (int i = 0; i < INSTALLS; i++) check_install(i);
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

/* ----------------------------------------------------------------------------------------------- the server's kills */

/* Of all processes. */
typedef struct counted {
    atomic_llong answered, refused, unknown, unknown_applied, wrong;
    atomic_bool is_over;
} counted;

static counted *all;

static void wrong_state(const char *what, const message *call, const install *before, const install *found) {
    atomic_fetch_add(&all->wrong, 1);
    fprintf(stderr,
            "%s: install-%d, operation %d of $%lld: before $%lld, update %" PRIu64 ", found $%lld, update %" PRIu64
            "\n",
            what, call->index, call->operation, call->dollars, before->dollars, before->pending, found->dollars,
            found->pending);
}

/* What the server has of an install, once it can be asked. */
static install found(int index) {
    static const char total[] = "\"skan_total_revenue_by_currency\":{\"USD\":";
    char id[32];
    snprintf(id, sizeof id, "install-%d", index);
    for (;; nanosleep(&(struct timespec){0, 20000000}, NULL)) {
        char *details = NULL;
        skan_update update = {.size = sizeof update};
        if (skan_details(engine, id, &details, NULL) != SKAN_OK) continue;
        const char *table = strstr(details, total);
        install found = {.dollars = table ? strtoll(table + strlen(total), NULL, 10) : 0};
        skan_free(details);
        skan_status status = skan_pending_update(engine, id, &update, NULL);
        if (status != SKAN_OK && status != SKAN_NOTHING_PENDING) continue;
        found.pending = update.id;
        return found;
    }
}

/* Makes the call until it has a certain answer, and compares what each answer promised. */
static void make_certain(install *mine, message *call) {
    for (;;) {
        message tried = *call;
        skan_status status = perform(&tried);
        install after = *mine;
        if (tried.operation == APPLY || tried.operation == REGISTER)
            tried.update = status == SKAN_OK ? tried.update : mine->newest + 1;
        bool changes_nothing = mine->newest > 0 ? call->operation == REGISTER : call->operation == APPLY;
        if (!changes_nothing) apply(&after, &tried);
        if (status == SKAN_OK || status < 100) {
            atomic_fetch_add(&all->answered, 1);
            if (status == SKAN_OK) *mine = after;
            /* Nobody else has counted this event, and before it was never said to be. */
            if (status == SKAN_DUPLICATE_EVENT) wrong_state("counted before", call, mine, mine);
            return;
        }
        if (status != SKAN_ERROR_STORE && status != SKAN_ERROR_STORE_UNKNOWN) {
            wrong_state(skan_status_name(status), call, mine, mine);
            return;
        }
        install there = found(call->index);
        bool is_before = is(mine, there.dollars, there.pending), is_after = is(&after, there.dollars, there.pending);
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
        if (is_before && call->operation == PURCHASE) continue;
        if (!is_before && call->operation == PURCHASE) {
            skan_status again;
            while ((again = perform(call)) >= 100) nanosleep(&(struct timespec){0, 20000000}, NULL);
            if (again != SKAN_DUPLICATE_EVENT) wrong_state("counted twice", call, mine, &there);
        }
        /* What is equal to the eye is made certain by making it again. */
        if (is_before && is_after && !changes_nothing) continue;
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
        int index = rand_r(&chance) % (INSTALLS / WORKERS) * WORKERS + worker, drawn = rand_r(&chance) % 100;
        message call = {.index = index, .event = i * WORKERS + (uint64_t)worker};
        call.operation = drawn < 55   ? PURCHASE
                         : drawn < 60 ? REGISTER
                         : drawn < 80 ? APPLY
                         : drawn < 90 ? ACKNOWLEDGE
                                      : LOOK;
        if (call.operation == PURCHASE) call.dollars = 1 + rand_r(&chance) % 9;
        if (call.operation == ACKNOWLEDGE) call.update = mine[index].pending;
        make_certain(&mine[index], &call);
        if (call.operation != LOOK) continue;
        install there = found(index);
        if (!is(&mine[index], there.dollars, there.pending)) wrong_state("lost or more", &call, &mine[index], &there);
    }
    for (int i = worker; i < INSTALLS; i += WORKERS) {
        install there = found(i);
        message none = {.index = i, .operation = LOOK};
        if (!is(&mine[i], there.dollars, there.pending)) wrong_state("at the end", &none, &mine[i], &there);
    }
    return NULL;
}

static void run_server_kills(const void *subject) {
    int kills = *(const int *)subject;
    database_empty();
    fflush(NULL);
    for (process = 0; process < PROCESSES; process++) {
        if (fork() != 0) continue;
        engine = open_engine("worker");
        pthread_t thread;
        pthread_create(&thread, NULL, work_on, (void *)1);
        work_on(NULL);
        pthread_join(thread, NULL);
        skan_destroy(engine);
        _exit(0);
    }
    srand((unsigned)time(NULL));
    for (int i = 0; i < kills; i++) {
        nanosleep(&(struct timespec){0, 100000000 + rand() % 300000000}, NULL);
        database_restart(i);
    }
    nanosleep(&(struct timespec){0, 300000000}, NULL);
    atomic_store(&all->is_over, true);
    for (int i = 0; i < PROCESSES; i++) {
        int ending = 1;
        wait(&ending);
        EXPECT_NUMBER(0, ending);
    }
    EXPECT_NUMBER(0, all->wrong);
    EXPECT(all->answered > database_least_answers * kills, "only %lld calls were answered", (long long)all->answered);
    EXPECT(all->refused + all->unknown > 0, "no call met a server that had gone");
    printf("%d kills of the server: %lld calls answered, %lld refused, %lld unknown, of which %lld were found done\n",
           kills, (long long)all->answered, (long long)all->refused, (long long)all->unknown,
           (long long)all->unknown_applied);
}

int main(int count, char **texts) {
    int kills = count > 1 ? atoi(texts[1]) : 10, server_kills = count > 2 ? atoi(texts[2]) : 3;
    all = shared_memory(sizeof *all);
    database_start(true);
    run_case("kills", run_kills, &kills);
    run_case("server kills", run_server_kills, &server_kills);
    return finish_cases();
}
