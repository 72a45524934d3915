/* What happens to a cluster while four processes buy, and whether any purchase is lost or counted twice by it. */
#ifndef DISTURBANCES_H
#define DISTURBANCES_H

#include <stdbool.h>

typedef struct disturbance {
    const char *name;
    /* Makes it happen, the `number`-th time, and waits until the cluster is as before. Answers how many seconds it took
     * until another node wrote; 0: none has to. */
    double (*happen)(int number);
    /* The nature of the database: an acknowledged change may be lost by it. */
    bool may_lose;
} disturbance;

/* Of the database that database.h starts; NULL ends them. */
extern const disturbance disturbances[];

#endif
