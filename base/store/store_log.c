#include "base/store/store_log.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/json/shape_pack.h"
#include "base/store/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void store_time_write(long long at, char text[STORE_TIME_SIZE])
{
    time_t when = (time_t)at;
    struct tm utc;
    if (!gmtime_r(&when, &utc) || !strftime(text, STORE_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc))
        text[0] = '\0';
}

void store_entry_line(const struct store_entry *e, struct buf *out)
{
    shape_save_text(&store_entry_shape, e, out);
}

/* ---- reading ----------------------------------------------------------------------------- */

struct reading {
    const char *file;
    struct arena *arena;
    struct store_log *log;
    struct diags *diags;
    long long before; /* time of the last entry */
    size_t faults;
};

static void store_log_fault(struct reading *r, const char *message)
{
    r->faults++;
    diags_add(r->diags, SEVERITY_ERROR, r->file, (int)r->log->lines + 1, 0, "%s", message);
}

static void check_place(struct reading *r, const struct store_entry *e, struct arena *scratch)
{
    long long at, expected = (long long)r->log->lines + 1;
    if (e->n != expected)
        store_log_fault(r,
                        arena_printf(scratch, "found entry %lld, expected %lld", e->n, expected));
    if (strcmp(e->prev, r->log->head) != 0)
        store_log_fault(
            r, arena_printf(scratch, "\"prev\" is %.16s…, the line before has the SHA-256 %.16s…",
                            e->prev, r->log->head));
    if (calendar_time(e->time, &at)) {
        if (at < r->before)
            store_log_fault(r, "its time is before that of the line before");
        r->before = at;
    }
}

static void read_log_line(struct reading *r, struct bytes line)
{
    struct arena scratch = ARENA_INIT;
    struct store_entry e;
    struct json *json;
    struct diags found = DIAGS_INIT(&scratch);
    if (line.len > STORE_LINE_MAX)
        store_log_fault(r, "the line is longer than 1 MiB");
    else if (json_parse(r->file, (struct bytes){line.data, line.len - 1}, &scratch, &json, &found) <
                 0 ||
             shape_load(&store_entry_shape, json, r->file, &e, &scratch, &found) < 0)
        store_log_fault(r, arena_printf(&scratch, "not an entry: %s",
                                        found.n ? found.items[0].message : "malformed"));
    else {
        check_place(r, &e, &scratch);
        /* Is the line the one form of what it says? */
        struct buf again = BUF_INIT(STORE_LINE_MAX * 2);
        store_entry_line(&e, &again);
        if (again.len != line.len || memcmp(again.data, line.data, line.len) != 0)
            store_log_fault(r, "the line is not in the form that fpreport writes");
        buf_release(&again);
        /* What lies in the arena of one line is kept in that of the log: by its shape, which knows
         * every member. */
        struct store_entry *to = ARENA_PUSH(r->arena, r->log->entries, r->log->n);
        struct buf packed = BUF_INIT(STORE_LINE_MAX * 2);
        shape_pack(&store_entry_shape, &e, &packed);
        struct unpack u = {.at = packed.data, .end = packed.data + packed.len};
        shape_unpack(&store_entry_shape, to, r->arena, &u);
        to->line = (int)r->log->lines + 1;
        buf_release(&packed);
    }
    hash_sha256(line.data, line.len, r->log->head);
    arena_release(&scratch);
}

static void read_log_lines(struct reading *r, struct bytes text)
{
    struct store_log *log = r->log;
    for (const char *end; (end = memchr(text.data + log->size, '\n', text.len - log->size));) {
        const char *at = text.data + log->size;
        if (log->lines == STORE_ENTRIES_MAX) {
            store_log_fault(r, "more lines than this program reads");
            return;
        }
        const struct bytes line = {at, (size_t)(end - at) + 1};
        /* Zeros in the last one: a part of it never came to the disk, and only its end did. The
         * head, which is written after the line, tells it from one that was whole before. */
        if (line.data + line.len == text.data + text.len && memchr(at, '\0', line.len))
            break;
        read_log_line(r, line);
        log->lines++;
        log->size += line.len;
    }
    log->torn = text.len - log->size;
}

/* "<n> <SHA-256>\n"; false: it is none. */
static bool parse_head(struct bytes text, long long *n, char hex[HASH_HEX_SIZE])
{
    char again[64 + HASH_HEX_SIZE];
    if (sscanf(text.data, "%lld %64[0-9a-f]", n, hex) != 2 || *n < 1 || !hash_is_hex(hex))
        return false;
    int len = snprintf(again, sizeof again, "%lld %s\n", *n, hex);
    return (size_t)len == text.len && memcmp(again, text.data, text.len) == 0;
}

/* The head names a line that has to be there as it was, and all but one at most are before it. */
static void check_head(struct reading *r, const char *folder)
{
    struct err err = ERR_INIT;
    struct bytes text;
    char hex[HASH_HEX_SIZE] = "";
    struct store_log *log = r->log;
    long long lines = (long long)log->lines;
    const char *path = path_join(r->arena, folder, STORE_HEAD_NAME), *fault_of = NULL;
    int there = file_is_there(path, &err);
    if (there == 0) {
        if (lines > 1)
            fault_of = "is not there, but there is a log";
        log->head_lost = true;
    } else if (there < 0 || file_read(path, 4096, r->arena, &text, &err) < 0) {
        diags_add_err(r->diags, path, 0, 0, &err);
        r->faults++;
        return;
    } else if (!parse_head(text, &log->head_n, hex)) {
        fault_of = "expected '<number> <SHA-256>'";
    } else if (log->head_n > lines) {
        fault_of = "names a line that the log does not have: its end was cut off";
    } else {
        const char *found = log->head_n == lines   ? log->head
                            : log->n == log->lines ? log->entries[log->head_n].prev
                                                   : "";
        if (strcmp(found, hex) != 0)
            fault_of = "names another SHA-256 than its line has: that line was changed";
        else if (log->head_n < lines - 1)
            fault_of = "is more than one line behind the log";
        log->head_lost = strcmp(found, hex) == 0;
    }
    log->head_lost = log->head_lost && fault_of && !r->faults && !log->torn;
    if (!fault_of)
        return;
    r->faults++;
    if (log->head_lost)
        diags_add(r->diags, SEVERITY_ERROR, path, 0, 0,
                  "%s; all lines of the log are complete: `%s` writes the file again", fault_of,
                  store_repair_command(folder, r->arena));
    else
        diags_add(r->diags, SEVERITY_ERROR, path, 0, 0, "%s", fault_of);
}

static int read_log_file(struct reading *r, const char *path, struct arena *own)
{
    struct err err = ERR_INIT;
    struct bytes text;
    memcpy(r->log->head, STORE_NO_LINE, HASH_HEX_SIZE);
    if (file_read(path, STORE_LOG_MAX, own, &text, &err) == 0) {
        read_log_lines(r, text);
        return 0;
    }
    diags_add_err(r->diags, path, 0, 0, &err);
    r->faults++;
    return -1;
}

int store_log_read(const char *folder, struct arena *arena, struct store_log *out,
                   struct diags *diags)
{
    struct arena own = ARENA_INIT;
    const char *path = path_join(arena, folder, STORE_LOG_NAME);
    struct reading r = {.file = path, .arena = arena, .log = out, .diags = diags};
    *out = (struct store_log){.head = STORE_NO_LINE};
    struct err err = ERR_INIT;
    int there = file_is_there(path, &err);
    if (there < 0) {
        diags_add_err(diags, path, 0, 0, &err);
        return -1;
    }
    if (!there || read_log_file(&r, path, &own) == 0)
        check_head(&r, folder);
    arena_release(&own);
    return r.faults ? -1 : 0;
}

int store_log_read_file(const char *path, struct arena *arena, struct store_log *out,
                        struct diags *diags)
{
    struct arena own = ARENA_INIT;
    struct reading r = {.file = path, .arena = arena, .log = out, .diags = diags};
    *out = (struct store_log){.head = STORE_NO_LINE};
    if (read_log_file(&r, path, &own) == 0 && out->torn)
        store_log_fault(&r, "the last line has no line end");
    arena_release(&own);
    return r.faults ? -1 : 0;
}

int store_log_read_bytes(const char *path, struct bytes text, struct arena *arena,
                         struct store_log *out, struct diags *diags)
{
    struct reading r = {.file = path, .arena = arena, .log = out, .diags = diags};
    *out = (struct store_log){.head = STORE_NO_LINE};
    read_log_lines(&r, text);
    if (out->torn)
        store_log_fault(&r, "the last line has no line end");
    return r.faults ? -1 : 0;
}

/* ---- writing ----------------------------------------------------------------------------- */

int store_log_write_head(const char *folder, const struct store_log *log, struct err *err)
{
    struct arena arena = ARENA_INIT;
    const char *text = arena_printf(&arena, "%zu %s\n", log->lines, log->head);
    int rc = file_write(path_join(&arena, folder, STORE_HEAD_NAME), text, strlen(text), err);
    arena_release(&arena);
    return rc;
}

static int truncate_to(int fd, size_t size, const char *path, struct err *err)
{
    if (ftruncate(fd, (off_t)size) < 0 || fsync(fd) < 0)
        return err_errno(err, ERR_IO, "%s: cannot cut", path);
    return 0;
}

/* At the end of the whole lines, and nowhere else: the file must not have changed meanwhile. */
static int append_log_line(const char *path, size_t size, const struct buf *line, struct err *err)
{
    struct stat st;
    struct err ignored = ERR_INIT;
    bool new = !file_exists(path);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot open", path);
    int rc = fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size != size
                 ? err_set(err, ERR_IO, "%s: changed while it was being written to", path)
                 : 0;
    if (rc == 0) {
        rc = file_write_all(fd, line->data, line->len, path, err);
        if (rc == 0 && fsync(fd) < 0)
            rc = err_errno(err, ERR_IO, "%s: cannot sync", path);
        if (rc < 0)
            truncate_to(fd, size, path, &ignored);
    }
    close(fd);
    return rc == 0 && new ? file_sync_folder_of(path, err) : rc;
}

/* Would a reader take this line behind those that there are? A line that nobody can read any more
 * cannot be taken back. */
static int check_line(const char *path, const struct store_log *log, const struct buf *line,
                      struct arena *arena, struct err *err)
{
    struct diags found;
    struct store_log behind = {.lines = log->lines};
    struct reading r = {.file = path, .arena = arena, .log = &behind, .diags = &found};
    diags_init(&found, arena);
    memcpy(behind.head, log->head, HASH_HEX_SIZE);
    if (log->n)
        calendar_time(log->entries[log->n - 1].time, &r.before);
    read_log_line(&r, (struct bytes){line->data, line->len});
    return r.faults ? err_set(err, ERR_USAGE, "%s: nothing was written: %s", path,
                              found.items[0].message)
                    : 0;
}

int store_log_append(const char *folder, struct store_log *log, const struct store_entry *e,
                     struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct buf line = BUF_INIT(STORE_LINE_MAX);
    const char *path = path_join(&arena, folder, STORE_LOG_NAME);
    store_entry_line(e, &line);
    int rc = buf_check(&line, "the entry of the log", err);
    if (rc == 0)
        rc = check_line(path, log, &line, &arena, err);
    if (rc == 0)
        rc = append_log_line(path, log->size, &line, err);
    if (rc == 0) {
        hash_sha256(line.data, line.len, log->head);
        log->size += line.len;
        log->lines++;
        if ((rc = store_log_write_head(folder, log, err)) < 0)
            err_prefix(err,
                       "%s: the entry is there for good, but the head does not say so yet; the "
                       "next that writes, or `%s`, sees to it",
                       path, store_repair_command(folder, &arena));
    }
    buf_release(&line);
    arena_release(&arena);
    return rc;
}

int store_log_cut(const char *folder, const struct store_log *log, struct err *err)
{
    struct arena arena = ARENA_INIT;
    const char *path = path_join(&arena, folder, STORE_LOG_NAME);
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    int rc = fd < 0 ? err_errno(err, ERR_IO, "%s: cannot open", path)
                    : truncate_to(fd, log->size, path, err);
    if (fd >= 0)
        close(fd);
    arena_release(&arena);
    return rc;
}
