/*
 * postgres.hpp - a store in a PostgreSQL table for C++17. Header only; link libskan-postgres and libskan.
 *
 *     skan::postgres_options store;
 *     store.create_table = true;
 *     skan::options options;
 *     options.endpoint_url = "https://skan.example.com";
 *     options.store = skan::postgres_store("postgres://game@db.internal/game", store);
 *     skan::engine engine(options);
 *
 * postgres.h describes what to know before production and what each option means. Errors are exceptions with the
 * server's own words; the engine's call that failed throws them.
 */
#ifndef SKAN_POSTGRES_HPP
#define SKAN_POSTGRES_HPP

#include <skan/companion_store.hpp>
#include <skan/postgres.h>

#include <chrono>

namespace skan {

/* How a store in a PostgreSQL table is opened. */
struct postgres_options {
    std::optional<std::string> table = {};   /* "table" or "schema.table"; nullopt = "skan_records" */
    std::chrono::milliseconds timeout{5000}; /* the limit of a whole call, 1 ms to 1 h */
    unsigned max_connections = 8;            /* 1..1024 */
    bool create_table = false;               /* true = create the table if it is missing */
    bool pooled = false;                     /* true = keep nothing in a session, for a connection pooler */
    store_report report = {};                /* may be empty */
};

/* skan_postgres_store_open: connects to a connection URI or string of libpq, and checks the table. */
[[nodiscard]] inline std::shared_ptr<store> postgres_store(const std::string &url,
                                                           const postgres_options &options = {}) {
    const detail::c_text text("url", url);
    const detail::c_text table("options.table", options.table);
    auto native = detail::sized<skan_postgres_options>();
    native.table = table;
    native.timeout_ms = detail::option("timeout", options.timeout.count());
    native.max_connections = detail::option("max_connections", options.max_connections);
    native.create_table = options.create_table ? 1 : 0;
    native.pooled = options.pooled ? 1 : 0;
    return detail::open_companion(skan_postgres_store_open, text, native, options.report);
}

} // namespace skan

#endif /* SKAN_POSTGRES_HPP */
