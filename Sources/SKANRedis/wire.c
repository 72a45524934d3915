#define _GNU_SOURCE
#include "wire.h"

#include "../StoreSupport/clock.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    BATCH = 256,             /* commands written together, at most */
    BATCH_BYTES = 64 * 1024, /* no more is added to a batch of so many bytes */
    LARGEST_REPLY = 8 * 1024 * 1024
};

/* ------------------------------------------------------------------------------------------------------------ words */

bool is_error(const redisReply *reply, const char *beginning) {
    size_t length = strlen(beginning);
    return reply->type == REDIS_REPLY_ERROR && reply->len >= length && memcmp(reply->str, beginning, length) == 0;
}

void words_of(const redisReply *reply, char *words, size_t size) {
    if (reply->type != REDIS_REPLY_ERROR && reply->type != REDIS_REPLY_STATUS) {
        snprintf(words, size, "an answer of another type (%d)", reply->type);
        return;
    }
    size_t length = reply->len < size - 1 ? reply->len : size - 1;
    for (size_t i = 0; i < length; i++)
        words[i] = reply->str[i] >= ' ' && reply->str[i] <= '~' ? reply->str[i] : '?';
    words[length] = '\0';
    char *arguments = strcasestr(words, ", with args");
    if (arguments) *arguments = '\0';
}

/* ---------------------------------------------------------------------------------------------------------- waiting */

/* What happened, 0 at the deadline. */
static short wait_for(int socket, short events, int64_t deadline) {
    for (;;) {
        int64_t left = deadline - milliseconds_now();
        struct pollfd waiting = {socket, events, 0};
        int ready = poll(&waiting, 1, left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left);
        if (ready > 0) return waiting.revents;
        if (ready == 0 && left <= 0) return 0;
        if (ready < 0 && errno != EINTR) return POLLERR;
    }
}

/* ------------------------------------------------------------------------------------------------------- connecting */

/* 0, or an errno. */
static int connect_by(int socket, const struct sockaddr *place, socklen_t size, int64_t deadline) {
    if (connect(socket, place, size) == 0) return 0;
    /* A Unix socket whose queue is full says EAGAIN, and no event tells when there is room. */
    while (errno == EAGAIN) {
        if (milliseconds_now() >= deadline) return ETIMEDOUT;
        nanosleep(&(struct timespec){0, 2000000}, NULL);
        if (connect(socket, place, size) == 0) return 0;
    }
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    if (wait_for(socket, POLLOUT, deadline) == 0) return ETIMEDOUT;
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

/* A connected socket, or -1 and `error`. */
static int open_socket(int family, const struct sockaddr *place, socklen_t size, int64_t deadline, int *error) {
    int made = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (made < 0) {
        *error = errno;
        return -1;
    }
    int on = 1;
    if (family != AF_UNIX) {
        setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(made, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    }
    *error = connect_by(made, place, size, deadline);
    if (*error == 0) return made;
    close(made);
    return -1;
}

static skan_status connect_path(wire *wire, const char *path, int64_t deadline, trouble *trouble) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    int error;
    memcpy(place.sun_path, path, strlen(path) + 1); /* its length was checked with the URL */
    wire->socket = open_socket(AF_UNIX, (const struct sockaddr *)&place, sizeof place, deadline, &error);
    if (wire->socket >= 0) return SKAN_OK;
    return trouble_set(trouble, SKAN_ERROR_STORE, "connect: %s", strerror(error));
}

static skan_status connect_host(wire *wire, const address *address, int64_t deadline, trouble *trouble) {
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    int failed = getaddrinfo(address->host, address->port, &hints, &found), left = 0, error = EADDRNOTAVAIL;
    if (failed)
        return trouble_set(trouble, SKAN_ERROR_STORE, "connect: the host's name: %s",
                           failed == EAI_SYSTEM ? strerror(errno) : gai_strerror(failed));
    for (struct addrinfo *each = found; each; each = each->ai_next) left++;
    for (struct addrinfo *each = found; each && wire->socket < 0; each = each->ai_next) {
        int64_t now = milliseconds_now();
        wire->socket = open_socket(each->ai_family, each->ai_addr, each->ai_addrlen,
                                   deadline > now ? now + (deadline - now) / left-- : now, &error);
    }
    freeaddrinfo(found);
    if (wire->socket >= 0) return SKAN_OK;
    return trouble_set(trouble, SKAN_ERROR_STORE, "connect: %s", strerror(error));
}

skan_status wire_connect(wire *wire, const address *address, int64_t deadline, trouble *trouble) {
    if (wire->socket >= 0) return SKAN_OK;
    if (milliseconds_now() >= deadline)
        return trouble_set(trouble, SKAN_ERROR_STORE, "connect: %s", strerror(ETIMEDOUT));
    wire->reader = redisReaderCreate();
    if (!wire->reader) return trouble_set(trouble, SKAN_ERROR_STORE, "connect: out of memory");
    skan_status status = address->path ? connect_path(wire, address->path, deadline, trouble)
                                       : connect_host(wire, address, deadline, trouble);
    if (status != SKAN_OK) wire_close(wire);
    return status;
}

void wire_close(wire *wire) {
    if (wire->socket >= 0) close(wire->socket);
    wire->socket = -1;
    if (wire->reader) redisReaderFree(wire->reader);
    wire->reader = NULL;
}

bool wire_is_quiet(const wire *wire) {
    char byte;
    return recv(wire->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* ------------------------------------------------------------------------------------------------------- exchanging */

/* Commands written and not yet sent; the first of them is number `first`. */
typedef struct outgoing {
    char *bytes;
    size_t length, room, offset;
    size_t ends[BATCH];
    size_t first, count;
} outgoing;

static bool add_command(outgoing *out, exchange *exchange, size_t i) {
    char *bytes = NULL;
    int length = exchange->command(exchange->context, i, &bytes);
    if (length < 0) return false;
    bool has_room = out->room - out->length >= (size_t)length;
    if (!has_room) {
        size_t room = out->length + (size_t)length + (exchange->count > 1 ? BATCH_BYTES : 0);
        char *larger = realloc(out->bytes, room);
        has_room = larger != NULL;
        if (larger) out->bytes = larger, out->room = room;
    }
    if (has_room) {
        memcpy(out->bytes + out->length, bytes, (size_t)length);
        out->length += (size_t)length;
        out->ends[out->count++] = out->length;
    }
    redisFreeCommand(bytes);
    return has_room;
}

/* The next batch, where all before has been sent. */
static bool fill(outgoing *out, exchange *exchange) {
    if (out->offset < out->length) return true;
    out->first += out->count;
    out->count = out->length = out->offset = 0;
    while (out->first + out->count < exchange->count && out->count < BATCH && out->length < BATCH_BYTES)
        if (!add_command(out, exchange, out->first + out->count)) return false;
    return true;
}

/* 0, or the errno of a connection that takes no more. */
static int send_some(int socket, outgoing *out, exchange *exchange) {
    while (out->offset < out->length) {
        ssize_t taken = send(socket, out->bytes + out->offset, out->length - out->offset, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (taken < 0 && errno == EINTR) continue;
        if (taken < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : errno;
        out->offset += (size_t)taken;
        while (exchange->sent < out->first + out->count && out->ends[exchange->sent - out->first] <= out->offset)
            exchange->sent++;
    }
    return 0;
}

static skan_status take_replies(wire *wire, exchange *exchange, trouble *trouble) {
    redisReader *reader = wire->reader;
    while (exchange->answered < exchange->sent) {
        void *reply = NULL;
        if (redisReaderGetReply(reader, &reply) != REDIS_OK)
            return trouble_set(trouble, SKAN_ERROR_STORE, "not an answer of a Redis server: %s", reader->errstr);
        if (!reply) break;
        exchange->reply(exchange->context, exchange->answered, reply);
        exchange->answered++;
        freeReplyObject(reply);
    }
    if (reader->len - reader->pos > LARGEST_REPLY)
        return trouble_set(trouble, SKAN_ERROR_STORE, "an answer of more than %d bytes", LARGEST_REPLY);
    return SKAN_OK;
}

/* `at_end`: 0, or why the connection is over; an errno, or -1 where the server ended it. */
static skan_status receive_some(wire *wire, exchange *exchange, int *at_end, trouble *trouble) {
    char bytes[16 * 1024];
    ssize_t length = recv(wire->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    /* A Unix socket tells this before what it still holds. */
    if (length < 0 && errno == ECONNRESET) {
        length = recv(wire->socket, bytes, sizeof bytes, MSG_DONTWAIT);
        if (length <= 0) length = -1, errno = ECONNRESET;
    }
    if (length < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return SKAN_OK;
    if (length <= 0) {
        *at_end = length == 0 ? -1 : errno;
        return SKAN_OK;
    }
    if (redisReaderFeed(wire->reader, bytes, (size_t)length) != REDIS_OK)
        return trouble_set(trouble, SKAN_ERROR_STORE, "an answer: %s", wire->reader->errstr);
    return take_replies(wire, exchange, trouble);
}

/* What the server said before it ended the connection, if anything: it was asked for nothing. */
static skan_status lost(wire *wire, int error, trouble *trouble) {
    char words[256];
    void *reply = NULL;
    snprintf(words, sizeof words, "%s", error ? strerror(error) : "the server ended it");
    if (redisReaderGetReply(wire->reader, &reply) == REDIS_OK && reply) words_of(reply, words, sizeof words);
    if (reply) freeReplyObject(reply);
    return trouble_set(trouble, SKAN_ERROR_STORE, "the connection was lost: %s", words);
}

static skan_status run(wire *wire, exchange *exchange, outgoing *out, int64_t deadline, bool *is_late,
                       trouble *trouble) {
    int send_error = 0, at_end = 0;
    while (exchange->answered < exchange->count) {
        if (!send_error) {
            if (!fill(out, exchange)) return trouble_set(trouble, SKAN_ERROR_STORE, "out of memory");
            send_error = send_some(wire->socket, out, exchange);
        }
        /* A connection that takes no more may still hold replies, and what the server had to say. */
        bool has_more = !send_error && exchange->sent < exchange->count;
        short events = wait_for(wire->socket, POLLIN | (has_more ? POLLOUT : 0), send_error ? 0 : deadline);
        if (events & ~POLLOUT) {
            if (receive_some(wire, exchange, &at_end, trouble) != SKAN_OK) return trouble->status;
        }
        if (exchange->answered == exchange->count) break;
        if (at_end || (send_error && events == 0)) return lost(wire, at_end > 0 ? at_end : send_error, trouble);
        if (events == 0 || milliseconds_now() >= deadline) {
            *is_late = true;
            return trouble_set(trouble, SKAN_ERROR_STORE, "no answer in time");
        }
    }
    return SKAN_OK;
}

skan_status wire_exchange(wire *wire, exchange *exchange, int64_t deadline, bool *is_late, trouble *trouble) {
    outgoing out = {.first = exchange->answered};
    *is_late = false;
    exchange->sent = exchange->answered;
    skan_status status = run(wire, exchange, &out, deadline, is_late, trouble);
    free(out.bytes);
    return status;
}
