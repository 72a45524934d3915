/* What is C++'s own of re-engagements. */
#include "thrown.hpp"

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
    EXPECT(found.list[0].tag == "tag-1", "%s", found.list[0].tag.value_or("none").c_str());
    EXPECT(found.list[0].framework == skan::framework::adattributionkit, "to AdAttributionKit");
    EXPECT(found.list[0].conversion_type == skan::conversion_type::none, "the tag names it");
    EXPECT(engine.pending_calls_json(install).find("\"valid_seconds\":172800") != std::string::npos, "valid seconds");
    engine.acknowledge_calls(install, {{found.list[0].id, skan::call_result::delivered}});
    EXPECT(!engine.pending_calls(install), "delivered, and there again");
    engine.acknowledge_calls(install, {});
}

CASE(an_amount_comes_with_its_event) {
    skan::engine engine(options_of());
    return_twice(engine);
    skan::event event;
    event.reengagement = 2;
    event.amount = 5;
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, engine.update_conversion_values(install, event));
    event.currency = "USD";
    EXPECT(bool(engine.update_conversion_values(install, event)), "a new value");
    EXPECT(has_value(engine.explain_reengagement(install, 1), 0), "the other one has the amount");
    EXPECT(has_value(engine.explain_reengagement(install, 2), 9), "the amount is missing");
    EXPECT(engine.update_conversion_values(install).outcome == skan::outcome::no_new_value, "a session gives a value");
}

CASE(an_amount_is_credited_to_the_one_that_is_named) {
    skan::engine engine(options_of());
    return_twice(engine);
    skan::revenue item{install, 5, "USD"};
    item.reengagement = skan::install_alone;
    EXPECT(bool(engine.update_revenue_many({item})), "added");
    EXPECT(has_value(engine.explain_reengagement(install, 1), 0), "it was for the install");
    item.reengagement = 1;
    EXPECT(bool(engine.update_revenue_many({item})), "added");
    EXPECT(has_value(engine.explain_reengagement(install, 1), 9), "the amount is missing");
    EXPECT(has_value(engine.explain_reengagement(install, 2), 0), "the other one has the amount");
}

CASE(the_newest_alone_is_credited_where_the_engine_says_so) {
    skan::engine engine(options_of(skan::reengagement_credit::newest));
    return_twice(engine);
    skan::event event;
    event.amount = "5.00";
    event.currency = "USD";
    EXPECT(bool(engine.update_conversion_values(install, event)), "a new value");
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
    skan::options options;
    options.endpoint_url = "https://skan.example.com";
    skan::engine other(options);
    EXPECT_ERROR(SKAN_ERROR_MISUSE, other.reengage(install, {}));
    EXPECT(other.reengagements(install) == "[]", "without models there are none");
}

} // namespace

int main() {
    return run_cases();
}
