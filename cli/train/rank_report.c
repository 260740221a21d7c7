#include "cli/train/rank_report.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rank_report rank_report_find(void)
{
    const char *fd = getenv(RANK_REPORT_FD), *node = getenv(RANK_REPORT_NODE);
    struct rank_report none = {.fd = -1};
    char *end;
    long value = fd ? strtol(fd, &end, 10) : -1;
    if (!fd || !node || end == fd || *end || value < 3 || value > 1 << 20)
        return none;
    if (fcntl((int)value, F_SETFD, FD_CLOEXEC) < 0)
        return none;
    return (struct rank_report){.fd = (int)value, .node = node};
}

void rank_report_tell(int fd, int rank, enum rank_word word, int status, const char *text)
{
    char line[RANK_REPORT_MAX];
    int n = snprintf(line, sizeof line - 1, "%d %c %d %s", rank, (char)word, status, text);
    size_t len = (size_t)n < sizeof line - 1 ? (size_t)n : sizeof line - 2;
    for (char *at = line; (at = memchr(at, '\n', len - (size_t)(at - line)));)
        *at = ' '; /* one line */
    line[len++] = '\n';
    ssize_t ignored = write(fd, line, len); /* nobody is left to tell when that fails */
    (void)ignored;
}
