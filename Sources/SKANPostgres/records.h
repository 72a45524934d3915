/* What the hooks of a store do, each until its deadline; `trouble` is set where they answer an error other than a
 * conflict. */
#ifndef RECORDS_H
#define RECORDS_H

#include "connection.h"

skan_status records_load(connection *connection, const char *key, skan_buffer *out, uint64_t *version,
                         int64_t deadline, trouble *trouble);
skan_status records_save(connection *connection, const char *key, const void *data, size_t length, uint64_t expected,
                         uint64_t *version, int64_t deadline, trouble *trouble);
skan_status records_remove(connection *connection, const char *key, uint64_t expected, int64_t deadline,
                           trouble *trouble);
skan_status records_list(connection *connection, skan_buffer *cursor, skan_buffer *keys, int64_t deadline,
                         trouble *trouble);

/* Each item has its status; what is answered is SKAN_OK, or what to report of them. */
skan_status records_load_many(connection *connection, skan_load_item *items, size_t count, int64_t deadline,
                              trouble *trouble);
skan_status records_save_many(connection *connection, skan_save_item *items, size_t count, int64_t deadline,
                              trouble *trouble);

/* What a row of LOAD or LOAD_MANY gave. */
skan_status records_take(const connection *connection, const PGresult *rows, int row, skan_buffer *out,
                         uint64_t *version, trouble *trouble);

/* Tries, and tries again while that is sure to change nothing and may help. */
typedef outcome attempt(connection *connection, void *context, int64_t deadline, trouble *trouble);
skan_status records_try(connection *connection, attempt *attempt, void *context, bool writes, int64_t deadline,
                        trouble *trouble);

#endif
