/* README's quick start in C++, with an HTTP client of libskan's and an app that takes what it is given. */
// README: imports

#include <cassert>
#include <skan/http.hpp>
#include <string>
#include <vector>

static std::vector<std::string> said;
static std::vector<skan::update> sent;

static void log(const std::string &text) {
    said.push_back(text);
}

static std::string http_get(const std::string &url) {
    return skan::http_transport().get(url);
}

static void send_to_app(const skan::update &update) {
    sent.push_back(update);
}

int main() {
    // README: code
    assert(said.empty());
    assert(sent.size() == 1 && sent[0].id == 2 && sent[0].fine_value == 16 && sent[0].coarse_value == 1);
    assert(!engine.pending_update("player-1"));
}
