#include <errno.h>
#include <fcntl.h>

static inline int system_error(void) { return errno; }
