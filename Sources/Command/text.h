/* Text from outside: names of installs, messages of stores. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The length of the UTF-8 character at `text`, of which `left` bytes are there; 0 where it is none. */
size_t text_scalar(const unsigned char *text, size_t left, uint32_t *scalar);

/* Whether a terminal might obey it: a control character, or a mark that turns the direction of writing. */
bool text_is_obeyed(uint32_t scalar);

/* Writes the text with everything a terminal might obey as \xNN: control characters, marks that turn the direction of
 * writing, and bytes that are no UTF-8. */
void text_print(FILE *file, const char *text);

/* NULL, or why the bytes are no install id. */
const char *install_id_problem(const char *id, size_t length);

#endif
