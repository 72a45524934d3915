/*
 * redis.hpp - a store on a Redis or Valkey server, or a cluster, for C++17. Header only; link libskan-redis and
 * libskan.
 *
 *     skan::options options;
 *     options.endpoint_url = "https://skan.example.com";
 *     options.store = skan::redis_store("redis://:password@cache.internal");
 *     skan::engine engine(options);
 *
 * redis.h describes what to know before production, especially about durability, and what each option means. Errors are
 * exceptions with the server's own words; the engine's call that failed throws them.
 */
#ifndef SKAN_REDIS_HPP
#define SKAN_REDIS_HPP

#include <skan/companion_store.hpp>
#include <skan/redis.h>

#include <chrono>

namespace skan {

/* How a store on a Redis server is opened. */
struct redis_options {
    std::optional<std::string> prefix = {};                   /* prepended to every key; nullopt = "skan:", "" = none */
    std::chrono::milliseconds timeout{5000};                  /* the limit of a call, 1 ms to 1 h */
    std::optional<std::chrono::milliseconds> connect_timeout = {}; /* nullopt = all of the call's time */
    unsigned max_connections = 8;                             /* 1..1024, to each master of a cluster */
    std::optional<unsigned> expire_days_after_close = {};     /* 1..36500; nullopt = all records are kept */
    bool allow_eviction = false; /* true = open even if the server drops records when its memory is full */
    store_report report = {};    /* may be empty */
};

/* skan_redis_store_open: connects to "redis://host", for instance. */
[[nodiscard]] inline std::shared_ptr<store> redis_store(const std::string &url,
                                                        const redis_options &options = {}) {
    const detail::c_text text("url", url);
    const detail::c_text prefix("options.prefix", options.prefix);
    auto native = detail::sized<skan_redis_options>();
    native.prefix = prefix;
    native.timeout_ms = detail::option("timeout", options.timeout.count());
    if (options.connect_timeout)
        native.connect_timeout_ms = detail::option("connect_timeout", options.connect_timeout->count());
    native.max_connections = detail::option("max_connections", options.max_connections);
    if (options.expire_days_after_close)
        native.expire_days_after_close = detail::option("expire_days_after_close", *options.expire_days_after_close);
    native.allow_eviction = options.allow_eviction ? 1 : 0;
    return detail::open_companion(skan_redis_store_open, text, native, options.report);
}

} // namespace skan

#endif /* SKAN_REDIS_HPP */
