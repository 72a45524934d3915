/* Servers that are ended between the calls of a store, or while a call is under way. */
#ifndef RESTARTS_H
#define RESTARTS_H

#include "Trouble/Servers/server.h"

/* The server is stopped, gently and at once, and killed; its connections are ended by `disconnect`. A store whose
 * PLAYER is "kept" in this version fails while the server is gone, and nothing that it is asked afterwards is in
 * trouble. It is closed. */
void restart_between_calls(server *server, skan_store *store, uint64_t version, void (*disconnect)(void));

#endif
