#include "log.h"

#include "plain_text.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

/* Of what clients send, as much as a line tells. */
enum { METHOD_BYTES = 16, PATH_BYTES = 64 };

static FILE *out;
static log_level level;
static pthread_t flusher;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stop;
static bool is_stopped;
static char buffer[65536];

static void *flush(void *context) {
    (void)context;
    pthread_mutex_lock(&mutex);
    while (!is_stopped) {
        struct timespec end;
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_nsec += 200000000;
        if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&stop, &mutex, &end);
        fflush(out);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

bool log_start(FILE *file, log_level wanted) {
    out = file;
    level = wanted;
    is_stopped = false;
    if (level == LOG_NOTHING) return true;
    /* Standard error writes each piece at once by itself. */
    setvbuf(out, buffer, _IOFBF, sizeof buffer);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&stop, &attributes);
    pthread_condattr_destroy(&attributes);
    return pthread_create(&flusher, NULL, flush, NULL) == 0;
}

void log_stop(void) {
    if (level == LOG_NOTHING) return;
    pthread_mutex_lock(&mutex);
    is_stopped = true;
    pthread_cond_signal(&stop);
    pthread_mutex_unlock(&mutex);
    pthread_join(flusher, NULL);
    level = LOG_NOTHING;
}

/* A JSON string of at most so many bytes of a text. What is no UTF-8 becomes U+FFFD, so that every reader reads every
 * line. */
static void write_text(const char *text, size_t longest) {
    fputc_unlocked('"', out);
    for (const char *start = text; *text && (size_t)(text - start) < longest;) {
        size_t length = text_character(text);
        if (length == 0)
            fputs_unlocked("\\ufffd", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            fprintf(out, "\\u%04x", *text);
        else
            fwrite_unlocked(text, 1, length, out);
        text += length ? length : 1;
    }
    fputc_unlocked('"', out);
}

/* How much of an unknown path is told: what stands behind it may be a query with keys that lost its `?`. */
static size_t path_length(const char *path) {
    static const char told[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    size_t length = strspn(path, told);
    return length < PATH_BYTES ? length : PATH_BYTES;
}

static void write_time(void) {
    struct timespec now;
    struct tm parts;
    char text[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    fprintf(out, "{\"time\":\"%s.%03ldZ\"", text, now.tv_nsec / 1000000);
}

void log_request(const char *route, const char *method, const char *path, unsigned status, const char *outcome,
                 uint64_t microseconds) {
    if (level == LOG_NOTHING || (level == LOG_ERRORS && status < 500)) return;
    pthread_mutex_lock(&mutex);
    write_time();
    fprintf(out, ",\"event\":\"request\",\"route\":\"%s\",\"method\":", route ? route : "other");
    write_text(method, METHOD_BYTES);
    if (!route) {
        fputs_unlocked(",\"path\":", out);
        write_text(path, path_length(path));
    }
    fprintf(out, ",\"status\":%u,\"outcome\":\"%s\",\"microseconds\":%" PRIu64 "}\n", status, outcome, microseconds);
    pthread_mutex_unlock(&mutex);
}

void log_event(const char *event, const char *words) {
    if (level == LOG_NOTHING) return;
    pthread_mutex_lock(&mutex);
    write_time();
    fprintf(out, ",\"event\":\"%s\"", event);
    if (words) {
        fputs_unlocked(",\"message\":", out);
        write_text(words, SIZE_MAX);
    }
    fputs_unlocked("}\n", out);
    fflush(out);
    pthread_mutex_unlock(&mutex);
}
