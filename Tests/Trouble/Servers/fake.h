/* What is no Redis server, on a loopback port: a thread that answers each command with what it is told. */
#ifndef FAKE_H
#define FAKE_H

#define FAKE_CLOSES "(closes)" /* ends the connection without an answer */
#define FAKE_FLOODS "(floods)" /* an answer of 32 MiB */
#define FAKE_COUNTS "(counts)" /* an array of a million texts of 25 bytes, in 30 MiB */

void fake_start(void);
void fake_stop(void);
int fake_port(void);
/* To every command; NULL = as an empty server: GETRANGE finds nothing, scripts answer 0, INFO is refused. */
void fake_answers(const char *answer);
/* The same to commands with this word, CLUSTER or AUTH; NULL: no longer. */
void fake_answers_to(const char *word, const char *answer);

#endif
