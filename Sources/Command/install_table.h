/* One install as people read it. */
#ifndef INSTALL_TABLE_H
#define INSTALL_TABLE_H

#include <skan/skan.h>

/* Prints what is known of it; `pending` with id 0 is none. */
void install_table_print(const char *id, const skan_record *record, const char *details, const skan_update *pending);

#endif
