/* What the server counts, in Prometheus' text form. */
#ifndef METRICS_H
#define METRICS_H

#include <stddef.h>
#include <stdint.h>

typedef struct metrics metrics;

/* `routes` are the names that are counted apart; static strings. */
metrics *metrics_create(const char *const *routes, size_t count);
void metrics_destroy(metrics *metrics);

/* One answered request. An unknown route counts as "other". `outcome` is a static string. Any thread. */
void metrics_add(metrics *metrics, const char *route, const char *outcome, unsigned status, uint64_t microseconds);

/* The text, of malloc; NULL where memory fails. Any thread. */
char *metrics_text(const metrics *metrics, unsigned connections, unsigned requests);

#endif
