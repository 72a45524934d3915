#include "plain.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct server {
    pthread_mutex_t mutex;
    plain_table table;
    uint64_t last_ticket;
} server;

static skan *create(void) {
    server *server = calloc(1, sizeof *server);
    if (server == NULL) abort();
    pthread_mutex_init(&server->mutex, NULL);
    plain_table_init(&server->table);
    return (skan *)server;
}

static void destroy(skan *engine) {
    server *server = (struct server *)engine;
    plain_table_free(&server->table);
    pthread_mutex_destroy(&server->mutex);
    free(server);
}

/* ------------------------------------------------------------------------------------------------------ arguments */

/* The length of an id, 0 if it is none. */
static size_t id_length(const char *id) {
    size_t length = id == NULL ? 0 : strnlen(id, 129);
    return length <= 128 ? length : 0;
}

static bool read_currency(const char *currency, char out[4]) {
    if (currency == NULL) return false;
    for (int i = 0; i < 3; i++) {
        if (!isalpha((unsigned char)currency[i])) return false;
        out[i] = (char)toupper((unsigned char)currency[i]);
    }
    out[3] = '\0';
    return currency[3] == '\0';
}

static bool is_event_name(const char *name) {
    size_t length = 0;
    for (; name[length] != '\0'; length++) {
        if (length == 32 || name[length] < 0x20 || name[length] > 0x7e) return false;
    }
    return length > 0;
}

/* -------------------------------------------------------------------------------------------------------- windows */

/* The open window, -1 after day 35. */
static int window_at(const plain_install *install, int64_t now) {
    int64_t elapsed = now - install->first_call;
    if (elapsed < 2 * 86400) return 0;
    if (elapsed < 7 * 86400) return 1;
    if (elapsed < 35 * 86400) return 2;
    return -1;
}

static int64_t now_seconds(void) {
    return bench_now / 1000000;
}

/* --------------------------------------------------------------------------------------------------------- events */

static bool was_seen(const plain_install *install, const char *event_id, uint64_t hash) {
    if (install->events == NULL) return false;
    for (int i = 0; i < PLAIN_EVENTS; i++) {
        const char *id = install->events->ring[i].id;
        if (id == NULL) return false;
        if (install->events->ring[i].hash == hash && strcmp(id, event_id) == 0) return true;
    }
    return false;
}

static void remember(plain_install *install, const char *event_id, size_t length, uint64_t hash) {
    if (install->events == NULL) {
        install->events = calloc(1, sizeof *install->events);
        if (install->events == NULL) abort();
    }
    plain_events *events = install->events;
    uint32_t slot = events->next;
    char *copy = realloc(events->ring[slot].id, length + 1);
    if (copy == NULL) abort();
    memcpy(copy, event_id, length + 1);
    events->ring[slot].id = copy;
    events->ring[slot].hash = hash;
    events->next = (slot + 1) % PLAIN_EVENTS;
}

/* -------------------------------------------------------------------------------------------------------- revenue */

/* The place for an amount of this currency; a new one is 0. NULL if the table is full. */
static plain_amount *amount_in(plain_revenue *revenue, const char *currency) {
    uint16_t at = 0;
    for (; at < revenue->count; at++) {
        int order = memcmp(revenue->amounts[at].currency, currency, 4);
        if (order == 0) return &revenue->amounts[at];
        if (order > 0) break;
    }
    if (revenue->count == PLAIN_CURRENCIES) return NULL;
    if (revenue->count == revenue->capacity) {
        uint16_t capacity = revenue->capacity == 0 ? 1 : (uint16_t)(revenue->capacity * 2);
        plain_amount *amounts = realloc(revenue->amounts, capacity * sizeof *amounts);
        if (amounts == NULL) abort();
        revenue->amounts = amounts;
        revenue->capacity = capacity;
    }
    plain_amount *amount = &revenue->amounts[at];
    memmove(amount + 1, amount, (revenue->count - at) * sizeof *amount);
    memcpy(amount->currency, currency, 4);
    amount->micros = 0;
    revenue->count++;
    return amount;
}

static skan_status add_revenue(plain_install *install, int64_t micros, const char *currency, bool ad, int window) {
    plain_amount *lifetime = amount_in(&install->lifetime[ad], currency);
    plain_amount *current = window < 0 ? NULL : amount_in(&install->window[ad][window], currency);
    if (lifetime == NULL || (window >= 0 && current == NULL)) return SKAN_ERROR_LIMIT_EXCEEDED;
    int64_t total, part;
    if (__builtin_add_overflow(lifetime->micros, micros, &total)) return SKAN_ERROR_LIMIT_EXCEEDED;
    if (current != NULL) {
        if (__builtin_add_overflow(current->micros, micros, &part)) return SKAN_ERROR_LIMIT_EXCEEDED;
        current->micros = part;
    }
    lifetime->micros = total;
    return SKAN_OK;
}

static skan_status revenue(skan *engine, const char *install_id, double amount, const char *currency, bool ad,
                           const char *event_id, skan_error **error) {
    (void)error;
    char code[4];
    size_t length = id_length(install_id), event_length = event_id == NULL ? 0 : id_length(event_id);
    if (length == 0 || (event_id != NULL && event_length == 0) || !read_currency(currency, code) ||
        !isfinite(amount) || fabs(amount) >= 1e12) {
        return SKAN_ERROR_INVALID_ARGUMENT;
    }
    int64_t micros = llround(amount * 1e6);
    uint64_t event_hash = event_id == NULL ? 0 : plain_hash(event_id, event_length);

    server *server = (struct server *)engine;
    pthread_mutex_lock(&server->mutex);
    skan_status status = SKAN_OK;
    plain_install *install = plain_table_find_or_add(&server->table, install_id, length);
    if (event_id != NULL && was_seen(install, event_id, event_hash)) {
        status = SKAN_DUPLICATE_EVENT;
    } else {
        int window = install->registered ? window_at(install, now_seconds()) : -1;
        if (micros != 0) status = add_revenue(install, micros, code, ad, window);
        if (status == SKAN_OK && event_id != NULL) remember(install, event_id, event_length, event_hash);
    }
    pthread_mutex_unlock(&server->mutex);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- register */

static void give(plain_install *install, int window, const plain_answer *answer, int64_t now) {
    install->delivered = false;
    install->last_call = now;
    install->update.id++;
    install->update.timestamp = now;
    install->update.window = (int8_t)window;
    install->update.fine = answer->fine;
    install->update.coarse = answer->coarse;
    install->update.lock = answer->lock;
}

static skan_update given(const plain_install *install) {
    return (skan_update){.size = sizeof(skan_update),
                         .id = install->update.id,
                         .timestamp = install->update.timestamp,
                         .window = install->update.window,
                         .fine_value = install->update.fine,
                         .coarse_value = install->update.coarse,
                         .lock_window = install->update.lock};
}

static skan_status add(skan *engine, const char *install_id, skan_update *out, skan_error **error) {
    (void)error;
    size_t length = id_length(install_id);
    if (length == 0) return SKAN_ERROR_INVALID_ARGUMENT;

    server *server = (struct server *)engine;
    pthread_mutex_lock(&server->mutex);
    skan_status status = SKAN_ALREADY_REGISTERED;
    plain_install *install = plain_table_find_or_add(&server->table, install_id, length);
    if (!install->registered) {
        int64_t now = now_seconds();
        install->registered = true;
        install->first_call = now;
        install->fine = 0;
        give(install, 0, &(plain_answer){.fine = 0, .coarse = PLAIN_NONE}, now);
        if (out != NULL) *out = given(install);
        status = SKAN_OK;
    }
    pthread_mutex_unlock(&server->mutex);
    return status;
}

static skan_status forget(skan *engine, const char *install_id, skan_error **error) {
    (void)error;
    server *server = (struct server *)engine;
    pthread_mutex_lock(&server->mutex);
    plain_table_remove(&server->table, install_id, id_length(install_id));
    pthread_mutex_unlock(&server->mutex);
    return SKAN_OK;
}

/* ------------------------------------------------------------------------------------------------ request, answer */

static skan_status request(skan *engine, const char *install_id, const char *event_name, const skan_device *device,
                           char **url, uint64_t *ticket, skan_error **error) {
    (void)error;
    size_t length = id_length(install_id);
    if (event_name == NULL) event_name = "__SESSION__";
    if (length == 0 || !is_event_name(event_name)) return SKAN_ERROR_INVALID_ARGUMENT;

    server *server = (struct server *)engine;
    pthread_mutex_lock(&server->mutex);
    skan_status status = SKAN_OK;
    plain_install *install = plain_table_find(&server->table, install_id, length);
    if (install == NULL || !install->registered) {
        status = SKAN_NOT_REGISTERED;
    } else if (window_at(install, now_seconds()) < 0) {
        status = SKAN_WINDOW_CLOSED;
    } else {
        uint64_t next = server->last_ticket + 1;
        if (next < (uint64_t)bench_now) next = (uint64_t)bench_now;
        if (next <= install->applied_ticket) next = install->applied_ticket + 1;
        server->last_ticket = *ticket = next;
        *url = plain_write_url(install, event_name, device);
    }
    pthread_mutex_unlock(&server->mutex);
    return status;
}

static skan_status apply_answer(plain_install *install, const plain_answer *answer, uint64_t ticket, int64_t now) {
    if (!install->registered) return SKAN_NOT_REGISTERED;
    int window = window_at(install, now);
    if (window < 0) return SKAN_WINDOW_CLOSED;
    if (!answer->has_value) return SKAN_NO_NEW_VALUE;
    if (answer->window != PLAIN_NONE && answer->window != window) return SKAN_STALE_RESPONSE;
    if (ticket != 0 && ticket <= install->applied_ticket) return SKAN_STALE_RESPONSE;
    if (answer->fine == PLAIN_NONE && window == 0) return SKAN_NO_NEW_VALUE;
    if (install->lock[window] != PLAIN_NONE) return SKAN_WINDOW_LOCKED;

    if (window == 0) {
        install->previous_fine = install->fine;
        install->fine = answer->fine;
    }
    install->previous_coarse[window] = install->coarse[window];
    install->coarse[window] = answer->coarse;
    if (answer->lock) install->lock[window] = now;
    if (ticket != 0) install->applied_ticket = ticket;
    give(install, window, answer, now);
    return SKAN_OK;
}

static skan_status apply(skan *engine, const char *install_id, uint64_t ticket, const void *body, size_t length,
                         skan_update *out, skan_error **error) {
    (void)error;
    size_t id_bytes = id_length(install_id);
    if (id_bytes == 0) return SKAN_ERROR_INVALID_ARGUMENT;
    plain_answer answer;
    skan_status status = plain_read_answer(body, length, &answer);
    if (status != SKAN_OK) return status;

    server *server = (struct server *)engine;
    pthread_mutex_lock(&server->mutex);
    plain_install *install = plain_table_find(&server->table, install_id, id_bytes);
    status = install == NULL ? SKAN_NOT_REGISTERED : apply_answer(install, &answer, ticket, now_seconds());
    if (status == SKAN_OK && out != NULL) *out = given(install);
    pthread_mutex_unlock(&server->mutex);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- details */

static skan_status write_details(skan *engine, const char *install_id, char **json, bool constant_keys) {
    size_t length = id_length(install_id);
    if (length == 0) return SKAN_ERROR_INVALID_ARGUMENT;

    server *server = (struct server *)engine;
    pthread_mutex_lock(&server->mutex);
    plain_install *install = plain_table_find(&server->table, install_id, length);
    plain_install none;
    if (install == NULL) {
        plain_install_reset(&none);
        install = &none;
    }
    *json = plain_write_details(install, constant_keys);
    pthread_mutex_unlock(&server->mutex);
    return SKAN_OK;
}

static skan_status details(skan *engine, const char *install_id, char **json, skan_error **error) {
    (void)error;
    return write_details(engine, install_id, json, false);
}

static skan_status details_constant_keys(skan *engine, const char *install_id, char **json, skan_error **error) {
    (void)error;
    return write_details(engine, install_id, json, true);
}

#define PLAIN                                                                                                    \
    .name = "plain C", .create = create, .destroy = destroy, .add = add, .revenue = revenue, .request = request, \
    .apply = apply, .forget = forget, .release = free

const side side_plain = {PLAIN, .details = details};
const side side_plain_constant_keys = {PLAIN, .details = details_constant_keys};
