/* The members of a JSON object as they are written: parsing and writing again would lose a key that is there twice. */
#ifndef MEMBERS_H
#define MEMBERS_H

#include <stddef.h>

/* How often the object, which is valid JSON, has a member whose key is written `key`; `value` and `length` are the last
 * one's. */
size_t member_find(const char *object, size_t object_length, const char *key, const char **value, size_t *length);

#endif
