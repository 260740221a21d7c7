#include "base/files/spool.h"

#include "base/files/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define SHOWN "a file for what is written later"

int spool_add(struct spool *s, const char *folder, const void *data, size_t len, size_t *at,
              struct err *err)
{
    if (s->fd < 0) {
        /* Where the file system knows no files without a name, it has one for a moment. */
        struct arena arena = ARENA_INIT;
        int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        char *name = path_join(&arena, folder, ".fpreport-spool-XXXXXX");
        if (fd < 0) {
            fd = mkostemp(name, O_CLOEXEC);
            if (fd >= 0)
                unlink(name);
        }
        if (fd < 0)
            err_errno(err, ERR_IO, "%s: cannot make " SHOWN, folder);
        arena_release(&arena);
        s->fd = fd;
    }
    /* One that could not be written whole is written over. */
    if (s->fd >= 0 && lseek(s->fd, (off_t)s->len, SEEK_SET) < 0)
        return err_errno(err, ERR_IO, "cannot go on in " SHOWN);
    if (s->fd < 0 || file_write_all(s->fd, data, len, SHOWN, err) < 0)
        return -1;
    *at = s->len;
    s->len += len;
    return 0;
}

int spool_read(const struct spool *s, size_t at, size_t len, struct arena *arena, struct bytes *out,
               struct err *err)
{
    return file_read_at(s->fd, SHOWN, at, len, arena, out, err);
}

void spool_close(struct spool *s)
{
    if (s->fd >= 0)
        close(s->fd);
    *s = (struct spool)SPOOL_INIT;
}
