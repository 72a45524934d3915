#define _GNU_SOURCE
#include "relay.h"

#include "Trouble/Stores/trouble.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

typedef struct pair {
    int client, server;
    bool is_known; /* whether something has come, and so what this is */
    bool is_request, has_ended;
} pair;

static int listener, port, target;
static pthread_t thread;
static pair pairs[MOST];
static int count;
static atomic_bool is_over, keeps_requests, ends_sessions;
static atomic_int requests, closed_sessions;

static int connected(void) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)target), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0) end_with("relay", "PgBouncer is not there");
    return made;
}

static void accept_one(void) {
    if (count == MOST) end_with("relay", "too many connections");
    pairs[count++] = (pair){.client = accept4(listener, NULL, NULL, SOCK_CLOEXEC), .server = connected()};
}

/* A request to cancel is a connection's first packet, and says so after its length. */
static void recognize(pair *pair) {
    static const unsigned char request[8] = {0, 0, 0, 16, 4, 210, 22, 46};
    unsigned char first[8];
    pair->is_known = true;
    pair->is_request = recv(pair->client, first, sizeof first, MSG_PEEK) == sizeof first &&
                       memcmp(first, request, sizeof first) == 0;
    if (pair->is_request) atomic_fetch_add(&requests, 1);
}

/* Whether the sender goes on. */
static bool pass_on(int from, int to) {
    char bytes[65536];
    const ssize_t length = recv(from, bytes, sizeof bytes, 0);
    if (length > 0 && to >= 0) send(to, bytes, (size_t)length, MSG_NOSIGNAL);
    return length > 0;
}

static void close_both(pair *pair) {
    if (pair->client >= 0) close(pair->client);
    if (pair->server >= 0) close(pair->server);
    pair->client = pair->server = -1;
}

static void from_client(pair *pair) {
    if (!pair->is_known) recognize(pair);
    if (pair->is_request && atomic_load(&keeps_requests)) return;
    if (pass_on(pair->client, pair->has_ended ? -1 : pair->server)) return;
    if (!pair->has_ended) {
        close_both(pair);
        return;
    }
    close(pair->client);
    pair->client = -1;
    atomic_fetch_add(&closed_sessions, 1);
}

static void from_server(pair *pair) {
    if (!pass_on(pair->server, pair->has_ended ? -1 : pair->client)) close_both(pair);
}

static void end_sessions(void) {
    for (int i = 0; i < count; i++) {
        if (pairs[i].client < 0 || pairs[i].is_request) continue;
        pairs[i].has_ended = true;
        shutdown(pairs[i].client, SHUT_WR);
    }
}

static void *run(void *unused) {
    while (!atomic_load(&is_over)) {
        struct pollfd places[1 + 2 * MOST] = {{listener, POLLIN, 0}};
        for (int i = 0; i < count; i++) {
            const bool is_kept = pairs[i].is_request && atomic_load(&keeps_requests);
            places[1 + 2 * i] = (struct pollfd){is_kept ? -1 : pairs[i].client, POLLIN, 0};
            places[2 + 2 * i] = (struct pollfd){pairs[i].server, POLLIN, 0};
        }
        const int known = count;
        poll(places, (nfds_t)(1 + 2 * known), 20);
        if (atomic_exchange(&ends_sessions, false)) end_sessions();
        if (places[0].revents) accept_one();
        for (int i = 0; i < known; i++) {
            if (places[1 + 2 * i].revents) from_client(&pairs[i]);
            if (places[2 + 2 * i].revents && pairs[i].server >= 0) from_server(&pairs[i]);
        }
    }
    for (int i = 0; i < count; i++) close_both(&pairs[i]);
    close(listener);
    return unused;
}

void relay_start(int to) {
    target = to;
    listener = listening_socket(16, &port);
    if (pthread_create(&thread, NULL, run, NULL) != 0) abort();
}

void relay_stop(void) {
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
}

int relay_port(void) {
    return port;
}

void relay_keeps_requests(bool keeps) {
    atomic_store(&keeps_requests, keeps);
}

int relay_requests(void) {
    return atomic_load(&requests);
}

void relay_ends_sessions(void) {
    atomic_store(&ends_sessions, true);
}

int relay_closed_sessions(void) {
    return atomic_load(&closed_sessions);
}
