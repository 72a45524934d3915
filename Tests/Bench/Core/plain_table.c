/* plain_table.c - installs, and the hash table of them. Not thread-safe. */
#include <stdlib.h>
#include <string.h>

#include "plain.h"

void plain_install_reset(plain_install *install) {
    memset(install, 0, sizeof *install);
    install->fine = install->previous_fine = PLAIN_NONE;
    install->first_call = install->last_call = PLAIN_NONE;
    for (int window = 0; window < PLAIN_WINDOWS; window++) {
        install->coarse[window] = install->previous_coarse[window] = PLAIN_NONE;
        install->lock[window] = PLAIN_NONE;
    }
}

static void free_install(plain_install *install) {
    for (int kind = 0; kind < 2; kind++) {
        free(install->lifetime[kind].amounts);
        for (int window = 0; window < PLAIN_WINDOWS; window++) free(install->window[kind][window].amounts);
    }
    for (int i = 0; install->events != NULL && i < PLAIN_EVENTS; i++) free(install->events->ring[i].id);
    free(install->events);
    free(install->id);
    free(install);
}

/* MurmurHash64A: eight bytes a step. */
uint64_t plain_hash(const char *text, size_t length) {
    const uint64_t m = 0xc6a4a7935bd1e995u;
    uint64_t hash = 0x9e3779b97f4a7c15u ^ (length * m);
    for (; length >= 8; text += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        word *= m;
        word ^= word >> 47;
        hash = (hash ^ (word * m)) * m;
    }
    if (length > 0) {
        uint64_t word = 0;
        memcpy(&word, text, length);
        hash = (hash ^ word) * m;
    }
    hash = (hash ^ (hash >> 47)) * m;
    return hash ^ (hash >> 47);
}

void plain_table_init(plain_table *table) {
    table->count = 0;
    table->capacity = 1024;
    table->buckets = calloc(table->capacity, sizeof *table->buckets);
    if (table->buckets == NULL) abort();
}

void plain_table_free(plain_table *table) {
    for (size_t i = 0; i < table->capacity; i++) {
        for (plain_install *install = table->buckets[i], *next; install != NULL; install = next) {
            next = install->next;
            free_install(install);
        }
    }
    free(table->buckets);
}

/* The link that points to the install, or to the NULL at the end of its chain. */
static plain_install **find_link(const plain_table *table, const char *id, uint64_t hash) {
    plain_install **link = &table->buckets[hash & (table->capacity - 1)];
    while (*link != NULL && ((*link)->hash != hash || strcmp((*link)->id, id) != 0)) link = &(*link)->next;
    return link;
}

static void grow(plain_table *table) {
    size_t capacity = table->capacity * 2;
    plain_install **buckets = calloc(capacity, sizeof *buckets);
    if (buckets == NULL) abort();
    for (size_t i = 0; i < table->capacity; i++) {
        for (plain_install *install = table->buckets[i], *next; install != NULL; install = next) {
            next = install->next;
            install->next = buckets[install->hash & (capacity - 1)];
            buckets[install->hash & (capacity - 1)] = install;
        }
    }
    free(table->buckets);
    table->buckets = buckets;
    table->capacity = capacity;
}

plain_install *plain_table_find(const plain_table *table, const char *id, size_t length) {
    return *find_link(table, id, plain_hash(id, length));
}

plain_install *plain_table_find_or_add(plain_table *table, const char *id, size_t length) {
    uint64_t hash = plain_hash(id, length);
    plain_install **link = find_link(table, id, hash);
    if (*link != NULL) return *link;
    if (table->count == table->capacity) {
        grow(table);
        link = &table->buckets[hash & (table->capacity - 1)];
    }
    plain_install *install = malloc(sizeof *install);
    if (install == NULL) abort();
    plain_install_reset(install);
    install->hash = hash;
    install->id = malloc(length + 1);
    if (install->id == NULL) abort();
    memcpy(install->id, id, length + 1);
    install->next = *link;
    *link = install;
    table->count++;
    return install;
}

void plain_table_remove(plain_table *table, const char *id, size_t length) {
    plain_install **link = find_link(table, id, plain_hash(id, length));
    plain_install *install = *link;
    if (install == NULL) return;
    *link = install->next;
    table->count--;
    free_install(install);
}
