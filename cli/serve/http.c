#include "cli/serve/http.h"

#include "base/arena.h"
#include "base/text.h"
#include "cli/serve/microhttpd_library.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- requests -------------------------------------------------------------------------- */

/* No part is empty, "." or ".."; only the last may be empty, which names a folder. */
static bool parts_are_sound(const char *path)
{
    char around[SERVE_PATH_MAX + 3] = "/";
    size_t n = strlen(path);
    memcpy(around + 1, path, n + 1);
    if (n && path[n - 1] != '/')
        memcpy(around + 1 + n, "/", 2);
    return !strstr(around, "//") && !strstr(around, "/./") && !strstr(around, "/../");
}

int serve_path_decode(const char *sent, char path[SERVE_PATH_MAX + 1])
{
    size_t n = strlen(sent);
    if (*sent != '/')
        return 400;
    if (n > SERVE_PATH_MAX)
        return 414;
    memcpy(path, sent + 1, n);
    n = MHD_http_unescape(path);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)path[i] < ' ' || strchr("\x7F\\", path[i]))
            return 400;
    return utf8_valid_until(path, n) == n && parts_are_sound(path) ? 200 : 400;
}

bool serve_host_is_this_machine(const char *host)
{
    size_t n = strcspn(host, ":"), digits = host[n] ? strspn(host + n + 1, "0123456789") : 0;
    if (host[n] && (host[n + 1 + digits] || digits > 5))
        return false;
    return (n == strlen("localhost") && strncasecmp(host, "localhost", n) == 0) ||
           (n == strlen("127.0.0.1") && strncmp(host, "127.0.0.1", n) == 0);
}

static int request_status(struct MHD_Connection *connection, const char *method)
{
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
    if (!host)
        return 400;
    if (!serve_host_is_this_machine(host))
        return 403;
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return 405;
    if (MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding") ||
        (length && strcmp(length, "0") != 0))
        return 413;
    return 200;
}

/* ---- answers --------------------------------------------------------------------------- */

static enum MHD_Result send_answer(struct MHD_Connection *connection, struct serve_answer *a)
{
    const char *const headers[][2] = {
        {"Content-Type", a->type},
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Location", a->location},
        {"Allow", a->status == 405 ? "GET, HEAD" : NULL},
    };
    if (a->file.fd < 0 && a->status != 200 && !a->body.len)
        buf_printf(&a->body, "%s\n", MHD_get_reason_phrase_for((unsigned)a->status));
    struct MHD_Response *response =
        a->file.fd >= 0
            ? MHD_create_response_from_fd((size_t)a->file.size, a->file.fd)
            : MHD_create_response_from_buffer(a->body.len, a->body.data, MHD_RESPMEM_MUST_COPY);
    if (!response && a->file.fd >= 0)
        close(a->file.fd);
    for (size_t i = 0; response && i < sizeof headers / sizeof *headers; i++)
        if (headers[i][1])
            MHD_add_response_header(response, headers[i][0], headers[i][1]);
    enum MHD_Result result =
        response ? MHD_queue_response(connection, (unsigned)a->status, response) : MHD_NO;
    if (response)
        MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer_connection(void *self, struct MHD_Connection *connection,
                                         const char *sent, const char *method, const char *version,
                                         const char *data, size_t *size, void **seen)
{
    const struct serve_http *h = self;
    struct arena arena = ARENA_INIT;
    struct serve_answer a = {.arena = &arena,
                             .status = request_status(connection, method),
                             .type = "text/plain; charset=utf-8",
                             .file = {.fd = -1}};
    char path[SERVE_PATH_MAX + 1];
    (void)version, (void)data, (void)size, (void)seen;
    buf_init(&a.body, SERVE_PAGE_MAX);
    if (a.status == 200)
        a.status = serve_path_decode(sent, path);
    if (a.status == 200)
        h->answer(h->self, path, sent, &a);
    enum MHD_Result result = send_answer(connection, &a);
    buf_release(&a.body);
    arena_release(&arena);
    return result;
}

/* ---- the server ------------------------------------------------------------------------ */

static int refuse_port(int port, struct err *err)
{
    if (errno == EADDRINUSE)
        return err_set(err, ERR_IO,
                       "port %d is in use, perhaps by another `fpreport serve`; use --port %d, or "
                       "--port 0 for any free port",
                       port, port < 65535 ? port + 1 : 8000);
    if (errno == EACCES)
        return err_set(err, ERR_IO,
                       "port %d is reserved for the system; use a port from 1024, or 0", port);
    return err_errno(err, ERR_IO, "port %d on 127.0.0.1", port);
}

static int listen_on_loopback(int *port, struct err *err)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)*port),
                            .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof a;
    const int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return err_errno(err, ERR_IO, "cannot make a socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&a, sizeof a) < 0 || listen(fd, SOMAXCONN) < 0 ||
        getsockname(fd, (struct sockaddr *)&a, &len) < 0) {
        refuse_port(*port, err);
        close(fd);
        return -1;
    }
    *port = ntohs(a.sin_port);
    return fd;
}

/* Paths are decoded by serve_path_decode(), once. */
static size_t leave_as_sent(void *self, struct MHD_Connection *connection, char *text)
{
    (void)self, (void)connection;
    return strlen(text);
}

int serve_http_open(struct serve_http *h, int *port, struct err *err)
{
    if (!library_open(LIBRARY_MICROHTTPD, "MHD_run"))
        return err_set(err, ERR_IO,
                       "serve needs %s, which is not installed; install Debian's libmicrohttpd12",
                       LIBRARY_MICROHTTPD);
    h->listens = listen_on_loopback(port, err);
    if (h->listens < 0)
        return -1;
    h->daemon = MHD_start_daemon(
        MHD_USE_EPOLL, 0, NULL, NULL, answer_connection, h, MHD_OPTION_LISTEN_SOCKET, h->listens,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVE_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SERVE_WAIT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)SERVE_REQUEST_MAX,
        MHD_OPTION_UNESCAPE_CALLBACK, leave_as_sent, NULL, MHD_OPTION_END);
    if (!h->daemon) {
        close(h->listens);
        return err_set(err, ERR_IO, "libmicrohttpd cannot serve on port %d", *port);
    }
    h->ready = MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    return 0;
}

int serve_http_wait(const struct serve_http *h, int most)
{
    MHD_UNSIGNED_LONG_LONG left;
    return MHD_get_timeout(h->daemon, &left) == MHD_YES && left < (unsigned)most ? (int)left : most;
}

void serve_http_run(const struct serve_http *h)
{
    MHD_run(h->daemon);
}

void serve_http_close(struct serve_http *h)
{
    MHD_stop_daemon(h->daemon); /* closes the socket, too */
}
