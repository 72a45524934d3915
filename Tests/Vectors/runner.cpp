/*
 * Runs the traces of Tests/Vectors through skan.hpp and compares every step, field by field:
 *   vectors skan4.jsonl skan3.jsonl ...
 */
#include "memory_store.hpp"
#include "support.h"
#include "trace.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

namespace {

const std::string install = "install-1";
const skan::device device = {"16.1", "21DB6612-09B3-4ECC-84AC-B353B0AF1334", "DFC5A647-9043-4699-B2A5-76F03A97064B"};

std::size_t *steps_run;

std::string owned(char *text) {
    std::string copy = text ? text : "";
    std::free(text);
    return copy;
}

std::optional<std::string_view> optional_text(json_object *object, const char *key) {
    json_object *value = member(object, key);
    if (!value) return std::nullopt;
    return std::string_view(json_object_get_string(value), static_cast<std::size_t>(json_object_get_string_len(value)));
}

std::string_view text(json_object *object, const char *key) {
    return optional_text(object, key).value();
}

std::optional<int> optional_number(json_object *object, const char *key) {
    json_object *value = member(object, key);
    if (!value) return std::nullopt;
    return json_object_get_int(value);
}

/* How a call of the C++ interface ended, as a status, and its message. */
struct ending {
    skan_status status;
    std::string message;
};

template <typename Call> ending ending_of(Call call) {
    try {
        return {static_cast<skan_status>(call()), ""};
    } catch (const skan::error &error) {
        return {error.status(), error.what()};
    }
}

class run {
public:
    explicit run(const trace &trace)
        : trace_(trace),
          store_(std::make_shared<memory_store>()),
          details_(empty_details(trace.protocol)) {
        before_.reset(details_);
        open();
    }

    void step(json_object *op, json_object *expected) {
        const std::string name(text(op, "op"));
        const auto found = steps().find(name);
        if (!EXPECT(found != steps().end(), "no such operation: %s", name.c_str())) return;
        (this->*found->second)(op, expected);
        expect_details(expected);
    }

private:
    void open() {
        skan::options options;
        options.protocol = static_cast<unsigned>(trace_.protocol);
        options.store = store_;
        options.clock = skan::make_clock([this] { return microseconds_; });
        options.sdk_key = "sdk_key_here";
        options.bundle_id = "com.example.game";
        options.app_version = "1.2.3";
        engine_ = std::make_unique<skan::engine>(options);
        newest_ticket_ = 0;
    }

    void now(json_object *op, json_object *) { microseconds_ = json_object_get_int64(member(op, "t")) * 1000000; }

    void reopen(json_object *, json_object *) {
        microseconds_ += 1000;
        engine_.reset();
        open();
    }

    void register_install(json_object *, json_object *expected) {
        expect_result(expected, [&] { return engine_->register_install(install); }, true);
    }

    void revenue(json_object *op, json_object *expected) {
        expect_result(expected, [&] {
            return engine_->update_revenue(install, json_object_get_double(member(op, "amount")), text(op, "currency"),
                                           json_object_get_boolean(member(op, "ad_monetization")),
                                           optional_text(op, "event_id"));
        });
    }

    void request(json_object *op, json_object *expected) {
        skan::request request;
        const ending ended = ending_of([&] {
            request = engine_->conversion_request(install, optional_text(op, "event"), device);
            return request.outcome;
        });
        expect_ending(expected, ended);
        EXPECT(static_cast<bool>(request) == (request.outcome == skan::outcome::ok),
               "a request is true where it is ok");
        if (ended.status != SKAN_OK) {
            EXPECT(request.url.empty() && request.ticket == 0, "a refused request gives nothing");
            return;
        }
        const std::string url = "https://sdk-api-v1.singular.net" + std::string(text(expected, "path")) + "?" +
                                owned(encoded_query(member(expected, "query")));
        EXPECT_TEXT(url.c_str(), request.url.c_str());
        EXPECT(request.ticket > newest_ticket_, "tickets grow");
        EXPECT(static_cast<std::int64_t>(request.ticket) >= microseconds_, "tickets are not below the clock");
        newest_ticket_ = request.ticket;
        tickets_[std::string(text(op, "ticket"))] = request.ticket;
    }

    void apply(json_object *op, json_object *expected) {
        std::size_t length = 0;
        const std::unique_ptr<void, decltype(&std::free)> body(step_body(op, &length), &std::free);
        const auto ticket = tickets_.find(std::string(optional_text(op, "ticket").value_or("")));
        expect_result(
            expected,
            [&] {
                return engine_->apply_response(install, ticket == tickets_.end() ? 0 : ticket->second,
                                               std::string_view(static_cast<const char *>(body.get()), length));
            },
            true);
    }

    void pending(json_object *, json_object *expected) {
        expect_result(expected, [&] { return engine_->pending_update(install); });
    }

    void acknowledge(json_object *op, json_object *expected) {
        expect_ending(expected, ending_of([&] {
                          engine_->acknowledge_update(
                              install, static_cast<std::uint64_t>(json_object_get_int64(member(op, "id"))),
                              json_object_get_boolean(member(op, "delivered")));
                          return SKAN_OK;
                      }));
    }

    void metadata(json_object *, json_object *expected) {
        const std::string query = engine_->metadata(install);
        EXPECT_TEXT(owned(encoded_query(member(expected, "query"))).c_str(), query.c_str());
    }

    void details(json_object *, json_object *expected) {
        expect_ending(expected,
                      ending_of([&] { return engine_->details(install).empty() ? SKAN_NOT_FOUND : SKAN_OK; }));
    }

    void import(json_object *op, json_object *expected) {
        expect_result(expected, [&] { return engine_->import_details(install, text(op, "body")); });
    }

    void forget(json_object *, json_object *expected) {
        expect_ending(expected, ending_of([&] {
                          engine_->forget(install);
                          return SKAN_OK;
                      }));
    }

    using operation = void (run::*)(json_object *, json_object *);
    static const std::map<std::string, operation> &steps() {
        static const std::map<std::string, operation> all = {
            {"now", &run::now},           {"register", &run::register_install},
            {"revenue", &run::revenue},   {"request", &run::request},
            {"apply", &run::apply},       {"pending", &run::pending},
            {"metadata", &run::metadata}, {"acknowledge", &run::acknowledge},
            {"details", &run::details},   {"import", &run::import},
            {"forget", &run::forget},     {"reopen", &run::reopen}};
        return all;
    }

    void expect_ending(json_object *expected, const ending &came) {
        const std::string status(text(expected, "status"));
        EXPECT(status == short_name(came.status), "expected %s, came %s: %s", status.c_str(), short_name(came.status),
               came.message.c_str());
        const auto reason = optional_text(expected, "reason");
        if (reason && reason->empty()) /* the answer gave none */
            EXPECT(came.message.find("neither a value nor a reason") != std::string::npos, "%s", came.message.c_str());
        else if (reason)
            EXPECT_TEXT(std::string(*reason).c_str(), came.message.c_str());
    }

    void expect_result(json_object *expected, const std::function<skan::result()> &call, bool decided_now = false) {
        skan::result result;
        expect_ending(expected, ending_of([&] {
                          result = call();
                          return result.outcome;
                      }));
        json_object *update = member(expected, "update");
        if (!EXPECT(result.update.has_value() == (update != nullptr), "%s update was expected", update ? "an" : "no") ||
            !update)
            return;
        if (decided_now) last_update_timestamp_ = microseconds_ / 1000000;
        EXPECT_NUMBER(json_object_get_int64(member(update, "id")), result.update->id);
        EXPECT_NUMBER(json_object_get_int(member(update, "window")), result.update->window);
        EXPECT_NUMBER(optional_number(update, "fine_value").value_or(-1), result.update->fine_value.value_or(-1));
        EXPECT_NUMBER(optional_number(update, "coarse_value").value_or(-1), result.update->coarse_value.value_or(-1));
        EXPECT_NUMBER(json_object_get_boolean(member(update, "lock_window")), result.update->lock_window);
        EXPECT_NUMBER(last_update_timestamp_, result.update->timestamp);
    }

    void expect_details(json_object *expected) {
        if (json_object *after = member(expected, "details")) details_ = after;
        const std::string came = engine_->details(install);
        char *difference = nullptr;
        if (!is_details(details_, came.c_str(), &difference)) EXPECT_TEXT(owned(difference).c_str(), came.c_str());
    }

    struct put {
        void operator()(json_object *object) const { json_object_put(object); }
    };

    const trace &trace_;
    std::int64_t microseconds_ = 0;
    std::shared_ptr<memory_store> store_;
    std::unique_ptr<skan::engine> engine_;
    std::unique_ptr<json_object, put> before_;
    json_object *details_;
    std::map<std::string, std::uint64_t> tickets_;
    std::uint64_t newest_ticket_ = 0;
    std::int64_t last_update_timestamp_ = 0;
};

void run_trace(const void *subject) {
    const trace &trace = *static_cast<const ::trace *>(subject);
    run run(trace);
    for (std::size_t i = 0; i < json_object_array_length(trace.steps); i++) {
        json_object *step = json_object_array_get_idx(trace.steps, i);
        in_round("step %zu %s", i, json_object_to_json_string(member(step, "op")));
        run.step(member(step, "op"), member(step, "expect"));
        ++*steps_run;
    }
}

} // namespace

int main(int count, char **paths) {
    if (count < 2) {
        std::fprintf(stderr, "usage: %s vectors.jsonl ...\n", paths[0]);
        return 2;
    }
    steps_run = static_cast<std::size_t *>(shared_memory(sizeof *steps_run));
    bool complete = true;
    for (int i = 1; i < count; i++) {
        trace_file file = trace_file_read(paths[i]);
        *steps_run = 0;
        for (std::size_t j = 0; j < file.count; j++) run_case(file.traces[j].id, run_trace, &file.traces[j]);
        complete = complete && EXPECT_NUMBER(file.steps, *steps_run);
        std::printf("%s: %zu traces, %zu steps\n", paths[i], file.count, file.steps);
        trace_file_end(&file);
    }
    const int status = finish_cases();
    return complete ? status : 1;
}
