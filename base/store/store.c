#include "base/store/store.h"

#include "base/files/beneath.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/files/lock.h"
#include "base/store/checkpoint.h"
#include "base/store/store_clock.h"
#include "base/store/store_note.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID_LEAST 8

const char *store_object_path(const char *root, const char *sha256, struct arena *arena)
{
    const char *object = arena_printf(arena, STORE_OBJECTS "/%.2s/%s", sha256, sha256);
    return path_join(arena, root, object);
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
    if (!s || !sha256 || !store_object_of(&s->index, sha256) || is_among(records, archive))
        return (struct store_place){records, archive};
    return (struct store_place){s->root, store_object_path("", sha256, arena)};
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

static int read_log(struct store *s, const char *root, struct arena *arena, struct diags *diags)
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
              "has no line, but there are objects: what of them is withdrawn or withheld is not "
              "known; put it back from a copy, or from the site, which has it");
    return -1;
}

static int wait_for_lock(struct store *s, int kind, const char *path, struct err *err)
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
    return wait_for_lock(s, LOCK_SH, path, err);
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
        return err_set(err, ERR_IO, "%s: leads to no folder, expected that of the archive", root);
    if (!there)
        return err_set(err, ERR_INPUT,
                       "%s: no archive there; `fpreport archive add SUBMISSION` makes one", root);
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
    read_log(s, root, arena, diags);
    return 0;
}

int store_open(struct store *s, const char *root, struct arena *arena, struct diags *diags,
               struct err *err)
{
    int rc = store_open_still(s, root, arena, diags, err);
    store_let_write(s);
    return rc;
}

/* ---- one writer -------------------------------------------------------------------------- */

/* A lock that is new says whether there was a log: one that was lost is no first one. Another
 * writer may make it first. */
static int make_lock(struct store *s, const char *path, struct err *err)
{
    int log = file_is_there(path_join(s->arena, s->root, STORE_LOG_NAME), err);
    const char *text = log ? "" : STORE_NOTE_BEGUN;
    return log < 0 ? -1 : file_write_new(path, text, strlen(text), err);
}

static int take_lock(struct store *s, struct err *err)
{
    const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const char *path = path_join(s->arena, s->root, STORE_LOCK);
    struct stat st;
    s->lock_fd = open(path, flags);
    if (s->lock_fd < 0 && errno == ENOENT) {
        if (make_lock(s, path, err) < 0)
            return -1;
        s->lock_fd = open(path, flags);
    }
    if (s->lock_fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot open", path);
    if (fstat(s->lock_fd, &st) < 0)
        return err_errno(err, ERR_IO, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: not a regular file", path);
    return wait_for_lock(s, LOCK_EX, path, err);
}

static int note(struct store *s, const char *sha256, struct err *err)
{
    struct store_note note;
    if (store_note_read(s->lock_fd, s->root, &note, err) < 0)
        return -1;
    memcpy(note.object, sha256, HASH_HEX_SIZE);
    return store_note_write(s->lock_fd, s->root, &note, err);
}

/* Files that were written aside, beside those that they were to replace. */
static int clear_aside(struct store *s, size_t *cleared, struct err *err)
{
    struct dir_entry *entries;
    size_t n;
    if (dir_list(s->root, s->arena, &entries, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *path = path_join(s->arena, s->root, entries[i].name);
        if (!entries[i].is_regular || !text_ends(entries[i].name, FILE_TEMP_SUFFIX))
            continue;
        if (unlink(path) < 0)
            return err_errno(err, ERR_IO, "%s: cannot remove what a dead writer left", path);
        ++*cleared;
    }
    return 0;
}

/* The object that it had noted, if its entry is not in the log. */
static int clear_object(struct store *s, size_t *cleared, struct err *err)
{
    struct store_note note;
    if (store_note_read(s->lock_fd, s->root, &note, err) < 0)
        return -1;
    const char *object = *note.object ? store_object_path(s->root, note.object, s->arena) : NULL;
    if (object && !store_object_of(&s->index, note.object)) {
        if (unlink(object) == 0)
            ++*cleared;
        else if (errno != ENOENT)
            return err_errno(err, ERR_IO, "%s: cannot remove what a dead writer left", object);
    }
    /* Without that word and without a log it would be half an archive. */
    note = (struct store_note){.begun = note.begun && !s->log.lines};
    return store_note_write(s->lock_fd, s->root, &note, err);
}

/* What a writer left that died. */
static int clear_up(struct store *s, struct store_repaired *did, struct err *err)
{
    const char *incoming = path_join(s->arena, s->root, STORE_INCOMING);
    did->cleared += file_exists(incoming);
    if (file_remove_tree(incoming, err) < 0 || clear_aside(s, &did->cleared, err) < 0 ||
        clear_object(s, &did->cleared, err) < 0)
        return -1;
    return checkpoint_finish(s->root, s->arena, &did->checkpoint, err);
}

static int write_head(struct store *s, struct store_repaired *did, struct err *err)
{
    if (s->log.head_n == (long long)s->log.lines)
        return 0;
    did->cleared++;
    return store_log_write_head(s->root, &s->log, err);
}

/* Nothing is written, or cleared away, through a link. */
static int refuse_link(const struct store *s, const char *path, struct err *err)
{
    int fd = beneath_open(s->root, path);
    if (fd >= 0)
        close(fd);
    else if (errno == ELOOP)
        return err_set(err, ERR_INPUT, "%s/%s: found a link on the way, expected a folder", s->root,
                       path);
    return 0;
}

static int not_whole(const char *root, struct err *err)
{
    return err_set(err, ERR_INPUT,
                   "%s: its log is not whole, and is left alone; `fpreport fsck` says more", root);
}

/* A line behind a log that lost some would hide that: the chain would be whole again, and only who
 * kept the checkpoint could tell. */
static int check_cut(const struct store *s, struct err *err)
{
    const char *why;
    long long ignored;
    if (checkpoint_objection(s->root, &s->log, s->arena, &ignored, &why, err) < 0)
        return -1;
    if (!why)
        return 0;
    return err_set(err, ERR_INPUT,
                   "%s/" CHECKPOINT_NAME ": %s; nothing is written to such a log: put it back from "
                   "a copy, or from the published site, which has it, then `%s`; `fpreport fsck` "
                   "says more",
                   s->root, why, store_repair_command(s->root, s->arena));
}

/* What a stopped writer left. A checkpoint that he was about to keep has its say, too. */
static int put_right(struct store *s, struct store_repaired *did, struct err *err)
{
    if (write_head(s, did, err) < 0 || clear_up(s, did, err) < 0)
        return -1;
    return did->checkpoint ? check_cut(s, err) : 0;
}

static int begin(struct store *s, const char *root, struct arena *arena, struct err *err)
{
    *s = (struct store){.root = arena_strdup(arena, root), .arena = arena, .lock_fd = -1};
    return file_mkdirs(root, err) < 0 || take_lock(s, err) < 0 ||
                   refuse_link(s, STORE_OBJECTS, err) < 0 || refuse_link(s, STORE_INCOMING, err) < 0
               ? -1
               : 0;
}

int store_lock(struct store *s, const char *root, struct arena *arena, struct diags *diags,
               struct err *err)
{
    struct store_repaired ignored = {.cut = 0};
    int rc = begin(s, root, arena, err);
    if (rc == 0 && read_log(s, root, arena, diags) < 0)
        rc = not_whole(root, err);
    if (rc == 0 && s->log.torn)
        rc = err_set(err, ERR_INPUT,
                     "%s/" STORE_LOG_NAME ": the last line was never finished (%zu bytes); `%s` "
                     "cuts it off",
                     root, s->log.torn, store_repair_command(root, arena));
    if (rc == 0)
        rc = check_cut(s, err);
    if (rc == 0)
        rc = put_right(s, &ignored, err);
    if (rc < 0)
        store_close(s);
    return rc;
}

static int read_to_repair(struct store *s, struct store_repaired *did, struct diags *diags,
                          struct err *err)
{
    struct diags found;
    diags_init(&found, s->arena);
    if (read_log(s, s->root, s->arena, &found) == 0)
        return 0;
    const char *why = NULL;
    if (s->log.head_lost &&
        checkpoint_objection(s->root, &s->log, s->arena, &did->vouched, &why, err) < 0)
        return -1;
    if (!s->log.head_lost || why)
        diags_append(diags, &found);
    if (why)
        return err_set(err, ERR_INPUT,
                       "%s/" CHECKPOINT_NAME ": %s; no head is written for this log", s->root, why);
    if (!s->log.head_lost)
        return not_whole(s->root, err);
    did->head = s->log.lines;
    s->log.head_n = (long long)s->log.lines;
    return store_log_write_head(s->root, &s->log, err);
}

int store_repair(const char *root, struct store_repaired *out, struct arena *arena,
                 struct diags *diags, struct err *err)
{
    struct store s;
    *out = (struct store_repaired){.cut = 0};
    int rc = begin(&s, root, arena, err);
    if (rc == 0)
        rc = read_to_repair(&s, out, diags, err);
    if (rc == 0)
        rc = check_cut(&s, err);
    if (rc == 0 && s.log.torn)
        rc = store_log_cut(root, &s.log, err);
    if (rc == 0)
        out->cut = s.log.torn;
    if (rc == 0)
        rc = put_right(&s, out, err);
    store_close(&s);
    return rc;
}

/* As a shell takes it, where it is no plain name. */
static const char *quoted(const char *word, struct arena *arena)
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
               : arena_printf(arena, "fpreport archive repair --archive %s", quoted(root, arena));
}

void store_close(struct store *s)
{
    store_let_write(s);
    arena_release(&s->of_index);
    s->index = (struct store_index){0};
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Would an entry be taken? */
static int check_end(const struct store *s, struct err *err)
{
    if (s->log.lines == STORE_ENTRIES_MAX)
        return err_set(err, ERR_USAGE, "%s: the log is full (%d entries)", s->root,
                       STORE_ENTRIES_MAX);
    return store_clock_check(s, err);
}

static bool is_there(const char *path, size_t max, const char *sha256)
{
    struct err ignored = ERR_INIT;
    char hex[HASH_HEX_SIZE];
    return file_exists(path) && hash_file(path, max, hex, &ignored) == 0 &&
           strcmp(hex, sha256) == 0;
}

int store_put(struct store *s, struct bytes packed, const char *sha256, struct err *err)
{
    const char *path = store_object_path(s->root, sha256, s->arena);
    const char *incoming = path_join(s->arena, s->root, STORE_INCOMING);
    const char *aside = path_join(s->arena, incoming, sha256);
    const char *object = store_object_path("", sha256, s->arena);
    if (refuse_link(s, object, err) < 0)
        return -1;
    if (is_there(path, packed.len, sha256))
        return 0;
    bool new = !store_object_of(&s->index, sha256);
    if ((new && (check_end(s, err) < 0 || note(s, sha256, err) < 0)) ||
        file_write(aside, packed.data, packed.len, err) < 0 || file_mkdirs_for(path, err) < 0)
        return -1;
    if (rename(aside, path) < 0)
        return err_errno(err, ERR_IO, "%s: cannot rename into place", path);
    if (file_sync_folder_of(path, err) < 0)
        return -1;
    return file_remove_tree(incoming, err);
}

int store_append(struct store *s, struct store_entry *e, struct err *err)
{
    e->n = (long long)s->log.lines + 1;
    e->line = (int)e->n;
    e->prev = arena_strdup(s->arena, s->log.head);
    if (check_end(s, err) < 0)
        return -1;
    store_clock_set(s, e);
    if (store_log_append(s->root, &s->log, e, err) < 0)
        return -1;
    *(struct store_entry *)ARENA_PUSH(s->arena, s->log.entries, s->log.n) = *e;
    arena_release(&s->of_index);
    store_index_make(&s->log, &s->of_index, &s->index);
    /* A note that stays names an object that the log has: the next writer keeps it. */
    int ignored = ftruncate(s->lock_fd, 0);
    (void)ignored;
    return 0;
}

/* ---- finding ----------------------------------------------------------------------------- */

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
                err_set(err, ERR_USAGE, "%s: more than one submission, or file of one, begins so",
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
