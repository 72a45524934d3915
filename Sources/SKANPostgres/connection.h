/* A session with the server: opened when it is needed, never waiting past a deadline. Used by one thread at a time. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "../StoreSupport/pool.h"
#include "settings.h"

typedef struct connection {
    pooled pooled;
    const settings *settings;
    PGconn *session;            /* NULL = none */
    bool is_dying;              /* the server has said that it ends the session */
    bool is_setting_up;         /* a refused statement leaves the session as it is */
    char state[6];              /* SQLSTATE of the last error */
    bool is_prepared[STATEMENTS];
} connection;

/* Lends connections that have no session yet. `settings` of the pool: a settings. */
extern const pool_kind connection_kind;

/* Milliseconds that are left until then, at least 0. */
int64_t milliseconds_left(int64_t deadline);

/* What became of statements that were sent, or tried. */
typedef enum outcome {
    DONE,
    REFUSED,   /* the server says that nothing was applied */
    AGAIN,     /* the same, and trying again is what it asks for: a deadlock, a failed serialization */
    UNREACHED, /* nothing was sent that could be applied */
    LOST,      /* the session was lost without an answer */
    LATE,      /* the deadline passed without one */
    UNCERTAIN  /* the server, or what is between, does not know */
} outcome;

/* Makes sure of a session: one found dead, with nothing sent, is replaced. Where `is_first`, the table is made if
 * `makes_table`, and its index checked. SKAN_OK, SKAN_ERROR_STORE, SKAN_ERROR_RECORD_TOO_NEW. */
skan_status connection_open(connection *connection, bool is_first, bool makes_table, int64_t deadline,
                            trouble *trouble);
void connection_close(connection *connection);

/* One SQL text without parameters; the rows go to `result`, freed by the caller with PQclear, NULL unless DONE. */
outcome connection_ask(connection *connection, const char *sql, const char *doing, int64_t deadline, PGresult **result,
                       trouble *trouble);

/* Parameters in binary form. */
typedef struct parameters {
    int count;
    const char *values[4];
    int lengths[4], formats[4];
    unsigned char numbers[2][8];
} parameters;

void parameters_add_bytes(parameters *parameters, const void *bytes, size_t length);
void parameters_add_number(parameters *parameters, uint64_t number);

/* A statement with its parameters, in a transaction of its own; as connection_ask. */
outcome connection_run(connection *connection, statement_kind kind, const parameters *parameters, const char *doing,
                       int64_t deadline, PGresult **result, trouble *trouble);

/* The same in parts, for many statements in one round trip. */
outcome connection_prepare(connection *connection, statement_kind kind, const char *doing, int64_t deadline,
                           trouble *trouble);
bool connection_send(connection *connection, statement_kind kind, const parameters *parameters);
/* Sends what libpq holds back, until nothing is left. */
outcome connection_flush(connection *connection, const char *doing, int64_t deadline, trouble *trouble);
/* The next result of libpq, NULL where it gives NULL; LOST and LATE end the session. */
outcome connection_next(connection *connection, const char *doing, int64_t deadline, PGresult **result,
                        trouble *trouble);
/* What a result means, DONE or with trouble. */
outcome connection_judge(connection *connection, const PGresult *result, const char *doing, trouble *trouble);
/* Ends the session after an outcome that may have left it unfit. */
void connection_settle(connection *connection, outcome outcome);

#endif
