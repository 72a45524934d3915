/* A Redis server that lies, over TLS on a loopback port: its answers about PLAYER have no end. All else it answers as an
 * empty server does. */
#ifndef TLS_FLOOD_H
#define TLS_FLOOD_H

#include <sys/types.h>

/* The text `more` again and again, in records of TLS; its length divides 16384. */
typedef struct flood {
    const char *beginning, *more;
    int large;  /* so many records of 16384 bytes come first */
    int record; /* all others have so many bytes */
} flood;

/* With server.pem and server.key of this folder. Answers its process. */
pid_t flood_start(const char *certificates, const flood *flood, int *port);
void flood_stop(pid_t process);

#endif
