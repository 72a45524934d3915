/* What is true of every postback, whatever bytes it was read from. */
#ifndef POSTBACK_TRUTH_H
#define POSTBACK_TRUTH_H

#include <skan/postback.h>

/* What a postback says of itself is JSON, and the same as its accessors say. */
void require_consistent(const skan_postback *postback);

/* Verifies a body twice with the keys, NULL for Apple's; its result, -1 where it is too long. */
int32_t require_verified(const void *body, size_t length, const skan_postback_keys *keys);

#endif
