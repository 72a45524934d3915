/* What is C++'s own of conversion models: models MODEL.json */
#include "thrown.hpp"

#include <climits>
#include <fstream>
#include <sstream>

namespace {

const std::string install = "install-1";
const char *path;

std::string mixed() {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT(static_cast<bool>(file), "%s cannot be read", path);
    return text.str();
}

CASE(models_are_shared) {
    skan::options options;
    std::string version;
    {
        const skan::model model(mixed());
        const skan::model copy = model;
        EXPECT(copy.version() == model.version(), "a copy has another version");
        EXPECT_NUMBER(64, copy.version().size());
        version = copy.version();
        options.models = {copy};
    }
    skan::engine engine(options);
    options.models.clear();
    EXPECT(bool(engine.register_install(install)), "registered");
    skan::explanation explanation = engine.explanation(install);
    EXPECT(explanation && explanation.json.find(version) != std::string::npos, "%s", explanation.json.c_str());
    EXPECT(!engine.explanation("nobody"), "an unknown install has an explanation");
    options.endpoint_url = "https://skan.example.com";
    EXPECT_ERROR(SKAN_ERROR_MISUSE, skan::engine(options).explanation(install));
}

CASE(what_is_no_value_is_refused) {
    const skan::model model(mixed());
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, model.decode(3, 1));
    for (const int number : {-1, -2, 64, INT_MIN, INT_MAX})
        EXPECT_THROWS(skan::error, "fine: expected 0 to 63, got " + std::to_string(number), model.decode(0, number));
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, model.decode(0, std::nullopt));
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, model.decode(0, 1, static_cast<skan::coarse_value>(3)));
    EXPECT(!model.decode(1, 1), "a fine value in window 1");
    skan::model empty = model;
    const skan::model moved = std::move(empty);
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, empty.decode(0, 1));
    EXPECT(empty.version().empty(), "a moved-from model has a version");
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2) return 2;
    path = arguments[1];
    return run_cases();
}
