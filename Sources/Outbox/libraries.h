/* libskan-postback and libskan-http, loaded where postbacks are received or partners called: the command starts without
 * them. */
#ifndef LIBRARIES_H
#define LIBRARIES_H

#include <skan/http.h>
#include <skan/postback.h>

#include <stdbool.h>

typedef struct postback_library {
    __typeof__(&skan_postback_keys_create) keys_create;
    __typeof__(&skan_postback_keys_destroy) keys_destroy;
    __typeof__(&skan_postback_verify) verify;
    __typeof__(&skan_postback_destroy) destroy;
    __typeof__(&skan_postback_result) result;
    __typeof__(&skan_postback_read) read;
    __typeof__(&skan_postback_key_of) key_of;
    __typeof__(&skan_postback_receiver_create) receiver_create;
    __typeof__(&skan_postback_receiver_destroy) receiver_destroy;
    __typeof__(&skan_postback_receive) receive;
    __typeof__(&skan_postback_record_read) record_read;
} postback_library;

typedef struct http_library {
    __typeof__(&skan_http_client_create) client_create;
    __typeof__(&skan_http_client_destroy) client_destroy;
    __typeof__(&skan_http_request_start) request_start;
} http_library;

/* False, and said why, where one is not installed. */
bool postback_library_open(postback_library *library);
bool http_library_open(http_library *library);

#endif
