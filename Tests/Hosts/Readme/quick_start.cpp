/* README's quick start in C++, with an HTTP client of libskan's and an app that takes what it is given. */
// README: imports

#include <cassert>
#include <skan/http.hpp>
#include <cstdint>
#include <string>

static std::string sent;

static std::string http_get(const std::string &url) {
    return skan::http_transport().get(url);
}

static void send_to_app(const std::string &calls) {
    sent = calls;
}

/* The app made the calls that it was sent. */
static std::uint64_t id_from_app() {
    return std::stoull(sent.substr(sent.find("\"id\":") + 5));
}

int main() {
    // README: code
    assert(sent.find("\"fine_value\":16,\"coarse_value\":1,") != sent.npos);
    assert(sent.find("\"SKAdNetwork\"") != sent.npos && sent.find("\"AdAttributionKit\"") != sent.npos);
    assert(!engine.pending_calls("player-1"));
}
