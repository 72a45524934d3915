#define _GNU_SOURCE
#include "request.h"

#include "retry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

int64_t skanhttp_clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --------------------------------------------------------------------------------------------------- the URL's host */

/* What messages tell of a URL: neither its query, which has the SDK key, nor its user. */
static char *host_of(const char *url, skanhttp_refusal *why) {
    CURLU *parts = curl_url();
    char *scheme = NULL, *host = NULL, *port = NULL, *found = NULL;
    CURLUcode code = parts ? curl_url_set(parts, CURLUPART_URL, url, 0) : CURLUE_OUT_OF_MEMORY;
    if (code == CURLUE_OK) code = curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0);
    if (code == CURLUE_OK && strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)
        code = CURLUE_UNSUPPORTED_SCHEME;
    if (code == CURLUE_OK) code = curl_url_get(parts, CURLUPART_HOST, &host, 0);
    if (code == CURLUE_OK) code = curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT);
    if (code == CURLUE_OK) {
        const size_t size = strlen(host) + strlen(port) + 2;
        found = malloc(size);
        if (found) snprintf(found, size, "%s:%s", host, port);
        else code = CURLUE_OUT_OF_MEMORY;
    }
    if (!found) {
        why->is_of_url = code != CURLUE_OUT_OF_MEMORY;
        snprintf(why->message, sizeof why->message,
                 "url: expected an absolute http or https URL: %s (libcurl URL error %d)", curl_url_strerror(code),
                 (int)code);
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(parts);
    return found;
}

/* ------------------------------------------------------------------------------------------------ making and ending */

request *skanhttp_request_create(const char *url, const skanhttp_settings *settings, skanhttp_done done,
                                 void *context, skanhttp_refusal *why) {
    char *host = host_of(url, why);
    if (!host) return NULL;
    request *made = calloc(1, sizeof *made);
    if (made) made->url = strdup(url);
    if (!made || !made->url) {
        *why = (skanhttp_refusal){.message = "out of memory"};
        free(host);
        free(made);
        return NULL;
    }
    made->host = host;
    made->done = done;
    made->context = context;
    made->deadline = skanhttp_clock_now() + settings->timeout_ms;
    return made;
}

void skanhttp_request_free(request *request) {
    free(request->url);
    free(request->host);
    free(request->body);
    free(request);
}

void skanhttp_request_end(request *request, skanhttp_outcome outcome, const char *words) {
    request->outcome = outcome;
    snprintf(request->message, sizeof request->message, "%.160s: %.340s", request->host, words);
}

/* ------------------------------------------------------------------------------------------------------- an attempt */

static long http_status(const request *request) {
    long status = 0;
    curl_easy_getinfo(request->easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* Answers less than it was given to end the transfer. */
static size_t take_header(char *line, size_t size, size_t count, void *context) {
    request *request = context;
    const size_t length = size * count;
    if (length > SKANHTTP_HEADERS_MAX - request->header_bytes) {
        request->headers_are_too_large = true;
        return 0;
    }
    request->header_bytes += length;
    const int64_t retry_after_ms = skanhttp_retry_after_read(line, length);
    if (retry_after_ms >= 0) request->retry_after_ms = retry_after_ms;
    return length;
}

/* The body of a refusal is read, so that the connection can be used again, but not kept. */
static size_t take_body(char *data, size_t size, size_t count, void *context) {
    request *request = context;
    const size_t length = size * count;
    if (length > SKANHTTP_BODY_MAX - request->length) {
        request->body_is_too_large = true;
        return 0;
    }
    if (http_status(request) == 200) {
        if (length > request->capacity - request->length) {
            size_t capacity = request->capacity ? request->capacity : 512;
            while (capacity < request->length + length) capacity *= 2;
            char *grown = realloc(request->body, capacity);
            if (!grown) return 0;
            request->body = grown;
            request->capacity = capacity;
        }
        memcpy(request->body + request->length, data, length);
    }
    request->length += length;
    return length;
}

#define SET(option, value) \
    if (code == CURLE_OK) code = curl_easy_setopt(easy, option, value)

CURLcode skanhttp_handle_set_up(CURL *easy, const skanhttp_settings *settings) {
    CURLcode code = CURLE_OK;
    SET(CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
#else
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    /* Without it, the end of an attempt waits for the end of its name look-up. */
    SET(CURLOPT_QUICK_EXIT, 1L);
#endif
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    SET(CURLOPT_USERAGENT, "libskan-http");
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (settings->ca_file) {
        SET(CURLOPT_CAINFO, settings->ca_file);
        SET(CURLOPT_CAPATH, NULL);
    }
    if (settings->proxy) SET(CURLOPT_PROXY, settings->proxy);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)settings->connect_timeout_ms);
    SET(CURLOPT_HEADERFUNCTION, take_header);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    return code;
}

static CURLcode set_up_attempt(request *request) {
    CURL *easy = request->easy;
    CURLcode code = CURLE_OK;
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_PRIVATE, request);
    SET(CURLOPT_ERRORBUFFER, request->words);
    SET(CURLOPT_HEADERDATA, request);
    SET(CURLOPT_WRITEDATA, request);
    /* Many requests at once wait to learn whether the first one's connection takes them all. */
    SET(CURLOPT_PIPEWAIT, strncasecmp(request->url, "https:", 6) == 0 ? 1L : 0L);
    /* What timed out may have had a connection that is dead, though it does not look so. */
    SET(CURLOPT_FRESH_CONNECT, request->timed_out ? 1L : 0L);
    return code;
}

#undef SET

bool skanhttp_request_prepare(request *request, const skanhttp_settings *settings) {
    const CURLcode code = set_up_attempt(request);
    if (code != CURLE_OK) {
        skanhttp_request_end(request, SKANHTTP_FAILED, curl_easy_strerror(code));
        return false;
    }
    request->words[0] = '\0';
    request->length = 0;
    request->header_bytes = 0;
    request->retry_after_ms = -1;
    request->body_is_too_large = request->headers_are_too_large = request->timed_out = false;
    request->attempts++;
    const int64_t attempt_ends = skanhttp_clock_now() + settings->attempt_timeout_ms;
    request->acts_at = attempt_ends < request->deadline ? attempt_ends : request->deadline;
    return true;
}

/* -------------------------------------------------------------------------------------------------- what it came to */

/* libcurl's words, but where they may tell more than the host: a proxy with its password, a piece of the URL. */
static const char *words_for(const request *request, CURLcode code) {
    const char *words = request->words;
    if (!words[0] || strpbrk(words, "?@=&\r\n")) return curl_easy_strerror(code);
    return words;
}

static void describe(const request *request, CURLcode code, long status, char *words, size_t size) {
    if (request->headers_are_too_large)
        snprintf(words, size, "the answer's headers have more than %d bytes", (int)SKANHTTP_HEADERS_MAX);
    else if (status == 200 && request->body_is_too_large)
        snprintf(words, size, "the answer's body has more than %d bytes", (int)SKANHTTP_BODY_MAX);
    else if (code == CURLE_OK || request->body_is_too_large)
        snprintf(words, size, "HTTP status %ld%s", status,
                 status >= 300 && status < 400 ? ", redirects are not followed" : "");
    else
        snprintf(words, size, "%s (libcurl error %d)", words_for(request, code), (int)code);
}

static bool was_time_out(const request *request, CURLcode code) {
    if (code == CURLE_OPERATION_TIMEDOUT) return true;
    long reason = 0;
    return code == CURLE_COULDNT_CONNECT &&
           curl_easy_getinfo(request->easy, CURLINFO_OS_ERRNO, &reason) == CURLE_OK && reason == ETIMEDOUT;
}

bool skanhttp_request_attempt_ended(request *request, const skanhttp_settings *settings, CURLcode code) {
    const long status = http_status(request);
    const bool was_cut = request->headers_are_too_large || request->body_is_too_large;
    if (code == CURLE_OK && status == 200) {
        request->outcome = SKANHTTP_OK;
        return true;
    }
    char words[CURL_ERROR_SIZE + 64];
    describe(request, code, status, words, sizeof words);
    request->timed_out = !was_cut && was_time_out(request, code);
    const bool is_refusal = !request->headers_are_too_large && (code == CURLE_OK || request->body_is_too_large) &&
                            (status == 429 || (status >= 500 && status <= 599));

    char message[sizeof request->message];
    const int64_t now = skanhttp_clock_now();
    if (!request->timed_out && !is_refusal) {
        snprintf(message, sizeof message, "%s, attempt %u", words, (unsigned)request->attempts);
    } else if (request->attempts >= settings->max_attempts || now >= request->deadline) {
        snprintf(message, sizeof message, "%s, attempt %u of %u", words, (unsigned)request->attempts,
                 (unsigned)settings->max_attempts);
    } else {
        int64_t pause = skanhttp_retry_pause(request->attempts, settings->backoff_ms, settings->max_backoff_ms);
        if (request->retry_after_ms > 0) pause += request->retry_after_ms;
        if (pause < request->deadline - now) {
            request->acts_at = now + pause;
            return false;
        }
        snprintf(message, sizeof message, "%s, attempt %u; no time is left for the next one in %lld ms", words,
                 (unsigned)request->attempts, (long long)pause);
    }
    const bool is_too_large = status == 200 && request->body_is_too_large;
    skanhttp_request_end(request, is_too_large ? SKANHTTP_TOO_LARGE : SKANHTTP_FAILED, message);
    return true;
}
