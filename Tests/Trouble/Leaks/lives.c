/*
 * Whole lives, on the libraries as they are installed and for valgrind: what is opened with success, is used, and is
 * closed again. refusals.c has the calls that refuse.
 *
 *     lives                    a store in an SQLite file, the store kit, HTTP and postbacks
 *     lives URL DIRECTORY      a store on this PostgreSQL or Redis server; DIRECTORY is the server's
 */
#define _GNU_SOURCE
#include "Hosts/C/support.h"
#include "Stores/Library/SQLite/files.h"

#include <skan/http.h>
#include <skan/postback.h>
#include <skan/postgres.h>
#include <skan/redis.h>
#include <skan/sqlite.h>
#include <skan/store_kit.h>

#include <arpa/inet.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ----------------------------------------------------------------------------------------------------------- stores */

static const char *server; /* its URL; NULL: the SQLite file */

static skan_status open_store(void *unused, skan_store *out) {
    (void)unused;
    const skan_sqlite_options file = quick();
    const skan_postgres_options table = {.size = sizeof table, .create_table = 1};
    if (!server) return skan_sqlite_store_open(file_named("installs.db"), &file, out, NULL);
    if (strncmp(server, "postgres", 8) == 0) return skan_postgres_store_open(server, &table, out, NULL);
    return skan_redis_store_open(server, NULL, out, NULL);
}

static skan_store opened_store(void) {
    skan_store store;
    EXPECT_STATUS(SKAN_OK, open_store(NULL, &store));
    return store;
}

/* Every kind's function is called; the others leave the store as it is. */
static void close_store(skan_store *store) {
    static void (*const close[])(skan_store *) = {skan_sqlite_store_close, skan_postgres_store_close,
                                                  skan_redis_store_close};
    const size_t own = !server ? 0 : strncmp(server, "postgres", 8) == 0 ? 1 : 2;
    const skan_store before = *store, none = {0};
    for (size_t i = 0; i < 3; i++)
        if (i != own) close[i](store);
    EXPECT(memcmp(store, &before, sizeof before) == 0, "the store of another kind was changed");
    close[own](store);
    EXPECT(memcmp(store, &none, sizeof none) == 0, "the store is not zero");
    for (size_t i = 0; i < 3; i++) close[i](store), close[i](NULL);
}

static void many_are_saved_and_listed(const skan_store *store) {
    skan_save_item saves[] = {{.key = "many/1", .data = "one", .length = 3},
                              {.key = "many/2", .data = "two", .length = 3}};
    skan_load_item loads[] = {{.key = "many/1", .out = skan_buffer_create()},
                              {.key = "none", .out = skan_buffer_create()}};
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    store->save_many(store->context, saves, 2);
    store->load_many(store->context, loads, 2);
    EXPECT(loads[0].status == SKAN_OK && loads[1].status == SKAN_NOT_FOUND, "came %s and %s",
           skan_status_name(loads[0].status), skan_status_name(loads[1].status));
    EXPECT_STATUS(SKAN_OK, store->list(store->context, cursor, keys));
    skan_buffer_set(cursor, NULL, 0);
    EXPECT_STATUS(SKAN_OK, store->list_with_prefix(store->context, "many/", cursor, keys));
    for (int i = 0; i < 2; i++) {
        EXPECT_STATUS(SKAN_OK, store->remove(store->context, saves[i].key, saves[i].new_version));
        skan_buffer_destroy(loads[i].out);
    }
    skan_buffer_destroy(cursor);
    skan_buffer_destroy(keys);
}

static void a_store_that_no_engine_took_is_closed(void) {
    for (int i = 0; i < 2; i++) {
        skan_store store = opened_store();
        skan_buffer *record = skan_buffer_create();
        uint64_t version = 0, loaded = 0;
        EXPECT_STATUS(SKAN_OK, store.save(store.context, "kept", "bytes", 5, 0, &version));
        EXPECT_STATUS(SKAN_OK, store.load(store.context, "kept", record, &loaded));
        EXPECT(loaded == version && skan_buffer_size(record) == 5, "%zu bytes came back", skan_buffer_size(record));
        EXPECT_STATUS(SKAN_OK, store.remove(store.context, "kept", version));
        skan_buffer_destroy(record);
        many_are_saved_and_listed(&store);
        close_store(&store);
    }
}

static void an_engine_works_on_its_store(void) {
    const skan_store store = opened_store();
    const skan_options options = {
        .size = sizeof options, .store = &store, .endpoint_url = "https://skan.example.com"};
    skan_revenue items[] = {
        {.size = sizeof *items, .install_id = "one", .amount = AMOUNT(1), .currency = "USD", .event_id = "order-1"},
        {.size = sizeof *items, .install_id = "two", .amount = AMOUNT(2), .currency = "USD", .event_id = "order-2"}};
    skan_status statuses[2];
    skan_engine *engine = NULL;
    char *text = NULL;
    uint64_t ticket = 0;
    const char body[] = "{\"conversion_value\":5}";
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    ANSWER(SKAN_OK, skan_register(engine, "one", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue_many(engine, items, 2, statuses, &failure));
    ANSWER(SKAN_DUPLICATE_EVENT,
           skan_update_revenue(engine, "two", AMOUNT(2), "USD", SKAN_IAP, "order-2", &failure));
    ANSWER(SKAN_OK, skan_conversion_request(engine, "one", EVENT(.name = "level"), &text, &ticket, &failure));
    skan_free(text);
    ANSWER(SKAN_OK, skan_apply_response(engine, "one", EVENT(.name = "level"), ticket, body, sizeof body - 1, NULL,
                                        &failure));
    ANSWER(SKAN_OK, skan_pending_calls_json(engine, "one", NULL, &text, &failure));
    skan_free(text);
    ANSWER(SKAN_OK, skan_rename(engine, "one", "three", &failure));
    ANSWER(SKAN_OK, skan_details(engine, "three", &text, &failure));
    EXPECT(strstr(text, "\"skan_current_conversion_value\":5"), "the value is not kept: %s", text);
    skan_free(text);
    ANSWER(SKAN_OK, skan_forget(engine, "two", &failure));
    ANSWER(SKAN_OK, skan_forget(engine, "three", &failure));
    skan_destroy(engine);
}

static size_t laws;

static void take_law(void *unused, const skan_store_kit_result *result) {
    (void)unused;
    laws++;
    EXPECT_NUMBER(laws, result->number);
    EXPECT_TEXT(skan_store_kit_law(laws), result->law);
    EXPECT(result->outcome != SKAN_STORE_KIT_FAILED, "%s: %s", result->law, result->reason);
}

static skan_status open_for_kit(void *unused, skan_store *out) {
    const skan_status status = open_store(unused, out);
    out->size = offsetof(skan_store, load_many);
    return status;
}

/* As few laws as the kit allows: store.c puts all kinds of stores through all of them, for longer than valgrind should
 * take. */
static void the_store_keeps_the_laws_of_the_kit(void) {
    const skan_store_kit kit = {.size = sizeof kit, .open = open_for_kit, .threads = 2, .rounds = 1, .steps = 20,
                                .report = take_law};
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    EXPECT(laws > 0 && !skan_store_kit_law(laws + 1), "%zu laws were run", laws);
    EXPECT(!skan_store_kit_law(0), "there is a law 0");
}

/* ------------------------------------------------------------------------------------------------------------- HTTP */

/* A server on a loopback port: one that answers each request and then closes the connection, or, without a thread, one
 * that connects and never answers. */
typedef struct place {
    int listener, port;
    pthread_t thread;
} place;

static place listening(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 16) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        abort();
    return (place){.listener = listener, .port = ntohs(address.sin_port)};
}

static void *answer_each(void *given) {
    static const char answer[] =
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 22\r\n\r\n{\"conversion_value\":7}";
    const place *place = given;
    for (int socket; (socket = accept(place->listener, NULL, NULL)) >= 0; close(socket)) {
        char request[4096];
        if (recv(socket, request, sizeof request, 0) > 0) send(socket, answer, sizeof answer - 1, MSG_NOSIGNAL);
    }
    return NULL;
}

static place answering(void) {
    place *made = malloc(sizeof *made);
    if (!made) abort();
    at_end(free, made);
    *made = listening();
    if (pthread_create(&made->thread, NULL, answer_each, made) != 0) abort();
    return *made;
}

static void stop(place place) {
    shutdown(place.listener, SHUT_RDWR);
    pthread_join(place.thread, NULL);
    close(place.listener);
}

/* Nobody listens there. */
static int closed_port(void) {
    const place place = listening();
    close(place.listener);
    return place.port;
}

static char *url_of(int port) {
    return text_of("http://127.0.0.1:%d/", port);
}

/* As patient as valgrind needs, with one attempt. */
static const skan_http_options http_options = {.size = sizeof http_options, .timeout_ms = 60000,
                                               .attempt_timeout_ms = 60000, .connect_timeout_ms = 60000,
                                               .max_attempts = 1, .proxy = ""};

static skan_transport opened_transport(void) {
    skan_transport transport;
    ANSWER(SKAN_OK, skan_http_transport_open(&http_options, &transport, &failure));
    return transport;
}

static void a_transport_that_no_engine_took_is_closed(void) {
    const place place = answering();
    skan_transport transport = opened_transport();
    skan_buffer *body = skan_buffer_create();
    EXPECT_STATUS(SKAN_OK, transport.get(transport.context, url_of(place.port), body));
    EXPECT_NUMBER(22, skan_buffer_size(body));
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, transport.get(transport.context, url_of(closed_port()), body));
    skan_buffer_destroy(body);
    const skan_transport none = {0};
    skan_http_transport_close(&transport);
    EXPECT(memcmp(&transport, &none, sizeof none) == 0, "the transport is not zero");
    skan_http_transport_close(&transport);
    skan_http_transport_close(NULL);
    stop(place);
}

static void an_engine_asks_by_its_transport(void) {
    const place place = answering();
    const skan_transport transport = opened_transport();
    const skan_options options = {
        .size = sizeof options, .transport = &transport, .endpoint_url = url_of(place.port)};
    skan_engine *engine = NULL;
    skan_update update = {.size = sizeof update};
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    ANSWER(SKAN_OK, skan_register(engine, "one", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_conversion_values(engine, "one", NULL, &update, &failure));
    EXPECT_NUMBER(7, update.fine_value);
    skan_destroy(engine);
    stop(place);
}

typedef struct outcome {
    sem_t is_told;
    skan_status status;
    size_t length;
    bool was_cancelled;
} outcome;

static void note(void *context, skan_status status, const void *body, size_t length, const char *message) {
    outcome *outcome = context;
    (void)body;
    outcome->status = status, outcome->length = length;
    outcome->was_cancelled = strstr(message, "cancelled") != NULL;
    sem_post(&outcome->is_told);
}

static uint64_t started(skan_http_client *client, const char *url, outcome *outcome) {
    uint64_t request = 0;
    sem_init(&outcome->is_told, 0, 0);
    ANSWER(SKAN_OK, skan_http_request_start(client, url, note, outcome, &request, &failure));
    EXPECT(request > 0, "the request has no number");
    return request;
}

static bool is_lost(skan_status status) {
    return status == SKAN_ERROR_TRANSPORT || status == SKAN_ERROR_TRANSPORT_UNKNOWN;
}

/* One is answered, one refused, one cancelled, and the last is under way when the client is destroyed. */
static void a_clients_requests_end_in_every_way(void) {
    const place place = answering(), silent = listening();
    skan_http_client *client = NULL;
    outcome answered, refused, cancelled, left;
    ANSWER(SKAN_OK, skan_http_client_create(&http_options, &client, &failure));
    started(client, url_of(place.port), &answered);
    sem_wait(&answered.is_told);
    EXPECT_STATUS(SKAN_OK, answered.status);
    EXPECT_NUMBER(22, answered.length);
    started(client, url_of(closed_port()), &refused);
    sem_wait(&refused.is_told);
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, refused.status);
    const uint64_t request = started(client, url_of(silent.port), &cancelled);
    skan_http_request_cancel(client, request);
    sem_wait(&cancelled.is_told);
    EXPECT(is_lost(cancelled.status) && cancelled.was_cancelled, "came %s", skan_status_name(cancelled.status));
    skan_http_request_cancel(client, request);
    started(client, url_of(silent.port), &left);
    skan_http_client_destroy(client);
    EXPECT_NUMBER(0, sem_trywait(&left.is_told));
    EXPECT(is_lost(left.status), "came %s", skan_status_name(left.status));
    close(silent.listener);
    stop(place);
}

/* -------------------------------------------------------------------------------------------------------- postbacks */

/* Apple's example of version 4.0, "E16 v4.0 Apple doc fine" in postbacks.json, with these two values. */
#define EXAMPLE(app_id, value) \
    "{\"version\":\"4.0\",\"ad-network-id\":\"com.example\",\"source-identifier\":\"5239\",\"app-id\":" app_id "," \
    "\"transaction-id\":\"6aafb7a5-0170-41b5-bbe4-fe71dedf1e30\",\"redownload\":false," \
    "\"source-domain\":\"example.com\",\"fidelity-type\":1,\"did-win\":true,\"conversion-value\":" value "," \
    "\"postback-sequence-index\":0,\"attribution-signature\":\"MEUCIGRmSMrqedNu6uaHyhVcifs118R5z/" \
    "AB6cvRaKrRRHWRAiEAv96ne3dKQ5kJpbsfk4eYiePmrZUU6sQmo+7zfP/1Bxo=\"}"
static const char example[] = EXAMPLE("525463029", "63");

static skan_postback *verified(const char *body) {
    skan_postback *postback = NULL;
    ANSWER(SKAN_OK, skan_postback_verify(body, strlen(body), NULL, &postback, &failure));
    EXPECT_TEXT("valid", skan_postback_result_name(skan_postback_result(postback)));
    return postback;
}

static void everything_is_read(skan_postback *postback, int32_t value) {
    skan_postback_fields fields = {.size = sizeof fields};
    char *json = NULL;
    size_t count = 0;
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    EXPECT_NUMBER(525463029, *fields.app_id);
    EXPECT_NUMBER(value, fields.conversion_value);
    EXPECT(skan_postback_signed_fields(postback, &count)[10] == NULL && count == 10, "%zu fields are signed", count);
    EXPECT_TEXT("", skan_postback_problem(postback));
    ANSWER(SKAN_OK, skan_postback_json(postback, &json, &failure));
    skan_free(json);
}

static void a_postback_of_apples_is_read(void) {
    skan_postback *postback = verified(example);
    size_t length = 0, illegal = 77;
    everything_is_read(postback, 63);
    EXPECT(!skan_postback_is_respelled(postback), "Apple's own is respelled");
    EXPECT(skan_postback_canonical_body(postback, &length) == skan_postback_body(postback, NULL), "another body");
    EXPECT_NUMBER(sizeof example - 1, length);
    EXPECT(!*skan_postback_illegal_fields(postback, &illegal) && illegal == 0, "%zu are illegal", illegal);
    skan_postback_destroy(postback);
}

static void a_respelled_postback_is_read(void) {
    skan_postback *postback = verified(EXAMPLE("\"525463029\"", "63"));
    size_t length = 0;
    everything_is_read(postback, 63);
    EXPECT(skan_postback_is_respelled(postback), "it is not respelled");
    const char *body = skan_postback_canonical_body(postback, &length);
    char *canonical = text_of("%.*s", (int)length, body);
    EXPECT(strstr(canonical, "\"app-id\":525463029"), "the canonical body is %s", canonical);
    skan_postback_destroy(postback);
    postback = verified(canonical);
    EXPECT(!skan_postback_is_respelled(postback), "the canonical body is respelled");
    skan_postback_destroy(postback);
}

static void an_illegal_value_is_named(void) {
    skan_postback *postback = verified(EXAMPLE("525463029", "64"));
    size_t count = 0;
    everything_is_read(postback, -1);
    const char *const *illegal = skan_postback_illegal_fields(postback, &count);
    EXPECT_NUMBER(1, count);
    EXPECT_TEXT("conversion-value", illegal[0]);
    EXPECT(!illegal[1], "the list has no end");
    skan_postback_destroy(postback);
}

static void receive(skan_postback_receiver *receiver, const char *body, int32_t outcome) {
    skan_postback_receipt receipt = {.size = sizeof receipt};
    ANSWER(SKAN_OK, skan_postback_receive(receiver, NULL, body, strlen(body), &receipt, &failure));
    EXPECT_NUMBER(outcome, receipt.outcome);
}

/* By a second store on the file. */
static void its_record_is_read(void) {
    skan_store store = opened_store();
    skan_buffer *bytes = skan_buffer_create();
    skan_postback *postback = verified(example), *kept = NULL;
    skan_postback_record record = {.size = sizeof record};
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, store.load(store.context, skan_postback_record_key(postback), bytes, &version));
    ANSWER(SKAN_OK, skan_postback_record_read(skan_buffer_data(bytes), skan_buffer_size(bytes), &record, &kept,
                                              &failure));
    EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, record.outcome);
    EXPECT_NUMBER(SKAN_POSTBACK_VALID, skan_postback_result(kept));
    skan_postback_destroy(kept);
    skan_postback_destroy(postback);
    skan_buffer_destroy(bytes);
    close_store(&store);
}

static void a_receiver_counts_in_its_store(void) {
    const skan_store store = opened_store();
    const skan_postback_receiver_options options = {.size = sizeof options, .store = &store};
    skan_postback_receiver *receiver = NULL;
    ANSWER(SKAN_OK, skan_postback_receiver_create(&options, &receiver, &failure));
    receive(receiver, example, SKAN_POSTBACK_COUNTED);
    receive(receiver, example, SKAN_POSTBACK_DUPLICATE);
    receive(receiver, EXAMPLE("525463029", "62"), SKAN_POSTBACK_CONFLICT);
    receive(receiver, EXAMPLE("525463028", "63"), SKAN_POSTBACK_REFUSED);
    its_record_is_read();
    skan_postback_receiver_destroy(receiver);
}

int main(int argument_count, char **arguments) {
    if (argument_count > 1) server = arguments[1];
    RUN(a_store_that_no_engine_took_is_closed);
    RUN(an_engine_works_on_its_store);
    RUN(a_receiver_counts_in_its_store);
    if (server) return finish_cases();
    RUN(the_store_keeps_the_laws_of_the_kit);
    RUN(a_transport_that_no_engine_took_is_closed);
    RUN(an_engine_asks_by_its_transport);
    RUN(a_clients_requests_end_in_every_way);
    RUN(a_postback_of_apples_is_read);
    RUN(a_respelled_postback_is_read);
    RUN(an_illegal_value_is_named);
    return finish_cases();
}
