/*
 * postgres.h - a store of libskan in a PostgreSQL table (library libskan-postgres, over libpq).
 *
 *     skan_postgres_options store_options = {.size = sizeof store_options, .create_table = 1};
 *     skan_store store;
 *     skan_error *error = NULL;
 *     skan_postgres_store_open("postgres://game@db.internal/game", &store_options, &store, &error);
 *
 *     skan_options options = {.size = sizeof options, .store = &store};
 *     skan *engine = NULL;
 *     skan_create(&options, &engine, &error);      // the engine owns the store now ...
 *     skan_destroy(engine);                        // ... and closes it here
 *
 * Know before production:
 * - Threads, processes, machines: any number of each may use one table at once.
 * - The table is one of the database's own, or made at opening where options.create_table says so and it is missing:
 *
 *       CREATE TABLE skan_records (key bytea NOT NULL PRIMARY KEY, version bigint NOT NULL, record bytea NOT NULL)
 *
 *   A role needs SELECT, INSERT, UPDATE and DELETE on it; to read and list, SELECT alone. Other columns are left alone,
 *   if an insert may leave them out. Every change rewrites its row: a fillfactor of 50 to 80 keeps the table from
 *   growing. A column named form_2 or higher marks the form of a newer libskan-postgres, and the table is refused.
 * - SQL: one plain statement for each call (INSERT ... ON CONFLICT DO NOTHING; UPDATE and DELETE ... WHERE version =
 *   $n), with its parameters apart, in a transaction of its own: what Citus (distribute by key), CockroachDB and
 *   YugabyteDB speak too. Any encoding and collation: keys are bytes.
 * - Durability is the server's. SKAN_OK says that the server has committed; what that is worth:
 *       synchronous_commit = on, local    (with fsync = on) written to the server's disk: a crash of the server, or of
 *                                         its machine, loses nothing. `on` also waits for the disks of
 *                                         synchronous_standby_names, where there are any
 *       synchronous_commit = remote_apply also visible on those standbys
 *       synchronous_commit = remote_write on the server's disk, and in the memory of the standbys' systems
 *       synchronous_commit = off          a crash of the server may lose the last moments (three times
 *                                         wal_writer_delay, 0.6 s), though their calls answered SKAN_OK
 *       fsync = off                       a crash of the machine may destroy the database
 *   A server that waits for synchronous standbys, and is asked to cancel the statement meanwhile, keeps the change and
 *   waits no longer: SKAN_ERROR_STORE_UNKNOWN. So it is after a time-out. An engine then finds the change there, and a
 *   failover loses it; Patroni's synchronous_mode chooses other standbys within seconds.
 *   A failover to a standby that was not synchronous loses what it had not received; a standby put back to an older
 *   state, the same. A role or a database can have a setting of its own (ALTER ROLE ... SET synchronous_commit = on).
 * - Reads are of the server that the URL names: with a standby, they may be old. A change on one is refused, and the
 *   next call connects anew. After a failover use a URL with all hosts and target_session_attrs=read-write.
 * - Connection poolers (PgBouncer) that lend a server for one transaction at a time: set options.pooled. The server
 *   then plans each statement anew, which costs it some 20 microseconds.
 * - Time: a call ends within options.timeout_ms, waiting for a connection, connecting and the server's answer together;
 *   only the system's look-up of a host's name is beyond it. The server is told to give up a statement after three
 *   quarters of that (statement_timeout, unless it is lower; not where options.pooled): such a change was not made.
 *   Where a call times out all the same, a thread of the store's sends the server a cancel request, one at a time, and
 *   the session counts among options.max_connections until it has ended there; for 10 s at most where the server does
 *   not answer the request. libpq sends cancel requests unencrypted before version 17.
 * - A connection that the server has ended while it was idle is replaced at once, before anything is sent, and reads
 *   are read again. Nothing needs to be reopened once a trouble is mended.
 * - Outcomes are exact. A call answers SKAN_ERROR_STORE only where the change was certainly not made: no connection, or
 *   an error of the server that rolls back. A change that was sent and whose answer did not come, or an error that a
 *   server behind a server gives (SQLSTATE 40003, classes 08, 58, XX, 57P01 to 57P05, and whatever ends the session),
 *   is SKAN_ERROR_STORE_UNKNOWN. Deadlocks and failed serializations (40P01, 40001), after which nothing was
 *   changed, are tried up to 10 times in the call's time.
 * - load_many and save_many take one round trip. Saves of one batch are one transaction: their trouble is of all.
 * - fork: a store opened before fork() may be used in the child, also while other threads of the parent are in calls.
 *   No connection is ever shared between the two: fork() first waits for those calls and closes the parent's
 *   connections, and both sides open new ones when they need them. Children made without fork()'s handlers (vfork,
 *   clone) that do more than exec are not covered.
 *
 * Errors and ownership are as in skan.h. The ABI only grows, as there.
 */
#ifndef SKAN_POSTGRES_H
#define SKAN_POSTGRES_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a store is opened. Set `size`; everything else may be zero. Strings are copied. */
typedef struct skan_postgres_options {
    size_t size;              /* sizeof(skan_postgres_options) */
    const char *table;        /* "table" or "schema.table", exactly as the catalog has the names, without quotes; each
                               * of 1 to 63 bytes without dots. NULL = "skan_records", found by the search_path */
    uint32_t timeout_ms;      /* for a whole call, in milliseconds, up to 3 600 000; 0 = 5000 */
    uint32_t max_connections; /* kept open by this process, up to 1024; 0 = 8. A call needs one; where all are in use it
                               * waits, and answers SKAN_ERROR_STORE after the time-out */
    uint32_t create_table;    /* 1 = make the table at opening where it is missing; 0 = it must be there */
    uint32_t pooled;          /* 1 = keep nothing in a session, no prepared statements and no settings, for a connection
                               * pooler between here and the server; 0 = sessions are this store's own */
    /* Told what went wrong, in the server's or libpq's own words, whenever a hook of the store is about to answer
     * `status`, SKAN_ERROR_STORE or SKAN_ERROR_STORE_UNKNOWN; once for a batch; those words reach nobody else. For a
     * log: `message` is UTF-8, valid during the call, and names host, port and database, never a password, a key or a
     * record. Called from any thread, several at once; it must not call back into the store or its engine. May be
     * NULL. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} skan_postgres_options;

/* Opens a store: connects, and looks at the table.
 *   url      a connection URI or string of libpq: "postgres://user:password@host:port/database?sslmode=verify-full",
 *            "host=/run/postgresql dbname=game". What it leaves out comes from where libpq looks (PGPASSWORD, the
 *            password file, a service). Its connect_timeout and client_encoding have no effect. Several hosts, and
 *            several addresses of a name, are tried in their order, each in its share of the time. In a URI, characters
 *            of a password other than letters, digits and -._~ are percent-encoded.
 *   options  NULL = all defaults.
 *   out      filled for skan_create, whose engine then owns the store and closes it: give it to one engine. For two
 *            engines on one table, open it twice. A store that no engine took over is closed by
 *            skan_postgres_store_close. All zero on any status but SKAN_OK.
 * Any thread.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  url or out is NULL, url is empty or cannot be read, an option is not as described
 * SKAN_ERROR_STORE             the server is not reached in time or refuses the role, the table is missing, of another
 *                              shape or not to be read; the message has the server's words. A table that was to be made
 *                              may be there
 * SKAN_ERROR_RECORD_TOO_NEW    the table was made by a newer libskan-postgres; nothing was changed */
skan_status skan_postgres_store_open(const char *url, const skan_postgres_options *options, skan_store *out,
                                     skan_error **error);

/* Closes a store that no skan_create was given, or one whose skan_create left it to the caller (an illegal struct
 * size), and zeroes it. NULL, and one that is all zero, is fine; a store of another kind is left alone. No thread may
 * be in a call on it. */
void skan_postgres_store_close(skan_store *store);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_POSTGRES_H */
