/*
 * serve_request: one HTTP request as bytes, read strictly.
 *
 * HTTP/1.0 and 1.1, GET and HEAD, no body. A server on 127.0.0.1 can still be reached by pages of
 * other sites whose name was pointed at it (DNS rebinding), so the host that the browser names
 * must be localhost or 127.0.0.1, whatever the port (it may be forwarded).
 */
#ifndef CLI_SERVE_REQUEST_H
#define CLI_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#define SERVE_REQUEST_MAX 16384
#define SERVE_PATH_MAX 2048

struct serve_request {
    bool head;                     /* HEAD: the answer without its body */
    char path[SERVE_PATH_MAX + 1]; /* "result/acme/" of "/result/acme/?x": decoded, valid UTF-8,
                                    * no empty part, "." or "..", no control or backslash */
    char raw[SERVE_PATH_MAX + 1];  /* the same as it was sent, with its '/', without its query */
};

/* 0: `data` is the beginning of a request; 200: `r` is filled; else the status to answer with. */
int serve_request_parse(const char *data, size_t len, struct serve_request *r);

#endif
