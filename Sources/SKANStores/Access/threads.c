#include "access.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct piece {
    struct piece *next;
    access_work *work;
    void *context;
} piece;

struct skan_access_threads {
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* there is work, or the end has come */
    piece *first, **end;    /* what waits for a thread */
    uint32_t limit, count, idle;
    uint32_t waiting; /* pieces from `first` on */
    bool is_ending;
    access_work *last;
    void *last_context;
};

skan_access_threads *skan_access_threads_create(uint32_t limit) {
    skan_access_threads *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    made->end = &made->first;
    made->limit = limit;
    return made;
}

static void finish(skan_access_threads *threads) {
    threads->last(threads->last_context);
    pthread_cond_destroy(&threads->changed);
    pthread_mutex_destroy(&threads->mutex);
    free(threads);
}

static piece *take(skan_access_threads *threads) {
    piece *taken = threads->first;
    threads->first = taken->next;
    if (!threads->first) threads->end = &threads->first;
    threads->waiting--;
    return taken;
}

static void *serve(void *context) {
    skan_access_threads *threads = context;
    pthread_mutex_lock(&threads->mutex);
    while (true) {
        while (threads->first) {
            piece *piece = take(threads);
            pthread_mutex_unlock(&threads->mutex);
            piece->work(piece->context);
            free(piece);
            pthread_mutex_lock(&threads->mutex);
        }
        if (threads->is_ending) break;
        threads->idle++;
        pthread_cond_wait(&threads->changed, &threads->mutex);
        threads->idle--;
    }
    bool is_last = --threads->count == 0;
    pthread_mutex_unlock(&threads->mutex);
    if (is_last) finish(threads);
    return NULL;
}

/* The mutex is held. */
static bool start_one(skan_access_threads *threads) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool is_started = pthread_create(&thread, &attributes, serve, threads) == 0;
    pthread_attr_destroy(&attributes);
    if (is_started) threads->count++;
    return is_started;
}

bool skan_access_threads_do(skan_access_threads *threads, access_work *work, void *context) {
    piece *given = malloc(sizeof *given);
    if (!given) return false;
    *given = (piece){NULL, work, context};
    pthread_mutex_lock(&threads->mutex);
    /* Each idle thread is good for one piece; what is above that wants a thread more. */
    if (threads->waiting >= threads->idle && threads->count < threads->limit) start_one(threads);
    bool is_taken = threads->count > 0;
    if (is_taken) {
        *threads->end = given;
        threads->end = &given->next;
        threads->waiting++;
        pthread_cond_signal(&threads->changed);
    }
    pthread_mutex_unlock(&threads->mutex);
    if (!is_taken) free(given);
    return is_taken;
}

void skan_access_threads_end(skan_access_threads *threads, access_work *last, void *context) {
    pthread_mutex_lock(&threads->mutex);
    threads->last = last;
    threads->last_context = context;
    threads->is_ending = true;
    /* Without a thread, and where none can be had, it is done here. */
    bool is_nobody_there = threads->count == 0 && !start_one(threads);
    pthread_cond_broadcast(&threads->changed);
    pthread_mutex_unlock(&threads->mutex);
    if (is_nobody_there) finish(threads);
}
