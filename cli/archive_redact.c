/* What of a submission is published: `fpreport archive redact` (cli/archive.h). */
#include "cli/archive.h"

#include "base/archive.h"
#include "base/submission.h"

#include <fnmatch.h>
#include <string.h>

/* What is to be withheld: members that fit one of the patterns, or (no pattern) all of them. */
struct withholding {
    struct cli *cli;
    const char **names;
    size_t n;
    bool *used; /* by pattern */
    int n_patterns;
};

/* Patterns are the operator's own; names are short. */
static bool withholds(void *self, const char *path)
{
    struct withholding *w = self;
    bool found = w->n_patterns == 0;
    for (int i = 0; i < w->n_patterns; i++)
        if (fnmatch(w->cli->args[2 + i], path, 0) == 0)
            found = w->used[i] = true;
    if (found)
        *(const char **)ARENA_PUSH(&w->cli->arena, w->names, w->n) = path;
    return found;
}

static const char *unused_pattern(const struct withholding *w)
{
    for (int i = 0; i < w->n_patterns; i++)
        if (!w->used[i])
            return w->cli->args[2 + i];
    return NULL;
}

/* The archive without what is withheld becomes an object, too: what is published is what the log
 * names, and the whole is read this one time. */
static int make_redacted(struct withholding *w, const struct store *s,
                         const struct store_item *item, struct buf *packed)
{
    struct cli *cli = w->cli;
    struct err err = ERR_INIT;
    struct submission sub;
    const char *path = store_object_path(s->root, item->added->object, &cli->arena);
    if (submission_open(path, &cli->arena, &sub, &cli->diags) < 0 || !sub.intact)
        return exit_worse(EXIT_INPUT, cli_diags(cli));
    int rc = submission_redact(&sub, withholds, w, &cli->arena, packed, &err);
    const char *unused = unused_pattern(w);
    if (unused)
        return cli_usage(cli, "%s: fits no file of the submission", unused);
    return rc < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

/* The statement is made from these, and published with every submission. */
static void warn_of_statement(struct withholding *w)
{
    static const char *const sources[] = {"case.json", "run.json", "fingerprint.json"};
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
            if (strcmp(path_base(w->names[i]), sources[k]) == 0) {
                cli_warn(w->cli,
                         "statement.json is published all the same, and says what it says of %s: "
                         "the case, the command line, versions of software",
                         w->names[i]);
                return;
            }
}

static int redact_part(struct withholding *w, struct store *s, const struct store_item *item,
                       struct store_entry *e)
{
    struct cli *cli = w->cli;
    struct err err = ERR_INIT;
    struct buf packed;
    char *hex = arena_alloc(&cli->arena, HASH_HEX_SIZE);
    buf_init(&packed, ARCHIVE_PACKED_MAX);
    int code = make_redacted(w, s, item, &packed);
    if (code == EXIT_AGREED) {
        hash_sha256(packed.data, packed.len, hex);
        e->object = hex;
        e->withheld = w->n_patterns ? w->names : NULL;
        e->n_withheld = w->n_patterns ? w->n : 0;
        if (store_put(s, (struct bytes){packed.data, packed.len}, hex, &err) < 0)
            code = cli_fail(cli, &err);
        warn_of_statement(w);
    }
    buf_release(&packed);
    return code == EXIT_AGREED ? cli_archive_decide(cli, s, item, e) : code;
}

int cli_archive_redact(struct cli *cli)
{
    struct store s;
    struct err err = ERR_INIT;
    struct withholding w = {.cli = cli, .n_patterns = cli->n_args - 2};
    bool full = cli->opt.publish && strcmp(cli->opt.publish, STORE_FULL) == 0;
    struct store_entry e = {.kind = STORE_REDACTION,
                            .publish = full               ? STORE_FULL
                                       : cli->opt.publish ? STORE_HASHES
                                                          : STORE_REDACTED};
    if ((w.n_patterns > 0) == (cli->opt.publish != NULL))
        return cli_usage(cli, "archive redact needs either the files to withhold or --publish");
    int code = full && !cli->opt.reason ? EXIT_AGREED : cli_archive_reason(cli, &e.reason);
    if (code)
        return code;
    w.used = arena_array(&cli->arena, (size_t)w.n_patterns, sizeof *w.used);
    if (store_lock(&s, cli_archive_root(cli), &cli->arena, &cli->diags, &err) < 0)
        return exit_worse(cli_diags(cli), cli_fail(cli, &err));
    const struct store_item *item = store_find(&s, cli->args[1], &err);
    if (!item)
        code = cli_fail(cli, &err);
    else
        code = full ? cli_archive_decide(cli, &s, item, &e) : redact_part(&w, &s, item, &e);
    store_close(&s);
    return exit_worse(code, cli_diags(cli));
}
