/* Laws of keys: they are bytes; keys of different bytes are different records. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static kit_bytes record_of(char text[64], size_t number, const char *state) {
    snprintf(text, 64, "record %zu, %s", number, state);
    return KIT_TEXT(text);
}

/* Inserts, changes and removes records under all these keys; what happens to one must leave the others alone. */
static void are_apart(kit_run *run, const char *const *keys, size_t count) {
    uint64_t *versions = kit_allocate(count * sizeof *versions);
    char text[64];
    for (size_t i = 0; i < count; i++) kit_holds_nothing(run, &run->store, keys[i]);
    for (size_t i = 0; i < count && !run->failed; i++)
        versions[i] = kit_saves(run, &run->store, keys[i], record_of(text, i, "inserted"), 0);
    for (size_t i = 0; i < count && !run->failed; i++)
        kit_holds(run, &run->store, keys[i], record_of(text, i, "inserted"), versions[i]);
    for (size_t i = 0; i < count && !run->failed; i += 2)
        versions[i] = kit_saves(run, &run->store, keys[i], record_of(text, i, "changed"), versions[i]);
    for (size_t i = 0; i < count && !run->failed; i++)
        kit_holds(run, &run->store, keys[i], record_of(text, i, i % 2 ? "inserted" : "changed"), versions[i]);
    for (size_t i = 1; i < count && !run->failed; i += 2) kit_removes(run, &run->store, keys[i], versions[i]);
    for (size_t i = 0; i < count && !run->failed; i++)
        if (i % 2)
            kit_holds_nothing(run, &run->store, keys[i]);
        else
            kit_holds(run, &run->store, keys[i], record_of(text, i, "changed"), versions[i]);
    free(versions);
}

static void rests_are_apart(kit_run *run, const char *const *rests, size_t count) {
    const char **keys = kit_allocate(count * sizeof *keys);
    for (size_t i = 0; i < count; i++) keys[i] = kit_exact_key(run, rests[i]);
    are_apart(run, keys, count);
    free(keys);
}

/* From one byte, or the prefix, to the longest, each the beginning of the next. */
static void beginnings(kit_run *run) {
    const char *keys[SKAN_INSTALL_ID_MAX];
    char rest[KIT_KEY_SIZE] = "";
    size_t prefix = strlen(run->prefix), count = 0;
    for (size_t length = prefix ? prefix : 1; length <= SKAN_INSTALL_ID_MAX; length++) {
        for (size_t i = 0; i < length - prefix; i++) rest[i] = "a/b:c.d-e_f|g"[i % 13];
        keys[count++] = kit_exact_key(run, rest);
    }
    are_apart(run, keys, count);
}

/* The longest keys, each different from the first in one byte. */
static void longest(kit_run *run) {
    const char *keys[SKAN_INSTALL_ID_MAX + 1];
    char rest[KIT_KEY_SIZE] = "";
    size_t length = SKAN_INSTALL_ID_MAX - strlen(run->prefix), count = 0;
    memset(rest, 'k', length);
    keys[count++] = kit_exact_key(run, rest);
    for (size_t i = 0; i < length; i++) {
        rest[i] = 'l';
        keys[count++] = kit_exact_key(run, rest);
        rest[i] = 'k';
    }
    are_apart(run, keys, count);
}

static void printable(kit_run *run) {
    const char *keys[0x7F - 0x20];
    size_t count = 0;
    for (int byte = 0x20; byte < 0x7F; byte++) {
        char rest[] = {(char)byte, '\0'};
        keys[count++] = kit_exact_key(run, rest);
    }
    are_apart(run, keys, count);
}

static void cases(kit_run *run) {
    static const char *const rests[] = {
        "key", "Key", "KEY", "kEY", "\xE2\x84\xAA" "ey" /* Kelvin sign */,
        "i", "I", "\xC4\xB1" /* dotless */, "\xC4\xB0" /* with a dot */,
        "s", "S", "\xC5\xBF" /* long s */, "stra\xC3\x9F" "e", "strasse", "STRASSE", "STRA\xE1\xBA\x9E" "E",
        "\xC3\xA9", "\xC3\x89" /* e acute */, "\xCF\x83", "\xCF\x82", "\xCE\xA3" /* sigma, final, capital */,
        "\xD0\xB6", "\xD0\x96" /* Cyrillic zhe */,
    };
    rests_are_apart(run, rests, COUNT(rests));
}

static void spaces(kit_run *run) {
    static const char *const rests[] = {
        "key", "key ", "key  ", " key", "  key", " key ", "k ey", "k  ey", " ", "  ", "   ",
        "key\xC2\xA0" /* no-break */, "key\xE3\x80\x80" /* ideographic */, "\xE2\x80\xA8key" /* line separator */,
        "key\xC2\x85" /* next line */, "key\xE2\x80\x8B" /* zero width */,
    };
    rests_are_apart(run, rests, COUNT(rests));
}

static void unicode(kit_run *run) {
    static const char *const rests[] = {
        "e", "\xC3\xA9", "e\xCC\x81", "e\xCC\x80", /* e, with acute in two forms, with grave */
        "A", "\xC3\x85", "\xE2\x84\xAB", "A\xCC\x8A", /* A, with ring, angstrom sign, A with ring in two scalars */
        "fi", "\xEF\xAC\x81", /* a ligature */
        "1", "\xEF\xBC\x91", "\xC2\xB9", /* full width, superscript */
        "\xEA\xB0\x80", "\xE1\x84\x80\xE1\x85\xA1", /* Hangul, one syllable, two letters */
        "q\xCC\x87\xCC\xA3", "q\xCC\xA3\xCC\x87", /* two marks in both orders */
        "o", "oe", "\xC3\xB6", "o\xCC\x88", "\xC5\x93", /* o umlaut, oe ligature */
        "ab", "a\xE2\x80\x8D" "b", "a\xC2\xAD" "b", "\xEF\xBB\xBF" "ab", /* joiner, soft hyphen, byte order mark */
        "\xC2\x80", "\xC2\x9F", "\xEE\x80\x80", /* C1 controls, private use */
        "\xEF\xBF\xBD", "\xEF\xBF\xBE", "\xEF\xBF\xBF", /* replacement character, noncharacters */
        "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x81", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", /* of four bytes */
        "?", "??", "????", "\xEF\xBF\xBD\xEF\xBF\xBD", /* what a store may make of them */
    };
    rests_are_apart(run, rests, COUNT(rests));

    /* As many bytes as may be, in characters of four: two that differ in the last one. */
    char rest[KIT_KEY_SIZE] = "";
    size_t length = 0;
    while (strlen(run->prefix) + length + 8 <= SKAN_INSTALL_ID_MAX) {
        memcpy(rest + length, "\xF0\x9F\x98\x80", 5);
        length += 4;
    }
    memcpy(rest + length, "\xF0\x9F\x98\x80", 5);
    const char *last = kit_exact_key(run, rest);
    memcpy(rest + length, "\xF0\x9F\x98\x81", 5);
    const char *const keys[] = {last, kit_exact_key(run, rest)};
    are_apart(run, keys, 2);
}

static void patterns(kit_run *run) {
    static const char *const rests[] = {
        "ab", "a%", "%", "%%", "a_", "__", "_", "*", "a*", "?", "a?", "??", "[ab]", "[a]", "[^b]", ".", "..", "a.",
        ".*", "^a", "b$", "a|b", "a\\%", "a\\*", "\\", "\\\\",
    };
    rests_are_apart(run, rests, COUNT(rests));
}

static void languages(kit_run *run) {
    static const char *const rests[] = {
        "'", "''", "\"", "\"\"", "`", "``", "\\'", "\\\"", "\\", "\\\\", "\\0", "\\n", "\\x41", "\\u0041", "A",
        "' OR '1'='1", "' OR 1=1 --", "'; DROP TABLE records; --", "x'41'", "/* */", "--", ";", "a;b",
        "?1", ":name", "@name", "$1", "${name}", "$(name)", "%s", "%n", "%d%s", "%%s", "%", "%25", "%2525", "%20", "+",
        "]]", "]] .. error() --[[", "[[", "\\27", "redis.call('FLUSHALL')", "KEYS[1]", "ARGV[1]",
        "a b", "a,b", "a=b", "a&b", "a#b", "a?b=c", "<a>", "&lt;a&gt;", "(a)", "a:b", "a::b",
        "/", "//", "a/b", "a//b", "./a", "../a", "a/../b", "b", "~", "a\\b", "C:\\a", "http://a/b",
    };
    rests_are_apart(run, rests, COUNT(rests));
}

static void braces(kit_run *run) {
    static const char *const rests[] = {
        "{a}", "{a}1", "{a}2", "1{a}", "a", "{a", "a}", "{", "}", "{}", "{}a", "{{a}}", "{a}{b}", "{b}{a}", "{{a}",
        "}{", "{\"a\":1}", "[1]", "{0}", "{1}",
    };
    rests_are_apart(run, rests, COUNT(rests));
}

static void numbers(kit_run *run) {
    static const char *const rests[] = {
        "0", "00", "-0", "+0", "0.0", "1", "01", "001", "1.0", "1.", "+1", "1e0", "0x1", "10", "1e1", "1_0", "1,0",
        "9007199254740992", "9007199254740993", "9007199254740992.0", "18446744073709551615", "18446744073709551616",
        "340282366920938463463374607431768211456", "340282366920938463463374607431768211457",
        "1.00000000000000000", "1.00000000000000001", "inf", "Infinity", "nan", "NaN", "NULL", "null", "nil", "None",
        "true", "True", "false", "TRUE",
        "123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000",
        "123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}", "2024-01-01", "2024-1-1",
    };
    rests_are_apart(run, rests, COUNT(rests));
}

static void own_names(kit_run *run) {
    static const char *const rests[] = {
        "key", "key:v", "key:version", "key.version", "key/version", "key-version", "key_version", "key#version",
        "key:data", "key:record", "key:lock", "key.lock", "key.tmp", "key~", "key:deleted", "key/", "key:", "v:key",
        "version", "versions", ":version", "__version__", "counter", "sequence", "next_version", "records", "meta",
        "skan", "skan:version", "skan:versions", "skan:counter", "1:key", "2:key",
    };
    rests_are_apart(run, rests, COUNT(rests));
}

const kit_law kit_key_laws[] = {
    {"keys of which one begins the other are apart", beginnings},
    {"keys of 128 bytes are apart in each byte", longest},
    {"keys of one printable character are apart", printable},
    {"keys in upper and lower case are apart", cases},
    {"keys with other spaces are apart", spaces},
    {"keys in other Unicode forms are apart", unicode},
    {"keys like patterns match themselves only", patterns},
    {"keys like parts of query languages and paths are apart", languages},
    {"keys with braces are apart", braces},
    {"keys like numbers are apart", numbers},
    {"keys like a store's own names are apart", own_names},
    {NULL, NULL},
};
