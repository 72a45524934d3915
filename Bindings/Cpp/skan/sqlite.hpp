/*
 * sqlite.hpp - a store in an SQLite file for C++17. Header only; link libskan-sqlite and libskan.
 *
 *     skan::options options;
 *     options.endpoint_url = "https://skan.example.com";
 *     options.store = skan::sqlite_store("/var/lib/game/installs.db");
 *     skan::engine engine(options);
 *
 * sqlite.h describes what to know before production and what each option means. Errors are exceptions with SQLite's own
 * words; the engine's call that failed throws them.
 */
#ifndef SKAN_SQLITE_HPP
#define SKAN_SQLITE_HPP

#include <skan/companion_store.hpp>
#include <skan/sqlite.h>

#include <chrono>

namespace skan {

/* How a store in an SQLite file is opened. */
struct sqlite_options {
    std::int32_t synchronous = SKAN_SQLITE_FULL;  /* or SKAN_SQLITE_NORMAL */
    std::chrono::milliseconds busy_timeout{5000}; /* 1 ms to 1 h: how long a call waits for other threads and, once
                                                   * more, for other processes */
    unsigned max_connections = 8;                 /* 1..1024 */
    store_report report = {};                     /* may be empty */
};

/* skan_sqlite_store_open: opens a file as a store, and creates it if it is missing. */
[[nodiscard]] inline std::shared_ptr<store> sqlite_store(const std::string &path,
                                                         const sqlite_options &options = {}) {
    const detail::c_text text("path", path);
    auto native = detail::sized<skan_sqlite_options>();
    native.synchronous = options.synchronous;
    native.busy_timeout_ms = detail::option("busy_timeout", options.busy_timeout.count());
    native.max_connections = detail::option("max_connections", options.max_connections);
    return detail::open_companion(skan_sqlite_store_open, text, native, options.report);
}

} // namespace skan

#endif /* SKAN_SQLITE_HPP */
