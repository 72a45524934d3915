/* A server in C++ that a sanitizer watches: its threads share an engine with the HTTP transport, and a client whose
 * callbacks hand outcomes to those who asked.
 *   server URL    of an endpoint */
#include <skan/http.hpp>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>
#include <vector>

namespace {

constexpr int threads = 8, rounds = 25;

void expect(bool holds, const char *what) {
    if (holds) return;
    std::fprintf(stderr, "FAILED: %s\n", what);
    std::exit(1);
}

/* What a callback hands on: memory that the host wrote, that libskan's thread writes, and that the host reads again. */
struct outcome {
    std::string text = "asked";
    std::promise<void> is_there;
};

void done(void *context, skan_status status, const void *body, std::size_t length, const char *message) {
    auto *result = static_cast<outcome *>(context);
    result->text = status == SKAN_OK ? std::string(static_cast<const char *>(body), length) : message;
    result->is_there.set_value();
}

void purchases(skan::engine &engine, int number) {
    const std::string player = "player-" + std::to_string(number);
    const skan::device device{"17.4", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"};
    (void)engine.register_install(player);
    for (int round = 0; round < rounds; round++) {
        const std::string order = "order-" + std::to_string(round);
        (void)engine.update_conversion_values(player, {"purchase", order, device, "4.99", "USD"});
        expect(!engine.pending_calls_json(player, device).empty(), "a purchase is answered");
    }
}

void requests(skan_http_client *client, const std::string &url) {
    for (int round = 0; round < rounds; round++) {
        outcome result;
        expect(skan_http_request_start(client, url.c_str(), done, &result, nullptr, nullptr) == SKAN_OK, "it starts");
        result.is_there.get_future().wait();
        expect(result.text.find("404") != std::string::npos, result.text.c_str());
    }
}

} // namespace

int main(int, char **arguments) {
    const std::string url = arguments[1];
    skan::options options;
    options.sdk_key = "a-key", options.bundle_id = "com.example.game", options.app_version = "1.0";
    options.endpoint_url = url;
    options.transport = skan::make_http_transport();
    skan::engine engine(options);
    skan_http_client *client = nullptr;
    expect(skan_http_client_create(nullptr, &client, nullptr) == SKAN_OK, "a client is made");

    std::vector<std::thread> running;
    for (int number = 0; number < threads; number++) {
        running.emplace_back([&engine, number] { purchases(engine, number); });
        running.emplace_back([client, &url] { requests(client, url + "/nothing"); });
    }
    for (std::thread &thread : running) thread.join();
    skan_http_client_destroy(client);
    std::puts("served");
}
