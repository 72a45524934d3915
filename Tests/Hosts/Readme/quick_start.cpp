/* README's quick start in C++, with an endpoint that answers it and an app that takes what it is given. */
// README: imports

#include <cassert>
#include <string>
#include <vector>

static std::vector<std::string> said;
static std::vector<skan::update> sent;

static void log(const std::string &text) {
    said.push_back(text);
}

static std::string http_get(const std::string &url) {
    assert(url.rfind("https://skan.example.com/api/v2/conversion_value?a=", 0) == 0);
    assert(url.find("&v=17.2&i=com.example.game&n=purchase&p=iOS&idfv=") != std::string::npos);
    assert(url.find("&skan_total_revenue_by_currency=%7B%22USD%22%3A4.99%7D&") != std::string::npos);
    return R"({"conversion_value": 12, "skan_updated_coarse_value": 1})";
}

static void send_to_app(const skan::update &update) {
    sent.push_back(update);
}

int main() {
    // README: code
    assert(said.empty());
    assert(sent.size() == 1 && sent[0].fine_value == 12 && sent[0].coarse_value == 1);
    assert(!engine.pending_update("player-1"));
}
