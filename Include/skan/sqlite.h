/*
 * sqlite.h - a store of libskan in an SQLite file (library libskan-sqlite).
 *
 *     skan_store store;
 *     skan_error *error = NULL;
 *     skan_sqlite_store_open("/var/lib/game/installs.db", NULL, &store, &error);
 *
 *     skan_options options = {.size = sizeof options, .store = &store};
 *     skan *engine = NULL;
 *     skan_create(&options, &engine, &error);      // the engine owns the store now ...
 *     skan_destroy(engine);                        // ... and closes it here
 *
 * Know before production:
 * - Threads and processes: any number of both may use one file at once, on one machine. Not over a network file
 *   system: SQLite's write-ahead log needs memory that all users of the file share.
 * - Durability: by default a change is on the disk before its call answers SKAN_OK; see `synchronous`.
 * - Files: beside the file itself there are `-wal` and `-shm` while it is in use, and after a crash. They belong
 *   together: move or copy all three, or use SQLite's own backup. New files are readable by their owner only (mode
 *   0600); an existing file keeps its mode, which the other two take over. A file that is moved, deleted or replaced
 *   under a running process is noticed: the next call opens what is at the path then, and fails as long as nothing
 *   is, and as long as the old file's `-wal` stands beside another file, which SQLite would overwrite with it. A
 *   process that starts later cannot know that: remove `-wal` and `-shm` where you replace a file.
 * - fork: a store opened before fork() may be used in the child, also while other threads of the parent are in calls.
 *   No connection is ever shared between the two: fork() first waits for those calls and closes the parent's
 *   connections, and both sides open new ones when they need them. Other uses of SQLite by the host's other threads,
 *   and children made without fork()'s handlers (vfork, clone) that do more than exec, are not covered.
 * - Many at once: save_many is one transaction, and waits for the disk once; load_many reads one moment of the
 *   file; list goes by the bytes of keys, in pages of up to 1 MiB, and its cursor is good for any store on the file.
 * - Outcomes are exact. A call answers SKAN_ERROR_STORE only where the change was certainly not made: the file is
 *   locked, full, read-only, or failed before the change was sealed. A disk that fails while it is sealed gives
 *   SKAN_ERROR_STORE_UNKNOWN. Of save_many, that is the answer of every item but those that conflict, which changed
 *   nothing in any case. Nothing needs to be reopened once the trouble is mended.
 *
 * The file holds one table, skan_records (key, version, record), with PRAGMA application_id 0x534B414E ("SKAN") and the
 * version of the table's form in PRAGMA user_version. It is a file of its own: one with other tables is refused.
 *
 * Errors and ownership are as in skan.h. The ABI only grows, as there.
 */
#ifndef SKAN_SQLITE_H
#define SKAN_SQLITE_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How safe a change is when its call answers SKAN_OK. In both, a process that crashes or is killed loses nothing, and a
 * power failure does not damage the file. */
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
                               * milliseconds, up to 3 600 000; 0 = 5000. Then it answers SKAN_ERROR_STORE */
    uint32_t max_connections; /* connections kept open by this process, up to 1024; 0 = 8. A call needs one; where all
                               * are in use it waits. One thread writes at a time, whatever this is */
    uint32_t reserved;        /* 0 */
    /* Told what went wrong, in SQLite's own words, whenever a hook of the store is about to answer `status`,
     * SKAN_ERROR_STORE or SKAN_ERROR_STORE_UNKNOWN, once for many items; those words reach nobody else. For a log:
     * `message` is UTF-8, valid during the call, and names the file, never a key or a record. Called from any thread,
     * several at once; it must not call back into the store or its engine. May be NULL. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} skan_sqlite_options;

/* Opens the file as a store, made if there is none (its directory must exist).
 *   path     a file's name, also relative. No URI, and no ":memory:": an engine without a store keeps installs in
 *            memory.
 *   options  NULL = all defaults. Copied.
 *   out      filled for skan_create, whose engine then owns the store and closes it: give it to one engine. For two
 *            engines on one file, open it twice. A store that no engine took over is closed by
 *            skan_sqlite_store_close. All zero on any status but SKAN_OK.
 * Any thread; one open at a time in a process, others wait.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  path or out is NULL, path is empty, ":memory:" or begins with "file:", an option is not
 *                              as described
 * SKAN_ERROR_STORE             the file cannot be opened or written, is no database, is another program's, is locked
 *                              for longer than the time-out; the message has SQLite's words. Nothing was changed,
 *                              unless the disk failed while the table was made; a file that was missing may be there
 *                              now, empty
 * SKAN_ERROR_RECORD_TOO_NEW    the file was made by a newer libskan-sqlite; nothing was changed */
skan_status skan_sqlite_store_open(const char *path, const skan_sqlite_options *options, skan_store *out,
                                   skan_error **error);

/* Closes a store that no skan_create was given, or one whose skan_create left it to the caller (an illegal struct
 * size), and zeroes it. NULL, and one that is all zero, is fine; a store of another kind is left alone. No thread may
 * be in a call on it. */
void skan_sqlite_store_close(skan_store *store);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_SQLITE_H */
