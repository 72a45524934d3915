/*
 * A store that fails, at every hook call of every operation, once and from then on; by the store contract of store.h
 * nothing may be counted twice, nothing lost, and the status must tell what is known. What is stored afterwards is
 * compared with what the same events leave on a store without faults.
 */
#define _GNU_SOURCE
#include "functions.h"
#include "host.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const install = "install-1";

typedef enum hook { LOAD, SAVE, REMOVE, NOW, GET } hook;

typedef enum kind {
    ANSWERS,         /* `status`, without doing anything */
    APPLIES,         /* does what it should, then answers `status` */
    WITHOUT_VERSION, /* load, save: SKAN_OK, the version left at 0 */
    SAME_VERSION,    /* save: SKAN_OK, the new version is the expected one */
    LATE,            /* `status`; what was asked for happens just before the next save or remove */
    LATE_AFTER_CALL, /* `status`; what was asked for happens when the call is over */
    LATE_AND_LONG,   /* the same, and 35 days pass before the store answers */
    CALLS_BACK       /* calls every function of its engine, then does what it should */
} kind;

/* What is expected. The events: O the operation, w another engine's write to the install, f it forgets the install, m
 * it makes it anew. The install must be as these events leave it without faults; the status is the one O has then. */
typedef struct expected {
    const char *events;
    skan_status status; /* where not 0: this one instead */
} expected;

typedef enum aftershock { NONE, LOADS_FAIL, NEXT_SAVE_FAILS } aftershock;

typedef struct fault {
    const char *name;
    hook hook;
    kind kind;
    skan_status status;
    const char *others; /* events of the other engine when the fault strikes: after an applied change, else before */
    aftershock then;
    expected once;         /* of an install with a record */
    expected once_created; /* of one without; where not given, the same */
    expected always;       /* where the fault strikes from then on; where not given, it is not tried */
} fault;

#define W7 "wwwwwww"
#define UNKNOWN SKAN_ERROR_STORE_UNKNOWN
#define CONFLICT SKAN_ERROR_STORE_CONFLICT
#define FAILED SKAN_ERROR_STORE
/* What the fault does not change, and what ends in an error. */
#define ENDS_WELL .once = {"O", 0}
#define ALWAYS_ENDS_WELL .once = {"O", 0}, .always = {"O", 0}
#define ENDS_IN(status) .once = {"", status}
#define ALWAYS_ENDS_IN(status) .once = {"", status}, .always = {"", status}

static const fault faults[] = {
    {"load fails", LOAD, ANSWERS, FAILED, ALWAYS_ENDS_IN(FAILED)},
    {"load answers conflict", LOAD, ANSWERS, CONFLICT, ALWAYS_ENDS_IN(FAILED)},
    {"load answers unknown", LOAD, ANSWERS, UNKNOWN, ALWAYS_ENDS_IN(FAILED)},
    {"load answers an outcome", LOAD, ANSWERS, SKAN_NO_NEW_VALUE, ALWAYS_ENDS_IN(FAILED)},
    {"load answers 99999", LOAD, ANSWERS, 99999, ALWAYS_ENDS_IN(FAILED)},
    {"load answers -1", LOAD, ANSWERS, -1, ALWAYS_ENDS_IN(FAILED)},
    {"load finds, but answers a failure", LOAD, APPLIES, FAILED, ALWAYS_ENDS_IN(FAILED)},
    {"load gives no version", LOAD, WITHOUT_VERSION, SKAN_OK, .once = {"", FAILED}, .once_created = {"O", 0}},
    {"load calls back", LOAD, CALLS_BACK, SKAN_OK, ALWAYS_ENDS_WELL},
    {"save conflicts for nothing", SAVE, ANSWERS, CONFLICT, ENDS_WELL, .always = {"", CONFLICT}},
    {"save fails", SAVE, ANSWERS, FAILED, ALWAYS_ENDS_IN(FAILED)},
    {"save is applied, unknown", SAVE, APPLIES, UNKNOWN, ALWAYS_ENDS_WELL},
    {"save is not applied, unknown", SAVE, ANSWERS, UNKNOWN, ENDS_WELL, .always = {"", UNKNOWN}},
    {"save is applied, 99999", SAVE, APPLIES, 99999, ALWAYS_ENDS_WELL},
    {"save is not applied, 99999", SAVE, ANSWERS, 99999, ENDS_WELL, .always = {"", UNKNOWN}},
    {"save is applied, not found", SAVE, APPLIES, SKAN_NOT_FOUND, ALWAYS_ENDS_WELL},
    {"save is not applied, not found", SAVE, ANSWERS, SKAN_NOT_FOUND, ENDS_WELL, .always = {"", UNKNOWN}},
    {"save is not applied, -1", SAVE, ANSWERS, -1, ENDS_WELL, .always = {"", UNKNOWN}},
    {"save is not applied, transport", SAVE, ANSWERS, SKAN_ERROR_TRANSPORT, ENDS_WELL, .always = {"", UNKNOWN}},
    {"save gives no version", SAVE, WITHOUT_VERSION, SKAN_OK, ALWAYS_ENDS_WELL},
    {"save gives the same version", SAVE, SAME_VERSION, SKAN_OK, ALWAYS_ENDS_WELL},
    {"save calls back", SAVE, CALLS_BACK, SKAN_OK, ALWAYS_ENDS_WELL},
    {"save is applied late", SAVE, LATE, UNKNOWN, ALWAYS_ENDS_WELL},
    {"save is tried after the call", SAVE, LATE_AFTER_CALL, UNKNOWN, ENDS_WELL},
    {"save is applied, unknown, then down", SAVE, APPLIES, UNKNOWN, .then = LOADS_FAIL, .once = {"O", UNKNOWN}},
    {"save is not applied, unknown, then down", SAVE, ANSWERS, UNKNOWN, .then = LOADS_FAIL, ENDS_IN(UNKNOWN)},
    {"save conflicts, then down", SAVE, ANSWERS, CONFLICT, .then = LOADS_FAIL, ENDS_IN(FAILED)},
    {"save is not applied, unknown, then fails", SAVE, ANSWERS, UNKNOWN, .then = NEXT_SAVE_FAILS, ENDS_IN(UNKNOWN)},
    {"save conflicts, then fails", SAVE, ANSWERS, CONFLICT, .then = NEXT_SAVE_FAILS, ENDS_IN(FAILED)},
    {"save is certainly not applied, then fails", SAVE, ANSWERS, UNKNOWN, .others = "w", .then = NEXT_SAVE_FAILS,
     .once = {"w", FAILED}, .once_created = {"w", UNKNOWN}},
    {"others write before save", SAVE, APPLIES, SKAN_OK, .others = "w", .once = {"wO", 0}, .always = {"w", CONFLICT}},
    {"save is applied, unknown, 1 write since", SAVE, APPLIES, UNKNOWN, .others = "w", .once = {"Ow", 0}},
    {"save is applied, unknown, 7 writes since", SAVE, APPLIES, UNKNOWN, .others = W7, .once = {"O" W7, 0}},
    {"save is applied, unknown, 8 writes since", SAVE, APPLIES, UNKNOWN, .others = W7 "w",
     .once = {"O" W7 "w", UNKNOWN}},
    {"save is applied, unknown, 21 writes since", SAVE, APPLIES, UNKNOWN, .others = W7 W7 W7,
     .once = {"O" W7 W7 W7, UNKNOWN}},
    {"save is not applied, unknown, 1 write since", SAVE, ANSWERS, UNKNOWN, .others = "w", .once = {"wO", 0},
     .once_created = {"w", UNKNOWN}},
    {"save is not applied, unknown, 7 writes since", SAVE, ANSWERS, UNKNOWN, .others = W7, .once = {W7 "O", 0},
     .once_created = {W7, UNKNOWN}},
    {"save is not applied, unknown, 8 writes since", SAVE, ANSWERS, UNKNOWN, .others = W7 "w",
     .once = {W7 "w", UNKNOWN}},
    {"save is not applied, unknown, 21 writes since", SAVE, ANSWERS, UNKNOWN, .others = W7 W7 W7,
     .once = {W7 W7 W7, UNKNOWN}},
    {"save is applied, unknown, then forgotten", SAVE, APPLIES, UNKNOWN, .others = "f", .once = {"Of", UNKNOWN},
     .once_created = {"OfO", 0}},
    {"save is not applied, unknown, then forgotten", SAVE, ANSWERS, UNKNOWN, .others = "f", .once = {"f", UNKNOWN},
     .once_created = {"fO", 0}},
    {"save is applied, unknown, then made anew", SAVE, APPLIES, UNKNOWN, .others = "fm", .once = {"Ofm", UNKNOWN}},
    {"save is not applied, unknown, then made anew", SAVE, ANSWERS, UNKNOWN, .others = "fm", .once = {"fm", UNKNOWN}},
    {"remove conflicts for nothing", REMOVE, ANSWERS, CONFLICT, ENDS_WELL, .always = {"", CONFLICT}},
    {"remove fails", REMOVE, ANSWERS, FAILED, ALWAYS_ENDS_IN(FAILED)},
    {"remove is applied, unknown", REMOVE, APPLIES, UNKNOWN, ALWAYS_ENDS_WELL},
    {"remove is not applied, unknown", REMOVE, ANSWERS, UNKNOWN, ENDS_WELL, .always = {"", UNKNOWN}},
    {"remove is applied, 99999", REMOVE, APPLIES, 99999, ALWAYS_ENDS_WELL},
    {"remove is not applied, not found", REMOVE, ANSWERS, SKAN_NOT_FOUND, ENDS_WELL, .always = {"", UNKNOWN}},
    {"remove calls back", REMOVE, CALLS_BACK, SKAN_OK, ALWAYS_ENDS_WELL},
    {"remove is applied late", REMOVE, LATE, UNKNOWN, ALWAYS_ENDS_WELL},
    {"remove is tried after the call", REMOVE, LATE_AFTER_CALL, UNKNOWN, ENDS_WELL},
    {"remove is applied, unknown, then down", REMOVE, APPLIES, UNKNOWN, .then = LOADS_FAIL, .once = {"O", UNKNOWN}},
    {"remove is not applied, unknown, then down", REMOVE, ANSWERS, UNKNOWN, .then = LOADS_FAIL, ENDS_IN(UNKNOWN)},
    {"others write before remove", REMOVE, APPLIES, SKAN_OK, .others = "w", .once = {"wO", 0},
     .always = {"w", CONFLICT}},
    {"remove is not applied, unknown, 1 write since", REMOVE, ANSWERS, UNKNOWN, .others = "w", .once = {"w", UNKNOWN}},
    {"remove is applied, unknown, then made anew", REMOVE, APPLIES, UNKNOWN, .others = "m", .once = {"Om", UNKNOWN}},
    {"the clock fails", NOW, ANSWERS, -1, ALWAYS_ENDS_IN(SKAN_ERROR_CLOCK)},
    {"the clock calls back", NOW, CALLS_BACK, 0, ALWAYS_ENDS_WELL},
    {"the transport fails", GET, ANSWERS, SKAN_ERROR_TRANSPORT, ALWAYS_ENDS_IN(SKAN_ERROR_TRANSPORT)},
    {"the transport calls back", GET, CALLS_BACK, SKAN_OK, ALWAYS_ENDS_WELL},
};
#define FAULT_COUNT (sizeof faults / sizeof *faults)

/* ----------------------------------------------------------------------------------------------------- operations */

/* What is done under faults, on an install without a record, or on one with a past. */
typedef struct operation {
    const char *name;
    skan_status (*call)(skan_engine *engine, const char *install_id, char **given);
    bool creates; /* the install has no record before */
} operation;

static skan_status revenue_with_id(skan_engine *engine, const char *install_id, char **given) {
    *given = strdup("");
    return skan_update_revenue(engine, install_id, AMOUNT(0.1), "USD", SKAN_IAP, "order-9", &failure);
}

static skan_status apply_with_ticket(skan_engine *engine, const char *install_id, char **given) {
    skan_update update = unwritten_update();
    skan_status status =
        skan_apply_response(engine, install_id, NULL, UINT64_C(1) << 61, "{\"conversion_value\":41}", 23, &update,
                            &failure);
    *given = text_of("update %llu", (unsigned long long)update.id);
    return status;
}

static skan_status apply_with_id(skan_engine *engine, const char *install_id, char **given) {
    const skan_event event = {.size = sizeof event, .name = "purchase", .event_id = "order-9"};
    skan_update update = unwritten_update();
    skan_status status =
        skan_apply_response(engine, install_id, &event, 0, "{\"conversion_value\":41}", 23, &update, &failure);
    *given = text_of("update %llu", (unsigned long long)update.id);
    return status;
}

static skan_status conversion_with_id(skan_engine *engine, const char *install_id, char **given) {
    const skan_event event = {.size = sizeof event, .name = "purchase", .event_id = "order-9"};
    skan_update update = unwritten_update();
    skan_status status = skan_update_conversion_values(engine, install_id, &event, &update, &failure);
    *given = text_of("update %llu", (unsigned long long)update.id);
    return status;
}

/* The transport has no value for a login: the outcome is SKAN_NO_NEW_VALUE, and only the event id is stored. */
static skan_status conversion_without_value(skan_engine *engine, const char *install_id, char **given) {
    const skan_event event = {.size = sizeof event, .name = "login", .event_id = "login-9"};
    skan_update update = unwritten_update();
    skan_status status = skan_update_conversion_values(engine, install_id, &event, &update, &failure);
    *given = text_of("update %llu", (unsigned long long)update.id);
    return status;
}

/* An event whose amount was counted before, by give_a_past. With a transport an amount is a change of its own, before the
 * request, and stays where the rest fails (Rules, "Events with an amount"): its faults are those of update_revenue. */
static skan_status conversion_with_counted_amount(skan_engine *engine, const char *install_id, char **given) {
    const skan_event event = {
        .size = sizeof event, .name = "purchase", .event_id = "order-1", .currency = "USD", .amount = {.number = 4.99}};
    skan_update update = unwritten_update();
    skan_status status = skan_update_conversion_values(engine, install_id, &event, &update, &failure);
    *given = text_of("update %llu", (unsigned long long)update.id);
    return status;
}

static operation operations[FUNCTION_COUNT + 8];
static size_t operation_count;

static void list_operations(void) {
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        const bool has_two_changes = i == UPDATE_WITH_AMOUNT;
        operations[operation_count++] =
            (operation){functions[i].name, has_two_changes ? conversion_with_counted_amount : functions[i].call,
                        i == REGISTER || i == IMPORT_DETAILS};
    }
    const operation more[] = {{"update_revenue of a new install", functions[UPDATE_REVENUE].call, true},
                              {"update_revenue with an event id", revenue_with_id, false},
                              {"update_revenue with an event id of a new install", revenue_with_id, true},
                              {"apply_response with a ticket", apply_with_ticket, false},
                              {"apply_response with an event id", apply_with_id, false},
                              {"update_conversion_values with an event id", conversion_with_id, false},
                              {"update_conversion_values without a value", conversion_without_value, false},
                              {"forget of a new install", functions[FORGET].call, true}};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) operations[operation_count++] = more[i];
}

/* ----------------------------------------------------------------------------------------------- a faulty world */

typedef struct late_write {
    bool waits, removes;
    void *data;
    size_t length;
    uint64_t expected;
} late_write;

typedef struct world {
    host_store store;
    host_clock clock;
    skan_engine *engine; /* over the hooks below */
    skan_engine *other;  /* another writer, whose hooks never fail */
    const fault *fault;
    int strikes_at; /* the hook call, from 1, at which the fault strikes */
    bool always;
    aftershock aftershock; /* of a fault that struck */
    int calls, strikes, saves, gets;
    late_write late;
} world;

static void play(world *world, const char *events) {
    for (; events && *events; events++) {
        if (*events == 'w')
            ANSWER(SKAN_OK, skan_update_revenue(world->other, install, AMOUNT(1), "XTS", SKAN_IAP, NULL, &failure));
        if (*events == 'f') ANSWER(SKAN_OK, skan_forget(world->other, install, &failure));
        if (*events == 'm') {
            ANSWER(SKAN_OK, skan_register(world->other, install, NULL, NULL, &failure));
            ANSWER(SKAN_OK, skan_update_revenue(world->other, install, AMOUNT(2), "XTS", SKAN_IAP, NULL, &failure));
        }
    }
}

/* What others do inside a hook; the error of the call around it stays where it is. */
static void play_inside(world *world, const char *events) {
    skan_error *outer = failure;
    play(world, events);
    failure = outer;
}

static bool strikes(world *world, hook hook) {
    world->calls++;
    if (!world->fault || world->fault->hook != hook) return false;
    if (world->calls != world->strikes_at && !(world->always && world->strikes > 0)) return false;
    world->strikes++;
    world->aftershock = world->fault->then;
    return true;
}

static void call_back(world *world) {
    skan_error *outer = failure;
    const fault *fault = world->fault;
    int calls = world->calls;
    world->fault = NULL;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        char *given = NULL;
        ANSWER(SKAN_ERROR_MISUSE, functions[i].call(world->engine, "another install", &given));
        free(given);
    }
    EXPECT_NUMBER(calls, world->calls);
    world->fault = fault;
    failure = outer;
}

static void late_write_happens(world *world) {
    if (!world->late.waits) return;
    uint64_t version = 0;
    if (world->late.removes)
        host_store_remove(&world->store, install, world->late.expected);
    else
        host_store_save(&world->store, install, world->late.data, world->late.length, world->late.expected, &version);
    free(world->late.data);
    world->late = (late_write){.waits = false};
}

static void keep_for_later(world *world, const void *data, size_t length, uint64_t expected) {
    free(world->late.data);
    world->late = (late_write){true, data == NULL, NULL, length, expected};
    if (!data) return;
    world->late.data = malloc(length);
    if (!world->late.data) abort();
    memcpy(world->late.data, data, length);
}

static skan_status faulty_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    world *world = context;
    bool down = world->aftershock == LOADS_FAIL;
    if (!strikes(world, LOAD)) return down ? SKAN_ERROR_STORE : host_store_load(&world->store, key, out, version);
    if (world->fault->kind == ANSWERS) return world->fault->status;
    if (world->fault->kind == CALLS_BACK) call_back(world);
    skan_status status = host_store_load(&world->store, key, out, version);
    if (status == SKAN_OK && world->fault->kind == WITHOUT_VERSION) *version = 0;
    return world->fault->kind == APPLIES ? world->fault->status : status;
}

/* As a store without faults: a save, or a removal where there are no data. */
static skan_status write_record(world *world, const char *key, const void *data, size_t length, uint64_t expected,
                                uint64_t *version) {
    return data ? host_store_save(&world->store, key, data, length, expected, version)
                : host_store_remove(&world->store, key, expected);
}

static skan_status faulty_write(world *world, const char *key, const void *data, size_t length, uint64_t expected,
                                uint64_t *version) {
    world->saves++;
    if (world->fault && world->fault->kind == LATE) late_write_happens(world);
    bool fails = data && world->aftershock == NEXT_SAVE_FAILS;
    if (!strikes(world, data ? SAVE : REMOVE))
        return fails ? SKAN_ERROR_STORE : write_record(world, key, data, length, expected, version);
    const fault *fault = world->fault;
    switch (fault->kind) {
    case ANSWERS: play_inside(world, fault->others); return fault->status;
    case LATE_AND_LONG: world->clock.microseconds += INT64_C(35) * 86400 * 1000000; /* fall through */
    case LATE:
    case LATE_AFTER_CALL: keep_for_later(world, data, length, expected); return fault->status;
    case CALLS_BACK: call_back(world); break;
    default: break;
    }
    if (fault->kind == APPLIES && fault->status == SKAN_OK) play_inside(world, fault->others);
    skan_status status = write_record(world, key, data, length, expected, version);
    if (fault->kind == SAME_VERSION) *version = expected;
    if (fault->kind == WITHOUT_VERSION) *version = 0;
    if (status != SKAN_OK || fault->status == SKAN_OK) return status;
    play_inside(world, fault->others);
    return fault->status;
}

static skan_status faulty_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    return faulty_write(context, key, data, length, expected, version);
}

static skan_status faulty_remove(void *context, const char *key, uint64_t expected) {
    return faulty_write(context, key, NULL, 0, expected, NULL);
}

static int64_t faulty_now(void *context) {
    world *world = context;
    if (strikes(world, NOW)) {
        if (world->fault->kind == ANSWERS) return -1;
        call_back(world);
    }
    return world->clock.microseconds;
}

static skan_status faulty_get(void *context, const char *url, skan_buffer *body) {
    world *world = context;
    world->gets++;
    if (strikes(world, GET)) {
        if (world->fault->kind == ANSWERS) return world->fault->status;
        call_back(world);
    }
    const char *answer = strstr(url, "n=purchase") ? "{\"conversion_value\":40}" : "";
    return skan_buffer_set(body, answer, strlen(answer));
}

static world *make_world(uint32_t protocol) {
    world *world = calloc(1, sizeof *world);
    if (!world) abort();
    host_store_init(&world->store);
    world->clock.microseconds = INT64_C(1700000000000000);
    const skan_store faulty = {.size = sizeof faulty,
                               .context = world,
                               .load = faulty_load,
                               .save = faulty_save,
                               .remove = faulty_remove};
    const skan_clock clock = {sizeof clock, world, faulty_now, NULL};
    const skan_transport transport = {sizeof transport, world, faulty_get, NULL};
    const skan_options options = {.size = sizeof options,
                                  .protocol = protocol,
                                  .store = &faulty,
                                  .clock = &clock,
                                  .transport = &transport,
                                  .endpoint_url = "https://skan.example.com"};
    ANSWER(SKAN_OK, skan_create(&options, &world->engine, &failure));
    const skan_store store = host_store_hooks(&world->store);
    const skan_clock others_clock = host_clock_hooks(&world->clock);
    const skan_options others = {.size = sizeof others,
                                 .protocol = protocol,
                                 .store = &store,
                                 .clock = &others_clock,
                                 .endpoint_url = "https://skan.example.com"};
    ANSWER(SKAN_OK, skan_create(&others, &world->other, &failure));
    return world;
}

static void end_world(world *world) {
    skan_destroy(world->engine);
    skan_destroy(world->other);
    host_store_end(&world->store);
    free(world->late.data);
    free(world);
}

static void give_a_past(world *world) {
    skan_engine *engine = world->other;
    skan_update first = {.size = sizeof first};
    ANSWER(SKAN_OK, skan_register(engine, install, NULL, &first, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(engine, install, AMOUNT(4.99), "USD", SKAN_IAP, "order-1", &failure));
    ANSWER(SKAN_OK, skan_update_revenue(engine, install, AMOUNT(0.1), "EUR", SKAN_IAP, NULL, &failure));
    ANSWER(SKAN_OK, skan_apply_response(engine, install, NULL, 77, "{\"conversion_value\":5}", 22, NULL, &failure));
    const skan_acknowledgement delivered = {.size = sizeof delivered, .id = first.id, .result = SKAN_CALL_DELIVERED};
    ANSWER(SKAN_OK, skan_acknowledge_calls(engine, install, &delivered, 1, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(engine, "install-2", AMOUNT(1), "USD", SKAN_IAP, NULL, &failure));
}

/* Everything an engine can tell of the install, and whether there is a record. The caller frees it. */
static char *state_of(world *world) {
    char *details = details_of(world->other, install), *pending = NULL;
    SETTLE(functions[PENDING_CALLS].call(world->other, install, &pending));
    char *state = text_of("%s, pending: %s, %s", details, pending,
                          host_store_find(&world->store, install) ? "a record" : "no record");
    free(details);
    free(pending);
    return state;
}

/* What events leave on a store without faults: the status and outs of the last O, and the state. */
typedef struct aftermath {
    skan_status status;
    char *given, *state;
    skan_status status_again; /* of one more O */
    char *state_again;
} aftermath;

static aftermath without_faults(uint32_t protocol, const operation *operation, const char *events, int times) {
    world *world = make_world(protocol);
    if (!operation->creates) give_a_past(world);
    aftermath after = {.given = strdup("")};
    for (int round = 0; round < times; round++)
        for (const char *event = events; *event; event++) {
            if (*event != 'O') {
                play(world, (char[]){*event, '\0'});
                continue;
            }
            free(after.given);
            after.status = SETTLE(operation->call(world->engine, install, &after.given));
        }
    after.state = state_of(world);
    char *given = NULL;
    after.status_again = SETTLE(operation->call(world->engine, install, &given));
    after.state_again = state_of(world);
    free(given);
    end_world(world);
    return after;
}

static void end_aftermath(aftermath *after) {
    free(after->given);
    free(after->state);
    free(after->state_again);
}

/* ---------------------------------------------------------------------------------------------------------- cases */

typedef struct fault_case {
    const fault *fault;
    const operation *operation;
    uint32_t protocol;
    bool always;
} fault_case;

static size_t *strikes_of_fault; /* shared by all cases */

static expected what_is_expected(const fault_case *each) {
    const fault *fault = each->fault;
    bool created = each->operation->creates;
    if (each->always) return fault->always;
    return created && fault->once_created.events ? fault->once_created : fault->once;
}

/* Where others come in between again and again, an operation whose answer that changes does not go on. */
static aftermath aftermath_of(const fault_case *each, int attempts, expected *expected) {
    int times = 1;
    *expected = what_is_expected(each);
    if (each->always && each->fault->others) {
        aftermath changed = without_faults(each->protocol, each->operation, "wO", 1);
        if (changed.status != SKAN_OK && changed.status != SKAN_NO_NEW_VALUE)
            *expected = (struct expected){"wO", 0};
        else
            times = attempts;
        end_aftermath(&changed);
    }
    return without_faults(each->protocol, each->operation, expected->events, times);
}

static void expect_status_and_state(world *world, skan_status wanted, const char *wanted_state, skan_status came,
                                    const char *message) {
    EXPECT(came == wanted, "expected %s, came %s: %s", skan_status_name(wanted), skan_status_name(came), message);
    char *state = state_of(world);
    EXPECT_TEXT(wanted_state, state);
    free(state);
}

/* What the fault came to, and that the next call works as if there had been none. */
static void expect_aftermath(const fault_case *each, world *world, int at, skan_status came, const char *message,
                             const char *given) {
    expected expected;
    int saves = world->saves, gets = world->gets;
    aftermath after = aftermath_of(each, world->strikes, &expected);
    skan_status wanted = expected.status ? expected.status : after.status;
    expect_status_and_state(world, wanted, after.state, came, message);
    if (!expected.status) EXPECT_TEXT(after.given, given);
    EXPECT(gets <= 1, "%d GETs were made", gets);
    if (each->always && wanted == SKAN_ERROR_STORE_CONFLICT) EXPECT(saves > 100, "%d attempts were made", saves);
    if (wanted == SKAN_ERROR_STORE && each->fault->hook != LOAD && each->fault->then == NONE) EXPECT_NUMBER(1, saves);

    in_round("hook call %d, the next call", at);
    char *again = NULL;
    came = SETTLE(each->operation->call(world->engine, install, &again));
    expect_status_and_state(world, after.status_again, after.state_again, came, failure_message());
    free(again);
    end_aftermath(&after);
}

/* Answers whether the operation makes a hook call number `at`. */
static bool strike_at(const fault_case *each, int at) {
    in_round("hook call %d", at);
    world *world = make_world(each->protocol);
    if (!each->operation->creates) give_a_past(world);
    world->fault = each->fault;
    world->always = each->always;
    world->strikes_at = at;
    world->calls = world->saves = world->gets = 0;

    char *given = NULL;
    skan_status status = SETTLE(each->operation->call(world->engine, install, &given));
    char *message = strdup(failure_message());
    bool reached = world->calls >= at;
    strikes_of_fault[each->fault - faults] += (size_t)world->strikes;
    world->fault = NULL;
    world->aftershock = NONE;
    late_write_happens(world);
    if (world->strikes > 0) expect_aftermath(each, world, at, status, message, given);
    free(given);
    free(message);
    end_world(world);
    return reached;
}

static void strike_everywhere(const void *subject) {
    for (int at = 1; strike_at(subject, at); at++) {
        if (!EXPECT(at < 1000, "the operation does not end")) break;
    }
}

static void a_fault_in_every_place(void) {
    for (size_t i = 0; i < FAULT_COUNT; i++)
        for (size_t j = 0; j < operation_count; j++)
            for (uint32_t protocol = 3; protocol <= 4; protocol++)
                for (int always = 0; always < 2; always++) {
                    if (always && !faults[i].always.events) continue;
                    const fault_case each = {&faults[i], &operations[j], protocol, always};
                    char *name = text_of("SKAN %u, %s, %s%s", protocol, operations[j].name, faults[i].name,
                                         always ? " from then on" : "");
                    run_case(name, strike_everywhere, &each);
                    free(name);
                }
}

static void every_fault_struck(const void *subject) {
    (void)subject;
    for (size_t i = 0; i < FAULT_COUNT; i++) EXPECT(strikes_of_fault[i] > 0, "never: %s", faults[i].name);
}

/* While a write is in doubt no outcome may be answered, since outcomes say that nothing was changed. Here the second
 * attempt finds the windows over, and then the first one's write arrives. */
static void an_outcome_is_never_answered_in_doubt(const void *subject) {
    (void)subject;
    static const fault slow = {.name = "slow", .hook = SAVE, .kind = LATE_AND_LONG, .status = SKAN_ERROR_STORE_UNKNOWN};
    for (size_t i = 0; i < operation_count; i++)
        for (int at = 1; at < 10; at++) {
            in_round("%s, hook call %d", operations[i].name, at);
            world *world = make_world(4);
            if (!operations[i].creates) give_a_past(world);
            char *before = state_of(world), *given = NULL;
            world->fault = &slow;
            world->strikes_at = at;
            world->calls = 0;
            skan_status status = SETTLE(operations[i].call(world->engine, install, &given));
            bool struck = world->strikes > 0;
            world->fault = NULL;
            late_write_happens(world);
            world->clock.microseconds = INT64_C(1700000000000000);
            char *after = state_of(world);
            EXPECT(!struck || status == SKAN_OK || status == SKAN_ERROR_STORE_UNKNOWN || strcmp(before, after) == 0,
                   "%s, but it is changed", skan_status_name(status));
            free(before);
            free(after);
            free(given);
            end_world(world);
        }
}

/* ------------------------------------------------------------------------------------------------- damaged records */

static bool is_refusal(skan_status status) {
    return status == SKAN_ERROR_CORRUPT_RECORD || status == SKAN_ERROR_RECORD_TOO_NEW;
}

/* Every function refuses what is stored, leaves it as it is, and forget removes it. */
static void expect_refused(world *world, const void *data, size_t length, skan_status wanted) {
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        if (i == FORGET) continue;
        char *given = NULL;
        skan_status status = SETTLE(functions[i].call(world->engine, install, &given));
        EXPECT(wanted ? status == wanted : is_refusal(status), "%s: came %s: %s", functions[i].name,
               skan_status_name(status), failure_message());
        free(given);
    }
    host_record *record = host_store_find(&world->store, install);
    EXPECT(record && record->length == length && memcmp(record->data, data, length) == 0, "the record was changed");
    ANSWER(SKAN_OK, skan_forget(world->engine, install, &failure));
    EXPECT(!host_store_find(&world->store, install), "the record is still there");
    ANSWER(SKAN_OK, skan_register(world->engine, install, NULL, NULL, &failure));
}

/* Which bytes are no record is told by the core's tests: each bit, each cut and each tail of records. */
static void what_is_no_record_is_refused(const void *subject) {
    (void)subject;
    static const struct {
        const char *name;
        size_t at, longer, shorter;
        unsigned char change;
        skan_status status; /* 0 = either refusal */
    } rows[] = {{.name = "a changed byte", .at = 60, .change = 0x80},
                {.name = "cut", .shorter = 1},
                {.name = "empty", .shorter = SIZE_MAX},
                {.name = "too long for any record", .longer = SKAN_RECORD_MAX},
                {.name = "of a newer format", .change = 0xFE, .status = SKAN_ERROR_RECORD_TOO_NEW}};
    static unsigned char bytes[2 * SKAN_RECORD_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        in_round("%s", rows[i].name);
        world *world = make_world(4);
        give_a_past(world);
        host_record *record = host_store_find(&world->store, install);
        size_t length = rows[i].shorter < record->length ? record->length + rows[i].longer - rows[i].shorter : 0;
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, record->data, record->length);
        bytes[rows[i].at] ^= rows[i].change;
        host_store_put(&world->store, install, bytes, length);
        expect_refused(world, bytes, length, rows[i].status);
        end_world(world);
    }
}

int main(void) {
    list_operations();
    strikes_of_fault = shared_memory(FAULT_COUNT * sizeof *strikes_of_fault);
    a_fault_in_every_place();
    run_case("an outcome is never answered in doubt", an_outcome_is_never_answered_in_doubt, NULL);
    run_case("every fault struck", every_fault_struck, NULL);
    run_case("what is no record is refused", what_is_no_record_is_refused, NULL);
    return finish_cases();
}
