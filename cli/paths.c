/* paths: where records are found. */
#include "cli/cli.h"

#include "base/file.h"
#include "base/project.h"

#include <string.h>
#include <unistd.h>

const char *cli_program_folder(struct cli *cli)
{
    char exe[4096];
    ssize_t n = -1;
    for (int times = 0; n < 0 && times < 2; times++) /* what fails once is not another folder */
        n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    const char *slash = n > 0 ? memrchr(exe, '/', (size_t)n) : NULL;
    return slash ? arena_strndup(&cli->arena, exe, (size_t)(slash - exe)) : NULL;
}

/* What the program comes with, seen from the folder it runs in: installed below <prefix>/bin (so
 * that an installed tree may be moved), or just compiled in the source tree. Else the place that
 * was compiled in. */
const char *cli_datadir(struct cli *cli)
{
    static const char *const beside[] = {"../share/fpreport", "."};
    const char *folder = cli_program_folder(cli);
    for (size_t i = 0; folder && i < sizeof beside / sizeof *beside; i++) {
        const char *dir = path_join(&cli->arena, folder, beside[i]);
        struct err ignored = ERR_INIT;
        if (file_is_folder(path_join(&cli->arena, dir, "templates/site"), &ignored) != 0)
            return dir;
    }
    return FPREPORT_DATADIR;
}

const char *cli_records(struct cli *cli)
{
    if (cli->opt.records)
        return cli->opt.records;
    /* A disk that does not answer, or a link that leads nowhere now, is no reason to read others.
     */
    struct err ignored = ERR_INIT;
    return file_is_there("records", &ignored) == 0
               ? path_join(&cli->arena, cli_datadir(cli), "records")
               : "records";
}

int cli_flagperf(struct cli *cli, struct project *p)
{
    const char *dir = cli->opt.flagperf;
    if (dir && !file_is_dir(path_join(&cli->arena, dir, "training")))
        return cli_usage(cli, "--flagperf %s: found no folder training/ in it, expected a checkout",
                         dir);
    p->flagperf = dir;
    return 0;
}
