/* The subcommands of skan model. */
#ifndef MODEL_H
#define MODEL_H

#include "command.h"

extern const command model_check_command;
extern const command model_table_command;
extern const command model_try_command;
extern const command model_decode_command;

/* Ends the help of each. */
#define MODEL_HELP \
    "FILE is a conversion model; - is standard input. Ready ones are in\n" \
    "share/skan/models.\n"

#endif
