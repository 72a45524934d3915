/* Stores, by URL. */
#ifndef STORES_H
#define STORES_H

#include <skan/skan.h>

#include <stdbool.h>

/* What a store is opened for. */
typedef enum store_use {
    STORE_READS,   /* it must be there */
    STORE_FILLS,   /* made if it is not there; what is saved must last */
    STORE_REMOVES  /* it must be there; removals that a power failure takes back do no harm, they are repeated */
} store_use;

#define STORE_TROUBLE_MAX 1024

typedef struct store {
    skan_store hooks;
    char *name;                      /* the URL without its password */
    char trouble[STORE_TROUBLE_MAX]; /* what the store said last, in its own words; "" = nothing */
    void (*close)(skan_store *hooks);
    /* Told what the store says, on any thread, in place of `trouble`; NULL = none. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} store;

/* Opens it into `out`, which stays where it is until store_close. Answers EXIT_FINE, or says why not and answers
 * EXIT_USAGE or EXIT_FOUND; there is nothing to close then. */
int store_open(const char *url, store_use use, store *out);
/* The same for several threads at once: what the store says goes to `report`. */
int store_open_reporting(const char *url, store_use use,
                         void (*report)(void *context, skan_status status, const char *message), void *context,
                         store *out);
void store_close(store *store);

/* What went wrong, for a message: the store's own words, if it said any since store_calm. */
const char *store_words(const store *store);
void store_calm(store *store);

/* The forms of URLs, for help. */
#define STORE_HELP                                                                      \
    "STORE is one of\n"                                                                 \
    "  sqlite:FILE       an SQLite file of libskan-sqlite\n"                            \
    "  postgresql://...  table skan_records of a PostgreSQL database; the URL is\n"     \
    "                    libpq's\n"                                                     \
    "  redis://...       a Redis or Valkey server; redis+unix:// for its Unix socket\n" \
    "  env:NAME          the URL in this environment variable: others cannot read\n"    \
    "                    a password there as they can in a command line\n"              \
    "import and move make what they fill if it is not there.\n"

#endif
