/* SHA-1 (FIPS 180-4), by which a Redis server names a script. */
#ifndef SHA1_H
#define SHA1_H

#include <stddef.h>

/* As 40 lower-case hexadecimal digits, and a NUL. */
void sha1_text(const void *data, size_t length, char digits[41]);

#endif
