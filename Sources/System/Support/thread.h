/* What is kept per thread. */
#ifndef SUPPORT_THREAD_H
#define SUPPORT_THREAD_H

#include "support.h"

enum { SUPPORT_DOCUMENTS = 2 };

struct support_document;

struct support_hook {
    const void *engine;
    struct support_hook *newer, *older;
};

struct support_thread {
    uint64_t random_state;
    /* The fork generation the random state was seeded in; 0 = not yet. */
    unsigned seeded_in;
    struct support_hook *newest_hook;
    /* A thread is in one hook, as a rule. Where it is in none, or this one has ended, its engine is NULL. */
    struct support_hook own_hook;
    struct support_document *documents[SUPPORT_DOCUMENTS];
};

/* Reached without a call: 64 bytes fit into what every process keeps ready for libraries loaded later. */
extern _Thread_local struct support_thread support_thread __attribute__((tls_model("initial-exec")));

/* Counts the forks on the way to this process, once they are watched. */
extern unsigned support_fork_generation;
void support_watch_forks(void);

/* Ends a document when its thread ends. */
void support_document_free(struct support_document *document);

#endif
