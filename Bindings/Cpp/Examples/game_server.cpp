/*
 * A game server with libskan: what it does when the app is launched for the first time, when a session begins, when the
 * player buys something, and when the app calls. In a real server the messages come from the network, the transport
 * asks the endpoint with your HTTP client, the store is a database, and the clock is left out.
 */
#include <skan/skan.hpp>

#include <iostream>
#include <map>
#include <mutex>

namespace {

std::int64_t example_time = 1700000000LL * 1000000; /* microseconds */

void days_pass(int days) {
    example_time += days * 86400LL * 1000000;
    std::cout << "-- " << days << (days == 1 ? " day" : " days") << " later\n";
}

/* Takes the place of a database. Every save takes a new version from one counter. */
class example_store : public skan::store {
public:
    std::optional<skan::record> load(std::string_view key) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = records_.find(key);
        if (found == records_.end()) return std::nullopt;
        return found->second;
    }

    std::uint64_t save(std::string_view key, std::string_view data, std::uint64_t expected_version) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (version_of(key) != expected_version) throw skan::store_conflict();
        records_.insert_or_assign(std::string(key), skan::record{std::string(data), ++newest_version_});
        return newest_version_;
    }

    void remove(std::string_view key, std::uint64_t expected_version) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (expected_version == 0 || version_of(key) != expected_version) throw skan::store_conflict();
        records_.erase(records_.find(key));
    }

private:
    std::uint64_t version_of(std::string_view key) const {
        const auto found = records_.find(key);
        return found == records_.end() ? 0 : found->second.version;
    }

    std::mutex mutex_;
    std::map<std::string, skan::record, std::less<>> records_;
    std::uint64_t newest_version_ = 0;
};

struct network_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/* Takes the place of the endpoint: a session is worth little, a purchase more, and the network fails once. */
bool network_is_down = false;
std::string example_get(const std::string &url) {
    if (std::exchange(network_is_down, false)) throw network_error("the network is down");
    if (url.find("n=__SESSION__") != std::string::npos)
        return R"({"conversion_value":1,"skan_updated_coarse_value":0,"status":"ok"})";
    if (url.find("n=purchase") != std::string::npos)
        return R"({"conversion_value":20,"skan_updated_coarse_value":2,"status":"ok"})";
    return R"({"status":"ok"})"; /* nothing new */
}

std::ostream &operator<<(std::ostream &out, const skan::update &update) {
    out << "update " << update.id << ", window " << update.window;
    if (update.fine_value) out << ", fine " << *update.fine_value;
    if (update.coarse_value) out << ", coarse " << static_cast<int>(*update.coarse_value);
    return out << (update.lock_window ? ", lock" : "");
}

/* Prints any outcome: all of them are expected in normal operation. */
std::ostream &operator<<(std::ostream &out, const skan::result &result) {
    if (result.update) return out << *result.update;
    return out << skan::status_name(result.outcome);
}

/* Whose app calls. */
const skan::device device = {"16.1", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"};

class game_server {
public:
    explicit game_server(skan::engine engine) : engine_(std::move(engine)) {}

    void first_launch(const std::string &player) {
        std::cout << "first launch: " << engine_.register_install(player) << "\n";
    }

    /* Gets the next value after an event or a session. */
    void event(const std::string &player, const std::string &what, skan::event event) {
        event.device = device;
        std::cout << what << ": ";
        try {
            std::cout << engine_.update_conversion_values(player, event) << "\n";
        } catch (const network_error &error) { /* what the transport threw */
            std::cout << skan::status_name(SKAN_ERROR_TRANSPORT) << "\n";
            std::cerr << error.what() << "\n";
        }
    }

    /* The payment provider calls again until it is answered: by the event id, a repeated call counts once. */
    void purchase(const std::string &player, skan::amount amount, const char *currency, const std::string &order) {
        event(player, order, {"purchase", order, {}, amount, currency});
    }

    /* The app calls: it gets the calls that wait for it, makes them to Apple, and reports that. */
    void app_calls(const std::string &player) {
        const skan::calls waiting = engine_.pending_calls(player, device);
        std::cout << "the app calls: " << skan::status_name(waiting.outcome) << "\n";
        if (!waiting) return;
        std::cout << engine_.pending_calls_json(player, device) << "\n"; /* goes to the app */
        engine_.acknowledge_calls(player, {{waiting.list[0].id, skan::call_result::delivered}});
        std::cout << "the app has made its calls: " << skan::status_name(SKAN_OK) << "\n";
    }

    /* Every session and event that the server reports to the ad network carries the install's SKAN state. */
    void report(const std::string &player, const std::string &call) {
        std::cout << "GET https://example.com/" << call << "?p=iOS&" << engine_.metadata(player) << "\n";
    }

    void forget(const std::string &player) {
        std::cout << engine_.details(player).json << "\n";
        engine_.forget(player);
        std::cout << "the player asked to be forgotten: " << skan::status_name(SKAN_OK) << "\n";
    }

private:
    skan::engine engine_;
};

} // namespace

int main() try {
    skan::options options;
    options.store = std::make_unique<example_store>();
    options.clock = skan::make_clock([] { return example_time; });
    options.transport = skan::make_transport(example_get);
    options.endpoint_url = "https://skan.example.com";
    options.sdk_key = "sdk_key_here", options.bundle_id = "com.example.game", options.app_version = "1.2.3";
    game_server server{skan::engine(options)};

    const std::string player = "player-1";
    server.first_launch(player);
    server.first_launch(player);
    server.app_calls(player);
    server.event(player, "session", {});
    server.report(player, "session");

    server.purchase(player, "4.99", "USD", "order-1");
    server.purchase(player, "4.99", "USD", "order-1");
    network_is_down = true;
    server.purchase(player, "0.99", "EUR", "order-2");
    server.purchase(player, "0.99", "EUR", "order-2");
    server.report(player, "event");

    days_pass(1);
    server.app_calls(player);
    server.app_calls(player);

    days_pass(2);
    server.event(player, "level_up", "level_up");
    server.purchase(player, "-4.99", "USD", "refund-of-order-1");
    server.app_calls(player);
    server.report(player, "event");

    days_pass(33);
    server.event(player, "session", {});
    server.purchase(player, "10", "USD", "order-3");
    server.app_calls(player);
    server.forget(player);
    return 0;
} catch (const std::exception &error) {
    std::cerr << "the server ends: " << error.what() << "\n";
    return 1;
}
