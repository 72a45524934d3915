/* Where the table is and how it is reached: read once, when a store is opened. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "../StoreSupport/trouble.h"

#include <libpq-fe.h>

/* The statements of a store, each with its parameters: $1 key (of LOAD_MANY an array of keys), $2 new version, $3
 * record, $4 expected version. */
typedef enum statement_kind { LOAD, LOAD_MANY, INSERT, UPDATE, REMOVE, LIST, STATEMENTS } statement_kind;

typedef struct settings {
    PQconninfoOption *parameters; /* of libpq, as the caller gave them */
    int hosts;                    /* to be tried one after the other, at least 1 */
    char *password;               /* NULL = none is known; points into `parameters` */
    char *name;                   /* of the database, in messages; no password, no user */
    char *table;                  /* quoted for SQL */
    char *sql[STATEMENTS];
    char prepared_name[STATEMENTS][32]; /* tells texts apart, so that a shared session cannot mix up two tables */
    bool is_pooled;                     /* by another program, so that nothing may be kept in a session */
    uint32_t timeout_ms;
} settings;

/* Reads a connection URI or string and a table's name. SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_STORE (no
 * memory); settings_end in any case. */
skan_status settings_read(settings *settings, const char *url, const char *table, trouble *trouble);
void settings_end(settings *settings);

/* The value of a parameter for host number `host`; NULL = not given. What is freed goes to `owned`. */
const char *settings_value(const settings *settings, const PQconninfoOption *parameter, int host, char **owned);

/* `words` of the server or of libpq as they go into a message: one line of UTF-8, without the password. `size` bytes
 * at `line`. */
void settings_words(const settings *settings, const char *words, char *line, size_t size);

#endif
