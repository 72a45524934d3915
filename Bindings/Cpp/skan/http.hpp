/*
 * http.hpp - the HTTP transport of libskan for C++17 and newer (libraries libskan and libskan-http).
 *
 *     skan::options options;
 *     options.sdk_key = key;
 *     options.endpoint_url = skan::endpoint_singular;
 *     options.transport = skan::make_http_transport();
 *     skan::engine engine(options);
 *
 * http.h describes its behavior, limits, retries and times.
 */
#ifndef SKAN_HTTP_HPP
#define SKAN_HTTP_HPP

#include <skan/http.h>
#include <skan/skan.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace skan {

/* How requests are made, as in skan_http_options. Zero means the default, which is in parentheses. */
struct http_options {
    std::chrono::milliseconds timeout{};         /* the limit of a whole request with retries and pauses (10 s) */
    std::chrono::milliseconds attempt_timeout{}; /* the limit of one attempt (4 s) */
    std::chrono::milliseconds connect_timeout{}; /* the limit of its name look-up, connection and TLS handshake (2 s) */
    std::uint32_t max_attempts = 0;              /* 1 = no retries, up to 100 (6) */
    std::chrono::milliseconds backoff{};         /* the longest pause after the first attempt (200 ms) */
    std::chrono::milliseconds max_backoff{};     /* the longest pause, without Retry-After (2 s) */
    std::uint32_t max_connections = 0;           /* the most open connections, up to 4096 (16) */
    std::optional<std::string> ca_file = {};     /* PEM; nullopt = the system's certificates */
    std::optional<std::string> proxy = {};       /* "" = no proxy; nullopt = the environment's */
};

/* A transport by libcurl. Any number of threads may use it at once. Do not destroy it during a call. */
class http_transport final : public transport {
public:
    /* skan_http_transport_open; makes no connection yet. */
    explicit http_transport(const http_options &options = {}) {
        const detail::c_text ca_file("options.ca_file", options.ca_file);
        const detail::c_text proxy("options.proxy", options.proxy);
        auto chosen = detail::sized<skan_http_options>();
        chosen.timeout_ms = count("options.timeout", options.timeout);
        chosen.attempt_timeout_ms = count("options.attempt_timeout", options.attempt_timeout);
        chosen.connect_timeout_ms = count("options.connect_timeout", options.connect_timeout);
        chosen.max_attempts = options.max_attempts;
        chosen.backoff_ms = count("options.backoff", options.backoff);
        chosen.max_backoff_ms = count("options.max_backoff", options.max_backoff);
        chosen.max_connections = options.max_connections;
        chosen.ca_file = ca_file;
        chosen.proxy = proxy;
        chosen.report = detail::report_words;
        detail::called(skan_http_transport_open, &chosen, &transport_);
    }
    ~http_transport() override { skan_http_transport_close(&transport_); }
    http_transport(const http_transport &) = delete;
    http_transport &operator=(const http_transport &) = delete;

    /* Returns the body of an answer with HTTP status 200. Throws limit_exceeded for a body of more than
     * SKAN_RESPONSE_MAX bytes; SKAN_ERROR_INVALID_ARGUMENT for a NUL in the URL, otherwise SKAN_ERROR_TRANSPORT, or
     * SKAN_ERROR_TRANSPORT_UNKNOWN if the endpoint may have counted the event. */
    [[nodiscard]] std::string get(const std::string &url) override {
        const detail::c_text text("url", url);
        const detail::owned_buffer body(skan_buffer_create());
        const skan_status status = transport_.get(transport_.context, text, body.get());
        if (status == SKAN_ERROR_LIMIT_EXCEEDED) throw limit_exceeded(detail::reported_words());
        if (status != SKAN_OK) throw error(status, detail::reported_words());
        return detail::content_of(body);
    }

private:
    static std::uint32_t count(const char *name, std::chrono::milliseconds time) {
        if (time.count() < 0 || time.count() > std::numeric_limits<std::uint32_t>::max())
            throw error(SKAN_ERROR_INVALID_ARGUMENT, std::string(name) + ": expected 0 to 3600000 ms, got " +
                                                         std::to_string(time.count()) + " ms");
        return static_cast<std::uint32_t>(time.count());
    }

    skan_transport transport_ = {};
};

/* Makes a transport by libcurl. Throws as the constructor does. */
[[nodiscard]] inline std::shared_ptr<transport> make_http_transport(const http_options &options = {}) {
    return std::make_shared<http_transport>(options);
}

} // namespace skan

#endif /* SKAN_HTTP_HPP */
