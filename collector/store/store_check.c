#include "collector/store/store_check.h"

#include "base/calendar.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/parallel.h"
#include "base/sealed/archive.h"
#include "base/store/store.h"
#include "base/text.h"
#include "collector/store/write.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char *const names[STORE_FINDING_KINDS] = {
    [STORE_LOG] = "log",         [STORE_TORN] = "torn",         [STORE_MISSING] = "missing",
    [STORE_ALTERED] = "altered", [STORE_UNLOGGED] = "unlogged", [STORE_FOREIGN] = "foreign",
    [STORE_LEFT] = "left",       [STORE_ENTRY] = "entry",       [STORE_CHECKPOINT] = "checkpoint",
    [STORE_RECORD] = "record",   [STORE_STATE] = "state",       [STORE_CLOCK] = "clock",
    [STORE_SITE] = "site",
};

const char *store_finding_name(enum store_finding_kind kind)
{
    return names[kind];
}

void store_report_add(struct store_report *r, enum store_finding_kind kind, const char *file,
                      int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    *(struct store_finding *)ARENA_PUSH(r->arena, r->findings, r->n) = (struct store_finding){
        kind, arena_strdup(r->arena, file), line, arena_vprintf(r->arena, fmt, ap)};
    va_end(ap);
}

void store_report_machine(struct store_report *r, const char *why)
{
    if (!r->machine)
        r->machine = arena_strdup(r->arena, why);
}

/* ---- the log ----------------------------------------------------------------------------- */

/* Of the last line: none before it is later. */
static void check_last_time(struct store_report *r, const struct store_log *log, const char *path)
{
    const struct store_entry *e = log->n ? &log->entries[log->n - 1] : NULL;
    char now[STORE_TIME_SIZE];
    long long at;
    if (!e || !calendar_time(store_entry_day(e), &at) || at - r->now <= STORE_CLOCK_SLACK)
        return;
    store_time_write(r->now, now);
    store_report_add(r, STORE_CLOCK, path, e->line,
                     "is of %s, and the clock of this machine says %s: one of the two clocks was "
                     "wrong; what comes next says both with `fpreport archive … --trust-clock`",
                     store_entry_day(e), now);
}

void store_check_log(struct store_report *r, const struct store_log *log, const char *path,
                     const struct diags *faults)
{
    for (size_t i = 0; i < faults->n; i++) {
        const struct diag *d = &faults->items[i];
        store_report_add(r, STORE_LOG, d->file, d->line, "%s", d->message);
    }
    if (faults->dropped)
        store_report_add(r, STORE_LOG, path, 0, "%zu further faults are not shown",
                         faults->dropped);
    check_last_time(r, log, path);
    if (log->torn && !faults->n)
        store_report_add(r, STORE_TORN, path, (int)log->lines + 1,
                         "the line was never finished (%zu bytes), all before it are whole; "
                         "`%s` cuts it off",
                         log->torn, store_repair_command(r->root, r->arena));
}

void store_check_checkpoint(struct store_report *r, const char *path, const struct store_log *log,
                            const struct signers *signers)
{
    struct checkpoint c;
    struct bytes text;
    struct diags found = DIAGS_INIT(r->arena);
    struct err err = ERR_INIT;
    bool good;
    if (checkpoint_read(path, r->arena, &c, &text, &found) < 0) {
        const struct diag *first = &found.items[0];
        if (found.machine)
            store_report_machine(r, arena_printf(r->arena, "%s: %s", path, first->message));
        else
            store_report_add(r, STORE_CHECKPOINT, path, first->line, "%s", first->message);
        return;
    }
    const char *problem = checkpoint_problem(&c, log, r->arena);
    const char *words = checkpoint_signed(path, &c, text, signers, r->arena, &good, &err);
    if (problem)
        store_report_add(r, STORE_CHECKPOINT, path, 1, "%s", problem);
    if (!words) {
        store_report_machine(r, err.text);
        return;
    }
    if (!good)
        store_report_add(r, STORE_CHECKPOINT, path, 1, "%s", words);
    r->checkpoint = arena_printf(r->arena, "%s of %lld lines, %s, %s", path, c.n, c.date, words);
}

void store_check_own_checkpoint(struct store_report *r, const struct store *s,
                                const struct signers *signers, bool wanted)
{
    const char *path = path_join(r->arena, s->root, CHECKPOINT_NAME);
    const char *signature = path_join(r->arena, s->root, CHECKPOINT_SIGNATURE);
    struct err err = ERR_INIT;
    int next = file_is_there(path_join(r->arena, s->root, CHECKPOINT_NEXT), &err);
    int there = file_is_there(path, &err);
    if (next < 0 || there < 0)
        store_report_machine(r, err.text);
    if (next || there < 0)
        return;
    if (there)
        store_check_checkpoint(r, path, &s->log, signers);
    else if (file_exists(signature))
        store_report_add(r, STORE_CHECKPOINT, signature, 0,
                         "is that of a checkpoint which is not there");
    else if (wanted && signers && signers->principal)
        store_report_add(r, STORE_CHECKPOINT, path, 0, "is not there, expected one that %s signed",
                         signers->principal);
}

/* ---- files ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool is_dir;
} known[] = {{STORE_LOG_NAME, false},  {STORE_HEAD_NAME, false},      {STORE_LOCK, false},
             {CHECKPOINT_NAME, false}, {CHECKPOINT_SIGNATURE, false}, {"objects", true}};

static bool is_store_entry(const struct dir_entry *e)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(e->name, known[i].name) == 0)
            return known[i].is_dir ? e->is_dir : e->is_regular;
    return false;
}

static void add_foreign(struct store_report *r, const char *folder, const struct dir_entry *e)
{
    const char *path = path_join(r->arena, folder, e->name);
    const char *command = store_repair_command(r->root, r->arena);
    if (strcmp(e->name, CHECKPOINT_NEXT) == 0)
        store_report_add(
            r, STORE_LEFT, path, 0,
            "a checkpoint and its signature, whose writer was stopped before both were "
            "in place; the next writer or `%s` puts them there",
            command);
    else if (strcmp(e->name, STORE_INCOMING) == 0 || text_ends(e->name, FILE_TEMP_SUFFIX))
        store_report_add(
            r, STORE_LEFT, path, 0,
            "left by a writer that was stopped; the next writer or `%s` clears it away", command);
    else
        store_report_add(r, STORE_FOREIGN, path, 0, "not a file of an archive");
}

static bool list_store_folder(struct store_report *r, const char *folder,
                              struct dir_entry **entries, size_t *n)
{
    struct err err = ERR_INIT;
    *n = 0;
    if (!file_exists(folder) || dir_list(folder, r->arena, entries, n, &err) == 0)
        return true;
    store_report_machine(r, err.text);
    return false;
}

/* An object under its name, and what its bytes have. */
struct object {
    const char *path, *name;
    enum err_kind fault; /* it could not be read, and why */
    const char *why;
    char sha256[HASH_HEX_SIZE];
    unsigned long long bytes;
};

struct objects {
    struct object *items;
    size_t n;
};

static void hash_one(void *context, size_t i, struct arena *arena)
{
    struct object *o = &((struct objects *)context)->items[i];
    struct stat st;
    struct err err = ERR_INIT;
    if (hash_file(o->path, ARCHIVE_PACKED_MAX, o->sha256, &err) < 0) {
        o->fault = err.kind;
        o->why = arena_strdup(arena, err.text);
    }
    bool seen = stat(o->path, &st) == 0;
    o->bytes = seen ? (unsigned long long)st.st_size : 0;
    if (!seen && err_is_of_machine(errno) && !o->why) {
        err_errno(&err, ERR_IO, "%s", o->path);
        o->fault = err.kind;
        o->why = arena_strdup(arena, err.text);
    }
}

/* Has it the SHA-256 of its name, and does the log know it? */
static void check_object(struct store_report *r, const struct store *s, const struct object *o)
{
    if (o->fault == ERR_IO) {
        store_report_machine(r, o->why);
        return;
    }
    if (o->fault) {
        size_t n = strlen(o->path); /* what is said of a file may begin with its name */
        bool named = strncmp(o->why, o->path, n) == 0 && strncmp(o->why + n, ": ", 2) == 0;
        store_report_add(r, STORE_ALTERED, o->path, 0, "%s", o->why + (named ? n + 2 : 0));
        return;
    }
    if (strcmp(o->sha256, o->name) != 0)
        store_report_add(r, STORE_ALTERED, o->path, 0,
                         "its bytes have the SHA-256 %s: they were changed", o->sha256);
    if (!store_object_of(&s->index, o->name)) {
        store_report_add(
            r, STORE_UNLOGGED, o->path, 0, "%s",
            store_is_noted(s->root, o->name)
                ? arena_printf(r->arena,
                               "left by a writer that was stopped before its entry was in the log; "
                               "the next writer or `%s` clears it away",
                               store_repair_command(r->root, r->arena))
                : "the log does not name this object, and no writer was at it");
        return;
    }
    r->objects++;
    r->bytes += o->bytes;
}

/* objects/sha256/ab */
static void list_fan(struct store_report *r, const char *folder, const char *two,
                     struct objects *out)
{
    struct dir_entry *entries;
    size_t n;
    if (!list_store_folder(r, folder, &entries, &n))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct dir_entry *e = &entries[i];
        if (e->is_regular && hash_is_hex(e->name) && strncmp(e->name, two, 2) == 0)
            *(struct object *)ARENA_PUSH(r->arena, out->items, out->n) =
                (struct object){.path = path_join(r->arena, folder, e->name), .name = e->name};
        else
            add_foreign(r, folder, e);
    }
}

/* What there is was listed before anybody writes again; hashing it takes its time. */
static void check_objects(struct store_report *r, struct store *s)
{
    struct dir_entry *entries;
    struct objects all = {NULL, 0};
    size_t n;
    const char *objects = path_join(r->arena, s->root, "objects");
    const char *folder = path_join(r->arena, s->root, STORE_OBJECTS);
    if (!list_store_folder(r, objects, &entries, &n))
        return;
    for (size_t i = 0; i < n; i++)
        if (!entries[i].is_dir || strcmp(entries[i].name, path_base(STORE_OBJECTS)) != 0)
            add_foreign(r, objects, &entries[i]);
    if (!list_store_folder(r, folder, &entries, &n))
        return;
    for (size_t i = 0; i < n; i++)
        if (entries[i].is_dir && strlen(entries[i].name) == 2 &&
            strspn(entries[i].name, "0123456789abcdef") == 2)
            list_fan(r, path_join(r->arena, folder, entries[i].name), entries[i].name, &all);
        else
            add_foreign(r, folder, &entries[i]);
    store_let_write(s);
    parallel_each_long(all.n, hash_one, &all, r->arena);
    for (size_t i = 0; i < all.n; i++)
        check_object(r, s, &all.items[i]);
}

static bool is_missing_file(struct store_report *r, const char *path)
{
    struct stat st;
    struct err err = ERR_INIT;
    int there = file_is_there(path, &err);
    if (there < 0)
        store_report_machine(r, err.text);
    return there == 0 || (there > 0 && lstat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

static void check_entries(struct store_report *r, const struct store *s)
{
    const char *log = path_join(r->arena, s->root, STORE_LOG_NAME);
    for (size_t i = 0; i < s->log.n; i++) {
        const struct store_entry *e = &s->log.entries[i];
        const struct store_item *item = store_item_of(&s->index, e->submission);
        if (!item->added || item->added->line > e->line)
            store_report_add(r, STORE_ENTRY, log, e->line,
                             "about a submission that was not added before");
        const struct store_item *file = e->of ? store_submission_of(&s->index, e->of) : NULL;
        if (e->of &&
            (!file || file->added->line > e->line || strcmp(file->submission, e->submission) != 0))
            store_report_add(r, STORE_ENTRY, log, e->line,
                             "about a file of it that was not added before");
        bool adds = strcmp(e->kind, STORE_ADDED) == 0;
        const struct store_item *first = adds ? store_submission_of(&s->index, e->object) : NULL;
        const struct store_entry *rival =
            adds && !(first && first->withdrawn) ? store_rival(&s->log, &s->index, e) : NULL;
        if (rival)
            store_report_add(
                r, STORE_ENTRY, log, e->line,
                "the same run came signed by somebody else, line %d; `fpreport archive "
                "withdraw` the file of one",
                rival->line);
        if (first && first->added->line < e->line)
            store_report_add(r, STORE_ENTRY, log, e->line, "adds a file that was added before");
        if (e->object && is_missing_file(r, store_object_path(s->root, e->object, r->arena)))
            store_report_add(r, STORE_MISSING, store_object_path(s->root, e->object, r->arena), 0,
                             "is not there; line %d of the log names it", e->line);
    }
}

void store_check_files(struct store_report *r, struct store *s)
{
    struct dir_entry *entries;
    size_t n;
    if (!list_store_folder(r, s->root, &entries, &n))
        return;
    for (size_t i = 0; i < n; i++)
        if (!is_store_entry(&entries[i]))
            add_foreign(r, s->root, &entries[i]);
    check_entries(r, s);
    check_objects(r, s);
}

/* ---- records ----------------------------------------------------------------------------- */

static const struct store_item *named(struct store_report *r, const struct store *s,
                                      const char *file, int line, const char *archive,
                                      const char *sha256)
{
    const struct store_item *item = store_submission_of(&s->index, sha256);
    if (!item)
        store_report_add(r, STORE_RECORD, file, line,
                         "names %s, SHA-256 %.16s…, which is not in the archive", archive, sha256);
    return item;
}

static void check_result(struct store_report *r, const struct store *s, const struct result *x)
{
    size_t known_ones = 0, withdrawn = 0;
    for (size_t i = 0; i < x->n_evidence; i++) {
        const struct evidence *e = &x->evidence[i];
        const struct store_item *item = named(r, s, x->file, e->line, e->archive, e->sha256);
        known_ones += item != NULL;
        withdrawn += item && item->withdrawn;
    }
    if (x->withdrawn && known_ones && !withdrawn)
        store_report_add(
            r, STORE_STATE, x->file, x->withdrawn->line,
            "withdrawn by its record, but none of its submissions is in the log; `fpreport archive "
            "withdraw` says it there");
}

void store_check_records(struct store_report *r, const struct store *s, const struct project *p)
{
    for (size_t i = 0; i < p->n_results; i++)
        check_result(r, s, &p->results[i]);
    for (size_t i = 0; i < p->n_reproductions; i++) {
        const struct reproduction *x = &p->reproductions[i];
        named(r, s, x->file, x->line, x->archive, x->sha256);
    }
}
