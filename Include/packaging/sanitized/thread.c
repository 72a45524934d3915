/* Functions that clang calls under ThreadSanitizer and that GCC's runtime has not: they call those of libc, which both
   runtimes watch. */
#include <string.h>

#pragma GCC visibility push(hidden)

void *__tsan_memcpy(void *to, const void *from, size_t count);
void *__tsan_memmove(void *to, const void *from, size_t count);
void *__tsan_memset(void *to, int byte, size_t count);

void *__tsan_memcpy(void *to, const void *from, size_t count) { return memcpy(to, from, count); }
void *__tsan_memmove(void *to, const void *from, size_t count) { return memmove(to, from, count); }
void *__tsan_memset(void *to, int byte, size_t count) { return memset(to, byte, count); }
