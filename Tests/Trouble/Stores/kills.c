#define _GNU_SOURCE
#include "kills.h"

#include "calls.h"
#include "database.h"
#include "support.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = LOOK + 1 }; /* one more operation, at the places after the installs */
enum { PLACES = INSTALLS + WORKERS };

/* What a worker says of a place: the call that it makes there, and the state that the answered calls have left. It is
 * in shared memory and outlives the worker. The update of a batch is its number.
 *
 * A worker can be killed between any two instructions. So a single atomic value tells both which of the two states
 * holds and whether a call is under way: a call becomes answered in the same step that makes its state the newest. */
typedef struct place {
    call call;
    install states[2];
    atomic_int progress; /* NEWEST, which is the index of the state that holds, and UNDER_WAY */
} place;

enum { NEWEST = 1, UNDER_WAY = 2 };

typedef struct counted {
    place places[PLACES];
    atomic_llong answered, wrong_answers;
} counted;

static counted *all;
static uint64_t next_event = 1;
static long long in_doubt, in_doubt_applied, kills_done;

static const batches *batches_saved; /* NULL: none */
static skan_engine *engine;
static int process;

static const install *state(const place *place) {
    return &place->states[atomic_load(&place->progress) & NEWEST];
}

static void begin(place *place, const call *call) {
    place->call = *call;
    atomic_fetch_or(&place->progress, UNDER_WAY);
}

/* The call ends without a change. Returns whether one was under way. */
static bool end(place *place) {
    return atomic_fetch_and(&place->progress, ~UNDER_WAY) & UNDER_WAY;
}

/* The call ends with this state, in one step. */
static void end_with(place *place, install state) {
    int next = !(atomic_load(&place->progress) & NEWEST);
    place->states[next] = state;
    atomic_store(&place->progress, next);
}

static skan_status make(call *call) {
    if (call->operation != BATCH) return perform(engine, call);
    call->update = call->event;
    return batches_saved->save(call->index, call->event);
}

static void end_applied(place *place, const call *call) {
    install after = *state(place);
    if (call->operation == BATCH)
        after.newest = after.pending = call->update;
    else
        apply(&after, call);
    end_with(place, after);
}

static void *work(void *argument) {
    int worker = process * THREADS + (int)(intptr_t)argument;
    unsigned chance = (unsigned)(next_event * 8 + (uint64_t)worker);
    for (uint64_t i = 0;; i++) {
        call drawn = draw(&chance, worker);
        if (batches_saved && rand_r(&chance) % 10 == 0) drawn.operation = BATCH, drawn.index = INSTALLS + worker;
        place *place = &all->places[drawn.index];
        if (drawn.operation == ACKNOWLEDGE) drawn.update = state(place)->pending;
        drawn.event = next_event + i * WORKERS + (uint64_t)worker;
        begin(place, &drawn);
        skan_status status = make(&drawn);
        /* Two processes never use the same install here, and the database works, so no call may fail. */
        if (status >= 100) atomic_fetch_add(&all->wrong_answers, 1);
        if (status == SKAN_OK) end_applied(place, &drawn);
        else end(place);
        atomic_fetch_add(&all->answered, 1);
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

static void kill_at_any_moment(void) {
    pid_t children[PROCESSES];
    fflush(NULL);
    for (process = 0; process < PROCESSES; process++) {
        children[process] = fork();
        if (children[process] == 0) run_process();
    }
    for (int i = 0; i < PROCESSES; i++) {
        nanosleep(&(struct timespec){0, rand() % (i == 0 ? 120000000 : 40000000)}, NULL);
        kill(children[i], SIGKILL);
        kills_done++;
    }
    for (int i = 0; i < PROCESSES; i++) {
        int ending = 0;
        waitpid(children[i], &ending, 0);
        EXPECT(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGKILL, "a process ended by itself: %x", (unsigned)ending);
    }
}

static void check_install(int index) {
    place *place = &all->places[index];
    call *call = &place->call;
    const install *before = state(place);
    install after = *before;
    bool was_under_way = end(place);
    const char *id = text_of("install-%d", index);
    install found = {0};
    if (!ANSWER(SKAN_OK, see(engine, id, &found, &failure))) return;
    if (call->operation == APPLY || call->operation == REGISTER) call->update = update_given(before, &found);
    if (was_under_way && !changes_nothing(before, call)) apply(&after, call);
    bool is_before = is(before, &found), is_after = is(&after, &found);
    EXPECT(is_before || (was_under_way && is_after),
           "%s has $%lld, update %" PRIu64 ", re-engagement %" PRIu64 "; answered were $%lld, update %" PRIu64
           ", re-engagement %" PRIu64 "; operation %d under way: %d, $%lld",
           id, found.dollars, found.pending, found.returns, before->dollars, before->pending, before->returns, call->operation,
           was_under_way, call->dollars);
    if (!was_under_way) return;
    in_doubt++;
    in_doubt_applied += !is_before;
    bool is_looked_at = call->operation == LOOK || call->operation == REGISTER || call->operation == APPLY;
    if (has_id(call)) {
        EXPECT_STATUS(is_before ? SKAN_OK : SKAN_DUPLICATE_EVENT, perform(engine, call));
    } else if (is_before && !is_looked_at) {
        /* Equal to the eye where there was nothing to acknowledge or forget; now for certain. */
        EXPECT_STATUS(SKAN_OK, perform(engine, call));
    }
    if (!is_before || !is_looked_at) end_with(place, after);
}

static void check_batch(int index) {
    place *place = &all->places[index];
    install found = *state(place);
    bool was_under_way = end(place);
    uint64_t number = batches_saved->number_at(index), event = place->call.event;
    EXPECT(number == found.pending || (was_under_way && number == event),
           "place %d has %" PRIu64 "; answered was %" PRIu64 "; under way: %d, %" PRIu64, index, number, found.pending,
           was_under_way, event);
    if (!was_under_way) return;
    in_doubt++;
    in_doubt_applied += number == event;
    found.newest = found.pending = number;
    end_with(place, found);
}

static void check_batches(void) {
    batches_saved->open();
    for (int i = INSTALLS; i < PLACES; i++) check_batch(i);
    batches_saved->close();
}

/* What was sent is carried out by the server, though nobody waits for its answer. */
static void wait_for_connections(void) {
    for (int i = 0; i < 24000; i++) {
        if (database_is_quiet("worker")) return;
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    EXPECT(false, "connections of killed processes do not end");
}

void kill_processes(int kills, const batches *batches) {
    bool stays_open = false;
    batches_saved = batches;
    all = shared_memory(sizeof *all);
    srand((unsigned)time(NULL));
    /* On a busy machine a process may be killed before its first call: then there are more rounds. */
    for (int round = 0; kills_done < kills || (all->answered <= kills && kills_done < 20 * kills); round++) {
        in_round("round %d", round);
        kill_at_any_moment();
        if (!stays_open) engine = open_engine("test");
        wait_for_connections();
        for (int i = 0; i < INSTALLS; i++) check_install(i);
        if (batches) check_batches();
        next_event += 1000000;
        stays_open = round % 2 == 0;
        if (!stays_open) skan_destroy(engine);
    }
    if (stays_open) skan_destroy(engine);
    long long answered = all->answered;
    EXPECT_NUMBER(0, all->wrong_answers);
    EXPECT(answered > kills, "only %lld calls were answered", answered);
    printf("%lld kills: %lld calls answered, %lld under way, of which %lld were found done\n", kills_done, answered,
           in_doubt, in_doubt_applied);
}
