/* A log on disk, read in pieces. */
#include "verifier/logs/log.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* What the kernel copies, and what is read of it, stay in the second-level cache together. */
#define PIECE ((size_t)1 << 16)
#define AHEAD ((size_t)1 << 12) /* more than a form looks ahead, mostly */

/* Up to the end of a line that has AHEAD bytes behind it; all of it where there is none. */
static size_t count_ready(const char *piece, size_t n)
{
    const char *stop = n > AHEAD ? memrchr(piece, '\n', n - AHEAD) : NULL;
    return stop ? (size_t)(stop - piece) + 1 : n;
}

int log_read_file(const char *path, struct log *out, struct arena *arena, struct diags *diags,
                  struct err *err)
{
    return log_read_file_own(path, NULL, out, arena, diags, err);
}

int log_read_file_own(const char *path, const struct pattern_row *own, struct log *out,
                      struct arena *arena, struct diags *diags, struct err *err)
{
    if (file_is_dir(path))
        return err_set(err, ERR_INPUT, "%s: found a folder, expected a log file", path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_errno(err, ERR_INPUT, "%s", path);
    struct log_reader r;
    log_open(&r, path, out, arena, diags);
    r.own = own;
    char *piece = memory_alloc(PIECE);
    size_t kept = 0;
    ssize_t n;
    do {
        n = read(fd, piece + kept, PIECE - kept);
        if (n <= 0)
            continue;
        size_t whole = kept + (size_t)n, ready = count_ready(piece, whole);
        kept = whole - ready;
        log_feed_ahead(&r, piece, ready, kept);
        memmove(piece, piece + ready, kept);
    } while ((n > 0 && !r.stopped) || (n < 0 && errno == EINTR));
    log_feed(&r, piece, kept);
    free(piece);
    int rc = n < 0 ? err_errno(err, ERR_INPUT, "%s", path) : 0;
    close(fd);
    log_close(&r);
    return rc;
}
