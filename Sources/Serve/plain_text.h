/* Text of others. */
#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes the first character of a text has, in UTF-8; 0 where it is none, or the text is at its end. */
size_t text_character(const char *text);

/* Whether it is UTF-8 without control characters, and of at most so many bytes. */
bool text_is_plain(const char *text, size_t longest);

#endif
