/* What is C++'s own of re-engagements. */
#include "thrown.hpp"

#include <limits>

namespace {

const std::string install = "install-1";
const std::int64_t now = 1700000000;

skan::options options_of(skan::reengagement_credit credit = skan::reengagement_credit::all) {
    skan::options options;
    options.clock = skan::make_clock([] { return now; });
    options.reengagement_models.emplace_back(
        R"({"schema": 1, "id": "return", "conversion": "re-engagement", "windows": [{"rules": [
            {"fine": 0, "coarse": "low"},
            {"fine": 9, "coarse": "high", "when": {"revenue": {"scope": "conversion", "min": 5}}}]},
            {"rules": [{"coarse": "low"}]}, {"rules": [{"coarse": "low"}]}]})");
    options.reengagement_credit = credit;
    return options;
}

skan::reengagement_report report_of(std::string_view tag) {
    skan::reengagement_report report;
    report.open_id = tag;
    report.tag = tag;
    report.is_started = report.is_overlapping = true;
    return report;
}

void return_twice(skan::engine &engine) {
    EXPECT_NUMBER(1, engine.reengage(install, report_of("tag-1")).number);
    EXPECT_NUMBER(2, engine.reengage(install, report_of("tag-2")).number);
}

bool has_value(const skan::explanation &explanation, int fine) {
    return explanation && explanation.json.find("\"fine\":" + std::to_string(fine)) != std::string::npos;
}

CASE(calls_go_to_the_app) {
    skan::engine engine(options_of());
    EXPECT(!engine.pending_calls(install), "a call of nobody");
    EXPECT(engine.pending_calls(install).list.empty(), "a call of nobody");
    EXPECT(bool(engine.reengage(install, report_of("tag-1"))), "taken");
    const skan::reengaged again = engine.reengage(install, report_of("tag-1"));
    EXPECT(!again && again.outcome == skan::outcome::duplicate_event, "taken again");
    EXPECT_NUMBER(1, again.number);
    const skan::calls found = engine.pending_calls(install, {"18.4"});
    EXPECT_NUMBER(1, found.list.size());
    EXPECT(std::string(found.list[0].tag) == "tag-1", "%s", found.list[0].tag);
    EXPECT(engine.pending_calls_json(install).find("\"valid_seconds\":172800") != std::string::npos, "valid seconds");
    engine.acknowledge_calls(install, {{found.list[0].id, skan::call_result::delivered}});
    EXPECT(!engine.pending_calls(install), "delivered, and there again");
    engine.acknowledge_calls(install, {});
}

CASE(an_amount_comes_with_its_event) {
    skan::engine engine(options_of());
    return_twice(engine);
    skan::event event;
    event.amount = 5;
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.update_conversions(install, event, 2));
    event.currency = "USD";
    EXPECT(engine.update_conversions(install, event, 2) == skan::outcome::ok, "a new value");
    EXPECT(has_value(engine.explain_reengagement(install, 1), 0), "the other one has the amount");
    EXPECT(has_value(engine.explain_reengagement(install, 2), 9), "the amount is missing");
    EXPECT(engine.update_conversions(install) == skan::outcome::no_new_value, "a session gives a value");
}

CASE(an_amount_is_credited_to_the_one_that_is_named) {
    skan::engine engine(options_of());
    return_twice(engine);
    skan::revenue item;
    item.install_id = install;
    item.amount = 5;
    item.currency = "USD";
    item.reengagement = 1;
    EXPECT(bool(engine.update_revenue(item)), "added");
    EXPECT(has_value(engine.explain_reengagement(install, 1), 9), "the amount is missing");
    EXPECT(has_value(engine.explain_reengagement(install, 2), 0), "the other one has the amount");
    item.amount = std::numeric_limits<double>::infinity();
    try {
        (void)engine.update_revenue(item);
        EXPECT(false, "infinity is an amount");
    } catch (const skan::error &error) {
        EXPECT(std::string_view(error.what()).substr(0, 6) == "amount", "%s", error.what());
    }
}

CASE(the_newest_alone_is_credited_where_the_engine_says_so) {
    skan::engine engine(options_of(skan::reengagement_credit::newest));
    return_twice(engine);
    skan::event event;
    event.amount_text = "5.00";
    event.currency = "USD";
    EXPECT(engine.update_conversions(install, event) == skan::outcome::ok, "a new value");
    EXPECT(has_value(engine.explain_reengagement(install, 1), 0), "the older one has the amount");
    EXPECT(has_value(engine.explain_reengagement(install, 2), 9), "the amount is missing");
}

CASE(one_that_has_ended_is_asked_no_more) {
    skan::engine engine(options_of());
    return_twice(engine);
    EXPECT(engine.end_reengagement(install, 1) == skan::outcome::ok, "ended");
    EXPECT(engine.end_reengagement(install, 3) == skan::outcome::not_found, "there is no third");
    EXPECT(engine.explain_reengagement(install, 1).outcome == skan::outcome::window_closed, "it is over");
    EXPECT(engine.reengagements(install).find("\"ended\":\"host\"") != std::string::npos, "the host ended it");
    EXPECT_NUMBER(1, engine.pending_calls(install).list.size());
}

CASE(what_an_engine_or_a_system_has_not) {
    skan::engine engine(options_of());
    skan::reengagement_report report;
    report.device = skan::device{"17.4"};
    EXPECT(engine.reengage(install, report).outcome == skan::outcome::unsupported, "before iOS 18");
    EXPECT_ERROR(SKAN_ERROR_MISUSE, skan::engine().reengage(install, {}));
    EXPECT(skan::engine().reengagements(install) == "[]", "without models there are none");
}

} // namespace

int main() {
    return run_cases();
}
