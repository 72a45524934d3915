/* Records under the keys of a Redis server. */
#ifndef RECORDS_H
#define RECORDS_H

#include "connection.h"

/* Proves that the server lets this user read records and run the script; changes nothing. */
skan_status records_probe(connection *connection, trouble *trouble);
/* Refuses a server that evicts keys which are to be kept, where it tells. */
skan_status records_refuse_eviction(connection *connection, trouble *trouble);

/* The members of a pooled_store_kind. Those of many answer the first error of an item, whose trouble is told. */
skan_status records_load(pooled *lent, const char *key, skan_buffer *out, uint64_t *version, trouble *trouble);
skan_status records_save(pooled *lent, const char *key, const void *data, size_t length, uint64_t expected,
                         uint64_t *version, trouble *trouble);
skan_status records_remove(pooled *lent, const char *key, uint64_t expected, trouble *trouble);
skan_status records_list(pooled *lent, skan_buffer *cursor, skan_buffer *keys, trouble *trouble);
skan_status records_load_many(pooled *lent, skan_load_item *items, size_t count, trouble *trouble);
skan_status records_save_many(pooled *lent, skan_save_item *items, size_t count, trouble *trouble);

#endif
