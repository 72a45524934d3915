/* What skan.hpp adds to skan.h: exceptions of hooks come back as they were thrown, text is never cut, hooks are
 * released once, outcomes are values. */
#include "memory_store.hpp"
#include "thrown.hpp"

#include <array>
#include <thread>
#include <type_traits>
#include <ucontext.h>
#include <vector>

namespace {

using std::string;

constexpr std::int64_t this_second = 1700000000;

static_assert(std::is_nothrow_move_constructible_v<skan::engine> && std::is_nothrow_move_assignable_v<skan::engine>);
static_assert(!std::is_copy_constructible_v<skan::engine> && !std::is_copy_assignable_v<skan::engine>);
static_assert(!std::is_convertible_v<skan::result, bool>, "a result is a condition, not a number");
static_assert(std::is_base_of_v<std::runtime_error, skan::error>);
static_assert(std::is_base_of_v<skan::error, skan::store_conflict>);

/* A store whose hooks do something first. */
class moody_store : public memory_store {
public:
    std::function<void()> before_load, before_save, before_remove, after_save, after_remove;

    std::optional<skan::record> load(std::string_view key) override {
        if (before_load) before_load();
        return memory_store::load(key);
    }
    std::uint64_t save(std::string_view key, std::string_view data, std::uint64_t expected) override {
        if (before_save) before_save();
        const std::uint64_t version = memory_store::save(key, data, expected);
        if (after_save) after_save();
        return version;
    }
    void remove(std::string_view key, std::uint64_t expected) override {
        if (before_remove) before_remove();
        memory_store::remove(key, expected);
        if (after_remove) after_remove();
    }
};

struct moody_host {
    std::shared_ptr<moody_store> store = std::make_shared<moody_store>();
    std::function<std::int64_t()> clock = [] { return this_second * 1000000; };
    std::function<string(const string &)> transport = [](const string &) { return "{\"conversion_value\":7}"; };

    skan::options options() {
        skan::options options;
        options.store = store;
        options.clock = skan::make_clock([this] { return clock(); });
        options.endpoint_url = "https://skan.example.com";
        options.transport = skan::make_transport([this](const string &url) { return transport(url); });
        return options;
    }
};

struct moody_engine : moody_host, skan::engine {
    moody_engine() : skan::engine(options()) {}
};

std::function<void()> throws(const string &what) {
    return [what] { throw outage(what); };
}

std::function<void()> throws_once(const string &what) {
    return [what, thrown = false]() mutable {
        if (!std::exchange(thrown, true)) throw outage(what);
    };
}

/* Every function of an engine, on an install. */
const std::function<void(skan::engine &, std::string_view)> calls[] = {
    [](auto &engine, auto id) { engine.register_install(id); },
    [](auto &engine, auto id) { engine.update_revenue(id, 1, "USD"); },
    [](auto &engine, auto id) { (void)engine.conversion_request(id); },
    [](auto &engine, auto id) { engine.apply_response(id, {}, 0, "{\"conversion_value\":1}"); },
    [](auto &engine, auto id) { engine.update_conversion_values(id); },
    [](auto &engine, auto id) { (void)engine.pending_calls(id); },
    [](auto &engine, auto id) { (void)engine.pending_calls_json(id); },
    [](auto &engine, auto id) { engine.acknowledge_calls(id, {{1, skan::call_result::delivered}}); },
    [](auto &engine, auto id) { (void)engine.details(id); },
    [](auto &engine, auto id) { (void)engine.metadata(id); },
    [](auto &engine, auto id) { (void)engine.import_details(id, "{}"); },
    [](auto &engine, auto id) { engine.forget(id); },
};

/* -------------------------------------------------------------------------------------------- exceptions of hooks */

CASE(what_a_store_throws_comes_back) {
    moody_engine engine;
    engine.store->before_load = throws("load");
    for (const auto &call : calls) EXPECT_THROWS(outage, "load", (call(engine, "a"), 0));
    engine.store->before_load = nullptr;

    engine.store->before_save = throws("save");
    EXPECT_THROWS(outage, "save", engine.register_install("a"));
    engine.store->before_save = nullptr;
    EXPECT(engine.register_install("a").update.has_value(), "the engine works again");

    engine.store->before_remove = throws("remove");
    EXPECT_THROWS(outage, "remove", (engine.forget("a"), 0));
    engine.store->before_remove = nullptr;
    engine.forget("a");
}

CASE(what_clock_and_transport_throw_comes_back) {
    moody_engine engine;
    EXPECT(engine.register_install("a").update.has_value(), "registered");
    skan::registration again;
    again.first_launch = 1, again.begins_again = true;
    EXPECT(engine.register_install("a", again).outcome == skan::outcome::already_registered, "an earlier one");
    const auto works = engine.transport;
    engine.transport = [](const string &) -> string { throw outage("no network"); };
    EXPECT_THROWS(outage, "no network", engine.update_conversion_values("a", {{}, "e"}));
    engine.transport = [](const string &) -> string { throw skan::limit_exceeded("too long"); };
    EXPECT_THROWS(skan::limit_exceeded, "too long", engine.update_conversion_values("a", {{}, "e"}));
    EXPECT_ERROR(SKAN_ERROR_LIMIT_EXCEEDED, engine.update_conversion_values("a", {{}, "e"}));
    engine.transport = [](const string &) { return string(SKAN_BUFFER_MAX + 1, ' '); };
    EXPECT_ERROR(SKAN_ERROR_LIMIT_EXCEEDED, engine.update_conversion_values("a", {{}, "e"}));
    engine.transport = works;
    engine.clock = []() -> std::int64_t { throw outage("no time"); };
    EXPECT_THROWS(outage, "no time", engine.update_conversion_values("a", {{}, "e"}));
    engine.clock = [] { return std::int64_t(-1); };
    EXPECT_ERROR(SKAN_ERROR_CLOCK, engine.update_conversion_values("a", {{}, "e"}));
    engine.clock = [] { return this_second * 1000000; };
    EXPECT(static_cast<bool>(engine.update_conversion_values("a", {{}, "e"})), "the event id was not used up");
}

CASE(a_refusal_names_the_option_that_sets_the_parameter) {
    moody_engine engine;
    (void)engine.register_install("a");
    engine.transport = [](const string &) -> string {
        return "{\"status\":\"error\",\"reason\":\"Conversion Management: Invalid parameter app_v given\"}";
    };
    EXPECT_THROWS(skan::error, "Conversion Management: Invalid parameter app_v given: the option app_version sets it",
                  engine.update_conversion_values("a"));
}

/* Two calls of one thread, each in a coroutine, whose transports run in turn and then throw. */
struct switching {
    std::array<ucontext_t, 2> coroutines;
    std::array<std::vector<char>, 2> stacks{std::vector<char>(1 << 18), std::vector<char>(1 << 18)};
    std::array<string, 2> caught;
    ucontext_t scheduler;
    std::size_t running = 0;
    skan::engine *engine = nullptr;
} coroutines;

void call_in_a_coroutine() {
    const std::size_t self = coroutines.running;
    try {
        (void)coroutines.engine->update_conversion_values("a", self == 0 ? "first" : "second");
    } catch (const outage &error) {
        coroutines.caught[self] = error.what();
    }
    swapcontext(&coroutines.coroutines[self], &coroutines.scheduler);
}

CASE(an_exception_reaches_its_own_call_where_hooks_switch_coroutines) {
    moody_host host;
    skan::options options = host.options();
    options.switches_stacks = true;
    options.transport = skan::make_transport([](const string &url) -> string {
        swapcontext(&coroutines.coroutines[coroutines.running], &coroutines.scheduler);
        throw outage(url.find("n=first&") != string::npos ? "first" : "second");
    });
    skan::engine engine(options);
    (void)engine.register_install("a");
    coroutines.engine = &engine;
    for (std::size_t i = 0; i < 2; i++) {
        ucontext_t &coroutine = coroutines.coroutines[i];
        getcontext(&coroutine);
        coroutine.uc_stack.ss_sp = coroutines.stacks[i].data();
        coroutine.uc_stack.ss_size = coroutines.stacks[i].size();
        makecontext(&coroutine, call_in_a_coroutine, 0);
    }
    for (std::size_t turn = 0; turn < 4; turn++) {
        coroutines.running = turn % 2;
        swapcontext(&coroutines.scheduler, &coroutines.coroutines[coroutines.running]);
    }
    EXPECT_TEXT("first", coroutines.caught[0].c_str());
    EXPECT_TEXT("second", coroutines.caught[1].c_str());
}

CASE(anything_may_be_thrown) {
    moody_engine engine;
    engine.store->before_load = [] { throw 42; };
    int caught = 0;
    try {
        (void)engine.details("a");
    } catch (int thrown) {
        caught = thrown;
    }
    EXPECT_NUMBER(42, caught);
}

CASE(a_recovered_exception_is_dropped) {
    moody_engine engine;
    engine.store->before_save = throws_once("not applied");
    EXPECT(static_cast<bool>(engine.update_revenue("a", 1, "USD")), "a second attempt");
    engine.store->before_save = nullptr;
    engine.store->after_save = throws_once("applied");
    EXPECT(static_cast<bool>(engine.update_revenue("a", 1, "USD")), "found to be applied");
    engine.store->after_save = nullptr;
    EXPECT(engine.details("a").json.find("{\"USD\":2}") != string::npos, "counted once each: %s",
           engine.details("a").json.c_str());
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.update_revenue("a", 1, "US"));
    engine.store->after_remove = throws_once("removed");
    engine.forget("a");
    engine.store->after_remove = nullptr;
    EXPECT(!engine.store->load("a"), "the record is gone");
}

CASE(a_conflict_is_resolved_or_told) {
    moody_engine engine;
    int left = 3;
    engine.store->before_save = [&] {
        if (left-- > 0) throw skan::store_conflict();
    };
    EXPECT(static_cast<bool>(engine.update_revenue("a", 1, "USD")), "resolved");
    left = 1000000;
    EXPECT_THROWS(skan::store_conflict, "the record has another version",
                  engine.update_revenue("a", 1, "USD"));
    EXPECT_ERROR(SKAN_ERROR_STORE_CONFLICT, engine.update_revenue("a", 1, "USD"));
    EXPECT(engine.details("a").json.find("{\"USD\":1}") != string::npos, "counted once");
}

CASE(a_certain_failure_is_told_at_once) {
    moody_engine engine;
    int saves = 0;
    engine.store->before_save = [&] {
        saves++;
        throw skan::store_failed("read-only");
    };
    EXPECT_THROWS(skan::store_failed, "read-only", engine.register_install("a"));
    EXPECT_NUMBER(1, saves);
    EXPECT_ERROR(SKAN_ERROR_STORE, engine.register_install("a"));
}

/* What ends the call is told, not what happened on the way there. */
CASE(the_exception_is_that_of_the_call_s_end) {
    moody_engine engine;
    engine.store->before_save = [&] {
        (void)engine.store->memory_store::save("a", "\1no record", 0);
        throw skan::store_conflict();
    };
    EXPECT_ERROR(SKAN_ERROR_CORRUPT_RECORD, engine.register_install("a"));

    engine.store->before_save = [&] {
        engine.store->before_load = throws("then the connection");
        throw outage("first a time-out");
    };
    EXPECT_THROWS(outage, "first a time-out", engine.register_install("b"));
}

CASE(calling_back_is_misuse) {
    moody_engine engine;
    skan_status inside = SKAN_OK;
    engine.store->before_load = [&] { inside = status_of([&] { (void)engine.details("b"); }); };
    EXPECT(static_cast<bool>(engine.register_install("a")), "the call goes on");
    EXPECT_STATUS(SKAN_ERROR_MISUSE, inside);
    engine.store->before_load = [&] { (void)engine.details("b"); };
    EXPECT_ERROR(SKAN_ERROR_MISUSE, engine.details("a"));
}

CASE(engines_inside_hooks_keep_their_exceptions) {
    moody_engine engine, inner;
    inner.store->before_load = throws("inner");
    engine.store->before_load = [&] { EXPECT_THROWS(outage, "inner", inner.details("a")); };
    EXPECT(static_cast<bool>(engine.register_install("a")), "the inner exception was caught");
    engine.store->before_load = [&] {
        EXPECT_THROWS(outage, "inner", inner.details("a"));
        throw outage("outer");
    };
    EXPECT_THROWS(outage, "outer", engine.details("a"));
    engine.store->before_load = [&] { (void)inner.details("a"); };
    EXPECT_THROWS(outage, "inner", engine.details("a"));
}

thread_local string mine;

CASE(threads_keep_their_exceptions_apart) {
    moody_engine engine;
    engine.store->before_load = [] { throw outage(mine); };
    std::vector<int> wrong(8);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back([&, i] {
            mine = "thread " + std::to_string(i);
            for (int j = 0; j < 500; j++)
                if (thrown_by<outage>([&] { (void)engine.details("a"); }).what() != mine) wrong[std::size_t(i)]++;
        });
    for (std::thread &thread : threads) thread.join();
    for (int count : wrong) EXPECT_NUMBER(0, count);
}

/* ----------------------------------------------------------------------------------------------------------- text */

CASE(a_nul_is_refused_not_a_place_to_cut) {
    moody_engine engine;
    EXPECT(static_cast<bool>(engine.register_install("a")), "registered");
    const string before = engine.details("a").json;
    const std::string_view cut("a\0b", 3), name("USD\0", 4);
    const auto refuses = [](const char *argument, const std::function<void()> &call) {
        const skan::error error = thrown_by(call);
        EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, error.status());
        EXPECT(string(error.what()).find(argument) != string::npos, "%s: %s", argument, error.what());
    };
    for (const auto &call : calls) refuses("install_id", [&] { call(engine, cut); });
    const skan::event texts_of_events[] = {{cut}, {{}, cut}, {{}, {}, {}, 1, name}, {{}, {}, {}, cut, "USD"},
                                           {{}, {}, {string(cut)}}, {{}, {}, {"", string(cut)}},
                                           {{}, {}, {"", "", string(cut)}}};
    const char *const arguments[] = {"event_name", "event_id", "currency", "amount", "os_version", "idfv", "idfa"};
    for (std::size_t i = 0; i < std::size(arguments); i++) {
        const skan::event &event = texts_of_events[i];
        refuses(arguments[i], [&] { (void)engine.update_conversion_values("a", event); });
        refuses(arguments[i], [&] { (void)engine.conversion_request("a", event); });
        refuses(arguments[i], [&] { (void)engine.apply_response("a", event, 0, "{}"); });
    }
    refuses("currency", [&] { (void)engine.update_revenue("a", 1, name); });
    refuses("amount", [&] { (void)engine.update_revenue("a", std::string_view("1\0", 2), "USD"); });
    refuses("event_id", [&] { (void)engine.update_revenue("a", 1, "USD", skan::revenue_kind::iap, cut); });
    const std::pair<const char *, string skan::options::*> texts[] = {{"endpoint_url", &skan::options::endpoint_url},
                                                                      {"sdk_key", &skan::options::sdk_key},
                                                                      {"bundle_id", &skan::options::bundle_id},
                                                                      {"app_version", &skan::options::app_version}};
    for (const auto &[name, text] : texts) {
        skan::options options = engine.options();
        options.*text = string(cut);
        refuses(name, [&] { skan::engine unused(options); });
    }
    EXPECT_TEXT(before.c_str(), engine.details("a").json.c_str());
    EXPECT_ERROR(SKAN_ERROR_MALFORMED_RESPONSE, engine.apply_response("a", {}, 0, std::string_view("{}\0", 3)));
}

CASE(a_view_ends_where_it_ends) {
    moody_engine engine;
    const string text = "player-17,USD,EUR,order-1,order-2";
    const std::string_view view = text;
    EXPECT(static_cast<bool>(engine.register_install(view.substr(0, 8))), "registered");
    EXPECT(engine.store->load("player-1").has_value(), "under the part of the text");
    const skan::revenue_kind iap = skan::revenue_kind::iap;
    EXPECT(static_cast<bool>(engine.update_revenue("player-1", 1, view.substr(10, 3), iap, view.substr(18, 7))), "ok");
    EXPECT(engine.update_revenue("player-1", 1, "EUR", iap, "order-1").outcome == skan::outcome::duplicate_event,
           "the event id was order-1");
    const std::string_view answer("{\"conversion_value\":63}}", 23);
    EXPECT(static_cast<bool>(engine.apply_response("player-1", {}, 0, answer)), "ok");
    EXPECT(static_cast<bool>(engine.import_details("b", std::string_view("{}x", 2))), "ok");
    const string longest(SKAN_INSTALL_ID_MAX, 'x');
    EXPECT(static_cast<bool>(engine.register_install(longest)), "%zu bytes", longest.size());
    EXPECT(engine.store->load(longest).has_value(), "whole");
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.register_install(longest + "x"));
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.register_install(std::string_view()));
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.update_revenue("a", 1, "USD", iap, std::string_view()));
}

/* ------------------------------------------------------------------------------------------------------- defaults */

/* As README has it: nothing here may warn. */
CASE(what_has_a_default_may_be_left_out) {
    moody_engine engine;
    string last_url;
    engine.transport = [&](const string &url) {
        last_url = url;
        return "{\"conversion_value\":7}";
    };
    engine.register_install("a");
    engine.update_revenue("a", 4.99, "USD");
    engine.update_revenue("a", 2, "EUR", skan::revenue_kind::ad);
    engine.update_conversion_values("a");
    engine.update_conversion_values("a", "purchase");
    engine.update_conversion_values("a", {"purchase", "order-1"});
    EXPECT(engine.update_conversion_values("a", {"purchase", "order-1"}).outcome == skan::outcome::duplicate_event,
           "the second text is the event id");
    engine.update_conversion_values("a", {"purchase", "order-2", {"16.1"}});
    EXPECT(last_url.find("v=16.1&") != string::npos && last_url.find("idfv") == string::npos, "%s", last_url.c_str());
    engine.update_conversion_values("a", {"purchase", "order-3", {"16.1", "A"}, "0.01", "USD"});
    EXPECT(last_url.find("&idfv=A&") != string::npos, "%s", last_url.c_str());
    EXPECT(engine.details("a").json.find("{\"USD\":5}") != string::npos, "%s", engine.details("a").json.c_str());

    const skan::calls waiting = engine.pending_calls("a");
    EXPECT(waiting && waiting.list.size() == 2, "they wait");
    engine.acknowledge_calls("a", {{waiting.list[0].id, skan::call_result::delivered}});
    EXPECT(!engine.pending_calls("a"), "delivered");
    const std::vector<skan::revenue> items = {{"a", 1, "USD"}, {"a", "1", "USD", skan::revenue_kind::ad}};
    EXPECT(static_cast<bool>(engine.update_revenue_many(items)), "amounts of many");
}

/* What a call says of the app's is what JSON says. */
CASE(a_call_has_the_words_of_json) {
    moody_engine engine;
    engine.transport = [](const string &) {
        return "{\"conversion_value\":7,\"skan_updated_coarse_value\":2}";
    };
    engine.register_install("a");
    const skan::result updated = engine.update_conversion_values("a");
    EXPECT(updated.update && updated.update->coarse_value == skan::coarse_value::high, "a coarse value");
    const skan::calls found = engine.pending_calls("a");
    EXPECT_NUMBER(2, found.list.size());
    for (const skan::app_call &call : found.list) {
        EXPECT(call.id == updated.update->id && call.conversion == 0, "which");
        EXPECT(call.window == 0 && call.fine_value == 7, "its window");
        EXPECT(call.coarse_value == skan::coarse_value::high && !call.lock_window && !call.tag, "its values");
        EXPECT(call.timestamp == this_second && call.valid_until == this_second + 172800, "its times");
    }
    EXPECT(found.list[0].framework == skan::framework::skadnetwork, "the first");
    EXPECT(found.list[0].conversion_type == skan::conversion_type::none, "the first");
    EXPECT(found.list[1].framework == skan::framework::adattributionkit, "the second");
    EXPECT(found.list[1].conversion_type == skan::conversion_type::install, "the second");
    const string json = engine.pending_calls_json("a");
    EXPECT(json.find("\"install\",\"window\":0,\"fine_value\":7,") != string::npos, "%s", json.c_str());
}

/* Whatever is a number or a text is an amount; a flag, a pointer that is none and an event id in place of the kind are
 * not. */
template <typename Amount, typename... Rest>
auto can_update_revenue(int, Rest... rest)
    -> decltype(std::declval<skan::engine &>().update_revenue("a", std::declval<Amount>(), "USD", rest...),
                std::true_type());
template <typename, typename... Rest> std::false_type can_update_revenue(long, Rest...);
template <typename Amount> constexpr bool is_amount = decltype(can_update_revenue<Amount>(0))::value;
static_assert(is_amount<double> && is_amount<int> && is_amount<float> && is_amount<long long> && is_amount<unsigned>);
static_assert(is_amount<const char *> && is_amount<string> && is_amount<std::string_view>);
static_assert(!is_amount<bool> && !is_amount<std::nullptr_t>);
static_assert(decltype(can_update_revenue<double>(0, skan::revenue_kind::ad, "order-1"))::value);
static_assert(!decltype(can_update_revenue<double>(0, "order-1"))::value, "an event id where the kind belongs");
static_assert(!decltype(can_update_revenue<double>(0, true))::value);

static_assert(std::is_convertible_v<const char *, skan::event> && std::is_convertible_v<string, skan::event>);
static_assert(std::is_convertible_v<std::optional<std::string_view>, skan::event>);
static_assert(!std::is_convertible_v<int, skan::event> && !std::is_convertible_v<skan::device, skan::event>);

/* ------------------------------------------------------------------------------------------------ amounts as text */

CASE(a_text_ends_where_it_ends) {
    moody_engine engine;
    engine.update_revenue("a", "123456789012.123456789012", "EUR");
    const std::string_view text("0.0000000000015, cut", 15);
    EXPECT(static_cast<bool>(engine.update_revenue_many({{"a", text, "JPY"}, {"b", 1, "USD"}})), "of many");
    EXPECT(static_cast<bool>(engine.register_install("a")), "registered");
    EXPECT(static_cast<bool>(engine.update_conversion_values("a", {"e", "1", {}, text.substr(0, 3), "USD"})), "0.0");
    const skan::revenue_table exact = {{"EUR", "123456789012.123456789012"}, {"JPY", "0.000000000002"}};
    EXPECT(engine.details("a").iap_revenue == exact, "%s", engine.details("a").json.c_str());
}

/* An amount has a currency, and a currency an amount. */
CASE(an_event_has_both_or_neither) {
    moody_engine engine;
    engine.register_install("a");
    const skan::event events[] = {{"e", {}, {}, 0}, {"e", {}, {}, "1"}, {"e", {}, {}, {}, "USD"},
                                  {"e", {}, {}, {}, {}, skan::revenue_kind::ad}};
    for (const skan::event &event : events) {
        EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.update_conversion_values("a", event));
        EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.conversion_request("a", event));
    }
    EXPECT_THROWS(skan::error, "kind: expected 0 (IAP) or 1 (ad revenue), got 7",
                  engine.update_revenue("a", 1, "USD", static_cast<skan::revenue_kind>(7)));
}

/* An event is kept until an answer arrives, longer than the texts that it was made of. */
CASE(an_event_owns_its_texts) {
    const auto made = [](int number) {
        const string id = "order-" + std::to_string(number) + string(40, 'x');
        return skan::event("purchase", id, {}, std::to_string(number) + ".123456789", string("US") + "D");
    };
    static_assert(std::is_same_v<decltype(skan::event::event_id), std::optional<string>>);
    moody_engine engine;
    engine.register_install("a");
    const skan::event purchase = made(7);
    const skan::request request = engine.conversion_request("a", purchase);
    engine.apply_response("a", purchase, request.ticket, "{\"conversion_value\":9}");
    EXPECT(engine.conversion_request("a", made(7)).outcome == skan::outcome::duplicate_event, "the id is another");
    EXPECT_TEXT("7.123456789", engine.details("a").iap_revenue.at("USD").c_str());
}

/* By the id in both steps, an event counts once. */
CASE(two_steps_take_the_same_event) {
    moody_engine engine;
    engine.register_install("a");
    const skan::event purchase("purchase", "order-1", {}, "4.99", "USD");
    const skan::request request = engine.conversion_request("a", purchase);
    EXPECT(request.url.find("https://skan.example.com/api/v2/conversion_value?") == 0, "%s", request.url.c_str());
    EXPECT(engine.details("a").json.find("{\"USD\":4.99}") != string::npos, "%s", engine.details("a").json.c_str());
    const string answer = "{\"conversion_value\":9}";
    EXPECT(engine.apply_response("a", purchase, request.ticket, answer).update->fine_value == 9, "applied");
    EXPECT(engine.conversion_request("a", purchase).outcome == skan::outcome::duplicate_event, "known");
    EXPECT(engine.apply_response("a", purchase, 0, answer).outcome == skan::outcome::duplicate_event, "known");
}

/* ------------------------------------------------------------------------------------------------------- details */

void expect_empty(const skan::details &details) {
    EXPECT(!details.fine_value && !details.previous_fine_value, "a fine value: %s", details.json.c_str());
    EXPECT(!details.first_timestamp && !details.last_timestamp, "a time: %s", details.json.c_str());
    EXPECT(details.iap_revenue.empty() && details.ad_revenue.empty(), "revenue: %s", details.json.c_str());
    EXPECT(details.reengagements.empty(), "a re-engagement: %s", details.json.c_str());
}

void expect_empty(const skan::window_details &window) {
    EXPECT(!window.coarse_value && !window.previous_coarse_value && !window.lock_timestamp, "a window has a value");
    EXPECT(window.iap_revenue.empty() && window.ad_revenue.empty(), "a window has revenue");
}

CASE(details_of_an_unknown_install_are_empty) {
    moody_host host;
    for (const unsigned protocol : {3u, 4u}) {
        skan::options options = host.options();
        options.protocol = protocol;
        skan::engine engine(options);
        const skan::details details = engine.details("nobody");
        expect_empty(details);
        EXPECT_NUMBER(3, details.windows.size());
        for (const skan::window_details &window : details.windows) expect_empty(window);
        const string key = protocol == 3 ? "skan_conversion_value" : "skan_current_conversion_value";
        EXPECT(details.json.find("{\"" + key + "\":null,") == 0, "%s", details.json.c_str());
    }
}

CASE(details_of_skan_4_have_every_window) {
    moody_engine engine;
    const skan::revenue_kind iap = skan::revenue_kind::iap, ad = skan::revenue_kind::ad;
    engine.update_revenue("a", "7", "JPY", ad);
    engine.register_install("a");
    skan::details details = engine.details("a");
    EXPECT(details.fine_value == 0 && !details.previous_fine_value, "%s", details.json.c_str());
    EXPECT(details.first_timestamp == this_second && details.last_timestamp == this_second, "its times");
    EXPECT(details.ad_revenue == skan::revenue_table({{"JPY", "7"}}), "before it was registered");
    expect_empty(details.windows[0]);

    engine.update_revenue("a", "4.99", "USD");
    engine.update_revenue("a", "-0.5", "EUR", iap);
    engine.update_revenue("a", "0.000000000001", "USD", ad);
    const auto answer = [&engine](std::int64_t seconds, const string &body) {
        engine.clock = [seconds] { return (this_second + seconds) * 1000000; };
        EXPECT(bool(engine.apply_response("a", {}, 0, body)), "%s", body.c_str());
    };
    answer(10, "{\"conversion_value\":7,\"skan_updated_coarse_value\":0}");
    answer(20, "{\"conversion_value\":63,\"skan_updated_coarse_value\":2,\"skan_updated_lock_window_value\":true}");
    answer(2 * 86400, "{\"conversion_value\":63,\"skan_updated_coarse_value\":1,\"postback_sequence_index\":1}");
    engine.update_revenue("a", "1e3", "USD");

    details = engine.details("a");
    EXPECT(details.fine_value == 63 && details.previous_fine_value.has_value(), "%s", details.json.c_str());
    EXPECT(details.first_timestamp == this_second && details.last_timestamp == this_second + 2 * 86400, "its times");
    EXPECT(details.iap_revenue == skan::revenue_table({{"EUR", "-0.5"}, {"USD", "1004.99"}}), "purchases");
    EXPECT(details.ad_revenue == skan::revenue_table({{"JPY", "7"}, {"USD", "0.000000000001"}}), "of ads");
    const skan::window_details &first = details.windows[0], &second = details.windows[1];
    EXPECT(first.coarse_value == skan::coarse_value::high, "%s", details.json.c_str());
    EXPECT(first.previous_coarse_value == skan::coarse_value::low, "%s", details.json.c_str());
    EXPECT(first.lock_timestamp == this_second + 20, "%s", details.json.c_str());
    EXPECT(first.iap_revenue == skan::revenue_table({{"EUR", "-0.5"}, {"USD", "4.99"}}), "of the first window");
    EXPECT(first.ad_revenue == skan::revenue_table({{"USD", "0.000000000001"}}), "of the first window");
    EXPECT(second.coarse_value == skan::coarse_value::medium && !second.lock_timestamp, "%s", details.json.c_str());
    EXPECT(!second.previous_coarse_value && second.ad_revenue.empty(), "%s", details.json.c_str());
    EXPECT(second.iap_revenue == skan::revenue_table({{"USD", "1000"}}), "of the second window");
    expect_empty(details.windows[2]);

    EXPECT(bool(engine.import_details("b", details.json)), "taken");
    EXPECT_TEXT(details.json.c_str(), engine.details("b").json.c_str());
    const skan::details read = skan::read_record(engine.store->load("a")->data).details;
    EXPECT_TEXT(details.json.c_str(), read.json.c_str());
    EXPECT(read.windows[0].lock_timestamp == first.lock_timestamp, "%s", read.json.c_str());
}

CASE(details_of_skan_3_have_empty_windows) {
    moody_host host;
    skan::options options = host.options();
    options.protocol = 3;
    skan::engine engine(options);
    engine.register_install("a");
    engine.update_revenue("a", "4.99", "USD");
    EXPECT(bool(engine.update_conversion_values("a")), "7");
    const skan::details details = engine.details("a");
    EXPECT(details.fine_value == 7 && !details.previous_fine_value, "%s", details.json.c_str());
    EXPECT(details.first_timestamp == this_second && details.last_timestamp == this_second, "its times");
    EXPECT(details.iap_revenue == skan::revenue_table({{"USD", "4.99"}}) && details.ad_revenue.empty(), "revenue");
    for (const skan::window_details &window : details.windows) expect_empty(window);
    EXPECT(details.reengagements.empty(), "a re-engagement");
}

/* The message is a single call's, and so is what a hook throws. */
CASE(a_text_that_fails_is_told_as_any_amount) {
    moody_engine engine;
    EXPECT_THROWS(skan::error, "amount: expected a decimal number between -1e12 and 1e12, got \"4,99\"",
                  engine.update_revenue("a", "4,99", "USD"));
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.update_revenue("a", std::string_view("1\0", 2), "USD"));
    engine.store->before_save = throws("save");
    EXPECT_THROWS(outage, "save", engine.update_revenue("a", "4.99", "USD"));
    engine.store->before_save = nullptr;
    engine.clock = []() -> std::int64_t { throw outage("no time"); };
    EXPECT_THROWS(outage, "no time", engine.update_revenue("a", "4.99", "USD"));
}

/* What each outcome, update and message is, runner.cpp compares with the vectors. */
CASE(statuses_and_versions_have_names) {
    EXPECT_TEXT("SKAN_ALREADY_REGISTERED", string(skan::status_name(skan::outcome::already_registered)).c_str());
    EXPECT_TEXT("SKAN_ERROR_STORE", string(skan::status_name(SKAN_ERROR_STORE)).c_str());
    EXPECT_TEXT(skan_version(), string(skan::version()).c_str());
}

/* ------------------------------------------------------------------------------------------------------ ownership */

CASE(an_engine_releases_its_hooks) {
    moody_host host;
    const std::weak_ptr<skan::store> store = host.store;
    skan::options options = host.options();
    const std::weak_ptr<skan::clock> clock = options.clock;
    const std::weak_ptr<skan::transport> transport = options.transport;
    auto engine = std::make_unique<skan::engine>(options);
    auto second = std::make_unique<skan::engine>(options);
    options = skan::options();
    host.store.reset();
    engine.reset();
    EXPECT(!store.expired() && !clock.expired() && !transport.expired(), "the second engine has them");
    second.reset();
    EXPECT(store.expired() && clock.expired() && transport.expired(), "nobody has them");
}

CASE(a_failing_constructor_releases_its_hooks) {
    moody_host host;
    skan::options options = host.options();
    const std::weak_ptr<skan::clock> clock = options.clock;
    options.protocol = 7;
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, skan::engine(options));
    options.protocol = 4;
    options.endpoint_url = "";
    EXPECT_THROWS(skan::error,
                  "endpoint_url: expected the URL of a conversion-value endpoint, or conversion models, got neither",
                  skan::engine(options));
    options.endpoint_url = "nowhere";
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, skan::engine(options));
    EXPECT_NUMBER(1, clock.use_count());
    options = skan::options();
    EXPECT(clock.expired(), "somebody has the clock");
}

CASE(hooks_may_be_given_as_unique_pointers) {
    class fixed_clock final : public skan::clock {
    public:
        std::int64_t now() override { return this_second * 1000000; }
    };
    skan::options options;
    options.store = std::make_unique<memory_store>();
    options.clock = std::make_unique<fixed_clock>();
    options.endpoint_url = skan::endpoint_singular;
    skan::engine engine(options);
    EXPECT_NUMBER(this_second, engine.register_install("a").update->timestamp);
}

CASE(an_engine_moves) {
    skan::options options;
    options.endpoint_url = "https://skan.example.com";
    skan::engine first(options);
    EXPECT(static_cast<bool>(first.register_install("a")), "registered");
    skan::engine second = std::move(first);
    EXPECT(second.register_install("a").outcome == skan::outcome::already_registered, "the same engine");
    EXPECT(first.get() == nullptr, "the first one is empty"); // NOLINT: what is left behind is told
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, first.register_install("a"));
    first = std::move(second);
    EXPECT(first.register_install("a").outcome == skan::outcome::already_registered, "moved back");
    first = skan::engine(options);
    EXPECT(static_cast<bool>(first.register_install("a")), "another engine");
}

/* ------------------------------------------------------------------------------------------------- the other side */

CASE(an_engine_answers_requests) {
    skan::options options;
    options.models.emplace_back(
        "{\"schema\":1,\"id\":\"m\",\"windows\":[{\"rules\":[{\"fine\":3}]},{\"rules\":[]},{\"rules\":[]}]}");
    options.clock = skan::make_clock([] { return this_second * 1000000; });
    skan::engine endpoint(options);
    const string target = "/api/v2/conversion_value?a=k&v=17&i=com.app&app_v=1&n=__SESSION__&p=iOS&idfv=u"
                          "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=" +
                          std::to_string(this_second);
    skan::request_answer answer = endpoint.answer_request(target);
    EXPECT(static_cast<bool>(answer), "there is no value");
    EXPECT_TEXT("{\"conversion_value\":3,\"postback_sequence_index\":0,\"status\":\"ok\"}", answer.json.c_str());
    answer = endpoint.answer_request(target + "&n=twice");
    EXPECT(!answer.outcome, "a rejected request has an outcome");
    EXPECT_TEXT("{\"status\":\"error\",\"reason\":\"Conversion Management: Invalid parameter n given\"}",
                answer.json.c_str());
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, endpoint.answer_request(std::string_view("/\0", 2)));
    EXPECT_ERROR(SKAN_ERROR_MISUSE, skan::engine(moody_host().options()).answer_request(target));
}

} // namespace

int main() {
    return run_cases();
}
