/* How a record lies under its key, and what the key is. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "../StoreSupport/trouble.h"

/* A Redis string: "SK", the number of this layout, the version (8 bytes, most significant first), the record. */
#define LAYOUT 1
#define LAYOUT_HEADER 11

void layout_header(uint64_t version, char header[LAYOUT_HEADER]);

/* What is under a key: SKAN_OK with its version, SKAN_NOT_FOUND where it has no bytes, or trouble: it is none of this
 * store's. `size` is of all, `bytes` has at least the header where there is one. */
skan_status layout_read(const char *bytes, size_t size, uint64_t *version, trouble *trouble);

/* prefix{key}: the braces make the install's id the hash tag, by which a cluster chooses the slot. A prefix has none,
 * so that keys of different installs and prefixes differ, whatever braces an id has. */
#define PREFIX_MAX 64
#define FULL_KEY_MAX (PREFIX_MAX + 2 + SKAN_INSTALL_ID_MAX)

/* A key of more than SKAN_INSTALL_ID_MAX bytes is none of an engine: 0. Else the bytes of the full key. */
size_t layout_key(const char *prefix, const char *key, char full[FULL_KEY_MAX]);
/* The key in a full key; its bytes, 0 where it is none of this prefix. */
size_t layout_key_of(const char *prefix, const char *full, size_t length, const char **key);
/* What SCAN matches the keys of this prefix with. */
void layout_pattern(const char *prefix, char pattern[2 * PREFIX_MAX + 4]);

#endif
