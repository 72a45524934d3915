#define _GNU_SOURCE
#include "settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    IDENTIFIER_MAX = 63, /* bytes; PostgreSQL cuts longer names off, silently */
    NAME_MAX_BYTES = 200
};

static const char *const texts[STATEMENTS] = {
    [LOAD] = "SELECT version, record FROM %s WHERE key = $1",
    [LOAD_MANY] = "SELECT version, record, key FROM %s WHERE key = ANY ($1)",
    [INSERT] = "INSERT INTO %s (key, version, record) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING",
    [UPDATE] = "UPDATE %s SET version = $2, record = $3 WHERE key = $1 AND version = $4",
    [REMOVE] = "DELETE FROM %s WHERE key = $1 AND version = $2",
    [LIST] = "SELECT key FROM %s WHERE key > $1 AND octet_length(key) <= 128 ORDER BY key LIMIT 1024",
};

/* ------------------------------------------------------------------------------------------------------------ table */

/* Appends one part of a name, quoted; the end, or NULL where it is not one. */
static char *quote(char *end, const char *part, size_t length) {
    if (length == 0 || length > IDENTIFIER_MAX) return NULL;
    *end++ = '"';
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)part[i] < 0x20 || part[i] == 0x7F) return NULL;
        if (part[i] == '"') *end++ = '"';
        *end++ = part[i];
    }
    *end++ = '"';
    return end;
}

static skan_status read_table(settings *settings, const char *table, trouble *trouble) {
    if (!table) table = "skan_records";
    const char *dot = strchr(table, '.');
    char quoted[4 * IDENTIFIER_MAX + 8], *end = quoted;
    if (dot) {
        end = quote(end, table, (size_t)(dot - table));
        if (end) *end++ = '.';
    }
    const char *last = dot ? dot + 1 : table;
    if (end) end = strchr(last, '.') ? NULL : quote(end, last, strlen(last));
    if (!end)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                           "options.table: expected \"table\" or \"schema.table\", each of 1 to %d bytes,"
                           " got \"%.200s\"%s",
                           IDENTIFIER_MAX, table, strlen(table) > 200 ? "..." : "");
    settings->table = strndup(quoted, (size_t)(end - quoted));
    if (!settings->table) return trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
    for (int i = 0; i < STATEMENTS; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        if (asprintf(&settings->sql[i], texts[i], settings->table) < 0) {
#pragma GCC diagnostic pop
            settings->sql[i] = NULL;
            return trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
        }
        uint64_t sum = UINT64_C(14695981039346656037);
        for (const char *c = settings->sql[i]; *c; c++) sum = (sum ^ (unsigned char)*c) * UINT64_C(1099511628211);
        snprintf(settings->prepared_name[i], sizeof settings->prepared_name[i], "skan_%016" PRIx64, sum);
    }
    return SKAN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- address */

static PQconninfoOption *parameter(const settings *settings, const char *keyword) {
    for (PQconninfoOption *each = settings->parameters; each->keyword; each++)
        if (strcmp(each->keyword, keyword) == 0) return each;
    return NULL;
}

static const char *given(const settings *settings, const char *keyword) {
    const PQconninfoOption *found = parameter(settings, keyword);
    return found && found->val ? found->val : "";
}

static int count_of(const char *list) {
    int count = 1;
    for (; *list; list++) count += *list == ',';
    return count;
}

/* libpq says what it cannot read in quotes, and that may be a part of the password. */
static skan_status unreadable(const char *words, trouble *trouble) {
    const char *first = words ? strchr(words, '"') : NULL, *last = words ? strrchr(words, '"') : NULL;
    char line[256];
    if (!words)
        snprintf(line, sizeof line, "out of memory");
    else if (first && last > first)
        snprintf(line, sizeof line, "%.*s...%s", (int)(first - words + 1), words, last);
    else
        snprintf(line, sizeof line, "%s", words);
    line[strcspn(line, "\n")] = '\0';
    return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                       "url: expected a connection URI or string of libpq, \"postgres://user@host/database\": %s",
                       line);
}

/* A password with a character that should have been encoded ends up in other parts of a URI, which libpq and the system
 * name in their messages. */
static skan_status check_parts(const settings *settings, bool is_uri, trouble *trouble) {
    const char *hint = "in a user or password, write / as %2F, : as %3A and @ as %40";
    const char *host = given(settings, "host"), *port = given(settings, "port");
    if (port[strspn(port, "0123456789,")])
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: port: expected a number; %s", hint);
    if (*host && strchr(host + 1, '@')) /* a first one is an abstract socket's */
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: host: expected a name without @; %s", hint);
    if (is_uri && strchr(given(settings, "dbname"), '@'))
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: database: expected a name without @; %s", hint);
    return SKAN_OK;
}

static skan_status read_address(settings *settings, const char *url, trouble *trouble) {
    char *words = NULL;
    settings->parameters = PQconninfoParse(url, &words);
    if (!settings->parameters) {
        skan_status status = unreadable(words, trouble);
        PQfreemem(words);
        return status;
    }
    if (check_parts(settings, strncmp(url, "postgres", 8) == 0, trouble) != SKAN_OK) return trouble->status;
    const char *host = given(settings, "host"), *address = given(settings, "hostaddr");
    const char *port = given(settings, "port"), *password = given(settings, "password");
    int of_address = count_of(address), of_port = count_of(port);
    settings->hosts = *host ? count_of(host) : of_address;
    if ((*host && *address && of_address != settings->hosts) || (of_port != 1 && of_port != settings->hosts))
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                           "url: expected as many addresses and ports as hosts, got %d hosts, %d addresses, %d ports",
                           settings->hosts, of_address, of_port);
    if (*password) settings->password = parameter(settings, "password")->val;
    char name[NAME_MAX_BYTES], line[NAME_MAX_BYTES];
    snprintf(name, sizeof name, "postgres://%s%s%s/%s", *host ? host : address, *port ? ":" : "", port,
             given(settings, "dbname"));
    settings_words(settings, name, line, sizeof line);
    settings->name = strdup(line);
    return settings->name ? SKAN_OK : trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
}

skan_status settings_read(settings *settings, const char *url, const char *table, trouble *trouble) {
    if (read_address(settings, url, trouble) != SKAN_OK) return trouble->status;
    return read_table(settings, table, trouble);
}

void settings_end(settings *settings) {
    for (int i = 0; i < STATEMENTS; i++) free(settings->sql[i]);
    free(settings->table);
    free(settings->name);
    if (settings->parameters) PQconninfoFree(settings->parameters);
}

const char *settings_value(const settings *settings, const PQconninfoOption *parameter, int host, char **owned) {
    *owned = NULL;
    if (!parameter->val || (strcmp(parameter->keyword, "host") != 0 && strcmp(parameter->keyword, "hostaddr") != 0 &&
                            strcmp(parameter->keyword, "port") != 0))
        return parameter->val;
    const char *item = parameter->val;
    if (settings->hosts == 1 || !strchr(item, ',')) return item;
    for (; host > 0; host--) item = strchr(item, ',') + 1;
    return *owned = strndup(item, strcspn(item, ","));
}

/* ---------------------------------------------------------------------------------------------------------- words */

/* Bytes of the UTF-8 character at `text`; 0 where there is none. */
static size_t character(const unsigned char *text) {
    size_t length = text[0] < 0x80 ? 1 : text[0] < 0xC2 ? 0 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    if (text[0] > 0xF4 || (text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80) return 0;
    return length;
}

void settings_words(const settings *settings, const char *words, char *line, size_t size) {
    size_t secret = settings->password ? strlen(settings->password) : 0, used = 0;
    while (*words && used + 4 < size) {
        size_t length = character((const unsigned char *)words);
        if (secret >= 4 && strncmp(words, settings->password, secret) == 0) {
            memcpy(line + used, "***", 3);
            used += 3;
            words += secret;
        } else if (length == 0 || (unsigned char)*words < 0x20) {
            bool is_space = *words == '\n' || *words == '\t' || *words == '\r';
            if (!is_space || (used > 0 && line[used - 1] != ' ')) line[used++] = is_space ? ' ' : '?';
            words++;
        } else {
            memcpy(line + used, words, length);
            used += length;
            words += length;
        }
    }
    while (used > 0 && line[used - 1] == ' ') used--;
    line[used] = '\0';
}
