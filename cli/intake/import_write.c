#include "cli/intake/import_write.h"

#include "base/files/file.h"
#include "base/sealed/archive.h"

#include <string.h>

int import_write(struct cli *cli, const char *path, struct bytes text)
{
    struct err err = ERR_INIT;
    struct bytes old;
    if (cli->opt.dry_run && (cli->opt.force || !file_exists(path))) {
        buf_printf(&cli->out, "would %s %s\n", file_exists(path) ? "replace" : "write", path);
        return 0;
    }
    int rc = cli->opt.dry_run ? FILE_THERE
             : cli->opt.force ? file_write_there(path, text.data, text.len, &err)
                              : file_write_new(path, text.data, text.len, &err);
    if (rc == FILE_THERE) {
        if (file_read(path, ARCHIVE_PACKED_MAX, &cli->arena, &old, &err) == 0 &&
            old.len == text.len && memcmp(old.data, text.data, old.len) == 0)
            return 0;
        return cli_usage(cli, "%s: already exists and differs; --force replaces it", path);
    }
    if (rc < 0)
        return cli_fail(cli, &err);
    cli_detail(cli, "wrote %s", path);
    return 0;
}
