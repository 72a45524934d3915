/* What the tests of the transport share. */
#ifndef HTTP_TOOLS_H
#define HTTP_TOOLS_H

#include "support.h"

#include <skan/http.h>

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What every URL of the tests carries in its query, and no message may. */
#define SDK_KEY "the-sdk-key"

/* 3 attempts of one second in 20 seconds, pauses of up to 40 ms, trust in the test's authority. They are for calls that
 * have to time out: what has to be answered may need longer than a second on a busy machine. */
skan_http_options short_options(reports *reports);
enum { SHORT_TIMEOUT = 20000 };
/* The same with a minute for everything. */
skan_http_options patient_options(reports *reports);

/* By how many milliseconds a call may exceed its time-out. Only a call that hangs takes longer. */
enum { LATENESS = 20000 };

/* Opens or fails the case; it is closed at the latest when the case ends. */
skan_transport *opened(skan_http_options options);

/* GET by the transport's hook; frees the URL. The body's text in `body`, where that is not NULL. */
skan_status get(const skan_transport *transport, char *url, char *body, size_t size);

/* URLs of the plain server, or of both, for get(). Their requests have an event id, and may be sent again. */
char *plain(const char *path);
char *url_of(bool is_tls, const char *path);

/* What "/ok" answers. */
#define ANSWER_BODY \
    "{\"conversion_value\":7,\"skan_updated_coarse_value\":1,\"postback_sequence_index\":0,\"status\":\"ok\"}"

/* A thread that gets a URL so many times, and counts the answers that are the expected one. */
typedef struct caller {
    const skan_transport *transport;
    const char *url;
    int times;
    int answered;
    pthread_t thread;
} caller;
void *call(void *caller);
void begin_calls(caller *caller);
/* How many were answered. */
int end_calls(caller *caller);

long long milliseconds(void);

/* Open files of this process. */
int open_files(void);

#ifdef __cplusplus
}
#endif

#endif
