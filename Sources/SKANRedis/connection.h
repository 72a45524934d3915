/* A connection of the store's pool: made, and known to the server as its user, when a call first needs it, and made
 * anew where it was lost. Used by one thread at a time. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "../StoreSupport/pool.h"
#include "wire.h"

typedef struct settings {
    address address;
    char *prefix; /* of keys */
    uint32_t connect_timeout_ms;
    uint32_t expire_days; /* 0 = records are kept */
} settings;

typedef struct connection {
    pooled pooled;
    const settings *settings;
    wire wire;
} connection;

/* Connections, not yet made, for their settings. */
extern const pool_kind connection_kind;

/*
 * Runs an exchange. Where nothing of what is left can have been done, as the connection was lost before the next
 * command was whole in the system's hands, and always where `reads`, the rest is tried once more on a new connection.
 * Where it answers SKAN_ERROR_STORE, `exchange` tells how far it came.
 */
skan_status connection_run(connection *connection, exchange *exchange, bool reads, int64_t deadline, trouble *trouble);

#endif
