/*
 * store_kit.h - proves that a store keeps the store contract of skan.h, law by law.
 *
 * Who writes a skan_store links this kit into a test, says how the store is opened, and runs it:
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
 * It prints one line for each law, in the Test Anything Protocol, with the reason where one is broken, and at the end
 * "N passed, M failed". What a store does not claim to do, outliving its handles for instance, or does not offer, as
 * load_many, save_many and list, is reported as not applicable, never left out.
 *
 * The kit needs the library's skan_buffer functions, no engine. It takes stores to be in good
 * health: any other answer than OK, NOT_FOUND or CONFLICT where the contract asks for those breaks the law. How a store
 * reports failures, SKAN_ERROR_STORE or SKAN_ERROR_STORE_UNKNOWN, is for its own tests: only they can break its disk
 * or its connection.
 */
#ifndef SKAN_STORE_KIT_H
#define SKAN_STORE_KIT_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a law. */
typedef enum skan_store_kit_outcome {
    SKAN_STORE_KIT_PASSED = 0,
    SKAN_STORE_KIT_FAILED = 1,
    SKAN_STORE_KIT_NOT_APPLICABLE = 2 /* it is about what the store does not claim to do */
} skan_store_kit_outcome;

/* One law, as it is reported. The texts are valid during the report. */
typedef struct skan_store_kit_result {
    size_t size;        /* sizeof(skan_store_kit_result) */
    size_t number;      /* of the law, from 1 */
    const char *law;    /* its name, one of skan_store_kit_law */
    const char *reason; /* what came instead, or why it is not applicable; "" where it passed. May have many lines. */
    skan_store_kit_outcome outcome;
} skan_store_kit_result;

#define SKAN_STORE_KIT_PREFIX_MAX 64 /* bytes of a prefix */
#define SKAN_STORE_KIT_THREADS_MAX 64

/* A store to be proved and how. Set `size`, `open` and what the store claims; everything else may be zero. The kit is
 * read during the run only. */
typedef struct skan_store_kit {
    size_t size;   /* sizeof(skan_store_kit) */
    void *context; /* for the functions below */

    /* Opens a handle: SKAN_OK with every member of `out` set, up to its `size`, which may end before any optional hook.
     * The handle's `finalize`, where not NULL, closes it, once.
     * One handle is open all the time; of a shared store, up to one more for each thread. Handles are opened and closed
     * on the thread that called skan_store_kit_run, and each is used from several threads at once, as by an engine. */
    skan_status (*open)(void *context, skan_store *out);
    /* Of a durable store; called while no handle is open, to make sure that the next one finds what is really kept:
     * ends what the process holds in memory, starts the server anew. SKAN_OK where done. NULL = nothing to do. */
    skan_status (*reopen)(void *context);
    bool durable; /* records and versions outlive the last handle */
    bool shared;  /* handles that are open together see the same records */

    /* Every key begins with it; records of other keys are left alone. At most SKAN_STORE_KIT_PREFIX_MAX bytes. NULL =
     * "skan-store-kit/"; "" = none, for a store of the test's own, where very short keys are tried too. Records under
     * such keys that an earlier run left behind are removed. */
    const char *prefix;
    uint32_t threads; /* of the laws about several at once, 2..SKAN_STORE_KIT_THREADS_MAX; 0 = 4 */
    uint32_t rounds;  /* how often laws repeat what chance may hide, up to 1 000 000; 0 = 200 */
    uint32_t steps;   /* of the generated sequences, up to 100 000; 0 = 4000 */
    uint64_t seed;    /* of the generated sequences; 0 = drawn from the clock. One that fails tells it. */

    /* Called for each law, on the thread that called skan_store_kit_run, with `context`. NULL = lines on stdout. */
    void (*report)(void *context, const skan_store_kit_result *result);
} skan_store_kit;

/* Runs every law, each whatever became of those before.
 * The number of laws that failed; 0 = the store keeps the contract as far as can be seen from outside. -1: the kit is
 * NULL, its size is another one, `open` is NULL, or a member is out of its range; nothing was run, and the reason is on
 * stderr. Runs of different stores, or with prefixes that do not begin alike, may go on at the same time. */
int skan_store_kit_run(const skan_store_kit *kit);

/* The name of law `number`, from 1; NULL where there is none. A static string. Names are kept from version to
 * version. */
const char *skan_store_kit_law(size_t number);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_STORE_KIT_H */
