/* Where a server is, and as whom it is spoken to. */
#ifndef ADDRESS_H
#define ADDRESS_H

#include "../StoreSupport/trouble.h"

typedef struct address {
    char *path; /* of a Unix socket; NULL = host and port */
    char *host, *port;
    char *user, *password; /* NULL = none */
    uint32_t database;
    char *name; /* for messages: without user and password */
} address;

/* Reads a URL; messages have nothing of its user and password. On trouble nothing is to be ended. */
skan_status address_read(const char *url, address *read, trouble *trouble);
void address_end(address *address);

#endif
