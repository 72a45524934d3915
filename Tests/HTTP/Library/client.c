/* Requests that nobody waits for: each is told once, whatever becomes of it; slow name look-ups hold up nobody.
 *   client server.py */
#define _GNU_SOURCE
#include "Trouble/HTTP/server.h"
#include "support.h"
#include "Trouble/HTTP/tools.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------- a slow name look-up */

static atomic_int slow_lookups, ended_lookups;
static atomic_bool may_end;

/* Replaces libc's function, for libcurl too: the look-up of one name does not end before the test lets it. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    if (name && strcmp(name, "slow.invalid") == 0) {
        atomic_fetch_add(&slow_lookups, 1);
        while (!atomic_load(&may_end)) usleep(1000);
        atomic_fetch_add(&ended_lookups, 1);
        return EAI_AGAIN;
    }
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    *(void **)&next = dlsym(RTLD_NEXT, "getaddrinfo");
    return next(name, service, hints, found);
}

/* ---------------------------------------------------------------------------------------------------------- answers */

/* What callbacks were told. */
typedef struct told {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int answers, limits, failures, cancelled;
    char message[512];
    pthread_t thread;
} told;

#define NOTHING_TOLD {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER}

static int all(const told *told) {
    return told->answers + told->limits + told->failures;
}

static void note(void *context, skan_status status, const void *body, size_t length, const char *message) {
    told *told = context;
    pthread_mutex_lock(&told->lock);
    told->thread = pthread_self();
    if (status == SKAN_OK) told->answers++;
    else if (status == SKAN_ERROR_LIMIT_EXCEEDED) told->limits++;
    else told->failures++;
    if (strstr(message, "cancelled")) told->cancelled++;
    snprintf(told->message, sizeof told->message, "%s", message);
    EXPECT((status == SKAN_OK) == (message[0] == '\0'), "status %d with the message \"%s\"", status, message);
    EXPECT((body == NULL) == (length == 0), "%zu bytes at %p", length, body);
    EXPECT(status == SKAN_OK || length == 0, "a body with status %d", status);
    pthread_cond_broadcast(&told->changed);
    pthread_mutex_unlock(&told->lock);
}

static void wait_for(told *told, int count) {
    pthread_mutex_lock(&told->lock);
    while (all(told) < count) pthread_cond_wait(&told->changed, &told->lock);
    pthread_mutex_unlock(&told->lock);
}

static skan_http_client *created(skan_http_options options) {
    skan_http_client *client = NULL;
    ANSWER(SKAN_OK, skan_http_client_create(&options, &client, &failure));
    return client;
}

static uint64_t start(skan_http_client *client, const char *url, told *told) {
    uint64_t request = 0;
    ANSWER(SKAN_OK, skan_http_request_start(client, url, note, told, &request, &failure));
    EXPECT(request != 0, "a request without a number");
    return request;
}

CASE(tells_each_once) {
    skan_http_client *client = created(patient_options(NULL));
    told told = NOTHING_TOLD;
    start(client, url_to("plain", "/ok"), &told);
    start(client, url_to("tls", "/ok"), &told);
    start(client, url_to("plain", "/size/0"), &told);
    start(client, url_to("plain", "/status/404"), &told);
    start(client, url_to("plain", "/size/65537"), &told);
    start(client, url_to("self-signed", "/ok"), &told);
    wait_for(&told, 6);
    skan_http_client_destroy(client);
    EXPECT_NUMBER(3, told.answers);
    EXPECT_NUMBER(1, told.limits);
    EXPECT_NUMBER(2, told.failures);
    EXPECT_NUMBER(0, told.cancelled);
}

/* Many at once, on few connections. */
CASE(many_requests_at_once) {
    skan_http_options options = patient_options(NULL);
    options.max_connections = 8;
    skan_http_client *client = created(options);
    told told = NOTHING_TOLD;
    reset_server();
    for (int i = 0; i < 1000; i++) start(client, url_to("plain", "/ok"), &told);
    wait_for(&told, 1000);
    EXPECT_NUMBER(1000, told.answers);
    EXPECT_NUMBER(1000, server_counts().requests);
    EXPECT(server_counts().connections <= 8, "%d connections", server_counts().connections);
    skan_http_client_destroy(client);
}

/* Waiting for a connection is no attempt that takes too long: a burst that takes six times as long as an attempt may is
 * answered, by the connections that there may be, with one request each. */
static void a_burst_has_the_whole_time(const void *port) {
    skan_http_options options = patient_options(NULL);
    options.max_connections = 2;
    options.attempt_timeout_ms = 1000;
    skan_http_client *client = created(options);
    told told = NOTHING_TOLD;
    reset_server();
    for (int i = 0; i < 60; i++) start(client, url_to(port, "/later/200"), &told);
    wait_for(&told, 60);
    EXPECT_NUMBER(60, told.answers);
    EXPECT_NUMBER(60, server_counts().requests);
    EXPECT(server_counts().connections <= 2, "%d connections", server_counts().connections);
    skan_http_client_destroy(client);
}

CASE(a_burst_has_the_whole_time_over_http) {
    a_burst_has_the_whole_time("plain");
}

CASE(a_burst_has_the_whole_time_over_https) {
    a_burst_has_the_whole_time("tls");
}

/* The whole time holds for what waits, too. */
CASE(waiting_for_a_connection_ends_in_time) {
    skan_http_options options = patient_options(NULL);
    options.max_connections = 1;
    options.timeout_ms = 1000;
    skan_http_client *client = created(options);
    told told = NOTHING_TOLD;
    for (int i = 0; i < 2000; i++) start(client, url_to("plain", "/slow"), &told);
    wait_for(&told, 2000);
    EXPECT_NUMBER(2000, told.failures);
    EXPECT(strstr(told.message, "waiting for a connection"), "the message is \"%s\"", told.message);
    skan_http_client_destroy(client);
}

/* ----------------------------------------------------------------------------------------------------- cancellation */

CASE(cancels) {
    skan_http_options options = patient_options(NULL);
    options.timeout_ms = options.attempt_timeout_ms = 3600000;
    skan_http_client *client = created(options);
    told told = NOTHING_TOLD;
    uint64_t requests[4] = {
        start(client, url_to("plain", "/slow"), &told), start(client, url_to("tls", "/drip"), &told),
        start(client, plain("/sequence/503:1000"), &told), start(client, url_to("plain", "/stall"), &told)};
    usleep(100000);
    for (int i = 0; i < 4; i++) skan_http_request_cancel(client, requests[i]);
    wait_for(&told, 4);
    /* Again, and one that was never there. */
    for (int i = 0; i < 4; i++) skan_http_request_cancel(client, requests[i]);
    skan_http_request_cancel(client, 0);
    skan_http_request_cancel(client, 1000000);
    skan_http_request_cancel(NULL, 1);
    start(client, url_to("plain", "/ok"), &told);
    wait_for(&told, 5);
    skan_http_client_destroy(client);
    EXPECT_NUMBER(1, told.answers);
    EXPECT_NUMBER(4, told.cancelled);
    EXPECT_NUMBER(5, all(&told));
}

/* Before the client's thread has seen it, and while it works on it. */
CASE(cancels_at_any_moment) {
    skan_http_client *client = created(patient_options(NULL));
    told told = NOTHING_TOLD;
    for (int i = 0; i < 300; i++) {
        const uint64_t request = start(client, url_to(i % 2 ? "plain" : "tls", "/ok"), &told);
        if (i % 3) usleep((unsigned)(i % 3) * 200);
        skan_http_request_cancel(client, request);
    }
    wait_for(&told, 300);
    skan_http_client_destroy(client);
    EXPECT_NUMBER(300, all(&told));
    EXPECT_NUMBER(told.failures, told.cancelled);
}

CASE(the_end_tells_what_is_under_way) {
    for (int round = 0; round < 20; round++) {
        skan_http_client *client = created(patient_options(NULL));
        told told = NOTHING_TOLD;
        for (int i = 0; i < 5; i++) start(client, url_to(i % 2 ? "plain" : "tls", "/slow"), &told);
        if (round % 2) usleep(20000);
        skan_http_client_destroy(client);
        EXPECT_NUMBER(5, told.cancelled);
        EXPECT_NUMBER(5, all(&told));
    }
}

/* Each costs the same, however many there are, in whatever order: where each costs a search of all others, this takes
 * minutes. */
CASE(cancels_and_ends_very_many) {
    enum { COUNT = 100000 };
    skan_http_options options = patient_options(NULL);
    options.timeout_ms = options.attempt_timeout_ms = 3600000;
    skan_http_client *client = created(options);
    told told = NOTHING_TOLD;
    char *url = url_to("plain", "/slow");
    uint64_t first = start(client, url, &told), last = first;
    for (int i = 1; i < COUNT; i++) last = start(client, url, &told);
    while (server_counts().requests < 16) usleep(1000);
    for (uint64_t request = last; request > last - COUNT / 2; request--) skan_http_request_cancel(client, request);
    wait_for(&told, COUNT / 2);
    skan_http_client_destroy(client);
    EXPECT_NUMBER(COUNT, told.cancelled);
    EXPECT_NUMBER(COUNT, all(&told));
    EXPECT(last - first == COUNT - 1, "%d numbers", (int)(last - first));
}

typedef struct chain {
    skan_http_client *client;
    told told;
    int left;
    uint64_t other;
} chain;

static void go_on(void *context, skan_status status, const void *body, size_t length, const char *message) {
    chain *chain = context;
    note(&chain->told, status, body, length, message);
    if (chain->left-- > 0) {
        ANSWER(SKAN_OK, skan_http_request_start(chain->client, url_to("plain", "/ok"), go_on, chain, NULL, &failure));
    } else {
        skan_http_request_cancel(chain->client, chain->other);
    }
}

CASE(callbacks_start_and_cancel) {
    skan_http_options options = patient_options(NULL);
    options.timeout_ms = options.attempt_timeout_ms = 3600000;
    chain chain = {.client = created(options), .told = NOTHING_TOLD, .left = 10};
    told other = NOTHING_TOLD;
    chain.other = start(chain.client, url_to("plain", "/slow"), &other);
    ANSWER(SKAN_OK, skan_http_request_start(chain.client, url_to("plain", "/ok"), go_on, &chain, NULL, &failure));
    wait_for(&chain.told, 11);
    wait_for(&other, 1);
    EXPECT_NUMBER(11, chain.told.answers);
    EXPECT_NUMBER(1, other.cancelled);
    EXPECT(!pthread_equal(chain.told.thread, pthread_self()), "told on the caller's thread");
    skan_http_client_destroy(chain.client);
}

/* Starts another whenever one is told. */
static void start_another(void *context, skan_status status, const void *body, size_t length, const char *message) {
    chain *chain = context;
    note(&chain->told, status, body, length, message);
    char *url = url_to("plain", "/slow");
    skan_error *error = NULL;
    if (skan_http_request_start(chain->client, url, start_another, chain, NULL, &error) == SKAN_OK) chain->left++;
    else EXPECT_STATUS(SKAN_ERROR_TRANSPORT, skan_error_code(error));
    skan_error_free(error);
}

/* What was started is told, also where the client's end comes in between. */
CASE(the_end_refuses_requests) {
    chain chain = {.client = created(patient_options(NULL)), .told = NOTHING_TOLD, .left = 1};
    ANSWER(SKAN_OK,
           skan_http_request_start(chain.client, url_to("plain", "/slow"), start_another, &chain, NULL, &failure));
    skan_http_client_destroy(chain.client);
    EXPECT_NUMBER(chain.left, all(&chain.told));
}

/* -------------------------------------------------------------------------------------------------------- arguments */

CASE(checks_arguments) {
    skan_http_client *client = NULL;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_client_create(NULL, NULL, &failure));
    skan_http_options options = {.size = sizeof options, .max_attempts = 101};
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_client_create(&options, &client, &failure));
    EXPECT(client == NULL, "a client in spite of it");
    ANSWER(SKAN_OK, skan_http_client_create(NULL, &client, &failure));
    told told = NOTHING_TOLD;
    uint64_t request = 1;
    char *url = url_to("plain", "/ok");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_request_start(NULL, url, note, &told, &request, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_request_start(client, NULL, note, &told, &request, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_request_start(client, url, NULL, &told, &request, &failure));
    never_in_messages = SDK_KEY;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           skan_http_request_start(client, "ftp://host/?a=" SDK_KEY, note, &told, &request, &failure));
    EXPECT_NUMBER(0, request);
    EXPECT_NUMBER(0, all(&told));
    skan_http_client_destroy(client);
    skan_http_client_destroy(NULL);
}

CASE(tells_that_no_file_is_left) {
    skan_http_client *client = created(patient_options(NULL));
    told told = NOTHING_TOLD;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    const int next = dup(0);
    close(next);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)next, limit.rlim_max});
    ANSWER(SKAN_ERROR_TRANSPORT, skan_http_request_start(client, plain("/ok"), note, &told, NULL, &failure));
    EXPECT(strstr(failure_message(), "Too many open files"), "the message is \"%s\"", failure_message());
    setrlimit(RLIMIT_NOFILE, &limit);
    start(client, plain("/ok"), &told);
    wait_for(&told, 1);
    EXPECT_NUMBER(1, told.answers);
    skan_http_client_destroy(client);
}

/* ----------------------------------------------------------------------------------------------------------- names */

/* Nobody waits for the threads of the look-ups: they end by themselves, or the case hangs. */
static void end_lookups(int count) {
    atomic_store(&may_end, true);
    while (atomic_load(&ended_lookups) < count) usleep(1000);
}

CASE(slow_names_hold_up_nobody) {
    skan_http_options options = patient_options(NULL);
    options.max_attempts = 1;
    options.connect_timeout_ms = 5000; /* enough for each look-up to begin on a busy machine */
    skan_http_client *client = created(options);
    told slow = NOTHING_TOLD, others = NOTHING_TOLD;
    for (int i = 0; i < 4; i++) start(client, text_of("http://slow.invalid/ok"), &slow);
    while (atomic_load(&slow_lookups) < 4) usleep(1000);
    for (int i = 0; i < 10; i++) start(client, url_to("plain", "/ok"), &others);
    wait_for(&others, 10);
    wait_for(&slow, 4);
    for (int i = 0; i < 10; i++) start(client, url_to("plain", "/ok"), &others);
    wait_for(&others, 20);
    skan_http_client_destroy(client);
    EXPECT_NUMBER(0, atomic_load(&ended_lookups));
    EXPECT_NUMBER(20, others.answers);
    EXPECT_NUMBER(4, slow.failures);
    EXPECT(strstr(slow.message, "libcurl error 28"), "told \"%s\"", slow.message);
    end_lookups(4);
}

CASE(slow_names_end_in_time) {
    skan_http_options options = short_options(NULL);
    options.timeout_ms = 300;
    skan_transport *transport = opened(options);
    /* On a busy machine the time may be over before the look-up begins. */
    do EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(transport, text_of("https://slow.invalid/ok"), NULL, 0));
    while (atomic_load(&slow_lookups) == 0);
    skan_http_transport_close(transport);
    EXPECT_NUMBER(0, atomic_load(&ended_lookups));
    end_lookups(1);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    start_server(arguments[1]);
    return run_cases();
}
