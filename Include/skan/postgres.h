/*
 * postgres.h - a store of libskan in a PostgreSQL table (library libskan-postgres, over libpq).
 *
 *     skan_postgres_options store_options = {.size = sizeof store_options, .create_table = 1};
 *     skan_store store;
 *     skan_error *error = NULL;
 *     skan_postgres_store_open("postgres://game@db.internal/game", &store_options, &store, &error);
 *
 *     skan_options options = {.size = sizeof options, .store = &store};
 *     skan_engine *engine = NULL;
 *     skan_create(&options, &engine, &error);      // the engine owns the store now ...
 *     skan_destroy(engine);                        // ... and closes it here
 *
 * Know before production:
 * - Threads, processes, machines: any number of each may use one table at once.
 * - The table must already exist in the database. If options.create_table is set, opening the store creates the table
 *   if it is missing:
 *
 *       CREATE TABLE skan_records (key bytea NOT NULL PRIMARY KEY, version bigint NOT NULL, record bytea NOT NULL)
 *
 *   A role needs SELECT, INSERT, UPDATE and DELETE on the table; to read and list, SELECT is enough. The table may have
 *   other columns if an insert may omit them; the store ignores them. Every change rewrites its row: a
 *   fillfactor of 50 to 80 keeps the table from growing. A column named form_2 or higher marks the table of a
 *   newer libskan-postgres, which the store refuses.
 * - SQL: a call is one plain statement (INSERT ... ON CONFLICT DO NOTHING; UPDATE and DELETE ... WHERE version = $n)
 *   in a transaction of its own. Its parameters are sent separately from its text. Citus (distribute by key),
 *   CockroachDB and YugabyteDB also understand these statements. Any encoding and collation will do: keys are bytes.
 * - Durability is the server's. SKAN_OK means that the server has committed the change. What a commit guarantees
 *   depends on the server's settings:
 *       synchronous_commit = on, local    (with fsync = on) the change is on the server's disk: a crash of the server
 *                                         or of its machine loses nothing. `on` also waits for the disks of
 *                                         synchronous_standby_names, where there are any
 *       synchronous_commit = remote_apply the change is also visible on those standbys
 *       synchronous_commit = remote_write the change is on the server's disk, and in the memory of the standbys'
 *                                         operating systems
 *       synchronous_commit = off          a crash of the server may lose the last moments (three times
 *                                         wal_writer_delay, 0.6 s), although those calls answered SKAN_OK
 *       fsync = off                       a crash of the machine may destroy the database
 *   If the statement is cancelled while the server waits for synchronous standbys, the server keeps the change and
 *   stops waiting: the call answers SKAN_ERROR_STORE_UNKNOWN. The same happens after a time-out. An engine then finds
 *   the change on the server, but a failover loses it. Patroni's synchronous_mode chooses other standbys within
 *   seconds. A failover to a standby that was not synchronous loses the changes that the standby had not received. So
 *   does a failover to a standby that was put back to an older state. A role or a database can have a setting of its
 *   own (ALTER ROLE ... SET synchronous_commit = on).
 * - Reads go to the server that the URL names: if that is a standby, they may return old data. A standby refuses a
 *   change, and the next call opens a new connection. To follow a failover, use a URL with all hosts and
 *   target_session_attrs=read-write.
 * - Connection poolers (PgBouncer) that assign a server connection for one transaction at a time: set options.pooled,
 *   or write pooled=1 among the parameters of the URI ("postgres://game@pooler/game?pooled=1"). The server then plans
 *   each statement anew, which costs it about 20 microseconds, and no statement_timeout is set.
 * - Time: a call ends within options.timeout_ms. This includes waiting for a connection, connecting and waiting for the
 *   server's answer; only the system's look-up of a host's name may take longer. The server is asked to cancel a
 *   statement after three quarters of that time (statement_timeout, unless it is already lower; not where
 *   options.pooled is set): a change that was cancelled in this way was not made. If a call times out nevertheless, a
 *   thread sends a cancel request to the server, one request at a time to each server, and closes the session after the
 *   answer. The session counts among options.max_connections until it has ended on the server (behind a pooler: until
 *   the statement has been answered), or for at most 10 s if the server does not answer the request or a pooler closes
 *   the connection without an answer to the statement. Before version 17, libpq sends cancel requests unencrypted.
 * - A connection that the server closed while it was idle is replaced at once, before anything is sent. A read that
 *   fails is repeated.
 * - Outcomes are exact. A call answers SKAN_ERROR_STORE only where the change was certainly not made: there was no
 *   connection, or the server reported an error that rolls the change back. A call answers SKAN_ERROR_STORE_UNKNOWN
 *   where a change was sent and no answer came, or where the error may come from a server behind the server (SQLSTATE
 *   40003, classes 08, 58, XX, 57P01 to 57P05, and every error that ends the session). Deadlocks and failed
 *   serializations (40P01, 40001), after which nothing was changed, are tried up to 10 times within the call's time.
 * - load_many and save_many take one round trip. The saves of one batch are one transaction: an error of one save is
 *   the error of all.
 *
 * Ownership, `report` and fork: store.h, for all of libskan's stores. Errors follow the rules of skan.h. As there, the
 * ABI only grows.
 */
#ifndef SKAN_POSTGRES_H
#define SKAN_POSTGRES_H

#include "store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a store is opened. Set `size`; everything else may be zero. Strings are copied. */
typedef struct skan_postgres_options {
    size_t size;              /* sizeof(skan_postgres_options) */
    const char *table;        /* "table" or "schema.table", each name exactly as in the catalog, without quotes, 1 to 63
                               * bytes long and without dots. NULL = "skan_records", found by the search_path */
    uint32_t timeout_ms;      /* the time limit of a whole call, in milliseconds, up to 3 600 000; 0 = 5000 */
    uint32_t max_connections; /* connections that this process keeps open, up to 1024; 0 = 8. A call needs one. If all
                               * are in use, it waits, and answers SKAN_ERROR_STORE after the time-out */
    uint32_t create_table;    /* 1 = opening creates the table if it is missing; 0 = the table must exist */
    uint32_t pooled;          /* 1 = the store keeps nothing in a session, neither prepared statements nor settings. Use
                               * it with a connection pooler between this process and the server. 0 = the
                               * sessions belong to this store alone */
    /* Called as store.h describes, in the server's or libpq's own words, with SKAN_ERROR_STORE or
     * SKAN_ERROR_STORE_UNKNOWN. The message names host, port and database. May be NULL. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} skan_postgres_options;

/* Opens a store: connects to the server and checks the table.
 *   url      a connection URI or string of libpq: "postgres://user:password@host:port/database?sslmode=verify-full",
 *            "host=/run/postgresql dbname=game". What it omits comes from the places where libpq looks (PGPASSWORD, the
 *            password file, a service). Its connect_timeout and client_encoding have no effect. If there are several
 *            hosts, or a name has several addresses, they are tried in their order, each for its share of the time. In
 *            a URI, characters of a password other than letters, digits and -._~ are percent-encoded.
 *   options  NULL = all defaults.
 *   out      is filled for skan_create, whose engine then owns it: store.h. All zero on any status but SKAN_OK.
 * Any thread.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  url or out is NULL, url is empty or cannot be parsed, or an option is not as described
 * SKAN_ERROR_STORE             the server cannot be reached in time or refuses the role, or the table is missing, has
 *                              a different structure or cannot be read; the message has the server's words. A table
 *                              that was to be created may exist now
 * SKAN_ERROR_RECORD_TOO_NEW    the table was made by a newer libskan-postgres; nothing was changed */
skan_status skan_postgres_store_open(const char *url, const skan_postgres_options *options, skan_store *out,
                                     skan_error **error);

/* Closes a store that no engine owns, and zeroes it, as store.h describes. */
void skan_postgres_store_close(skan_store *store);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_POSTGRES_H */
