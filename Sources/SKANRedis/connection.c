#define _GNU_SOURCE
#include "connection.h"

#include "../StoreSupport/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- connecting */

/* A new connection is spoken on before a change is sent: a server that has too many says so in place of taking it, and
 * what was sent to it then would be in doubt. */
enum { AS_USER, TO_DATABASE, KNOCK };

static const char *const step_names[] = {"AUTH", "SELECT", "connect"};

typedef struct greeting {
    const address *address;
    int steps[2];
    char words[256]; /* of a refusal */
    bool is_refused;
} greeting;

static int greeting_command(void *context, size_t i, char **bytes) {
    greeting *greeting = context;
    const address *address = greeting->address;
    if (greeting->steps[i] == KNOCK) return redisFormatCommand(bytes, "PING");
    if (greeting->steps[i] == TO_DATABASE) return redisFormatCommand(bytes, "SELECT %u", (unsigned)address->database);
    const char *password = address->password ? address->password : "";
    if (!address->user) return redisFormatCommand(bytes, "AUTH %s", password);
    return redisFormatCommand(bytes, "AUTH %s %s", address->user, password);
}

/* A server, or what stands in its place, may repeat what it was sent, quoted or not. */
static void hide_password(const address *address, char *words) {
    words[strcspn(words, "'`\"")] = '\0';
    if (address->password && strstr(words, address->password)) strcpy(words, "refused");
}

static void greeting_reply(void *context, size_t i, const redisReply *reply) {
    greeting *greeting = context;
    if (reply->type == REDIS_REPLY_STATUS || greeting->is_refused) return;
    /* Other errors, no right to ask for instance, are not of the connection. */
    if (greeting->steps[i] == KNOCK && !is_error(reply, "ERR max number of clients")) return;
    greeting->is_refused = true;
    char words[200];
    words_of(reply, words, sizeof words);
    if (greeting->steps[i] == AS_USER) hide_password(greeting->address, words);
    snprintf(greeting->words, sizeof greeting->words, "%s: %s", step_names[greeting->steps[i]], words);
}

static skan_status greet(connection *connection, int64_t deadline, trouble *trouble) {
    greeting greeting = {.address = &connection->settings->address};
    exchange exchange = {.command = greeting_command, .reply = greeting_reply, .context = &greeting};
    if (greeting.address->user || greeting.address->password) greeting.steps[exchange.count++] = AS_USER;
    if (greeting.address->database > 0) greeting.steps[exchange.count++] = TO_DATABASE;
    if (exchange.count == 0) greeting.steps[exchange.count++] = KNOCK;
    bool is_late;
    if (wire_exchange(&connection->wire, &exchange, deadline, &is_late, trouble) != SKAN_OK) return trouble->status;
    if (greeting.is_refused) return trouble_set(trouble, SKAN_ERROR_STORE, "%s", greeting.words);
    return SKAN_OK;
}

static skan_status make(connection *connection, int64_t deadline, trouble *trouble) {
    int64_t latest = milliseconds_now() + connection->settings->connect_timeout_ms;
    if (latest > deadline) latest = deadline;
    if (wire_connect(&connection->wire, &connection->settings->address, latest, trouble) == SKAN_OK &&
        greet(connection, latest, trouble) == SKAN_OK)
        return SKAN_OK;
    wire_close(&connection->wire);
    return trouble->status;
}

skan_status connection_run(connection *connection, exchange *exchange, bool reads, int64_t deadline, trouble *trouble) {
    wire *wire = &connection->wire;
    exchange->sent = exchange->answered;
    for (bool is_second = false;; is_second = true) {
        if (wire->socket >= 0 && !wire_is_quiet(wire)) wire_close(wire);
        if (wire->socket < 0 && make(connection, deadline, trouble) != SKAN_OK) return trouble->status;
        bool is_late;
        if (wire_exchange(wire, exchange, deadline, &is_late, trouble) == SKAN_OK) return SKAN_OK;
        wire_close(wire);
        if (is_late || is_second || (!reads && exchange->sent > exchange->answered)) return trouble->status;
        exchange->sent = exchange->answered;
    }
}

/* ------------------------------------------------------------------------------------------------------------- pool */

static pooled *begin(const void *context, bool is_first, trouble *trouble) {
    (void)is_first;
    connection *made = calloc(1, sizeof *made);
    if (!made) {
        trouble_set(trouble, SKAN_ERROR_STORE, "out of memory");
        return NULL;
    }
    made->settings = context;
    made->wire.socket = -1;
    return &made->pooled;
}

static void end(pooled *pooled) {
    connection *connection = (struct connection *)pooled;
    wire_close(&connection->wire);
    free(connection);
}

const pool_kind connection_kind = {begin, end, NULL};
