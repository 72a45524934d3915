/* All C++ headers together, and `using namespace skan`. It is compiled, not run. */
#include <skan/http.hpp>
#include <skan/postback.hpp>
#include <skan/postgres.hpp>
#include <skan/redis.hpp>
#include <skan/skan.hpp>
#include <skan/sqlite.hpp>

namespace whole_namespace {

using namespace skan;

std::shared_ptr<store> opened() {
    return sqlite_store("installs.db");
}

update first_update(engine &installs) {
    return *installs.register_install("player-1").update;
}

postback verified(std::string_view body) {
    return verify_postback(body);
}

} // namespace whole_namespace
