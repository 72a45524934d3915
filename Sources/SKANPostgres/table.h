/* The table: whether it is one of this store, and making it. */
#ifndef TABLE_H
#define TABLE_H

#include "connection.h"

/* For a session that was just opened. Where `is_first`, a missing table is made if `makes_table`, and its index is
 * checked. SKAN_OK, SKAN_ERROR_STORE, SKAN_ERROR_RECORD_TOO_NEW. */
skan_status table_check(connection *connection, bool is_first, bool makes_table, int64_t deadline, trouble *trouble);

#endif
