/* Records under the keys of a Redis server. */
#ifndef RECORDS_H
#define RECORDS_H

#include "connection.h"

/* The name of the script that changes records. */
void records_name_script(char digits[41]);

/* Proves that the server lets this user read records and run the script; changes nothing. */
skan_status records_probe(connection *connection, int64_t deadline, trouble *trouble);
/* Refuses a server that evicts keys which are to be kept, where it tells. */
skan_status records_refuse_eviction(connection *connection, int64_t deadline, trouble *trouble);

/* As the hooks of a store; `trouble` is set where they answer an error other than a conflict. Those of many answer the
 * first error of an item, whose trouble is told. */
skan_status records_load_many(connection *connection, skan_load_item *items, size_t count, int64_t deadline,
                              trouble *trouble);
skan_status records_save_many(connection *connection, skan_save_item *items, size_t count, int64_t deadline,
                              trouble *trouble);
skan_status records_remove(connection *connection, const char *key, uint64_t expected, int64_t deadline,
                           trouble *trouble);
skan_status records_list(connection *connection, skan_buffer *cursor, skan_buffer *keys, int64_t deadline,
                         trouble *trouble);

#endif
