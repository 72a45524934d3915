/*
 * Many saves in one round trip, by libpq's pipeline mode: each item is the statement that a single call would send, so
 * that it is answered alike, on every engine that speaks the protocol. They are one transaction, in the order of their
 * keys: two batches that meet wait for each other, and never each for the other.
 */
#define _GNU_SOURCE
#include "../StoreSupport/versions.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

/* Reads the results of one statement after the other; `each` is told those that were done. */
typedef void result_taker(void *context, size_t number, const PGresult *result);

typedef struct batch {
    connection *connection;
    const char *doing;
    int64_t deadline;
    trouble *trouble;
    size_t held; /* bytes given to libpq since it was last made to send them */
} batch;

enum { HELD_MAX = 65536 };

static outcome end_batch(batch *batch, outcome outcome) {
    connection *connection = batch->connection;
    if (connection->session && !PQexitPipelineMode(connection->session)) connection->is_dying = true;
    connection_settle(connection, outcome);
    return outcome;
}

static outcome begin_batch(batch *batch) {
    if (PQenterPipelineMode(batch->connection->session)) return DONE;
    batch->connection->is_dying = true;
    trouble_set(batch->trouble, SKAN_ERROR_STORE, "%.200s: %s: no pipeline", batch->connection->settings->name,
                batch->doing);
    connection_settle(batch->connection, UNREACHED);
    return UNREACHED;
}

/* The server rolls back what it is never told to commit. */
static outcome unsent(batch *batch, outcome outcome) {
    if (outcome == DONE)
        trouble_set(batch->trouble, SKAN_ERROR_STORE, "%.200s: %s: cannot be sent", batch->connection->settings->name,
                    batch->doing);
    end_batch(batch, LOST);
    return UNREACHED;
}

/* libpq would hold everything in one buffer, and move all of it for each piece that the server takes. */
static outcome send_item(batch *batch, statement_kind kind, const parameters *given) {
    if (!connection_send(batch->connection, kind, given)) return unsent(batch, DONE);
    for (int i = 0; i < given->count; i++) batch->held += (size_t)given->lengths[i];
    if (batch->held < HELD_MAX) return DONE;
    batch->held = 0;
    outcome outcome = connection_flush(batch->connection, batch->doing, batch->deadline, batch->trouble);
    return outcome == DONE ? DONE : unsent(batch, outcome);
}

/* The first trouble is the one that counts: what follows it says that it follows. But a session lost in the middle of
 * an answer takes away what the answer said. */
static outcome worse(outcome before, outcome now) {
    if (before == DONE) return now;
    return now == LOST || now == LATE || now == UNCERTAIN ? now : before;
}

static outcome take_results(batch *batch, result_taker *each, void *context) {
    outcome all = DONE;
    size_t number = 0;
    bool has_ended = false; /* a statement; two ends in a row are the session's */
    for (;;) {
        PGresult *result;
        trouble trouble;
        outcome outcome = connection_next(batch->connection, batch->doing, batch->deadline, &result, &trouble);
        if (outcome == DONE && !result && has_ended) {
            trouble_set(&trouble, SKAN_ERROR_STORE, "%.200s: %s: the answer ended in its middle",
                        batch->connection->settings->name, batch->doing);
            outcome = LOST;
        } else if (outcome == DONE && !result) {
            has_ended = true;
            number++;
            continue;
        }
        if (outcome == DONE) outcome = connection_judge(batch->connection, result, batch->doing, &trouble);
        bool is_last = result && PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        if (outcome == DONE && !is_last) each(context, number, result);
        PQclear(result);
        has_ended = false;
        if (worse(all, outcome) != all) *batch->trouble = trouble;
        all = worse(all, outcome);
        if (is_last || outcome == LOST || outcome == LATE) return end_batch(batch, all);
    }
}

typedef struct saves {
    skan_save_item **sorted; /* those that are sent */
    uint64_t *versions;      /* drawn for them */
    size_t count;
    bool has_inserts, has_updates, is_committed;
} saves;

static int by_key(const void *left, const void *right) {
    return strcmp((*(skan_save_item *const *)left)->key, (*(skan_save_item *const *)right)->key);
}

/* Results come for BEGIN, the items, COMMIT. */
static void take_save(void *context, size_t number, const PGresult *result) {
    saves *saves = context;
    if (number == saves->count + 1) saves->is_committed = strcmp(PQcmdStatus((PGresult *)result), "COMMIT") == 0;
    if (number == 0 || number > saves->count) return;
    skan_save_item *item = saves->sorted[number - 1];
    bool is_saved = strcmp(PQcmdTuples((PGresult *)result), "1") == 0;
    item->new_version = is_saved ? saves->versions[number - 1] : 0;
    item->status = is_saved ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
}

static outcome send_save(batch *batch, const skan_save_item *item, uint64_t version) {
    parameters given = {0};
    parameters_add_bytes(&given, item->key, strlen(item->key));
    parameters_add_number(&given, version);
    parameters_add_bytes(&given, item->data, item->length);
    if (item->expected_version != 0) parameters_add_number(&given, item->expected_version);
    return send_item(batch, item->expected_version == 0 ? INSERT : UPDATE, &given);
}

static bool send_text(connection *connection, const char *sql) {
    return PQsendQueryParams(connection->session, sql, 0, NULL, NULL, NULL, NULL, 1);
}

static outcome try_saves(connection *connection, void *context, int64_t deadline, trouble *trouble) {
    saves *saves = context;
    batch batch = {connection, "save", deadline, trouble, 0};
    outcome outcome = DONE;
    saves->is_committed = false;
    if (saves->has_inserts) outcome = connection_prepare(connection, INSERT, batch.doing, deadline, trouble);
    if (outcome == DONE && saves->has_updates)
        outcome = connection_prepare(connection, UPDATE, batch.doing, deadline, trouble);
    if (outcome == DONE) outcome = begin_batch(&batch);
    if (outcome != DONE) return outcome;
    if (!send_text(connection, "BEGIN")) return unsent(&batch, DONE);
    for (size_t i = 0; outcome == DONE && i < saves->count; i++)
        outcome = send_save(&batch, saves->sorted[i], saves->versions[i]);
    if (outcome != DONE) return outcome;
    if (!send_text(connection, "COMMIT") || !PQpipelineSync(connection->session)) {
        unsent(&batch, DONE);
        return LOST;
    }
    outcome = take_results(&batch, take_save, saves);
    if (outcome == DONE && !saves->is_committed) {
        trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: save: the server rolled the batch back",
                    connection->settings->name);
        return REFUSED;
    }
    if (outcome == DONE || !connection->session || PQtransactionStatus(connection->session) == PQTRANS_IDLE)
        return outcome;
    /* What was refused left its transaction open. */
    PGresult *nothing;
    struct trouble unused;
    connection_ask(connection, "ROLLBACK", "save", deadline, &nothing, &unused);
    PQclear(nothing);
    return outcome;
}

/* Draws versions and sorts; items that cannot be sent are answered. */
static skan_status prepare_saves(saves *saves, skan_save_item *items, size_t count, trouble *trouble) {
    for (size_t i = 0; i < count; i++) {
        items[i].status = SKAN_ERROR_STORE_CONFLICT;
        if (items[i].expected_version > VERSION_MAX) continue;
        items[i].status = SKAN_ERROR_STORE_UNKNOWN;
        saves->sorted[saves->count++] = &items[i];
        if (items[i].expected_version == 0)
            saves->has_inserts = true;
        else
            saves->has_updates = true;
    }
    qsort(saves->sorted, saves->count, sizeof *saves->sorted, by_key);
    for (size_t i = 0; i < saves->count; i++)
        if (version_draw(saves->sorted[i]->expected_version, &saves->versions[i], trouble) != SKAN_OK)
            return trouble->status;
    return SKAN_OK;
}

skan_status records_save_many(pooled *lent, skan_save_item *items, size_t count, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    saves saves = {.sorted = calloc(count, sizeof *saves.sorted), .versions = calloc(count, sizeof *saves.versions)};
    skan_status status = SKAN_OK;
    if (!saves.sorted || !saves.versions)
        status = trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: save: out of memory", connection->settings->name);
    if (status == SKAN_OK) status = prepare_saves(&saves, items, count, trouble);
    if (status == SKAN_OK && saves.count > 0)
        status = records_try(connection, try_saves, &saves, true, lent->deadline, trouble);
    for (size_t i = 0; status != SKAN_OK && i < count; i++)
        if (items[i].expected_version <= VERSION_MAX) items[i].status = status;
    free(saves.sorted);
    free(saves.versions);
    return status;
}
