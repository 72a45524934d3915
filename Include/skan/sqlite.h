/*
 * sqlite.h - a store of libskan in an SQLite file (library libskan-sqlite).
 *
 *     skan_store store;
 *     skan_error *error = NULL;
 *     skan_sqlite_store_open("/var/lib/game/installs.db", NULL, &store, &error);
 *
 *     skan_options options = {.size = sizeof options, .store = &store};
 *     skan_engine *engine = NULL;
 *     skan_create(&options, &engine, &error);      // the engine owns the store now ...
 *     skan_destroy(engine);                        // ... and closes it here
 *
 * Know before production:
 * - Threads and processes: any number of both may use one file at once, on one machine. Do not use a network file
 *   system: SQLite's write-ahead log needs memory that all users of the file share.
 * - Durability: by default a change is on the disk before its call answers SKAN_OK; see `synchronous`.
 * - Files: while the file is in use, and after a crash, there are also a `-wal` and a `-shm` file beside it. The three
 *   belong together: move or copy all of them, or use SQLite's own backup. New files are readable by their owner only
 *   (mode 0600); an existing file keeps its mode, and the other two get the same mode. A running process notices if the
 *   file is moved, deleted or replaced. Its next call opens the file that is then at the path. The call fails as long
 *   as there is no file, and as long as the old file's `-wal` lies beside a new file, which SQLite would overwrite
 *   with it. A process that starts later cannot know that the file was replaced: when you replace a file, remove `-wal`
 *   and `-shm`.
 * - fork: as store.h describes; other uses of SQLite by the host's other threads during a fork are not covered either.
 * - Batches: save_many is one transaction, and waits for the disk once. load_many reads a single state of the file.
 *   list orders keys by their bytes and gives them in pages of up to 1 MiB; its cursor can be used with any store on
 *   the file.
 * - Outcomes are exact. A call answers SKAN_ERROR_STORE only where the change was certainly not made: the file is
 *   locked, full or read-only, or failed before the change was committed. A disk that fails during the commit gives
 *   SKAN_ERROR_STORE_UNKNOWN. In save_many, this is then the status of every item except those that conflict, which
 *   changed nothing in any case.
 *
 * The file contains one table, skan_records (key, version, record), with PRAGMA application_id 0x534B414E ("SKAN") and
 * the version of the table's form in PRAGMA user_version. The file must not contain other tables: such a file is
 * refused.
 *
 * Ownership, `report` and fork: store.h, for all of libskan's stores. Errors follow the rules of skan.h. As there, the
 * ABI only grows.
 */
#ifndef SKAN_SQLITE_H
#define SKAN_SQLITE_H

#include "store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The safety of a change when its call answers SKAN_OK. With both settings, a process that crashes or is killed loses
 * nothing, and a power failure does not damage the file. */
enum skan_sqlite_synchronous {
    SKAN_SQLITE_FULL = 0,  /* a power failure or a crash of the system loses nothing either: each change waits for the
                            * disk */
    SKAN_SQLITE_NORMAL = 1 /* many times faster; a power failure or a crash of the system may lose the last changes,
                            * often some seconds of them, though their calls answered SKAN_OK */
};

/* How a store is opened. Set `size`; everything else may be zero. */
typedef struct skan_sqlite_options {
    size_t size;              /* sizeof(skan_sqlite_options) */
    int32_t synchronous;      /* SKAN_SQLITE_FULL or SKAN_SQLITE_NORMAL */
    uint32_t busy_timeout_ms; /* how long a call waits for other threads and, once more, for other processes, in
                               * milliseconds, up to 3 600 000; 0 = 5000. After that it answers SKAN_ERROR_STORE */
    uint32_t max_connections; /* connections that this process keeps open, up to 1024; 0 = 8. A call needs one. If all
                               * are in use, it waits. Whatever the number, one thread writes at a time */
    uint32_t reserved;        /* 0 */
    /* Called as store.h describes, in SQLite's own words, with SKAN_ERROR_STORE or SKAN_ERROR_STORE_UNKNOWN. The
     * message names the file. May be NULL. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} skan_sqlite_options;

/* Opens the file as a store. A missing file is created (its directory must exist).
 *   path     a file's name, which may be relative. It is neither a URI nor ":memory:": an engine without a store keeps
 *            installs in memory.
 *   options  NULL = all defaults. Copied.
 *   out      is filled for skan_create, whose engine then owns it: store.h. All zero on any status but SKAN_OK.
 * Any thread. One thread of a process opens a store at a time; others wait.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  path or out is NULL, path is empty, is ":memory:" or begins with "file:", or an option
 *                              is not as described
 * SKAN_ERROR_STORE             the file cannot be opened or written, is not a database, belongs to another program, or
 *                              is locked for longer than the time-out; the message has SQLite's words. Nothing was
 *                              changed, unless the disk failed while the table was made. A file that was missing may
 *                              exist now and be empty
 * SKAN_ERROR_RECORD_TOO_NEW    the file was made by a newer libskan-sqlite; nothing was changed */
skan_status skan_sqlite_store_open(const char *path, const skan_sqlite_options *options, skan_store *out,
                                   skan_error **error);

/* Closes a store that no engine owns, and zeroes it, as store.h describes. */
void skan_sqlite_store_close(skan_store *store);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_SQLITE_H */
