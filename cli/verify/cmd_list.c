#include "cli/cli.h"

#include "base/project/project.h"
#include "cli/archive/archive.h"
#include "cli/sign.h"
#include "verifier/claims/duplicates.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify.h"

#include <string.h>

/* Those of the vendors that are named come first, in their order; *n: how many. EXIT_USAGE where a
 * vendor has none. */
static int choose_verdicts(struct cli *cli, const struct project *p, struct verdict *v, size_t *n)
{
    *n = 0;
    for (int k = 0; k < cli->n_args; k++) {
        size_t found = 0;
        for (size_t i = 0; i < p->n_results; i++) {
            if (strcmp(cli->args[k], p->results[i].vendor) != 0)
                continue;
            v[(*n)++] = v[p->n_results + i];
            found++;
        }
        if (!found)
            return cli_usage(cli, "%s: found no result of such a vendor in %s", cli->args[k],
                             p->root);
    }
    return EXIT_AGREED;
}

static void list_json(const struct verdict *v, size_t n, struct buf *out)
{
    struct json_writer w;
    json_writer_init(&w, out);
    json_begin_array(&w, NULL);
    for (size_t i = 0; i < n; i++) {
        size_t errors = verdict_count(&v[i], OUTCOME_FAIL, SEVERITY_ERROR);
        size_t warnings = verdict_count(&v[i], OUTCOME_FAIL, SEVERITY_WARNING);
        size_t all = verdict_count(&v[i], OUTCOME_FAIL, SEVERITY_NOTICE);
        json_begin_object_flat(&w, NULL);
        json_string(&w, "id", v[i].id);
        json_string(&w, "state", state_name(v[i].state));
        json_integer(&w, "errors", (long long)errors);
        json_integer(&w, "warnings", (long long)(warnings - errors));
        json_integer(&w, "notices", (long long)(all - warnings));
        json_end_object(&w);
    }
    json_end_array(&w);
    json_finish(&w);
}

static int refuse_unread_verdicts(struct cli *cli, const struct verdict *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct err err = ERR_INIT;
        if (!v[i].machine)
            continue;
        err_set(&err, ERR_IO, "%s: %s", v[i].id, v[i].machine);
        return cli_fail(cli, &err);
    }
    return EXIT_AGREED;
}

/* All are verified, since results are compared with each other. */
static int list_results(struct cli *cli, struct project *p)
{
    size_t n = p->n_results;
    struct verdict *v = arena_array(&cli->arena, 2 * n, sizeof *v), *all = v + n;
    duplicates_index(p);
    verify_many(p, NULL, p->results, n, &cli->arena, all);
    int code = refuse_unread_verdicts(cli, all, n);
    if (!code && cli->n_args)
        code = choose_verdicts(cli, p, v, &n);
    if (code)
        return code;
    const struct verdicts shown = {.items = cli->n_args ? v : all,
                                   .n = n,
                                   .color = cli->color_out && !cli->opt.out,
                                   .whole_names = cli->piped || cli->opt.out};
    if (cli_wants_json(cli)) {
        list_json(shown.items, n, &cli->out);
    } else if (n) {
        verdicts_table(&shown, &cli->out);
        verdicts_totals(shown.items, n, &cli->out);
    } else {
        cli_note(cli, "no results in %s", p->root);
    }
    return EXIT_AGREED;
}

static int run_list(struct cli *cli)
{
    struct project *p = arena_alloc(&cli->arena, sizeof *p);
    if (cli_sandbox(cli))
        return EXIT_IO;
    cli_load_records(cli, p);
    int code = cli->diags.machine ? EXIT_IO : cli_signers(cli, p);
    code = code ? code : cli_archive(cli, p);
    code = code ? code : list_results(cli, p);
    code = exit_worse(code, cli_diags(cli));
    return exit_worse(code, cli_deliver(cli));
}

const struct command command_list = {
    .name = "list",
    .summary = "list the results with their states",
    .arguments = "[VENDOR…]",
    .examples = "  fpreport list\n"
                "  fpreport list acme --format json\n",
    .details = "\n"
               "Each line shows one result: its state, how many of its numbers were recomputed,\n"
               "how many problems were found, and the most severe problem. `fpreport verify\n"
               "VENDOR/CASE` shows all problems of one result. list exits with 0 whatever the\n"
               "states are.\n",
    .options = (const enum option_id[]){OPTION_FORMAT, OPTION_OUT, OPTION_RECORDS, OPTION_ARCHIVE,
                                        OPTION_REQUIRE_LANDLOCK, OPTION_END},
    .out_meaning = "write the list to this file",
    .max_arguments = -1,
    .needs_project = true,
    .run = run_list,
};
