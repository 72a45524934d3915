#include "plain.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "plain_table.h"

struct plain_server {
    pthread_mutex_t mutex;
    plain_table table;
    plain_config config;
    uint64_t last_ticket;
};

plain_server *plain_create(const plain_config *config)
{
    plain_server *server = calloc(1, sizeof *server);
    if (server == NULL) abort();
    pthread_mutex_init(&server->mutex, NULL);
    plain_table_init(&server->table);
    server->config = *config;
    return server;
}

void plain_destroy(plain_server *server)
{
    plain_table_free(&server->table);
    pthread_mutex_destroy(&server->mutex);
    free(server);
}

/* ------------------------------------------------------------------------------------------------------ arguments */

/* The length of an id, 0 if it is none. */
static size_t id_length(const char *id)
{
    size_t length = id == NULL ? 0 : strnlen(id, 129);
    return length <= 128 ? length : 0;
}

static bool read_currency(const char *currency, char out[4])
{
    if (currency == NULL) return false;
    for (int i = 0; i < 3; i++) {
        if (!isalpha((unsigned char)currency[i])) return false;
        out[i] = (char)toupper((unsigned char)currency[i]);
    }
    out[3] = '\0';
    return currency[3] == '\0';
}

static bool is_event_name(const char *name)
{
    size_t length = 0;
    for (; name[length] != '\0'; length++) {
        if (length == 32 || name[length] < 0x20 || name[length] > 0x7e) return false;
    }
    return length > 0;
}

/* -------------------------------------------------------------------------------------------------------- windows */

/* The open window, -1 after day 35. */
static int window_at(const plain_install *install, int64_t now)
{
    int64_t elapsed = now - install->first_call;
    if (elapsed < 2 * 86400) return 0;
    if (elapsed < 7 * 86400) return 1;
    if (elapsed < 35 * 86400) return 2;
    return -1;
}

static int64_t now_micros(const plain_server *server)
{
    return server->config.now(server->config.context);
}

static int64_t now_seconds(const plain_server *server)
{
    return now_micros(server) / 1000000;
}

/* --------------------------------------------------------------------------------------------------------- events */

static bool was_seen(const plain_install *install, const char *event_id, uint64_t hash)
{
    if (install->events == NULL) return false;
    for (int i = 0; i < PLAIN_EVENTS; i++) {
        const char *id = install->events->ring[i].id;
        if (id == NULL) return false;
        if (install->events->ring[i].hash == hash && strcmp(id, event_id) == 0) return true;
    }
    return false;
}

static void remember(plain_install *install, const char *event_id, size_t length, uint64_t hash)
{
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
static plain_amount *amount_in(plain_revenue *revenue, const char *currency)
{
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

static plain_status add_revenue(plain_install *install, int64_t micros, const char *currency, bool ad, int window)
{
    plain_amount *lifetime = amount_in(&install->lifetime[ad], currency);
    plain_amount *current = window < 0 ? NULL : amount_in(&install->window[ad][window], currency);
    if (lifetime == NULL || (window >= 0 && current == NULL)) return PLAIN_LIMIT_EXCEEDED;
    int64_t total, part;
    if (__builtin_add_overflow(lifetime->micros, micros, &total)) return PLAIN_LIMIT_EXCEEDED;
    if (current != NULL) {
        if (__builtin_add_overflow(current->micros, micros, &part)) return PLAIN_LIMIT_EXCEEDED;
        current->micros = part;
    }
    lifetime->micros = total;
    return PLAIN_OK;
}

plain_status plain_update_revenue(plain_server *server, const char *install_id, double amount, const char *currency,
                                  bool ad_monetization, const char *event_id)
{
    char code[4];
    size_t length = id_length(install_id), event_length = event_id == NULL ? 0 : id_length(event_id);
    if (length == 0 || (event_id != NULL && event_length == 0) || !read_currency(currency, code) ||
        !isfinite(amount) || fabs(amount) >= 1e12) {
        return PLAIN_INVALID_ARGUMENT;
    }
    int64_t micros = llround(amount * 1e6);
    uint64_t event_hash = event_id == NULL ? 0 : plain_hash(event_id, event_length);

    pthread_mutex_lock(&server->mutex);
    plain_status status = PLAIN_OK;
    plain_install *install = plain_table_find_or_add(&server->table, install_id, length);
    if (event_id != NULL && was_seen(install, event_id, event_hash)) {
        status = PLAIN_DUPLICATE_EVENT;
    } else {
        int window = install->registered ? window_at(install, now_seconds(server)) : -1;
        if (micros != 0) status = add_revenue(install, micros, code, ad_monetization, window);
        if (status == PLAIN_OK && event_id != NULL) remember(install, event_id, event_length, event_hash);
    }
    pthread_mutex_unlock(&server->mutex);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- register */

plain_status plain_register(plain_server *server, const char *install_id, plain_update *out)
{
    size_t length = id_length(install_id);
    if (length == 0) return PLAIN_INVALID_ARGUMENT;

    pthread_mutex_lock(&server->mutex);
    plain_status status = PLAIN_ALREADY_REGISTERED;
    plain_install *install = plain_table_find_or_add(&server->table, install_id, length);
    if (!install->registered) {
        int64_t now = now_seconds(server);
        install->registered = true;
        install->first_call = install->last_call = now;
        install->fine = 0;
        install->delivered = false;
        install->update = (plain_update){
            .id = install->update.id + 1, .timestamp = now, .window = 0, .fine = 0, .coarse = PLAIN_NONE};
        if (out != NULL) *out = install->update;
        status = PLAIN_OK;
    }
    pthread_mutex_unlock(&server->mutex);
    return status;
}

void plain_forget(plain_server *server, const char *install_id)
{
    pthread_mutex_lock(&server->mutex);
    plain_table_remove(&server->table, install_id, id_length(install_id));
    pthread_mutex_unlock(&server->mutex);
}

/* ------------------------------------------------------------------------------------------------ request, answer */

plain_status plain_request(plain_server *server, const char *install_id, const char *event_name,
                           const plain_device *device, char **url, uint64_t *ticket)
{
    size_t length = id_length(install_id);
    if (event_name == NULL) event_name = "__SESSION__";
    if (length == 0 || !is_event_name(event_name)) return PLAIN_INVALID_ARGUMENT;

    pthread_mutex_lock(&server->mutex);
    plain_status status = PLAIN_OK;
    plain_install *install = plain_table_find(&server->table, install_id, length);
    int64_t now = now_micros(server);
    if (install == NULL || !install->registered) {
        status = PLAIN_NOT_REGISTERED;
    } else if (window_at(install, now / 1000000) < 0) {
        status = PLAIN_WINDOW_CLOSED;
    } else {
        uint64_t next = server->last_ticket + 1;
        if (next < (uint64_t)now) next = (uint64_t)now;
        if (next <= install->applied_ticket) next = install->applied_ticket + 1;
        server->last_ticket = *ticket = next;
        *url = plain_write_url(&server->config, install, event_name, device);
    }
    pthread_mutex_unlock(&server->mutex);
    return status;
}

static plain_status apply(plain_install *install, const plain_answer *answer, uint64_t ticket, int64_t now)
{
    if (!install->registered) return PLAIN_NOT_REGISTERED;
    int window = window_at(install, now);
    if (window < 0) return PLAIN_WINDOW_CLOSED;
    if (!answer->has_value) return PLAIN_NO_NEW_VALUE;
    if (answer->window != PLAIN_NONE && answer->window != window) return PLAIN_STALE_RESPONSE;
    if (ticket != 0 && ticket <= install->applied_ticket) return PLAIN_STALE_RESPONSE;
    if (answer->fine == PLAIN_NONE && window == 0) return PLAIN_NO_NEW_VALUE;
    if (install->lock[window] != PLAIN_NONE) return PLAIN_WINDOW_LOCKED;

    if (window == 0) {
        install->previous_fine = install->fine;
        install->fine = answer->fine;
    }
    install->previous_coarse[window] = install->coarse[window];
    install->coarse[window] = answer->coarse;
    if (answer->lock) install->lock[window] = now;
    install->last_call = now;
    if (ticket != 0) install->applied_ticket = ticket;
    install->delivered = false;
    install->update = (plain_update){.id = install->update.id + 1,
                                     .timestamp = now,
                                     .window = (int8_t)window,
                                     .fine = answer->fine,
                                     .coarse = answer->coarse,
                                     .lock = answer->lock};
    return PLAIN_OK;
}

plain_status plain_apply(plain_server *server, const char *install_id, uint64_t ticket, const char *body,
                         size_t length, plain_update *out)
{
    size_t id_bytes = id_length(install_id);
    if (id_bytes == 0) return PLAIN_INVALID_ARGUMENT;
    plain_answer answer;
    plain_status status = plain_read_answer(body, length, &answer);
    if (status != PLAIN_OK) return status;

    pthread_mutex_lock(&server->mutex);
    plain_install *install = plain_table_find(&server->table, install_id, id_bytes);
    if (install == NULL) {
        status = PLAIN_NOT_REGISTERED;
    } else {
        status = apply(install, &answer, ticket, now_seconds(server));
        if (status == PLAIN_OK && out != NULL) *out = install->update;
    }
    pthread_mutex_unlock(&server->mutex);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- details */

static plain_status details(plain_server *server, const char *install_id, char **json, bool constant_keys)
{
    size_t length = id_length(install_id);
    if (length == 0) return PLAIN_INVALID_ARGUMENT;

    pthread_mutex_lock(&server->mutex);
    plain_install *install = plain_table_find(&server->table, install_id, length);
    plain_install none;
    if (install == NULL) {
        plain_install_reset(&none);
        install = &none;
    }
    *json = plain_write_details(install, constant_keys);
    pthread_mutex_unlock(&server->mutex);
    return PLAIN_OK;
}

plain_status plain_details(plain_server *server, const char *install_id, char **json)
{
    return details(server, install_id, json, false);
}

plain_status plain_details_constant_keys(plain_server *server, const char *install_id, char **json)
{
    return details(server, install_id, json, true);
}
