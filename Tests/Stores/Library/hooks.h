/* The hooks of a store called as an engine calls them. */
#ifndef HOOKS_H
#define HOOKS_H

#include "support.h"

#include <skan/store.h>

/* The kind of store that is tested, as its own file says. */
typedef struct store_kind {
    const char *told_as; /* in each of its reports */
    skan_status (*open)(const char *place, const void *options, skan_store *out, skan_error **error);
    void (*close)(skan_store *store);
} store_kind;

extern const store_kind kind;

/* Says why, and ends the process. */
void end_with(const char *what, const char *why);

/* A store of that kind, with its own options (NULL: defaults); ends the process where that fails. */
skan_store opened(const char *place, const void *options);

typedef struct loaded {
    skan_status status;
    uint64_t version; /* 0 where there is no record */
    size_t length;
    unsigned char bytes[SKAN_RECORD_MAX + 1]; /* ends with a NUL */
} loaded;

/* What load gives; the same memory at every call of a thread. */
const loaded *load(const skan_store *store, const char *key);
/* Answers save's status; the new version goes to `version`, which may be NULL. */
skan_status save(const skan_store *store, const char *key, const void *data, size_t length, uint64_t expected,
                 uint64_t *version);
skan_status save_text(const skan_store *store, const char *key, const char *text, uint64_t expected, uint64_t *version);
skan_status remove_key(const skan_store *store, const char *key, uint64_t expected);

/* Whether the record of a key is this text; NULL: whether there is none. */
bool holds_text(const skan_store *store, const char *key, const char *text);

/* Of one call for several items: the names of their statuses, with spaces between them. The keys stand with spaces
 * between them too; what is found is what single loads find. */
const char *load_many(const skan_store *store, const char *keys);
const char *save_many(const skan_store *store, skan_save_item *items, size_t count);

typedef struct listed {
    skan_status status;
    char keys[SKAN_BUFFER_MAX + 1]; /* a space after each */
    char cursor[512];
} listed;

/* The page after this cursor, "" for the first; the same memory at every call. */
const listed *list(const skan_store *store, const char *cursor);

#endif
