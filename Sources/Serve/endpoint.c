#include "endpoint.h"

#include "log.h"
#include "plain_text.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#define JSON "application/json"

/* Rules, "Endpoint users": an app's id is at most as long as the key of its users' records. */
enum { APP_MAX = SKAN_INSTALL_ID_MAX };

/* An error in the published form; `text` is its reason. */
static void give_reason(http_answer *answer, unsigned status, const char *outcome, const char *text) {
    struct json_object *object = json_object_new_object();
    json_object_object_add(object, "status", json_object_new_string("error"));
    json_object_object_add(object, "reason", json_object_new_string(text));
    answer->status = status;
    answer->outcome = outcome;
    answer->type = JSON;
    const int style = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
    answer->body = strdup(json_object_to_json_string_ext(object, style));
    answer->length = answer->body ? strlen(answer->body) : 0;
    json_object_put(object);
}

static const char *name_of(skan_status outcome) {
    switch (outcome) {
    case SKAN_OK:
        return "value";
    case SKAN_NO_NEW_VALUE:
        return "no_new_value";
    case SKAN_WINDOW_LOCKED:
        return "window_locked";
    case SKAN_ERROR_REJECTED:
        return "rejected";
    default:
        return "other";
    }
}

static void give_no_model(http_answer *answer, const char *outcome, const char *app) {
    char reason[APP_MAX + 128];
    snprintf(reason, sizeof reason, "Conversion Management: Conversion Model not found for app: %s", app);
    give_reason(answer, 200, outcome, reason);
}

/* What a request is answered when the engine could not. */
static void give_failure(http_answer *answer, skan_status status, const char *app, const skan_error *error) {
    switch (status) {
    case SKAN_ERROR_MODEL_UNKNOWN:
        log_event("model_unknown", skan_error_message(error));
        give_no_model(answer, "model_unknown", app);
        break;
    case SKAN_ERROR_INVALID_ARGUMENT:
        give_reason(answer, 414, "too_long", skan_error_message(error));
        break;
    case SKAN_ERROR_CORRUPT_RECORD:
    case SKAN_ERROR_RECORD_TOO_NEW:
        log_event("record", skan_error_message(error));
        give_reason(answer, 500, "record", "what is stored for this user cannot be read");
        break;
    default:
        log_event("store", skan_error_message(error));
        give_reason(answer, 503, "store", "the server's store cannot be used now");
    }
}

static void answer_by(skan *engine, const char *app, const http_request *request, http_answer *answer) {
    size_t length = strlen(request->path) + strlen(request->query) + 2;
    char *target = malloc(length);
    if (!target) {
        give_reason(answer, 503, "memory", "no memory");
        return;
    }
    snprintf(target, length, "%s?%s", request->path, request->query);
    skan_status outcome = SKAN_OK;
    char *json = NULL;
    skan_error *error = NULL;
    skan_status status = skan_answer_request(engine, target, &outcome, &json, &error);
    if (status == SKAN_OK) {
        answer->status = 200;
        answer->type = JSON;
        answer->outcome = name_of(outcome);
        answer->body = strdup(json);
        answer->length = answer->body ? strlen(answer->body) : 0;
        skan_free(json);
    } else {
        give_failure(answer, status, app, error);
    }
    skan_error_free(error);
    free(target);
}

static void answer_protocol(const apps *apps, int protocol, const http_request *request, http_answer *answer) {
    char app[APP_MAX + 1];
    if (!http_item(request, "i", app, sizeof app) || !text_is_plain(app, APP_MAX)) app[0] = '\0';
    skan *engine = apps_engine(apps, app[0] ? app : NULL, protocol);
    if (engine)
        answer_by(engine, app, request, answer);
    else if (app[0])
        give_no_model(answer, "rejected", app);
    else
        give_reason(answer, 200, "rejected", "Conversion Management: Invalid parameter i given");
}

void endpoint_answer_skan4(void *context, const http_request *request, http_answer *answer) {
    answer_protocol(context, 4, request, answer);
}

void endpoint_answer_skan3(void *context, const http_request *request, http_answer *answer) {
    answer_protocol(context, 3, request, answer);
}
