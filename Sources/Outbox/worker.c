#include "worker.h"

#include <time.h>

/* Longer than an attempt: another worker takes the entry only after it. */
int64_t worker_lease(const outbox *outbox) { return outbox->settings.timeout_ms * 1000 + 5 * SECOND; }

void worker_return(outbox *outbox, due_entry *known, int64_t due) {
    pthread_mutex_lock(&outbox->mutex);
    due_queue_return(outbox->queue, known, due);
    pthread_mutex_unlock(&outbox->mutex);
}

void worker_forget(outbox *outbox, due_entry *known) {
    pthread_mutex_lock(&outbox->mutex);
    due_queue_forget(outbox->queue, known);
    pthread_mutex_unlock(&outbox->mutex);
}

/* When there is something to do; the mutex is held. Microseconds since 1970. */
static int64_t next_moment(const outbox *outbox) {
    if (outbox->is_searching) return 0;
    int64_t next = outbox->next_search;
    if (outbox->is_partial && due_queue_count(outbox->queue) < OUTBOX_KNOWN_MAX / 2) next = 0;
    int64_t due = outbox->under_way < OUTBOX_AT_ONCE ? due_queue_next(outbox->queue) : INT64_MAX;
    return due < next ? due : next;
}

/* At most a second, so that a clock that is set does no harm. */
static void wait_until(outbox *outbox, int64_t moment) {
    int64_t left = moment - outbox_now();
    if (left <= 0) return;
    if (left > SECOND) left = SECOND;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t nanoseconds = end.tv_nsec + left * 1000;
    end.tv_sec += nanoseconds / 1000000000;
    end.tv_nsec = nanoseconds % 1000000000;
    pthread_cond_timedwait(&outbox->changed, &outbox->mutex, &end);
}

static attempt *take_finished(outbox *outbox) {
    attempt *taken = outbox->finished;
    outbox->finished = NULL;
    for (attempt *each = taken; each; each = each->next) {
        outbox->under_way--;
        outbox->under_way_of[each->partner->index]--;
    }
    return taken;
}

/* What is under way is waited for; the mutex is held. */
static void wait_for_last(outbox *outbox) {
    while (outbox->under_way > 0 || outbox->finished) {
        attempt *done = take_finished(outbox);
        if (done) {
            pthread_mutex_unlock(&outbox->mutex);
            worker_write_down(outbox, done);
            pthread_mutex_lock(&outbox->mutex);
        } else if (pthread_cond_timedwait(&outbox->changed, &outbox->mutex, &outbox->stop_by) != 0) {
            return;
        }
    }
}

void *worker_run(void *context) {
    outbox *outbox = context;
    pthread_mutex_lock(&outbox->mutex);
    while (!outbox->is_stopping) {
        attempt *done = take_finished(outbox);
        int64_t moment = next_moment(outbox), now = outbox_now();
        bool may_begin = outbox->under_way < OUTBOX_AT_ONCE && due_queue_next(outbox->queue) <= now;
        if (!done && moment > now) {
            wait_until(outbox, moment);
            continue;
        }
        bool is_search_due = outbox->is_searching || now >= outbox->next_search ||
                             (outbox->is_partial && due_queue_count(outbox->queue) < OUTBOX_KNOWN_MAX / 2);
        pthread_mutex_unlock(&outbox->mutex);
        if (done) worker_write_down(outbox, done);
        if (may_begin) worker_begin_due(outbox);
        if (is_search_due) worker_search(outbox);
        pthread_mutex_lock(&outbox->mutex);
    }
    wait_for_last(outbox);
    outbox->is_cancelling = true;
    pthread_mutex_unlock(&outbox->mutex);
    outbox->http.client_destroy(outbox->client);
    outbox->client = NULL;
    pthread_mutex_lock(&outbox->mutex);
    attempt *done = take_finished(outbox);
    pthread_mutex_unlock(&outbox->mutex);
    worker_write_down(outbox, done);
    return NULL;
}
