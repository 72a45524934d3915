/*
 * A store beside doing it by hand, and a thousand records or purchases in one call beside one by one:
 *   bench [records] [rounds]
 * Rounds of both take turns; printed are the medians, and the median of each round's ratio. Nothing is asserted.
 */
#define _GNU_SOURCE
#include "bench.h"
#include "Bench/measure.h"
#include "Stores/Library/hooks.h"

#include <stdio.h>
#include <stdlib.h>

static int records = 1000, rounds = 41;
static skan_store store;
static skan_engine *engine;
skan_buffer *buffer;
char record[RECORD];

void must(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s failed\n", what);
    exit(2);
}

void key_of(int call, char *key) {
    snprintf(key, 32, "player-%08x", (unsigned)(call % records) * 2654435761u);
}

/* ------------------------------------------------------------------------------------------------------------ sides */

static void run_store(int first, int count) {
    char key[32];
    for (int i = first; i < first + count; i++) {
        key_of(i, key);
        uint64_t version = 0, saved = 0;
        skan_status status = store.load(store.context, key, buffer, &version);
        must(status == SKAN_OK || status == SKAN_NOT_FOUND, "load");
        record[i % RECORD]++;
        must(store.save(store.context, key, record, RECORD, version, &saved) == SKAN_OK, "save");
    }
}

static void run_batch(int first, int count) {
    static char keys[BATCH][32];
    static skan_load_item loads[BATCH];
    static skan_save_item saves[BATCH];
    for (int i = 0; i < count; i++) {
        snprintf(keys[i], sizeof keys[i], "player-%08x", (unsigned)((first + i) % BATCH) * 2654435761u);
        if (!loads[i].out) loads[i].out = skan_buffer_create();
        loads[i] = (skan_load_item){keys[i], loads[i].out, 0, -1};
    }
    store.load_many(store.context, loads, (size_t)count);
    for (int i = 0; i < count; i++) {
        must(loads[i].status == SKAN_OK || loads[i].status == SKAN_NOT_FOUND, "load_many");
        saves[i] = (skan_save_item){keys[i], record, RECORD, loads[i].version, 0, -1};
    }
    store.save_many(store.context, saves, (size_t)count);
    for (int i = 0; i < count; i++) must(saves[i].status == SKAN_OK, "save_many");
}

static void run_purchases(int first, int count) {
    char id[32];
    for (int i = first; i < first + count; i++) {
        snprintf(id, sizeof id, "buyer-%08x", (unsigned)i * 2654435761u);
        must(skan_update_revenue(engine, id, (skan_amount){.number = 0.99}, "USD", SKAN_IAP, NULL, NULL) == SKAN_OK,
             "skan_update_revenue");
    }
}

static void run_purchases_at_once(int first, int count) {
    static char ids[BATCH][32];
    static skan_revenue items[BATCH];
    static skan_status statuses[BATCH];
    for (int i = 0; i < count; i++) {
        snprintf(ids[i], sizeof ids[i], "buyer-%08x", (unsigned)(first + i) * 2654435761u);
        items[i] = (skan_revenue){
            .size = sizeof *items, .install_id = ids[i], .amount = {.number = 0.99}, .currency = "USD"};
    }
    must(skan_update_revenue_many(engine, items, (size_t)count, statuses, NULL) == SKAN_OK, "skan_update_revenue_many");
}

/* -------------------------------------------------------------------------------------------------------- comparing */

static void close_all(void) {
    kind.close(&store);
    close_by_hand();
}

typedef struct side {
    const char *name;
    void (*run)(int first, int count);
} side;

static void print_line(const setting *setting, const char *one, const char *other, double took[2][MAX_ROUNDS],
                       double *ratios, int rounds) {
    size_t count = (size_t)rounds;
    printf("%-30s %-12s %8.1f us  %-12s %8.1f us  ratio %.2f\n", setting->name, one, median(took[0], count), other,
           median(took[1], count), median(ratios, count));
}

static void compare(const setting *setting, side one, side other, int count, int most) {
    double took[2][MAX_ROUNDS], ratios[MAX_ROUNDS];
    open_both(setting, &store);
    run_store(0, records);
    run_by_hand(0, records);
    for (int round = 0; round < most; round++) {
        if (setting->reopens) {
            close_all();
            open_both(setting, &store);
            one.run(0, 10);
            other.run(0, 10);
        }
        for (int turn = 0; turn < 2; turn++) {
            int which = (turn + round) % 2;
            double start = seconds_now();
            (which ? other : one).run(round * count, count);
            took[which][round] = (seconds_now() - start) / count * 1e6;
        }
        ratios[round] = took[0][round] / took[1][round];
    }
    close_all();
    print_line(setting, one.name, other.name, took, ratios, most);
}

/* An engine has the store of all rounds. */
static void compare_purchases(const setting *setting) {
    open_both(setting, &store);
    const skan_options options = {
        .size = sizeof options, .store = &store, .endpoint_url = "https://skan.example.com"};
    must(skan_create(&options, &engine, NULL) == SKAN_OK, "skan_create");
    run_purchases(0, BATCH);
    double took[2][MAX_ROUNDS], ratios[MAX_ROUNDS];
    for (int round = 0; round < setting->rounds; round++) {
        for (int at_once = 0; at_once < 2; at_once++) {
            double start = seconds_now();
            (at_once ? run_purchases_at_once : run_purchases)(0, BATCH);
            took[at_once][round] = (seconds_now() - start) / BATCH * 1e6;
        }
        ratios[round] = took[0][round] / took[1][round];
    }
    print_line(setting, "purchases", "in one call", took, ratios, setting->rounds);
    skan_destroy(engine); /* closes the store */
    close_by_hand();
}

int main(int count, char **texts) {
    if (count > 1) records = atoi(texts[1]);
    if (count > 2) rounds = atoi(texts[2]);
    if (records < 1 || rounds < 1 || rounds > MAX_ROUNDS) return 2;
    buffer = skan_buffer_create();
    printf("load and save of a record of %d bytes, of %d records; and %d at once\n", RECORD, records, BATCH);
    for (const setting *setting = settings; setting->name; setting++) {
        int batches = rounds < setting->rounds ? rounds : setting->rounds;
        compare(setting, (side){"store", run_store}, (side){"by hand", run_by_hand}, setting->count, rounds);
        compare(setting, (side){"one by one", run_store}, (side){"at once", run_batch}, BATCH, batches);
        compare_purchases(setting);
    }
    skan_buffer_destroy(buffer);
    return 0;
}
