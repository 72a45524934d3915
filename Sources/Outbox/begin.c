/* Entries that are due: those that may be told are taken, and their partners called. */
#include "worker.h"

#include "../Serve/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 4096 }; /* in a row, for partners that have less under way than they may */

/* Entries that are looked at together. */
typedef struct batch {
    attempt *attempts[OUTBOX_AT_ONCE];
    skan_load_item items[OUTBOX_AT_ONCE];
    size_t count;
} batch;

static void drop(batch *batch, size_t index) {
    free(batch->attempts[index]->url);
    free(batch->attempts[index]);
    batch->attempts[index] = NULL;
}

static void forget(outbox *outbox, batch *batch, size_t index) {
    worker_forget(outbox, batch->attempts[index]->known);
    drop(batch, index);
}

static void postpone(outbox *outbox, batch *batch, size_t index, int64_t due) {
    worker_return(outbox, batch->attempts[index]->known, due);
    drop(batch, index);
}

static void bury(outbox *outbox, batch *batch, size_t index, const char *reason) {
    attempt *attempt = batch->attempts[index];
    worker_bury(outbox, attempt->known, &attempt->entry, attempt->version, reason);
    drop(batch, index);
}

/* Those that are left move to the front. */
static void close_gaps(batch *batch) {
    size_t count = 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (!batch->attempts[i]) continue;
        skan_buffer *buffer = batch->items[count].out;
        batch->items[count].out = batch->items[i].out;
        batch->items[i].out = buffer;
        batch->attempts[count++] = batch->attempts[i];
    }
    batch->count = count;
}

/* Whether a partner has as much under way as it may; the mutex is held. */
static bool is_busy(const outbox *outbox, const batch *batch, const partner *partner) {
    if (!partner || networks_partner_count(outbox->settings.networks) == 1) return false;
    size_t count = outbox->under_way_of[partner->index];
    for (size_t i = 0; i < batch->count; i++) count += batch->attempts[i]->partner == partner;
    return count >= OUTBOX_AT_ONCE_OF_ONE;
}

static void take_due(outbox *outbox, batch *batch) {
    const networks *networks = outbox->settings.networks;
    int64_t now = outbox_now();
    pthread_mutex_lock(&outbox->mutex);
    for (int i = 0; i < LOOKED_AT && batch->count + outbox->under_way < OUTBOX_AT_ONCE; i++) {
        attempt *made = calloc(1, sizeof *made);
        due_entry *known = made ? due_queue_take(outbox->queue, now) : NULL;
        if (!known) {
            free(made);
            break;
        }
        made->outbox = outbox;
        made->known = known;
        if (entry_name_read(known->key, &made->name))
            made->partner = networks_partner(networks, made->name.network, made->name.partner);
        if (is_busy(outbox, batch, made->partner)) {
            due_queue_return(outbox->queue, known, now + SECOND / 10);
            free(made);
            continue;
        }
        batch->attempts[batch->count++] = made;
    }
    pthread_mutex_unlock(&outbox->mutex);
}

static bool was_activated(outbox *outbox, const due_entry *known) {
    pthread_mutex_lock(&outbox->mutex);
    bool answer = known->is_activated;
    pthread_mutex_unlock(&outbox->mutex);
    return answer;
}

static void load_entries(outbox *outbox, batch *batch) {
    int64_t now = outbox_now();
    for (size_t i = 0; i < batch->count; i++) batch->items[i].key = batch->attempts[i]->known->key;
    many_load(outbox->settings.relaxed, batch->items, batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        const skan_load_item *item = &batch->items[i];
        attempt *attempt = batch->attempts[i];
        attempt->version = item->version;
        if (item->status == SKAN_NOT_FOUND) {
            forget(outbox, batch, i);
        } else if (item->status != SKAN_OK || item->version == 0) {
            postpone(outbox, batch, i, now + 5 * SECOND);
        } else if (!entry_read(skan_buffer_data(item->out), skan_buffer_size(item->out), &attempt->entry)) {
            log_event("outbox", "a record of the outbox cannot be read, it stays");
            forget(outbox, batch, i);
        } else if (attempt->entry.state == ENTRY_DEAD) {
            forget(outbox, batch, i);
        } else if (attempt->entry.due > now &&
                   !(attempt->entry.state == ENTRY_PREPARED && was_activated(outbox, attempt->known))) {
            postpone(outbox, batch, i, attempt->entry.due);
        } else if (attempt->entry.attempts >= outbox->settings.attempts) {
            bury(outbox, batch, i, attempt->entry.reason[0] ? attempt->entry.reason : "no answer was written down");
        }
    }
    close_gaps(batch);
}

/* Its postback is not counted: it will be soon, or never. */
static void await_count(outbox *outbox, batch *batch, size_t index) {
    attempt *attempt = batch->attempts[index];
    const skan_store *store = outbox->settings.relaxed;
    int64_t now = outbox_now();
    if (now - attempt->entry.created < GIVE_UP_AFTER) {
        postpone(outbox, batch, index, now + worker_lease(outbox));
    } else {
        store->remove(store->context, attempt->known->key, attempt->version);
        forget(outbox, batch, index);
    }
}

static void load_postbacks(outbox *outbox, batch *batch) {
    const outbox_settings *settings = &outbox->settings;
    for (size_t i = 0; i < batch->count; i++) {
        batch->items[i].key = batch->attempts[i]->name.postback;
        /* Partners of one postback: keys of a call are distinct, so the others take another one. */
        for (size_t k = 0; k < i; k++)
            if (batch->attempts[i] && batch->attempts[k] &&
                strcmp(batch->attempts[k]->name.postback, batch->attempts[i]->name.postback) == 0)
                postpone(outbox, batch, i, 0);
    }
    close_gaps(batch);
    for (size_t i = 0; i < batch->count; i++) batch->items[i].key = batch->attempts[i]->name.postback;
    if (batch->count > 0) many_load(settings->relaxed, batch->items, batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        const skan_load_item *item = &batch->items[i];
        attempt *attempt = batch->attempts[i];
        char problem[sizeof attempt->reason] = "";
        if (item->status == SKAN_NOT_FOUND)
            await_count(outbox, batch, i);
        else if (item->status != SKAN_OK)
            postpone(outbox, batch, i, outbox_now() + 5 * SECOND);
        else if (!attempt->partner)
            bury(outbox, batch, i, "this partner is not in the file of networks");
        else if (!(attempt->url = message_url(settings->postbacks, &settings->models, &attempt->name, attempt->partner,
                                              skan_buffer_data(item->out), skan_buffer_size(item->out), problem,
                                              sizeof problem)))
            bury(outbox, batch, i, problem);
    }
    close_gaps(batch);
}

/* From here on it is this worker's until it is due. */
static void take_entries(outbox *outbox, batch *batch) {
    static const size_t size = ENTRY_BYTES_MAX;
    skan_save_item items[OUTBOX_AT_ONCE];
    char *bytes = malloc(OUTBOX_AT_ONCE * size);
    int64_t now = outbox_now();
    for (size_t i = 0; i < batch->count; i++) {
        attempt *attempt = batch->attempts[i];
        if (!bytes) {
            postpone(outbox, batch, i, now + 5 * SECOND);
            continue;
        }
        attempt->entry.state = ENTRY_WAITING;
        attempt->entry.attempts++;
        attempt->entry.due = now + worker_lease(outbox);
        items[i] = (skan_save_item){.key = attempt->known->key,
                                    .data = bytes + i * size,
                                    .length = entry_write(&attempt->entry, bytes + i * size),
                                    .expected_version = attempt->version};
    }
    if (bytes && batch->count > 0) many_save(outbox->settings.relaxed, items, batch->count);
    for (size_t i = 0; bytes && i < batch->count; i++) {
        if (items[i].status == SKAN_OK && items[i].new_version != 0)
            batch->attempts[i]->version = items[i].new_version;
        else if (items[i].status == SKAN_ERROR_STORE)
            postpone(outbox, batch, i, now + 5 * SECOND);
        else /* another worker's, or perhaps this one's: then it is due again */
            postpone(outbox, batch, i, now + worker_lease(outbox));
    }
    free(bytes);
    close_gaps(batch);
}

static void finish(attempt *attempt, skan_status status, const char *reason) {
    outbox *outbox = attempt->outbox;
    attempt->status = status;
    snprintf(attempt->reason, sizeof attempt->reason, "%s", reason);
    pthread_mutex_lock(&outbox->mutex);
    attempt->next = outbox->finished;
    outbox->finished = attempt;
    pthread_cond_signal(&outbox->changed);
    pthread_mutex_unlock(&outbox->mutex);
}

static void told(void *context, skan_status status, const void *body, size_t length, const char *message) {
    (void)body;
    (void)length;
    finish(context, status, message);
}

static void call(outbox *outbox, attempt *attempt) {
    char *url = attempt->url;
    skan_error *error = NULL;
    attempt->url = NULL;
    /* The attempt is gone, maybe, once this is back. */
    skan_status status = outbox->http.request_start(outbox->client, url, told, attempt, NULL, &error);
    if (status != SKAN_OK) finish(attempt, status, skan_error_message(error));
    skan_error_free(error);
    free(url);
}

void worker_begin_due(outbox *outbox) {
    batch batch = {0};
    take_due(outbox, &batch);
    if (batch.count == 0) return;
    size_t made = batch.count;
    for (size_t i = 0; i < made; i++) batch.items[i].out = skan_buffer_create();
    load_entries(outbox, &batch);
    load_postbacks(outbox, &batch);
    take_entries(outbox, &batch);
    pthread_mutex_lock(&outbox->mutex);
    outbox->under_way += batch.count;
    for (size_t i = 0; i < batch.count; i++) outbox->under_way_of[batch.attempts[i]->partner->index]++;
    pthread_mutex_unlock(&outbox->mutex);
    for (size_t i = 0; i < batch.count; i++) call(outbox, batch.attempts[i]);
    for (size_t i = 0; i < made; i++) skan_buffer_destroy(batch.items[i].out);
}
