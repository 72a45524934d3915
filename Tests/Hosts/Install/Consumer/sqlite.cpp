/* A C++ program that found the installed library and its SQLite store: it keeps an install in the file that it is
 * given, and says which library it used. */
#include <skan/sqlite.hpp>

#include <iostream>

int main(int count, char **arguments) {
    if (count < 2) return 2;
    skan::options options;
    options.store = skan::sqlite_store(arguments[1]);
    options.endpoint_url = "https://skan.example.com";
    skan::engine engine(options);
    const skan::result result = engine.register_install("player-1");
    std::cout << "libskan " << skan::version() << ": " << skan::status_name(result.outcome) << "\n";
    return result && result.update && result.update->id > 0 ? 0 : 1;
}
