/* The outbox: partners are told of counted postbacks, at least once, whatever fails meanwhile.
 *
 * The record of a counted postback is what decides. Entries for its partners are written before it, prepared, and are
 * told only where the postback is counted: whether a process ends before or after counting, nothing is lost, and what
 * was never counted is never told. A worker takes an entry by moving its due time (compare and set), so that any number
 * of processes may share a store; one that dies leaves an entry that is due again soon. An entry that was told is
 * removed. A partner may be told again after a crash, with the same id. */
#ifndef OUTBOX_H
#define OUTBOX_H

#include "message.h"

#include <stdio.h>

typedef struct outbox outbox;

typedef struct outbox_settings {
    const skan_store *durable; /* where postbacks are: what is prepared must last */
    const skan_store *relaxed; /* the same store; what a power failure takes back there is repeated */
    const networks *networks;
    const postback_library *postbacks;
    message_models models;
    int64_t attempts;         /* before an entry is dead */
    int64_t pause_ms;         /* after the first attempt, doubled after each other one */
    int64_t longest_pause_ms;
    int64_t timeout_ms;       /* of an attempt */
    int64_t scan_seconds;     /* how often the store is searched for entries that others left */
} outbox_settings;

#define OUTBOX_TROUBLE_MAX 512

/* Begins to tell what is in the store. NULL, and why. What the settings point to outlives it. */
outbox *outbox_start(const outbox_settings *settings, char trouble[OUTBOX_TROUBLE_MAX]);

/* Before a valid postback is counted: writes its entries, unless it was counted before. SKAN_OK, and then is_prepared
 * says whether entries are there; else what the store answers, and the postback must not be counted. Any thread. */
skan_status outbox_prepare(outbox *outbox, const char *postback, const network *network, bool *is_prepared);
/* After it was counted: its partners are told at once. SKAN_OK, or, where counting took so long that its entries may
 * have been given up, what the store answers to writing them again. Any thread. */
skan_status outbox_activate(outbox *outbox, const char *postback, const network *network, int64_t prepared_at);
/* Microseconds since 1970. */
int64_t outbox_now(void);

/* Prometheus' text. Any thread. */
void outbox_write_metrics(outbox *outbox, FILE *out);

/* Takes nothing more, waits for what is under way, at most so long, and ends. */
void outbox_stop(outbox *outbox, unsigned grace_ms);

#endif
