/* A request that its caller waits for. */
#define _GNU_SOURCE
#include "client.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How much longer than its time a request is waited for. The client ends it in time; what this covers is a client that
 * cannot, as libcurl before 7.87 waits for the end of a name look-up. */
#define PATIENCE_MS 200

/* Of the one who waits and of the client: the last of them frees it. */
typedef struct waiting {
    pthread_mutex_t lock;
    pthread_cond_t is_told;
    bool is_over;
    bool is_left; /* nobody waits any more */
    skanhttp_answer answer;
} waiting;

static void fail(skanhttp_answer *answer, const char *words) {
    answer->outcome = SKANHTTP_FAILED;
    snprintf(answer->message, sizeof answer->message, "%s", words);
}

static waiting *create(void) {
    waiting *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifndef __APPLE__
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->is_told, &attributes);
    pthread_condattr_destroy(&attributes);
    return made;
}

static void destroy(waiting *waiting) {
    pthread_cond_destroy(&waiting->is_told);
    pthread_mutex_destroy(&waiting->lock);
    free(waiting);
}

static void copy_body(skanhttp_answer *answer, const void *body, size_t length) {
    if (length == 0) return;
    answer->body = malloc(length);
    if (!answer->body) {
        fail(answer, "out of memory");
        return;
    }
    memcpy(answer->body, body, length);
    answer->length = length;
}

static void take_answer(void *context, skanhttp_outcome outcome, const void *body, size_t length,
                        const char *message) {
    waiting *waiting = context;
    pthread_mutex_lock(&waiting->lock);
    const bool is_left = waiting->is_left;
    if (!is_left) {
        waiting->answer.outcome = outcome;
        snprintf(waiting->answer.message, sizeof waiting->answer.message, "%s", message);
        copy_body(&waiting->answer, body, length);
        waiting->is_over = true;
        pthread_cond_signal(&waiting->is_told);
    }
    pthread_mutex_unlock(&waiting->lock);
    if (is_left) destroy(waiting);
}

/* False after the time. */
static bool wait_until(waiting *waiting, int64_t deadline) {
#ifdef __APPLE__
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    deadline += (int64_t)until.tv_sec * 1000 + until.tv_nsec / 1000000 - skanhttp_clock_now();
#else
    struct timespec until;
#endif
    until.tv_sec = (time_t)(deadline / 1000);
    until.tv_nsec = (long)(deadline % 1000) * 1000000;
    int failed = 0;
    while (!waiting->is_over && !failed) failed = pthread_cond_timedwait(&waiting->is_told, &waiting->lock, &until);
    return waiting->is_over;
}

void skanhttp_get(skanhttp_client *client, const char *url, skanhttp_answer *answer) {
    memset(answer, 0, sizeof *answer);
    answer->outcome = SKANHTTP_FAILED;
    waiting *waiting = create();
    if (!waiting) {
        fail(answer, "out of memory");
        return;
    }
    const int64_t deadline = skanhttp_clock_now() + skanhttp_client_timeout(client) + PATIENCE_MS;
    skanhttp_refusal why;
    const uint64_t number = skanhttp_start(client, url, take_answer, waiting, &why);
    if (number == 0) {
        fail(answer, why.message);
        destroy(waiting);
        return;
    }
    pthread_mutex_lock(&waiting->lock);
    const bool is_over = wait_until(waiting, deadline);
    waiting->is_left = !is_over;
    if (is_over) *answer = waiting->answer;
    pthread_mutex_unlock(&waiting->lock);
    if (is_over) {
        destroy(waiting);
    } else {
        fail(answer, "the client's thread gave no answer in time: it may wait for a name look-up");
        skanhttp_cancel(client, number);
    }
}
