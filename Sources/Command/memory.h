/* Memory that is there, or the command says so and ends: it has nothing to undo. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* Zeroed, freed with free(). */
void *memory_take(size_t size);
char *memory_copy(const char *text);
/* As realloc(). */
void *memory_grow(void *memory, size_t size);

#endif
