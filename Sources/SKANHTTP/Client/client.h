/* What a client's parts know of it. */
#ifndef SKANHTTP_CLIENT_H
#define SKANHTTP_CLIENT_H

#include "request.h"

/* How long a request may take, in milliseconds. */
uint32_t skanhttp_client_timeout(const skanhttp_client *client);

#endif
