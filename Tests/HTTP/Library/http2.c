/* Requests to a server that has HTTP/2; http2.sh looks at the server's log.
 *   http2 URL CA-FILE THREADS TIMES */
#include "support.h"
#include "Trouble/HTTP/tools.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count != 5) return 2;
    skan_http_options options = patient_options(NULL);
    options.ca_file = arguments[2];
    options.max_attempts = 0;
    const int threads = atoi(arguments[3]), times = atoi(arguments[4]);
    skan_transport *transport = opened(options);
    caller *callers = calloc((size_t)threads, sizeof *callers);
    int answered = 0;
    for (int i = 0; i < threads; i++) {
        callers[i] = (caller){.transport = transport, .url = arguments[1], .times = times};
        begin_calls(&callers[i]);
    }
    for (int i = 0; i < threads; i++) answered += end_calls(&callers[i]);
    free(callers);
    printf("%d of %d answered\n", answered, threads * times);
    return answered == threads * times ? 0 : 1;
}
