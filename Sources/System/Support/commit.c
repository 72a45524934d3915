#include "support.h"

/* The Makefile links a program with the commit that it was linked at. */
__attribute__((weak)) const char support_commit[] = "";

const char *support_commit_text(void) { return support_commit; }
