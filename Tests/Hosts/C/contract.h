/* What the files of the contract of skan.h share: a host of each case's own. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "functions.h"
#include "host.h"
#include "support.h"

/* An engine with a store, a clock and a transport of the host. */
typedef struct host host;
struct host {
    host_store store;
    host_clock clock;
    /* What the transport answers: this text, or this status where it is not SKAN_OK. */
    const char *answer;
    skan_status transport_status;
    char *last_url;
    int gets, transports_finalized;
    /* Comes before what a hook does, but not inside of itself; what it answers is the hook's answer, unless it is 0. */
    skan_status (*before)(host *host, const char *hook);
    int hooks; /* how many were called */
    /* The hooks as given to skan_create, to change before an engine is made. */
    skan_store store_hooks;
    skan_clock clock_hooks;
    skan_transport transport_hooks;
    skan_options options;
    skan_model *model; /* NULL: none */
    skan_engine *engine;
};

#define SDK_KEY "an-SDK-key-nobody-may-see"
#define NOW INT64_C(1700000000) /* seconds; what the clock of a new host shows */
#define DAY INT64_C(86400)

/* A host whose options have protocol 4 and these hooks; its engine is not made yet. It ends with its case. */
host *host_make(void);
void host_open(host *host); /* makes the engine from the options */
/* host_make and host_open. */
host *host_with_engine(void);
/* With the install "a" in it. */
host *host_with_install(void);

/* Calls from the table of functions, for calls whose given text does not matter. */
skan_status call(const function *function, skan_engine *engine, const char *install_id);

/* Whether the failure's message says `part`. */
#define EXPECT_MESSAGE(part) \
    EXPECT(strstr(failure_message(), (part)), "the message does not say %s: %s", (part), failure_message())

/* The install's details are still these. */
#define EXPECT_DETAILS(expected, engine, install_id) EXPECT_TEXT((expected), details_of((engine), (install_id)))

#endif
