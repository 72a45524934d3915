#define _GNU_SOURCE
#include "retry.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

/* RFC 9110, 10.2.3: an HTTP-date or a count of seconds. */
static int64_t read_value(const char *value) {
    if (*value >= '0' && *value <= '9') {
        const int64_t longest = INT64_MAX / 10000;
        int64_t seconds = 0;
        const char *digit = value;
        for (; *digit >= '0' && *digit <= '9'; digit++)
            seconds = seconds > longest / 10 ? longest : seconds * 10 + (*digit - '0');
        if (*digit == '\0') return seconds * 1000;
    }
    const time_t date = curl_getdate(value, NULL);
    if (date == -1) return -1;
    const time_t now = time(NULL);
    return date > now ? (int64_t)(date - now) * 1000 : 0;
}

int64_t skanhttp_retry_after_read(const char *line, size_t length) {
    static const char name[] = "Retry-After:";
    const size_t name_length = sizeof name - 1;
    if (length < name_length || strncasecmp(line, name, name_length) != 0) return -1;
    line += name_length;
    length -= name_length;
    while (length > 0 && (*line == ' ' || *line == '\t')) line++, length--;
    while (length > 0 && strchr(" \t\r\n", line[length - 1])) length--;
    char value[64];
    if (length == 0 || length >= sizeof value) return -1;
    memcpy(value, line, length);
    value[length] = '\0';
    return read_value(value);
}

int64_t skanhttp_retry_pause(uint32_t attempts, uint32_t first_ms, uint32_t longest_ms) {
    int64_t whole = first_ms;
    for (uint32_t i = 1; i < attempts && whole < longest_ms; i++) whole *= 2;
    if (whole > longest_ms) whole = longest_ms;
    uint32_t chance = 0;
    if (getentropy(&chance, sizeof chance) != 0) chance = UINT32_MAX;
    return whole - (int64_t)((uint64_t)(whole / 2) * chance >> 32);
}
