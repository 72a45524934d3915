/* What went wrong in a companion's call: a status and words. */
#ifndef TROUBLE_H
#define TROUBLE_H

#include <skan/skan.h>

#define TROUBLE_MAX 1024

/* `message` is undefined where nothing went wrong. */
typedef struct trouble {
    skan_status status;
    char message[TROUBLE_MAX];
} trouble;

/* Where hooks report what went wrong; NULL = nowhere. */
typedef struct reporter {
    void (*report)(void *context, skan_status status, const char *message);
    void *context;
} reporter;

/* Answers the status. */
skan_status trouble_set(trouble *trouble, skan_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports an error of a hook, other than a conflict, and answers the status. */
skan_status trouble_reported(const reporter *reporter, skan_status status, const trouble *trouble);

/* An owned error for the status, NULL where it is SKAN_OK, put where `error` says, if anywhere; answers the status. */
skan_status trouble_given(skan_error **error, skan_status status, const trouble *trouble);

#endif
