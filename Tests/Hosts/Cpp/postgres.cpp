/* The PostgreSQL store in C++, on a server of Tests/Trouble/Servers/postgres.sh: postgres URL DIRECTORY. */
#include "server_store.hpp"

#include <skan/postgres.hpp>

namespace {

struct postgres {
    using options = skan::postgres_options;
    static constexpr const char *script = "Tests/Trouble/Servers/postgres.sh", *missing = "no_such_table";

    static std::shared_ptr<skan::store> open(const char *table, options options = {}) {
        options.table = table;
        options.create_table = true;
        return skan::postgres_store(server_store::url, options);
    }

    static void open_what_is_missing() {
        options options;
        options.table = missing;
        (void)skan::postgres_store(server_store::url, options);
    }
};

} // namespace

int main(int count, char **arguments) {
    return server_store::run<postgres>(count, arguments);
}
