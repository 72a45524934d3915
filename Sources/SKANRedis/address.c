#define _GNU_SOURCE
#include "address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#define LARGEST_DATABASE 65535
#define EXPECTED "expected redis://[user[:password]@]host[:port][/database] or redis+unix:///path[?db=N]"

static skan_status out_of_memory(trouble *trouble) {
    return trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
}

static int hex_digit(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

/* A part of the URL, percent-decoded. */
static skan_status decode(const char *part, size_t length, const char *what, char **decoded, trouble *trouble) {
    char *out = malloc(length + 1);
    size_t written = 0;
    if (!out) return out_of_memory(trouble);
    for (size_t i = 0; i < length; i++) {
        int byte = (unsigned char)part[i];
        if (byte == '%') {
            int high = i + 2 < length ? hex_digit(part[i + 1]) : -1;
            int low = high >= 0 ? hex_digit(part[i + 2]) : -1;
            byte = low >= 0 ? high * 16 + low : 0;
            i += 2;
        }
        if (byte == 0) {
            free(out);
            return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                               "url: %s: expected %% and two hexadecimal digits, other than 00", what);
        }
        out[written++] = (char)byte;
    }
    out[written] = '\0';
    *decoded = out;
    return SKAN_OK;
}

static skan_status read_user(const char *part, size_t length, address *read, trouble *trouble) {
    const char *colon = memchr(part, ':', length);
    size_t user = colon ? (size_t)(colon - part) : length;
    if (user > 0 && decode(part, user, "user", &read->user, trouble) != SKAN_OK) return trouble->status;
    if (colon && length - user > 1) return decode(colon + 1, length - user - 1, "password", &read->password, trouble);
    return SKAN_OK;
}

static bool read_number(const char *digits, size_t length, uint32_t most, uint32_t *number) {
    uint32_t value = 0;
    if (length == 0 || length > 9) return false;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9') return false;
        value = value * 10 + (uint32_t)(digits[i] - '0');
    }
    *number = value;
    return value <= most;
}

static skan_status read_database(const char *digits, address *read, trouble *trouble) {
    if (read_number(digits, strlen(digits), LARGEST_DATABASE, &read->database)) return SKAN_OK;
    return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: database: expected a number from 0 to %d",
                       LARGEST_DATABASE);
}

/* host[:port][/database] */
static skan_status read_host(const char *rest, address *read, trouble *trouble) {
    size_t host_length, end = strcspn(rest, "/?#");
    const char *host = rest, *after;
    if (*rest == '[') {
        const char *bracket = memchr(rest, ']', end);
        if (!bracket)
            return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: host: expected ] after an address");
        host = rest + 1;
        host_length = (size_t)(bracket - host);
        after = bracket + 1;
    } else {
        host_length = strcspn(rest, ":/?#");
        after = rest + host_length;
    }
    if (host_length == 0) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: no host: " EXPECTED);
    uint32_t port = 6379;
    size_t left = (size_t)(rest + end - after);
    if (left > 0 && (*after != ':' || !read_number(after + 1, left - 1, 65535, &port) || port == 0))
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: port: expected : and a number from 1 to 65535");
    if (decode(host, host_length, "host", &read->host, trouble) != SKAN_OK) return trouble->status;
    if (asprintf(&read->port, "%u", (unsigned)port) < 0) {
        read->port = NULL;
        return out_of_memory(trouble);
    }
    rest += end;
    if (*rest == '?' || *rest == '#')
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: %c after the host: " EXPECTED, *rest);
    if (*rest == '/' && rest[1]) return read_database(rest + 1, read, trouble);
    return SKAN_OK;
}

/* /path[?db=N] */
static skan_status read_path(const char *rest, address *read, trouble *trouble) {
    size_t length = strcspn(rest, "?#");
    if (*rest != '/' || length < 2)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: no absolute path of a socket: " EXPECTED);
    if (decode(rest, length, "path", &read->path, trouble) != SKAN_OK) return trouble->status;
    struct sockaddr_un socket;
    if (strlen(read->path) >= sizeof socket.sun_path)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                           "url: path: a Unix socket's has at most %zu bytes, this one %zu", sizeof socket.sun_path - 1,
                           strlen(read->path));
    rest += length;
    if (!*rest) return SKAN_OK;
    if (strncmp(rest, "?db=", 4) != 0)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: after the path: expected ?db= or nothing");
    return read_database(rest + 4, read, trouble);
}

static const char *after_scheme(const char *url, const char *scheme) {
    size_t length = strlen(scheme);
    return strncasecmp(url, scheme, length) == 0 ? url + length : NULL;
}

static skan_status read_parts(const char *url, address *read, trouble *trouble) {
    if (after_scheme(url, "rediss://"))
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                           "url: rediss:// (TLS) is not spoken by this library; use a TLS tunnel on this machine"
                           " (stunnel, Envoy) with redis://127.0.0.1 or redis+unix://");
    const char *rest = after_scheme(url, "redis://"), *path = after_scheme(url, "redis+unix://");
    if (!path) path = after_scheme(url, "unix://");
    if (!rest && !path) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: another scheme: " EXPECTED);
    if (!rest) rest = path;
    /* The last one: a password may have an @ that nobody encoded. */
    size_t length = strcspn(rest, "/?#");
    const char *at = memrchr(rest, '@', length);
    if (at) {
        if (read_user(rest, (size_t)(at - rest), read, trouble) != SKAN_OK) return trouble->status;
        rest = at + 1;
    }
    return path ? read_path(rest, read, trouble) : read_host(rest, read, trouble);
}

static skan_status name_it(address *read, trouble *trouble) {
    int length;
    if (read->path)
        length = asprintf(&read->name, "redis+unix://%s?db=%u", read->path, (unsigned)read->database);
    else
        length = asprintf(&read->name, strchr(read->host, ':') ? "redis://[%s]:%s/%u" : "redis://%s:%s/%u", read->host,
                          read->port, (unsigned)read->database);
    if (length >= 0) return SKAN_OK;
    read->name = NULL;
    return out_of_memory(trouble);
}

skan_status address_read(const char *url, address *read, trouble *trouble) {
    memset(read, 0, sizeof *read);
    if (read_parts(url, read, trouble) == SKAN_OK && name_it(read, trouble) == SKAN_OK) return SKAN_OK;
    address_end(read);
    return trouble->status;
}

void address_end(address *address) {
    free(address->path);
    free(address->host);
    free(address->port);
    free(address->user);
    if (address->password) explicit_bzero(address->password, strlen(address->password));
    free(address->password);
    free(address->name);
    memset(address, 0, sizeof *address);
}
