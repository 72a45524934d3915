/*
 * Processes that give installs new ids are killed at any moment, again and again, while others count amounts of these
 * installs:
 *   renames [kills during a rename]
 * Two processes rename the same players from one id to the next, and both count. After each kill every player is
 * registered under one of the two ids, and each amount that was answered is counted once, under one of them. Then the
 * rename is called again.
 */
#define _GNU_SOURCE
#include "calls.h"
#include "database.h"
#include "support.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PLAYERS = 6, COUNTING = PROCESSES, MOST_ROUNDS = 100000 };

/* Of all processes. */
typedef struct counted {
    atomic_int current[PLAYERS];     /* the number of the id that has the player, or that had it a moment ago */
    atomic_llong answered[PLAYERS];  /* dollars */
    atomic_int counting[COUNTING];   /* the player for whom a process counts a dollar, + 1; 0: for none */
    atomic_bool renaming[PROCESSES]; /* whether a process is in a rename */
    atomic_llong renames, dollars, wrong;
} counted;

static counted *all;
static skan_engine *engine;
static int process;
static long long next_event;

static const char *name_of(int player, int number) {
    static _Thread_local char name[32];
    snprintf(name, sizeof name, "player-%d-%d", player, number);
    return name;
}

static skan_status rename_player(int player, int number, skan_error **error) {
    char old[32];
    snprintf(old, sizeof old, "%s", name_of(player, number));
    return skan_rename(engine, old, name_of(player, number + 1), error);
}

/* One process renames the even players, the other the odd ones, and both rename the last one. */
static void *rename_all(void *argument) {
    (void)argument;
    unsigned chance = (unsigned)(next_event + process);
    for (;;) {
        int player = rand_r(&chance) % PLAYERS;
        if (player % PROCESSES != process && player != PLAYERS - 1) continue;
        int number = atomic_load(&all->current[player]);
        atomic_store(&all->renaming[process], true);
        skan_status status = rename_player(player, number, NULL);
        atomic_store(&all->renaming[process], false);
        if (status == SKAN_OK) {
            atomic_compare_exchange_strong(&all->current[player], &number, number + 1);
            atomic_fetch_add(&all->renames, 1);
        } else if (status != SKAN_NOT_FOUND && status != SKAN_ALREADY_REGISTERED) {
            /* Of the last player, whom the other process has renamed before. */
            atomic_fetch_add(&all->wrong, 1);
        }
    }
    return NULL;
}

static void count_dollars(void) {
    unsigned chance = (unsigned)(next_event + process + 7);
    for (long long i = 0;; i++) {
        int player = rand_r(&chance) % PLAYERS;
        char event[48];
        snprintf(event, sizeof event, "%lld-%d-%lld", next_event, process, i);
        atomic_store(&all->counting[process], player + 1);
        const char *id = name_of(player, atomic_load(&all->current[player]));
        if (skan_update_revenue(engine, id, AMOUNT(1), "USD", SKAN_IAP, event, NULL) == SKAN_OK) {
            atomic_fetch_add(&all->answered[player], 1);
            atomic_store(&all->counting[process], 0);
            atomic_fetch_add(&all->dollars, 1);
        } else {
            atomic_fetch_add(&all->wrong, 1);
        }
    }
}

static void run_process(void) {
    engine = open_engine("worker");
    pthread_t thread;
    pthread_create(&thread, NULL, rename_all, NULL);
    count_dollars();
}

/* Returns how many processes were killed in a rename. */
static int kill_at_any_moment(void) {
    pid_t children[PROCESSES];
    int in_rename = 0;
    fflush(NULL);
    for (process = 0; process < PROCESSES; process++) {
        children[process] = fork();
        if (children[process] == 0) run_process();
    }
    for (int i = 0; i < PROCESSES; i++) {
        nanosleep(&(struct timespec){0, rand() % (i == 0 ? 80000000 : 20000000)}, NULL);
        kill(children[i], SIGKILL);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int ending = 0;
        waitpid(children[i], &ending, 0);
        EXPECT(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGKILL, "a process ended by itself: %x", (unsigned)ending);
        in_rename += atomic_exchange(&all->renaming[i], false);
    }
    for (int i = 0; i < 24000 && !database_is_quiet("worker"); i++) nanosleep(&(struct timespec){0, 5000000}, NULL);
    return in_rename;
}

/* The dollars under an id; adds to `registered` if an install is registered there. */
static long long dollars_at(int player, int number, int *registered) {
    install found = {0};
    if (!ANSWER(SKAN_OK, see(engine, name_of(player, number), &found, &failure))) return 0;
    *registered += found.pending != 0; /* of registering, which nobody acknowledges */
    return found.dollars;
}

/* A player as the parent knows it between two rounds. */
typedef struct known {
    int first;      /* the number of its id when the round began */
    long long left; /* dollars that came under older ids after it had left them, and were forgotten there */
} known;

static void check_player(int player, const known *known, int under_way) {
    int number = atomic_load(&all->current[player]), registered = 0, before = 0;
    /* The new id first: a call on it carries on with a rename that was begun. */
    long long found = known->left + dollars_at(player, number + 1, &registered);
    for (int older = known->first; older <= number; older++) found += dollars_at(player, older, &before);
    registered += before;
    EXPECT(registered == 1, "player %d is registered %d times around id %d", player, registered, number);
    long long answered = all->answered[player];
    EXPECT(found >= answered && found <= answered + under_way,
           "player %d has $%lld around id %d; answered were $%lld, and $%d were under way", player, found, number,
           answered, under_way);
    all->answered[player] = found;
    if (before == 0) atomic_store(&all->current[player], number + 1);
}

/* Calling again ends the rename; then the player has one id, and nobody counts under the older ones any more. */
static void end_rename(int player, known *known) {
    int number = atomic_load(&all->current[player]), before = 0, after = 0;
    EXPECT_STATUS(SKAN_OK, rename_player(player, number, NULL));
    for (int older = known->first; older <= number; older++) {
        known->left += dollars_at(player, older, &before);
        EXPECT_STATUS(SKAN_OK, skan_forget(engine, name_of(player, older), NULL));
    }
    dollars_at(player, number + 1, &after);
    EXPECT(before == 0 && after == 1, "player %d is registered %d times before id %d, %d times there", player, before,
           number + 1, after);
    known->first = number + 1;
    atomic_store(&all->current[player], number + 1);
}

static void run_kills(const void *subject) {
    int kills = *(const int *)subject, done = 0;
    known known[PLAYERS] = {{0}};
    database_start(true);
    srand((unsigned)time(NULL));
    for (int round = 0; done < kills && round < MOST_ROUNDS; round++) {
        in_round("round %d", round);
        if (round == 0) {
            engine = open_engine("test");
            for (int i = 0; i < PLAYERS; i++)
                EXPECT_STATUS(SKAN_OK, skan_register(engine, name_of(i, 0), NULL, NULL, NULL));
            skan_destroy(engine);
        }
        done += kill_at_any_moment();
        engine = open_engine("test");
        int under_way[PLAYERS] = {0};
        for (int i = 0; i < COUNTING; i++) {
            int player = atomic_exchange(&all->counting[i], 0) - 1;
            if (player >= 0) under_way[player]++;
        }
        for (int i = 0; i < PLAYERS; i++) check_player(i, &known[i], under_way[i]);
        for (int i = 0; i < PLAYERS; i++) end_rename(i, &known[i]);
        skan_destroy(engine);
        next_event += 1000;
    }
    EXPECT_NUMBER(0, all->wrong);
    EXPECT(done >= kills, "only %d kills came in a rename", done);
    printf("%d kills during renames: %lld renames and %lld amounts answered\n", done, (long long)all->renames,
           (long long)all->dollars);
}

int main(int count, char **texts) {
    int kills = count > 1 ? atoi(texts[1]) : 20;
    all = shared_memory(sizeof *all);
    run_case("kills", run_kills, &kills);
    return finish_cases();
}
