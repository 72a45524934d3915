#include "masks.h"

#include "memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MASK "***"

/* Whether `name`, up to `end`, has "pass" in it, in any case. */
static bool names_password(const char *name, const char *end) {
    for (; end - name >= 4; name++)
        if (tolower((unsigned char)name[0]) == 'p' && tolower((unsigned char)name[1]) == 'a' &&
            tolower((unsigned char)name[2]) == 's' && tolower((unsigned char)name[3]) == 's')
            return true;
    return false;
}

static char *append(char *end, const char *text, size_t length) {
    memcpy(end, text, length);
    return end + length;
}

/* Values of query items, also of those in a connection string of libpq, which is no URL. */
static char *mask_items(const char *url) {
    size_t equals_count = 0;
    for (const char *byte = url; *byte; byte++) equals_count += *byte == '=';
    char *masked = memory_take(strlen(url) + equals_count * strlen(MASK) + 1);
    char *out = masked;
    while (*url) {
        const char *end = url + 1 + strcspn(url + 1, "?& \t\n");
        const char *equals = memchr(url, '=', (size_t)(end - url));
        if (equals && names_password(url, equals)) {
            out = append(out, url, (size_t)(equals + 1 - url));
            out = append(out, MASK, strlen(MASK));
        } else {
            out = append(out, url, (size_t)(end - url));
        }
        url = end;
    }
    return masked;
}

/* The password before the host. It may hold a '/', '?' or '@' that should have been escaped: the last '@' ends it. */
static char *mask_authority(const char *url) {
    char *masked = memory_take(strlen(url) + strlen(MASK) + 1);
    char *out = masked;
    const char *scheme_end = strstr(url, "://");
    const char *at = scheme_end ? strrchr(scheme_end, '@') : NULL;
    const char *colon = at ? memchr(scheme_end + 3, ':', (size_t)(at - scheme_end - 3)) : NULL;
    if (colon) {
        out = append(out, url, (size_t)(colon + 1 - url));
        out = append(out, MASK, strlen(MASK));
        url = at;
    }
    append(out, url, strlen(url));
    return masked;
}

char *url_masked(const char *url) {
    char *items = mask_items(url);
    char *masked = mask_authority(items);
    const char *scheme_end = strstr(url, "://");
    /* Where an '@' went with an item, nobody can say what was the password. */
    if (scheme_end && strchr(scheme_end, '@') && !strchr(items, '@'))
        strcpy(masked + (scheme_end + 3 - url), MASK);
    free(items);
    return masked;
}
