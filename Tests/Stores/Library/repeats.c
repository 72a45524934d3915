#include "cases.h"
#include "hooks.h"

#include <stdio.h>
#include <string.h>

enum { IMPRESSIONS = 10000, MANY = 500, OTHER_PURCHASES = 63 };

static skan_status purchase(skan_engine *engine, const char *id) {
    return skan_update_revenue(engine, "player-1", AMOUNT(9.99), "USD", SKAN_IAP, id, &failure);
}

/* So many impressions in one call. */
static void show_ads(skan_engine *engine, int first) {
    static char ids[MANY][16];
    static skan_revenue items[MANY];
    skan_status statuses[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(ids[i], sizeof ids[i], "ad %d", first + i);
        items[i] = (skan_revenue){.size = sizeof *items,
                                  .install_id = "player-1",
                                  .amount = {.text = "0.001"},
                                  .currency = "USD",
                                  .kind = SKAN_AD,
                                  .event_id = ids[i]};
    }
    ANSWER(SKAN_OK, skan_update_revenue_many(engine, items, MANY, statuses, &failure));
    for (int i = 0; i < MANY; i++) EXPECT_STATUS(SKAN_OK, statuses[i]);
}

void know_old_repeats(const void *given) {
    const kit_subject *subject = given;
    skan_store store = opened(subject->place, subject->options);
    const skan_options options = {
        .size = sizeof options, .store = &store, .endpoint_url = "https://skan.example.com"};
    skan_engine *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    ANSWER(SKAN_OK, skan_forget(engine, "player-1", &failure));
    ANSWER(SKAN_OK, purchase(engine, "order"));
    for (int first = 0; first < IMPRESSIONS; first += MANY) show_ads(engine, first);
    for (int i = 0; i < OTHER_PURCHASES; i++) {
        char id[24];
        snprintf(id, sizeof id, "other order %d", i);
        ANSWER(SKAN_OK, purchase(engine, id));
    }
    ANSWER(SKAN_DUPLICATE_EVENT, purchase(engine, "order"));
    ANSWER(SKAN_OK, purchase(engine, "one order more"));
    ANSWER(SKAN_OK, purchase(engine, "order"));
    char *details = NULL;
    ANSWER(SKAN_OK, skan_details(engine, "player-1", &details, &failure));
    /* 66 purchases, as the repeat counted when it was no longer known. */
    EXPECT(details && strstr(details, "\"skan_total_revenue_by_currency\":{\"USD\":659.34}"), "%s", details);
    EXPECT(details && strstr(details, "\"skan_total_admon_revenue_by_currency\":{\"USD\":10}"), "%s", details);
    skan_free(details);
    ANSWER(SKAN_OK, skan_forget(engine, "player-1", &failure));
    skan_destroy(engine);
}
