/* A C++ program that found the installed library: it uses it, and says which one. */
#include <skan/skan.hpp>

#include <iostream>

int main() {
    skan::options options;
    options.endpoint_url = "https://skan.example.com";
    skan::engine engine(options);
    const skan::result result = engine.register_install("player-1");
    if (!engine.update_revenue("player-1", "4.99", "USD", skan::revenue_kind::iap, "order-1")) return 1;
    if (engine.details("player-1").json.empty()) return 1;
    std::cout << "libskan " << skan::version() << ": " << skan::status_name(result.outcome) << "\n";
    return result && result.update && result.update->id > 0 ? 0 : 1;
}
