/* The transport in C++: what http.hpp adds to http.h.
 *   binding server.py */
#include <skan/http.hpp>

#include "Trouble/HTTP/server.h"
#include "thrown.hpp"

#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

skan::http_options short_options() {
    skan::http_options options;
    options.timeout = 60s;
    options.attempt_timeout = 20s;
    options.backoff = 20ms;
    options.ca_file = server_file("ca.pem");
    options.proxy = "";
    return options;
}

std::string url(const char *port, const char *path) {
    const std::unique_ptr<char, decltype(&std::free)> text(url_to(port, path), std::free);
    return text.get();
}

CASE(updates_an_install) {
    skan::options options;
    options.endpoint_url = url("tls", "/ok");
    options.transport = skan::make_http_transport(short_options());
    skan::engine engine(options);
    (void)engine.register_install("player");
    const skan::result result = engine.update_conversion_values("player", "purchase");
    EXPECT(result && result.update, "no update");
    if (result.update) EXPECT_NUMBER(7, result.update->fine_value.value_or(-1));
}

CASE(failures_say_why) {
    skan::options options;
    options.sdk_key = "the-sdk-key";
    options.endpoint_url = url("plain", "/status/302");
    options.transport = skan::make_http_transport(short_options());
    skan::engine engine(options);
    (void)engine.register_install("player");
    const skan::error refused = thrown_by([&] { (void)engine.update_conversion_values("player", "purchase"); });
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, refused.status());
    EXPECT(std::string(refused.what()).find("HTTP status 302") != std::string::npos, "it says \"%s\"", refused.what());
    EXPECT(std::string(refused.what()).find("the-sdk-key") == std::string::npos, "it says \"%s\"", refused.what());

    skan::http_transport transport(short_options());
    const skan::error longer = thrown_by([&] { (void)transport.get(url("plain", "/size/65537")); });
    EXPECT_STATUS(SKAN_ERROR_LIMIT_EXCEEDED, longer.status());
    EXPECT(std::string(longer.what()).find("65536 bytes") != std::string::npos, "it says \"%s\"", longer.what());
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, transport.get(std::string("http://a\0b", 10)));
    EXPECT_NUMBER(SKAN_RESPONSE_MAX, transport.get(url("plain", "/size/65536")).size());
}

/* Each thread's failure has that thread's words. */
CASE(threads_keep_their_words) {
    skan::http_transport transport(short_options());
    std::vector<std::thread> threads;
    std::vector<std::string> messages(8);
    for (std::size_t i = 0; i < messages.size(); i++)
        threads.emplace_back([&, i] {
            for (int round = 0; round < 20; round++) {
                const std::string status = std::to_string(400 + i);
                const std::string told = url("plain", ("/status/" + status).c_str());
                messages[i] = thrown_by([&] { (void)transport.get(told); }).what();
                if (messages[i].find("HTTP status " + status) == std::string::npos) break;
            }
        });
    for (std::thread &thread : threads) thread.join();
    for (std::size_t i = 0; i < messages.size(); i++)
        EXPECT(messages[i].find("HTTP status 40" + std::to_string(i)) != std::string::npos, "thread %zu: \"%s\"", i,
               messages[i].c_str());
}

CASE(options_are_checked) {
    skan::http_options options;
    for (const std::chrono::milliseconds timeout : {-1ms, 3600001ms, std::chrono::milliseconds(24h * 365)}) {
        options.timeout = timeout;
        EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, skan::http_transport(options));
    }
    options = {};
    options.ca_file = "/nowhere/ca.pem";
    const skan::error error = thrown_by([&] { skan::http_transport made(options); });
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, error.status());
    EXPECT(std::string(error.what()).find("/nowhere/ca.pem: No such file") != std::string::npos, "%s", error.what());
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2) return 2;
    start_server(arguments[1]);
    return run_cases();
}
