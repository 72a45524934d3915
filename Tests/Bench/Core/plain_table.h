/* plain_table.h - a hash table of installs by id: chains that are kept short by growing. Not thread-safe. */
#ifndef BENCH_PLAIN_TABLE_H
#define BENCH_PLAIN_TABLE_H

#include "plain_install.h"

typedef struct plain_table {
    plain_install **buckets;
    size_t count, capacity; /* capacity is a power of two */
} plain_table;

uint64_t plain_hash(const char *text, size_t length);

void plain_table_init(plain_table *table);
void plain_table_free(plain_table *table);
/* NULL if it is not there. */
plain_install *plain_table_find(const plain_table *table, const char *id, size_t length);
plain_install *plain_table_find_or_add(plain_table *table, const char *id, size_t length);
void plain_table_remove(plain_table *table, const char *id, size_t length);

#endif
