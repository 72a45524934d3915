/*
 * store.h - own stores, clocks and transports for an engine of skan.h.
 *
 * A store is a struct of functions over whatever keeps the game's data:
 *
 *     static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
 *         struct row row;                                          // SELECT version, record WHERE key = ?
 *         if (!find_row(context, key, &row)) return SKAN_NOT_FOUND;
 *         *version = row.version;
 *         return skan_buffer_set(out, row.bytes, row.length);
 *     }
 *
 *     skan_store store = {.size = sizeof store, .context = database, .load = load, .save = save, .remove = unload};
 *     skan_options options = {.size = sizeof options, .store = &store, .endpoint_url = "https://skan.example.com"};
 *
 * store_kit.h checks a store's functions against the contract below. sqlite.h, postgres.h and redis.h have ready
 * stores, and http.h has a transport.
 */
#ifndef SKAN_STORE_H
#define SKAN_STORE_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------- hooks */
/*
 * Hooks are the store, the clock and the transport that an engine uses. Each is a struct of functions and a `context`
 * that is passed back to them. Hooks may be called from any thread that uses the engine, and from several threads at
 * once. Calls that change one install take turns, but a call that takes long loses its turn, and calls that read have
 * none: hooks may be called at once for the same key, too. No lock is held during a hook, and a hook may wait for
 * another call of its engine on another thread. Hooks must not throw through C. If a hook calls back into its own
 * engine on the same thread, that call answers SKAN_ERROR_MISUSE. If hooks switch to another coroutine of their thread,
 * see skan_options.switches_stacks.
 *
 * `finalize`, if it is not NULL, is called with the context exactly once for each skan_create whose struct sizes are
 * legal: by skan_destroy, or, if skan_create fails, before it returns. With an illegal size the caller keeps the
 * contexts.
 */

/* A buffer into which a hook puts bytes. A buffer that is passed to a hook is valid only during the hook. */
typedef struct skan_buffer skan_buffer;

/* Replaces the content of the buffer by a copy of the `length` bytes at `data`.
 * SKAN_OK; SKAN_ERROR_LIMIT_EXCEEDED above SKAN_BUFFER_MAX; SKAN_ERROR_INVALID_ARGUMENT if the buffer is NULL, or if
 * data is NULL and length is not 0. On an error the buffer keeps its content. */
skan_status skan_buffer_set(skan_buffer *buffer, const void *data, size_t length);

/* Makes an empty buffer with which the caller can call a hook: in a hook that wraps another one, for instance a cache
 * in front of a store, and in tests of hooks. The caller owns it and frees it with skan_buffer_destroy. Only one thread
 * at a time may use it. Never NULL. */
skan_buffer *skan_buffer_create(void);
/* The content, valid until the buffer is set again or destroyed; never NULL for a buffer, NULL for NULL. */
const void *skan_buffer_data(const skan_buffer *buffer);
/* The number of bytes of the content; 0 for NULL. */
size_t skan_buffer_size(const skan_buffer *buffer);
/* Destroys a buffer of skan_buffer_create, and only such a buffer. NULL is fine. */
void skan_buffer_destroy(skan_buffer *buffer);

/* One load of a batch, with the arguments and results of skan_store.load. The hook does not change key and out. */
typedef struct skan_load_item {
    const char *key;
    skan_buffer *out;   /* filled if status is SKAN_OK */
    uint64_t version;   /* set if status is SKAN_OK */
    skan_status status; /* set by the hook */
} skan_load_item;

/* One save of a batch, with the arguments and results of skan_store.save. The hook sets only the last two members. */
typedef struct skan_save_item {
    const char *key;
    const void *data;
    size_t length;
    uint64_t expected_version;
    uint64_t new_version; /* set if status is SKAN_OK */
    skan_status status;   /* set by the hook */
} skan_save_item;

/*
 * Durable storage of records, one per install id. A record is opaque bytes with a version.
 *
 * Version 0 means "no record". Every save gives the record another version, even if the bytes are equal. A version is
 * never used twice for a key, not even after a remove: take it from a counter of the whole store, or draw it at random.
 * Rules, "Store contract", "Unknown saves". Keys are 1..128 bytes of UTF-8 without bytes 00-1F and 7F; records have
 * 1..32768 bytes.
 */
struct skan_store {
    size_t size; /* sizeof(skan_store), set by the code that fills the struct */
    void *context;
    /* Loads the record. SKAN_OK with bytes and version set; SKAN_NOT_FOUND; SKAN_ERROR_STORE. Any other status, and
     * SKAN_OK with version 0, counts as SKAN_ERROR_STORE. */
    skan_status (*load)(void *context, const char *key, skan_buffer *out, uint64_t *version);
    /* Stores the record if the stored version is `expected_version` (0: if there is none) and sets `new_version`.
     * SKAN_OK; SKAN_ERROR_STORE_CONFLICT: there is another version or no record, and nothing was changed;
     * SKAN_ERROR_STORE: the change was certainly not applied; SKAN_ERROR_STORE_UNKNOWN: it may have been applied, for
     * instance after a time-out that followed the sending. Any other status, and SKAN_OK with version 0 or the expected
     * one, counts as SKAN_ERROR_STORE_UNKNOWN. */
    skan_status (*save)(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version);
    /* Removes the record if its version is `expected_version`. Answers as save does. */
    skan_status (*remove)(void *context, const char *key, uint64_t expected_version);
    void (*finalize)(void *context); /* may be NULL */

    /* Optional hooks: NULL if the store does not offer them. A struct may also end before any of them. */

    /* Many loads, or saves, in one round trip. The `status` of each item is what load or save would have answered for
     * it, independent of the other items (a store may still commit them together). Keys are distinct, and `count`
     * is 1..SKAN_BATCH_MAX. If the hook does not set the status of an item, it counts as SKAN_ERROR_STORE when loading
     * and as SKAN_ERROR_STORE_UNKNOWN when saving. */
    void (*load_many)(void *context, skan_load_item *items, size_t count);
    void (*save_many)(void *context, skan_save_item *items, size_t count);

    /* Lists one page of the keys, in an order that the store chooses. Puts the keys into `keys`, each ended by a NUL,
     * and the place where the next page begins into `cursor`, which the caller passes in again for the next page. An
     * empty cursor starts at the beginning, and the last page leaves an empty cursor. A page may be empty. A key that
     * exists from the first page to the last is listed at least once; a key that is added or removed meanwhile may be
     * listed or not. No engine calls this hook: it is for tools, such as libskan's `skan` command. SKAN_OK, or
     * SKAN_ERROR_STORE, also for a cursor that the store did not make. */
    skan_status (*list)(void *context, skan_buffer *cursor, skan_buffer *keys);

    /* Lists one page of the keys that begin with `prefix`, as list does for all keys. If the store can, it does not
     * read the others. `prefix` is written like a key, or is empty for all keys, and is the same for all pages of a
     * listing. A key that does not begin with it is never listed. */
    skan_status (*list_with_prefix)(void *context, const char *prefix, skan_buffer *cursor, skan_buffer *keys);

    /* true = the store's hooks never switch to another stack or thread, even if skan_options.switches_stacks says that
     * hooks may. Then calls take turns even so. libskan's own stores set it. Rules, "Turns". */
    bool keeps_stack;
};

/* A clock. `now` returns microseconds since 1970-01-01T00:00:00Z. -1 (any number from -999999 to -1, or before the year
 * 1) means that the clock does not know the time. Other times before 1970 are accepted unchanged. Rules, "Clock". */
struct skan_clock {
    size_t size; /* sizeof(skan_clock) */
    void *context;
    int64_t (*now)(void *context);
    void (*finalize)(void *context); /* may be NULL */
};

/* A transport: HTTP GET, for skan_update_conversion_values; libskan itself sends nothing. URLs begin with endpoint_url
 * of the engine's options. `get` puts the body into the buffer and answers SKAN_OK, only for HTTP status 200. A buffer
 * that is not set is an empty body, which means "no value". SKAN_ERROR_LIMIT_EXCEEDED is passed on to the caller, and
 * so is SKAN_ERROR_TRANSPORT_UNKNOWN, which says that the request was sent and not refused (HTTP status 3xx or 4xx), so
 * that the endpoint may have counted the event. Every other status becomes SKAN_ERROR_TRANSPORT.
 * A request that was sent may be sent again only if the URL's query has the item event_id, by which the endpoint tells
 * a repeat; without one it would count twice. The URL contains the SDK key: keep it out of logs. Rules, "Lost
 * answers". */
struct skan_transport {
    size_t size; /* sizeof(skan_transport) */
    void *context;
    skan_status (*get)(void *context, const char *url, skan_buffer *body);
    void (*finalize)(void *context); /* may be NULL */
};

/* --------------------------------------------------------------------------------- libskan's stores and transport */
/*
 * sqlite.h, postgres.h, redis.h and http.h open stores and a transport of libskan. The same holds for all of them:
 * - Ownership: opening fills a struct for skan_create. The engine that skan_create makes then owns the store or
 *   transport and closes it: give it to one engine only, and open another one for a second engine. One that no engine
 *   took over, or that skan_create left to the caller because of an illegal struct size, is closed by skan_..._close,
 *   which also zeroes the struct. For that function NULL and a struct that is all zero are fine, and a store or
 *   transport of another kind is left unchanged. No thread may be in a call on what is closed.
 * - `report` of the options is called with the error in the words of the library or the server behind it, whenever a
 *   hook is about to answer `status`, an error; once for a batch, with its first error. Those words are reported
 *   nowhere else. They are meant for a log: `message` is UTF-8, is valid during the call, and never has a user, a
 *   password, a key or a record. The function is called from any thread, also from several threads at once, with
 *   `report_context`. It must not call back into the store or its engine. May be NULL.
 * - fork: a store that was opened before fork() may be used in the child, even if other threads of the parent are in
 *   calls during the fork. The two processes never share a connection: fork() first waits for those calls and closes
 *   the parent's connections, and both processes open new ones when they need them. Children that are made without
 *   fork()'s handlers (vfork, clone) and do more than exec are not covered.
 * - Nothing needs to be reopened after an error has been corrected.
 */

#ifdef __cplusplus
}
#endif

#endif /* SKAN_STORE_H */
