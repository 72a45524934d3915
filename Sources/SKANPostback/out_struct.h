/* Out parameters that are structs. */
#ifndef OUT_STRUCT_H
#define OUT_STRUCT_H

#include "../StoreSupport/trouble.h"

/* Zeroes a struct of a caller, who set its size, of which this library knows `known` bytes; the size stays. */
skan_status out_begin(void *out, size_t known, trouble *trouble);

#endif
