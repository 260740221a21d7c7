#include "cli/build/build.h"

#include "base/clock.h"
#include "base/files/file.h"
#include "cli/serve/build.h"
#include "cli/serve/http.h"
#include "cli/serve/watch.h"
#include "cli/stops.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_PORT 8000
#define QUIET_MS 100   /* a build begins when nothing has changed for so long … */
#define LATEST_MS 1000 /* … or so long after the first change */
#define ASLEEP_MS 1000
#define SCRIPT_MAX ((size_t)1 << 20)

/* One of each stands before those of serve_http_poll(). */
enum { POLL_STOP, POLL_WATCH, POLL_BUILD, N_POLL };

struct server {
    struct cli *cli;
    const char *root;
    struct serve_http http;
    struct serve_watch watch;
    struct serve_build build;
    int stop;                /* signalfd */
    bool builds;             /* without --no-build */
    struct templates where;  /* folders of templates; nothing is compiled in it */
    long long first, latest; /* change that no build has seen; 0: none */
    char start[24];          /* tells this server's builds from those of one before it */
};

static const char *build_id(const struct server *s, struct arena *arena)
{
    return arena_printf(arena, "%s.%lu", s->start, s->build.number);
}

static const char *event_text(const struct server *s, struct arena *arena)
{
    return arena_printf(arena, "data: %s %s\n\n", build_id(s, arena),
                        serve_build_is_bad(&s->build) ? "bad" : "good");
}

/* ---- answers --------------------------------------------------------------------------- */

static void put_page(struct server *s, const char *html, size_t len, struct serve_answer *a)
{
    a->type = serve_type(".html");
    serve_page_with_script(html, len, build_id(s, a->arena), a->body);
}

static void answer_status(struct serve_answer *a, int status)
{
    a->status = status;
    a->body = NULL;
}

static void answer_build(struct server *s, struct serve_answer *a)
{
    struct buf page;
    struct err err = ERR_INIT;
    buf_init(&page, SERVE_PAGE_MAX);
    if (serve_build_page(&s->build, &s->where, &page, &err) == 0) {
        put_page(s, page.data, page.len, a);
    } else {
        cli_fail(s->cli, &err);
        answer_status(a, 500);
    }
    buf_release(&page);
}

static void answer_script(struct server *s, struct serve_answer *a)
{
    struct bytes bytes;
    int rc = -1;
    for (size_t i = 0; rc < 0 && i < s->where.n_folders; i++) {
        struct err ignored = ERR_INIT;
        rc = file_read(path_join(a->arena, s->where.folders[i], "serve/reload.js"), SCRIPT_MAX,
                       a->arena, &bytes, &ignored);
    }
    a->type = serve_type(".js");
    if (rc == 0)
        buf_add(a->body, bytes.data, bytes.len);
    else
        answer_status(a, 404);
}

static void answer_errors(struct server *s, struct serve_answer *a)
{
    a->type = serve_type(".txt");
    serve_build_errors(&s->build, a->body);
}

static void answer_events(struct server *s, struct serve_answer *a)
{
    a->type = "text/event-stream";
    a->events = true;
    buf_printf(a->body, "retry: 1000\n\n%s", event_text(s, a->arena));
}

static const struct {
    const char *path;
    void (*answer)(struct server *s, struct serve_answer *a);
} own[] = {
    {"build.html", answer_build},
    {"errors.txt", answer_errors},
    {"reload.js", answer_script},
    {"events", answer_events},
};

static void answer_own(struct server *s, const char *path, struct serve_answer *a)
{
    a->file = NULL;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].path, path) == 0) {
            own[i].answer(s, a);
            return;
        }
    answer_status(a, 404);
}

/* Pages get our script, and one that is `missing` something links that lead from anywhere;
 * everything else goes out as it is. */
static void answer_file(struct server *s, struct serve_answer *a, bool missing)
{
    struct buf html, rooted;
    struct serve_file *f = a->file;
    a->type = f->type;
    if (strcmp(f->type, serve_type(".html")) != 0 || (size_t)f->size > SERVE_PAGE_MAX / 2) {
        a->body = NULL;
        return;
    }
    buf_init(&html, SERVE_PAGE_MAX);
    char bytes[16384];
    ssize_t n;
    while ((n = read(f->fd, bytes, sizeof bytes)) > 0)
        buf_add(&html, bytes, (size_t)n);
    close(f->fd);
    a->file = NULL;
    buf_init(&rooted, SERVE_PAGE_MAX);
    if (missing)
        serve_page_from_root(html.data, html.len, &rooted);
    put_page(s, missing ? rooted.data : html.data, missing ? rooted.len : html.len, a);
    buf_release(&rooted);
    buf_release(&html);
}

/* The site's own page for what is not there. */
static void answer_missing(struct server *s, const char *path, struct serve_answer *a)
{
    if (!*path && !file_exists(path_join(a->arena, s->root, "index.html"))) {
        a->file = NULL;
        answer_build(s, a); /* no site yet: the build says why */
        a->status = a->status == 200 ? 503 : a->status;
        return;
    }
    if (serve_file_open(s->root, "404.html", a->file) == 200) {
        answer_file(s, a, true);
    } else {
        a->file = NULL;
        a->body = NULL;
    }
    a->status = 404;
}

static void answer_request(void *self, const struct serve_request *r, struct serve_answer *a)
{
    struct server *s = self;
    size_t own_len = strlen(SERVE_OWN);
    if (strncmp(r->path, SERVE_OWN, own_len) == 0) {
        answer_own(s, r->path + own_len, a);
        return;
    }
    int status = serve_file_open(s->root, r->path, a->file);
    if (status == 200) {
        answer_file(s, a, false);
    } else if (status == 301) {
        a->file = NULL;
        answer_status(a, 301);
        a->location = arena_printf(a->arena, "%s/", r->raw);
    } else {
        answer_missing(s, r->path, a);
    }
}

/* ---- builds ---------------------------------------------------------------------------- */

static void start_build(struct server *s)
{
    struct err err = ERR_INIT;
    s->first = s->latest = 0;
    if (serve_build_start(&s->build, s->cli, &err) < 0)
        cli_fail(s->cli, &err);
}

static void end_build(struct server *s)
{
    unsigned long number = s->build.number;
    if (!serve_build_read(&s->build))
        return;
    struct err ignored = ERR_INIT;
    const struct serve_build *b = &s->build;
    if (!s->cli->opt.quiet || serve_build_is_bad(b))
        file_write_all(STDERR_FILENO, b->said.data, b->said.len, "standard error", &ignored);
    if (b->code > EXIT_IO)
        cli_note(s->cli, "the build ended with %d", b->code);
    if (s->build.number != number) {
        struct arena scratch = ARENA_INIT;
        serve_http_tell(&s->http, event_text(s, &scratch));
        arena_release(&scratch);
    }
}

static void note_change(struct server *s, long long now)
{
    bool was_full = s->watch.full;
    if (serve_watch_read(&s->watch)) {
        s->latest = now;
        s->first = s->first ? s->first : now;
    }
    if (s->watch.full && !was_full)
        cli_warn(s->cli, "the system watches no more folders (fs.inotify.max_user_watches): "
                         "changes in some are not seen");
}

/* When the next build is due; -1: none. */
static long long due(const struct server *s)
{
    if (!s->first || s->build.pid)
        return -1;
    return s->latest + QUIET_MS < s->first + LATEST_MS ? s->latest + QUIET_MS
                                                       : s->first + LATEST_MS;
}

/* ---- the loop -------------------------------------------------------------------------- */

static int wait_time(const struct server *s)
{
    long long at = due(s), left = at - clock_ms();
    return at < 0 || left > ASLEEP_MS ? ASLEEP_MS : left < 0 ? 0 : (int)left;
}

static int serve_loop(struct server *s)
{
    struct pollfd fds[N_POLL + 1 + SERVE_CLIENTS_MAX];
    for (;;) {
        fds[POLL_STOP] = (struct pollfd){.fd = s->stop, .events = POLLIN};
        fds[POLL_WATCH] = (struct pollfd){.fd = s->builds ? s->watch.fd : -1, .events = POLLIN};
        fds[POLL_BUILD] = (struct pollfd){.fd = s->build.fd, .events = POLLIN};
        size_t n = N_POLL + serve_http_poll(&s->http, fds + N_POLL);
        int ready = poll(fds, n, wait_time(s));
        if (ready < 0 && errno != EINTR) {
            struct err err = ERR_INIT;
            err_errno(&err, ERR_IO, "cannot wait for browsers");
            return cli_fail(s->cli, &err);
        }
        if (ready < 0)
            continue; /* a signal that is none of ours */
        if (fds[POLL_STOP].revents)
            return EXIT_AGREED;
        long long now = clock_ms();
        serve_http_step(&s->http, fds + N_POLL, now);
        if (fds[POLL_WATCH].revents)
            note_change(s, now);
        if (fds[POLL_BUILD].revents)
            end_build(s);
        if (due(s) >= 0 && due(s) <= now)
            start_build(s);
    }
}

static int watch_inputs(struct server *s)
{
    struct cli *cli = s->cli;
    struct err err = ERR_INIT;
    const char *roots[] = {cli_records(cli), "templates",
                           path_join(&cli->arena, cli_datadir(cli), "templates")};
    if (!file_is_dir(roots[0]))
        return cli_usage(cli,
                         "%s: not a folder; serve needs records, --no-build shows a site as "
                         "it is",
                         roots[0]);
    if (serve_watch_open(&s->watch, roots, sizeof roots / sizeof *roots, &err) < 0)
        return cli_fail(cli, &err);
    start_build(s);
    return EXIT_AGREED;
}

static int serve(struct server *s, int port)
{
    struct cli *cli = s->cli;
    struct err err = ERR_INIT;
    if (serve_http_listen(&s->http, port, answer_request, s, &err) < 0)
        return cli_fail(cli, &err);
    int code = s->builds ? watch_inputs(s) : EXIT_AGREED;
    if (code == EXIT_AGREED) {
        buf_printf(&cli->out, "http://127.0.0.1:%d/\n", s->http.port);
        code = cli_flush(cli);
        cli_note(cli, "shows %s%s; Ctrl-C ends", s->root,
                 s->builds ? ", built again when records or templates change" : "");
    }
    if (code == EXIT_AGREED)
        code = serve_loop(s);
    serve_http_close(&s->http);
    if (s->builds)
        serve_watch_close(&s->watch);
    return code;
}

/* A library has threads before main() that do not block these signals: whichever gets one gives it
 * to the main thread, which does, and reads it. */
static void hand_over_signal(int signal)
{
    if (gettid() == getpid())
        _exit(128 + signal); /* a build that has not begun: nothing is blocked there */
    tgkill(getpid(), getpid(), signal);
}

static int run_serve(struct cli *cli)
{
    struct server s = {.cli = cli, .root = cli->n_args ? cli->args[0] : BUILD_DEFAULT_OUT};
    struct err err = ERR_INIT;
    int port = DEFAULT_PORT;
    sigset_t before;
    if (cli_number("port", cli->opt.port, 0, 65535, &port, &err) < 0)
        return cli_fail(cli, &err);
    s.builds = !cli->opt.no_build;
    if (!s.builds && !file_is_dir(s.root))
        return cli_usage(cli, "%s: no such folder; without --no-build it is built", s.root);
    snprintf(s.start, sizeof s.start, "%llx", (unsigned long long)time(NULL));
    cli_templates(cli, &s.where);
    signal(SIGPIPE, SIG_IGN);
    struct sigaction action = {.sa_handler = hand_over_signal, .sa_flags = SA_RESTART};
    sigset_t stops = stops_block(&before);
    for (int signal = 1; signal < SIGRTMIN; signal++)
        if (sigismember(&stops, signal) == 1)
            sigaction(signal, &action, NULL);
    s.stop = signalfd(-1, &stops, SFD_CLOEXEC);
    serve_build_init(&s.build, s.root, &before);
    int code = serve(&s, port);
    serve_build_end(&s.build);
    close(s.stop);
    return code;
}

static const enum option_id options[] = {OPTION_PORT,     OPTION_NO_BUILD, OPTION_RECORDS,
                                         OPTION_FLAGPERF, OPTION_BRANCH,   OPTION_PREVIOUS,
                                         OPTION_END};

const struct command command_serve = {
    .name = "serve",
    .summary = "show the site in a browser here, and build it when records change",
    .arguments = "[SITE]",
    .examples = "  fpreport serve                  http://127.0.0.1:8000/\n"
                "  fpreport serve --port 0         a port that is free\n",
    .details = "\nBuilds SITE (site) as `fpreport build` does, at once and whenever something\n"
               "below the records or templates changes; open pages load themselves again. What\n"
               "a build finds is said here and at /.fpreport/build.html. Only this machine can\n"
               "connect. The script for loading again is in no file of the site.\n",
    .options = options,
    .max_arguments = 1,
    .needs_project = true,
    .run = run_serve,
};
