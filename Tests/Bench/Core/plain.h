/*
 * plain.h - libskan's SKAN 4 job as plain C that a server team would write by hand: the bench's other side.
 *
 * One mutex around a hash table of structs, money in micro-units, json-c for the answer and the details. It gives
 * the same URLs, updates and details. It has no store to plug in, no records, versions or checksums, and trusts
 * json-c with what JSON is.
 */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of skan.h, so that the two sides can be compared. */
typedef enum plain_status {
    PLAIN_OK = 0,
    PLAIN_ALREADY_REGISTERED = 1,
    PLAIN_DUPLICATE_EVENT = 2,
    PLAIN_NO_NEW_VALUE = 3,
    PLAIN_STALE_RESPONSE = 4,
    PLAIN_WINDOW_LOCKED = 5,
    PLAIN_WINDOW_CLOSED = 6,
    PLAIN_NOT_REGISTERED = 7,
    PLAIN_INVALID_ARGUMENT = 100,
    PLAIN_LIMIT_EXCEEDED = 102,
    PLAIN_MALFORMED_RESPONSE = 110,
    PLAIN_ILLEGAL_VALUE = 111,
    PLAIN_REJECTED = 112
} plain_status;

typedef struct plain_config {
    const char *endpoint_url;
    const char *sdk_key;
    const char *bundle_id;
    const char *app_version;
    int64_t (*now)(void *context); /* microseconds */
    void *context;
} plain_config;

typedef struct plain_device {
    const char *os_version;
    const char *idfv;
    const char *idfa;
} plain_device;

typedef struct plain_update {
    uint64_t id;
    int64_t timestamp;
    int8_t window, fine, coarse; /* -1 = none */
    bool lock;
} plain_update;

typedef struct plain_server plain_server;

/* The strings of the configuration must outlive the server. */
plain_server *plain_create(const plain_config *config);
void plain_destroy(plain_server *server);

plain_status plain_register(plain_server *server, const char *install_id, plain_update *out);
plain_status plain_update_revenue(plain_server *server, const char *install_id, double amount, const char *currency,
                                  bool ad_monetization, const char *event_id);
/* `url` and `json` are freed with free(). */
plain_status plain_request(plain_server *server, const char *install_id, const char *event_name,
                           const plain_device *device, char **url, uint64_t *ticket);
plain_status plain_apply(plain_server *server, const char *install_id, uint64_t ticket, const char *body,
                         size_t length, plain_update *out);
plain_status plain_details(plain_server *server, const char *install_id, char **json);
/* The same document, for the bench alone: json-c is told that every key is new and constant, so it neither looks for
 * it nor copies it. */
plain_status plain_details_constant_keys(plain_server *server, const char *install_id, char **json);
void plain_forget(plain_server *server, const char *install_id);

#endif
