#include "cli/serve/builds.h"

#include "base/calendar.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"
#include "renderer/output/outdir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

bool serve_watch_counts(const char *name)
{
    size_t n = strlen(name);
    return n > 0 && name[0] != '.' && name[n - 1] != '~' && strcmp(name, "4913") != 0 &&
           !text_ends(name, FILE_TEMP_SUFFIX);
}

static void look_at_root(const char *root, struct hash *sight)
{
    struct arena scratch = ARENA_INIT;
    struct err ignored = ERR_INIT;
    const char **files = NULL;
    struct stat st;
    size_t n = 0;
    dir_walk(root, &scratch, &files, &n, &ignored);
    for (size_t i = 0; i < n; i++) {
        const char *path = path_join(&scratch, root, files[i]);
        if (!serve_watch_counts(path_base(path)) || stat(path, &st) < 0)
            continue;
        const long long facts[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                                   (long long)st.st_ino};
        hash_add(sight, path, strlen(path) + 1);
        hash_add(sight, facts, sizeof facts);
    }
    arena_release(&scratch);
}

bool serve_watch_changed(struct serve_watch *w, long long now)
{
    char seen[HASH_HEX_SIZE];
    struct hash sight;
    if (now < w->next)
        return false;
    hash_init(&sight);
    for (size_t i = 0; i < w->n; i++)
        look_at_root(w->roots[i], &sight);
    hash_final(&sight, seen);
    long long end = clock_ms();
    w->next = end + WATCH_MS + (end - now) * WATCH_SHARE;
    bool changed = strcmp(seen, w->seen) != 0;
    memcpy(w->seen, seen, sizeof seen);
    return changed;
}

#define LIST_MAX ((size_t)256 << 20)

/* ---- the process ----------------------------------------------------------------------- */

static void become_build(const struct serve_builds *b, struct cli *cli, int out)
{
    const char *argv[16] = {"fpreport", "build", "--color=never", "-o", b->root};
    const char *const options[][2] = {{"--records", cli->opt.records},
                                      {"--flagperf", cli->opt.flagperf},
                                      {"--branch", cli->opt.branch},
                                      {"--previous", cli->opt.previous}};
    size_t n = 5;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (size_t k = 0; k < 2 && options[i][1]; k++)
            argv[n++] = options[i][k];
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &b->mask, NULL);
    if (dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
    _exit(EXIT_IO);
}

int serve_build_start(struct serve_builds *b, struct cli *cli, struct err *err)
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
    buf_clear(&b->text);
    return 0;
}

bool serve_build_read(struct serve_builds *b)
{
    char bytes[4096], state[HASH_HEX_SIZE];
    int status = 0;
    ssize_t n = read(b->fd, bytes, sizeof bytes);
    if (n > 0)
        buf_add(&b->text, bytes, (size_t)n);
    if (n > 0 || (n < 0 && errno == EINTR))
        return false;
    while (waitpid(b->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(b->fd);
    b->fd = -1;
    b->pid = 0;
    b->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    buf_clear(&b->said);
    buf_add(&b->said, b->text.data, b->text.len);
    /* What was built, by the list of its files, and what was said. */
    struct arena scratch = ARENA_INIT;
    struct err ignored = ERR_INIT;
    struct bytes list = {0};
    struct hash h;
    hash_init(&h);
    file_read(path_join(&scratch, b->root, OUTDIR_LIST_NAME), LIST_MAX, &scratch, &list, &ignored);
    hash_add(&h, list.data, list.len);
    if (serve_build_is_bad(b))
        hash_add(&h, b->said.data, b->said.len);
    hash_final(&h, state);
    arena_release(&scratch);
    b->number += strcmp(state, b->state) != 0;
    memcpy(b->state, state, sizeof state);
    return true;
}

bool serve_build_is_bad(const struct serve_builds *b)
{
    return b->code > EXIT_CHECK;
}

/* ---- the page -------------------------------------------------------------------------- */

/* By its exit code; the last one is of any other. */
static const char *const outcomes[][2] = {
    {"Built", "Every check passed or could not be made."},
    {"Built", "Checks failed: those results are on the site as failed."},
    {"Not built", "The site is as it was before."},
    {"Errors in the records or templates",
     "The site is as it was before; where there was none, it has what can be read."},
    {"Not built", "The site is as it was before."},
};
static const char *const being_built[] = {"Being built", "The site comes up by itself."};

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

static char **lines_said(const struct serve_builds *b, struct arena *arena, size_t *n)
{
    return text_lines(arena, arena_strndup(arena, b->said.data, b->said.len), n);
}

void serve_build_errors(const struct serve_builds *b, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    size_t n;
    char **lines = lines_said(b, &scratch, &n);
    for (size_t i = 0; i < n && serve_build_is_bad(b); i++)
        if (strcmp(kind_of_line(lines[i]), "error") == 0)
            buf_printf(out, "%s\n", lines[i]);
    arena_release(&scratch);
}

int serve_build_page(const struct serve_builds *b, const struct templates *where, struct buf *out,
                     struct err *err)
{
    struct arena scratch = ARENA_INIT;
    struct templates templates;
    struct view *view = view_object(&scratch), *lines = view_set_list(view, "lines");
    const char *const *outcome = b->code < 0         ? being_built
                                 : b->code > EXIT_IO ? outcomes[EXIT_IO]
                                                     : outcomes[b->code];
    size_t n;
    char **all = lines_said(b, &scratch, &n);
    view_set_text(view, "title", outcome[0]);
    view_set_text(view, "meaning", outcome[1]);
    for (size_t i = 0; i < n; i++) {
        struct view *line = view_push_object(lines);
        view_set_text(line, "text", all[i]);
        view_set_text(line, "kind", kind_of_line(all[i]));
    }
    templates_init_like(&templates, where, &scratch);
    int rc = templates_render(&templates, "serve/build.html", view, out, err);
    arena_release(&scratch);
    return rc;
}
