/* Which postbacks came before: for stores that may list a key twice. Takes up to 32 bytes for each. */
#ifndef REPORT_SEEN_H
#define REPORT_SEEN_H

#include <stdbool.h>

typedef struct seen seen;

seen *seen_create(void);
void seen_destroy(seen *seen);

/* Whether the key is new. Keys end with 64 hexadecimal digits of a SHA-256, of which the first 32 tell them apart. */
bool seen_add(seen *seen, const char *key);

#endif
