/* Structured log lines: one JSON object each, without keys, tokens or ids of users. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum log_level { LOG_NOTHING, LOG_ERRORS, LOG_REQUESTS } log_level;

/* Lines go to `out`, which stays the caller's; those of requests within a fifth of a second. One log in a process. */
bool log_start(FILE *out, log_level level);
/* Writes what is left. */
void log_stop(void);

/* One answered request. Of a path it tells only where `route` is NULL. Any thread. */
void log_request(const char *route, const char *method, const char *path, unsigned status, const char *outcome,
                 uint64_t microseconds);
/* Something that an operator has to know; `words` may be NULL. Any thread. */
void log_event(const char *event, const char *words);

#endif
