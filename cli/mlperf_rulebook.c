#include "cli/mlperf_rulebook.h"

#include "base/files/file.h"

int cli_mlperf_rulebook(struct cli *cli, struct mlperf_rulebook *out)
{
    struct err err = ERR_INIT;
    const char *own = path_join(&cli->arena, cli_records(cli), "mlperf");
    const char *installed = path_join(&cli->arena, cli_datadir(cli), "records/mlperf");
    bool there = file_is_dir(path_join(&cli->arena, own, "rules"));
    if (mlperf_rulebook_open(there ? own : installed, &cli->arena, out, &err) < 0)
        return cli_fail(cli, &err);
    return EXIT_AGREED;
}
