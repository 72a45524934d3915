/* Rules, "Receiving postbacks", over HTTP: postbacks of Apple's devices, and those that ad networks pass on. */
#ifndef POSTBACKS_H
#define POSTBACKS_H

#include "../Command/arguments.h"
#include "http.h"

#include <skan/skan.h>

#include <stdio.h>

typedef struct postbacks postbacks;

/* NULL where there is no memory. */
postbacks *postbacks_create(void);
/* After the server has stopped; partners are called for at most so long. */
void postbacks_destroy(postbacks *postbacks, unsigned grace_ms);

/* Options, from POSTBACKS_OPTION on. */
enum {
    POSTBACKS_OPTION = 512,
    POSTBACKS_STORE = POSTBACKS_OPTION,
    POSTBACKS_NETWORKS,
    POSTBACKS_MODEL,
    POSTBACKS_REENGAGEMENT_MODEL,
    POSTBACKS_KEYS,
    POSTBACKS_ATTEMPTS,
    POSTBACKS_PAUSE,
    POSTBACKS_LONGEST_PAUSE,
    POSTBACKS_TIMEOUT,
    POSTBACKS_SEARCH
};
#define POSTBACKS_OPTIONS                                                          \
    {"postbacks", required_argument, NULL, POSTBACKS_STORE},                       \
    {"networks", required_argument, NULL, POSTBACKS_NETWORKS},                     \
    {"postback-model", required_argument, NULL, POSTBACKS_MODEL},                  \
    {"reengagement-model", required_argument, NULL, POSTBACKS_REENGAGEMENT_MODEL}, \
    {"postback-keys", required_argument, NULL, POSTBACKS_KEYS},                    \
    {"partner-attempts", required_argument, NULL, POSTBACKS_ATTEMPTS},             \
    {"partner-pause", required_argument, NULL, POSTBACKS_PAUSE},                   \
    {"partner-longest-pause", required_argument, NULL, POSTBACKS_LONGEST_PAUSE},   \
    {"partner-timeout", required_argument, NULL, POSTBACKS_TIMEOUT},               \
    {"partner-search", required_argument, NULL, POSTBACKS_SEARCH}
/* Answers EXIT_FINE, or says what is wrong and answers another exit code. */
int postbacks_set(postbacks *postbacks, const command *self, int option, const char *text);

/* Whether there is a store for them: else they have no routes. */
bool postbacks_are_served(const postbacks *postbacks);
/* Opens what the options named; the clock (`now` NULL = the system's) stays the caller's. An exit code. */
int postbacks_open(postbacks *postbacks, const skan_clock *clock);
/* Whether the store can be read. */
bool postbacks_are_healthy(const postbacks *postbacks);
void postbacks_write_metrics(const postbacks *postbacks, FILE *out);

/* Handlers; their context is a postbacks. */
void postbacks_answer_apple(void *context, const http_request *request, http_answer *answer);
#define POSTBACKS_FORWARDED "/postbacks/"
void postbacks_answer_forwarded(void *context, const http_request *request, http_answer *answer);

#define POSTBACKS_HELP                                                                     \
    "  --postbacks STORE     takes postbacks, by POST: Apple's at its two paths, /.well-\n"   \
    "                        known/skadnetwork/report-attribution/ and .../\n"                \
    "                        appattribution/report-attribution/, and those that networks\n"   \
    "                        pass on at /postbacks/NETWORK?token=TOKEN\n"                     \
    "  --networks NETWORKS   a file: who may pass postbacks on, and whom to tell of them\n"   \
    "  --postback-model FROM=FILE\n"                                                          \
    "                        the model of installs from this time on, 2026-01-31T10:00:00Z\n" \
    "                        or Unix seconds; give every one there was\n"                     \
    "  --reengagement-model FROM=FILE\n"                                                      \
    "                        the same of re-engagements (AdAttributionKit), which count from\n"  \
    "                        the tap on the ad; without one they are counted, not decoded\n"  \
    "  --postback-keys FILE  {\"keys\": [{\"name\", \"spki\", \"development\"}]}: for tests, and\n"   \
    "                        for keys of Apple's that are newer than libskan-postback\n"      \
    "  --partner-attempts N  how often a partner is called for a postback; default 20\n"      \
    "  --partner-pause MS    after the first call that fails, then doubled; default 10000\n"  \
    "  --partner-longest-pause MS\n"                                                          \
    "                        default 21600000, six hours\n"                                   \
    "  --partner-timeout MS  of a call; default 10000\n"                                      \
    "  --partner-search SEC  how often the store is searched for what other processes left\n" \
    "                        untold; default 300\n"
/* After the list of options. */
#define POSTBACKS_NOTES                                                                    \
    "A postback is answered 200 once the store holds it, also one that is a copy, or not\n"   \
    "valid, which is kept apart: it need not come again. 400: no body. 403: the network or\n" \
    "its token is not known. 413: more than any postback has. 429: not valid, and more of\n"  \
    "those came in this hour than are kept. 503: the store failed, send it again.\n"          \
    "A partner answers 200 to what it has taken; anything else is tried again.\n\n"

#endif
