/* paths: where records are found. */
#include "cli/cli.h"

#include "base/files/file.h"
#include "base/project/project.h"

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define SAMPLE "sample" /* of --records: the installed ones, with their results */

/* Without /proc it is the name that the program was started by, of which links are not followed. */
const char *cli_program_folder(struct cli *cli)
{
    char exe[4096];
    ssize_t n = -1;
    for (int times = 0; n < 0 && times < 2; times++) /* what fails once is not another folder */
        n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    const char *started = (const char *)getauxval(AT_EXECFN);
    const char *path = n > 0 ? arena_strndup(&cli->arena, exe, (size_t)n) : started ? started : "";
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(&cli->arena, path, (size_t)(slash - path)) : NULL;
}

/* What the program comes with, seen from the folder it runs in: installed below <prefix>/bin (so
 * that an installed tree may be moved), or just compiled in the source tree, where programs of
 * other compilers lie below build/. Else the place that was compiled in. */
size_t cli_datadirs(struct cli *cli, const char *dirs[CLI_DATADIRS_MAX])
{
    static const char *const beside[] = {"../share/fpreport", ".", "../.."};
    const char *folder = cli_program_folder(cli);
    size_t n = 0;
    for (size_t i = 0; folder && i < sizeof beside / sizeof *beside; i++) {
        struct err ignored = ERR_INIT;
        dirs[n] = path_join(&cli->arena, folder, beside[i]);
        int there = file_is_folder(path_join(&cli->arena, dirs[n], "templates/site"), &ignored);
        n += there != 0;
        if (there > 0)
            return n;
    }
    dirs[n] = FPREPORT_DATADIR;
    return n + 1;
}

const char *cli_datadir(struct cli *cli)
{
    const char *dirs[CLI_DATADIRS_MAX];
    cli_datadirs(cli, dirs);
    return dirs[0];
}

/* A disk that does not answer, or a link that leads nowhere now, is no reason to read others. */
bool cli_has_project(const struct cli *cli)
{
    struct err ignored = ERR_INIT;
    return cli->opt.records || file_is_there("records", &ignored) != 0;
}

const char *cli_records(struct cli *cli)
{
    const char *named = cli->opt.records;
    if (!cli_has_project(cli) || (named && strcmp(named, SAMPLE) == 0))
        return path_join(&cli->arena, cli_datadir(cli), "records");
    return named ? named : "records";
}

int cli_need_project(const struct cli *cli)
{
    if (cli_has_project(cli))
        return EXIT_AGREED;
    return cli_usage(cli,
                     "found no records/ in this folder, expected a project for %s to work on: "
                     "begin one with 'fpreport new project DIR', or name one with -C DIR or "
                     "--records DIR; --records " SAMPLE " is the one that comes with fpreport",
                     cli->command->name);
}

void cli_lend_records(struct cli *cli, struct project *p)
{
    project_lend(p, path_join(&cli->arena, cli_datadir(cli), "records"), &cli->diags);
}

void cli_load_records(struct cli *cli, struct project *p)
{
    const char *records = cli_records(cli);
    if (!cli_has_project(cli)) {
        project_load_known_things(records, p, &cli->arena, &cli->diags);
        return;
    }
    project_load(records, p, &cli->arena, &cli->diags);
    cli_lend_records(cli, p);
}

void cli_load_shard(struct cli *cli, const struct shard *shard, struct project *p)
{
    project_load_shard(cli_records(cli), shard, p, &cli->arena, &cli->diags);
    cli_lend_records(cli, p);
}

int cli_flagperf(struct cli *cli, struct project *p)
{
    struct err err = ERR_INIT;
    const char *dir = cli->opt.flagperf;
    int there = dir ? file_is_folder(path_join(&cli->arena, dir, "training"), &err) : 1;
    if (there < 0)
        return cli_fail(cli, &err);
    if (!there)
        return cli_usage(cli, "--flagperf %s: found no folder training/ in it, expected a checkout",
                         dir);
    p->flagperf = dir;
    return 0;
}
