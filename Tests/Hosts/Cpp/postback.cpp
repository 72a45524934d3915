/* Postbacks in C++: postbacks.json gets the stated results, and a receiver counts once.
 *   cpp postbacks.json */
#include "thrown.hpp"

#include <skan/postback.hpp>
#include <skan/sqlite.h>

#include <filesystem>
#include <json-c/json.h>

namespace {

json_object *document = nullptr;

json_object *field(json_object *object, const char *name) {
    json_object *value = nullptr;
    json_object_object_get_ex(object, name, &value);
    return value;
}

std::string text(json_object *object, const char *name) {
    return json_object_get_string(field(object, name));
}

skan::postback_keys keys_of(json_object *vector) {
    if (text(vector, "key").rfind("test-", 0) != 0) return {};
    const std::string p256 = text(field(document, "keys_spki_base64"), "test-p256");
    const std::string p192 = text(field(document, "keys_spki_base64"), "test-p192");
    return skan::postback_keys(
        {{"4.0", p256}, {"3.0", p256}, {"2.2", p256}, {"2.1", p256}, {"2.0", p192}, {"1.0", p192}});
}

void has_the_stated_result(const void *subject) {
    auto *vector = static_cast<json_object *>(const_cast<void *>(subject));
    const skan::postback postback = skan::verify_postback(text(vector, "postback"), keys_of(vector));
    EXPECT_TEXT(text(vector, "result").c_str(), std::string(postback.result_name()).c_str());
    EXPECT_TEXT(text(vector, "postback").c_str(), std::string(postback.body()).c_str());
    EXPECT(postback.is_respelled() == (field(vector, "respelled") != nullptr), "whether it is respelled");
    EXPECT((postback.canonical_body() == postback.body()) != postback.is_respelled(), "its canonical form");
    if (json_object *fields = field(vector, "signed")) {
        const std::vector<std::string_view> names = postback.signed_fields();
        EXPECT_NUMBER(json_object_array_length(fields), names.size());
        for (std::size_t i = 0; i < names.size(); i++)
            EXPECT(names[i] == json_object_get_string(json_object_array_get_idx(fields, i)), "field %zu", i);
        EXPECT(postback.fields().app_id && *postback.fields().app_id == 525463029, "the app id");
    }
    if (text(vector, "key") == "by kid") {
        EXPECT_NUMBER(SKAN_CONVERSION_REENGAGEMENT, postback.fields().conversion_type);
        EXPECT(postback.conversion_type_name() == "re-engagement", "its type");
    }
    EXPECT((postback.result() == SKAN_POSTBACK_MALFORMED) == !postback.key().has_value() ||
               postback.result() == SKAN_POSTBACK_UNVERIFIABLE,
           "its key");
    EXPECT(postback.json().find("\"result\":\"" + text(vector, "result") + "\"") != std::string::npos, "its JSON");
}

/* A file of a case's own. */
class scratch {
public:
    scratch() {
        if (!mkdtemp(folder_.data())) std::abort();
    }
    ~scratch() { std::filesystem::remove_all(folder_); }
    skan_store open() {
        skan_store store;
        ANSWER(SKAN_OK, skan_sqlite_store_open((folder_ + "/p.db").c_str(), nullptr, &store, &failure));
        return store;
    }

private:
    std::string folder_ = (std::filesystem::temp_directory_path() / "skan-cpp-XXXXXX").string();
};

CASE(a_receiver_counts_once) {
    scratch scratch;
    skan::postback_receiver receiver(scratch.open());
    const std::string body = text(json_object_array_get_idx(field(document, "postbacks"), 0), "postback");
    EXPECT_NUMBER(SKAN_POSTBACK_OTHER_NETWORK, receiver.receive(body, "another").outcome);
    EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, receiver.receive(body, "com.example").outcome);
    EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, receiver.receive(body).outcome);
    EXPECT_ERROR(SKAN_ERROR_LIMIT_EXCEEDED, receiver.receive(std::string(SKAN_POSTBACK_MAX + 1, ' ')));
}

CASE(only_what_is_ours_is_counted) {
    scratch scratch;
    const std::string body = text(json_object_array_get_idx(field(document, "postbacks"), 0), "postback");
    const struct {
        std::int64_t app;
        std::string network;
        int outcome;
    } cases[] = {{1, "com.example", SKAN_POSTBACK_OTHER_APP},
                 {525463029, "other", SKAN_POSTBACK_OTHER_NETWORK},
                 {525463029, "com.example", SKAN_POSTBACK_COUNTED}};
    skan::postback_receiver_options options;
    for (const auto &[app, network, outcome] : cases) {
        options.app_ids = {7, app};
        options.ad_networks = {"example.skadnetwork", network};
        EXPECT_NUMBER(outcome, skan::postback_receiver(scratch.open(), options).receive(body).outcome);
    }
    options.ad_networks = {std::string("com.example\0", 12)};
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, skan::postback_receiver(scratch.open(), options));
}

/* A re-engagement that Apple signed, with a development key that counts as any other here. */
CASE(reengagements_have_models_of_their_own) {
    const std::string key = text(field(document, "keys_spki_base64"), "apple-development-1");
    const std::string json = "{\"schema\":1,\"id\":\"m\",\"currency\":\"USD\",\"windows\":[{\"rules\":[{\"fine\":24,"
                             "\"when\":{}}]},{\"rules\":[]},{\"rules\":[]}]}";
    json_object *vectors = field(document, "postbacks");
    std::string body;
    for (std::size_t i = 0; i < json_object_array_length(vectors); i++) {
        json_object *vector = json_object_array_get_idx(vectors, i);
        if (text(vector, "key") == "by kid") body = text(vector, "postback");
    }
    skan_model *model = nullptr;
    ANSWER(SKAN_OK, skan_model_create(json.data(), json.size(), &model, &failure));
    for (const bool is_given : {false, true}) {
        scratch scratch;
        skan::postback_receiver_options options;
        options.keys = skan::postback_keys({{"apple-development-identifier/1", key}});
        options.models.push_back({0, model});
        if (is_given) options.reengagement_models.push_back({0, model});
        skan::postback_receiver receiver(scratch.open(), options);
        const skan_postback_receipt receipt = receiver.receive(body);
        EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, receipt.outcome);
        EXPECT_NUMBER(is_given ? SKAN_POSTBACK_DECODED : SKAN_POSTBACK_NOT_DECODED, receipt.decoding);
    }
    skan_model_destroy(model);
}

CASE(errors_are_exceptions) {
    const std::vector<skan::postback_key> wrong = {{"4.0", "none"}};
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, skan::postback_keys(wrong));
    const skan::postback postback = skan::verify_postback("{\"version\":\"4.0\"}");
    EXPECT(postback.problem_field() == "ad-network-id" && postback.problem() == "is missing", "its problem");
}

} // namespace

int main(int, char **arguments) {
    document = json_object_from_file(arguments[1]);
    json_object *vectors = field(document, "postbacks");
    for (std::size_t i = 0; i < json_object_array_length(vectors); i++) {
        json_object *vector = json_object_array_get_idx(vectors, i);
        run_case(text(vector, "name").c_str(), has_the_stated_result, vector);
    }
    const int ending = run_cases();
    json_object_put(document);
    return ending;
}
