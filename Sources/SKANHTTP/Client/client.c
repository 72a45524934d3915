#define _GNU_SOURCE
#include "client.h"
#include "loop.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct skanhttp_client {
    skanhttp_client *next; /* of the clients that a fork stops */
    skanhttp_settings settings;

    /* Held by the thread while it is in the loop, but not while it waits or tells what is over; taken before `lock`. */
    pthread_mutex_t work;

    pthread_mutex_t lock; /* of what is below, of the links of loop->active, and of request->is_cancelled */
    loop *loop;           /* NULL until there is a request */
    loop *parents;        /* what a fork left of the parent's */
    pthread_t thread;
    uint64_t newest_number;
    request *first_new; /* started, and not begun */
    request *last_new;
    bool has_cancelled;
    bool is_awake; /* the thread looks at all this before it waits */
    bool is_ending;
};

/* ------------------------------------------------------------------------------------------------------------- fork */
/*
 * A child has its parent's memory, but neither its thread nor a share in its connections: what either of them sent on
 * one would break the other's. So a fork waits until the thread is out of libcurl, and the child begins with a loop of
 * its own. The parent's is ended there where that touches nothing of the parent's: with nothing in the place of its
 * connections, and no request in it, whose name look-up may be on a thread that the child has not.
 */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static skanhttp_client *list;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *unusable; /* why libcurl is */

static void before_fork(void) {
    pthread_mutex_lock(&list_lock);
    for (skanhttp_client *client = list; client; client = client->next) {
        pthread_mutex_lock(&client->work);
        pthread_mutex_lock(&client->lock);
    }
}

static void after_fork(void) {
    for (skanhttp_client *client = list; client; client = client->next) {
        pthread_mutex_unlock(&client->lock);
        pthread_mutex_unlock(&client->work);
    }
    pthread_mutex_unlock(&list_lock);
}

static void after_fork_in_child(void) {
    for (skanhttp_client *client = list; client; client = client->next) {
        if (!client->loop) continue;
        skanhttp_loop_disown(client->loop);
        if (!client->loop->active) client->parents = client->loop;
        client->loop = NULL;
        client->first_new = client->last_new = NULL;
        client->has_cancelled = client->is_awake = false;
    }
    after_fork();
}

static void initialize(void) {
    const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK) unusable = curl_easy_strerror(code);
    else if (!(curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_ASYNCHDNS))
        unusable = "it was built without asynchronous name look-ups, which no time-out would end";
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static void end_parents(skanhttp_client *client) {
    if (client->parents) skanhttp_loop_destroy(client->parents);
    client->parents = NULL;
}

/* ------------------------------------------------------------------------------------------------------- the thread */

static void link_active(loop *loop, request *request) {
    request->previous = NULL;
    request->next = loop->active;
    if (loop->active) loop->active->previous = request;
    loop->active = request;
}

/* Moves a request to those that are over. */
static void is_over(void *context, request *request) {
    skanhttp_client *client = context;
    loop *loop = client->loop;
    skanhttp_loop_stop(loop, request);
    pthread_mutex_lock(&client->lock);
    if (request->previous) request->previous->next = request->next;
    else loop->active = request->next;
    if (request->next) request->next->previous = request->previous;
    pthread_mutex_unlock(&client->lock);
    request->next = loop->over;
    loop->over = request;
}

static void cancel_request(skanhttp_client *client, request *request) {
    skanhttp_request_end(request, SKANHTTP_CANCELLED, "cancelled");
    is_over(client, request);
}

/* Takes over what other threads left; false, they ask to end. */
static bool take_notes(skanhttp_client *client) {
    pthread_mutex_lock(&client->lock);
    client->is_awake = true;
    const bool is_ending = client->is_ending;
    const bool has_cancelled = client->has_cancelled;
    client->has_cancelled = false;
    while (client->first_new) {
        request *request = client->first_new;
        client->first_new = request->next;
        link_active(client->loop, request);
        skanhttp_loop_begin(client->loop, request);
    }
    client->last_new = NULL;
    pthread_mutex_unlock(&client->lock);

    if (has_cancelled || is_ending)
        for (request *request = client->loop->active, *next; request; request = next) {
            next = request->next;
            pthread_mutex_lock(&client->lock);
            const bool ends = is_ending || request->is_cancelled;
            pthread_mutex_unlock(&client->lock);
            if (ends) cancel_request(client, request);
        }
    return !is_ending;
}

/* In the order in which they ended. Answers whether there was one. */
static bool tell(request *over) {
    request *first = NULL;
    const bool any = over != NULL;
    while (over) {
        request *next = over->next;
        over->next = first;
        first = over;
        over = next;
    }
    while (first) {
        request *request = first;
        first = request->next;
        const bool has_body = request->outcome == SKANHTTP_OK;
        request->done(request->context, request->outcome, has_body ? request->body : NULL,
                      has_body ? request->length : 0, request->message);
        skanhttp_request_free(request);
    }
    return any;
}

/* Whether to wait: what comes from other threads from now on wakes the thread. */
static bool may_wait(skanhttp_client *client) {
    pthread_mutex_lock(&client->lock);
    const bool has_notes = client->first_new || client->has_cancelled || client->is_ending;
    client->is_awake = has_notes;
    pthread_mutex_unlock(&client->lock);
    return !has_notes;
}

static void *run(void *context) {
    skanhttp_client *client = context;
    loop *loop = client->loop;
    bool goes_on = true;
    pthread_mutex_lock(&client->work);
    while (goes_on) {
        goes_on = take_notes(client);
        skanhttp_loop_act(loop, is_over, client);
        if (loop->over) {
            request *over = loop->over;
            loop->over = NULL;
            pthread_mutex_unlock(&client->work);
            tell(over);
            pthread_mutex_lock(&client->work);
            continue;
        }
        if (!goes_on || !may_wait(client)) continue;
        int milliseconds;
        const nfds_t count = skanhttp_loop_prepare_wait(loop, &milliseconds);
        pthread_mutex_unlock(&client->work);
        const int ready = poll(loop->polled, count, milliseconds);
        pthread_mutex_lock(&client->work);
        if (ready > 0) skanhttp_loop_take(loop, count);
    }
    pthread_mutex_unlock(&client->work);
    return NULL;
}

/* The host's signals are for the host's threads; and SIGPIPE, which is for the thread that writes, does not end the
 * process. */
static int start_thread(skanhttp_client *client) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&client->thread, NULL, run, client);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
#ifdef __linux__
    if (!failed) pthread_setname_np(client->thread, "libskan-http");
#endif
    return failed;
}

static bool start_loop(skanhttp_client *client, char why[SKANHTTP_MESSAGE_SIZE]) {
    end_parents(client);
    client->loop = skanhttp_loop_create(&client->settings, why);
    if (!client->loop) return false;
    const int failed = start_thread(client);
    if (!failed) return true;
    snprintf(why, SKANHTTP_MESSAGE_SIZE, "thread: %s", strerror(failed));
    skanhttp_loop_destroy(client->loop);
    client->loop = NULL;
    return false;
}

/* Under the lock. */
static void wake(skanhttp_client *client) {
    if (client->is_awake) return;
    client->is_awake = true;
    const ssize_t written = write(client->loop->wake[1], "", 1);
    (void)written; /* a full pipe wakes too */
}

/* ----------------------------------------------------------------------------------------------------------- client */

static bool copied(const char **text) {
    if (!*text) return true;
    *text = strdup(*text);
    return *text != NULL;
}

static void release(skanhttp_client *client) {
    end_parents(client);
    free((char *)client->settings.ca_file);
    free((char *)client->settings.proxy);
    free(client);
}

skanhttp_client *skanhttp_client_create(const skanhttp_settings *settings, char why[SKANHTTP_MESSAGE_SIZE]) {
    pthread_once(&once, initialize);
    if (unusable) {
        snprintf(why, SKANHTTP_MESSAGE_SIZE, "libcurl: %s", unusable);
        return NULL;
    }
    if (settings->ca_file && access(settings->ca_file, R_OK) != 0) {
        snprintf(why, SKANHTTP_MESSAGE_SIZE, "ca_file: %.200s: %s", settings->ca_file, strerror(errno));
        return NULL;
    }
    skanhttp_client *made = calloc(1, sizeof *made);
    if (made) {
        made->settings = *settings;
        const bool has_ca_file = copied(&made->settings.ca_file);
        const bool has_proxy = copied(&made->settings.proxy);
        if (has_ca_file && has_proxy) {
            pthread_mutex_init(&made->work, NULL);
            pthread_mutex_init(&made->lock, NULL);
            pthread_mutex_lock(&list_lock);
            made->next = list;
            list = made;
            pthread_mutex_unlock(&list_lock);
            return made;
        }
        release(made);
    }
    snprintf(why, SKANHTTP_MESSAGE_SIZE, "out of memory");
    return NULL;
}

uint32_t skanhttp_client_timeout(const skanhttp_client *client) {
    return client->settings.timeout_ms;
}

/* In this process; the parent's is out of reach. */
static void end_loop(skanhttp_client *client) {
    pthread_mutex_lock(&client->lock);
    loop *loop = client->loop;
    if (loop) {
        client->is_ending = true;
        wake(client);
    }
    pthread_mutex_unlock(&client->lock);
    if (!loop) return;
    pthread_join(client->thread, NULL);
    skanhttp_loop_destroy(loop);
}

void skanhttp_client_destroy(skanhttp_client *client) {
    if (!client) return;
    end_loop(client);
    pthread_mutex_lock(&list_lock);
    skanhttp_client **place = &list;
    while (*place != client) place = &(*place)->next;
    *place = client->next;
    pthread_mutex_unlock(&list_lock);
    pthread_mutex_destroy(&client->work);
    pthread_mutex_destroy(&client->lock);
    release(client);
}

uint64_t skanhttp_start(skanhttp_client *client, const char *url, skanhttp_done done, void *context,
                        skanhttp_refusal *why) {
    request *request = skanhttp_request_create(url, &client->settings, done, context, why);
    if (!request) return 0;
    uint64_t number = 0;
    pthread_mutex_lock(&client->lock);
    why->is_of_url = false;
    if (client->loop || start_loop(client, why->message)) {
        number = request->number = ++client->newest_number;
        if (client->last_new) client->last_new->next = request;
        else client->first_new = request;
        client->last_new = request;
        wake(client);
    }
    pthread_mutex_unlock(&client->lock);
    if (number == 0) skanhttp_request_free(request);
    return number;
}

static request *find_request(request *first, uint64_t number) {
    while (first && first->number != number) first = first->next;
    return first;
}

void skanhttp_cancel(skanhttp_client *client, uint64_t number) {
    pthread_mutex_lock(&client->lock);
    request *found = find_request(client->first_new, number);
    if (!found && client->loop) found = find_request(client->loop->active, number);
    if (found) {
        found->is_cancelled = client->has_cancelled = true;
        wake(client);
    }
    pthread_mutex_unlock(&client->lock);
}
