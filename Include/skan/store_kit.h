/*
 * store_kit.h - checks that a store keeps the store contract of skan.h, law by law.
 *
 * The author of a skan_store links this kit into a test, provides a function that opens the store, and runs the kit:
 *
 *     static skan_status open_mine(void *context, skan_store *out) {
 *         return my_store_open((const char *)context, out);        // a handle: context, hooks, finalize
 *     }
 *
 *     int main(void) {
 *         skan_store_kit kit = {.size = sizeof kit};
 *         kit.context = "test.db";
 *         kit.open = open_mine;
 *         kit.durable = true;                                      // records outlive their handles
 *         kit.shared = true;                                       // two handles see the same records
 *         return skan_store_kit_run(&kit) == 0 ? 0 : 1;
 *     }
 *
 * The kit prints one line for each law, in the Test Anything Protocol, with the reason if the law is broken. At the end
 * it prints "N passed, M failed". A law about something that the store does not claim (for instance, that records
 * outlive its handles) or does not offer (load_many, save_many, list, list_with_prefix) is reported as not applicable;
 * it is never left out.
 *
 * The kit needs the library's skan_buffer functions, but no engine. It assumes that the store works: if the
 * contract demands OK, NOT_FOUND or CONFLICT, any other answer breaks the law. How a store reports
 * failures, SKAN_ERROR_STORE or SKAN_ERROR_STORE_UNKNOWN, must be checked by its own tests: only they can break its
 * disk or its connection.
 */
#ifndef SKAN_STORE_KIT_H
#define SKAN_STORE_KIT_H

#include "store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of a law. */
typedef enum skan_store_kit_outcome {
    SKAN_STORE_KIT_PASSED = 0,
    SKAN_STORE_KIT_FAILED = 1,
    SKAN_STORE_KIT_NOT_APPLICABLE = 2 /* the law is about something that the store does not claim or offer */
} skan_store_kit_outcome;

/* The result of one law, as it is reported. The texts are valid during the report. */
typedef struct skan_store_kit_result {
    size_t size;        /* sizeof(skan_store_kit_result) */
    size_t number;      /* the number of the law, from 1 */
    const char *law;    /* its name, one of skan_store_kit_law */
    const char *reason; /* what happened instead, or why the law is not applicable; "" if it passed. May have many
                         * lines */
    skan_store_kit_outcome outcome;
} skan_store_kit_result;

#define SKAN_STORE_KIT_PREFIX_MAX 64 /* the most bytes of a prefix */
#define SKAN_STORE_KIT_THREADS_MAX 64

/* The store to check, and how to check it. Set `size`, `open` and what the store claims; everything else may be zero.
 * The kit is read during the run only. */
typedef struct skan_store_kit {
    size_t size;   /* sizeof(skan_store_kit) */
    void *context; /* passed to the functions below */

    /* Opens a handle: answers SKAN_OK with every member of `out` set, up to its `size`, which may end before any
     * optional hook. The handle's `finalize`, if it is not NULL, closes the handle and is called once.
     * One handle is open all the time; for a shared store, up to one more for each thread. Handles are opened and
     * closed on the thread that called skan_store_kit_run, and each is used from several threads at once, as by an
     * engine. */
    skan_status (*open)(void *context, skan_store *out);
    /* Discards what the process holds in memory, or restarts the server, so that the next handle finds only what was
     * really kept. It is called only for a durable store, while no handle is open. It answers SKAN_OK when this is
     * done. NULL = there is nothing to do. */
    skan_status (*reopen)(void *context);
    bool durable; /* records and versions outlive the last handle */
    bool shared;  /* handles that are open together see the same records */

    /* Every key that the kit uses begins with this prefix; records with other keys are not touched. At most
     * SKAN_STORE_KIT_PREFIX_MAX bytes. NULL = "skan-store-kit/". "" = no prefix, for a store that only the test uses;
     * very short keys are then tried too. Records that an earlier run left under such keys are removed. */
    const char *prefix;
    uint32_t threads; /* in the laws about several threads at once, 2..SKAN_STORE_KIT_THREADS_MAX; 0 = 4 */
    uint32_t rounds;  /* how often laws repeat what may fail only by chance, up to 1 000 000; 0 = 200 */
    uint32_t steps;   /* the number of steps in the generated sequences, up to 100 000; 0 = 4000 */
    uint64_t seed;    /* the seed of the generated sequences; 0 = taken from the clock. A sequence that fails reports
                       * it */

    /* Called for each law, on the thread that called skan_store_kit_run, with `context`. NULL = print lines on
     * stdout. */
    void (*report)(void *context, const skan_store_kit_result *result);
} skan_store_kit;

/* Runs every law, whatever the outcome of the laws before it.
 * Returns the number of laws that failed; 0 = the store keeps the contract as far as can be seen from outside. Returns
 * -1 if the kit is NULL, its size is a different one, `open` is NULL, or a member is out of its range; then nothing was
 * run, and the reason is on stderr. Several runs may go on at the same time if their stores are different, or if
 * neither of their prefixes begins with the other. */
int skan_store_kit_run(const skan_store_kit *kit);

/* The name of law `number`, from 1; NULL if there is no such law. The string is static. Names stay the same from
 * version to version. */
const char *skan_store_kit_law(size_t number);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_STORE_KIT_H */
