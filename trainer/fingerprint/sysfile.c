#include "trainer/fingerprint/sysfile.h"

#include "base/buf.h"
#include "base/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES 65536

const char *sysfile_path(const char *root, const char *path, struct arena *arena)
{
    return path_join(arena, root, path + strspn(path, "/"));
}

static int read_sysfile(int fd, struct buf *out)
{
    char piece[PIECE_BYTES];
    for (;;) {
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return (int)n;
        if (memchr(piece, '\0', (size_t)n)) {
            errno = EILSEQ;
            return -1;
        }
        buf_add(out, piece, (size_t)n);
        if (out->overflow) {
            errno = EFBIG;
            return -1;
        }
    }
}

static const char *read_open_sysfile(int fd, struct arena *arena)
{
    struct stat st;
    struct buf text;
    if (fstat(fd, &st) < 0)
        return NULL;
    if (!S_ISREG(st.st_mode)) {
        errno = EINVAL;
        return NULL;
    }
    buf_init(&text, SYSFILE_MAX);
    const char *out = NULL;
    if (read_sysfile(fd, &text) == 0) {
        size_t len = text.len;
        while (len && strchr(" \t\r\n", text.data[len - 1]))
            len--;
        out = arena_strndup(arena, text.data, len);
    }
    buf_release(&text);
    return out;
}

const char *sysfile_read(const char *root, const char *path, struct arena *arena)
{
    int fd = open(sysfile_path(root, path, arena), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    const char *out = read_open_sysfile(fd, arena);
    int saved = errno;
    close(fd);
    errno = saved;
    return out;
}

static const char *trimmed(const char *from, size_t len, struct arena *arena)
{
    while (len && strchr(" \t\r", from[len - 1]))
        len--;
    while (len && strchr(" \t", *from))
        from++, len--;
    if (len >= 2 && (*from == '"' || *from == '\'') && from[len - 1] == *from)
        from++, len -= 2;
    return arena_strndup(arena, from, len);
}

const char *sysfile_field(const char *text, const char *key, char separator, struct arena *arena)
{
    size_t len = strlen(key);
    for (const char *line = text; line && *line;) {
        const char *end = strchrnul(line, '\n'), *at = line + len;
        if ((size_t)(end - line) > len && strncmp(line, key, len) == 0) {
            at += strspn(at, " \t");
            if (*at == separator)
                return trimmed(at + 1, (size_t)(end - at - 1), arena);
        }
        line = *end ? end + 1 : end;
    }
    return NULL;
}
