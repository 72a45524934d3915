/*
 * Runs traces for the runners in C and C++: reads the files, runs every trace in three manners, and compares what a
 * language answers with what the trace expects. README.md beside this file says what a trace is.
 */
#ifndef TRACES_H
#define TRACES_H

#include <skan/skan.h>

#include <json-c/json.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum manner {
    ON_HOST_STORE, /* step by step, as told */
    IN_MEMORY,     /* the same in the library's own store, where an engine that is closed leaves nothing */
    TOGETHER       /* on the host's store, traces with calls put together or taken apart */
} manner;

/* Where the engines of traces send requests. */
#define ENDPOINT "https://skan.example.com"

/* What the trace says of the engine to open. */
typedef struct engine_of_trace {
    manner how;
    uint32_t protocol;
    json_object *models; /* documents as texts; NULL = none */
    json_object *listed; /* the numbers of those that the engine is given */
    json_object *reengagement_listed; /* the same of its models for re-engagements */
    bool credits_newest;
    uint32_t cooldown_hours;
    bool has_transport;
} engine_of_trace;

/* How a language makes the calls of a trace. */
typedef struct language {
    void *(*open)(const engine_of_trace *of);
    void (*close)(void *run);
    /* What came, in the words of the traces; NULL where there is no such operation. `*message`, which the caller frees
     * with free(), is the error's. */
    json_object *(*call)(void *run, const char *name, json_object *op, char **message);
    char *(*details)(void *run, const char *install); /* the caller frees it with free() */
} language;

/* `arguments`: the folder of the vectors, the file of those put together, and the top of the tree. The exit status of
 * the runner. */
int run_vectors(int count, char **arguments, const language *language);

/* A member of an object; NULL where it is absent or null. */
json_object *member(json_object *object, const char *key);
/* Its text, or number; NULL or `none` where absent. */
const char *member_text(json_object *object, const char *key);
int64_t member_number(json_object *object, const char *key, int64_t none);
bool member_flag(json_object *object, const char *key);

/* The install that an operation is about. */
const char *install_of(json_object *op);

/* A call for the app, in the words of the traces. */
json_object *call_answer(const skan_call *call);

/* The install's call to SKAdNetwork among these, as the update that it carries. */
json_object *pending_answer(skan_status status, const skan_call *calls, size_t count);

/* "delivered" for instance, as its number. */
int32_t call_result(const char *name);

/* {"status": its name without prefix}, and the same with an update, of which id 0 is none. */
json_object *status_answer(skan_status status);
json_object *update_answer(skan_status status, const skan_update *update);

/* `body`, or `body_b64` decoded. The caller frees it with free(). */
void *step_body(json_object *op, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
