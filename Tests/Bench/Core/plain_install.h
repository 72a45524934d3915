/* plain_install.h - one install as the plain side keeps it. */
#ifndef BENCH_PLAIN_INSTALL_H
#define BENCH_PLAIN_INSTALL_H

#include "plain.h"

#define PLAIN_NONE (-1)
#define PLAIN_WINDOWS 3
#define PLAIN_EVENTS 64
#define PLAIN_CURRENCIES 64
#define PLAIN_AMOUNT_TEXT 24 /* room for an amount as text */

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
    plain_update update;
} plain_install;

void plain_install_reset(plain_install *install);
void plain_install_free(plain_install *install);

/* Writes an amount as a decimal without trailing zeros, and a NUL; answers its length. */
size_t plain_amount_text(int64_t micros, char text[PLAIN_AMOUNT_TEXT]);
size_t plain_integer_text(int64_t value, char text[PLAIN_AMOUNT_TEXT]);

/* The answer of the endpoint. */
typedef struct plain_answer {
    bool has_value; /* conversion value or coarse value */
    int8_t fine, coarse, window; /* -1 = none */
    bool lock;
} plain_answer;

plain_status plain_read_answer(const char *body, size_t length, plain_answer *out);
char *plain_write_details(const plain_install *install, bool constant_keys);
char *plain_write_url(const plain_config *config, const plain_install *install, const char *event_name,
                      const plain_device *device);

#endif
