/* side.h - the two sides of the bench behind one set of functions: the same calls, the same answers. */
#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One install's next calls. They are made before the clock runs, as if they had come off the network. */
typedef struct call {
    char id[40];
    char event_id[24];
    const char *currency;
    double amount;
    uint64_t ticket;
    bool ad;
} call;

typedef struct update {
    uint64_t id;
    int64_t timestamp;
    int window, fine, coarse, lock;
} update;

/* Answers are the numbers of skan.h; an update that is not given out is left as it is. */
typedef struct side {
    const char *name;
    void *(*create)(void);
    void (*destroy)(void *server);
    int (*add)(void *server, const char *id, update *out);
    int (*revenue)(void *server, const call *call, const char *event_id);
    int (*request)(void *server, const char *id, const char *event_name, char **url, uint64_t *ticket);
    int (*apply)(void *server, const char *id, uint64_t ticket, const char *body, size_t length, update *out);
    int (*details)(void *server, const char *id, char **json);
    void (*forget)(void *server, const char *id);
    void (*release)(void *text);
} side;

extern const side side_skan;
extern const side side_plain;
/* As side_plain, but its details tell json-c that keys are new and constant. */
extern const side side_plain_constant_keys;

/* Both sides read this clock, in microseconds. It stands still until it is set. */
int64_t bench_now(void *context);
void bench_set_clock(int64_t seconds);

#define BENCH_START 1700000000 /* where the clock stands at first, Unix seconds */

/* What both sides are told. */
#define BENCH_ENDPOINT "https://sdk-api-v1.singular.net"
#define BENCH_SDK_KEY "sdk_key_here"
#define BENCH_BUNDLE_ID "com.example.game"
#define BENCH_APP_VERSION "1.2.3"
#define BENCH_OS_VERSION "16.1"
#define BENCH_IDFV "21DB6612-09B3-4ECC-84AC-B353B0AF1334"
#define BENCH_IDFA "DFC5A647-9043-4699-B2A5-76F03A97064B"

#endif
