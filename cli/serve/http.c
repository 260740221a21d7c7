#include "cli/serve/http.h"

#include "base/arena.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEADERS_MAX (SERVE_PAGE_MAX + 8192)
#define EVENTS_BEHIND 4096 /* bytes that a browser may leave unread before it is given up */
#define SEND_AT_ONCE (1 << 20)

/* ---- listening ------------------------------------------------------------------------- */

static int refuse_port(int port, struct err *err)
{
    if (errno == EADDRINUSE)
        return err_set(err, ERR_IO,
                       "port %d is in use, perhaps by another `fpreport serve`; --port %d, or "
                       "--port 0 for one that is free",
                       port, port < 65535 ? port + 1 : 8000);
    if (errno == EACCES)
        return err_set(err, ERR_IO, "port %d is for the system; name one from 1024, or 0", port);
    return err_errno(err, ERR_IO, "port %d on 127.0.0.1", port);
}

int serve_http_listen(struct serve_http *h, int port, serve_answer_fn *answer, void *self,
                      struct err *err)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port),
                            .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof a;
    const int on = 1;
    *h = (struct serve_http){.answer = answer, .self = self};
    h->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (h->fd < 0)
        return err_errno(err, ERR_IO, "cannot make a socket");
    setsockopt(h->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(h->fd, (struct sockaddr *)&a, sizeof a) < 0 || listen(h->fd, SOMAXCONN) < 0 ||
        getsockname(h->fd, (struct sockaddr *)&a, &len) < 0) {
        refuse_port(port, err);
        close(h->fd);
        return -1;
    }
    h->port = ntohs(a.sin_port);
    return 0;
}

/* ---- connections ----------------------------------------------------------------------- */

static void drop_client(struct serve_http *h, size_t i)
{
    struct serve_client *c = h->clients[i];
    close(c->fd);
    if (c->file.fd >= 0)
        close(c->file.fd);
    buf_release(&c->out);
    free(c);
    h->clients[i] = h->clients[--h->n];
}

void serve_http_close(struct serve_http *h)
{
    while (h->n)
        drop_client(h, h->n - 1);
    close(h->fd);
}

/* The one that has waited longest; those that wait for events last. */
static size_t oldest(const struct serve_http *h)
{
    size_t found = 0;
    for (size_t i = 1; i < h->n; i++) {
        const struct serve_client *a = h->clients[i], *b = h->clients[found];
        bool a_waits = a->state == SERVE_EVENTS, b_waits = b->state == SERVE_EVENTS;
        if (a_waits != b_waits ? b_waits : a->since < b->since)
            found = i;
    }
    return found;
}

/* ---- answers --------------------------------------------------------------------------- */

static void put_answer(struct serve_client *c, struct serve_answer *a, bool head)
{
    const char *name = serve_status_name(a->status);
    size_t len = a->body ? a->body->len : a->file ? (size_t)a->file->size : strlen(name) + 1;
    buf_printf(&c->out,
               "HTTP/1.1 %d %s\r\n"
               "Content-Type: %s\r\n"
               "Cache-Control: no-store\r\n"
               "X-Content-Type-Options: nosniff\r\n"
               "Cross-Origin-Resource-Policy: same-origin\r\n"
               "Connection: close\r\n",
               a->status, serve_status_name(a->status), a->type);
    if (!a->events)
        buf_printf(&c->out, "Content-Length: %zu\r\n", len);
    if (a->location)
        buf_printf(&c->out, "Location: %s\r\n", a->location);
    if (a->status == 405)
        buf_str(&c->out, "Allow: GET, HEAD\r\n");
    buf_str(&c->out, "\r\n");
    c->state = a->events && !head ? SERVE_EVENTS : SERVE_WRITING;
    if (!head && a->body)
        buf_add(&c->out, a->body->data, a->body->len);
    else if (!head && !a->file)
        buf_printf(&c->out, "%s\n", name);
    if (a->file && head)
        close(a->file->fd);
    else if (a->file)
        c->file = *a->file;
}

/* ---- reading and writing; false: the connection is over ------------------------------- */

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static bool read_request(struct serve_http *h, struct serve_client *c)
{
    struct serve_request r;
    ssize_t n = recv(c->fd, c->in + c->n_in, sizeof c->in - c->n_in, 0);
    if (n <= 0)
        return n < 0 && would_block();
    c->n_in += (size_t)n;
    int status = serve_request_parse(c->in, c->n_in, &r);
    if (status) {
        struct serve_file file;
        struct buf body;
        struct arena arena = ARENA_INIT;
        struct serve_answer a = {
            .arena = &arena, .status = status, .type = "text/plain; charset=utf-8"};
        buf_init(&body, SERVE_PAGE_MAX);
        if (status == 200) {
            a.body = &body;
            a.file = &file;
            h->answer(h->self, &r, &a);
        }
        put_answer(c, &a, status == 200 && r.head);
        buf_release(&body);
        arena_release(&arena);
    }
    return true;
}

static bool ignore_input(struct serve_client *c)
{
    ssize_t n = recv(c->fd, c->in, sizeof c->in, 0);
    return n > 0 || (n < 0 && would_block());
}

static ssize_t send_some(struct serve_client *c)
{
    if (c->sent < c->out.len)
        return send(c->fd, c->out.data + c->sent, c->out.len - c->sent, MSG_NOSIGNAL);
    off_t left = c->file.size - c->at;
    return sendfile(c->fd, c->file.fd, &c->at, left < SEND_AT_ONCE ? (size_t)left : SEND_AT_ONCE);
}

static bool has_more(const struct serve_client *c)
{
    return c->sent < c->out.len || (c->file.fd >= 0 && c->at < c->file.size);
}

static bool write_answer(struct serve_client *c, long long now)
{
    if (has_more(c)) {
        bool of_file = c->sent == c->out.len;
        ssize_t n = send_some(c);
        if (n <= 0) /* 0: the file is shorter than it was */
            return n < 0 && would_block();
        c->sent += of_file ? 0 : (size_t)n;
        c->since = now;
    }
    if (has_more(c))
        return true;
    buf_clear(&c->out);
    c->sent = 0;
    if (c->state == SERVE_WRITING) {
        shutdown(c->fd, SHUT_WR);
        c->state = SERVE_ENDING;
    }
    return true;
}

static bool step_client(struct serve_http *h, struct serve_client *c, short events, long long now)
{
    bool alive = true;
    if (events & (POLLIN | POLLHUP | POLLERR))
        alive = c->state == SERVE_READING ? read_request(h, c) : ignore_input(c);
    if (alive && c->state != SERVE_READING && c->state != SERVE_ENDING)
        alive = write_answer(c, now);
    return alive && (c->state == SERVE_EVENTS || now - c->since < SERVE_WAIT_MS);
}

size_t serve_http_poll(const struct serve_http *h, struct pollfd *fds)
{
    fds[0] = (struct pollfd){.fd = h->fd, .events = POLLIN};
    for (size_t i = 0; i < h->n; i++) {
        const struct serve_client *c = h->clients[i];
        fds[i + 1] =
            (struct pollfd){.fd = c->fd, .events = has_more(c) ? POLLIN | POLLOUT : POLLIN};
    }
    return h->n + 1;
}

void serve_http_step(struct serve_http *h, const struct pollfd *fds, long long now)
{
    for (size_t i = h->n; i-- > 0;) /* backwards: drop() fills the gap with the last one */
        if (!step_client(h, h->clients[i], fds[i + 1].revents, now))
            drop_client(h, i);
    if (fds[0].revents) {
        int fd;
        while ((fd = accept4(h->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
            if (h->n == SERVE_CLIENTS_MAX)
                drop_client(h, oldest(h));
            struct serve_client *c = memory_alloc(sizeof *c);
            c->fd = fd;
            c->state = SERVE_READING;
            c->since = now;
            c->n_in = c->sent = 0;
            c->file.fd = -1;
            c->at = 0;
            buf_init(&c->out, HEADERS_MAX);
            h->clients[h->n++] = c;
        }
    }
}

void serve_http_tell(struct serve_http *h, const char *event)
{
    for (size_t i = h->n; i-- > 0;) {
        struct serve_client *c = h->clients[i];
        if (c->state != SERVE_EVENTS)
            continue;
        if (c->out.len > EVENTS_BEHIND)
            drop_client(h, i);
        else
            buf_str(&c->out, event);
    }
}
