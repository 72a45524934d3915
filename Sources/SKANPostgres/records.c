#define _GNU_SOURCE
#include "records.h"

#include "../StoreSupport/versions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 10 };

/* ----------------------------------------------------------------------------------------------------------- trying */

/* Longer from time to time, and not as long as another's. */
static void nap(int tries, int64_t deadline) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t longest = INT64_C(1000000) << (tries < 6 ? tries : 6), most = milliseconds_left(deadline) * 1000000;
    int64_t drawn = longest / 2 + now.tv_nsec % (longest / 2);
    if (drawn > most) drawn = most;
    nanosleep(&(struct timespec){drawn / 1000000000, drawn % 1000000000}, NULL);
}

skan_status records_try(connection *connection, attempt *attempt, void *context, bool writes, int64_t deadline,
                        trouble *trouble) {
    bool is_fresh = false;
    for (int tries = 1;; tries++) {
        bool had_session = connection->session != NULL;
        if (connection_open(connection, false, false, deadline, trouble) != SKAN_OK) return SKAN_ERROR_STORE;
        outcome outcome = attempt(connection, context, deadline, trouble);
        if (outcome == DONE) return SKAN_OK;
        bool is_harmless = !writes || outcome == REFUSED || outcome == AGAIN || outcome == UNREACHED;
        /* A session that was kept may have died with its server; a new one tells whether there is one. */
        bool was_lost = outcome == UNREACHED || outcome == LOST || outcome == UNCERTAIN;
        bool may_help = outcome == AGAIN ? tries < TRIES : was_lost && had_session && !is_fresh;
        if (!is_harmless) return SKAN_ERROR_STORE_UNKNOWN;
        if (!may_help || milliseconds_left(deadline) == 0) return SKAN_ERROR_STORE;
        if (outcome == AGAIN)
            nap(tries, deadline);
        else
            is_fresh = true;
    }
}

typedef struct call {
    statement_kind kind;
    const parameters *parameters;
    const char *doing;
    PGresult *result;
} call;

static outcome run_call(connection *connection, void *context, int64_t deadline, trouble *trouble) {
    call *call = context;
    return connection_run(connection, call->kind, call->parameters, call->doing, deadline, &call->result, trouble);
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static uint64_t number_of(const char *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) number = number << 8 | (unsigned char)bytes[i];
    return number;
}

skan_status records_take(const connection *connection, const PGresult *rows, int row, skan_buffer *out,
                         uint64_t *version, trouble *trouble) {
    const char *name = connection->settings->name;
    if (PQnfields(rows) < 2 || PQgetlength(rows, row, 0) != 8 || PQgetisnull(rows, row, 1))
        return trouble_set(trouble, SKAN_ERROR_STORE,
                           "%.200s: load: expected a version of 8 bytes and a record, got %d columns", name,
                           PQnfields(rows));
    uint64_t stored = number_of(PQgetvalue(rows, row, 0));
    if (stored == 0 || stored > VERSION_MAX)
        return trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: load: a record has version %" PRId64, name,
                           (int64_t)stored);
    int length = PQgetlength(rows, row, 1);
    if (skan_buffer_set(out, PQgetvalue(rows, row, 1), (size_t)length) != SKAN_OK)
        return trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: load: a record has %d bytes", name, length);
    *version = stored;
    return SKAN_OK;
}

skan_status records_load(pooled *lent, const char *key, skan_buffer *out, uint64_t *version, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    parameters given = {0};
    parameters_add_bytes(&given, key, strlen(key));
    call call = {LOAD, &given, "load", NULL};
    skan_status status = records_try(connection, run_call, &call, false, lent->deadline, trouble);
    if (status == SKAN_OK && PQntuples(call.result) > 1)
        status = trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: load: expected one row, got %d",
                             connection->settings->name, PQntuples(call.result));
    if (status == SKAN_OK)
        status = PQntuples(call.result) == 0 ? SKAN_NOT_FOUND
                                             : records_take(connection, call.result, 0, out, version, trouble);
    PQclear(call.result);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

/* A statement that changes one row or none. */
static skan_status change(pooled *lent, statement_kind kind, const parameters *given, const char *doing,
                          trouble *trouble) {
    call call = {kind, given, doing, NULL};
    skan_status status = records_try((connection *)lent, run_call, &call, true, lent->deadline, trouble);
    if (status == SKAN_OK) status = strcmp(PQcmdTuples(call.result), "1") == 0 ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
    PQclear(call.result);
    return status;
}

skan_status records_save(pooled *lent, const char *key, const void *data, size_t length, uint64_t expected,
                         uint64_t *version, trouble *trouble) {
    uint64_t drawn;
    if (expected > VERSION_MAX) return SKAN_ERROR_STORE_CONFLICT; /* no version of this store */
    if (version_draw(expected, &drawn, trouble) != SKAN_OK) return trouble->status;
    parameters given = {0};
    parameters_add_bytes(&given, key, strlen(key));
    parameters_add_number(&given, drawn);
    parameters_add_bytes(&given, data, length);
    if (expected != 0) parameters_add_number(&given, expected);
    skan_status status = change(lent, expected == 0 ? INSERT : UPDATE, &given, "save", trouble);
    if (status == SKAN_OK) *version = drawn;
    return status;
}

skan_status records_remove(pooled *lent, const char *key, uint64_t expected, trouble *trouble) {
    if (expected > VERSION_MAX) return SKAN_ERROR_STORE_CONFLICT;
    parameters given = {0};
    parameters_add_bytes(&given, key, strlen(key));
    parameters_add_number(&given, expected);
    return change(lent, REMOVE, &given, "remove", trouble);
}

/* ---------------------------------------------------------------------------------------------------------- listing */

enum { PAGE = 1024 }; /* as LIST says */

/* The keys of a page, and the cursor of the next: a mark, then the page's last key. */
static skan_status take_page(const PGresult *rows, skan_buffer *cursor, skan_buffer *keys) {
    static const size_t room = (size_t)PAGE * (SKAN_INSTALL_ID_MAX + 1);
    char *text = malloc(room), last[1 + SKAN_INSTALL_ID_MAX] = "k";
    int count = PQntuples(rows), length = 0;
    size_t used = 0;
    if (!text || count > PAGE) {
        free(text);
        return SKAN_ERROR_STORE;
    }
    for (int i = 0; i < count; i++) {
        length = PQgetlength(rows, i, 0);
        if (length > SKAN_INSTALL_ID_MAX) length = SKAN_INSTALL_ID_MAX;
        memcpy(last + 1, PQgetvalue(rows, i, 0), (size_t)length);
        if (memchr(last + 1, '\0', (size_t)length)) continue; /* no store's key */
        memcpy(text + used, last + 1, (size_t)length);
        used += (size_t)length;
        text[used++] = '\0';
    }
    skan_status status = skan_buffer_set(keys, text, used);
    if (status == SKAN_OK) status = skan_buffer_set(cursor, last, count == PAGE ? 1 + (size_t)length : 0);
    free(text);
    return status == SKAN_OK ? SKAN_OK : SKAN_ERROR_STORE;
}

skan_status records_list(pooled *lent, skan_buffer *cursor, skan_buffer *keys, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    const char *place = skan_buffer_data(cursor);
    size_t size = skan_buffer_size(cursor);
    if (size == 1 || size > 1 + SKAN_INSTALL_ID_MAX || (size > 0 && place[0] != 'k'))
        return trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: list: the cursor is not one of this store",
                           connection->settings->name);
    parameters given = {0};
    parameters_add_bytes(&given, size ? place + 1 : "", size ? size - 1 : 0);
    call call = {LIST, &given, "list", NULL};
    skan_status status = records_try(connection, run_call, &call, false, lent->deadline, trouble);
    if (status == SKAN_OK) {
        status = take_page(call.result, cursor, keys);
        if (status != SKAN_OK)
            trouble_set(trouble, status, "%.200s: list: a page of %d keys cannot be taken", connection->settings->name,
                        PQntuples(call.result));
    }
    PQclear(call.result);
    return status;
}
