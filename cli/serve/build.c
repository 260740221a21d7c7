#include "cli/serve/build.h"

#include "base/files/file.h"
#include "base/text.h"
#include "renderer/output/outdir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID_MAX ((size_t)4 << 20)
#define LIST_MAX ((size_t)256 << 20)

void serve_build_init(struct serve_build *b, const char *root, const sigset_t *mask)
{
    *b = (struct serve_build){.root = root, .mask = *mask, .fd = -1, .code = -1};
    buf_init(&b->text, SAID_MAX);
    buf_init(&b->said, SAID_MAX);
}

/* ---- the process ----------------------------------------------------------------------- */

static void become_build(const struct serve_build *b, struct cli *cli, int out)
{
    const char *argv[16] = {"fpreport", "build", "--color=never", "-o", b->root};
    size_t n = 5;
    const struct {
        const char *name, *value;
    } options[] = {{"--records", cli->opt.records},
                   {"--flagperf", cli->opt.flagperf},
                   {"--branch", cli->opt.branch},
                   {"--previous", cli->opt.previous}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].value) {
            argv[n++] = options[i].name;
            argv[n++] = options[i].value;
        }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &b->mask, NULL);
    if (dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
    _exit(EXIT_IO);
}

int serve_build_start(struct serve_build *b, struct cli *cli, struct err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return err_errno(err, ERR_IO, "cannot make a pipe");
    b->pid = fork();
    if (b->pid == 0)
        become_build(b, cli, ends[1]);
    close(ends[1]);
    if (b->pid < 0) {
        b->pid = 0;
        close(ends[0]);
        return err_errno(err, ERR_IO, "cannot start a build");
    }
    b->fd = ends[0];
    fcntl(b->fd, F_SETFL, O_NONBLOCK);
    buf_clear(&b->text);
    return 0;
}

static int wait_for_build(struct serve_build *b)
{
    int status = 0;
    while (waitpid(b->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(b->fd);
    b->fd = -1;
    b->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What was built, by the list of its files, and what was said. */
static void sum_up_served(const struct serve_build *b, char hex[HASH_HEX_SIZE])
{
    struct arena scratch = ARENA_INIT;
    struct err ignored = ERR_INIT;
    struct bytes list = {0};
    struct hash h;
    hash_init(&h);
    if (file_read(path_join(&scratch, b->root, OUTDIR_LIST_NAME), LIST_MAX, &scratch, &list,
                  &ignored) == 0)
        hash_add(&h, list.data, list.len);
    if (serve_build_is_bad(b))
        hash_add(&h, b->said.data, b->said.len);
    hash_final(&h, hex);
    arena_release(&scratch);
}

bool serve_build_read(struct serve_build *b)
{
    char bytes[4096];
    for (;;) {
        ssize_t n = read(b->fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return false;
        if (n <= 0)
            break;
        buf_add(&b->text, bytes, (size_t)n);
    }
    char state[HASH_HEX_SIZE];
    b->code = wait_for_build(b);
    buf_clear(&b->said);
    buf_add(&b->said, b->text.data, b->text.len);
    sum_up_served(b, state);
    if (strcmp(state, b->state) != 0)
        b->number++;
    memcpy(b->state, state, sizeof state);
    return true;
}

bool serve_build_is_bad(const struct serve_build *b)
{
    return b->code > EXIT_CHECK;
}

void serve_build_end(struct serve_build *b)
{
    if (b->pid) {
        kill(b->pid, SIGTERM);
        wait_for_build(b);
    }
    buf_release(&b->text);
    buf_release(&b->said);
}

/* ---- the page -------------------------------------------------------------------------- */

static const struct {
    const char *title, *meaning;
} outcomes[] = {
    [EXIT_AGREED] = {"Built", "Every check passed or could not be made."},
    [EXIT_CHECK] = {"Built", "Checks failed: those results are on the site as failed."},
    [EXIT_USAGE] = {"Not built", "The site is as it was before."},
    [EXIT_INPUT] = {"Errors in the records or templates",
                    "The site is as it was before; where there was none, it has what can be read."},
    [EXIT_IO] = {"Not built", "The site is as it was before."},
};
#define N_OUTCOMES ((int)(sizeof outcomes / sizeof *outcomes))

static const char *kind_of_line(const char *line)
{
    static const char *const kinds[] = {"error", "warning"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = strstr(line, kinds[i]);
        if (at && at[strlen(kinds[i])] == ':' && (at == line || at[-1] == ' '))
            return kinds[i];
    }
    return "note";
}

void serve_build_errors(const struct serve_build *b, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    size_t n;
    char **lines = text_lines(&scratch, arena_strndup(&scratch, b->said.data, b->said.len), &n);
    for (size_t i = 0; i < n && serve_build_is_bad(b); i++)
        if (strcmp(kind_of_line(lines[i]), "error") == 0)
            buf_printf(out, "%s\n", lines[i]);
    arena_release(&scratch);
}

int serve_build_page(const struct serve_build *b, const struct templates *where, struct buf *out,
                     struct err *err)
{
    struct arena scratch = ARENA_INIT;
    struct templates templates;
    struct view *view = view_object(&scratch), *lines = view_set_list(view, "lines");
    int code = b->code < 0 || b->code >= N_OUTCOMES ? EXIT_IO : b->code;
    char *text = arena_strndup(&scratch, b->said.data, b->said.len);
    size_t n;
    char **all = text_lines(&scratch, text, &n);
    view_set_text(view, "title", b->code < 0 ? "Being built" : outcomes[code].title);
    view_set_text(view, "meaning",
                  b->code < 0 ? "The site comes up by itself." : outcomes[code].meaning);
    for (size_t i = 0; i < n; i++) {
        struct view *line = view_push_object(lines);
        view_set_text(line, "text", all[i]);
        view_set_text(line, "kind", kind_of_line(all[i]));
    }
    templates_init(&templates, &scratch);
    for (size_t i = 0; i < where->n_folders; i++)
        templates_add_folder(&templates, where->folders[i]);
    int rc = templates_render(&templates, "serve/build.html", view, out, err);
    arena_release(&scratch);
    return rc;
}
