/* `fpreport archive add` looks for what may be secret (cli/archive/archive.h). */
#include "cli/archive/archive.h"

#include "base/process/worker.h"
#include "base/sealed/submission.h"
#include "collector/submission/secrets.h"

#include <string.h>

/* What may be secret in a submission, before anybody publishes it: found in a worker, as anything
 * that looks into one. */
struct search {
    struct cli *cli;
    const char *path;
    struct bytes packed;
};

#define SEARCH_MOST 20 /* lines that are named, of one submission */
#define SEARCH_ANSWER_MAX ((size_t)1 << 20)

static void search_work(void *context, size_t i, struct worker *w)
{
    const struct search *s = context;
    struct submission sub;
    struct diags ignored;
    size_t n = 0;
    (void)i;
    diags_init(&ignored, &w->arena);
    if (submission_open_bytes(s->packed, s->path, &w->arena, &sub, &ignored) < 0)
        return;
    for (size_t f = 0; f < sub.n; f++)
        n += secrets_scan(sub.files[f].name, sub.files[f].bytes,
                          n < SEARCH_MOST ? SEARCH_MOST - n : 0, &w->answer);
    if (n > SEARCH_MOST)
        buf_printf(&w->answer, "%zu lines more\n", n - SEARCH_MOST);
}

/* Each line is a warning; control characters are shown by cli_warn. */
static bool search_take(void *context, size_t i, const struct worker_end *end)
{
    const struct search *s = context;
    (void)i;
    if (end->outcome != WORKER_ANSWERED) {
        cli_warn(s->cli, "%s: not looked through for secrets: %s", s->path, end->why);
        return false;
    }
    const char *at = end->answer.data, *stop = at + end->answer.len;
    for (size_t n = 0; at < stop && n <= SEARCH_MOST; n++) {
        const char *line = memchr(at, '\n', (size_t)(stop - at));
        line = line ? line : stop;
        cli_warn(s->cli, "%s: may be secret: %.*s", s->path,
                 (int)(line - at < 400 ? line - at : 400), at);
        at = line + 1;
    }
    return false;
}

void cli_archive_search(struct cli *cli, const char *path, struct bytes packed)
{
    struct search s = {cli, path, packed};
    const struct worker_crew crew = {.context = &s,
                                     .packed = packed.len,
                                     .work = search_work,
                                     .take = search_take,
                                     .answer_max = SEARCH_ANSWER_MAX};
    worker_each(&crew, 1);
}
