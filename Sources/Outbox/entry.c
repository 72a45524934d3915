#include "entry.h"

#include <skan/skan.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSTBACK_PREFIX "postback/"
#define DIGITS 64

static const char *const states[] = {"prepared", "waiting", "dead"};

const char *entry_state_name(entry_state state) { return states[state]; }

bool entry_key(char *key, const char *postback, const char *network, const char *partner) {
    const size_t prefix = strlen(POSTBACK_PREFIX);
    if (strncmp(postback, POSTBACK_PREFIX, prefix) != 0 || strlen(postback) != prefix + DIGITS) return false;
    int length = snprintf(key, ENTRY_KEY_SIZE, ENTRY_PREFIX "%s/%s/%s", postback + prefix, network, partner);
    return length > 0 && length < ENTRY_KEY_SIZE;
}

bool entry_name_read(const char *key, entry_name *name) {
    const size_t prefix = strlen(ENTRY_PREFIX);
    if (strncmp(key, ENTRY_PREFIX, prefix) != 0) return false;
    const char *digits = key + prefix;
    if (strspn(digits, "0123456789abcdef") != DIGITS || digits[DIGITS] != '/') return false;
    const char *network = digits + DIGITS + 1, *slash = strchr(network, '/');
    if (!slash || slash == network || slash - network > ENTRY_NAME_MAX) return false;
    const char *partner = slash + 1;
    if (!*partner || strlen(partner) > ENTRY_NAME_MAX) return false;
    snprintf(name->postback, sizeof name->postback, POSTBACK_PREFIX "%.*s", DIGITS, digits);
    snprintf(name->network, sizeof name->network, "%.*s", (int)(slash - network), network);
    snprintf(name->partner, sizeof name->partner, "%s", partner);
    snprintf(name->id, sizeof name->id, "%.*s-%s", DIGITS, digits, name->partner);
    return true;
}

/* Reasons are libcurl's words: what JSON would have to escape becomes a space or an apostrophe. */
static void write_reason(const char *reason, char *text, size_t size) {
    size_t length = 0;
    for (; *reason && length + 1 < size; reason++) {
        unsigned char byte = (unsigned char)*reason;
        text[length++] = byte == '"' ? '\'' : byte < 0x20 || byte > 0x7E || byte == '\\' ? ' ' : (char)byte;
    }
    text[length] = '\0';
}

size_t entry_write(const entry *entry, char *bytes) {
    char reason[sizeof entry->reason];
    write_reason(entry->reason, reason, sizeof reason);
    return (size_t)snprintf(bytes, ENTRY_BYTES_MAX,
                            "{\"outbox\":1,\"state\":\"%s\",\"attempts\":%" PRId64 ",\"created\":%" PRId64
                            ",\"due\":%" PRId64 ",\"reason\":\"%s\"}",
                            states[entry->state], entry->attempts, entry->created, entry->due, reason);
}

/* What was seen of an entry while it is read. */
typedef struct reading {
    entry *entry;
    unsigned seen; /* a bit for each member */
    bool is_wrong;
} reading;

static bool is_named(const skan_json_member *member, const char *name) {
    return member->key_length == strlen(name) && memcmp(member->key, name, member->key_length) == 0;
}

static bool take_number(const skan_json_member *member, int64_t *number) {
    char text[24], *end;
    if (member->kind != SKAN_JSON_NUMBER || member->text_length >= sizeof text) return false;
    memcpy(text, member->text, member->text_length);
    text[member->text_length] = '\0';
    errno = 0;
    *number = strtoll(text, &end, 10);
    return errno == 0 && *end == '\0' && *number >= 0;
}

static bool take_state(const skan_json_member *member, entry_state *state) {
    for (int i = 0; i < 3; i++)
        if (member->text_length == strlen(states[i]) && memcmp(member->text, states[i], member->text_length) == 0) {
            *state = (entry_state)i;
            return member->kind == SKAN_JSON_STRING;
        }
    return false;
}

static void take_member(void *context, const skan_json_member *member) {
    static const char *const names[] = {"outbox", "state", "attempts", "created", "due", "reason"};
    reading *reading = context;
    entry *entry = reading->entry;
    int64_t form = 0;
    int which = 0;
    while (which < 6 && !is_named(member, names[which])) which++;
    bool is_fine = false;
    if (which == 0) is_fine = take_number(member, &form) && form == 1;
    if (which == 1) is_fine = take_state(member, &entry->state);
    if (which == 2) is_fine = take_number(member, &entry->attempts);
    if (which == 3) is_fine = take_number(member, &entry->created);
    if (which == 4) is_fine = take_number(member, &entry->due);
    if (which == 5) {
        is_fine = member->kind == SKAN_JSON_STRING;
        char text[sizeof entry->reason];
        snprintf(text, sizeof text, "%.*s", (int)member->text_length, member->text);
        write_reason(text, entry->reason, sizeof entry->reason);
    }
    if (which < 6) reading->seen |= 1u << which;
    if (!is_fine) reading->is_wrong = true;
}

bool entry_read(const void *bytes, size_t length, entry *entry) {
    reading reading = {.entry = entry};
    memset(entry, 0, sizeof *entry);
    if (length > ENTRY_BYTES_MAX) return false;
    return skan_json_read(bytes, length, take_member, &reading, NULL) == SKAN_OK && !reading.is_wrong &&
           reading.seen == 0x3F;
}
