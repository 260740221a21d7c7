#include "base/store/store.h"

#include "base/arena.h"
#include "base/files/beneath.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/files/lock.h"
#include "base/store/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
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

#define ID_LEAST 8

const char *store_object_path(const char *root, const char *sha256, struct arena *arena)
{
    return path_join(arena, root, arena_printf(arena, STORE_OBJECTS "/%.2s/%s", sha256, sha256));
}

/* Where the machine refuses to say, it may have what the archive has, too: the same bytes. */
static bool is_among(const char *records, const char *archive)
{
    int fd = beneath_open(records, archive);
    if (fd < 0)
        return errno == ELOOP || (errno != ENOENT && errno != ENOTDIR && !err_is_of_machine(errno));
    close(fd);
    return true;
}

struct store_place store_place_of(const struct store *s, const char *records, const char *archive,
                                  const char *sha256, struct arena *arena)
{
    if (s && s->held)
        return (struct store_place){records, archive, s->held};
    if (!s || !sha256 || !store_object_of(&s->index, sha256) || is_among(records, archive))
        return (struct store_place){.folder = records, .path = archive};
    return (struct store_place){.folder = s->root, .path = store_object_path("", sha256, arena)};
}

bool store_is_noted(const char *root, const char *sha256)
{
    return strcmp(store_note_of(root).object, sha256) == 0;
}

/* One that did not come just now, from a writer that died before its entry was written. */
static int has_objects(const char *root, struct err *err)
{
    struct arena own = ARENA_INIT;
    const char **files;
    size_t n = 0;
    int found = dir_walk(path_join(&own, root, STORE_OBJECTS), &own, &files, &n, err);
    for (size_t i = 0; i < n && found == 0; i++)
        found = hash_is_hex(path_base(files[i])) && !store_is_noted(root, path_base(files[i]));
    arena_release(&own);
    return found;
}

int store_is_begun(const char *root, struct err *err)
{
    static const char *const later[] = {STORE_LOG_NAME, STORE_HEAD_NAME, CHECKPOINT_NAME,
                                        CHECKPOINT_SIGNATURE, CHECKPOINT_NEXT};
    struct arena own = ARENA_INIT;
    int there = !store_note_of(root).begun;
    for (size_t i = 0; i < sizeof later / sizeof *later && there == 0; i++)
        there = file_is_there(path_join(&own, root, later[i]), err);
    if (there == 0)
        there = has_objects(root, err);
    arena_release(&own);
    return there < 0 ? -1 : !there;
}

int store_read_log(struct store *s, const char *root, struct arena *arena, struct diags *diags)
{
    struct err err = ERR_INIT;
    int rc = store_log_read(root, arena, &s->log, diags);
    store_index_make(&s->log, arena, &s->index);
    if (rc < 0 || s->log.lines || s->log.torn)
        return rc;
    int found = has_objects(root, &err);
    if (found < 0)
        diags_add_err(diags, path_join(arena, root, STORE_OBJECTS), 0, 0, &err);
    if (found <= 0)
        return found;
    diags_add(diags, SEVERITY_ERROR, path_join(arena, root, STORE_LOG_NAME), 0, 0,
              "has no line, but the archive has objects, so withdrawals and redactions are "
              "unknown; restore the log from a copy, or from the published site");
    return -1;
}

int store_wait_for_lock(struct store *s, int kind, const char *path, struct err *err)
{
    return lock_wait(s->lock_fd, kind, path, "writing to this archive", err);
}

/* Log and head are two files: between a writer's two steps they do not fit. Where there is no lock
 * that could be opened (a copy, or a folder of somebody else) there is no writer to wait for; where
 * the machine cannot open it, there may be. */
static int hold_writers_off(struct store *s, struct err *err)
{
    const char *path = path_join(s->arena, s->root, STORE_LOCK);
    s->lock_fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (s->lock_fd < 0)
        return err_is_of_machine(errno) && !err_is_of_rights(errno) && errno != ELOOP
                   ? err_errno(err, ERR_IO, "%s", path)
                   : 0;
    return store_wait_for_lock(s, LOCK_SH, path, err);
}

void store_let_write(struct store *s)
{
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    s->lock_fd = -1;
}

int store_expect(const char *root, struct arena *arena, struct err *err)
{
    int there = file_is_there(path_join(arena, root, STORE_LOG_NAME), err);
    if (there == 0)
        there = file_is_there(path_join(arena, root, "objects"), err);
    if (there < 0)
        return -1;
    if (!there && file_exists(root) && !file_is_dir(root))
        return err_set(err, ERR_IO,
                       "%s: does not lead to a folder, expected the folder of the "
                       "archive",
                       root);
    if (!there)
        return err_set(err, ERR_INPUT,
                       "%s: found no archive; `fpreport archive add SUBMISSION` makes one", root);
    return 0;
}

int store_open_still(struct store *s, const char *root, struct arena *arena, struct diags *diags,
                     struct err *err)
{
    *s = (struct store){.root = arena_strdup(arena, root), .arena = arena, .lock_fd = -1};
    if (store_expect(root, arena, err) < 0)
        return -1;
    if (hold_writers_off(s, err) < 0) {
        store_close(s);
        return -1;
    }
    store_read_log(s, root, arena, diags);
    return 0;
}

int store_open(struct store *s, const char *root, struct arena *arena, struct diags *diags,
               struct err *err)
{
    int rc = store_open_still(s, root, arena, diags, err);
    store_let_write(s);
    return rc;
}

/* As a shell takes it, where it is no plain name. */
static const char *shell_quoted(const char *word, struct arena *arena)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._+-/";
    const char *out = "'";
    if (*word && *word != '-' && strspn(word, plain) == strlen(word))
        return word;
    for (size_t n; *word; word += n + (word[n] != '\0')) {
        n = strcspn(word, "'");
        out = arena_printf(arena, "%s%.*s%s", out, (int)n, word, word[n] ? "'\\''" : "");
    }
    return arena_printf(arena, "%s'", out);
}

const char *store_repair_command(const char *root, struct arena *arena)
{
    return strcmp(root, STORE_DEFAULT) == 0
               ? "fpreport archive repair"
               : arena_printf(arena, "fpreport archive repair --archive %s",
                              shell_quoted(root, arena));
}

void store_close(struct store *s)
{
    store_let_write(s);
    arena_release(&s->of_index);
    s->index = (struct store_index){0};
}

/* Of the object that an entry names: what it is, or stands in the place of. */
static const struct store_item *item_of_file(const struct store *s, const struct store_entry *e)
{
    const char *came = strcmp(e->kind, STORE_ADDED) == 0 ? e->object : e->of;
    const struct store_item *item = came ? store_submission_of(&s->index, came) : NULL;
    return item ? item : store_item_of(&s->index, e->submission);
}

const struct store_item *store_find(const struct store *s, const char *id, struct err *err)
{
    const struct store_item *found = NULL;
    const char *of = NULL; /* SHA-256 of what was found */
    size_t len = strlen(id);
    if (len < ID_LEAST || len > HASH_HEX_LEN || strspn(id, "0123456789abcdef") != len) {
        err_set(err, ERR_USAGE,
                "found '%.80s', expected the id of a submission: %d to %d hexadecimal digits", id,
                ID_LEAST, HASH_HEX_LEN);
        return NULL;
    }
    for (size_t i = 0; i < s->log.n; i++) {
        const struct store_entry *e = &s->log.entries[i];
        const char *names[] = {e->submission, e->object};
        for (size_t k = 0; k < 2; k++) {
            if (!names[k] || strncmp(names[k], id, len) != 0)
                continue;
            if (of && strcmp(of, names[k]) != 0) {
                err_set(err, ERR_USAGE,
                        "%s: more than one submission or submission file begins "
                        "with these digits",
                        id);
                return NULL;
            }
            of = names[k];
            found = k == 0 ? store_item_of(&s->index, of) : item_of_file(s, e);
        }
    }
    if (!found)
        err_set(err, ERR_USAGE, "%s: found no such submission in %s", id, s->root);
    return found;
}
