/* Hands libskan less memory than it says: the library's own read is seen. */
#include <skan/skan.hpp>

#include <vector>

int main() {
    const std::vector<char> bytes(64);
    skan_buffer *buffer = skan_buffer_create();
    skan_buffer_set(buffer, bytes.data(), 128);
    skan_buffer_destroy(buffer);
}
