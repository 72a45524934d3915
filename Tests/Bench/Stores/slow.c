/* A host's own store, each call of which takes a millisecond. */
#define _GNU_SOURCE
#include "Trouble/Stores/database.h"
#include "host.h"

#include <time.h>

static host_store records;

static void take_a_millisecond(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

static skan_status slow_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    take_a_millisecond();
    return host_store_load(context, key, out, version);
}

static skan_status slow_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                             uint64_t *version) {
    take_a_millisecond();
    return host_store_save(context, key, data, length, expected, version);
}

void database_start(bool survives_kills) {
    (void)survives_kills;
    host_store_init(&records);
}

skan_store database_open(const char *user) {
    (void)user;
    return (skan_store){
        .size = sizeof(skan_store), .context = &records, .load = slow_load, .save = slow_save, .remove = host_store_remove};
}
