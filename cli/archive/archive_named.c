/* Which submissions a decision is about (cli/archive/archive.h). */
#include "cli/archive/archive.h"

#include "base/files/file.h"

#include <string.h>

static void name_submission(struct cli *cli, struct archive_named *out, const char *id)
{
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->ids[i], id) == 0)
            return;
    *(const char **)ARENA_PUSH(&cli->arena, out->ids, out->n) = id;
}

static int name_submissions_of(struct cli *cli, const struct store *s, const struct project *p,
                               const struct result *r, struct archive_named *out)
{
    const char *name = arena_printf(&cli->arena, "%s/%s", r->vendor, r->case_id);
    if (!r->n_evidence)
        return cli_usage(cli,
                         "%s: the result has no evidence and is not in an archive; to withdraw it, "
                         "write \"withdrawn\" with date, by and reason into %s",
                         name, r->file);
    for (size_t i = 0; i < r->n_evidence; i++) {
        /* What became of it, as the file that came or as the run that it is. */
        const struct evidence *e = &r->evidence[i];
        const struct store_item *item = store_submission_of(&s->index, e->sha256);
        if (!item && e->run)
            item = store_item_of(&s->index, e->run);
        if (!item)
            return cli_usage(cli,
                             "%s: the submission of this result is not in the archive %s; "
                             "`fpreport archive add %s` adds it",
                             name, s->root, path_join(&cli->arena, p->root, e->archive));
        name_submission(cli, out, item->submission);
    }
    return EXIT_AGREED;
}

int cli_archive_named(struct cli *cli, const struct store *s, const char *word,
                      struct archive_named *out)
{
    struct project *p = arena_alloc(&cli->arena, sizeof *p);
    *out = (struct archive_named){.n = 0};
    if (!strchr(word, '/')) {
        name_submission(cli, out, word);
        return EXIT_AGREED;
    }
    cli_load_records(cli, p);
    const struct result *r = project_result_by_name(p, word, &cli->arena);
    int code = r ? name_submissions_of(cli, s, p, r, out)
                 : cli_usage(cli, "%s: no result of this name in %s, expected VENDOR/CASE or an id",
                             word, p->root);
    if (code)
        out->n = 0;
    return code;
}
