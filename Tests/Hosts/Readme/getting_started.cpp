/* The article "Getting started" in C++: a model in process, installs in an SQLite file, and an app that takes a
 * list of calls. */
// README: imports

#include <cassert>
#include <fstream>
#include <iterator>
#include <cstdint>
#include <string>

static std::string sent;

static void send_to_app(const std::string &calls) {
    sent = calls;
}

/* The app made the calls that it was sent. */
static std::uint64_t id_from_app() {
    return std::stoull(sent.substr(sent.find("\"id\":") + 5));
}

int main() {
    std::ifstream file("model.json");
    const std::string json{std::istreambuf_iterator<char>(file), {}};
    // README: code
    assert(sent.find("\"fine_value\":16,\"coarse_value\":1,") != sent.npos);
    assert(sent.find("\"SKAdNetwork\"") != sent.npos && sent.find("\"AdAttributionKit\"") != sent.npos);
    assert(!engine.pending_calls("player-1"));
}
