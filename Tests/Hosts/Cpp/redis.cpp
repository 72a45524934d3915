/* The Redis store in C++, on a server of Tests/Trouble/Servers/redis.sh: redis URL DIRECTORY. */
#include "server_store.hpp"

#include <skan/redis.hpp>

namespace {

struct redis {
    using options = skan::redis_options;
    static constexpr const char *script = "Tests/Trouble/Servers/redis.sh", *missing = "no-such-socket";

    static std::shared_ptr<skan::store> open(const char *prefix, options options = {}) {
        options.prefix = prefix;
        return skan::redis_store(server_store::url, options);
    }

    static void open_what_is_missing() {
        (void)skan::redis_store("redis+unix://" + server_store::directory + "/" + missing);
    }
};

} // namespace

int main(int count, char **arguments) {
    return server_store::run<redis>(count, arguments);
}
