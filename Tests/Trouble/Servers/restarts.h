/* A database whose server can be ended: Trouble/Postgres and Trouble/Redis each have their own. */
#ifndef RESTARTS_H
#define RESTARTS_H

void database_empty(void);

/* Ends the server, the `number`-th time, in each of the ways there are in turn, and starts it again. */
void database_restart(int number);

/* How many calls are answered at least, for each time the server is ended. */
extern const int database_least_answers;

#endif
