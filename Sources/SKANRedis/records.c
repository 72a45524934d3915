#define _GNU_SOURCE
#include "records.h"

#include "../StoreSupport/versions.h"
#include "layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Compare-and-set, on one key. ARGV[1] is the header that must be there ("" = no record), ARGV[2] what to put in its
 * place ("" = nothing), then options of SET. 1 = done, 0 = another version, text = what is there is none of this store.
 * It writes last and once, so that an error of the script says that nothing was written.
 */
static const char script[] =
    "local found = redis.call('GETRANGE', KEYS[1], 0, 10)\n"
    "if found ~= ARGV[1] then\n"
    "    if found == '' or (#found == 11 and string.sub(found, 1, 3) == 'SK\\1') then return 0 end\n"
    "    return found\n"
    "end\n"
    "if ARGV[2] == '' then return redis.call('DEL', KEYS[1]) end\n"
    "if redis.call('SET', KEYS[1], ARGV[2], found == '' and 'NX' or 'XX', unpack(ARGV, 3)) then return 1 end\n"
    "return found\n";

/* By which a server knows it: the SHA-1 of its text. */
static const char script_name[] = "83465da4c39fc22c02f901c15ef006b54b648299";

/* -------------------------------------------------------------------------------------------------------- what went */

/* Refusals: what the server answers where it has not run the script, or the script has not come to its write. An error
 * of another kind may be of what stands between: a proxy that lost its server after it had passed the command on. */
static bool is_refusal(const redisReply *reply) {
    static const char *const refusals[] = {"NOSCRIPT ",   "NOAUTH ",   "WRONGPASS ", "NOPERM ",     "WRONGTYPE ",
                                           "OOM ",        "READONLY ", "LOADING ",   "MISCONF ",    "NOREPLICAS ",
                                           "MASTERDOWN ", "BUSY ",     "MOVED ",     "ASK ",        "TRYAGAIN ",
                                           "CROSSSLOT ",  "DENIED ",   "NOPROTO ",   "CLUSTERDOWN "};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (is_error(reply, refusals[i])) return true;
    if (is_error(reply, "ERR unknown command") || is_error(reply, "ERR operation not permitted")) return true;
    /* What redis.call() fails with: Redis 7 puts the script's name behind it, older ones put this in front. */
    return is_error(reply, "ERR Error running script (call to f_") ||
           (is_error(reply, "") && strstr(reply->str, script_name));
}

/* After these a new connection may find another server, or be another user's. */
static void drop_where_stale(connection *connection, const redisReply *reply) {
    static const char *const stale[] = {"NOAUTH ", "READONLY ", "LOADING ", "MASTERDOWN "};
    for (size_t i = 0; i < sizeof stale / sizeof *stale; i++)
        if (is_error(reply, stale[i])) connection->pooled.is_broken = true;
}

static skan_status told(const connection *connection, skan_status status, const char *doing, const char *words,
                        trouble *trouble) {
    char copy[TROUBLE_MAX]; /* the words may be the trouble's own */
    snprintf(copy, sizeof copy, "%s", words);
    return trouble_set(trouble, status, "%s: %s: %.800s", connection->settings->address.name, doing, copy);
}

/* Keeps the first trouble of many, and counts those after it. */
typedef struct first_trouble {
    trouble *trouble;
    skan_status status; /* SKAN_OK: there is none */
} first_trouble;

static skan_status note(first_trouble *first, const connection *connection, skan_status status, const char *doing,
                        const char *words) {
    if (first->status != SKAN_OK) return status;
    first->status = status;
    return told(connection, status, doing, words, first->trouble);
}

static skan_status note_reply(first_trouble *first, const connection *connection, skan_status status,
                              const char *doing, const redisReply *reply) {
    char words[512];
    words_of(reply, words, sizeof words);
    return note(first, connection, status, doing, words);
}

/* ---------------------------------------------------------------------------------------------------------- loading */

static bool is_too_long(const char *key) {
    return strlen(key) > SKAN_INSTALL_ID_MAX;
}

static skan_status refuse_long_key(const connection *connection, const char *key, const char *doing,
                                   trouble *trouble) {
    char words[80];
    snprintf(words, sizeof words, "a key of %zu bytes; expected at most %d", strlen(key), SKAN_INSTALL_ID_MAX);
    return told(connection, SKAN_ERROR_STORE, doing, words, trouble);
}

typedef struct load_run {
    connection *connection;
    skan_load_item *items;
    first_trouble first;
} load_run;

static int load_command(void *context, size_t i, char **bytes) {
    load_run *run = context;
    char key[FULL_KEY_MAX];
    const char *asked = run->items[i].key;
    /* In place of one that cannot be, that of no install: its answer is not looked at. */
    size_t length = layout_key(run->connection->settings->prefix, is_too_long(asked) ? "" : asked, key);
    /* One byte more than there may be, so that what is too long is told from what is not. */
    return redisFormatCommand(bytes, "GETRANGE %b 0 %d", key, length, LAYOUT_HEADER + SKAN_BUFFER_MAX);
}

static void load_reply(void *context, size_t i, const redisReply *reply) {
    load_run *run = context;
    skan_load_item *item = &run->items[i];
    trouble trouble;
    if (is_too_long(item->key)) {
        struct trouble *told = run->first.status == SKAN_OK ? run->first.trouble : &trouble;
        item->status = run->first.status = refuse_long_key(run->connection, item->key, "load", told);
        return;
    }
    if (reply->type != REDIS_REPLY_STRING) {
        drop_where_stale(run->connection, reply);
        item->status = note_reply(&run->first, run->connection, SKAN_ERROR_STORE, "load", reply);
        return;
    }
    uint64_t version = 0;
    item->status = layout_read(reply->str, reply->len, &version, &trouble);
    if (item->status == SKAN_OK) {
        skan_status status = skan_buffer_set(item->out, reply->str + LAYOUT_HEADER, reply->len - LAYOUT_HEADER);
        if (status == SKAN_OK)
            item->version = version;
        else
            item->status = trouble_set(&trouble, SKAN_ERROR_STORE, "a record of more than %d bytes", SKAN_BUFFER_MAX);
    }
    if (item->status >= 100) note(&run->first, run->connection, item->status, "load", trouble.message);
}

skan_status records_load_many(pooled *lent, skan_load_item *items, size_t count, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    load_run run = {connection, items, {trouble, SKAN_OK}};
    exchange exchange = {.count = count, .command = load_command, .reply = load_reply, .context = &run};
    for (size_t i = 0; i < count; i++) items[i].status = SKAN_ERROR_STORE;
    struct trouble lost;
    if (connection_run(connection, &exchange, true, lent->deadline, &lost) != SKAN_OK)
        note(&run.first, connection, SKAN_ERROR_STORE, "load", lost.message);
    return run.first.status;
}

skan_status records_load(pooled *lent, const char *key, skan_buffer *out, uint64_t *version, trouble *trouble) {
    skan_load_item item = {.key = key, .out = out};
    records_load_many(lent, &item, 1, trouble);
    if (item.status == SKAN_OK) *version = item.version;
    return item.status;
}

/* --------------------------------------------------------------------------------------------------------- changing */

typedef struct change {
    const char *key;
    const void *data; /* NULL = removed */
    size_t length;
    uint64_t expected, version; /* 0 = no record */
    skan_status status;
    bool needs_script; /* the server does not know it by its name */
} change;

typedef struct change_run {
    connection *connection;
    change *changes;
    size_t *numbers; /* of the changes that are in this exchange; NULL = all */
    bool sends_script;
    const char *doing;
    first_trouble first;
} change_run;

/* When the server is to forget the record, in Unix milliseconds; 0 = never. Not within a day, whatever the clock by
 * which the install was registered: what was just saved is there. */
static int64_t expiry(const settings *settings, const change *change) {
    skan_record record = {.size = sizeof record};
    if (settings->expire_days == 0 || !change->data) return 0;
    if (skan_record_read(change->data, change->length, &record, NULL, NULL) != SKAN_OK) return 0;
    if (!record.is_registered || record.closes_at > INT64_C(100000000000)) return 0;
    int64_t at = record.closes_at + (int64_t)settings->expire_days * 86400, soonest = (int64_t)time(NULL) + 86400;
    return (at > soonest ? at : soonest) * 1000;
}

static change *change_of(const change_run *run, size_t i) {
    return &run->changes[run->numbers ? run->numbers[i] : i];
}

static int change_command(void *context, size_t i, char **bytes) {
    const change_run *run = context;
    const settings *settings = run->connection->settings;
    const change *change = change_of(run, i);
    char key[FULL_KEY_MAX], expected[LAYOUT_HEADER], digits[24];
    const char *texts[8] = {"EVALSHA", script_name, "1", key, expected, "", "PXAT", digits};
    size_t sizes[8] = {7, 40, 1, 0, 0, 0, 4, 0};
    if (run->sends_script) {
        texts[0] = "EVAL", sizes[0] = 4;
        texts[1] = script, sizes[1] = sizeof script - 1;
    }
    sizes[3] = layout_key(settings->prefix, change->key, key);
    if (change->expected) layout_header(change->expected, expected), sizes[4] = LAYOUT_HEADER;
    char *record = NULL;
    if (change->data) {
        record = malloc(LAYOUT_HEADER + change->length);
        if (!record) return -1;
        layout_header(change->version, record);
        if (change->length) memcpy(record + LAYOUT_HEADER, change->data, change->length);
        texts[5] = record, sizes[5] = LAYOUT_HEADER + change->length;
    }
    int64_t expires_at = expiry(settings, change);
    if (expires_at) sizes[7] = (size_t)snprintf(digits, sizeof digits, "%" PRId64, expires_at);
    int length = redisFormatCommandArgv(bytes, expires_at ? 8 : 6, texts, sizes);
    free(record);
    return length;
}

static void change_reply(void *context, size_t i, const redisReply *reply) {
    change_run *run = context;
    change *change = change_of(run, i);
    change->needs_script = false;
    if (reply->type == REDIS_REPLY_INTEGER && (reply->integer == 0 || reply->integer == 1)) {
        change->status = reply->integer ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
        return;
    }
    if (reply->type == REDIS_REPLY_STRING) {
        trouble trouble;
        uint64_t version;
        change->status = layout_read(reply->len ? reply->str : "?", reply->len ? reply->len : 1, &version, &trouble);
        if (change->status == SKAN_OK)
            change->status = SKAN_ERROR_STORE_CONFLICT;
        else
            note(&run->first, run->connection, change->status, run->doing,
                 reply->len ? trouble.message : "an empty string of another program is under an install's key");
        return;
    }
    if (is_error(reply, "NOSCRIPT ") && !run->sends_script) {
        change->needs_script = true;
        return;
    }
    drop_where_stale(run->connection, reply);
    change->status = is_refusal(reply) ? SKAN_ERROR_STORE : SKAN_ERROR_STORE_UNKNOWN;
    note_reply(&run->first, run->connection, change->status, run->doing, reply);
}

static void exchange_changes(change_run *run, size_t count, int64_t deadline) {
    exchange exchange = {.count = count, .command = change_command, .reply = change_reply, .context = run};
    trouble lost;
    if (connection_run(run->connection, &exchange, false, deadline, &lost) == SKAN_OK) return;
    bool is_unknown = exchange.sent > exchange.answered;
    for (size_t i = exchange.answered; i < count; i++) {
        change *change = change_of(run, i);
        change->needs_script = false;
        change->status = i < exchange.sent ? SKAN_ERROR_STORE_UNKNOWN : SKAN_ERROR_STORE;
    }
    char words[TROUBLE_MAX];
    snprintf(words, sizeof words, "%.900s%s", lost.message,
             is_unknown ? ", after the change was sent: it may have been made" : "");
    note(&run->first, run->connection, is_unknown ? SKAN_ERROR_STORE_UNKNOWN : SKAN_ERROR_STORE, run->doing, words);
}

/* By the script's name; then those again whose server does not know it, with the script itself. */
static skan_status make_changes(connection *connection, change *changes, size_t *numbers, size_t count,
                                const char *doing, int64_t deadline, trouble *trouble) {
    change_run run = {connection, changes, numbers, false, doing, {trouble, SKAN_OK}};
    exchange_changes(&run, count, deadline);
    size_t again = 0;
    for (size_t i = 0; i < count; i++)
        if (changes[numbers[i]].needs_script) numbers[again++] = numbers[i];
    run.sends_script = true;
    if (again) exchange_changes(&run, again, deadline);
    return run.first.status;
}

/* What needs no server to be answered; SKAN_OK for the rest. */
static skan_status prepare(connection *connection, change *change, const char *doing, trouble *trouble) {
    if (change->expected > VERSION_MAX) return SKAN_ERROR_STORE_CONFLICT; /* no version of this store */
    if (is_too_long(change->key)) return refuse_long_key(connection, change->key, doing, trouble);
    if (change->length > SKAN_BUFFER_MAX) {
        char words[80];
        snprintf(words, sizeof words, "a record of %zu bytes; expected at most %d", change->length, SKAN_BUFFER_MAX);
        return told(connection, SKAN_ERROR_STORE, doing, words, trouble);
    }
    if (!change->data) return change->expected ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
    if (version_draw(change->expected, &change->version, trouble) == SKAN_OK) return SKAN_OK;
    return told(connection, SKAN_ERROR_STORE, doing, trouble->message, trouble);
}

/* As many are saved with one allocation, one with none. */
static skan_status save_with(connection *connection, skan_save_item *items, change *changes, size_t *numbers,
                             size_t count, int64_t deadline, trouble *trouble) {
    skan_status first = SKAN_OK;
    struct trouble other;
    size_t sent = 0;
    for (size_t i = 0; i < count; i++) {
        changes[i] = (change){.key = items[i].key,
                              .data = items[i].data ? items[i].data : "",
                              .length = items[i].length,
                              .expected = items[i].expected_version};
        changes[i].status = prepare(connection, &changes[i], "save", first == SKAN_OK ? trouble : &other);
        if (changes[i].status == SKAN_OK)
            numbers[sent++] = i;
        else if (first == SKAN_OK && changes[i].status != SKAN_ERROR_STORE_CONFLICT)
            first = changes[i].status;
    }
    if (sent) {
        skan_status status = make_changes(connection, changes, numbers, sent, "save", deadline,
                                          first == SKAN_OK ? trouble : &other);
        if (first == SKAN_OK) first = status;
    }
    for (size_t i = 0; i < count; i++) {
        items[i].status = changes[i].status;
        if (changes[i].status == SKAN_OK) items[i].new_version = changes[i].version;
    }
    return first;
}

skan_status records_save_many(pooled *lent, skan_save_item *items, size_t count, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    const int64_t deadline = lent->deadline;
    change one;
    size_t number;
    if (count == 1) return save_with(connection, items, &one, &number, 1, deadline, trouble);
    change *changes = calloc(count, sizeof *changes);
    size_t *numbers = calloc(count, sizeof *numbers);
    skan_status status;
    if (changes && numbers) {
        status = save_with(connection, items, changes, numbers, count, deadline, trouble);
    } else {
        status = told(connection, SKAN_ERROR_STORE, "save", "out of memory", trouble);
        for (size_t i = 0; i < count; i++) items[i].status = status;
    }
    free(changes);
    free(numbers);
    return status;
}

skan_status records_save(pooled *lent, const char *key, const void *data, size_t length, uint64_t expected,
                         uint64_t *version, trouble *trouble) {
    skan_save_item item = {.key = key, .data = data, .length = length, .expected_version = expected};
    records_save_many(lent, &item, 1, trouble);
    if (item.status == SKAN_OK) *version = item.new_version;
    return item.status;
}

skan_status records_remove(pooled *lent, const char *key, uint64_t expected, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    change change = {.key = key, .expected = expected};
    size_t number = 0;
    change.status = prepare(connection, &change, "remove", trouble);
    if (change.status != SKAN_OK) return change.status;
    make_changes(connection, &change, &number, 1, "remove", lent->deadline, trouble);
    return change.status;
}

/* ------------------------------------------------------------------------------------------------- one command more */

typedef struct question {
    int (*command)(const struct question *question, char **bytes);
    const connection *connection;
    const char *cursor;
    void (*answer)(struct question *question, const redisReply *reply);
    skan_buffer *keys, *next;
    trouble *trouble;
    skan_status status;
} question;

static int ask_command(void *context, size_t i, char **bytes) {
    (void)i;
    const question *question = context;
    return question->command(question, bytes);
}

static void ask_reply(void *context, size_t i, const redisReply *reply) {
    (void)i;
    question *question = context;
    question->answer(question, reply);
}

static skan_status ask(connection *connection, question *question, const char *doing) {
    exchange exchange = {.count = 1, .command = ask_command, .reply = ask_reply, .context = question};
    trouble lost;
    if (connection_run(connection, &exchange, true, connection->pooled.deadline, &lost) != SKAN_OK)
        question->status = told(connection, SKAN_ERROR_STORE, doing, lost.message, question->trouble);
    return question->status;
}

/* ---------------------------------------------------------------------------------------------------------- listing */

enum { KEYS_OF_A_PAGE = 1000 };

static int list_command(const question *question, char **bytes) {
    char pattern[2 * PREFIX_MAX + 4];
    layout_pattern(question->connection->settings->prefix, pattern);
    return redisFormatCommand(bytes, "SCAN %s MATCH %s COUNT %d", question->cursor, pattern, KEYS_OF_A_PAGE);
}

/* A cursor of the server's: a number of 64 bits, not 0, as it was given. */
static bool is_cursor(const char *text, size_t length) {
    if (length == 0 || length > 20 || text[0] == '0') return false;
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (text[i] < '0' || text[i] > '9' || value > (UINT64_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    return true;
}

static skan_status collect(const question *question, const redisReply *found, skan_buffer *keys) {
    size_t room = 0, length = 0;
    const char *key;
    const char *prefix = question->connection->settings->prefix;
    for (size_t i = 0; i < found->elements; i++) room += found->element[i]->len + 1;
    char *texts = malloc(room + 1);
    if (!texts) return SKAN_ERROR_STORE;
    for (size_t i = 0; i < found->elements; i++) {
        const redisReply *each = found->element[i];
        size_t size = each->type == REDIS_REPLY_STRING ? layout_key_of(prefix, each->str, each->len, &key) : 0;
        if (size == 0) continue;
        memcpy(texts + length, key, size);
        texts[length + size] = '\0';
        length += size + 1;
    }
    skan_status status = skan_buffer_set(keys, texts, length);
    free(texts);
    return status;
}

static void list_answer(question *question, const redisReply *reply) {
    char words[256];
    bool is_page = reply->type == REDIS_REPLY_ARRAY && reply->elements == 2 &&
                   reply->element[0]->type == REDIS_REPLY_STRING && reply->element[1]->type == REDIS_REPLY_ARRAY;
    const redisReply *next = is_page ? reply->element[0] : NULL;
    bool is_last = is_page && next->len == 1 && next->str[0] == '0';
    if (!is_page || (!is_last && !is_cursor(next->str, next->len))) {
        words_of(reply, words, sizeof words);
        question->status = told(question->connection, SKAN_ERROR_STORE, "list", words, question->trouble);
        return;
    }
    question->status = collect(question, reply->element[1], question->keys);
    if (question->status == SKAN_OK)
        question->status = skan_buffer_set(question->next, next->str, is_last ? 0 : next->len);
    if (question->status != SKAN_OK)
        question->status = told(question->connection, SKAN_ERROR_STORE, "list", "a page of too many bytes",
                                question->trouble);
}

skan_status records_list(pooled *lent, skan_buffer *cursor, skan_buffer *keys, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    char text[24] = "0";
    size_t length = skan_buffer_size(cursor);
    if (length > 0) {
        if (!is_cursor(skan_buffer_data(cursor), length))
            return told(connection, SKAN_ERROR_STORE, "list", "the cursor is none of this store", trouble);
        memcpy(text, skan_buffer_data(cursor), length);
        text[length] = '\0';
    }
    question question = {.command = list_command,
                         .answer = list_answer,
                         .connection = connection,
                         .cursor = text,
                         .keys = keys,
                         .next = cursor,
                         .trouble = trouble};
    return ask(connection, &question, "list");
}

/* ---------------------------------------------------------------------------------------------------------- opening */

static int info_command(const question *question, char **bytes) {
    (void)question;
    return redisFormatCommand(bytes, "INFO memory");
}

/* A user who may not ask, and a proxy that does not know it, are not told. */
static void info_answer(question *question, const redisReply *reply) {
    static const char name[] = "\nmaxmemory_policy:";
    if (reply->type != REDIS_REPLY_STRING) return;
    const char *policy = strstr(reply->str, name);
    if (!policy) return;
    policy += strlen(name);
    bool takes_all = strncmp(policy, "allkeys-", 8) == 0;
    bool takes_expiring = strncmp(policy, "volatile-", 9) == 0 && question->connection->settings->expire_days > 0;
    if (!takes_all && !takes_expiring) return;
    char words[256];
    snprintf(words, sizeof words,
             "maxmemory-policy is %.*s, by which the server drops records when its memory is full; expected noeviction"
             "%s, or options.allow_eviction",
             (int)strcspn(policy, "\r\n "), policy, takes_all ? " or volatile-*" : "");
    question->status = told(question->connection, SKAN_ERROR_STORE, "open", words, question->trouble);
}

skan_status records_refuse_eviction(connection *connection, trouble *trouble) {
    question question = {
        .command = info_command, .answer = info_answer, .connection = connection, .trouble = trouble};
    return ask(connection, &question, "open");
}

/* Under the key of an install without an id: there is none. */
skan_status records_probe(connection *connection, trouble *trouble) {
    skan_load_item item = {.key = ""};
    skan_buffer *buffer = skan_buffer_create();
    item.out = buffer;
    records_load_many(&connection->pooled, &item, 1, trouble);
    skan_buffer_destroy(buffer);
    if (item.status >= 100) return trouble->status;
    skan_status status = records_remove(&connection->pooled, "", 1, trouble);
    return status == SKAN_ERROR_STORE_CONFLICT ? SKAN_OK : status;
}
