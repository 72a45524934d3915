#include <hiredis/hiredis.h>

/* The most elements of one array that a reader makes. */
enum { hiredis_most_elements = 1 << 20 };

/* Bounds the arrays of a reader: their elements have memory before any of them has come. `functions` is for this reader
 * alone, and lives as long. Newer versions have a limit of their own. */
#if HIREDIS_MAJOR > 1 || (HIREDIS_MAJOR == 1 && (HIREDIS_MINOR > 0 || HIREDIS_PATCH > 0))
static inline void hiredis_limit_arrays(redisReader *reader, redisReplyObjectFunctions *functions) {
    (void)functions;
    reader->maxelements = hiredis_most_elements;
}
#else
#if HIREDIS_MAJOR < 1
typedef int hiredis_count;
#else
typedef size_t hiredis_count;
#endif

static inline void *hiredis_limited_array(const redisReadTask *task, hiredis_count count) {
    const redisReplyObjectFunctions *own = (const redisReplyObjectFunctions *)task->privdata;
    return count > hiredis_most_elements ? NULL : own->createArray(task, count);
}

static inline void hiredis_limit_arrays(redisReader *reader, redisReplyObjectFunctions *functions) {
    *functions = *reader->fn;
    functions->createArray = hiredis_limited_array;
    reader->privdata = reader->fn;
    reader->fn = functions;
}
#endif
