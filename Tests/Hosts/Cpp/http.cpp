/* The transport in C++: what http.hpp adds to http.h.
 *   binding server.py */
#include <skan/http.hpp>

#include "Trouble/HTTP/server.h"
#include "support.h"

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

skan::http_options short_options() {
    skan::http_options options;
    options.attempt_timeout = 400ms;
    options.backoff = 20ms;
    options.ca_file = server_file("ca.pem");
    options.proxy = "";
    return options;
}

std::string url(const char *port, const char *path) {
    const std::unique_ptr<char, decltype(&std::free)> text(url_to(port, path), std::free);
    return text.get();
}

/* What a call throws: its status, and its message in `message`. */
template <typename Function> skan_status thrown(Function function, std::string &message) {
    try {
        function();
    } catch (const skan::error &error) {
        message = error.what();
        return error.status();
    }
    message.clear();
    return SKAN_OK;
}

void updates_an_install(const void *) {
    skan::options options;
    options.endpoint_url = url("tls", "/ok");
    options.transport = skan::make_http_transport(short_options());
    skan::engine engine(options);
    (void)engine.register_install("player");
    const skan::result result = engine.update_conversion_values("player", "purchase", std::nullopt);
    EXPECT(result && result.update, "no update");
    if (result.update) EXPECT_NUMBER(7, result.update->fine_value.value_or(-1));
}

void failures_say_why(const void *) {
    skan::options options;
    options.sdk_key = "the-sdk-key";
    options.endpoint_url = url("plain", "/status/302");
    options.transport = skan::make_http_transport(short_options());
    skan::engine engine(options);
    (void)engine.register_install("player");
    std::string message;
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT,
                  thrown([&] { (void)engine.update_conversion_values("player", "purchase", std::nullopt); }, message));
    EXPECT(message.find("HTTP status 302") != std::string::npos, "it says \"%s\"", message.c_str());
    EXPECT(message.find("the-sdk-key") == std::string::npos, "it says \"%s\"", message.c_str());

    skan::http_transport transport(short_options());
    EXPECT_STATUS(SKAN_ERROR_LIMIT_EXCEEDED,
                  thrown([&] { (void)transport.get(url("plain", "/size/65537")); }, message));
    EXPECT(message.find("65536 bytes") != std::string::npos, "it says \"%s\"", message.c_str());
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT,
                  thrown([&] { (void)transport.get(std::string("http://a\0b", 10)); }, message));
    EXPECT_NUMBER(SKAN_RESPONSE_MAX, transport.get(url("plain", "/size/65536")).size());
}

/* Each thread's failure has that thread's words. */
void threads_keep_their_words(const void *) {
    skan::http_transport transport(short_options());
    std::vector<std::thread> threads;
    std::vector<std::string> messages(8);
    for (std::size_t i = 0; i < messages.size(); i++)
        threads.emplace_back([&, i] {
            for (int round = 0; round < 20; round++) {
                const std::string path = "/status/40" + std::to_string(i);
                thrown([&] { (void)transport.get(url("plain", path.c_str())); }, messages[i]);
                if (messages[i].find("HTTP status 40" + std::to_string(i)) == std::string::npos) break;
            }
        });
    for (std::thread &thread : threads) thread.join();
    for (std::size_t i = 0; i < messages.size(); i++)
        EXPECT(messages[i].find("HTTP status 40" + std::to_string(i)) != std::string::npos, "thread %zu: \"%s\"", i,
               messages[i].c_str());
}

void options_are_checked(const void *) {
    std::string message;
    skan::http_options options;
    options.timeout = -1ms;
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, thrown([&] { skan::http_transport made(options); }, message));
    options.timeout = 3600001ms;
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, thrown([&] { skan::http_transport made(options); }, message));
    options.timeout = 24h * 365;
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, thrown([&] { skan::http_transport made(options); }, message));
    options = {};
    options.ca_file = "/nowhere/ca.pem";
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, thrown([&] { skan::http_transport made(options); }, message));
    EXPECT(message.find("/nowhere/ca.pem: No such file") != std::string::npos, "it says \"%s\"", message.c_str());
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2) return 2;
    start_server(arguments[1]);
    run_case("an install's update", updates_an_install, nullptr);
    run_case("failures say why", failures_say_why, nullptr);
    run_case("threads keep their words", threads_keep_their_words, nullptr);
    run_case("options are checked", options_are_checked, nullptr);
    return finish_cases();
}
