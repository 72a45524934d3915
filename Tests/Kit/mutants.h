/* Stores that break the store contract, each in one way, and the law that must find it out. */
#ifndef MUTANTS_H
#define MUTANTS_H

#include "host.h"

/* What a run's handles share. */
typedef struct mutant_data {
    const struct mutant *mutant;
    host_store records;
    pthread_mutex_t mutex; /* of what follows */
    pthread_mutex_t other; /* for those that lock wrongly */
    host_record kept;      /* what the mutant remembers of a call */
    uint64_t number;
    char scratch[129];
    bool offers_least; /* of the optional hooks only those that the mutant breaks */
    int handles;       /* that were opened */
    int open;          /* that are open */
} mutant_data;

/* A handle. */
typedef struct mutant_store {
    mutant_data *data;
    host_store cache; /* of this handle alone */
    uint64_t number;
} mutant_store;

typedef struct mutant {
    const char *flaw;
    const char *law;
    /* NULL = the right one */
    skan_status (*load)(void *handle, const char *key, skan_buffer *out, uint64_t *version);
    skan_status (*save)(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *version);
    skan_status (*remove)(void *handle, const char *key, uint64_t expected);
    void (*load_many)(void *handle, skan_load_item *items, size_t count);
    void (*save_many)(void *handle, skan_save_item *items, size_t count);
    skan_status (*list)(void *handle, skan_buffer *cursor, skan_buffer *keys);
    void (*opened)(mutant_store *handle, skan_store *out); /* at the end of an open; may change it */
    void (*closed)(mutant_store *handle);
    void (*reopened)(mutant_data *data);
} mutant;

extern const mutant mutants[];      /* ends with a NULL flaw */
extern const mutant right_stores[]; /* the same; they break nothing, each in its way */

void mutant_data_init(mutant_data *data, const mutant *mutant);
void mutant_data_end(mutant_data *data);

/* For skan_store_kit: the context is a mutant_data. */
skan_status mutant_open(void *context, skan_store *out);
skan_status mutant_reopen(void *context);

/* For `opened`: the struct ends before the optional hooks. */
void mutant_without_many(mutant_store *handle, skan_store *out);

#endif
