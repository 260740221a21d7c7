/* `fpreport archive add` looks for what may be secret (cli/archive/archive.h). */
#include "cli/archive/archive.h"

#include "collector/submission/secrets.h"

#include <string.h>

#define SEARCH_MOST 20   /* lines that are named, of one submission */
#define SEARCH_SHOWN 400 /* characters of one */

void cli_archive_search(const struct submission *s, struct buf *said)
{
    size_t n = secrets_scan(s->files, s->n, SEARCH_MOST, said);
    if (n > SEARCH_MOST)
        buf_printf(said, "%zu lines more\n", n - SEARCH_MOST);
}

void cli_archive_warn(struct cli *cli, const char *path, const char *said)
{
    for (size_t n = 0; *said && n <= SEARCH_MOST; n++) {
        size_t len = strcspn(said, "\n");
        cli_warn(cli, "%s: this line may contain a secret: %.*s", path,
                 (int)(len < SEARCH_SHOWN ? len : SEARCH_SHOWN), said);
        said += len + (said[len] != '\0');
    }
}
