/* Times of a history: Unix seconds, or ISO 8601. */
#ifndef MODEL_TIME_H
#define MODEL_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* The last second of the year 9999. */
#define MODEL_TIME_MAX INT64_C(253402300799)

/* Reads "2026-01-31T10:00:00Z", also with a fraction of the second, which is dropped, a space for the T, and an offset,
 * "+01:00", for the Z. False where the text is none, or lies before 1970 or after the year 9999. */
bool model_time_read(const char *text, int64_t *seconds);

#endif
