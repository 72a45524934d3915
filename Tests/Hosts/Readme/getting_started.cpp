/* The article "Getting started" in C++: a model in process, installs in an SQLite file, and an app that takes an
 * update. */
// README: imports

#include <cassert>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static std::vector<skan::update> sent;

static void send_to_app(const skan::update &update) {
    sent.push_back(update);
}

int main() {
    std::ifstream file("model.json");
    const std::string json{std::istreambuf_iterator<char>(file), {}};
    // README: code
    assert(sent.size() == 1 && sent[0].id == 2 && sent[0].fine_value == 16 && sent[0].coarse_value == 1);
    assert(!engine.pending_update("player-1"));
}
