#include "collector/store/write.h"

#include "base/calendar.h"
#include "base/files/beneath.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/sealed/archive.h"
#include "base/store/checkpoint.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIRST_YEAR_BEGAN 1577836800LL /* 2020: this program is younger */

static const char *day_of_clock(const struct store *s, long long at)
{
    char *text = arena_alloc(s->arena, STORE_TIME_SIZE);
    store_time_write(at, text);
    return text;
}

/* How far apart two times are: "3 days", "7 minutes". */
static const char *interval_text(const struct store *s, long long seconds)
{
    return seconds >= 2 * 86400
               ? text_count(s->arena, (unsigned long long)seconds / 86400, "day", "days")
               : text_count(s->arena, (unsigned long long)seconds / 60, "minute", "minutes");
}

static const struct store_entry *last_entry(const struct store *s)
{
    return s->log.n ? &s->log.entries[s->log.n - 1] : NULL;
}

static long long now_of(const struct store *s)
{
    return s->now ? s->now : (long long)time(NULL);
}

/* Can the next entry have this time? ERR_USAGE: no, with both times. */
static int store_clock_check(const struct store *s, struct err *err)
{
    const struct store_entry *last = last_entry(s);
    const long long now = now_of(s);
    long long day = now;
    if (last)
        calendar_time(store_entry_day(last), &day);
    /* Can it be as late as the clock says, so long before or after the last entry? What a clock
     * says once stays in the log for good, and decides which keys counted. */
    const char *says = day_of_clock(s, now);
    if (now < FIRST_YEAR_BEGAN || now >= CLOCK_END)
        return err_set(err, ERR_USAGE,
                       "%s: nothing was written: the clock of this machine shows %s, expected 2020 "
                       "or later; set the clock",
                       s->root, *says ? says : "a time that has no date");
    bool behind = day - now > STORE_CLOCK_SLACK;
    if (s->trust_clock || (!behind && now - day <= STORE_CLOCK_GAP))
        return 0;
    return err_set(
        err, ERR_USAGE,
        "%s: nothing was written: the clock of this machine shows %s, %s %s the last entry of the "
        "log (line %zu, %s); set the clock or, if it is right, pass --trust-clock",
        s->root, says, interval_text(s, behind ? day - now : now - day),
        behind ? "before" : "after", s->log.lines, day_of_clock(s, day));
}

/* Its time and, where that is not what the clock says, its clock. */
static void store_clock_set(const struct store *s, struct store_entry *e)
{
    const struct store_entry *last = last_entry(s);
    const long long now = now_of(s);
    long long before;
    e->time = day_of_clock(s, now);
    if (!last || strcmp(e->time, last->time) >= 0)
        return;
    if (calendar_time(last->time, &before) && before - now > STORE_CLOCK_SLACK)
        e->clock = e->time;
    e->time = last->time;
}

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
    return !S_ISREG(st.st_mode) ? err_set(err, ERR_INPUT, "%s: not a regular file", path)
                                : store_wait_for_lock(s, LOCK_EX, path, err);
}

static int note_object(struct store *s, const char *sha256, struct err *err)
{
    struct store_note note;
    if (store_note_read(s->lock_fd, s->root, &note, err) < 0)
        return -1;
    memcpy(note.object, sha256, HASH_HEX_SIZE);
    return store_note_write(s->lock_fd, s->root, &note, err);
}

/* Files that were written aside, beside those that they were to replace. */
static int clear_partial(struct store *s, size_t *cleared, struct err *err)
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
static int clear_up_store(struct store *s, struct store_repaired *did, struct err *err)
{
    const char *incoming = path_join(s->arena, s->root, STORE_INCOMING);
    did->cleared += file_exists(incoming);
    if (file_remove_tree(incoming, err) < 0 || clear_partial(s, &did->cleared, err) < 0 ||
        clear_object(s, &did->cleared, err) < 0)
        return -1;
    return checkpoint_finish(s->root, s->arena, &did->checkpoint, err);
}

/* Nothing is written, or cleared away, through a link. */
static int refuse_link(const struct store *s, const char *path, struct err *err)
{
    int fd = beneath_open(s->root, path);
    if (fd >= 0)
        close(fd);
    else if (errno == ELOOP)
        return err_set(err, ERR_INPUT,
                       "%s/%s: found a symbolic link in the path, expected a "
                       "folder",
                       s->root, path);
    return 0;
}

static int refuse_broken_log(const char *root, struct err *err)
{
    return err_set(err, ERR_INPUT,
                   "%s: the log of the archive is incomplete and was not changed; `fpreport fsck` "
                   "shows the details",
                   root);
}

/* A line behind a log that lost some would hide that: the chain would be whole again, and only who
 * kept the checkpoint could tell. */
static int check_cut_log(const struct store *s, struct err *err)
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
    bool head = s->log.head_n == (long long)s->log.lines;
    did->cleared += !head;
    if ((!head && store_log_write_head(s->root, &s->log, err) < 0) ||
        clear_up_store(s, did, err) < 0)
        return -1;
    return did->checkpoint ? check_cut_log(s, err) : 0;
}

static int begin_store(struct store *s, const char *root, struct arena *arena, struct err *err)
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
    int rc = begin_store(s, root, arena, err);
    if (rc == 0 && store_read_log(s, root, arena, diags) < 0)
        rc = refuse_broken_log(root, err);
    if (rc == 0 && s->log.torn)
        rc = err_set(err, ERR_INPUT,
                     "%s/" STORE_LOG_NAME ": the last line was never finished (%zu bytes); `%s` "
                     "cuts it off",
                     root, s->log.torn, store_repair_command(root, arena));
    if (rc == 0)
        rc = check_cut_log(s, err);
    if (rc == 0)
        rc = put_right(s, &ignored, err);
    if (rc < 0)
        store_close(s);
    return rc;
}

static int read_to_repair(struct store *s, struct store_repaired *did, struct diags *diags,
                          struct err *err)
{
    struct diags found = DIAGS_INIT(s->arena);
    if (store_read_log(s, s->root, s->arena, &found) == 0)
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
        return refuse_broken_log(s->root, err);
    did->head = s->log.lines;
    s->log.head_n = (long long)s->log.lines;
    return store_log_write_head(s->root, &s->log, err);
}

int store_repair(const char *root, struct store_repaired *out, struct arena *arena,
                 struct diags *diags, struct err *err)
{
    struct store s;
    *out = (struct store_repaired){.cut = 0};
    int rc = begin_store(&s, root, arena, err);
    if (rc == 0)
        rc = read_to_repair(&s, out, diags, err);
    if (rc == 0)
        rc = check_cut_log(&s, err);
    if (rc == 0 && s.log.torn)
        rc = store_log_cut(root, &s.log, err);
    if (rc == 0)
        out->cut = s.log.torn;
    if (rc == 0)
        rc = put_right(&s, out, err);
    store_close(&s);
    return rc;
}

/* Would an entry be taken? */
static int check_end(const struct store *s, struct err *err)
{
    if (s->log.lines == STORE_ENTRIES_MAX)
        return err_set(err, ERR_USAGE, "%s: the log is full (%d entries)", s->root,
                       STORE_ENTRIES_MAX);
    return store_clock_check(s, err);
}

int store_put(struct store *s, struct bytes packed, const char *sha256, struct err *err)
{
    const char *path = store_object_path(s->root, sha256, s->arena);
    const char *incoming = path_join(s->arena, s->root, STORE_INCOMING);
    const char *incoming_file = path_join(s->arena, incoming, sha256);
    if (refuse_link(s, store_object_path("", sha256, s->arena), err) < 0)
        return -1;
    struct err ignored = ERR_INIT;
    char hex[HASH_HEX_SIZE];
    if (file_exists(path) && hash_file(path, packed.len, hex, &ignored) == 0 &&
        strcmp(hex, sha256) == 0)
        return 0;
    bool new = !store_object_of(&s->index, sha256);
    if ((new && (check_end(s, err) < 0 || note_object(s, sha256, err) < 0)) ||
        file_write(incoming_file, packed.data, packed.len, err) < 0 ||
        file_mkdirs_for(path, err) < 0)
        return -1;
    if (rename(incoming_file, path) < 0)
        return err_errno(err, ERR_IO, "%s: cannot rename into place", path);
    return file_sync_folder_of(path, err) < 0 ? -1 : file_remove_tree(incoming, err);
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

/* The bytes of this file, if they are still those with this SHA-256. In `arena`. */
static int read_judged(const char *path, const char *sha256, struct arena *arena,
                       struct bytes *packed, struct err *err)
{
    char hex[HASH_HEX_SIZE];
    if (file_read(path, ARCHIVE_PACKED_MAX, arena, packed, err) < 0)
        return -1;
    hash_sha256(packed->data, packed->len, hex);
    return strcmp(hex, sha256) == 0
               ? 0
               : err_set(err, ERR_INPUT, "%s: changed while it was being read", path);
}

static int check_rival(const struct store *s, const char *path, const struct store_entry *e,
                       struct err *err)
{
    const struct store_entry *rival = store_rival(&s->log, &s->index, e);
    if (!rival)
        return 0;
    return err_set(
        err, ERR_CHECK,
        "%s: refused, because the archive already contains this run, signed by %s (line %d of the "
        "log); if the run is not theirs, first run `fpreport archive withdraw %.16s --reason TEXT`",
        path, rival->signer ? rival->signer : rival->key, rival->line, rival->object);
}

int store_add(struct store *s, const char *path, struct store_entry *e, bool *there,
              struct err *err)
{
    struct arena own = ARENA_INIT;
    struct bytes packed;
    *there = store_submission_of(&s->index, e->object) != NULL;
    int rc = *there ? 0 : check_rival(s, path, e, err);
    if (rc == 0)
        rc = read_judged(path, e->object, &own, &packed, err);
    if (rc == 0)
        rc = store_put(s, packed, e->object, err);
    if (rc == 0 && !*there)
        rc = store_append(s, e, err);
    arena_release(&own);
    return rc;
}
