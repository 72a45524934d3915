/* What a PostgreSQL store does on a connection: the members of a pooled_store_kind. */
#ifndef RECORDS_H
#define RECORDS_H

#include "connection.h"

skan_status records_load(pooled *lent, const char *key, skan_buffer *out, uint64_t *version, trouble *trouble);
skan_status records_save(pooled *lent, const char *key, const void *data, size_t length, uint64_t expected,
                         uint64_t *version, trouble *trouble);
skan_status records_remove(pooled *lent, const char *key, uint64_t expected, trouble *trouble);
skan_status records_list(pooled *lent, skan_buffer *cursor, skan_buffer *keys, trouble *trouble);
skan_status records_load_many(pooled *lent, skan_load_item *items, size_t count, trouble *trouble);
skan_status records_save_many(pooled *lent, skan_save_item *items, size_t count, trouble *trouble);

/* What a row of LOAD or LOAD_MANY gave. */
skan_status records_take(const connection *connection, const PGresult *rows, int row, skan_buffer *out,
                         uint64_t *version, trouble *trouble);

/* Tries, and tries again while that is sure to change nothing and may help. */
typedef outcome attempt(connection *connection, void *context, int64_t deadline, trouble *trouble);
skan_status records_try(connection *connection, attempt *attempt, void *context, bool writes, int64_t deadline,
                        trouble *trouble);

#endif
