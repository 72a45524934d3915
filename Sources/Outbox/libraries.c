#include "libraries.h"

#include "../Command/companions.h"

#define POSTBACK "libskan-postback.so.1"
#define HTTP "libskan-http.so.1"

/* Sets a member to the function of its name; the first that is missing is said, and ends it. */
#define FIND(library, member, what, file, function)                                                                  \
    (((library)->member = (__typeof__((library)->member))companion_find(what, file, function)) != NULL)

bool postback_library_open(postback_library *library) {
    return FIND(library, keys_create, "postbacks", POSTBACK, "skan_postback_keys_create") &&
           FIND(library, keys_destroy, "postbacks", POSTBACK, "skan_postback_keys_destroy") &&
           FIND(library, verify, "postbacks", POSTBACK, "skan_postback_verify") &&
           FIND(library, destroy, "postbacks", POSTBACK, "skan_postback_destroy") &&
           FIND(library, result, "postbacks", POSTBACK, "skan_postback_result") &&
           FIND(library, read, "postbacks", POSTBACK, "skan_postback_read") &&
           FIND(library, key_of, "postbacks", POSTBACK, "skan_postback_key_of") &&
           FIND(library, receiver_create, "postbacks", POSTBACK, "skan_postback_receiver_create") &&
           FIND(library, receiver_destroy, "postbacks", POSTBACK, "skan_postback_receiver_destroy") &&
           FIND(library, receive, "postbacks", POSTBACK, "skan_postback_receive") &&
           FIND(library, record_read, "postbacks", POSTBACK, "skan_postback_record_read");
}

bool http_library_open(http_library *library) {
    return FIND(library, client_create, "partners", HTTP, "skan_http_client_create") &&
           FIND(library, client_destroy, "partners", HTTP, "skan_http_client_destroy") &&
           FIND(library, request_start, "partners", HTTP, "skan_http_request_start");
}
