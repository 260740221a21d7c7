#include "cli/build/build.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "cli/serve/builds.h"
#include "cli/serve/http.h"
#include "cli/stops.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_PORT 8000
#define LATEST_MS 1000 /* a build waits for changes to cease, but no longer than that */
#define ASLEEP_MS 1000
#define SAID_MAX ((size_t)4 << 20)
#define SCRIPT_MAX ((size_t)1 << 20)

enum { POLL_STOP, POLL_BUILD, POLL_HTTP, N_POLL };

struct server {
    struct cli *cli;
    const char *root;
    struct serve_http http;
    struct serve_watch watch;
    struct serve_builds builds;
    int stop;               /* signalfd */
    bool is_building;       /* without --no-build */
    struct templates where; /* folders of templates; nothing is compiled in it */
    long long changed;      /* the first change that no build has seen; 0: none */
    char start[24];         /* tells this server's builds from those of one before it */
};

/* ---- answers ---------------------------------------------------------------------------- */

static void put_page(struct server *s, const char *html, size_t len, struct serve_answer *a)
{
    a->type = serve_type(".html");
    serve_page_with_script(html, len, arena_printf(a->arena, "%s.%d", s->start, s->builds.number),
                           &a->body);
}

static void answer_build(struct server *s, struct serve_answer *a)
{
    struct buf page = BUF_INIT(SERVE_PAGE_MAX);
    struct err err = ERR_INIT;
    if (serve_build_page(&s->builds, &s->where, &page, &err) == 0) {
        put_page(s, page.data, page.len, a);
    } else {
        cli_fail(s->cli, &err);
        a->status = 500;
    }
    buf_release(&page);
}

static void answer_script(struct server *s, struct serve_answer *a)
{
    struct bytes bytes = {0};
    struct err ignored = ERR_INIT;
    for (size_t i = 0; !bytes.len && i < s->where.n_folders; i++)
        file_read(path_join(a->arena, s->where.folders[i], "serve/reload.js"), SCRIPT_MAX, a->arena,
                  &bytes, &ignored);
    a->type = serve_type(".js");
    a->status = bytes.len ? 200 : 404;
    buf_add(&a->body, bytes.data, bytes.len);
}

static void answer_errors(struct server *s, struct serve_answer *a)
{
    serve_build_errors(&s->builds, &a->body);
}

/* What reload.js asks for: a page of another build is old. */
static void answer_state(struct server *s, struct serve_answer *a)
{
    buf_printf(&a->body, "%s.%d %s\n", s->start, s->builds.number,
               serve_build_is_bad(&s->builds) ? "bad" : "good");
}

static void answer_own(struct server *s, const char *path, struct serve_answer *a)
{
    static const struct {
        const char *path;
        void (*answer)(struct server *s, struct serve_answer *a);
    } own[] = {
        {"build.html", answer_build},
        {"errors.txt", answer_errors},
        {"reload.js", answer_script},
        {"state", answer_state},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].path, path) == 0) {
            own[i].answer(s, a);
            return;
        }
    a->status = 404;
}

/* Pages get our script, and one that is `missing` something links that lead from anywhere;
 * everything else goes out as it is. */
static void answer_file(struct server *s, struct serve_answer *a, bool missing)
{
    struct bytes html;
    struct buf rooted = BUF_INIT(SERVE_PAGE_MAX);
    struct err ignored = ERR_INIT;
    a->type = a->file.type;
    if (strcmp(a->type, serve_type(".html")) != 0 ||
        file_read_open(a->file.fd, "page", SERVE_PAGE_MAX / 2, a->arena, &html, &ignored) < 0)
        return;
    a->file.fd = -1;
    if (missing) {
        serve_page_from_root((const char *)html.data, html.len, &rooted);
        html = (struct bytes){rooted.data, rooted.len};
    }
    put_page(s, (const char *)html.data, html.len, a);
    buf_release(&rooted);
}

/* The site's own page for what is not there; before there is a site, the build says why. */
static void answer_missing(struct server *s, const char *path, struct serve_answer *a)
{
    a->status = 404;
    if (!*path && !file_exists(path_join(a->arena, s->root, "index.html"))) {
        a->status = 503;
        answer_build(s, a);
    } else if (serve_file_open(s->root, "404.html", &a->file) == 200) {
        answer_file(s, a, true);
    }
}

static void answer_request(void *self, const char *path, const char *sent, struct serve_answer *a)
{
    struct server *s = self;
    if (strncmp(path, SERVE_OWN, strlen(SERVE_OWN)) == 0) {
        answer_own(s, path + strlen(SERVE_OWN), a);
        return;
    }
    a->status = serve_file_open(s->root, path, &a->file);
    if (a->status == 200)
        answer_file(s, a, false);
    else if (a->status == 301)
        a->location = arena_printf(a->arena, "%s/", sent);
    else
        answer_missing(s, path, a);
}

/* ---- builds ---------------------------------------------------------------------------- */

static void start_build(struct server *s)
{
    struct err err = ERR_INIT;
    s->changed = 0;
    if (serve_build_start(&s->builds, s->cli, &err) < 0)
        cli_fail(s->cli, &err);
}

static void end_build(struct server *s)
{
    struct err ignored = ERR_INIT;
    const struct serve_builds *b = &s->builds;
    if (!serve_build_read(&s->builds))
        return;
    if (!s->cli->opt.quiet || serve_build_is_bad(b))
        file_write_all(STDERR_FILENO, b->said.data, b->said.len, "standard error", &ignored);
    if (b->code > EXIT_IO)
        cli_note(s->cli, "the build ended with %d", b->code);
}

/* A build begins when a look finds no more change, or some time after the first one. */
static void look_for_changes(struct server *s)
{
    long long now = clock_ms();
    if (now < s->watch.next)
        return;
    bool changed = serve_watch_changed(&s->watch, now);
    if (changed && !s->changed)
        s->changed = now;
    if (s->changed && !s->builds.pid && (!changed || now - s->changed >= LATEST_MS))
        start_build(s);
}

static int serve_loop(struct server *s)
{
    struct err err = ERR_INIT;
    for (;;) {
        struct pollfd fds[N_POLL] = {
            [POLL_STOP] = {.fd = s->stop, .events = POLLIN},
            [POLL_BUILD] = {.fd = s->builds.fd, .events = POLLIN},
            [POLL_HTTP] = {.fd = s->http.ready, .events = POLLIN},
        };
        long long left = s->watch.next - clock_ms();
        int looks = !s->is_building || left > ASLEEP_MS ? ASLEEP_MS : left < 0 ? 0 : (int)left;
        int ready = poll(fds, N_POLL, serve_http_wait(&s->http, looks));
        if (ready < 0 && errno != EINTR) {
            err_errno(&err, ERR_IO, "cannot wait for browsers");
            return cli_fail(s->cli, &err);
        }
        if (ready < 0)
            continue; /* a signal that is none of ours */
        if (fds[POLL_STOP].revents)
            return EXIT_AGREED;
        serve_http_run(&s->http);
        if (fds[POLL_BUILD].revents)
            end_build(s);
        if (s->is_building)
            look_for_changes(s);
    }
}

static int serve(struct server *s, int port)
{
    struct cli *cli = s->cli;
    struct err err = ERR_INIT;
    if (serve_http_open(&s->http, &port, &err) < 0)
        return cli_fail(cli, &err);
    if (s->is_building) {
        serve_watch_changed(&s->watch, clock_ms());
        start_build(s);
    }
    buf_printf(&cli->out, "http://127.0.0.1:%d/\n", port);
    int code = cli_flush(cli);
    cli_note(cli, "shows %s%s; Ctrl-C ends", s->root,
             s->is_building ? ", built again when records or templates change" : "");
    if (code == EXIT_AGREED)
        code = serve_loop(s);
    serve_http_close(&s->http);
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

static sigset_t stop_signals(sigset_t *before)
{
    struct sigaction action = {.sa_handler = hand_over_signal, .sa_flags = SA_RESTART};
    sigset_t stops = stops_block(before);
    for (int signal = 1; signal < SIGRTMIN; signal++)
        if (sigismember(&stops, signal) == 1)
            sigaction(signal, &action, NULL);
    return stops;
}

static int run_serve(struct cli *cli)
{
    const char *roots[] = {cli_records(cli), "templates",
                           path_join(&cli->arena, cli_datadir(cli), "templates")};
    const char *site = cli->n_args ? cli->args[0] : BUILD_DEFAULT_OUT;
    struct server s = {.cli = cli,
                       .root = site,
                       .is_building = !cli->opt.no_build,
                       .watch = {.roots = roots, .n = sizeof roots / sizeof *roots},
                       .http = {.answer = answer_request},
                       .builds = {.root = site, .fd = -1, .code = -1}};
    struct err err = ERR_INIT;
    int port = DEFAULT_PORT;
    if (cli_number("port", cli->opt.port, 0, 65535, &port, &err) < 0)
        return cli_fail(cli, &err);
    if (!s.is_building && !file_is_dir(s.root))
        return cli_usage(cli, "%s: no such folder; without --no-build, serve builds it", s.root);
    if (s.is_building && !file_is_dir(roots[0]))
        return cli_usage(cli,
                         "%s: not a folder; serve needs records, or --no-build to show an existing "
                         "site",
                         roots[0]);
    s.http.self = &s;
    snprintf(s.start, sizeof s.start, "%llx", (unsigned long long)time(NULL));
    cli_templates(cli, &s.where);
    signal(SIGPIPE, SIG_IGN);
    sigset_t stops = stop_signals(&s.builds.mask);
    s.stop = signalfd(-1, &stops, SFD_CLOEXEC);
    buf_init(&s.builds.text, SAID_MAX);
    buf_init(&s.builds.said, SAID_MAX);
    int code = serve(&s, port);
    if (s.builds.pid) {
        kill(s.builds.pid, SIGTERM);
        waitpid(s.builds.pid, NULL, 0);
    }
    buf_release(&s.builds.text);
    buf_release(&s.builds.said);
    close(s.stop);
    return code;
}

static const enum option_id options[] = {OPTION_PORT,     OPTION_NO_BUILD, OPTION_RECORDS,
                                         OPTION_FLAGPERF, OPTION_BRANCH,   OPTION_PREVIOUS,
                                         OPTION_END};

const struct command command_serve = {
    .name = "serve",
    .summary = "show the site in a local browser, and rebuild it after changes",
    .arguments = "[SITE]",
    .examples = "  fpreport serve                  http://127.0.0.1:8000/\n"
                "  fpreport serve --port 0         a port that is free\n",
    .details = "\n"
               "serve builds SITE (site) as `fpreport build` does, at the start and whenever a\n"
               "file in the records or templates changes; open pages then reload themselves.\n"
               "serve prints the messages of the build, and also shows them at\n"
               "/.fpreport/build.html. Only browsers on this machine can connect. The script\n"
               "that reloads a page is not part of the site's files.\n",
    .options = options,
    .max_arguments = 1,
    .needs_project = true,
    .run = run_serve,
};
