#include "trainer/cards/salt.h"

#include "base/files/file.h"
#include "base/signing/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define SALT_BYTES (HASH_HEX_LEN / 2)

const char *salt_path(struct arena *arena)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && *config == '/')
        return path_join(arena, config, "fpreport/salt");
    return home && *home == '/' ? path_join(arena, home, ".config/fpreport/salt") : NULL;
}

static const char *failed(const char *what, const char *path, struct arena *arena)
{
    return arena_printf(arena, "no salt to hash it with: cannot %s %s: %s", what, path,
                        strerror(errno));
}

/* A file that somebody else may read is no secret. */
static const char *read_open_salt(int fd, const char *path, struct salt *s, struct arena *arena)
{
    char text[HASH_HEX_LEN + 1] = "";
    struct stat st;
    if (fstat(fd, &st) < 0)
        return failed("look at", path, arena);
    if (!S_ISREG(st.st_mode) || (st.st_mode & 077) != 0)
        return arena_printf(arena,
                            "no salt to hash it with: %s has mode %04o, expected a file that only "
                            "its owner may read (0600)",
                            path, (unsigned)st.st_mode & 07777);
    ssize_t n = read(fd, text, HASH_HEX_LEN);
    if (n < 0)
        return failed("read", path, arena);
    if (n != HASH_HEX_LEN || !hash_is_hex(text) || st.st_size > HASH_HEX_LEN + 1)
        return arena_printf(arena,
                            "no salt to hash this value: %s does not hold 64 hex "
                            "digits",
                            path);
    s->hex = arena_strdup(arena, text);
    return NULL;
}

static const char *read_salt(const char *path, struct salt *s, struct arena *arena)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return failed("read", path, arena);
    const char *reason = read_open_salt(fd, path, s, arena);
    close(fd);
    return reason;
}

static int write_random(int fd, const char *path, struct err *err)
{
    unsigned char raw[SALT_BYTES];
    char text[HASH_HEX_SIZE];
    if (getrandom(raw, sizeof raw, 0) != sizeof raw)
        return err_errno(err, ERR_IO, "getrandom");
    hash_sha256(raw, sizeof raw, text); /* as good as they are, and in our form */
    text[HASH_HEX_LEN] = '\n';
    if (file_write_all(fd, text, sizeof text, path, err) < 0)
        return -1;
    return fsync(fd) < 0 ? err_errno(err, ERR_IO, "%s", path) : 0;
}

/* Whole under its name or not there: of several that make it at the same time one wins, and all
 * read what is there then. */
static const char *make_salt(const char *path, struct arena *arena)
{
    char *beside = arena_printf(arena, "%s.XXXXXX", path);
    struct err err = ERR_INIT;
    if (file_mkdirs_for(path, &err) < 0)
        return arena_printf(arena, "no salt to hash this value: %s", err.text);
    int fd = mkostemp(beside, O_CLOEXEC); /* mode 0600 */
    if (fd < 0)
        return failed("make", path, arena);
    int rc = write_random(fd, beside, &err);
    close(fd);
    const char *reason = NULL;
    if (rc < 0)
        reason = arena_printf(arena, "no salt to hash this value: %s", err.text);
    else if (link(beside, path) < 0 && errno != EEXIST)
        reason = failed("make", path, arena);
    unlink(beside);
    if (!reason && file_sync_folder_of(path, &err) < 0)
        reason = arena_printf(arena, "no salt to hash this value: %s", err.text);
    return reason;
}

void salt_open(struct salt *s, const char *path, struct arena *arena)
{
    char hex[HASH_HEX_SIZE];
    *s = (struct salt){0};
    path = path ? path : salt_path(arena);
    if (!path)
        s->reason = "no salt to hash this value: neither XDG_CONFIG_HOME nor HOME is set";
    else if (!file_exists(path))
        s->reason = make_salt(path, arena);
    if (!s->reason)
        s->reason = read_salt(path, s, arena);
    if (s->reason)
        return;
    const char *text = arena_printf(arena, "fpreport-salt:%s", s->hex);
    hash_sha256(text, strlen(text), hex);
    s->id = arena_strndup(arena, hex, SALT_ID_LEN);
}

const char *salt_hash(const struct salt *s, const char *kind, const char *value,
                      struct arena *arena)
{
    char hex[HASH_HEX_SIZE];
    const char *text = arena_printf(arena, "%s:%s:%s", s->hex, kind, value);
    hash_sha256(text, strlen(text), hex);
    return arena_strndup(arena, hex, SALT_HASH_LEN);
}
