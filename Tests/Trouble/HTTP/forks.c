/* A transport made before fork() serves both processes, and no connection serves two.
 *   forks server.py [forks beside requests that time out] */
#define _GNU_SOURCE
#include "server.h"
#include "support.h"
#include "tools.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#endif

/* Ends the child with its number of failures. */
static int failures_in_child(const skan_transport *transport, bool is_tls) {
    int failures = 0;
    caller caller = {.transport = transport, .url = url_of(is_tls, "/ok"), .times = 5};
    call(&caller);
    if (caller.answered != 5) failures++;
    skan_transport mine = *transport;
    skan_http_transport_close(&mine);
    return failures;
}

static void forks_between_requests(const void *subject) {
    const bool is_tls = subject != NULL;
    skan_transport *transport = opened(patient_options(NULL));
    reset_server();
    caller caller = {.transport = transport, .url = url_of(is_tls, "/ok"), .times = 2};
    call(&caller);
    EXPECT_NUMBER(2, caller.answered);
    EXPECT_NUMBER(1, server_counts().connections);
    for (int round = 0; round < 3; round++) {
        const int files = open_files();
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            const int failed = failures_in_child(transport, is_tls);
            /* What the parent's client had open is closed with the child's. */
            _exit(failed + (open_files() >= files ? 10 : 0));
        }
        expect_success(child);
        /* The child had a connection of its own, and the parent's is as it was. */
        caller.answered = 0;
        call(&caller);
        EXPECT_NUMBER(2, caller.answered);
        EXPECT_NUMBER(2 + round, server_counts().connections);
    }
}

static int fork_count = 15;

#ifndef HAS_ADDRESS_SANITIZER
static void forks_amid_requests(void) {
    skan_transport *transport = opened(patient_options(NULL));
    static caller callers[8];
    for (int i = 0; i < 8; i++) {
        callers[i] = (caller){.transport = transport, .url = url_of(i % 2, "/ok"), .times = 200};
        begin_calls(&callers[i]);
    }
    for (int round = 0; round < 10; round++) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) _exit(failures_in_child(transport, round % 2));
        expect_success(child);
    }
    for (int i = 0; i < 8; i++) EXPECT_NUMBER(200, end_calls(&callers[i]));
}

/* The server answers nothing, so that every request of the parent's threads times out, and is tried again. */
static void forks_beside_time_outs(void) {
    enum { CALLERS = 8, TIMEOUT_MS = 300 };
    skan_http_options options = short_options(NULL);
    options.timeout_ms = TIMEOUT_MS, options.attempt_timeout_ms = options.connect_timeout_ms = TIMEOUT_MS / 3;
    skan_transport *transport = opened(options);
    static caller callers[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){.transport = transport, .url = url_of(i % 2, "/slow"), .times = 2 * fork_count};
        begin_calls(&callers[i]);
    }
    long long longest = 0;
    for (int round = 0; round < fork_count; round++) {
        fflush(NULL);
        alarm(240); /* a fork that waits for ever ends the case, and not the test */
        const long long start = milliseconds();
        const pid_t child = fork();
        if (child == 0) {
            alarm(240);
            caller caller = {.transport = transport, .url = url_of(round % 2, "/slow"), .times = 1};
            call(&caller);
            _exit(caller.answered);
        }
        const long long took = milliseconds() - start;
        if (took > longest) longest = took;
        expect_success(child);
    }
    alarm(0);
    for (int i = 0; i < CALLERS; i++) EXPECT_NUMBER(0, end_calls(&callers[i]));
    printf("%d forks beside requests with a time-out of %g s: the longest took %.2f s\n", fork_count,
           TIMEOUT_MS / 1000.0, (double)longest / 1000);
    EXPECT(longest < TIMEOUT_MS + LATENESS, "a fork took %lld ms", longest);
}
#endif

int main(int count, char **arguments) {
    if (count != 2 && count != 3) return 2;
    if (count > 2) fork_count = atoi(arguments[2]);
    start_server(arguments[1]);
    run_case("forks between requests", forks_between_requests, NULL);
    run_case("forks between TLS requests", forks_between_requests, "tls");
#ifndef HAS_ADDRESS_SANITIZER
    /* A child of it may wait for ever for a lock of its allocator, which another thread held at the fork. */
    RUN(forks_amid_requests);
    RUN(forks_beside_time_outs);
#endif
    return finish_cases();
}
