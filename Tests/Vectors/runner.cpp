/* Runs the vectors through skan.hpp: runner FOLDER TOGETHER TOP */
#include "Hosts/Cpp/memory_store.hpp"
#include "support.h"
#include "traces.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

namespace {

const skan::device device = {"16.1", "21DB6612-09B3-4ECC-84AC-B353B0AF1334", "DFC5A647-9043-4699-B2A5-76F03A97064B"};

std::optional<std::string_view> optional_text(json_object *object, const char *key) {
    json_object *value = member(object, key);
    if (!value) return std::nullopt;
    return std::string_view(json_object_get_string(value), static_cast<std::size_t>(json_object_get_string_len(value)));
}

std::string_view text(json_object *object, const char *key) {
    return optional_text(object, key).value();
}

std::optional<int> optional_number(json_object *object, const char *key) {
    if (!member(object, key)) return std::nullopt;
    return static_cast<int>(member_number(object, key, 0));
}

std::string body_of(json_object *op) {
    std::size_t length = 0;
    const std::unique_ptr<void, decltype(&std::free)> body(step_body(op, &length), &std::free);
    return std::string(static_cast<const char *>(body.get()), length);
}

json_object *with_text(json_object *answer, const char *key, const std::string &text) {
    json_object_object_add(answer, key, json_object_new_string(text.c_str()));
    return answer;
}

json_object *answer_of(skan::outcome outcome, const std::optional<skan::update> &update = std::nullopt) {
    skan_update native = {};
    native.size = sizeof native;
    if (update) {
        EXPECT(update->id != 0, "an update without a number");
        native.id = update->id;
        native.window = update->window;
        native.fine_value = update->fine_value.value_or(-1);
        native.coarse_value = update->coarse_value ? static_cast<int>(*update->coarse_value) : -1;
        native.lock_window = update->lock_window;
        native.timestamp = update->timestamp;
    }
    return update_answer(static_cast<skan_status>(outcome), &native);
}

json_object *answer_of(const skan::result &result) {
    return answer_of(result.outcome, result.update);
}

/* ------------------------------------------------------------------------------- the documents, from what was read */

/* The text of a document, which is freed. */
std::string printed(json_object *document) {
    const std::string text =
        json_object_to_json_string_ext(document, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    json_object_put(document);
    return text;
}

json_object *document_of(std::int64_t number) {
    return json_object_new_int64(number);
}

json_object *document_of(bool flag) {
    return json_object_new_boolean(flag);
}

json_object *document_of(int number) {
    return document_of(std::int64_t{number});
}

json_object *document_of(const std::string &text) {
    return json_object_new_string_len(text.data(), static_cast<int>(text.size()));
}

json_object *document_of(skan::coarse_value value) {
    return document_of(static_cast<int>(value));
}

json_object *document_of(skan::reengagement_end end) {
    const char *const names[] = {"superseded", "host", "invalid tag", "tag not supported"};
    return json_object_new_string(names[static_cast<int>(end)]);
}

json_object *exact(const std::string &decimal) {
    return json_object_new_double_s(0, decimal.c_str());
}

json_object *document_of(const skan::revenue_table &revenue) {
    if (revenue.empty()) return nullptr;
    json_object *document = json_object_new_object();
    for (const auto &[currency, amount] : revenue) json_object_object_add(document, currency.c_str(), exact(amount));
    return document;
}

using members = std::vector<std::pair<std::string, json_object *>>;

json_object *document_of(const members &members) {
    json_object *document = json_object_new_object();
    for (const auto &[key, value] : members) json_object_object_add(document, key.c_str(), value);
    return document;
}

json_object *document_of(const skan::update &update);
json_object *document_of(const skan::reengagement &one);

template <typename Value> json_object *document_of(const std::optional<Value> &value) {
    return value ? document_of(*value) : nullptr;
}

template <typename List> json_object *list_of(const List &list) {
    json_object *document = json_object_new_array();
    for (const auto &each : list) json_object_array_add(document, document_of(each));
    return document;
}

json_object *document_of(const std::vector<skan::reengagement> &list) {
    return list_of(list);
}

json_object *document_of(const skan::update &update) {
    return document_of(members{{"id", document_of(static_cast<std::int64_t>(update.id))},
                               {"window", document_of(update.window)},
                               {"fine_value", document_of(update.fine_value)},
                               {"coarse_value", document_of(update.coarse_value)},
                               {"lock_window", document_of(update.lock_window)},
                               {"timestamp", document_of(update.timestamp)}});
}

json_object *document_of(const skan::reengagement::sums &sums) {
    return document_of(members{{"iap", exact(sums.iap)}, {"ad", exact(sums.ad)}});
}

json_object *document_of(const skan::reengagement &one) {
    members events;
    for (const auto &[name, count] : one.events) events.emplace_back(name, document_of(count));
    return document_of(members{
        {"number", document_of(std::int64_t{one.number})},
        {"tag", document_of(one.tag)},
        {"open_id", document_of(one.open_id)},
        {"reference", document_of(one.reference)},
        {"start", document_of(one.start)},
        {"ended", document_of(one.ended)},
        {"model", document_of(one.model)},
        {"window", document_of(one.window)},
        {"sessions", document_of(one.sessions)},
        {"events", document_of(events)},
        {"revenue", document_of(members{{"conversion", document_of(one.revenue.conversion)},
                                        {"window", document_of(one.revenue.window)}})},
        {"fine_value", document_of(one.fine_value)},
        {"coarse_value", list_of(one.coarse_value)},
        {"window_lock", list_of(one.window_lock)},
        {"update", document_of(one.update)},
        {"delivered", document_of(one.delivered)}});
}

json_object *document_of(const skan::details &details, std::uint32_t protocol) {
    members all = {
        {protocol == 3 ? "skan_conversion_value" : "skan_current_conversion_value", document_of(details.fine_value)}};
    if (protocol != 3) all.emplace_back("prev_fine_value", document_of(details.previous_fine_value));
    all.emplace_back("skan_first_call_to_skadnetwork_timestamp", document_of(details.first_timestamp));
    all.emplace_back("skan_last_call_to_skadnetwork_timestamp", document_of(details.last_timestamp));
    all.emplace_back("skan_total_revenue_by_currency", document_of(details.iap_revenue));
    if (protocol == 3) return document_of(all);
    all.emplace_back("skan_total_admon_revenue_by_currency", document_of(details.ad_revenue));
    const auto add = [&](const char *key, const auto member) {
        for (std::size_t i = 0; i < details.windows.size(); i++)
            all.emplace_back("p" + std::to_string(i) + key, document_of(details.windows[i].*member));
    };
    add("_coarse", &skan::window_details::coarse_value);
    add("_window_lock", &skan::window_details::lock_timestamp);
    add("_prev_coarse_value", &skan::window_details::previous_coarse_value);
    add("_total_iap_revenue", &skan::window_details::iap_revenue);
    add("_total_admon_revenue", &skan::window_details::ad_revenue);
    if (!details.reengagements.empty()) all.emplace_back("reengagements", document_of(details.reengagements));
    return document_of(all);
}

class run {
public:
    explicit run(const engine_of_trace &of) : of_(of) {
        if (of.how == ON_HOST_STORE) store_ = std::make_shared<memory_store>();
        if (of.how == TOGETHER) store_ = std::make_shared<plural_store>();
        for (std::size_t i = 0; of.models && i < json_object_array_length(of.models); i++)
            models_.emplace_back(json_object_get_string(json_object_array_get_idx(of.models, i)));
        open(of.listed, of.reengagement_listed);
    }

    /* What the members say is the whole document. */
    std::string details_of(const char *install) {
        const skan::details details = engine_->details(install);
        EXPECT_TEXT(details.json.c_str(), printed(document_of(details, of_.protocol)).c_str());
        return details.json;
    }

    json_object *call(const std::string &name, json_object *op, std::string &message) {
        const auto found = calls().find(name);
        if (found == calls().end()) return nullptr;
        asked_.clear();
        try {
            return (this->*found->second)(op, message);
        } catch (const skan::error &error) {
            message = error.what();
            json_object *answer = status_answer(error.status());
            return asked_.empty() || name == "update_all" ? answer : with_text(answer, "url", asked_);
        }
    }

private:
    std::vector<skan::model> chosen(json_object *numbers) const {
        std::vector<skan::model> models;
        for (std::size_t i = 0; numbers && i < json_object_array_length(numbers); i++)
            models.push_back(
                models_[static_cast<std::size_t>(json_object_get_int(json_object_array_get_idx(numbers, i)))]);
        return models;
    }

    void open(json_object *listed, json_object *reengagement_listed) {
        skan::options options;
        options.protocol = of_.protocol;
        options.store = store_;
        options.clock = skan::make_clock([this] { return microseconds_; });
        options.endpoint_url = ENDPOINT;
        options.sdk_key = "sdk_key_here";
        options.bundle_id = "com.example.game";
        options.app_version = "1.2.3";
        options.models = chosen(listed);
        options.reengagement_models = chosen(reengagement_listed);
        if (of_.credits_newest) options.reengagement_credit = skan::reengagement_credit::newest;
        options.reengagement_cooldown_hours = of_.cooldown_hours;
        if (of_.has_transport || (of_.how == TOGETHER && options.models.empty() && !reengagement_listed))
            options.transport = skan::make_transport([this](const std::string &url) {
                asked_ = url;
                if (!member(body_, "body") && !member(body_, "body_b64"))
                    throw skan::error(SKAN_ERROR_TRANSPORT, "no answer");
                return body_of(body_);
            });
        engine_.reset();
        engine_ = std::make_unique<skan::engine>(options);
        newest_ticket_ = 0;
    }

    json_object *now(json_object *op, std::string &) {
        microseconds_ = member_number(op, "t", 0) * 1000000;
        return json_object_new_object();
    }

    json_object *reopen(json_object *op, std::string &) {
        microseconds_ += 1000;
        json_object *listed = member(op, "models"), *reengagement_listed = member(op, "reengagement_models");
        if (of_.how != IN_MEMORY)
            open(listed ? listed : of_.listed, reengagement_listed ? reengagement_listed : of_.reengagement_listed);
        return status_answer(SKAN_OK);
    }

    json_object *register_install(json_object *op, std::string &) {
        return answer_of(engine_->register_install(install_of(op), {member_number(op, "first_launch", 0),
                                                                    member_flag(op, "begins_again"),
                                                                    member_flag(op, "keeps_revenue")}));
    }

    /* An amount for a re-engagement is the only one of its call. */
    json_object *revenue(json_object *op, std::string &message) {
        const skan::revenue item = item_of(op);
        if (!item.reengagement)
            return answer_of(engine_->update_revenue(item.install_id, item.amount, item.currency, item.kind,
                                                     item.event_id));
        const skan::many_result result = engine_->update_revenue_many({item});
        message = told(result);
        return status_answer(result.statuses.at(0));
    }

    static skan::amount amount_of(json_object *op) {
        if (const auto exact = optional_text(op, "amount_text")) return *exact;
        return json_object_get_double(member(op, "amount"));
    }

    static skan::revenue_kind kind_of(json_object *op) {
        return member_flag(op, "ad_monetization") ? skan::revenue_kind::ad : skan::revenue_kind::iap;
    }

    static skan::revenue item_of(json_object *op) {
        return {install_of(op), amount_of(op), text(op, "currency"), kind_of(op), optional_text(op, "event_id"),
                static_cast<std::uint32_t>(member_number(op, "reengagement", 0))};
    }

    /* The message of the first item that failed. */
    static std::string told(const skan::many_result &result) {
        try {
            if (!result) std::rethrow_exception(result.error);
        } catch (const skan::error &error) {
            return error.what();
        }
        return "";
    }

    json_object *revenue_many(json_object *op, std::string &message) {
        std::vector<skan::revenue> items;
        json_object *given = member(op, "items"), *statuses = json_object_new_array();
        for (std::size_t i = 0; i < json_object_array_length(given); i++)
            items.push_back(item_of(json_object_array_get_idx(given, i)));
        const skan::many_result result = engine_->update_revenue_many(items);
        for (const skan_status status : result.statuses) {
            json_object *single = status_answer(status);
            json_object_array_add(statuses, json_object_get(member(single, "status")));
            json_object_put(single);
        }
        message = told(result);
        const auto failed = std::find_if(result.statuses.begin(), result.statuses.end(),
                                         [](skan_status status) { return status >= SKAN_ERROR_INVALID_ARGUMENT; });
        EXPECT(static_cast<bool>(result) == (failed == result.statuses.end()), "the result is not that of the items");
        json_object *answer = status_answer(result ? SKAN_OK : *failed);
        json_object_object_add(answer, "statuses", statuses);
        return answer;
    }

    json_object *request(json_object *op, std::string &) {
        const skan::event event(optional_text(op, "event"), std::nullopt, device);
        const skan::request request = engine_->conversion_request(install_of(op), event);
        const bool is_ok = request.outcome == skan::outcome::ok;
        EXPECT(static_cast<bool>(request) == is_ok, "a request is true where it is ok");
        if (!request) {
            EXPECT(request.url.empty() && request.ticket == 0, "a refused request gives a URL or a ticket");
            return answer_of(request.outcome);
        }
        EXPECT(request.ticket > newest_ticket_ && static_cast<std::int64_t>(request.ticket) >= microseconds_,
               "a ticket that is not newer");
        newest_ticket_ = tickets_[std::string(text(op, "ticket"))] = request.ticket;
        return with_text(answer_of(request.outcome), "url", request.url);
    }

    json_object *apply(json_object *op, std::string &) {
        const auto ticket = tickets_.find(std::string(optional_text(op, "ticket").value_or("")));
        return answer_of(engine_->apply_response(install_of(op), {}, ticket == tickets_.end() ? 0 : ticket->second,
                                                 body_of(op)));
    }

    /* The event of an operation, with the money that came with it. */
    static skan::event event_of(json_object *op, std::uint32_t reengagement) {
        skan::event event(optional_text(op, "event"), optional_text(op, "event_id"), device);
        event.reengagement = reengagement;
        if (member(op, "amount")) {
            event.amount = amount_of(op);
            event.currency = text(op, "currency");
            event.kind = kind_of(op);
        }
        return event;
    }

    /* By the install's model, or by the endpoint, whose answer is the operation's body. */
    json_object *update(json_object *op, std::string &) {
        body_ = op;
        const skan::event event = event_of(op, of_.reengagement_listed ? skan::install_alone : 0);
        json_object *answer = answer_of(engine_->update_conversion_values(install_of(op), event));
        return asked_.empty() ? answer : with_text(answer, "url", asked_);
    }

    json_object *update_all(json_object *op, std::string &) {
        body_ = op;
        const skan::event event = event_of(op, static_cast<std::uint32_t>(member_number(op, "reengagement", 0)));
        const skan::result result = engine_->update_conversion_values(install_of(op), event);
        asked_.clear();
        return answer_of(result.outcome);
    }

    json_object *reengage(json_object *op, std::string &) {
        skan::reengagement_report report;
        report.open_id = optional_text(op, "open_id");
        report.tag = optional_text(op, "tag").value_or("");
        report.reference = optional_text(op, "reference").value_or("");
        report.opened_at = member_number(op, "opened_at", 0);
        report.is_started = member_flag(op, "is_started");
        report.is_overlapping = member_flag(op, "is_overlapping");
        if (member(op, "os_version")) report.device = device_of(op);
        const skan::reengaged result = engine_->reengage(install_of(op), report);
        json_object *answer = answer_of(result.outcome);
        if (result.number) json_object_object_add(answer, "number", json_object_new_int64(result.number));
        return answer;
    }

    static skan::device device_of(json_object *op) {
        return {std::string(optional_text(op, "os_version").value_or(""))};
    }

    /* A call as C has it, for what the runners share. */
    static skan_call native_of(const skan::app_call &call) {
        skan_call native = {};
        native.size = sizeof native;
        native.id = call.id;
        native.conversion = call.conversion;
        native.framework = static_cast<std::int32_t>(call.framework);
        native.conversion_type = static_cast<std::int32_t>(call.conversion_type);
        native.window = call.window;
        native.fine_value = call.fine_value;
        native.coarse_value = call.coarse_value ? static_cast<std::int32_t>(*call.coarse_value) : SKAN_COARSE_NONE;
        native.lock_window = call.lock_window;
        native.timestamp = call.timestamp;
        native.valid_until = call.valid_until;
        call.tag.value_or("").copy(native.tag, SKAN_TAG_MAX);
        return native;
    }

    json_object *pending_calls(json_object *op, std::string &) {
        const skan::calls found = engine_->pending_calls(install_of(op), device_of(op));
        json_object *answer = answer_of(found.outcome), *list = json_object_new_array();
        for (const skan::app_call &each : found.list) {
            const skan_call native = native_of(each);
            json_object_array_add(list, call_answer(&native));
        }
        json_object_object_add(answer, "calls", list);
        return answer;
    }

    json_object *acknowledge_calls(json_object *op, std::string &) {
        std::vector<std::pair<std::uint64_t, skan::call_result>> results;
        json_object *given = member(op, "results");
        for (std::size_t i = 0; i < json_object_array_length(given); i++) {
            json_object *each = json_object_array_get_idx(given, i);
            results.emplace_back(static_cast<std::uint64_t>(member_number(each, "id", 0)),
                                 static_cast<skan::call_result>(call_result(member_text(each, "result"))));
        }
        engine_->acknowledge_calls(install_of(op), results);
        return status_answer(SKAN_OK);
    }

    json_object *end(json_object *op, std::string &) {
        return answer_of(
            engine_->end_reengagement(install_of(op), static_cast<std::uint32_t>(member_number(op, "number", 0))));
    }

    json_object *reengagements(json_object *op, std::string &) {
        return with_text(status_answer(SKAN_OK), "json", printed(document_of(engine_->reengagements(install_of(op)))));
    }

    json_object *explain_reengagement(json_object *op, std::string &message) {
        if (member_number(op, "number", 0) == 0) return status_answer(SKAN_ERROR_INVALID_ARGUMENT); /* the install */
        return explain(op, message);
    }

    json_object *explain(json_object *op, std::string &) {
        const auto number = static_cast<std::uint32_t>(member_number(op, "number", 0));
        const skan::explanation found = engine_->explanation(install_of(op), number);
        json_object *answer = answer_of(found.outcome);
        return found ? with_text(answer, "json", found.json) : answer;
    }

    json_object *decode(json_object *op, std::string &) {
        const skan::model &model = models_[static_cast<std::size_t>(member_number(op, "model", 0))];
        std::optional<skan::coarse_value> coarse;
        if (member(op, "coarse")) coarse = static_cast<skan::coarse_value>(member_number(op, "coarse", 0));
        const auto found = model.decode(*optional_number(op, "window"), optional_number(op, "fine"), coarse);
        json_object *answer = json_object_new_object();
        return found ? with_text(answer, "json", *found) : answer;
    }

    json_object *model(json_object *op, std::string &) {
        (void)skan::model(body_of(op));
        return status_answer(SKAN_OK);
    }

    json_object *pending(json_object *op, std::string &) {
        const skan::calls found = engine_->pending_calls(install_of(op));
        std::vector<skan_call> natives;
        for (const skan::app_call &each : found.list) natives.push_back(native_of(each));
        return pending_answer(static_cast<skan_status>(found.outcome), natives.data(), natives.size());
    }

    json_object *acknowledge(json_object *op, std::string &) {
        const auto id = static_cast<std::uint64_t>(member_number(op, "id", 0));
        const bool is_delivered = member_flag(op, "delivered");
        const auto result = is_delivered ? skan::call_result::delivered : skan::call_result::failed;
        engine_->acknowledge_calls(install_of(op), {{id, result}});
        return status_answer(SKAN_OK);
    }

    json_object *metadata(json_object *op, std::string &) {
        return with_text(status_answer(SKAN_OK), "query", engine_->metadata(install_of(op)));
    }

    json_object *details(json_object *op, std::string &) {
        return status_answer(engine_->details(install_of(op)).json.empty() ? SKAN_NOT_FOUND : SKAN_OK);
    }

    json_object *import(json_object *op, std::string &) {
        return answer_of(engine_->import_details(install_of(op), body_of(op)));
    }

    json_object *forget(json_object *op, std::string &) {
        engine_->forget(install_of(op));
        return status_answer(SKAN_OK);
    }

    json_object *rename(json_object *op, std::string &) {
        return status_answer(static_cast<skan_status>(engine_->rename(install_of(op), member_text(op, "to"))));
    }

    using operation = json_object *(run::*)(json_object *op, std::string &message);
    static const std::map<std::string, operation> &calls() {
        static const std::map<std::string, operation> all = {
            {"now", &run::now},           {"register", &run::register_install},
            {"revenue", &run::revenue},   {"revenue_many", &run::revenue_many},
            {"request", &run::request},   {"apply", &run::apply},
            {"convert", &run::update},    {"update", &run::update},
            {"explain", &run::explain},   {"decode", &run::decode},
            {"model", &run::model},       {"pending", &run::pending},
            {"metadata", &run::metadata}, {"acknowledge", &run::acknowledge},
            {"details", &run::details},   {"import", &run::import},
            {"forget", &run::forget},     {"reopen", &run::reopen},
            {"reengage", &run::reengage}, {"update_all", &run::update_all},
            {"calls", &run::pending_calls}, {"acknowledge_calls", &run::acknowledge_calls},
            {"end", &run::end},           {"reengagements", &run::reengagements},
            {"explain_reengagement", &run::explain_reengagement},
            {"rename", &run::rename}};
        return all;
    }

    const engine_of_trace of_;
    std::int64_t microseconds_ = 0;
    std::shared_ptr<skan::store> store_;
    std::vector<skan::model> models_;
    json_object *body_ = nullptr; /* the operation that has what the transport answers, */
    std::string asked_;           /* and the URL that it was asked for */
    std::unique_ptr<skan::engine> engine_;
    std::map<std::string, std::uint64_t> tickets_;
    std::uint64_t newest_ticket_ = 0;
};

} // namespace

int main(int count, char **arguments) {
    const language cpp = {
        [](const engine_of_trace *of) -> void * { return new run(*of); },
        [](void *context) { delete static_cast<run *>(context); },
        [](void *context, const char *name, json_object *op, char **message) {
            std::string text;
            json_object *answer = static_cast<run *>(context)->call(name, op, text);
            *message = strdup(text.c_str());
            return answer;
        },
        [](void *context, const char *install) {
            return strdup(static_cast<run *>(context)->details_of(install).c_str());
        }};
    return run_vectors(count, arguments, &cpp);
}
