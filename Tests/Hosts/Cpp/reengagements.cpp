/* What is C++'s own of re-engagements. */
#include "thrown.hpp"

namespace {

const std::string install = "install-1";
const std::int64_t now = 1700000000;

skan::options options_of(skan::reengagement_credit credit = skan::reengagement_credit::all) {
    skan::options options;
    options.clock = skan::make_clock([] { return now * 1000000; });
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
    EXPECT(has_value(engine.explanation(install, 1), 0), "the other one has the amount");
    EXPECT(has_value(engine.explanation(install, 2), 9), "the amount is missing");
    EXPECT(engine.update_conversion_values(install).outcome == skan::outcome::no_new_value, "a session gives a value");
}

CASE(an_amount_is_credited_to_the_one_that_is_named) {
    skan::engine engine(options_of());
    return_twice(engine);
    skan::revenue item{install, 5, "USD"};
    item.reengagement = skan::install_alone;
    EXPECT(bool(engine.update_revenue_many({item})), "added");
    EXPECT(has_value(engine.explanation(install, 1), 0), "it was for the install");
    item.reengagement = 1;
    EXPECT(bool(engine.update_revenue_many({item})), "added");
    EXPECT(has_value(engine.explanation(install, 1), 9), "the amount is missing");
    EXPECT(has_value(engine.explanation(install, 2), 0), "the other one has the amount");
}

CASE(the_newest_alone_is_credited_where_the_engine_says_so) {
    skan::engine engine(options_of(skan::reengagement_credit::newest));
    return_twice(engine);
    skan::event event;
    event.amount = "5.00";
    event.currency = "USD";
    EXPECT(bool(engine.update_conversion_values(install, event)), "a new value");
    EXPECT(has_value(engine.explanation(install, 1), 0), "the older one has the amount");
    EXPECT(has_value(engine.explanation(install, 2), 9), "the amount is missing");
}

CASE(one_that_has_ended_is_asked_no_more) {
    skan::engine engine(options_of());
    return_twice(engine);
    EXPECT(engine.end_reengagement(install, 1) == skan::outcome::ok, "ended");
    EXPECT(engine.end_reengagement(install, 3) == skan::outcome::not_found, "there is no third");
    EXPECT(engine.explanation(install, 1).outcome == skan::outcome::window_closed, "it is over");
    EXPECT(engine.explanation(install, 3).outcome == skan::outcome::not_found, "there is no third");
    EXPECT(engine.explanation(install, 3).json.empty(), "of none");
    EXPECT_ERROR(SKAN_ERROR_MISUSE, engine.explanation(install));
    EXPECT(engine.reengagements(install)[0].ended == skan::reengagement_end::host, "the host ended it");
    EXPECT(!engine.reengagements(install)[1].ended, "the other one goes on");
    EXPECT_NUMBER(1, engine.pending_calls(install).list.size());
}

/* What JSON itself is made of does not end a text. */
const std::string words = R"(a"],[{"b\:\\)";

skan::options options_with_events() {
    skan::options options = options_of();
    options.reengagement_models = {skan::model(
        R"({"schema": 1, "id": "events", "conversion": "re-engagement", "windows": [{"rules": [
            {"fine": 0, "coarse": "low"},
            {"fine": 62, "coarse": "low", "when": {"events": [{"name": "],[{\"", "min_count": 9}]}},
            {"fine": 63, "coarse": "high", "lock": true, "when": {"events": [{"name": "buy", "min_count": 2}]}}]},
            {"rules": [{"coarse": "low"}]}, {"rules": [{"coarse": "low"}]}]})")};
    return options;
}

CASE(one_is_told_with_everything_it_has) {
    skan::engine engine(options_with_events());
    skan::reengagement_report report = report_of(words);
    report.reference = words;
    report.opened_at = now - 60;
    EXPECT(bool(engine.reengage(install, report)), "taken");
    const skan::event sale("buy", {}, {}, "4.99", "USD"), ad("],[{\"", {}, {}, "0.1", "USD", skan::revenue_kind::ad);
    engine.update_conversion_values(install);
    for (const skan::event &event : {sale, ad, sale}) engine.update_conversion_values(install, event);

    const std::vector<skan::reengagement> list = engine.reengagements(install);
    EXPECT_NUMBER(1, list.size());
    const skan::reengagement &one = list[0];
    EXPECT_NUMBER(1, one.number);
    EXPECT(one.tag == words && one.open_id == words && one.reference == words, "%s", one.tag.value_or("").c_str());
    EXPECT_NUMBER(now - 60, one.start);
    EXPECT(!one.ended && !one.delivered, "it goes on");
    EXPECT_TEXT(std::string(options_with_events().reengagement_models[0].version()).c_str(), one.model.c_str());
    EXPECT(one.window == 0 && one.sessions == 1, "%d, %lld", one.window, static_cast<long long>(one.sessions));
    EXPECT((one.events == std::map<std::string, std::int64_t>{{"],[{\"", 1}, {"buy", 2}}), "%zu", one.events.size());
    EXPECT_TEXT("9.98", one.revenue.conversion.iap.c_str());
    EXPECT_TEXT("0.1", one.revenue.conversion.ad.c_str());
    EXPECT_TEXT("9.98", one.revenue.window.iap.c_str());
    EXPECT_TEXT("0.1", one.revenue.window.ad.c_str());
    EXPECT_NUMBER(63, one.fine_value);
    EXPECT(one.coarse_value[0] == skan::coarse_value::high && !one.coarse_value[1] && !one.coarse_value[2], "coarse");
    EXPECT(one.window_lock[0] == now && !one.window_lock[1] && !one.window_lock[2], "locks");
    EXPECT(one.update && one.update->window == 0 && one.update->fine_value == 63, "its update");
    EXPECT(one.update->coarse_value == skan::coarse_value::high && one.update->lock_window, "its update");
    EXPECT_NUMBER(now, one.update->timestamp);

    engine.acknowledge_calls(install, {{one.update->id, skan::call_result::delivered}});
    const skan::details details = engine.details(install);
    EXPECT(!details.first_timestamp && details.iap_revenue == skan::revenue_table({{"USD", "9.98"}}), "not registered");
    EXPECT_NUMBER(1, details.reengagements.size());
    EXPECT(details.reengagements[0].delivered && details.reengagements[0].tag == words, "%s", details.json.c_str());
    EXPECT(details.reengagements[0].update->id == one.update->id, "%s", details.json.c_str());
}

CASE(one_is_told_with_nothing_it_has_not) {
    skan::engine engine(options_with_events());
    EXPECT(engine.reengagements(install).empty() && engine.details(install).reengagements.empty(), "none yet");
    EXPECT(bool(engine.reengage(install, {})), "taken");
    const skan::reengagement one = engine.reengagements(install).at(0);
    EXPECT(!one.tag && !one.open_id && !one.reference && !one.ended, "a text");
    EXPECT(one.start == now && one.window == 0 && one.sessions == 0 && one.events.empty(), "counts");
    EXPECT_TEXT("0", one.revenue.conversion.iap.c_str());
    EXPECT_TEXT("0", one.revenue.window.ad.c_str());
    EXPECT(one.fine_value == 0 && !one.window_lock[0] && !one.delivered, "values");
    EXPECT(one.update && one.update->fine_value == 0 && !one.update->lock_window, "its first update");
}

CASE(one_is_told_with_why_it_ended) {
    skan::engine engine(options_with_events());
    skan::reengagement_report untagged;
    untagged.open_id = "first";
    EXPECT_NUMBER(1, engine.reengage(install, untagged).number);
    untagged.open_id = "second";
    EXPECT_NUMBER(2, engine.reengage(install, untagged).number);
    for (const char *tag : {"invalid", "not supported", "the host's", "newest"})
        EXPECT(bool(engine.reengage(install, report_of(tag))), "%s", tag);
    const auto id_of = [&engine](std::size_t place) { return engine.reengagements(install).at(place).update->id; };
    engine.acknowledge_calls(install, {{id_of(2), skan::call_result::invalid_tag},
                                       {id_of(3), skan::call_result::tag_not_supported}});
    EXPECT(engine.end_reengagement(install, 5) == skan::outcome::ok, "ended");
    const std::vector<skan::reengagement> list = engine.reengagements(install);
    EXPECT_NUMBER(6, list.size());
    using end = skan::reengagement_end;
    const std::optional<end> ends[] = {end::superseded,        end::superseded, end::invalid_tag,
                                       end::tag_not_supported, end::host,       std::nullopt};
    for (std::size_t i = 0; i < list.size(); i++) {
        EXPECT_NUMBER(i + 1, list[i].number);
        EXPECT(list[i].ended == ends[i], "number %zu: %s", i + 1, engine.details(install).json.c_str());
        EXPECT(list[i].ended == engine.details(install).reengagements.at(i).ended, "number %zu", i + 1);
    }
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
    EXPECT(other.reengagements(install).empty(), "without models there are none");
    options.protocol = 3;
    EXPECT_ERROR(SKAN_ERROR_MISUSE, skan::engine(options).reengagements(install));
}

} // namespace

int main() {
    return run_cases();
}
