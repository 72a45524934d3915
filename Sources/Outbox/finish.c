/* What came of calling partners, written down. */
#include "worker.h"

#include "../Serve/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Half of it is drawn: partners that come back are not called by all at once. */
static int64_t pause_after(outbox *outbox, int64_t attempts) {
    int64_t pause = outbox->settings.pause_ms;
    for (int64_t i = 1; i < attempts && pause < outbox->settings.longest_pause_ms; i++) pause *= 2;
    if (pause > outbox->settings.longest_pause_ms) pause = outbox->settings.longest_pause_ms;
    outbox->random ^= outbox->random << 13;
    outbox->random ^= outbox->random >> 7;
    outbox->random ^= outbox->random << 17;
    int64_t half = pause * 500;
    return half + (half > 0 ? (int64_t)(outbox->random % (uint64_t)half) : 0);
}

/* A partner that is down fails very often: its reason is told now and then. */
static void complain_of(outbox *outbox, const entry_name *name, const char *what, const char *reason, bool always) {
    int64_t now = outbox_now();
    if (!always && now < outbox->next_complaint) return;
    if (!always) outbox->next_complaint = now + 10 * SECOND;
    char words[512];
    snprintf(words, sizeof words, "%s/%s %s: %s", name->network, name->partner, what, reason);
    log_event("partner", words);
}

static skan_status save_entry(outbox *outbox, const char *key, const entry *entry, uint64_t version) {
    char bytes[ENTRY_BYTES_MAX];
    uint64_t new_version = 0;
    const skan_store *store = outbox->settings.relaxed;
    return store->save(store->context, key, bytes, entry_write(entry, bytes), version, &new_version);
}

void worker_bury(outbox *outbox, due_entry *known, entry *entry, uint64_t version, const char *reason) {
    entry_name name;
    entry->state = ENTRY_DEAD;
    if (entry->reason != reason) snprintf(entry->reason, sizeof entry->reason, "%s", reason);
    skan_status status = save_entry(outbox, known->key, entry, version);
    if (status == SKAN_OK) {
        atomic_fetch_add(&outbox->died, 1);
        atomic_fetch_add(&outbox->dead, 1);
        if (entry_name_read(known->key, &name)) complain_of(outbox, &name, "is given up", entry->reason, true);
        worker_forget(outbox, known);
    } else {
        /* Looked at again: it is dead then, another worker's, or there to be buried. */
        worker_return(outbox, known, outbox_now() + 5 * SECOND);
    }
}

static void write_success(outbox *outbox, attempt *attempt) {
    const skan_store *store = outbox->settings.relaxed;
    atomic_fetch_add(&outbox->delivered, 1);
    skan_status status = store->remove(store->context, attempt->known->key, attempt->version);
    if (status == SKAN_OK || status == SKAN_ERROR_STORE_CONFLICT) {
        worker_forget(outbox, attempt->known);
    } else {
        log_event("outbox", "what a partner was told could not be removed, it is told again");
        worker_return(outbox, attempt->known, attempt->entry.due);
    }
}

static void write_failure(outbox *outbox, attempt *attempt, bool was_cancelled) {
    int64_t now = outbox_now();
    if (was_cancelled) {
        attempt->entry.attempts--;
        attempt->entry.due = now;
    } else {
        atomic_fetch_add(&outbox->failed, 1);
        complain_of(outbox, &attempt->name, "could not be told", attempt->reason, false);
        memcpy(attempt->entry.reason, attempt->reason, sizeof attempt->entry.reason);
        attempt->entry.due = now + pause_after(outbox, attempt->entry.attempts);
    }
    if (attempt->entry.attempts >= outbox->settings.attempts && !was_cancelled) {
        worker_bury(outbox, attempt->known, &attempt->entry, attempt->version, attempt->reason);
        return;
    }
    /* Where this fails it is due once the worker's time is over. */
    skan_status status = save_entry(outbox, attempt->known->key, &attempt->entry, attempt->version);
    worker_return(outbox, attempt->known, status == SKAN_OK ? attempt->entry.due : now + worker_lease(outbox));
}

void worker_write_down(outbox *outbox, attempt *done) {
    while (done) {
        attempt *next = done->next;
        if (done->status == SKAN_OK)
            write_success(outbox, done);
        else
            write_failure(outbox, done, outbox->is_cancelling);
        free(done);
        done = next;
    }
}
