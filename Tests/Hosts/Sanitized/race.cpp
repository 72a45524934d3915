/* Changes a buffer of libskan on two threads at once: the library's own write is seen. */
#include <skan/skan.hpp>

#include <thread>

int main() {
    skan_buffer *buffer = skan_buffer_create();
    std::thread other([&] { skan_buffer_set(buffer, "other", 5); });
    skan_buffer_set(buffer, "one", 3);
    other.join();
    skan_buffer_destroy(buffer);
}
