/* libcurl as Swift can call it: its functions with a variable number of arguments, one for each kind of value. */
#ifndef SKAN_LIBCURL_H
#define SKAN_LIBCURL_H

/* First: what both have of libc then belongs to that module, whichever is imported. */
#include "../Libc/system.h"

#include <curl/curl.h>

/* ------------------------------------------------------------------------------------------------------------- easy */

static inline CURLcode skan_curl_set_number(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

/* Copied, if it is not NULL. */
static inline CURLcode skan_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode skan_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode skan_curl_set_header_function(CURL *easy, curl_write_callback function) {
    return (curl_easy_setopt)(easy, CURLOPT_HEADERFUNCTION, function);
}

static inline CURLcode skan_curl_set_write_function(CURL *easy, curl_write_callback function) {
    return (curl_easy_setopt)(easy, CURLOPT_WRITEFUNCTION, function);
}

/* As curl_prereq_callback, which older versions do not have. */
typedef int (*skan_curl_start_function)(void *context, char *, char *, int, int);

/* What is called when a name is looked up for a transfer, and when its request is about to be sent. Older versions do
 * not tell the latter. */
#if LIBCURL_VERSION_NUM >= 0x075000
#define SKAN_CURL_TELLS_OF_REQUESTS 1
#else
#define SKAN_CURL_TELLS_OF_REQUESTS 0
#endif
static inline CURLcode skan_curl_set_place_functions(CURL *easy, void *context, curl_resolver_start_callback look_up,
                                                     skan_curl_start_function start) {
#if SKAN_CURL_TELLS_OF_REQUESTS
    CURLcode code = (curl_easy_setopt)(easy, CURLOPT_RESOLVER_START_FUNCTION, look_up);
    if (code == CURLE_OK) code = (curl_easy_setopt)(easy, CURLOPT_RESOLVER_START_DATA, context);
    if (code == CURLE_OK) code = (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, start);
    if (code == CURLE_OK) code = (curl_easy_setopt)(easy, CURLOPT_PREREQDATA, context);
    return code;
#else
    (void)easy, (void)context, (void)look_up, (void)start;
    return CURLE_OK;
#endif
}

static inline CURLcode skan_curl_set_open_socket_function(CURL *easy, curl_opensocket_callback function) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode skan_curl_set_close_socket_function(CURL *easy, curl_closesocket_callback function) {
    return (curl_easy_setopt)(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

/* http and https, and nothing else. */
static inline CURLcode skan_curl_set_web_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return (curl_easy_setopt)(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return (curl_easy_setopt)(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* Without it, the end of an attempt waits for the end of its name look-up. */
static inline CURLcode skan_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return (curl_easy_setopt)(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

static inline CURLcode skan_curl_get_number(CURL *easy, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode skan_curl_get_private(CURL *easy, void **value) {
    return (curl_easy_getinfo)(easy, CURLINFO_PRIVATE, (char **)value);
}

/* -------------------------------------------------------------------------------------------------- multi and share */

static inline CURLMcode skan_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLMcode skan_curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLMcode skan_curl_multi_set_socket_function(CURLM *multi, curl_socket_callback function) {
    return (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode skan_curl_multi_set_timer_function(CURLM *multi, curl_multi_timer_callback function) {
    return (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, function);
}

/* TLS sessions; without locks, for what one thread at a time is in. */
static inline CURLSHcode skan_curl_share_sessions(CURLSH *share) {
    return (curl_share_setopt)(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

#endif
