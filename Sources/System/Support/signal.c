#include <time.h>

#include "support.h"

void support_signal_create(struct support_signal *signal) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&signal->sent, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void support_signal_await(struct support_signal *signal, struct support_lock *lock, int64_t until) {
    struct timespec end = {.tv_sec = until / 1000000, .tv_nsec = (long)(until % 1000000) * 1000};
    pthread_cond_timedwait(&signal->sent, &lock->mutex, &end);
}
