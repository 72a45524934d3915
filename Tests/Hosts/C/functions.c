#define _GNU_SOURCE
#include "functions.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

skan_update unwritten_update(void) {
    skan_update update;
    memset(&update, 0xA5, sizeof update);
    update.size = sizeof update;
    return update;
}

static char *given_update(skan_status status, const skan_update *update) {
    const skan_update none = {.size = sizeof none};
    EXPECT_NUMBER(sizeof *update, update->size);
    if (status != SKAN_OK) EXPECT(memcmp(update, &none, sizeof none) == 0, "an update is given with %d", (int)status);
    if (status != SKAN_OK || update->id == 0) return strdup("");
    return text_of("update %llu, window %d, fine %d, coarse %d, lock %d, at %lld", (unsigned long long)update->id,
                   update->window, update->fine_value, update->coarse_value, update->lock_window,
                   (long long)update->timestamp);
}

static char *given_text(skan_status status, char *text) {
    EXPECT((text != NULL) == (status == SKAN_OK), "text is %s with %s", text ? "given" : "missing",
           skan_status_name(status));
    char *copy = strdup(status == SKAN_OK && text ? text : "");
    if (status == SKAN_OK) skan_free(text);
    return copy;
}

static char unwritten_text;
skan_error **error_out = &failure;

static skan_status call_register(skan_engine *engine, const char *install_id, char **given) {
    skan_update update = unwritten_update();
    skan_status status = skan_register(engine, install_id, NULL, &update, error_out);
    *given = given_update(status, &update);
    return status;
}

static skan_status call_update_revenue(skan_engine *engine, const char *install_id, char **given) {
    *given = strdup("");
    return skan_update_revenue(engine, install_id, AMOUNT(4.99), "USD", SKAN_IAP, NULL, error_out);
}

/* One item of the install: whatever is wrong is the status of both. */
static skan_status call_update_revenue_many(skan_engine *engine, const char *install_id, char **given) {
    const skan_revenue item = {
        .size = sizeof item, .install_id = install_id, .amount = {.number = 4.99}, .currency = "USD"};
    skan_status of_item = -1;
    *given = strdup("");
    skan_status status = skan_update_revenue_many(engine, &item, 1, &of_item, error_out);
    EXPECT_STATUS(status, of_item);
    return status;
}

static skan_status call_conversion_request(skan_engine *engine, const char *install_id, char **given) {
    char *url = &unwritten_text;
    uint64_t ticket = UINT64_MAX;
    skan_status status =
        skan_conversion_request(engine, install_id, EVENT(.name = "purchase"), &url, &ticket, error_out);
    EXPECT((ticket != 0) == (status == SKAN_OK) && ticket < UINT64_C(1) << 63, "ticket %llu with %s",
           (unsigned long long)ticket, skan_status_name(status));
    *given = given_text(status, url);
    return status;
}

static skan_status call_apply_response(skan_engine *engine, const char *install_id, char **given) {
    static const char body[] = "{\"conversion_value\":7,\"skan_updated_coarse_value\":1,\"status\":\"ok\"}";
    skan_update update = unwritten_update();
    skan_status status = skan_apply_response(engine, install_id, NULL, 0, body, sizeof body - 1, &update, error_out);
    *given = given_update(status, &update);
    return status;
}

static skan_status call_update_conversion_values(skan_engine *engine, const char *install_id, char **given) {
    skan_update update = unwritten_update();
    skan_status status =
        skan_update_conversion_values(engine, install_id, EVENT(.name = "purchase"), &update, error_out);
    *given = given_update(status, &update);
    return status;
}

static skan_status call_update_with_amount(skan_engine *engine, const char *install_id, char **given) {
    skan_update update = unwritten_update();
    const skan_event event = {.size = sizeof event, .name = "purchase", .amount = {.text = "4.99"}, .currency = "USD"};
    skan_status status = skan_update_conversion_values(engine, install_id, &event, &update, error_out);
    *given = given_update(status, &update);
    return status;
}

static skan_status call_pending_calls(skan_engine *engine, const char *install_id, char **given) {
    skan_call calls[SKAN_CALLS_MAX];
    memset(calls, 0xA5, sizeof calls);
    calls[0].size = sizeof *calls;
    size_t count = SIZE_MAX;
    skan_status status = skan_pending_calls(engine, install_id, NULL, calls, SKAN_CALLS_MAX, &count, error_out);
    EXPECT((count != 0) == (status == SKAN_OK), "%zu calls with %s", count, skan_status_name(status));
    *given = strdup("");
    for (size_t i = 0; status == SKAN_OK && i < count; i++) {
        char *before = *given;
        *given = text_of("%scall %llu of %u to %d as %d, window %d, fine %d, coarse %d, lock %d, %lld to %lld, "
                         "tag %s; ", before, (unsigned long long)calls[i].id, calls[i].conversion, calls[i].framework,
                         calls[i].conversion_type, calls[i].window, calls[i].fine_value, calls[i].coarse_value,
                         calls[i].lock_window, (long long)calls[i].timestamp, (long long)calls[i].valid_until,
                         calls[i].tag);
        free(before);
    }
    return status;
}

static skan_status call_pending_calls_json(skan_engine *engine, const char *install_id, char **given) {
    char *json = &unwritten_text;
    skan_status status = skan_pending_calls_json(engine, install_id, NULL, &json, error_out);
    *given = given_text(status == SKAN_NOTHING_PENDING ? SKAN_OK : status, json);
    return status;
}

static skan_status call_acknowledge_calls(skan_engine *engine, const char *install_id, char **given) {
    const skan_acknowledgement result = {.size = sizeof result, .id = 1, .result = SKAN_CALL_DELIVERED};
    *given = strdup("");
    return skan_acknowledge_calls(engine, install_id, &result, 1, error_out);
}

static skan_status call_details(skan_engine *engine, const char *install_id, char **given) {
    char *json = &unwritten_text;
    skan_status status = skan_details(engine, install_id, &json, error_out);
    *given = given_text(status, json);
    return status;
}

static skan_status call_metadata(skan_engine *engine, const char *install_id, char **given) {
    char *query = &unwritten_text;
    skan_status status = skan_metadata(engine, install_id, &query, error_out);
    *given = given_text(status, query);
    return status;
}

static skan_status call_import_details(skan_engine *engine, const char *install_id, char **given) {
    static const char json[] = "{\"skan_first_call_to_skadnetwork_timestamp\":1700000000,"
                               "\"skan_total_revenue_by_currency\":{\"USD\":1.5}}";
    *given = strdup("");
    return skan_import_details(engine, install_id, json, sizeof json - 1, error_out);
}

static skan_status call_forget(skan_engine *engine, const char *install_id, char **given) {
    *given = strdup("");
    return skan_forget(engine, install_id, error_out);
}

const function functions[FUNCTION_COUNT] = {
    [REGISTER] = {"register", call_register, true},
    [UPDATE_REVENUE] = {"update_revenue", call_update_revenue, true},
    [UPDATE_REVENUE_MANY] = {"update_revenue_many", call_update_revenue_many, true},
    [CONVERSION_REQUEST] = {"conversion_request", call_conversion_request, true},
    [APPLY_RESPONSE] = {"apply_response", call_apply_response, true},
    [UPDATE_CONVERSION_VALUES] = {"update_conversion_values", call_update_conversion_values, true},
    [UPDATE_WITH_AMOUNT] = {"update_conversion_values with an amount", call_update_with_amount, true},
    [PENDING_CALLS] = {"pending_calls", call_pending_calls, true},
    [PENDING_CALLS_JSON] = {"pending_calls_json", call_pending_calls_json, true},
    [ACKNOWLEDGE_CALLS] = {"acknowledge_calls", call_acknowledge_calls, true},
    [DETAILS] = {"details", call_details, false},
    [METADATA] = {"metadata", call_metadata, false},
    [IMPORT_DETAILS] = {"import_details", call_import_details, false},
    [FORGET] = {"forget", call_forget, false},
};

char *details_of(skan_engine *engine, const char *install_id) {
    char *details = NULL;
    ANSWER(SKAN_OK, functions[DETAILS].call(engine, install_id, &details));
    char *text = text_of("%s", details);
    free(details);
    return text;
}
