#include "base/store/store_note.h"

#include "base/arena.h"
#include "base/files/file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BEGUN_LEN (sizeof STORE_NOTE_BEGUN - 1)

int store_note_read(int fd, const char *root, struct store_note *out, struct err *err)
{
    char text[BEGUN_LEN + HASH_HEX_SIZE + 1] = ""; /* one more, to see that there is none */
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    *out = (struct store_note){.begun = false};
    if (n < 0)
        return err_errno(err, ERR_IO, "%s/" STORE_LOCK ": cannot read", root);
    out->begun = strncmp(text, STORE_NOTE_BEGUN, BEGUN_LEN) == 0;
    const char *at = text + (out->begun ? BEGUN_LEN : 0);
    if (strlen(at) == HASH_HEX_LEN && hash_is_hex(at))
        memcpy(out->object, at, sizeof out->object);
    return 0;
}

struct store_note store_note_of(const char *root)
{
    struct arena own = ARENA_INIT;
    struct store_note note = {.begun = false};
    struct err ignored = ERR_INIT;
    int fd =
        open(path_join(&own, root, STORE_LOCK), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0) {
        store_note_read(fd, root, &note, &ignored);
        close(fd);
    }
    arena_release(&own);
    return note;
}

int store_note_write(int fd, const char *root, const struct store_note *note, struct err *err)
{
    off_t at = note->begun ? BEGUN_LEN : 0;
    ssize_t len = (ssize_t)strlen(note->object);
    if (ftruncate(fd, at) < 0 || pwrite(fd, note->object, (size_t)len, at) != len ||
        (len && fsync(fd) < 0))
        return err_errno(err, ERR_IO, "%s/" STORE_LOCK ": cannot write", root);
    return 0;
}
