/*
 * Processes that work on one file are killed at any moment, again and again on the same file:
 *   kills [kills]
 * Two at a time, each with two threads and installs of their own. They tell each call before it begins and its answer
 * after, through a pipe. Afterwards every install is as the answered calls left it, or as the call that was under way
 * makes it; and making that call again, with the same event id, counts it once. Each thread also saves many records at
 * once, by the store's hook: after a kill they are all of one save_many, the last that was answered or the next.
 */
#define _GNU_SOURCE
#include "files.h"
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

enum { PROCESSES = 2, THREADS = 2, WORKERS = PROCESSES * THREADS, INSTALLS = 12 };
enum { SHELVES = WORKERS, BOOKS = 40 }; /* of many records, one shelf for each thread, at the end of the installs */
enum { PURCHASE, REGISTER, APPLY, ACKNOWLEDGE, FORGET, LOOK, FILL };

/* What an install is known to be. */
typedef struct install {
    long long dollars; /* 0: no revenue */
    uint64_t newest, pending; /* updates; of a shelf, the number of its books */
} install;

/* A call, before (`answer` < 0) and after. */
typedef struct message {
    int index, operation, answer;
    long long dollars;
    uint64_t event, update;
} message;

static install installs[INSTALLS + SHELVES];
static message under_way[INSTALLS + SHELVES]; /* answer < 0: there is one */
static uint64_t next_event = 1;
static long long answered, wrong_answers, in_doubt, in_doubt_applied, kills_done;

static skan *engine;
static int pipe_end, process;

static int64_t now(void *context) {
    (void)context;
    return INT64_C(1700000000000000);
}

static skan *open_engine(const char *path) {
    skan_store store = opened(path, NULL);
    const skan_clock clock = {sizeof clock, NULL, now, NULL};
    const skan_options options = {.size = sizeof options, .store = &store, .clock = &clock};
    skan *made = NULL;
    if (skan_create(&options, &made, NULL) != SKAN_OK) abort();
    return made;
}

/* ------------------------------------------------------------------------------------------------- many at once */

typedef struct shelf {
    char keys[BOOKS][32], text[32];
    skan_load_item loads[BOOKS];
    skan_save_item saves[BOOKS];
} shelf;

static skan_store books;

static shelf *new_shelf(int index) {
    shelf *made = calloc(1, sizeof *made);
    if (!made) abort();
    for (int i = 0; i < BOOKS; i++) {
        snprintf(made->keys[i], sizeof made->keys[i], "book-%d-%d", i, index);
        made->loads[i] = (skan_load_item){made->keys[i], skan_buffer_create(), 0, SKAN_OK};
    }
    books.load_many(books.context, made->loads, BOOKS);
    return made;
}

static void end_shelf(shelf *shelf) {
    for (int i = 0; i < BOOKS; i++) skan_buffer_destroy(shelf->loads[i].out);
    free(shelf);
}

/* Saves this number to every book; the answer that all of them got, SKAN_ERROR_STORE_UNKNOWN where they differ. */
static skan_status fill(int index, uint64_t number) {
    shelf *shelf = new_shelf(index);
    snprintf(shelf->text, sizeof shelf->text, "%" PRIu64, number);
    for (int i = 0; i < BOOKS; i++) {
        uint64_t version = shelf->loads[i].status == SKAN_OK ? shelf->loads[i].version : 0;
        shelf->saves[i] = (skan_save_item){shelf->keys[i], shelf->text, strlen(shelf->text), version, 0, SKAN_OK};
    }
    books.save_many(books.context, shelf->saves, BOOKS);
    skan_status status = shelf->saves[0].status;
    for (int i = 1; i < BOOKS; i++)
        if (shelf->saves[i].status != status) status = SKAN_ERROR_STORE_UNKNOWN;
    end_shelf(shelf);
    return status;
}

/* The number of a book; 0 where it has no record. */
static uint64_t number_of(const skan_load_item *book) {
    char text[32] = "";
    if (book->status != SKAN_OK || skan_buffer_size(book->out) >= sizeof text) return 0;
    memcpy(text, skan_buffer_data(book->out), skan_buffer_size(book->out));
    return strtoull(text, NULL, 10);
}

/* ------------------------------------------------------------------------------------------------------- calls */

static skan_status perform(message *call) {
    char id[32], text[64];
    snprintf(id, sizeof id, "install-%d", call->index);
    skan_update update = {.size = sizeof update};
    skan_status status = SKAN_OK;
    char *json = NULL;
    switch (call->operation) {
    case FILL:
        call->update = call->event;
        return fill(call->index, call->event);
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
    case FILL:
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
    install mine[INSTALLS + SHELVES];
    memcpy(mine, installs, sizeof mine);
    for (uint64_t i = 0;; i++) {
        int index = rand_r(&chance) % (INSTALLS / WORKERS) * WORKERS + worker;
        int drawn = rand_r(&chance) % 100;
        bool fills = rand_r(&chance) % 10 == 0;
        if (fills) index = INSTALLS + worker;
        message call = {.index = index, .answer = -1, .event = next_event + i * WORKERS + (uint64_t)worker};
        call.operation = fills        ? FILL
                         : drawn < 50 ? PURCHASE
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

static void run_process(const char *path) {
    engine = open_engine(path);
    books = opened(path, NULL);
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
        /* Two processes never meet on an install here, and the disk is well. */
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

/* All books of a shelf have one number. */
static void check_shelf(int index) {
    install *before = &installs[index];
    message *call = &under_way[index];
    bool was_under_way = call->operation == FILL && call->answer < 0;
    shelf *shelf = new_shelf(index);
    uint64_t number = number_of(&shelf->loads[0]);
    for (int i = 1; i < BOOKS; i++) {
        uint64_t other = number_of(&shelf->loads[i]);
        EXPECT(other == number, "book %d of shelf %d has number %" PRIu64 ", the first has %" PRIu64, i, index, other,
               number);
    }
    EXPECT(number == before->pending || (was_under_way && number == call->event),
           "shelf %d has %" PRIu64 "; answered was %" PRIu64 "; under way: %d, %" PRIu64, index, number,
           before->pending, was_under_way, call->event);
    end_shelf(shelf);
    if (!was_under_way) return;
    in_doubt++;
    in_doubt_applied += number == call->event;
    before->newest = before->pending = number;
    call->answer = 0;
}

static const char *command; /* the skan command; NULL = none */

static void check_by_command(const char *path);

static void run_kills(const void *subject) {
    int kills = *(const int *)subject;
    char *path = file_named("installs.db");
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
            run_process(path);
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
        if (!stays_open) engine = open_engine(path);
        for (int i = 0; i < INSTALLS; i++) check_install(i);
        books = opened(path, NULL);
        for (int i = 0; i < SHELVES; i++) check_shelf(INSTALLS + i);
        skan_sqlite_store_close(&books);
        next_event += 1000000;
        stays_open = round % 2 == 0;
        if (!stays_open) skan_destroy(engine);
    }
    if (stays_open) skan_destroy(engine);
    EXPECT_NUMBER(0, wrong_answers);
    EXPECT(answered > kills, "only %lld calls were answered", answered);
    printf("%lld kills: %lld calls answered, %lld under way, of which %lld were found done\n", kills_done, answered,
           in_doubt, in_doubt_applied);
    if (command) check_by_command(path);
    free(path);
}

/* The command reads every record of installs; books are none. */
static void check_by_command(const char *path) {
    char text[512];
    run_sql(path, "DELETE FROM skan_records WHERE CAST(key AS TEXT) LIKE 'book-%'");
    snprintf(text, sizeof text, "'%s' check 'sqlite:%s'", command, path);
    fflush(NULL);
    EXPECT_NUMBER(0, system(text));
}

int main(int count, char **texts) {
    int kills = count > 1 ? atoi(texts[1]) : 20;
    command = count > 2 ? texts[2] : NULL;
    run_case("kills", run_kills, &kills);
    return finish_cases();
}
