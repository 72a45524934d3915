/* Rules, "Endpoint requests", "Endpoint decisions": the conversion-value endpoint over HTTP. */
#ifndef ENDPOINT_H
#define ENDPOINT_H

#include "apps.h"
#include "http.h"

/* Handlers of the two paths; their context is an apps. */
void endpoint_answer_skan4(void *context, const http_request *request, http_answer *answer);
void endpoint_answer_skan3(void *context, const http_request *request, http_answer *answer);

#endif
