#define _GNU_SOURCE
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS "(key bytea NOT NULL PRIMARY KEY, version bigint NOT NULL, record bytea NOT NULL)"

enum { BYTEA = 17, BIGINT = 20, FORM = 1, SQL_MAX = 1024 };

static skan_status another_shape(const connection *connection, const char *what, trouble *trouble) {
    return trouble_set(trouble, SKAN_ERROR_STORE, "%.200s: table %s has another shape: expected %s, %s",
                       connection->settings->name, connection->settings->table, COLUMNS, what);
}

/* A newer form of the table says so by a column form_N, which any engine can add together with what else it changes. */
static int form_of(const PGresult *rows) {
    int form = FORM;
    for (int i = 0; i < PQnfields(rows); i++) {
        const char *name = PQfname(rows, i);
        if (strncmp(name, "form_", 5) != 0 || name[5] == '\0' || name[5 + strspn(name + 5, "0123456789")]) continue;
        long number = strtol(name + 5, NULL, 10);
        if (number > form) form = number > 1000000 ? 1000000 : (int)number;
    }
    return form;
}

static skan_status check_columns(const connection *connection, const PGresult *rows, trouble *trouble) {
    static const struct {
        const char *name;
        Oid type;
    } columns[] = {{"key", BYTEA}, {"version", BIGINT}, {"record", BYTEA}};
    int form = form_of(rows);
    if (form > FORM)
        return trouble_set(trouble, SKAN_ERROR_RECORD_TOO_NEW,
                           "%.200s: table %s was made by a newer libskan-postgres (form %d; this one knows %d)",
                           connection->settings->name, connection->settings->table, form, FORM);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char what[128];
        int found = -1;
        for (int field = 0; field < PQnfields(rows); field++)
            if (strcmp(PQfname(rows, field), columns[i].name) == 0) found = field;
        if (found >= 0 && PQftype(rows, found) == columns[i].type) continue;
        if (found < 0)
            snprintf(what, sizeof what, "found no column %s", columns[i].name);
        else
            snprintf(what, sizeof what, "found a column %s of type %u, not %u", columns[i].name,
                     (unsigned)PQftype(rows, found), (unsigned)columns[i].type);
        return another_shape(connection, what, trouble);
    }
    return SKAN_OK;
}

/* Planning an insert finds the index that ON CONFLICT needs. A role that may not insert is told so when it does. */
static skan_status check_index(connection *connection, int64_t deadline, trouble *trouble) {
    char sql[SQL_MAX];
    snprintf(sql, sizeof sql,
             "EXPLAIN INSERT INTO %s (key, version, record) VALUES ('', 1, '') ON CONFLICT (key) DO NOTHING",
             connection->settings->table);
    PGresult *plan;
    outcome outcome = connection_ask(connection, sql, "open", deadline, &plan, trouble);
    PQclear(plan);
    if (outcome == REFUSED && strcmp(connection->state, "42P10") == 0)
        return another_shape(connection, "found no unique index on key alone", trouble);
    return outcome == DONE || outcome == REFUSED ? SKAN_OK : SKAN_ERROR_STORE;
}

static outcome look(connection *connection, int64_t deadline, PGresult **rows, trouble *trouble) {
    char sql[SQL_MAX];
    snprintf(sql, sizeof sql, "SELECT * FROM %s LIMIT 0", connection->settings->table);
    return connection_ask(connection, sql, "open", deadline, rows, trouble);
}

/* Others may be making it at this moment, which gives errors of several kinds: what counts is whether it is there
 * afterwards. */
static outcome make(connection *connection, int64_t deadline, PGresult **rows, trouble *trouble) {
    char sql[SQL_MAX];
    struct trouble later;
    snprintf(sql, sizeof sql, "CREATE TABLE IF NOT EXISTS %s %s", connection->settings->table, COLUMNS);
    PGresult *nothing;
    outcome outcome = connection_ask(connection, sql, "create table", deadline, &nothing, trouble);
    PQclear(nothing);
    if (outcome != DONE && outcome != REFUSED && outcome != AGAIN) return outcome;
    return look(connection, deadline, rows, outcome == DONE ? trouble : &later);
}

skan_status table_check(connection *connection, bool is_first, bool makes_table, int64_t deadline, trouble *trouble) {
    PGresult *rows;
    outcome outcome = look(connection, deadline, &rows, trouble);
    bool is_missing = outcome == REFUSED && strcmp(connection->state, "42P01") == 0;
    if (is_missing && is_first && makes_table) {
        outcome = make(connection, deadline, &rows, trouble);
    } else if (is_missing) {
        size_t length = strlen(trouble->message);
        snprintf(trouble->message + length, sizeof trouble->message - length,
                 "; set options.create_table, or: CREATE TABLE %s %s", connection->settings->table, COLUMNS);
    }
    if (outcome != DONE) return trouble->status = SKAN_ERROR_STORE;
    skan_status status = check_columns(connection, rows, trouble);
    PQclear(rows);
    if (status == SKAN_OK && is_first) status = check_index(connection, deadline, trouble);
    return status;
}
