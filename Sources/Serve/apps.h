/* The apps that are served: which conversion models decide for each, and the engines that do it. */
#ifndef APPS_H
#define APPS_H

#include <skan/skan.h>

#define APPS_TROUBLE_MAX 512

typedef struct apps apps;

apps *apps_create(void);
void apps_destroy(apps *apps);

/* Reads a conversion model for an app, or, where `app` is NULL, for every app that has none of its own. The first model
 * of an app and protocol is for new users. Answers whether it could; `trouble` says why not. */
bool apps_add_model(apps *apps, const char *app, const char *file, char trouble[APPS_TROUBLE_MAX]);

/* Makes the engines, over the store and clock, both of which stay the caller's; NULL = in memory, the system's. */
bool apps_open(apps *apps, const skan_store *store, const skan_clock *clock, char trouble[APPS_TROUBLE_MAX]);

/* The engine for requests of an app (NULL = none is named) by a protocol, 3 or 4. NULL where the app has no model: for
 * SKAN 4 an engine without models answers that, for SKAN 3 one without models is the test endpoint, which is there only
 * where no model of SKAN 3 is. */
skan *apps_engine(const apps *apps, const char *app, int protocol);

#endif
