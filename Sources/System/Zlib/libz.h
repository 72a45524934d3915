/* zlib, which reads gzip files and others alike. */
#ifndef SKAN_LIBZ_H
#define SKAN_LIBZ_H

/* First: what both have of libc then belongs to that module, whichever is imported. */
#include "../Libc/system.h"

#include <zlib.h>

#endif
