/*
 * skan.h - the C interface of libskan: SKAdNetwork (SKAN) state for server-to-server integrations.
 *
 * A game's back end keeps, for every app install, what Apple's SKAdNetwork needs: when the install was first
 * seen, its revenue, its conversion values and which postback window it is in. The whole life of an install:
 *
 *     skan *engine = NULL;
 *     skan_error *error = NULL;
 *     skan_create(NULL, &engine, &error);                      // in-memory store, system clock, SKAN 4
 *
 *     skan_update update = {.size = sizeof update};
 *     skan_register(engine, "player-1", &update, &error);      // first launch
 *     skan_update_revenue(engine, "player-1", 4.99, "USD", false, "order-1", &error);
 *
 *     char *url; uint64_t ticket;                              // ask the endpoint for the next value ...
 *     skan_conversion_request(engine, "player-1", "purchase", NULL, &url, &ticket, &error);
 *     // ... GET url with your HTTP client ...
 *     skan_apply_response(engine, "player-1", ticket, body, length, &update, &error);
 *     skan_free(url);
 *
 *     skan_pending_update(engine, "player-1", &update, &error);           // when the app calls next: hand it this,
 *     skan_acknowledge_update(engine, "player-1", update.id, true, &error);  // and say that it arrived
 *     skan_destroy(engine);
 *
 * Know before production:
 * - Threads: an engine may be used by any number of threads at once, and any number of processes may share a
 *   store: every change is a compare-and-set on the install's record. skan_destroy must be the last call.
 * - fork: an engine made before fork() may be used in the child, also while other threads of the parent are in calls,
 *   if the host's hooks allow it. The in-memory store is copied: from then on the two processes differ.
 * - Statuses: 0 is OK; 1..99 are outcomes, expected in normal life, that change nothing; 100 and more are errors.
 *   Unless a function says otherwise, every status but SKAN_OK leaves the install as it was.
 * - Ownership: what a call gives through `char **` is freed with skan_free, an error with skan_error_free. On any
 *   status but SKAN_OK every other out parameter is NULL or zero. What a call takes is copied or only read during
 *   the call.
 * - Errors: the last parameter of a call may be NULL. It is always written: NULL, or, for statuses of 100 and
 *   more, an object the caller owns. There is no hidden "last error".
 * - Memory: a failed allocation ends the process, as in most Swift programs. Sizes are limited before
 *   anything is allocated, so no input can ask for much: a record has at most 32 KiB, an answer 64 KiB.
 * - Text is UTF-8, terminated by a NUL. Times are Unix seconds unless a name says microseconds.
 *
 * "SPEC" below names the section of libskan's rules that a function follows; Apple's own words are in the
 * documentation of SKAdNetwork, "Receiving ad attributions and postbacks".
 *
 * The ABI only grows: numbers are never reused, functions never change, structs only get new members at the end.
 */
#ifndef SKAN_SKAN_H
#define SKAN_SKAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- statuses and errors */

/* What a call answers. The names of the numbers are below; skan_status_name gives them as text. */
typedef int32_t skan_status;

enum {
    SKAN_OK = 0,

    /* Outcomes: expected, nothing is wrong, nothing was changed. */
    SKAN_ALREADY_REGISTERED = 1, /* the install was registered (or imported) before */
    SKAN_DUPLICATE_EVENT = 2,    /* this event id was counted before: a retry, counted once */
    SKAN_NO_NEW_VALUE = 3,       /* the answer carries no value that would be taken */
    SKAN_STALE_RESPONSE = 4,     /* the answer is for another window, or a newer one was applied before */
    SKAN_WINDOW_LOCKED = 5,      /* the current postback window was locked before; Apple ignores updates to it */
    SKAN_WINDOW_CLOSED = 6,      /* the last postback window is over (SKAN 3: 24 h without a new value) */
    SKAN_NOT_REGISTERED = 7,     /* skan_register was never called for this install */
    SKAN_NOTHING_PENDING = 8,    /* no update waits for the app */
    SKAN_NOT_FOUND = 9,          /* used by store hooks: no record under this key */

    /* The caller's errors. */
    SKAN_ERROR_INVALID_ARGUMENT = 100, /* an argument has not the form its function asks for */
    SKAN_ERROR_MISUSE = 101,           /* a call that this engine cannot take, or not now */
    SKAN_ERROR_LIMIT_EXCEEDED = 102,   /* more than libskan keeps: currencies, total, size */
    SKAN_ERROR_INVALID_DOCUMENT = 103, /* an imported document breaks its rules */

    /* The endpoint's answer. */
    SKAN_ERROR_MALFORMED_RESPONSE = 110, /* not one JSON object */
    SKAN_ERROR_ILLEGAL_VALUE = 111,      /* a member has the wrong type or is out of range */
    SKAN_ERROR_REJECTED = 112,           /* the endpoint refused; the message is its reason, unchanged */

    /* The store. */
    SKAN_ERROR_STORE = 120,          /* the store failed; nothing was applied */
    SKAN_ERROR_STORE_CONFLICT = 121, /* others changed the record each of 100 times; nothing was applied */
    SKAN_ERROR_STORE_UNKNOWN = 122,  /* the change may have been applied, or not; it cannot be told */
    SKAN_ERROR_CORRUPT_RECORD = 123, /* the record is damaged; it is left as it is (skan_forget removes it) */
    SKAN_ERROR_RECORD_TOO_NEW = 124, /* the record was written by a newer libskan */

    SKAN_ERROR_TRANSPORT = 130, /* the transport hook got no answer with HTTP status 200 */

    SKAN_ERROR_MODEL_UNKNOWN = 140, /* the install was registered with a conversion model this engine has not */

    SKAN_ERROR_CLOCK = 150 /* the clock failed */
};

/* The name of a status with its prefix, "SKAN_STALE_RESPONSE"; "SKAN_UNKNOWN_STATUS" for a number that is none.
 * A static string, never NULL. */
const char *skan_status_name(skan_status status);

/* Why a call failed: a status of 100 or more and a message that names the argument, field or hook, what was
 * expected and what was there. For SKAN_ERROR_REJECTED the message is the endpoint's reason, unchanged (cut at a
 * NUL; unpaired surrogates become U+FFFD). SDK keys are never in a message. */
typedef struct skan_error skan_error;

/* The status of the call that gave this error; SKAN_OK for NULL. */
skan_status skan_error_code(const skan_error *error);
/* The message, UTF-8, valid until skan_error_free; "" for NULL. */
const char *skan_error_message(const skan_error *error);
/* Makes an error with this status and a copy of the message (UTF-8; NULL is ""), for companion libraries and hosts
 * whose own functions answer as these do. The caller owns it. NULL for a code below 100: outcomes have no error. */
skan_error *skan_error_create(skan_status code, const char *message);
/* Ends an error. NULL is fine. */
void skan_error_free(skan_error *error);

/* Frees text that a call gave through `char **`. NULL is fine. */
void skan_free(void *memory);

/* The library's version, "1.0.0", a static string. */
const char *skan_version(void);
/* The version of this ABI. Programs built for it run with every library that answers the same number. */
uint32_t skan_abi_version(void);
#define SKAN_ABI_VERSION 1

/* --------------------------------------------------------------------------------------------------------- limits */

#define SKAN_INSTALL_ID_MAX 128      /* bytes of an install id */
#define SKAN_EVENT_ID_MAX 128        /* bytes of an event id */
#define SKAN_EVENT_NAME_MAX 32       /* bytes of an event name */
#define SKAN_TEXT_MAX 256            /* bytes of an SDK key, bundle id, version, idfv or idfa */
#define SKAN_ENDPOINT_URL_MAX 2048   /* bytes of an endpoint URL */
#define SKAN_RESPONSE_MAX 65536      /* bytes of an endpoint's answer, and of an imported document */
#define SKAN_RECORD_MAX 32768        /* bytes of a stored record */
#define SKAN_BUFFER_MAX 1048576      /* bytes a hook may put into a skan_buffer */

/* ---------------------------------------------------------------------------------------------------------- hooks */
/*
 * What an engine is given: a store, a clock, a transport. Each is a struct of functions and a `context` that is
 * passed back to them. Hooks may be called from any thread that uses the engine, several at once, also for the same
 * key; no lock is held meanwhile. They must not throw through C. A hook that calls back into its own engine on
 * the same thread is answered SKAN_ERROR_MISUSE there.
 *
 * `finalize`, where not NULL, is called with the context exactly once for each skan_create whose struct sizes are
 * legal: at skan_destroy, or before a skan_create that fails returns. With an illegal size the caller keeps the
 * contexts.
 */

/* Where a hook puts bytes. The one a hook is given is valid only during the hook. */
typedef struct skan_buffer skan_buffer;

/* Makes `length` bytes at `data` the content of the buffer, in place of what was there; they are copied.
 * SKAN_OK; SKAN_ERROR_LIMIT_EXCEEDED above SKAN_BUFFER_MAX; SKAN_ERROR_INVALID_ARGUMENT where the buffer is NULL, or
 * data is NULL and length is not 0. On an error the buffer keeps what it had. */
skan_status skan_buffer_set(skan_buffer *buffer, const void *data, size_t length);

/* An empty buffer of one's own, to call a hook with: for a hook around another one, a cache before a store for
 * instance, and for tests of hooks. Owned by the caller, ended with skan_buffer_destroy; for one thread at a time.
 * Never NULL. */
skan_buffer *skan_buffer_create(void);
/* The content, valid until the buffer is set again or ended; never NULL for a buffer, NULL for NULL. */
const void *skan_buffer_data(const skan_buffer *buffer);
/* Bytes of the content; 0 for NULL. */
size_t skan_buffer_size(const skan_buffer *buffer);
/* Ends a buffer of skan_buffer_create, no other. NULL is fine. */
void skan_buffer_destroy(skan_buffer *buffer);

/*
 * Durable storage of records, one per install id. A record is opaque bytes with a version.
 *
 * Version 0 means "no record". Every save gives the record another version, also when the bytes are equal, and a
 * version is never used twice for a key, also not after a remove: take it from a counter of the whole store, or draw
 * it at random. Keys are 1..128 bytes of UTF-8 without bytes 00-1F and 7F; records have 1..32768 bytes.
 */
typedef struct skan_store {
    size_t size; /* sizeof(skan_store) */
    void *context;
    /* SKAN_OK with bytes and version set; SKAN_NOT_FOUND; SKAN_ERROR_STORE. Anything else, and SKAN_OK with version 0,
     * counts as the last. */
    skan_status (*load)(void *context, const char *key, skan_buffer *out, uint64_t *version);
    /* Stores the record if the stored version is `expected_version` (0: if there is none) and sets `new_version`.
     * SKAN_OK; SKAN_ERROR_STORE_CONFLICT: another version, or no record, nothing changed; SKAN_ERROR_STORE:
     * certainly not applied; SKAN_ERROR_STORE_UNKNOWN: may have been applied, a time-out after sending for
     * instance. Anything else, and SKAN_OK with version 0 or the expected one, counts as the last. */
    skan_status (*save)(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version);
    /* Removes the record if its version is `expected_version`. Answers as save does. */
    skan_status (*remove)(void *context, const char *key, uint64_t expected_version);
    void (*finalize)(void *context); /* may be NULL */
} skan_store;

/* The time. `now` answers microseconds since 1970-01-01T00:00:00Z; -1 (any number from -999999 to -1, or before the
 * year 1) means that it cannot tell. Other times before 1970 are taken as they are. */
typedef struct skan_clock {
    size_t size; /* sizeof(skan_clock) */
    void *context;
    int64_t (*now)(void *context);
    void (*finalize)(void *context); /* may be NULL */
} skan_clock;

/* HTTP GET, for skan_update_conversion_values. `get` puts the body into the buffer and answers SKAN_OK, only for HTTP
 * status 200. A buffer that is not set is an empty body, which means "no value". SKAN_ERROR_LIMIT_EXCEEDED is passed
 * on to the caller; everything else becomes SKAN_ERROR_TRANSPORT.
 * The URL carries the SDK key: keep it out of logs. */
typedef struct skan_transport {
    size_t size; /* sizeof(skan_transport) */
    void *context;
    skan_status (*get)(void *context, const char *url, skan_buffer *body);
    void (*finalize)(void *context); /* may be NULL */
} skan_transport;

/* --------------------------------------------------------------------------------------------------------- engine */

/* An engine: the rules of one protocol over one store. Opaque; safe for any number of threads. */
typedef struct skan skan;

/* How an engine is made. Set `size`; everything else may be zero. The strings are copied. Structs only grow: one that
 * is larger than this library's, up to 1024 bytes, is taken if its unknown tail is zero. */
typedef struct skan_options {
    size_t size;                     /* sizeof(skan_options) */
    uint32_t protocol;               /* 4, or 0 = SKAN 4; 3 = SKAN 3 */
    uint32_t reserved;               /* 0 */
    const skan_store *store;         /* NULL = an in-memory store of this engine's own */
    const skan_clock *clock;         /* NULL = the system's clock */
    const skan_transport *transport; /* NULL = none: skan_update_conversion_values is misuse */
    const char *endpoint_url;        /* NULL = "https://sdk-api-v1.singular.net"; http(s), without `?`, `#`, space */
    const char *sdk_key;             /* item `a` of requests; NULL or "" = left out, here and below */
    const char *bundle_id;           /* item `i`, the app's bundle id */
    const char *app_version;         /* item `app_v` */
} skan_options;

/* Makes an engine. options NULL: in-memory store, system clock, SKAN 4. A slash at the end of endpoint_url is
 * dropped.
 * SKAN_OK; SKAN_ERROR_INVALID_ARGUMENT: out is NULL, a size is illegal, a hook's function is missing, a text is
 * too long or not as described, protocol is none of 0, 3, 4. */
skan_status skan_create(const skan_options *options, skan **out, skan_error **error);

/* Ends an engine and finalizes its hooks. NULL is fine. Forbidden inside a hook of this engine, and while another
 * thread is in a call on it. */
void skan_destroy(skan *engine);

/* An update for the app to pass to Apple: SKAdNetwork.updatePostbackConversionValue and its elders. Out parameter:
 * set `size`, the call writes the rest. All zero (id 0) = no update. */
typedef struct skan_update {
    size_t size;          /* sizeof(skan_update), kept */
    uint64_t id;          /* number of this update of this install, from 1; 0 = no update */
    int32_t window;       /* postback window 0, 1, 2 the update is for; 0 in SKAN 3 */
    int32_t fine_value;   /* 0..63; -1 = none: pass Apple the install's current fine value */
    int32_t coarse_value; /* 0 low, 1 medium, 2 high; -1 = none */
    int32_t lock_window;  /* 1 = lock the window, 0 = do not */
    int64_t timestamp;    /* when the update was decided, Unix seconds */
} skan_update;

/* What is known of the device an event came from; items `v`, `idfv`, `idfa` of a request. Members may be NULL or
 * "": left out. Each has at most SKAN_TEXT_MAX bytes of UTF-8 without bytes 00-1F and 7F. */
typedef struct skan_device {
    size_t size;            /* sizeof(skan_device) */
    const char *os_version; /* iOS version, "16.1" */
    const char *idfv;       /* identifier for vendor */
    const char *idfa;       /* identifier for advertisers */
} skan_device;

/*
 * Every function below takes an engine and an install id: 1..SKAN_INSTALL_ID_MAX bytes of UTF-8 without bytes
 * 00-1F and 7F, chosen by the host and given to the store as it is (two apps that share a store need a prefix). An
 * install never heard of has an empty state.
 *
 * Beside what each function lists, every one may answer
 *   SKAN_ERROR_INVALID_ARGUMENT  an argument is not as described; checked before anything else,
 *   SKAN_ERROR_MISUSE            called from a hook of this engine; or the install's record is of the other
 *                                protocol,
 *   SKAN_ERROR_STORE, SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW,
 * those that change state also
 *   SKAN_ERROR_STORE_CONFLICT, SKAN_ERROR_STORE_UNKNOWN,
 * and those whose rule depends on the time, which say "Clock", also
 *   SKAN_ERROR_CLOCK.
 */

/* First launch: registers the install, once. SKAN 4: sets the fine value 0 and gives update 1 {window 0, fine 0};
 * SKAN 3: gives no update (id 0). `out` may be NULL, here and below. Clock. SPEC 2 and 3, "register".
 * SKAN_OK, SKAN_ALREADY_REGISTERED. */
skan_status skan_register(skan *engine, const char *install_id, skan_update *out, skan_error **error);

/* Adds a purchase, an ad impression's revenue or, below zero, a refund to the install's totals: to the lifetime
 * total, and to the current window's if the install is registered and a window is open. Exact: the amount is read
 * as its shortest decimal form, rounded half-even to 12 places, and summed in decimal.
 *   amount           finite, |amount| < 1e12, in units of the currency. 0 adds nothing but records its event id.
 *   currency         three ASCII letters, ISO 4217; stored in upper case.
 *   ad_monetization  true = ad revenue, false = in-app purchase (IAP). SKAN 3 knows only the latter.
 *   event_id         NULL, or 1..SKAN_EVENT_ID_MAX bytes of any sort that name this purchase: among the install's
 *                    last 64, a second call with the same id counts nothing. Use one wherever a call may be
 *                    repeated, after SKAN_ERROR_STORE_UNKNOWN above all.
 * Clock. SPEC 2, "update revenue".
 * SKAN_OK, SKAN_DUPLICATE_EVENT, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED (more than 64 currencies
 * in a table, or a total of 1e18 or more). */
skan_status skan_update_revenue(skan *engine, const char *install_id, double amount, const char *currency,
                                bool ad_monetization, const char *event_id, skan_error **error);

/* The request for the next conversion value: a URL to GET, and a ticket to hand to skan_apply_response with the
 * answer. Changes nothing.
 *   event_name  1..SKAN_EVENT_NAME_MAX printable ASCII bytes; NULL = a session, "__SESSION__".
 *   device      may be NULL.
 *   url         endpoint, path and query; not NULL. Owned by the caller, freed with skan_free. It carries the SDK key:
 *               keep it out of logs.
 *   ticket      orders requests: newer ones are greater. Below 2^63. May be NULL.
 * Clock. SPEC 2, "request".
 * SKAN_OK, SKAN_NOT_REGISTERED, SKAN_WINDOW_CLOSED, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_CLOCK (also where no
 * greater ticket is left). */
skan_status skan_conversion_request(skan *engine, const char *install_id, const char *event_name,
                                    const skan_device *device, char **url, uint64_t *ticket, skan_error **error);

/* Applies the endpoint's answer to a request.
 *   ticket        of the request; 0 = none: the order of answers is then neither checked nor recorded. Below 2^63.
 *   body, length  the answer's body as it came (HTTP status 200 only); body may be NULL where length is 0.
 *   out           the update for the app; it also stays pending until acknowledged.
 * Clock. SPEC 2 and 3, "apply response".
 * SKAN_OK, SKAN_NO_NEW_VALUE, SKAN_STALE_RESPONSE, SKAN_WINDOW_LOCKED, SKAN_WINDOW_CLOSED, SKAN_NOT_REGISTERED,
 * SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX bytes),
 * SKAN_ERROR_MALFORMED_RESPONSE, SKAN_ERROR_ILLEGAL_VALUE, SKAN_ERROR_REJECTED. */
skan_status skan_apply_response(skan *engine, const char *install_id, uint64_t ticket, const void *body,
                                size_t length, skan_update *out, skan_error **error);

/* Request, GET by the engine's transport, and apply, in one call. Where others change the record meanwhile, only
 * the last step runs again, never the GET.
 *   event_id  NULL, or as for skan_update_revenue, with memory of its own: among the install's last 64 of these
 *             calls, a second call with the same id makes no request. Remembered when the call ends in SKAN_OK or
 *             an outcome other than SKAN_NOT_REGISTERED, not when it ends in an error.
 * Clock. SPEC 2, "update conversion values".
 * As skan_conversion_request and skan_apply_response, and
 * SKAN_DUPLICATE_EVENT, SKAN_ERROR_TRANSPORT, SKAN_ERROR_MISUSE (the engine was made without a transport). */
skan_status skan_update_conversion_values(skan *engine, const char *install_id, const char *event_name,
                                          const char *event_id, const skan_device *device, skan_update *out,
                                          skan_error **error);

/* The update that waits for the app: the last one, until acknowledged as delivered, while its window is open. Changes
 * nothing. Clock. SPEC 2, "pending / acknowledge".
 * SKAN_OK, SKAN_NOTHING_PENDING. */
skan_status skan_pending_update(skan *engine, const char *install_id, skan_update *out, skan_error **error);

/* Says what became of an update: delivered = true, the app passed it to Apple; false makes it pending again.
 * Another number than the last update's changes nothing and is fine. SPEC 2, "pending / acknowledge".
 * SKAN_OK. */
skan_status skan_acknowledge_update(skan *engine, const char *install_id, uint64_t id, bool delivered,
                                    skan_error **error);

/* The whole state as a JSON object: every key, null for none, amounts as exact decimals. `json` is owned by the
 * caller, freed with skan_free. Changes nothing. SPEC 4, "details".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_details(skan *engine, const char *install_id, char **json, skan_error **error);

/* What the host adds to its S2S session and event calls: percent-encoded query items, "a=1&b=2", without a leading
 * `?`; "" for an empty state. `query` is owned by the caller, freed with skan_free. Changes nothing. SPEC 4,
 * "metadata".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (query is NULL). */
skan_status skan_metadata(skan *engine, const char *install_id, char **query, skan_error **error);

/* Takes over the state of an install that has no record here, from a details document: this library's or the
 * published snippet's. Nothing is pending afterwards. SPEC 4, "import".
 * SKAN_OK, SKAN_ALREADY_REGISTERED (there is a record, registered or not), SKAN_ERROR_INVALID_ARGUMENT (json is
 * NULL and length is not 0), SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX bytes),
 * SKAN_ERROR_INVALID_DOCUMENT, naming the key (a 65th currency too). */
skan_status skan_import_details(skan *engine, const char *install_id, const void *json, size_t length,
                                skan_error **error);

/* Deletes the install's record, whatever it holds; damaged, newer and other protocol's ones too. An install never
 * heard of is fine. SPEC 2, "forget".
 * SKAN_OK. */
skan_status skan_forget(skan *engine, const char *install_id, skan_error **error);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_SKAN_H */
