/* What is right by the rules, but perhaps not meant. */
#ifndef MODEL_WARNINGS_H
#define MODEL_WARNINGS_H

#include "model_file.h"

/* Writes a line for each to standard output. */
void model_warnings_print(const model_file *file);

/* What the rules of a window use, and registering: fine values in 64 places, coarse values in three. */
void model_values_used(const model_file *file, int window, bool fine[64], bool coarse[3]);

#endif
