#include "cases.h"
#include "hooks.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 300 };

void save_and_load_many(const skan_store *store) {
    char keys[MANY][32], texts[MANY][32];
    skan_save_item saves[MANY];
    skan_load_item loads[MANY];
    uint64_t versions[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(keys[i], sizeof keys[i], "install-%d", i * 7919 % MANY);
        snprintf(texts[i], sizeof texts[i], "record %d", i);
        saves[i] = (skan_save_item){keys[i], texts[i], strlen(texts[i]), 0, 0, -1};
    }
    store->save_many(store->context, saves, MANY);
    for (int i = 0; i < MANY; i++) {
        EXPECT_STATUS(SKAN_OK, saves[i].status);
        EXPECT(saves[i].new_version != 0, "a version");
        EXPECT(holds_text(store, keys[i], texts[i]) && load(store, keys[i])->version == saves[i].new_version, "%s",
               keys[i]);
        versions[i] = saves[i].new_version;
    }
    /* Every kind of item in one batch, each answered as a single call would be. */
    for (int i = 0; i < MANY; i++) {
        saves[i] = (skan_save_item){keys[i], "changed", 7, versions[i], 0, -1};
        if (i % 6 == 1) saves[i].expected_version = versions[i] + 1;
        if (i % 6 == 2) saves[i].expected_version = 0;
        if (i % 6 == 3) saves[i].expected_version = versions[i] | UINT64_C(1) << 63;
        if (i % 6 == 4) snprintf(keys[i], sizeof keys[i], "new-%d", i), saves[i].expected_version = 0;
        if (i % 6 == 5) snprintf(keys[i], sizeof keys[i], "absent-%d", i);
    }
    store->save_many(store->context, saves, MANY);
    for (int i = 0; i < MANY; i++) {
        in_round("item %d", i);
        EXPECT_STATUS(i % 6 == 0 || i % 6 == 4 ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT, saves[i].status);
        const char *expected = i % 6 == 0 || i % 6 == 4 ? "changed" : i % 6 == 5 ? NULL : texts[i];
        EXPECT(holds_text(store, keys[i], expected), "%s", keys[i]);
        loads[i] = (skan_load_item){keys[i], skan_buffer_create(), 0, -1};
    }
    store->load_many(store->context, loads, MANY);
    for (int i = 0; i < MANY; i++) {
        in_round("item %d", i);
        const loaded *single = load(store, keys[i]);
        EXPECT_STATUS(single->status, loads[i].status);
        if (single->status == SKAN_OK)
            EXPECT(loads[i].version == single->version && skan_buffer_size(loads[i].out) == single->length &&
                       memcmp(skan_buffer_data(loads[i].out), single->bytes, single->length) == 0,
                   "as a single load gives it");
        skan_buffer_destroy(loads[i].out);
    }
}

void save_and_load_largest(const skan_store *store) {
    static unsigned char records[SKAN_BATCH_MAX][SKAN_RECORD_MAX];
    static char keys[SKAN_BATCH_MAX][SKAN_INSTALL_ID_MAX + 1];
    static skan_save_item saves[SKAN_BATCH_MAX];
    static skan_load_item loads[SKAN_BATCH_MAX];
    for (int i = 0; i < SKAN_BATCH_MAX; i++) {
        snprintf(keys[i], sizeof keys[i], "%0128d", i);
        for (int k = 0; k < SKAN_RECORD_MAX; k++) records[i][k] = (unsigned char)(rand() >> 7);
        saves[i] = (skan_save_item){keys[i], records[i], SKAN_RECORD_MAX, 0, 0, -1};
        loads[i] = (skan_load_item){keys[i], skan_buffer_create(), 0, -1};
    }
    store->save_many(store->context, saves, SKAN_BATCH_MAX);
    store->load_many(store->context, loads, SKAN_BATCH_MAX);
    for (int i = 0; i < SKAN_BATCH_MAX; i++) {
        EXPECT_STATUS(SKAN_OK, saves[i].status);
        EXPECT(loads[i].status == SKAN_OK && loads[i].version == saves[i].new_version &&
                   skan_buffer_size(loads[i].out) == SKAN_RECORD_MAX &&
                   memcmp(skan_buffer_data(loads[i].out), records[i], SKAN_RECORD_MAX) == 0,
               "record %d", i);
        skan_buffer_destroy(loads[i].out);
    }
}
