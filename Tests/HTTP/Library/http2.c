/* Requests to a server that has HTTP/2; http2.sh looks at the server's log.
 *   http2 URL CA-FILE THREADS TIMES */
#include "support.h"
#include "Trouble/HTTP/tools.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct visitor {
    const skan_transport *transport;
    const char *url;
    int times, answered;
} visitor;

static void *visit(void *argument) {
    visitor *visitor = argument;
    for (int i = 0; i < visitor->times; i++)
        visitor->answered += get(visitor->transport, text_of("%s", visitor->url), NULL, 0) == SKAN_OK;
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 5) return 2;
    const skan_http_options options = {.size = sizeof options,
                                       .timeout_ms = 60000,
                                       .attempt_timeout_ms = 60000,
                                       .connect_timeout_ms = 60000,
                                       .ca_file = arguments[2],
                                       .proxy = ""};
    const int threads = atoi(arguments[3]), times = atoi(arguments[4]);
    skan_transport *transport = opened(options);
    pthread_t *running = calloc((size_t)threads, sizeof *running);
    visitor *visitors = calloc((size_t)threads, sizeof *visitors);
    int answered = 0;
    for (int i = 0; i < threads; i++) {
        visitors[i] = (visitor){transport, arguments[1], times, 0};
        pthread_create(&running[i], NULL, visit, &visitors[i]);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(running[i], NULL);
        answered += visitors[i].answered;
    }
    free(running);
    free(visitors);
    printf("%d of %d answered\n", answered, threads * times);
    return answered == threads * times ? 0 : 1;
}
