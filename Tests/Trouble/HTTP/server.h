/* The misbehaving server of the tests, server.py, as a process beside them. */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Starts it; it ends with this process. */
void start_server(const char *script);

/* Its folder, with the authority's certificate in ca.pem. */
const char *server_file(const char *name);

/* One of its ports, by name. */
int port_of(const char *name);

/* "http://127.0.0.1:PORT/path", https but for plain ports; the caller frees it. */
char *url_to(const char *port_name, const char *path);

/* What came in since the last reset. */
typedef struct counts {
    int connections, requests;
} counts;
counts server_counts(void);
void reset_server(void);

#ifdef __cplusplus
}
#endif

#endif
