/* What stands between a store and PgBouncer, on a loopback port: a thread that passes on what either side sends, until
 * it ends the store's connections. */
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>

/* To this port of loopback. */
void relay_start(int port);
void relay_stop(void);
int relay_port(void);

/* Whether requests to cancel are kept back. They are passed on once this is false. */
void relay_keeps_requests(bool keeps);
/* How many have come. */
int relay_requests(void);

/* The store sees the end of each session, and PgBouncer does not. */
void relay_ends_sessions(void);
/* How many of those sessions the store has closed since. */
int relay_closed_sessions(void);

#endif
