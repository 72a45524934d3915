#define _GNU_SOURCE
#include "connection.h"

#include "../StoreSupport/clock.h"
#include "table.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTEA = 17, BIGINT = 20, BYTEA_ARRAY = 1001, WORDS_MAX = 700 };

/* ------------------------------------------------------------------------------------------------------------- time */

int64_t milliseconds_left(int64_t deadline) {
    int64_t left = deadline - milliseconds_now();
    return left > 0 ? left : 0;
}

/* Waits for the session's socket; false after the deadline. */
static bool await(PGconn *session, short events, int64_t deadline) {
    struct pollfd socket = {.fd = PQsocket(session), .events = events};
    for (;;) {
        int64_t left = milliseconds_left(deadline);
        int found = poll(&socket, 1, left > 1000000 ? 1000000 : (int)left);
        if (found > 0) return true;
        if (found < 0 && errno != EINTR) return true; /* libpq says what is wrong with it */
        if (left == 0) return false;
    }
}

/* ---------------------------------------------------------------------------------------------------------- trouble */

static outcome failed(const connection *connection, outcome outcome, const char *doing, const char *words,
                      trouble *trouble) {
    char line[WORDS_MAX];
    settings_words(connection->settings, words, line, sizeof line);
    trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: %s: %s", connection->settings->name, doing, line);
    return outcome;
}

static outcome late(const connection *connection, const char *doing, trouble *trouble) {
    trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: %s: no answer from the server within %u ms",
                connection->settings->name, doing, (unsigned)connection->settings->timeout_ms);
    return LATE;
}

static bool begins(const char *state, const char *class) {
    return strncmp(state, class, strlen(class)) == 0;
}

/*
 * What an error of the server says about a change.
 *
 * An ERROR ends the statement and rolls its transaction back ("Message Formats", "Error and Notice Message Fields"; a
 * commit that has been written is never followed by one, PostgreSQL stops as a whole before that). A FATAL or PANIC
 * ends the session, and where that falls beside the commit cannot be seen from here. Nor is an ERROR final where the
 * server that sent it is not the one that commits: CockroachDB says 40003, statement_completion_unknown; class 08 is
 * how Citus and connection poolers tell that they lost the server behind them; 57P01 to 57P05, that it went away; and
 * "system error" and "internal error", 58 and XX, are what engines say that lost track.
 */
static outcome meaning_of(const PGresult *result, const char *state) {
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (!severity) severity = PQresultErrorField(result, PG_DIAG_SEVERITY); /* other engines; in English */
    if (!severity || strcmp(severity, "ERROR") != 0) return UNCERTAIN;
    if (begins(state, "08") || begins(state, "57P") || begins(state, "58") || begins(state, "XX") ||
        begins(state, "40003"))
        return UNCERTAIN;
    return begins(state, "40001") || begins(state, "40P01") ? AGAIN : REFUSED;
}

/* Whether a session is as good as before: its server, its table and its rights are. */
static bool leaves_session(const char *state) {
    return begins(state, "40001") || begins(state, "40P01") || begins(state, "53") || begins(state, "55") ||
           begins(state, "57014");
}

outcome connection_judge(connection *connection, const PGresult *result, const char *doing, trouble *trouble) {
    switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_PIPELINE_SYNC:
        return DONE;
    case PGRES_PIPELINE_ABORTED:
        return failed(connection, REFUSED, doing, "an earlier statement of the batch failed", trouble);
    default:
        break;
    }
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (!state || !primary) {
        const char *words = PQresultErrorMessage(result);
        connection->is_dying = true;
        return failed(connection, LOST, doing, words[0] ? words : "no answer that is known", trouble);
    }
    snprintf(connection->state, sizeof connection->state, "%s", state);
    char words[WORDS_MAX];
    bool is_name = begins(state, "26000") || begins(state, "42P05");
    snprintf(words, sizeof words, "%.500s (SQLSTATE %.5s)%s", primary, state,
             is_name ? "; behind a connection pooler, set options.pooled" : "");
    outcome outcome = meaning_of(result, state);
    if (!connection->is_setting_up && !leaves_session(state)) connection->is_dying = true;
    return failed(connection, outcome, doing, words, trouble);
}

void connection_settle(connection *connection, outcome outcome) {
    if (connection->session && (connection->is_dying || outcome == LOST || outcome == LATE || outcome == UNCERTAIN ||
                                PQstatus(connection->session) != CONNECTION_OK))
        connection_close(connection);
}

/* ---------------------------------------------------------------------------------------------------------- opening */

/* libpq prints notices on stderr unless somebody takes them. */
static void take_notice(void *context, const PGresult *notice) {
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (!severity) severity = PQresultErrorField(notice, PG_DIAG_SEVERITY);
    if (severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0))
        ((connection *)context)->is_dying = true;
}

void connection_close(connection *connection) {
    if (!connection->session) return;
    PQfinish(connection->session);
    connection->session = NULL;
    connection->is_dying = false;
    memset(connection->is_prepared, 0, sizeof connection->is_prepared);
}

static bool start(connection *connection, int host, trouble *trouble) {
    enum { MOST = 100 };
    const char *keywords[MOST], *values[MOST];
    char *owned[MOST];
    const settings *settings = connection->settings;
    int count = 0;
    for (const PQconninfoOption *each = settings->parameters; each->keyword && count < MOST - 3; each++) {
        if (!each->val || strcmp(each->keyword, "client_encoding") == 0) continue;
        keywords[count] = each->keyword;
        values[count] = settings_value(settings, each, host, &owned[count]);
        count++;
    }
    int copies = count;
    keywords[count] = "client_encoding", values[count++] = "UTF8";
    keywords[count] = "fallback_application_name", values[count++] = "libskan";
    keywords[count] = NULL, values[count] = NULL;
    connection->session = PQconnectStartParams(keywords, values, 0);
    for (int i = 0; i < copies; i++) free(owned[i]);
    if (!connection->session) {
        failed(connection, UNREACHED, "connect", "out of memory", trouble);
        return false;
    }
    PQsetNoticeReceiver(connection->session, take_notice, connection);
    return true;
}

/* One host's turn. */
static outcome dial(connection *connection, int host, int64_t deadline, trouble *trouble) {
    if (!start(connection, host, trouble)) return UNREACHED;
    PGconn *session = connection->session;
    PostgresPollingStatusType state = PQstatus(session) == CONNECTION_BAD ? PGRES_POLLING_FAILED
                                                                          : PGRES_POLLING_WRITING;
    while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING) {
        if (!await(session, state == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline)) {
            late(connection, "connect", trouble);
            connection_close(connection);
            return UNREACHED;
        }
        state = PQconnectPoll(session);
    }
    if (state == PGRES_POLLING_OK && PQsetnonblocking(session, 1) == 0) return DONE;
    failed(connection, UNREACHED, "connect", PQerrorMessage(session), trouble);
    connection_close(connection);
    return UNREACHED;
}

/* The server gives up a statement before the caller does, so that it is known not to have been applied, and holds no
 * locks any longer. */
static outcome set_time_out(connection *connection, int64_t deadline, trouble *trouble) {
    char sql[256];
    unsigned most = (connection->settings->timeout_ms * 3 + 3) / 4;
    snprintf(sql, sizeof sql,
             "SELECT set_config('statement_timeout', '%u', false) FROM pg_settings"
             " WHERE name = 'statement_timeout' AND (setting::bigint = 0 OR setting::bigint > %u)",
             most, most);
    PGresult *result;
    outcome outcome = connection_ask(connection, sql, "connect", deadline, &result, trouble);
    PQclear(result);
    return outcome;
}

/* An idle session that has something to read was ended by the server, or told something of no interest. */
static bool is_alive(connection *connection) {
    struct pollfd socket = {.fd = PQsocket(connection->session), .events = POLLIN};
    while (poll(&socket, 1, 0) != 0) {
        if (!PQconsumeInput(connection->session)) return false;
        PQisBusy(connection->session); /* reads what came */
        if (connection->is_dying || PQstatus(connection->session) != CONNECTION_OK) return false;
    }
    return !connection->is_dying;
}

skan_status connection_open(connection *connection, bool is_first, bool makes_table, int64_t deadline,
                            trouble *trouble) {
    if (connection->session && !is_alive(connection)) connection_close(connection);
    if (connection->session) return SKAN_OK;
    int hosts = connection->settings->hosts;
    outcome outcome = UNREACHED;
    for (int host = 0; host < hosts && outcome != DONE; host++) {
        int64_t turn = milliseconds_now() + milliseconds_left(deadline) / (hosts - host);
        outcome = dial(connection, host, turn, trouble);
    }
    if (outcome == DONE && !connection->settings->is_pooled) outcome = set_time_out(connection, deadline, trouble);
    if (outcome != DONE) {
        connection_close(connection);
        return trouble->status = SKAN_ERROR_STORE;
    }
    connection->is_setting_up = true;
    skan_status status = table_check(connection, is_first, makes_table, deadline, trouble);
    connection->is_setting_up = false;
    if (status != SKAN_OK) connection_close(connection);
    return status;
}

static pooled *make(const void *context, bool is_first, trouble *trouble) {
    (void)is_first;
    connection *made = calloc(1, sizeof *made);
    if (!made) {
        trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: out of memory", ((const settings *)context)->name);
        return NULL;
    }
    made->settings = context;
    return &made->pooled;
}

static void end(pooled *pooled) {
    connection_close((connection *)pooled);
    free(pooled);
}

const pool_kind connection_kind = {make, end, NULL};

/* ------------------------------------------------------------------------------------------------------- statements */

void parameters_add_bytes(parameters *parameters, const void *bytes, size_t length) {
    int i = parameters->count++;
    parameters->values[i] = length ? bytes : "";
    parameters->lengths[i] = (int)length;
    parameters->formats[i] = 1;
}

void parameters_add_number(parameters *parameters, uint64_t number) {
    unsigned char *bytes = parameters->numbers[parameters->count > 1 ? 1 : 0];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> (56 - 8 * i));
    parameters_add_bytes(parameters, bytes, 8);
}

static const Oid types[STATEMENTS][4] = {[LOAD] = {BYTEA},
                                         [LOAD_MANY] = {BYTEA_ARRAY},
                                         [INSERT] = {BYTEA, BIGINT, BYTEA},
                                         [UPDATE] = {BYTEA, BIGINT, BYTEA, BIGINT},
                                         [REMOVE] = {BYTEA, BIGINT},
                                         [LIST] = {BYTEA}};
static const int counts[STATEMENTS] = {1, 1, 3, 4, 2, 1};

static outcome broken(connection *connection, const char *doing, trouble *trouble) {
    connection->is_dying = true;
    return failed(connection, LOST, doing, PQerrorMessage(connection->session), trouble);
}

/* The server may have to be read from before it takes more. */
outcome connection_flush(connection *connection, const char *doing, int64_t deadline, trouble *trouble) {
    PGconn *session = connection->session;
    for (;;) {
        int unsent = PQflush(session);
        if (unsent == 0) return DONE;
        if (unsent < 0) return broken(connection, doing, trouble);
        if (!await(session, POLLIN | POLLOUT, deadline)) return late(connection, doing, trouble);
        if (!PQconsumeInput(session)) return broken(connection, doing, trouble);
    }
}

/* Sends what is unsent and reads until libpq has a result. */
outcome connection_next(connection *connection, const char *doing, int64_t deadline, PGresult **result,
                        trouble *trouble) {
    PGconn *session = connection->session;
    *result = NULL;
    outcome outcome = connection_flush(connection, doing, deadline, trouble);
    while (outcome == DONE && PQisBusy(session)) {
        if (!await(session, POLLIN, deadline)) return late(connection, doing, trouble);
        if (!PQconsumeInput(session)) return broken(connection, doing, trouble);
    }
    if (outcome == DONE) *result = PQgetResult(session);
    return outcome;
}

/* The answer to what was sent. A change is sealed only after its own result has come: the last word is that the server
 * is ready again, after which libpq gives NULL. */
static outcome answer(connection *connection, const char *doing, int64_t deadline, PGresult **result,
                      trouble *trouble) {
    PGresult *kept = NULL, *next = NULL;
    outcome outcome = DONE;
    *result = NULL;
    for (;;) {
        enum outcome came = connection_next(connection, doing, deadline, &next, trouble);
        if (came != DONE) outcome = came;
        if (came != DONE || !next) break;
        came = connection_judge(connection, next, doing, trouble);
        if (came != DONE && outcome != LOST && outcome != UNCERTAIN) outcome = came;
        ExecStatusType status = PQresultStatus(next);
        PQclear(kept);
        kept = next;
        if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) {
            outcome = UNCERTAIN;
            break;
        }
    }
    if (outcome == DONE && !kept) outcome = failed(connection, LOST, doing, "no answer", trouble);
    if (outcome == DONE && PQstatus(connection->session) != CONNECTION_OK)
        outcome = failed(connection, LOST, doing, PQerrorMessage(connection->session), trouble);
    if (outcome == DONE)
        *result = kept;
    else
        PQclear(kept);
    connection_settle(connection, outcome);
    return outcome;
}

static outcome unsent(connection *connection, const char *doing, trouble *trouble) {
    failed(connection, LOST, doing, PQerrorMessage(connection->session), trouble);
    connection_settle(connection, LOST);
    return LOST;
}

outcome connection_ask(connection *connection, const char *sql, const char *doing, int64_t deadline, PGresult **result,
                       trouble *trouble) {
    *result = NULL;
    if (!PQsendQueryParams(connection->session, sql, 0, NULL, NULL, NULL, NULL, 1))
        return unsent(connection, doing, trouble);
    return answer(connection, doing, deadline, result, trouble);
}

outcome connection_prepare(connection *connection, statement_kind kind, const char *doing, int64_t deadline,
                           trouble *trouble) {
    if (connection->settings->is_pooled || connection->is_prepared[kind]) return DONE;
    if (!PQsendPrepare(connection->session, connection->settings->prepared_name[kind], connection->settings->sql[kind],
                       counts[kind], types[kind])) {
        unsent(connection, doing, trouble);
        return UNREACHED;
    }
    PGresult *result;
    outcome outcome = answer(connection, doing, deadline, &result, trouble);
    PQclear(result);
    if (outcome == DONE) connection->is_prepared[kind] = true;
    /* Of the statement itself, nothing was sent. */
    return outcome == DONE || outcome == AGAIN || outcome == REFUSED ? outcome : UNREACHED;
}

bool connection_send(connection *connection, statement_kind kind, const parameters *given) {
    const settings *settings = connection->settings;
    return settings->is_pooled ? PQsendQueryParams(connection->session, settings->sql[kind], given->count, types[kind],
                                                   given->values, given->lengths, given->formats, 1)
                               : PQsendQueryPrepared(connection->session, settings->prepared_name[kind], given->count,
                                                     given->values, given->lengths, given->formats, 1);
}

outcome connection_run(connection *connection, statement_kind kind, const parameters *given, const char *doing,
                       int64_t deadline, PGresult **result, trouble *trouble) {
    *result = NULL;
    outcome outcome = connection_prepare(connection, kind, doing, deadline, trouble);
    if (outcome != DONE) return outcome;
    if (!connection_send(connection, kind, given)) return unsent(connection, doing, trouble);
    return answer(connection, doing, deadline, result, trouble);
}
