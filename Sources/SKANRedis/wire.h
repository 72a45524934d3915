/* A connection to a server: commands out and replies in, many under way at once, by a deadline. */
#ifndef WIRE_H
#define WIRE_H

#include "address.h"

#include <hiredis/hiredis.h>

typedef struct wire {
    int socket; /* -1 = none */
    redisReader *reader;
} wire;

/* What the server said, fit for a message: one line of ASCII, without the arguments that some errors repeat. */
void words_of(const redisReply *reply, char *words, size_t size);
bool is_error(const redisReply *reply, const char *beginning);

/* Connects, where `wire` is not connected: by `deadline` at the latest, each address of a host in its share of the
 * time. Trouble has no name of the server in front, here and below. */
skan_status wire_connect(wire *wire, const address *address, int64_t deadline, trouble *trouble);
/* Ends the connection, if there is one. */
void wire_close(wire *wire);

/* Whether a connection at rest is as it was left: the server has neither ended it nor said anything. */
bool wire_is_quiet(const wire *wire);

/* Commands and their replies. */
typedef struct exchange {
    size_t count;
    /* The bytes of command `i`, to be freed with redisFreeCommand; their number, or below 0 where memory is short. */
    int (*command)(void *context, size_t i, char **bytes);
    void (*reply)(void *context, size_t i, const redisReply *reply);
    void *context;
    size_t answered; /* of the commands: so many have their reply; the caller begins with 0 */
    size_t sent;     /* so many were given to the system whole: of the others the server cannot know */
} exchange;

/* Sends the commands from `answered` on and takes their replies. Where it answers SKAN_ERROR_STORE, the connection is
 * not fit to go on with; `is_late`: by the deadline. */
skan_status wire_exchange(wire *wire, exchange *exchange, int64_t deadline, bool *is_late, trouble *trouble);

#endif
