/*
 * Runs Tests/Vectors/models through skan.hpp, and what is C++'s own of conversion models:
 *   vectors TOP invalid.jsonl told.jsonl random.jsonl ...
 */
#include "Hosts/Cpp/memory_store.hpp"
#include "support.h"
#include "trace.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace {

const std::string install = "install-1";
std::string top;
std::size_t *steps_run;

std::string file_text(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
        std::exit(2);
    }
    return text.str();
}

std::optional<std::string_view> text(json_object *object, const char *key) {
    json_object *value = member(object, key);
    if (!value) return std::nullopt;
    return std::string_view(json_object_get_string(value), static_cast<std::size_t>(json_object_get_string_len(value)));
}

std::optional<int> number(json_object *object, const char *key) {
    json_object *value = member(object, key);
    if (!value) return std::nullopt;
    return json_object_get_int(value);
}

skan::model model_of(json_object *json) {
    if (const auto document = text(json, "document")) return skan::model(*document);
    return skan::model(file_text(top + "/" + member_text(json, "file")));
}

class run {
public:
    explicit run(const trace &trace) : trace_(trace), store_(std::make_shared<memory_store>()) {
        json_object *models = member(trace.line, "models");
        for (std::size_t i = 0; i < json_object_array_length(models); i++)
            models_.push_back(model_of(json_object_array_get_idx(models, i)));
        open(member(trace.line, "listed"));
        details_ = engine_->details(install);
    }

    void step(json_object *op, json_object *expected) {
        take(op, expected);
        if (const auto details = text(expected, "details")) details_ = *details;
        EXPECT_TEXT(details_.c_str(), engine_->details(install).c_str());
    }

private:
    void open(json_object *listed) {
        skan::options options;
        options.protocol = static_cast<unsigned>(trace_.protocol);
        options.store = store_;
        options.clock = skan::make_clock([this] { return seconds_ * 1000000; });
        for (std::size_t i = 0; i < json_object_array_length(listed); i++)
            options.models.push_back(
                models_[static_cast<std::size_t>(json_object_get_int(json_object_array_get_idx(listed, i)))]);
        engine_ = std::make_unique<skan::engine>(options);
    }

    void take(json_object *op, json_object *expected) {
        const std::string name(*text(op, "op"));
        if (name == "now") {
            seconds_ = json_object_get_int64(member(op, "t"));
        } else if (name == "reopen") {
            open(member(op, "models"));
        } else if (name == "decode") {
            const skan::model &model = models_[static_cast<std::size_t>(*number(op, "model"))];
            expect_document(expected, model.decode(*number(op, "window"), number(op, "fine"), number(op, "coarse")));
        } else if (name == "explain") {
            std::optional<std::string> json;
            expect_ending(expected, [&] {
                skan::explanation explanation = engine_->explain(install);
                if (explanation) json = explanation.json;
                return explanation.outcome;
            });
            expect_document(expected, json);
        } else {
            skan::result result;
            expect_ending(expected, [&] {
                result = answer(name, op);
                return result.outcome;
            });
            expect_update(member(expected, "update"), result.update);
        }
    }

    skan::result answer(const std::string &name, json_object *op) {
        if (name == "register") return engine_->register_install(install);
        if (name == "update")
            return engine_->update_conversion_values(install, text(op, "event"), text(op, "event_id"));
        if (name == "revenue")
            return engine_->update_revenue(install, std::strtod(member_text(op, "amount"), nullptr),
                                           *text(op, "currency"),
                                           json_object_get_boolean(member(op, "ad_monetization")), std::nullopt);
        if (name == "import") return engine_->import_details(install, *text(op, "body"));
        EXPECT(name == "forget", "no such operation: %s", name.c_str());
        engine_->forget(install);
        return {};
    }

    template <typename Call> void expect_ending(json_object *expected, Call call) {
        skan_status status = SKAN_OK;
        try {
            status = static_cast<skan_status>(call());
        } catch (const skan::error &error) {
            status = error.status();
        }
        EXPECT_TEXT(member_text(expected, "status"), short_name(status));
    }

    void expect_document(json_object *expected, const std::optional<std::string> &came) {
        const auto json = text(expected, "json");
        if (EXPECT(json.has_value() == came.has_value(), "a document, or none") && json)
            EXPECT_TEXT(std::string(*json).c_str(), came->c_str());
    }

    void expect_update(json_object *expected, const std::optional<skan::update> &came) {
        if (!EXPECT((expected != nullptr) == came.has_value(), "an update, or none") || !came) return;
        EXPECT_NUMBER(json_object_get_int64(member(expected, "id")), came->id);
        EXPECT_NUMBER(*number(expected, "window"), came->window);
        EXPECT_NUMBER(number(expected, "fine_value").value_or(-1), came->fine_value.value_or(-1));
        EXPECT_NUMBER(number(expected, "coarse_value").value_or(-1), came->coarse_value.value_or(-1));
        EXPECT_NUMBER(json_object_get_boolean(member(expected, "lock_window")), came->lock_window);
        json_object *timestamp = member(expected, "timestamp");
        EXPECT_NUMBER(timestamp ? json_object_get_int64(timestamp) : seconds_, came->timestamp);
    }

    const trace &trace_;
    std::shared_ptr<memory_store> store_;
    std::vector<skan::model> models_;
    std::unique_ptr<skan::engine> engine_;
    std::int64_t seconds_ = 0;
    std::string details_;
};

void run_trace(const void *subject) {
    const trace &told = *static_cast<const trace *>(subject);
    run run(told);
    for (std::size_t i = 0; i < json_object_array_length(told.steps); i++) {
        json_object *step = json_object_array_get_idx(told.steps, i);
        in_round("step %zu %s", i, json_object_to_json_string(member(step, "op")));
        run.step(member(step, "op"), member(step, "expect"));
        ++*steps_run;
    }
}

void refuse_document(const void *subject) {
    json_object *line = static_cast<const trace *>(subject)->line;
    std::size_t length = 0;
    void *body = step_body(line, &length);
    const std::string start = "model at \"" + std::string(*text(line, "place")) + "\": ";
    try {
        skan::model taken(std::string_view(static_cast<const char *>(body), length));
        EXPECT(false, "the document is taken");
    } catch (const skan::error &error) {
        EXPECT_STATUS(SKAN_ERROR_INVALID_DOCUMENT, error.status());
        EXPECT(std::string_view(error.what()).substr(0, start.size()) == start, "%s", error.what());
        EXPECT(std::strstr(error.what(), member_text(line, "reason")) != nullptr, "%s", error.what());
    }
    std::free(body);
}

template <typename Call> skan_status status_of(Call call) {
    try {
        call();
        return SKAN_OK;
    } catch (const skan::error &error) {
        return error.status();
    }
}

void models_are_shared(const void *) {
    skan::options options;
    std::string version;
    {
        const skan::model model(file_text(top + "/Sources/SKANModels/mixed.json"));
        const skan::model copy = model;
        EXPECT(copy.version() == model.version(), "a copy has another version");
        EXPECT_NUMBER(64, copy.version().size());
        version = copy.version();
        options.models = {copy};
    }
    skan::engine engine(options);
    options.models.clear();
    EXPECT(bool(engine.register_install(install)), "registered");
    skan::explanation explanation = engine.explain(install);
    EXPECT(explanation && explanation.json.find(version) != std::string::npos, "%s", explanation.json.c_str());
    EXPECT(!engine.explain("nobody"), "an unknown install has an explanation");
    EXPECT_STATUS(SKAN_ERROR_MISUSE, status_of([] { (void)skan::engine().explain(install); }));
}

void what_is_no_value_is_refused(const void *) {
    const skan::model model(file_text(top + "/Sources/SKANModels/mixed.json"));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, status_of([&] { (void)model.decode(3, 1); }));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, status_of([&] { (void)model.decode(0, -1); }));
    for (const int number : {-1, -2, 64, INT_MIN, INT_MAX}) {
        try {
            (void)model.decode(0, number);
            EXPECT(false, "%d was taken", number);
        } catch (const skan::error &error) {
            EXPECT_TEXT(("fine: expected 0 to 63, got " + std::to_string(number)).c_str(), error.what());
        }
    }
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, status_of([&] { (void)model.decode(0, std::nullopt); }));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, status_of([&] { (void)model.decode(0, 1, -1); }));
    EXPECT(!model.decode(1, 1), "a fine value in window 1");
    skan::model empty = model;
    const skan::model moved = std::move(empty);
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, status_of([&] { (void)empty.decode(0, 1); }));
    EXPECT(empty.version().empty(), "a moved-from model has a version");
}

} // namespace

int main(int count, char **arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: %s TOP FILE.jsonl ...\n", arguments[0]);
        return 2;
    }
    top = arguments[1];
    steps_run = static_cast<std::size_t *>(shared_memory(sizeof *steps_run));
    std::size_t steps = 0;
    for (int i = 2; i < count; i++) {
        trace_file file = trace_file_read(arguments[i]);
        for (std::size_t j = 0; j < file.count; j++)
            run_case(file.traces[j].id, file.steps > 0 ? run_trace : refuse_document, &file.traces[j]);
        steps += file.steps;
        trace_file_end(&file);
    }
    run_case("models are shared", models_are_shared, nullptr);
    run_case("what is no value is refused", what_is_no_value_is_refused, nullptr);
    const int status = finish_cases();
    return *steps_run == steps ? status : 1;
}
