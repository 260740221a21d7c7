#include "cli/verify/diff_verdicts.h"

#include "base/files/file.h"
#include "cli/intake/inputs.h"
#include "verifier/shard_merge.h"
#include "verifier/verdicts/diff.h"

#include <string.h>

bool cli_has_verdicts(const struct cli *cli)
{
    return verdict_doc_is(cli->args[0]) || verdict_doc_is(cli->args[1]);
}

/* What stands in the alignment rule's place has no meaning here. */
static int refuse_rule(struct cli *cli)
{
    const struct options *o = &cli->opt;
    const char *given = o->from_step ? "--from-step"
                        : o->limit   ? "--limit"
                        : o->order   ? "--order"
                                     : NULL;
    if (given)
        return cli_usage(cli,
                         "found %s with two documents of verdicts, but it works only with "
                         "runs",
                         given);
    return 0;
}

/* What a verify that failed wrote proves nothing: whatever is missing would count as the same. */
static int refuse_incomplete(struct cli *cli, const struct verdict_doc docs[2])
{
    struct err err = ERR_INIT;
    for (int i = 0; i < 2; i++) {
        if (!docs[i].incomplete)
            continue;
        err_set(&err, ERR_INPUT,
                "%s: the document is marked as incomplete, expected the output of a verify that "
                "could read all its input",
                docs[i].file);
        return cli_fail(cli, &err);
    }
    if (docs[0].n_runs || docs[1].n_runs)
        return 0;
    err_set(&err, ERR_INPUT, "%s, %s: found no verdict in either, expected at least one",
            docs[0].file, docs[1].file);
    return cli_fail(cli, &err);
}

/* ---- folders of shards -------------------------------------------------------------------- */

bool cli_has_shards(const struct cli *cli)
{
    return shard_set_is(cli->args[0]) && shard_set_is(cli->args[1]);
}

static struct verdict_doc doc_of_shards(const struct cli *cli, int i, const struct shard_set *s)
{
    const struct shard_head *head = &s->docs[0].head;
    return (struct verdict_doc){.file = cli->args[i],
                                .tool = head->tool,
                                .rules = head->rules,
                                .only = head->only,
                                .incomplete = s->incomplete,
                                .n_runs = s->n_runs};
}

/* Of both no more than one shard is in memory. */
static int compare_shard(struct cli *cli, const struct shard_set sets[2], unsigned shard,
                         struct verdict_diff *all)
{
    struct arena own = ARENA_INIT;
    struct err err = ERR_INIT;
    struct verdict_doc docs[2];
    struct verdict_diff part;
    int code = EXIT_AGREED;
    for (int i = 0; i < 2 && !code; i++) {
        if (shard_set_doc(&sets[i], shard, &own, &docs[i], &cli->diags, &err) < 0)
            code = err.kind ? cli_fail(cli, &err) : EXIT_INPUT;
        code = exit_worse(code, cli_diags(cli));
    }
    if (!code) {
        verdict_diff_make(&docs[0], &docs[1], &own, &part);
        verdict_diff_add(all, &part, cli_wants_json(cli), cli->color_out && !cli->opt.out,
                         &cli->arena);
    }
    arena_release(&own);
    return code;
}

static int report_changes(struct cli *cli, const struct verdict_diff *diff)
{
    if (cli_wants_json(cli))
        verdict_diff_json(diff, &cli->out);
    else
        verdict_diff_text(diff, cli->color_out && !cli->opt.out, &cli->out);
    return exit_worse(cli_deliver(cli), diff->worse ? EXIT_CHECK : EXIT_AGREED);
}

int cli_diff_shards(struct cli *cli)
{
    struct err err = ERR_INIT;
    struct shard_set sets[2];
    struct verdict_doc docs[2];
    int code = refuse_rule(cli);
    for (int i = 0; i < 2 && !code; i++) {
        if (shard_set_open(cli->args[i], &cli->arena, &sets[i], &err) < 0)
            return cli_fail(cli, &err);
        docs[i] = doc_of_shards(cli, i, &sets[i]);
    }
    code = code ? code : refuse_incomplete(cli, docs);
    if (!code && sets[0].n != sets[1].n)
        return cli_usage(cli,
                         "%s: found %zu shards, but %zu in %s: merge both folders, and compare the "
                         "two documents",
                         cli->args[0], sets[0].n, sets[1].n, cli->args[1]);
    struct verdict_diff all = {.old = &docs[0], .new = &docs[1]};
    for (unsigned k = 0; !code && k < sets[0].n; k++)
        code = compare_shard(cli, sets, k, &all);
    verdict_diff_sort(&all);
    return code ? code : report_changes(cli, &all);
}

/* ---- documents ---------------------------------------------------------------------------- */

int cli_diff_verdicts(struct cli *cli)
{
    struct verdict_doc docs[2];
    struct verdict_diff diff;
    int code = refuse_rule(cli);
    for (int i = 0; !code && i < 2; i++) {
        if (!file_exists(cli->args[i]))
            return input_refuse(cli, cli->args[i], "a document of verdicts: the other is one");
        if (!verdict_doc_is(cli->args[i]))
            return cli_usage(cli,
                             "%s: found no document of verdicts, expected one, because the "
                             "other file is one",
                             cli->args[i]);
        verdict_doc_load(cli->args[i], &cli->arena, &docs[i], &cli->diags);
        code = cli_diags(cli);
    }
    code = code ? code : refuse_incomplete(cli, docs);
    if (code)
        return code;
    verdict_diff_make(&docs[0], &docs[1], &cli->arena, &diff);
    return report_changes(cli, &diff);
}
