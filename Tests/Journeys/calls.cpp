/* A game server that makes many calls at once: calls URL PLAYERS CALLS, as calls.py. */
#include <skan/http.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

struct game {
    skan::engine engine;
    const unsigned long calls;
    std::vector<std::atomic<unsigned long>> answered;
    std::atomic<bool> is_over{false};
    std::mutex mutex{};
    std::map<std::string, unsigned long> lost{};

    game(const skan::options &options, std::size_t players, unsigned long calls)
        : engine(options), calls(calls), answered(players) {}

    void play(std::size_t player) {
        const std::string name = "player-" + std::to_string(player);
        const skan::device device{"17.2", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"};
        engine.register_install(name);
        for (unsigned long number = 1; calls ? number <= calls : !is_over; ++number) {
            try {
                const std::string order = "order-" + std::to_string(number);
                engine.update_conversion_values(name, {"purchase", order, device});
                ++answered[player];
            } catch (const std::exception &failure) {
                const std::lock_guard<std::mutex> guard(mutex);
                ++lost[failure.what()];
            }
        }
    }

    /* Every player has had another answer. */
    void wait() {
        std::vector<unsigned long> before(answered.begin(), answered.end());
        for (std::size_t player = 0; player < before.size(); ++player)
            while (answered[player] == before[player]) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
};

} // namespace

int main(int, char **arguments) {
    skan::options options;
    options.endpoint_url = arguments[1];
    options.sdk_key = "key", options.bundle_id = "com.example.game", options.app_version = "1.2.3";
    options.transport = skan::make_http_transport();
    const std::size_t players = std::strtoul(arguments[2], nullptr, 10);
    game game(options, players, std::strtoul(arguments[3], nullptr, 10));
    std::vector<std::thread> threads;
    for (std::size_t player = 0; player < players; ++player) threads.emplace_back([&game, player] { game.play(player); });
    for (std::string line; std::getline(std::cin, line);) {
        game.wait();
        std::puts("ready");
        std::fflush(stdout);
    }
    game.is_over = true;
    for (std::thread &thread : threads) thread.join();
    unsigned long answered = 0, lost = 0;
    for (const auto &count : game.answered) answered += count;
    for (const auto &[why, count] : game.lost) {
        std::printf("%lu times: %s\n", count, why.c_str());
        lost += count;
    }
    std::printf("%lu answered, %lu lost\n", answered, lost);
}
