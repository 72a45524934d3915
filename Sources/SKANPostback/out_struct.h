/* Out parameters that are structs. */
#ifndef OUT_STRUCT_H
#define OUT_STRUCT_H

#include "../StoreSupport/trouble.h"

/* Zeroes a struct of a caller, who set its size, and which had `first` bytes when it was released; the size stays. */
skan_status out_begin(void *out, size_t first, trouble *trouble);

/* Gives what is in `made`, of `known` bytes, as far as the caller's struct goes; its size stays. */
void out_give(void *out, const void *made, size_t known);

#endif
