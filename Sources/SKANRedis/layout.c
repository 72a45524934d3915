#include "layout.h"

#include "../StoreSupport/versions.h"

#include <string.h>

static const char mark[3] = {'S', 'K', LAYOUT};

void layout_header(uint64_t version, char header[LAYOUT_HEADER]) {
    memcpy(header, mark, sizeof mark);
    for (int i = 0; i < 8; i++) header[sizeof mark + (size_t)i] = (char)(unsigned char)(version >> (56 - 8 * i));
}

skan_status layout_read(const char *bytes, size_t size, uint64_t *version, trouble *trouble) {
    if (size == 0) return SKAN_NOT_FOUND;
    uint64_t read = 0;
    if (size >= LAYOUT_HEADER)
        for (size_t i = sizeof mark; i < LAYOUT_HEADER; i++) read = read << 8 | (unsigned char)bytes[i];
    bool is_marked = size >= sizeof mark && memcmp(bytes, mark, 2) == 0;
    if (is_marked && (unsigned char)bytes[2] > LAYOUT && (unsigned char)bytes[2] < ' ')
        return trouble_set(trouble, SKAN_ERROR_STORE,
                           "a record of layout %d, of a newer libskan-redis; this one knows layout %d", bytes[2],
                           LAYOUT);
    if (!is_marked || bytes[2] != LAYOUT || size < LAYOUT_HEADER || read == 0 || read > VERSION_MAX)
        return trouble_set(trouble, SKAN_ERROR_STORE,
                           "what is under an install's key is no record of libskan but another program's"
                           " (expected the bytes 53 4B 01 and a version, found %zu bytes, the first %02X)",
                           size, (unsigned)(unsigned char)bytes[0]);
    *version = read;
    return SKAN_OK;
}

size_t layout_key(const char *prefix, const char *key, char full[FULL_KEY_MAX]) {
    size_t before = strlen(prefix), length = strlen(key);
    if (length > SKAN_INSTALL_ID_MAX) return 0;
    memcpy(full, prefix, before);
    full[before] = '{';
    memcpy(full + before + 1, key, length);
    full[before + 1 + length] = '}';
    return before + length + 2;
}

size_t layout_key_of(const char *prefix, const char *full, size_t length, const char **key) {
    size_t before = strlen(prefix);
    if (length < before + 3 || length > before + 2 + SKAN_INSTALL_ID_MAX) return 0;
    if (memcmp(full, prefix, before) != 0 || full[before] != '{' || full[length - 1] != '}') return 0;
    for (size_t i = before + 1; i < length - 1; i++)
        if ((unsigned char)full[i] < ' ' || full[i] == 0x7F) return 0;
    *key = full + before + 1;
    return length - before - 2;
}

void layout_pattern(const char *prefix, char pattern[2 * PREFIX_MAX + 4]) {
    char *end = pattern;
    for (; *prefix; prefix++) {
        if (strchr("*?[]^-\\", *prefix)) *end++ = '\\';
        *end++ = *prefix;
    }
    strcpy(end, "{*}");
}
