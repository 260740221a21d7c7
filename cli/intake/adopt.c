#include "cli/intake/adopt.h"

#include "base/figures/labels.h"
#include "base/files/file.h"
#include "base/records/facts.h"
#include "base/sealed/archive.h"
#include "base/sealed/submission.h"
#include "base/text.h"
#include "cli/train/command_layout.h"
#include "collector/submission/adopted.h"
#include "verifier/runs/monitor.h"
#include "verifier/runs/run_layout.h"
#include "verifier/runs/sys_info.h"

#include <string.h>

static int read_adopted_files(struct cli *cli, struct adopted_run *run, struct err *err)
{
    size_t n = (size_t)cli->n_args, total = 0;
    struct adopted_file *files = arena_array(&cli->arena, n, sizeof *files);
    for (size_t i = 0; i < n; i++) {
        const char *path = cli->args[i];
        size_t room = SUBMISSION_TOTAL_MAX - total;
        if (file_is_dir(path))
            return err_set(
                err, ERR_USAGE,
                "%s: found a folder, expected the logs and monitor files of one run; to collect a "
                "run directory of `fpreport train`, omit --case",
                path);
        /* As it is sealed: what nothing would take for a log becomes one, such as slurm-4711.out.
         */
        const char *name = path_base(path);
        bool known = run_is_training_log(name) || monitor_is(name) || sys_info_is(name);
        files[i].name = known ? name : arena_printf(&cli->arena, "%s.log", name);
        if (file_read(path, room < ARCHIVE_MEMBER_MAX ? room : ARCHIVE_MEMBER_MAX, &cli->arena,
                      &files[i].bytes, err) < 0)
            return -1;
        total += files[i].bytes.len;
    }
    run->files = files;
    run->n_files = n;
    return 0;
}

static int read_adopted_fingerprint(struct cli *cli, struct adopted_run *run, struct err *err)
{
    const char *path = cli->opt.fingerprint;
    struct facts facts;
    if (!path)
        return 0;
    if (file_read(path, JSON_BYTES_MAX, &cli->arena, &run->fingerprint, err) < 0)
        return -1;
    if (facts_read(path, run->fingerprint, &cli->arena, &facts, &cli->diags) < 0)
        return err_set(err, ERR_INPUT,
                       "--fingerprint %s: found no fingerprint, expected the output of `fpreport "
                       "fingerprint --format json`",
                       path);
    return 0;
}

static int read_adopted_case(struct cli *cli, struct adopted_run *run, struct err *err)
{
    const char *id = cli->opt.case_id;
    const char *path = arena_printf(&cli->arena, "%s/cases/%s.json", cli_records(cli), id);
    run->case_id = id;
    if (!shape_is_id(id))
        return err_set(err, ERR_USAGE, "--case: found '%s', expected an id", id);
    if (file_is_there(path, err) == 0)
        return err_set(err, ERR_USAGE,
                       "--case %s: found no %s; `fpreport new submission %s/%s` makes a folder "
                       "with this case, in which collect works",
                       id, path, cli->opt.vendor ? cli->opt.vendor : "VENDOR", id);
    return err->kind || file_read(path, JSON_BYTES_MAX, &cli->arena, &run->case_bytes, err) < 0 ? -1
                                                                                                : 0;
}

static const struct accelerator *card_of_record(const struct project *p, const char *vendor,
                                                const char *case_id, struct arena *arena)
{
    const struct result *r =
        project_result_by_name(p, arena_printf(arena, "%s/%s", vendor, case_id), arena);
    for (size_t i = 0; r && r->general && i < r->general->n_rows; i++) {
        const struct row *row = &r->general->rows[i];
        const struct label *l =
            row->n_cells > 1 ? label_find(LABEL_GENERAL, row->cells[0].text) : NULL;
        if (l && strcmp(l->key, "device") == 0)
            return project_find_card(p, row->cells[1].text, vendor);
    }
    return NULL;
}

int adopt_stated_card(struct cli *cli, const struct project *p, const char *vendor,
                      const char *case_id, const char *said, const struct accelerator **out)
{
    int code = command_card(cli, out);
    if (code == 0 && !*out && said)
        *out = project_find_accelerator(p, said, NULL);
    if (code == 0 && !*out)
        *out = card_of_record(p, vendor, case_id, &cli->arena);
    if (*out && strcmp((*out)->id, "cpu") == 0)
        *out = NULL;
    return code;
}

int adopt_logs(struct cli *cli, struct adoption *out)
{
    struct layout layout = {0};
    struct adopted_run run = {.layout = &layout};
    struct err err = ERR_INIT;
    const struct accelerator *card;
    int code = command_card(cli, &card);
    if (code)
        return code;
    run.accelerator = card ? card->id : NULL;
    if (command_layout_options(cli, &layout, &err) < 0 || read_adopted_case(cli, &run, &err) < 0 ||
        read_adopted_files(cli, &run, &err) < 0 || read_adopted_fingerprint(cli, &run, &err) < 0 ||
        adopted_members(&run, &cli->arena, &out->members, &out->n, &err) < 0) {
        cli_diags(cli);
        return cli_fail(cli, &err);
    }
    out->name = adopted_name(&run, &cli->arena);
    return EXIT_AGREED;
}
