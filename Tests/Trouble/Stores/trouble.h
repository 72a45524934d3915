/* What tests of trouble share: a record that may not be told of, what is told, calls that a thread makes meanwhile, and
 * what it takes to be in trouble. */
#ifndef TROUBLE_H
#define TROUBLE_H

#include "Bench/measure.h"
#include "Trouble/Servers/server.h"

#include <skan/store.h>

#include <pthread.h>

/* A key that no report may name. */
#define PLAYER "player-of-nobodys-business"

#define EXPECT_WORDS(words, message) EXPECT(strstr((message), (words)), "\"%s\" does not say %s", (message), (words))

void pass_milliseconds(int milliseconds);
/* By how many seconds a call may exceed its time-out. Only a call that hangs takes longer, even on a busy machine. */
enum { LATENESS = 20 };
/* A time-out in milliseconds that does not end during a test. */
enum { NEVER_MS = 3600000 };
/* Waits until it holds. */
#define EVENTUALLY(condition) \
    for (double end = seconds_now() + 120; !(condition) && EXPECT(seconds_now() < end, "never came: %s", #condition);) \
        pass_milliseconds(10)
/* A call took at least its time-out, and it did not hang. */
#define EXPECT_TIME(at_least, took) \
    EXPECT((took) > (at_least) - 0.01 && (took) < (at_least) + LATENESS, "%g s took %g s", (double)(at_least), (took))

/* What stores here report. */
extern reports told;
/* One report since the last look, of this status and with these words, and never a key or what never_in_messages is. */
void expect_told(skan_status status, const char *words);
/* The call ends so, and that is told. */
#define EXPECT_TOLD(status, words, call) (EXPECT_STATUS(status, call), expect_told(status, words))

/* No store is opened, for this reason. */
void expect_refused(const char *place, const void *options, skan_status status, const char *words);
/* And that is told in this time, and little more. */
void expect_late(const char *place, const void *options, double seconds, const char *words);

/* A store with the record "kept" of PLAYER, in this version. */
skan_store store_with_record(const char *place, const void *options, uint64_t *version);
/* Two saves in one batch, of "another", a new record, and PLAYER's: what both are answered. */
skan_status save_two(const skan_store *store, uint64_t version);
/* Each kind of change is refused with SKAN_ERROR_STORE and tells these words. */
void expect_changes_refused(const skan_store *store, uint64_t version, const char *words);
/* The same store goes on: "kept" is there in this version, can be changed and removed, and nothing is told. It is
 * closed. */
void expect_mended(skan_store *store, uint64_t version);

/* The server is stopped, gently and at once, and killed; its connections are ended by `disconnect`. A store whose
 * PLAYER is "kept" in this version fails while the server is gone, and nothing that it is asked afterwards is in
 * trouble. It is closed. */
void restart_between_calls(server *server, skan_store *store, uint64_t version, void (*disconnect)(void));

/* A call that a thread makes while the test does something about it. */
typedef struct aside {
    const skan_store *store;
    uint64_t version;
    enum { SAVING, SAVING_TWO, LOADING } what;
    skan_status status;
    double took;
    pthread_t thread;
} aside;

void begin_aside(aside *call);
void end_aside(aside *call, skan_status expected);

/* 200 threads save by a store of 4 connections: every call is made, and while one waits there are at most three calls
 * of each other thread. */
void expect_fair_turns(const skan_store *store);

/* How often the next function forks: a program's argument. */
extern int fork_count;
/* While calls of eight threads time out, as the store has been brought to answer nothing, this process forks so often.
 * Each fork waits for the calls under way and no longer, and its child calls the store as well. `version` is PLAYER's. */
void expect_forks_beside_time_outs(const skan_store *store, uint64_t version, uint32_t timeout_ms);

/* On a port of loopback; backlog < 0: the port is taken, and nobody listens. */
int listening_socket(int backlog, int *port);

/* The folder of a new file system of 3 MB that this process and its children alone see; NULL, and a failure, where the
 * user may have none. */
const char *small_disk(void);
void enlarge_disk(const char *folder);
void remove_disk(const char *folder);
/* Saves records of the largest size, "large-0" and on, until one is not saved: how many are, and what it was told. */
int fill(const skan_store *store, skan_status *status);
/* Whether the record that was not saved can be, and as many as were are there. */
void expect_filled(const skan_store *store, int count);

#endif
