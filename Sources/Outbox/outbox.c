#include "outbox.h"

#include "worker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

int64_t outbox_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static bool wrong(char trouble[OUTBOX_TROUBLE_MAX], const char *words) {
    snprintf(trouble, OUTBOX_TROUBLE_MAX, "%s", words);
    return false;
}

/* One attempt each: the outbox pauses between them, for longer than the client would. */
static bool make_client(outbox *outbox, char trouble[OUTBOX_TROUBLE_MAX]) {
    uint32_t timeout = (uint32_t)outbox->settings.timeout_ms;
    const skan_http_options options = {.size = sizeof options,
                                       .timeout_ms = timeout,
                                       .attempt_timeout_ms = timeout,
                                       .connect_timeout_ms = timeout,
                                       .max_attempts = 1,
                                       .max_connections = OUTBOX_AT_ONCE};
    skan_error *error = NULL;
    if (!http_library_open(&outbox->http)) return wrong(trouble, "partners cannot be called");
    bool is_made = outbox->http.client_create(&options, &outbox->client, &error) == SKAN_OK;
    if (!is_made) wrong(trouble, skan_error_message(error));
    skan_error_free(error);
    return is_made;
}

static void init_locks(outbox *outbox) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&outbox->mutex, NULL);
    pthread_cond_init(&outbox->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void free_outbox(outbox *outbox) {
    if (outbox->client) outbox->http.client_destroy(outbox->client);
    group_saver_destroy(outbox->saver);
    free(outbox->under_way_of);
    due_queue_destroy(outbox->queue);
    skan_buffer_destroy(outbox->cursor);
    skan_buffer_destroy(outbox->page);
    pthread_cond_destroy(&outbox->changed);
    pthread_mutex_destroy(&outbox->mutex);
    free(outbox);
}

outbox *outbox_start(const outbox_settings *settings, char trouble[OUTBOX_TROUBLE_MAX]) {
    outbox *made = calloc(1, sizeof *made);
    if (!made) {
        wrong(trouble, "out of memory");
        return NULL;
    }
    made->settings = *settings;
    init_locks(made);
    made->saver = group_saver_create(settings->durable);
    made->queue = due_queue_create(OUTBOX_KNOWN_MAX);
    made->cursor = skan_buffer_create();
    made->page = skan_buffer_create();
    made->under_way_of = calloc(networks_partner_count(settings->networks), sizeof *made->under_way_of);
    bool is_fine = made->saver && made->queue && made->cursor && made->page && made->under_way_of;
    if (!is_fine) wrong(trouble, "out of memory");
    if (is_fine && !settings->relaxed->list) is_fine = wrong(trouble, "this store lists no keys");
    if (is_fine && getrandom(&made->random, sizeof made->random, 0) != sizeof made->random)
        is_fine = wrong(trouble, "no random numbers");
    made->random |= 1;
    if (is_fine) is_fine = make_client(made, trouble);
    if (is_fine && pthread_create(&made->thread, NULL, worker_run, made) != 0)
        is_fine = wrong(trouble, "cannot start a thread");
    if (is_fine) return made;
    free_outbox(made);
    return NULL;
}

void outbox_stop(outbox *outbox, unsigned grace_ms) {
    if (!outbox) return;
    pthread_mutex_lock(&outbox->mutex);
    outbox->is_stopping = true;
    clock_gettime(CLOCK_MONOTONIC, &outbox->stop_by);
    int64_t nanoseconds = outbox->stop_by.tv_nsec + (int64_t)grace_ms * 1000000;
    outbox->stop_by.tv_sec += nanoseconds / 1000000000;
    outbox->stop_by.tv_nsec = nanoseconds % 1000000000;
    pthread_cond_signal(&outbox->changed);
    pthread_mutex_unlock(&outbox->mutex);
    pthread_join(outbox->thread, NULL);
    free_outbox(outbox);
}

/* -------------------------------------------------------------------------------------------------------- preparing */

/* Writes the entries of a postback; those that are there stay as they are. */
static skan_status write_entries(outbox *outbox, const char *postback, const network *network) {
    skan_save_item items[PARTNERS_MAX];
    char keys[PARTNERS_MAX][ENTRY_KEY_SIZE], bytes[ENTRY_BYTES_MAX];
    int64_t now = outbox_now();
    const entry prepared = {.state = ENTRY_PREPARED, .created = now, .due = now + worker_lease(outbox)};
    size_t length = entry_write(&prepared, bytes), count = network->partner_count;
    for (size_t i = 0; i < count; i++) {
        if (!entry_key(keys[i], postback, network->name, network->partners[i].name)) return SKAN_ERROR_INVALID_ARGUMENT;
        items[i] = (skan_save_item){.key = keys[i], .data = bytes, .length = length};
    }
    group_saver_save(outbox->saver, items, count);
    for (size_t i = 0; i < count; i++) {
        /* Where it is open whether one was written it is not relied upon: the sender sends again. */
        bool is_there = items[i].status == SKAN_ERROR_STORE_CONFLICT ||
                        (items[i].status == SKAN_OK && items[i].new_version != 0);
        if (!is_there) return SKAN_ERROR_STORE;
    }
    return SKAN_OK;
}

skan_status outbox_prepare(outbox *outbox, const char *postback, const network *network, bool *is_prepared) {
    const skan_store *store = outbox->settings.durable;
    *is_prepared = false;
    if (network->partner_count == 0) return SKAN_OK;
    skan_buffer *buffer = skan_buffer_create();
    uint64_t version = 0;
    skan_status status = store->load(store->context, postback, buffer, &version);
    skan_buffer_destroy(buffer);
    /* Counted before, with its entries. */
    if (status == SKAN_OK) return SKAN_OK;
    if (status != SKAN_NOT_FOUND) return SKAN_ERROR_STORE;
    status = write_entries(outbox, postback, network);
    *is_prepared = status == SKAN_OK;
    return status;
}

skan_status outbox_activate(outbox *outbox, const char *postback, const network *network, int64_t prepared_at) {
    int64_t now = outbox_now();
    skan_status status = SKAN_OK;
    if (now - prepared_at > GIVE_UP_AFTER / 2) status = write_entries(outbox, postback, network);
    pthread_mutex_lock(&outbox->mutex);
    for (size_t i = 0; i < network->partner_count; i++) {
        char key[ENTRY_KEY_SIZE];
        bool was_room = true;
        if (entry_key(key, postback, network->name, network->partners[i].name))
            due_queue_add(outbox->queue, key, now, true, &was_room);
        if (!was_room) outbox->is_partial = true;
    }
    pthread_cond_signal(&outbox->changed);
    pthread_mutex_unlock(&outbox->mutex);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- metrics */

static void write_metric(FILE *out, const char *name, const char *type, const char *help, uint64_t value) {
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", name, help, name, type, name, value);
}

void outbox_write_metrics(outbox *outbox, FILE *out) {
    pthread_mutex_lock(&outbox->mutex);
    size_t known = due_queue_count(outbox->queue), under_way = outbox->under_way;
    pthread_mutex_unlock(&outbox->mutex);
    write_metric(out, "skan_outbox_waiting", "gauge", "What partners have to be told, as far as this process knows.",
                 known);
    write_metric(out, "skan_outbox_in_flight", "gauge", "Calls of partners that are under way.", under_way);
    write_metric(out, "skan_outbox_dead", "gauge", "What was given up, in the store, by the last search.",
                 atomic_load(&outbox->dead));
    write_metric(out, "skan_outbox_delivered_total", "counter", "Calls that partners answered with 200.",
                 atomic_load(&outbox->delivered));
    write_metric(out, "skan_outbox_failed_total", "counter", "Calls that failed.", atomic_load(&outbox->failed));
    write_metric(out, "skan_outbox_given_up_total", "counter", "Given up by this process.", atomic_load(&outbox->died));
}
