#include "cli/serve/talk.h"

#include "base/arena.h"
#include "base/files/file.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int refuse_port(int port, struct err *err)
{
    if (errno == EADDRINUSE)
        return err_set(err, ERR_IO,
                       "port %d is in use, perhaps by another `fpreport serve`; use --port %d, or "
                       "--port 0 for any free port",
                       port, port < 65535 ? port + 1 : 8000);
    if (errno == EACCES)
        return err_set(err, ERR_IO,
                       "port %d is reserved for the system; use a port from 1024, or "
                       "0",
                       port);
    return err_errno(err, ERR_IO, "port %d on 127.0.0.1", port);
}

int serve_listen(int *port, struct err *err)
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

static const char *status_name(int status)
{
    static const char *const names[600] = {
        [200] = "OK",
        [301] = "Moved Permanently",
        [400] = "Bad Request",
        [403] = "Forbidden",
        [404] = "Not Found",
        [405] = "Method Not Allowed",
        [413] = "Content Too Large",
        [414] = "URI Too Long",
        [431] = "Request Header Fields Too Large",
        [503] = "Service Unavailable",
        [505] = "HTTP Version Not Supported",
    };
    return names[status] ? names[status] : "Internal Server Error";
}

/* Until it is whole; the status to answer with, 0 where the browser went. */
static int read_request(int fd, struct serve_request *r)
{
    char text[SERVE_REQUEST_MAX];
    size_t len = 0;
    int status = 0;
    while (status == 0) {
        ssize_t n = read(fd, text + len, sizeof text - len);
        if (n <= 0)
            return 0;
        len += (size_t)n;
        status = serve_request_parse(text, len, r);
    }
    return status;
}

static bool send_answer(int fd, struct serve_answer *a, bool head)
{
    struct buf out;
    struct err gone = ERR_INIT;
    bool file = a->file.fd >= 0;
    const char *name = status_name(a->status);
    if (!file && a->status != 200 && !a->body.len)
        buf_printf(&a->body, "%s\n", name);
    buf_init(&out, SERVE_PAGE_MAX + SERVE_REQUEST_MAX);
    buf_printf(&out,
               "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: %s\r\n"
               "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
               "Cross-Origin-Resource-Policy: same-origin\r\n",
               a->status, name, a->type);
    if (!a->events)
        buf_printf(&out, "Content-Length: %zu\r\n", file ? (size_t)a->file.size : a->body.len);
    if (a->location)
        buf_printf(&out, "Location: %s\r\n", a->location);
    buf_printf(&out, "%s\r\n", a->status == 405 ? "Allow: GET, HEAD\r\n" : "");
    if (!head && !file)
        buf_add(&out, a->body.data, a->body.len);
    bool sent = file_write_all(fd, out.data, out.len, "a browser", &gone) == 0;
    buf_release(&out);
    for (off_t at = 0; sent && !head && file && at < a->file.size;)
        sent = sendfile(fd, a->file.fd, &at, (size_t)(a->file.size - at)) > 0;
    return sent;
}

/* Until the browser goes. */
static void send_events(const struct serve_talk *t, int fd, struct arena *arena)
{
    struct signalfd_siginfo news;
    struct err gone = ERR_INIT;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SERVE_NEWS);
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN},
                           {.fd = signalfd(-1, &set, SFD_CLOEXEC), .events = POLLIN}};
    while (poll(fds, 2, -1) > 0 && !fds[0].revents && read(fds[1].fd, &news, sizeof news) > 0) {
        const char *event = t->event(t->self, news.ssi_int, arena);
        if (file_write_all(fd, event, strlen(event), "a browser", &gone) < 0)
            return;
    }
}

void serve_talk(const struct serve_talk *t, int fd)
{
    struct arena arena = ARENA_INIT;
    struct serve_request r = {0};
    struct serve_answer a = {
        .arena = &arena, .type = "text/plain; charset=utf-8", .file = {.fd = -1}};
    const struct timeval wait = {.tv_sec = SERVE_WAIT_S};
    char rest[4096];
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    buf_init(&a.body, SERVE_PAGE_MAX);
    alarm(SERVE_WAIT_S);
    a.status = read_request(fd, &r);
    alarm(0);
    if (a.status == 200)
        t->answer(t->self, &r, &a);
    bool sent = a.status && send_answer(fd, &a, a.status == 200 && r.head);
    if (sent && a.events && !r.head)
        send_events(t, fd, &arena);
    shutdown(fd, SHUT_WR);
    alarm(SERVE_WAIT_S); /* what it still sends is read, or closing would take the answer back */
    while (sent && read(fd, rest, sizeof rest) > 0)
        ;
    buf_release(&a.body);
    arena_release(&arena);
}
