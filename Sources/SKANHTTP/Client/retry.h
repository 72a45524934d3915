/* When to try again. */
#ifndef SKANHTTP_RETRY_H
#define SKANHTTP_RETRY_H

#include <stddef.h>
#include <stdint.h>

/* What the header Retry-After asks for, in milliseconds from now; -1 where the line is another header, or its value
 * neither a number of seconds nor a date. A date that is over is 0. */
int64_t skanhttp_retry_after_read(const char *line, size_t length);

/* The pause before another attempt, after `attempts` of them: doubled each time up to the longest, and of that a share
 * between a half and all of it by chance, so that clients that failed together do not come back together. */
int64_t skanhttp_retry_pause(uint32_t attempts, uint32_t first_ms, uint32_t longest_ms);

#endif
