/*
 * plain.h - libskan's SKAN 4 job as plain C that a server team would write by hand: the bench's other side.
 *
 * One mutex around a hash table of structs, money in micro-units, json-c for the answer and the details. It gives
 * the same URLs, updates and details. It has no store to plug in, no records, versions or checksums, and trusts
 * json-c with what JSON is. Its functions, in plain.c, are those of skan.h that the bench measures.
 */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include "bench.h"

#define PLAIN_NONE (-1)
#define PLAIN_WINDOWS 3
#define PLAIN_EVENTS 64
#define PLAIN_CURRENCIES 64

/* Revenue by currency, sorted. */
typedef struct plain_amount {
    char currency[4];
    int64_t micros;
} plain_amount;

typedef struct plain_revenue {
    plain_amount *amounts;
    uint16_t count, capacity;
} plain_revenue;

/* The last event ids, oldest overwritten first; made when the first one comes. */
typedef struct plain_events {
    struct {
        uint64_t hash;
        char *id;
    } ring[PLAIN_EVENTS];
    uint32_t next;
} plain_events;

typedef struct plain_install {
    struct plain_install *next; /* in its bucket */
    uint64_t hash;
    char *id;
    bool registered, delivered;
    int8_t fine, previous_fine;
    int8_t coarse[PLAIN_WINDOWS], previous_coarse[PLAIN_WINDOWS];
    int64_t first_call, last_call;
    int64_t lock[PLAIN_WINDOWS];
    plain_revenue lifetime[2]; /* IAP, ad */
    plain_revenue window[2][PLAIN_WINDOWS];
    plain_events *events;
    uint64_t applied_ticket;
    struct {
        uint64_t id;
        int64_t timestamp;
        int8_t window, fine, coarse;
        bool lock;
    } update;
} plain_install;

/* An install that nothing is known of. */
void plain_install_reset(plain_install *install);

/* ---------------------------------------------------------- installs by id: chains that are kept short by growing */

typedef struct plain_table {
    plain_install **buckets;
    size_t count, capacity; /* capacity is a power of two */
} plain_table;

uint64_t plain_hash(const char *text, size_t length);
void plain_table_init(plain_table *table);
void plain_table_free(plain_table *table);
/* NULL if it is not there. */
plain_install *plain_table_find(const plain_table *table, const char *id, size_t length);
plain_install *plain_table_find_or_add(plain_table *table, const char *id, size_t length);
void plain_table_remove(plain_table *table, const char *id, size_t length);

/* ----------------------------------------------------------------------------------------------------------- texts */

/* The answer of the endpoint; PLAIN_NONE = none. */
typedef struct plain_answer {
    bool has_value; /* conversion value or coarse value */
    int8_t fine, coarse, window;
    bool lock;
} plain_answer;

skan_status plain_read_answer(const char *body, size_t length, plain_answer *out);
/* Texts the caller frees. */
char *plain_write_details(const plain_install *install, bool constant_keys);
char *plain_write_url(const plain_install *install, const char *event_name, const skan_device *device);

#endif
