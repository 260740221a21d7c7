#include "cli/publish/accept.h"

#include "base/files/file.h"
#include "base/json/shape.h"

#include <string.h>

/* "acme/llama2_7b" */
static bool names_a_result(struct cli *cli, const char *word)
{
    const char *slash = strchr(word, '/');
    return slash && shape_is_id(slash + 1) &&
           shape_is_id(arena_strndup(&cli->arena, word, (size_t)(slash - word)));
}

int publish_accept_read(struct publish_accept *a, struct cli *cli)
{
    const char *option = cli->opt.accept;
    *a = (struct publish_accept){.all = false};
    if (option && *option && !names_a_result(cli, option))
        return cli_usage(cli, "--accept: found '%s', expected VENDOR/CASE", option);
    if (option && *option)
        *(const char **)ARENA_PUSH(&cli->arena, a->names, a->n) = option;
    for (int i = 0; i < cli->n_args; i++) {
        const char *word = cli->args[i];
        if (option && names_a_result(cli, word) && !file_is_dir(word)) {
            *(const char **)ARENA_PUSH(&cli->arena, a->names, a->n) = word;
        } else if (a->site) {
            return cli_usage(cli, "publish: found '%s', expected only [SITE]", word);
        } else {
            a->site = word;
        }
    }
    a->all = option && !a->n;
    return EXIT_AGREED;
}

static const char *id_of_change(const struct run_change *c)
{
    return c->new ? c->new->id : c->old->id;
}

static bool is_accepted(const struct publish_accept *a, const struct run_change *c)
{
    bool accepted = a->all;
    for (size_t i = 0; i < a->n && !accepted; i++)
        accepted = strcmp(a->names[i], id_of_change(c)) == 0;
    return accepted || !c->old; /* a new result changes no verdict */
}

/* A name that does nothing is a name that was mistyped, or of another publication. */
static int refuse_unchanged_names(const struct publish_accept *a, const struct publish_changes *c,
                                  struct cli *cli)
{
    for (size_t i = 0; i < a->n; i++) {
        size_t k = 0;
        while (k < c->diff.n_runs && strcmp(id_of_change(&c->diff.runs[k]), a->names[i]) != 0)
            k++;
        if (k == c->diff.n_runs)
            return cli_usage(cli, "--accept %s: no verdict of this result changed", a->names[i]);
    }
    return EXIT_AGREED;
}

/* The first that is not accepted, and how many there are. */
static size_t count_refused(const struct publish_accept *a, const struct verdict_diff *d, bool gone,
                            const char **first)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_runs; i++) {
        const struct run_change *c = &d->runs[i];
        if (is_accepted(a, c) || (gone && c->new))
            continue;
        if (n++ == 0)
            *first = id_of_change(c);
    }
    return n;
}

int publish_accept_judge(const struct publish_accept *a, const struct publish_changes *c,
                         const struct repo_branch_info *info, struct cli *cli)
{
    struct err err = ERR_INIT;
    const char *first = NULL;
    size_t n;
    int code = refuse_unchanged_names(a, c, cli);
    if (code || a->all)
        return code;
    if (c->foreign)
        err_set(&err, ERR_CHECK,
                "%s contains %zu files that fpreport did not publish; --accept replaces them by "
                "the site (the git history keeps them)",
                info->base_name, c->files.removed + c->files.changed + c->files.same);
    else if ((n = count_refused(a, &c->diff, true, &first)))
        err_set(&err, ERR_CHECK,
                "not published: compared with %s %.12s, the record of %zu %s is missing; restore "
                "the record with \"withdrawn\" and a reason, or run `fpreport publish --accept %s` "
                "to publish the removal without a reason",
                info->base_name, info->base, n, n == 1 ? "result" : "results", first);
    else if ((n = count_refused(a, &c->diff, false, &first)))
        err_set(&err, ERR_CHECK,
                "not published: %zu %s changed since %s %.12s; `fpreport publish --accept %s` "
                "publishes %s",
                n, n == 1 ? "verdict" : "verdicts", info->base_name, info->base, first,
                n == 1 ? "it" : "that of one result, `fpreport publish --accept` all of them");
    return err.kind ? cli_fail(cli, &err) : EXIT_AGREED;
}
