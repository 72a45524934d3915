#include "record_kind.h"

#include "../Outbox/entry.h"
#include "memory.h"
#include "messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSTBACK_PREFIX "postback/"
#define APART_PREFIX "refused/"
#define DIGITS 64

static const struct {
    const char *one;
    const char *many;
    const char *name;
    const char *advice;
} words[RECORD_KINDS] = {
    [RECORD_INSTALL] = {"install", "installs", "an install", "skan show, export, import and purge are for installs"},
    [RECORD_POSTBACK] = {"postback", "postbacks", "a postback", "skan report tells what postbacks say"},
    [RECORD_APART] = {"postback kept apart", "postbacks kept apart", "a postback that was kept apart",
                      "skan report tells what postbacks say"},
    [RECORD_OUTBOX] = {"outbox entry", "outbox entries", "an outbox entry", "skan outbox lists outbox entries"},
};

const char *record_kind_name(record_kind kind) { return words[kind].name; }

const char *record_kind_advice(record_kind kind) { return words[kind].advice; }

/* ---------------------------------------------------------------------------------------------------------- telling */

static bool begins(const void *data, size_t length, const char *with) {
    return length >= strlen(with) && memcmp(data, with, strlen(with)) == 0;
}

static bool has_digits(const char *key, const char *prefix) {
    if (!begins(key, strlen(key), prefix)) return false;
    const char *digits = key + strlen(prefix);
    return strspn(digits, "0123456789abcdef") == DIGITS && digits[DIGITS] == '\0';
}

static record_kind kind_of_key(const char *key) {
    entry_name name;
    if (has_digits(key, POSTBACK_PREFIX)) return RECORD_POSTBACK;
    if (has_digits(key, APART_PREFIX)) return RECORD_APART;
    return entry_name_read(key, &name) ? RECORD_OUTBOX : RECORD_INSTALL;
}

record_kind record_kind_of(const char *key, const void *data, size_t length) {
    const unsigned char *bytes = data;
    if (length > 0 && (bytes[0] == 1 || bytes[0] == 2)) return RECORD_INSTALL;
    if (begins(data, length, "{\"outbox\":")) return RECORD_OUTBOX;
    if (begins(data, length, "skpb")) return has_digits(key, APART_PREFIX) ? RECORD_APART : RECORD_POSTBACK;
    return kind_of_key(key);
}

const char *record_name_problem(const char *key, record_kind kind) {
    record_kind meant = kind_of_key(key);
    if (meant == kind) return NULL;
    switch (kind) {
    case RECORD_INSTALL:
        return meant == RECORD_OUTBOX ? "an install under the name of an outbox entry"
                                      : "an install under the name of a postback";
    case RECORD_OUTBOX: return "an outbox entry is under outbox/, its postback, network and partner";
    default: return "a postback is under postback/ or refused/ and 64 hexadecimal digits";
    }
}

bool record_served_user(const char *key, served_user *user) {
    static const char *const starts[] = {"v2/", "v1/", "v2-idfa/", "v1-idfa/"};
    for (size_t index = 0; index < sizeof starts / sizeof starts[0]; index++) {
        if (!begins(key, strlen(key), starts[index])) continue;
        const char *app = key + strlen(starts[index]), *slash = strchr(app, '/');
        if (!slash || !slash[1]) return false;
        *user = (served_user){app, (int)(slash - app), index < 2 ? "user" : "idfa", slash + 1};
        return true;
    }
    return false;
}

/* --------------------------------------------------------------------------------------------------------- counting */

void record_count(record_counts *counts, record_kind kind) { counts->of[kind]++; }

uint64_t record_counts_sum(const record_counts *counts) {
    uint64_t sum = 0;
    for (int kind = 0; kind < RECORD_KINDS; kind++) sum += counts->of[kind];
    return sum;
}

char *record_counts_words(const record_counts *counts) {
    char text[RECORD_KINDS * 64];
    size_t length = 0;
    int left = 0;
    for (int kind = 0; kind < RECORD_KINDS; kind++) left += counts->of[kind] > 0;
    if (left == 0) return memory_copy("0 installs");
    for (int kind = 0, told = 0; kind < RECORD_KINDS; kind++) {
        uint64_t count = counts->of[kind];
        if (count == 0) continue;
        const char *before = told == 0 ? "" : told + 1 == left ? " and " : ", ";
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%" PRIu64 " %s", before, count,
                                   count == 1 ? words[kind].one : words[kind].many);
        told++;
    }
    return memory_copy(text);
}

/* What is right for those that are there, each said once. */
static void complain_of_others(const char *store_name, const char *own, const record_counts *others,
                               const char *found) {
    const char *advice[RECORD_KINDS] = {""};
    int count = 0;
    for (int kind = 0; kind < RECORD_KINDS; kind++)
        if (others->of[kind] > 0 && (count == 0 || strcmp(advice[count - 1], words[kind].advice) != 0))
            advice[count++] = words[kind].advice;
    complain(store_name, "expected %s, found %s: %s%s%s, skan move and check take records of every kind", own, found,
             advice[0], count > 1 ? ", " : "", count > 1 ? advice[1] : "");
}

bool record_counts_tell(const char *store_name, const char *own, uint64_t own_count, const record_counts *others) {
    if (record_counts_sum(others) == 0) return true;
    char *found = record_counts_words(others);
    if (own_count == 0)
        complain_of_others(store_name, own, others, found);
    else
        complain(store_name, "left alone: %s", found);
    free(found);
    return own_count > 0;
}
