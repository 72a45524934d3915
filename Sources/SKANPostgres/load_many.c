/* Many loads by one statement, which is given all keys as an array. */
#define _GNU_SOURCE
#include "records.h"

#include <stdlib.h>
#include <string.h>

typedef struct loads {
    parameters given;
    skan_load_item **sorted; /* by key */
    size_t count;
    skan_status spoiled; /* of records that cannot be taken; SKAN_OK = none */
    trouble trouble;
} loads;

static char *put_number(char *out, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) *out++ = (char)(number >> shift);
    return out;
}

/* The keys as an array in binary form: dimensions, whether there are NULLs, type, length, lower bound, elements. NULL
 * where memory fails. */
static char *array_of_keys(const skan_load_item *items, size_t count, size_t *size) {
    enum { BYTEA = 17 };
    *size = 20;
    for (size_t i = 0; i < count; i++) *size += 4 + strlen(items[i].key);
    char *array = malloc(*size);
    if (!array) return NULL;
    char *out = put_number(array, 1);
    out = put_number(out, 0);
    out = put_number(out, BYTEA);
    out = put_number(out, (uint32_t)count);
    out = put_number(out, 1);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(items[i].key);
        out = put_number(out, (uint32_t)length);
        memcpy(out, items[i].key, length);
        out += length;
    }
    return array;
}

static int by_key(const void *left, const void *right) {
    return strcmp((*(skan_load_item *const *)left)->key, (*(skan_load_item *const *)right)->key);
}

/* The item of a key; NULL where none has it. */
static skan_load_item *find(const loads *loads, const char *key, size_t length) {
    size_t low = 0, high = loads->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        skan_load_item *item = loads->sorted[middle];
        /* Keys hold no NUL, so that an item's own ends the comparison. */
        int order = strncmp(key, item->key, length);
        if (order == 0 && item->key[length] == '\0') return item;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void take_rows(loads *loads, connection *connection, const PGresult *rows) {
    for (size_t i = 0; i < loads->count; i++) loads->sorted[i]->status = SKAN_NOT_FOUND;
    for (int row = 0; row < PQntuples(rows); row++) {
        skan_load_item *item =
            PQnfields(rows) == 3 ? find(loads, PQgetvalue(rows, row, 2), (size_t)PQgetlength(rows, row, 2)) : NULL;
        if (!item) {
            loads->spoiled = trouble_set(&loads->trouble, SKAN_ERROR_STORE,
                                         "%.200s: load: a row that was not asked for", connection->settings->name);
            for (size_t i = 0; i < loads->count; i++) loads->sorted[i]->status = SKAN_ERROR_STORE;
            return;
        }
        item->status = records_take(connection, rows, row, item->out, &item->version, &loads->trouble);
        if (item->status != SKAN_OK) loads->spoiled = item->status;
    }
}

static outcome try_loads(connection *connection, void *context, int64_t deadline, trouble *trouble) {
    loads *loads = context;
    PGresult *rows;
    outcome outcome = connection_run(connection, LOAD_MANY, &loads->given, "load", deadline, &rows, trouble);
    if (outcome == DONE) take_rows(loads, connection, rows);
    PQclear(rows);
    return outcome;
}

skan_status records_load_many(pooled *lent, skan_load_item *items, size_t count, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    loads loads = {.sorted = calloc(count, sizeof *loads.sorted), .count = count, .spoiled = SKAN_OK};
    size_t size;
    char *keys = array_of_keys(items, count, &size);
    skan_status status = SKAN_OK;
    if (loads.sorted && keys) {
        for (size_t i = 0; i < count; i++) loads.sorted[i] = &items[i];
        qsort(loads.sorted, count, sizeof *loads.sorted, by_key);
        parameters_add_bytes(&loads.given, keys, size);
        status = records_try(connection, try_loads, &loads, false, lent->deadline, trouble);
    } else {
        status = trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: load: out of memory", connection->settings->name);
    }
    for (size_t i = 0; status != SKAN_OK && i < count; i++) items[i].status = status;
    free(loads.sorted);
    free(keys);
    if (status != SKAN_OK || loads.spoiled == SKAN_OK) return status;
    *trouble = loads.trouble;
    return loads.spoiled;
}
