#include "cli/verify/verify_mlperf.h"

#include "base/files/file.h"
#include "base/text.h"
#include "verifier/mlperf/result/explain.h"
#include "verifier/verify_mlperf_record.h"

#include <stdlib.h>
#include <string.h>

/* Is its benchmark one of any rule set, or does its path name a round? Others, such as those of
 * MLPerf HPC, are training logs, and a note says so. */
static bool is_log_of_a_round(struct cli *cli, const char *path)
{
    struct mlperf_rulebook book;
    enum mlperf_chosen how;
    const char *benchmark = mlperf_benchmark_named(path, &cli->arena);
    if (cli_mlperf_rulebook(cli, &book) != EXIT_AGREED)
        return true; /* said again, and ended with, where the rules are used */
    const struct mlperf_round_rules *newest = mlperf_rulebook_choose(&book, NULL, path, &how);
    if (how == CHOSEN_BY_PATH)
        return true;
    const char *round = mlperf_rulebook_round_of(&book, benchmark, &cli->diags);
    if (round) {
        /* The newest round need not have the benchmark any more. */
        if (strcmp(round, newest->version) != 0)
            cli_note(cli, "%s: %s has no benchmark '%s'; the newest that has it is --ruleset %s",
                     path, newest->version, benchmark, round);
        return true;
    }
    if (benchmark)
        cli_note(cli, "%s: no rule set has the benchmark '%s': read as a training log", path,
                 benchmark);
    else
        cli_note(cli,
                 "%s names no benchmark: read as a training log (--ruleset checks it as a log of "
                 "that round)",
                 path);
    return false;
}

/* Of what is no archive, or cannot be read, those who read it as something else say so. */
static bool is_sealed_mlperf(struct cli *cli, const char *path)
{
    struct err ignored = ERR_INIT;
    struct mlperf_archive archive = {.path = path, .shown = path};
    return text_ends(path, ".tar.zst") && file_exists(path) && !file_is_dir(path) &&
           mlperf_archive_list(&archive, &cli->arena, &ignored) == 0 && mlperf_archive_is(&archive);
}

/* Rules of a round are asked of logs of that round: so then a text is one, be it empty. */
static enum mlperf_input kind_of_path(struct cli *cli, const char *path)
{
    enum mlperf_input kind = is_sealed_mlperf(cli, path) ? MLPERF_SEALED : mlperf_input_of(path);
    bool text = text_ends(path, ".txt") || text_ends(path, ".log");
    bool meant = cli->opt.ruleset && text && file_exists(path) && !file_is_dir(path);
    return kind == MLPERF_NO_INPUT && meant ? MLPERF_LOG : kind;
}

enum mlperf_input cli_mlperf_input(struct cli *cli, const char *path)
{
    enum mlperf_input kind = kind_of_path(cli, path);
    bool training = kind == MLPERF_LOG && !cli->opt.ruleset && !is_log_of_a_round(cli, path);
    return training ? MLPERF_NO_INPUT : kind;
}

int cli_mlperf_asked(struct cli *cli)
{
    int first = -1, n = 0;
    for (int i = 0; i < cli->n_args; i++) {
        bool is = cli_mlperf_input(cli, cli->args[i]) != MLPERF_NO_INPUT;
        n += is;
        first = is && first < 0 ? i : first;
    }
    if (n && n < cli->n_args) {
        cli_usage(cli,
                  "%s: found MLPerf results together with other files, expected only MLPerf "
                  "results",
                  cli->args[first]);
        return -1;
    }
    return n > 0;
}

static void note_newest(void *context, const char *path, const char *version)
{
    cli_note(context,
             "%s names no MLPerf round, so the rules of %s were used (--ruleset chooses another "
             "round)",
             path, version);
}

/* …/records of "…/records/mlperf/results/ROUND/ORG/SYSTEM.json", else those of the project. */
static const char *records_of_mlperf(struct cli *cli, const char *path)
{
    char *real = file_real(path);
    const char *at = real ? strstr(real, "/mlperf/results/") : NULL, *next = at;
    while (next && (next = strstr(next + 1, "/mlperf/results/")))
        at = next;
    const char *records =
        at ? arena_strndup(&cli->arena, real, (size_t)(at - real)) : cli_records(cli);
    free(real);
    return records;
}

static int verify_record_at(struct cli *cli, const struct mlperf_request *request, const char *path,
                            struct verdict **verdicts, size_t *n)
{
    struct err err = ERR_INIT;
    struct mlperf_record *record = arena_alloc(&cli->arena, sizeof *record);
    struct verdict *more;
    size_t n_more;
    if (shape_load_file(&mlperf_record_shape, path, record, &cli->arena, &cli->diags) < 0)
        return exit_worse(cli_diags(cli), EXIT_INPUT);
    record->file = path;
    if (verify_mlperf_record(request, record, records_of_mlperf(cli, path), &cli->arena,
                             &cli->diags, &more, &n_more, &err) < 0)
        return cli_fail(cli, &err);
    for (size_t i = 0; i < n_more; i++)
        *(struct verdict *)ARENA_PUSH(&cli->arena, *verdicts, *n) = more[i];
    return EXIT_AGREED;
}

/* Records behind all that is named beside them: packages are compared with each other. */
int cli_verify_mlperf(struct cli *cli, const struct rules *rules, size_t n_paths,
                      struct verdict **verdicts, size_t *n)
{
    struct err err = ERR_INIT;
    struct mlperf_rulebook book;
    struct mlperf_input_path *inputs = arena_array(&cli->arena, n_paths, sizeof *inputs);
    const char **records = arena_array(&cli->arena, n_paths, sizeof *records);
    struct mlperf_request request = {.book = &book,
                                     .ruleset = cli->opt.ruleset,
                                     .rules = rules,
                                     .inputs = inputs,
                                     .noted = note_newest,
                                     .context = cli};
    size_t n_records = 0;
    int code = cli_sandbox(cli) ? EXIT_IO : cli_mlperf_rulebook(cli, &book);
    for (size_t i = 0; !code && i < n_paths; i++) {
        enum mlperf_input kind = kind_of_path(cli, cli->args[i]);
        if (kind == MLPERF_RECORD)
            records[n_records++] = cli->args[i];
        else
            inputs[request.n_inputs++] =
                (struct mlperf_input_path){.path = cli->args[i], .kind = kind};
    }
    *verdicts = NULL;
    *n = 0;
    if (!code && request.n_inputs &&
        verify_mlperf(&request, &cli->arena, &cli->diags, verdicts, n, &err) < 0) {
        cli_diags(cli);
        return cli_fail(cli, &err);
    }
    for (size_t i = 0; !code && i < n_records; i++)
        code = verify_record_at(cli, &request, records[i], verdicts, n);
    return code;
}

int cli_explain_mlperf(struct cli *cli, const char *metric)
{
    struct verdict *verdicts;
    size_t n, explained = 0;
    const char *metrics = mlperf_explain_metrics(&cli->arena);
    int code = cli_verify_mlperf(cli, NULL, 1, &verdicts, &n);
    for (size_t i = 0; code == EXIT_AGREED && metric && i < n; i++) {
        const struct mlperf_result *r = verdicts[i].mlperf;
        if (r->kind == MLPERF_RESULT_PACKAGE || r->kind == MLPERF_RESULT_RECORD)
            continue;
        buf_printf(&cli->out, "%s%s, %s, by the rules of %s\n", explained++ ? "\n" : "",
                   verdicts[i].id, metric, r->rules->version);
        if (!mlperf_explain(r, metric, &cli->out))
            return cli_usage(cli, "%s: found no such metric, expected one of %s", metric, metrics);
    }
    if (code == EXIT_AGREED && !metric)
        return cli_usage(cli, "%s: expected a metric: %s", cli->args[0], metrics);
    if (code == EXIT_AGREED && !explained)
        return cli_usage(cli,
                         "%s: found no log and no directory of runs (ORG/results/SYSTEM/BENCHMARK)",
                         cli->args[0]);
    return exit_worse(code, cli_diags(cli));
}
