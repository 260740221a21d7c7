/* What of a submission is published: `fpreport archive redact` (cli/archive/archive.h). */
#include "cli/archive/archive.h"
#include "cli/archive/archive_files.h"

#include "base/files/file.h"
#include "base/pack.h"
#include "base/process/worker.h"
#include "base/records/pack_values.h"
#include "base/sealed/archive.h"
#include "base/sealed/submission.h"
#include "base/text.h"
#include "collector/store/write.h"

#include <fnmatch.h>
#include <string.h>

/* What is to be withheld: members that fit one of the patterns, or (no pattern) all of them. The
 * submission is taken apart in a worker, as by anything that looks into one. */
struct withholding {
    struct cli *cli;
    const char *path; /* of the object */
    struct bytes packed;
    const char **names; /* that the worker withheld, and the archive without them */
    size_t n;
    struct buf *redacted;
    bool stated;                /* one of its files has a statement */
    struct archive_files files; /* of the submission; where there are patterns */
    const char **fitting;       /* names of those that fit one */
    size_t n_fitting;
    const char **again; /* names of what was withheld and is published from now on */
    size_t n_again;
    int n_patterns;
    int decided_before; /* the last line of the log before this call */
    int code;
};

/* ---- in the worker ----------------------------------------------------------------------- */

struct taking {
    const struct withholding *w;
    struct arena *arena;
    const char **names;
    size_t n;
    bool stated;
};

/* Patterns are the operator's own; names are short. The first pattern that it fits; -1. */
static int pattern_of(const struct withholding *w, const char *path)
{
    for (int i = 0; i < w->n_patterns; i++)
        if (fnmatch(w->cli->args[2 + i], path, 0) == 0)
            return i;
    return -1;
}

static bool withholds(void *self, const char *path)
{
    struct taking *t = self;
    bool found = t->w->n_patterns == 0 || pattern_of(t->w, path) >= 0;
    if (found)
        *(const char **)ARENA_PUSH(t->arena, t->names, t->n) = path;
    return found;
}

static int redact(struct taking *t, struct buf *out, struct err *err)
{
    struct submission sub;
    struct diags found;
    diags_init(&found, t->arena);
    if (submission_open_bytes(t->w->packed, t->w->path, t->arena, &sub, &found) < 0 || !sub.intact)
        return err_set(err, ERR_INPUT, "%s: %s", t->w->path,
                       found.n ? found.items[0].message : "is not intact");
    t->stated = submission_file(&sub, SUBMISSION_STATEMENT);
    return submission_redact(&sub, withholds, t, t->arena, out, err);
}

static void redact_read(void *context, size_t i, struct worker *w)
{
    const struct withholding *x = context;
    (void)i;
    w->packed = x->packed.len;
}

static void redact_work(void *context, size_t i, struct worker *w)
{
    struct taking t = {.w = context, .arena = &w->arena};
    struct err err = ERR_INIT;
    struct buf out;
    (void)i;
    buf_init(&out, ARCHIVE_PACKED_MAX);
    int rc = redact(&t, &out, &err);
    pack_number(&w->answer, rc < 0 ? (uint64_t)err.kind : 0);
    pack_text(&w->answer, rc < 0 ? err.text : NULL);
    pack_number(&w->answer, t.stated);
    pack_number(&w->answer, t.n);
    for (size_t k = 0; k < t.n; k++)
        pack_text(&w->answer, t.names[k]);
    pack_number(&w->answer, rc < 0 ? 0 : out.len);
    if (rc == 0)
        pack_bytes(&w->answer, out.data, out.len);
    buf_release(&out);
}

/* ---- here -------------------------------------------------------------------------------- */

/* With patterns those that fit, which the log takes; else all, which it does not. */
static bool take_names(struct withholding *w, struct unpack *u)
{
    w->n = unpack_list(u, 2, ARCHIVE_ENTRIES_MAX, sizeof *w->names);
    w->names = arena_array(&w->cli->arena, w->n, sizeof *w->names);
    for (size_t i = 0; i < w->n && !u->bad; i++) {
        const char *name = unpack_text(u);
        if (!name || (w->n_patterns && (i == w->n_fitting || strcmp(w->fitting[i], name) != 0)))
            return false;
        w->names[i] = arena_strdup(&w->cli->arena, name);
    }
    return !u->bad;
}

/* Of an answer that cannot be the code stays what it was. */
static bool take_answer(struct withholding *w, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    uint64_t kind = unpack_number(&u);
    const char *text = unpack_text(&u);
    uint64_t stated = unpack_number(&u);
    if (kind > ERR_UNKNOWN || (kind && !text) || stated > 1 || !take_names(w, &u))
        return false;
    w->stated = w->stated || stated;
    size_t len = (size_t)unpack_number(&u);
    const void *data = unpack_bytes(&u, len);
    if (!unpack_end(&u) || len > ARCHIVE_PACKED_MAX || (!kind && (!len || !w->n)) ||
        (!kind && w->n_patterns && w->n != w->n_fitting))
        return false;
    struct err err = ERR_INIT;
    if (kind) {
        err_set(&err, (enum err_kind)kind, "%s", text);
        w->code = cli_fail(w->cli, &err);
    } else {
        buf_add(w->redacted, data, len);
        w->code = EXIT_AGREED;
    }
    return true;
}

static bool redact_take(void *context, size_t i, const struct worker_end *end)
{
    struct withholding *w = context;
    struct err err = ERR_INIT;
    const char *why = end->why;
    (void)i;
    if (end->outcome == WORKER_ANSWERED) {
        if (take_answer(w, end->answer))
            return false;
        why = "the process that reads it answered what cannot be";
    }
    err_set(&err, end->outcome == WORKER_MACHINE ? ERR_IO : ERR_INPUT, "%s: %s", w->path, why);
    w->code = cli_fail(w->cli, &err);
    return false;
}

/* The archive without what is withheld becomes an object, too: what is published is what the log
 * names, and the whole is read this one time. */
static int make_redacted(struct withholding *w, const struct store *s,
                         const struct store_item *item, struct arena *own, struct buf *packed)
{
    struct cli *cli = w->cli;
    struct err err = ERR_INIT;
    const struct worker_crew crew = {
        .context = w, .read = redact_read, .work = redact_work, .take = redact_take};
    w->path = store_object_path(s->root, item->object, &cli->arena);
    w->redacted = packed;
    if (archive_files_object(cli, s, item, own, &w->packed, &err) < 0)
        return cli_fail(cli, &err);
    worker_each(&crew, 1);
    return w->code;
}

/* The statement is made from these, and published with every submission that has one. */
static void warn_of_statement(struct withholding *w)
{
    static const char *const sources[] = {"case.json", "run.json", "fingerprint.json"};
    for (size_t i = 0; w->stated && i < w->n; i++)
        for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
            if (strcmp(path_base(w->names[i]), sources[k]) == 0) {
                cli_warn(w->cli,
                         "statement.json is published all the same, and says what it says of %s: "
                         "the case, the command line, versions of software",
                         w->names[i]);
                return;
            }
}

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Was anything decided about another run since (`last` NULL: ever)? It may have the same files, and
 * hand them out, or withhold them. */
static bool is_overtaken(const struct store *s, const struct store_entry *last,
                         const char *submission)
{
    for (size_t i = last ? (size_t)last->line : 0; i < s->log.n; i++) {
        const struct store_entry *e = &s->log.entries[i];
        if (strcmp(e->kind, STORE_REDACTION) == 0 && strcmp(e->submission, submission) != 0)
            return true;
    }
    return false;
}

/* Does an entry say what `e` would? The object is made of what is withheld. */
static bool is_said(const struct store *s, const struct store_entry *last,
                    const struct store_entry *e)
{
    return last && last->object && strcmp(last->object, e->object) == 0 &&
           strcmp(last->publish, e->publish) == 0 && same(last->reason.en, e->reason.en) &&
           same(last->reason.zh, e->reason.zh) && !is_overtaken(s, last, last->submission);
}

static int redact_part(struct withholding *w, struct store *s, const struct store_item *item,
                       struct store_entry *e)
{
    struct cli *cli = w->cli;
    struct err err = ERR_INIT;
    struct arena own = ARENA_INIT;
    struct buf packed;
    char *hex = arena_alloc(&cli->arena, HASH_HEX_SIZE);
    buf_init(&packed, ARCHIVE_PACKED_MAX);
    int code = make_redacted(w, s, item, &own, &packed);
    if (code == EXIT_AGREED) {
        hash_sha256(packed.data, packed.len, hex);
        e->object = hex;
        e->withheld = w->n_patterns ? w->names : NULL;
        e->n_withheld = w->n_patterns ? w->n : 0;
        /* Also where the log has it already: an object that was lost is there again. */
        if (store_put(s, (struct bytes){packed.data, packed.len}, hex, &err) < 0) {
            code = cli_fail(cli, &err);
        } else if (is_said(s, item->redaction, e)) {
            bool now = item->redaction->line > w->decided_before;
            cli_note(cli, "%s is published so %s", item->object, now ? "with it, too" : "already");
            e->publish = NULL;
        }
    }
    buf_release(&packed);
    arena_release(&own);
    return code == EXIT_AGREED && e->publish ? cli_archive_decide(cli, s, item, e) : code;
}

/* Is all of it published already? Not, where a file of it may be withheld with another run. */
static bool is_full(const struct store *s, const struct store_item *item)
{
    return strcmp(cli_archive_published(item), STORE_FULL) == 0 &&
           !is_overtaken(s, item->redaction, item->submission);
}

/* One file of the submission. */
static int redact_file(struct withholding *w, struct store *s, const struct store_item *item,
                       struct store_entry e)
{
    if (strcmp(e.publish, STORE_FULL) != 0)
        return redact_part(w, s, item, &e);
    if (!is_full(s, item))
        return cli_archive_decide(w->cli, s, item, &e);
    cli_note(w->cli, "%s is published in full", item->object);
    return EXIT_AGREED;
}

/* What came with this entry, if that is a file of the submission that was not there before; NULL.
 */
static const struct store_item *came_with(const struct store *s, const struct store_entry *added,
                                          const char *submission)
{
    if (strcmp(added->kind, STORE_ADDED) != 0 || strcmp(added->submission, submission) != 0)
        return NULL;
    const struct store_item *item = store_submission_of(&s->index, added->object);
    return item && item->added->line == added->line ? item : NULL;
}

/* Who names one file of several, as `withdraw` takes it, is told that the others go with it. */
static void note_files(struct cli *cli, const struct store *s, const struct store_item *item)
{
    size_t n = 0;
    for (size_t i = 0; i < s->log.n; i++)
        n += came_with(s, &s->log.entries[i], item->submission) != NULL;
    if (n > 1 && !text_starts(item->submission, cli->args[1]))
        cli_note(cli, "%s: a file of the submission %s; all %zu files of it are published alike",
                 item->object, item->submission, n);
}

/* ---- what is published again ------------------------------------------------------------- */

/* Which files fit; a pattern that none does is an error, with what there is. */
static int find_fitting(struct withholding *w)
{
    struct cli *cli = w->cli;
    const char **all = arena_array(&cli->arena, w->files.n, sizeof *all);
    bool *used = arena_array(&cli->arena, (size_t)w->n_patterns, sizeof *used);
    for (size_t i = 0; i < w->files.n; i++) {
        all[i] = w->files.items[i].path;
        if (pattern_of(w, all[i]) >= 0)
            *(const char **)ARENA_PUSH(&cli->arena, w->fitting, w->n_fitting) = all[i];
        for (int k = 0; k < w->n_patterns; k++)
            used[k] = used[k] || fnmatch(cli->args[2 + k], all[i], 0) == 0;
    }
    for (int k = 0; k < w->n_patterns; k++)
        if (!used[k])
            return cli_usage(cli, "%s: fits no file of the submission, which has %s",
                             cli->args[2 + k], archive_files_names(cli, all, w->files.n));
    return EXIT_AGREED;
}

/* A redaction replaces the one before it. What that makes public is said by whoever decides, for it
 * cannot be taken back. */
static int refuse_again(struct withholding *w, const bool *again)
{
    struct cli *cli = w->cli;
    for (size_t i = 0; i < w->files.n; i++)
        if (again[i])
            *(const char **)ARENA_PUSH(&cli->arena, w->again, w->n_again) = w->files.items[i].path;
    if (!w->n_again || cli->opt.publish_again)
        return EXIT_AGREED;
    return cli_usage(cli,
                     "not redacted: withheld now, and published again by this: %s; name them, too, "
                     "or say --publish-again",
                     archive_files_names(cli, w->again, w->n_again));
}

static int ask_again(struct withholding *w, const struct store *s, const struct store_item *item,
                     bool *again)
{
    struct err err = ERR_INIT;
    if (archive_files_again(w->cli, s, item, &w->files, w->fitting, w->n_fitting, again, &err) == 0)
        return EXIT_AGREED;
    if (!w->cli->opt.publish_again)
        return cli_fail(w->cli, &err);
    cli_warn(w->cli, "%s; whether any of it is published again was not asked", err.text);
    return EXIT_AGREED;
}

/* Before anything is written. A decision for hashes publishes nothing again, and one for all says
 * what it does. */
static int look(struct withholding *w, const struct store *s, const char *submission)
{
    struct err err = ERR_INIT;
    bool *again = NULL;
    int code = EXIT_AGREED;
    for (size_t i = 0; i < s->log.n && code == EXIT_AGREED && w->n_patterns; i++) {
        const struct store_item *item = came_with(s, &s->log.entries[i], submission);
        if (!item)
            continue;
        if (!again) {
            if (archive_files_read(w->cli, s, item, &w->files, &err) < 0)
                return cli_fail(w->cli, &err);
            again = arena_array(&w->cli->arena, w->files.n, sizeof *again);
            code = find_fitting(w);
        }
        if (code == EXIT_AGREED)
            code = ask_again(w, s, item, again);
    }
    return code == EXIT_AGREED && again ? refuse_again(w, again) : code;
}

/* What is in force now, in one line. */
static void tell(const struct withholding *w, const char *submission, const char *publish)
{
    struct cli *cli = w->cli;
    if (!w->n_patterns) {
        cli_note(cli, "%.16s: from now on %s", submission,
                 strcmp(publish, STORE_FULL) == 0
                     ? "all of it is published, also what was withheld until now"
                     : "only its hashes are published, no file of it");
        return;
    }
    cli_note(cli, "%.16s: from now on %zu of %zu files are withheld: %s%s%s", submission,
             w->n_fitting, w->files.n, archive_files_names(cli, w->fitting, w->n_fitting),
             w->n_again ? "; published again: " : "",
             archive_files_names(cli, w->again, w->n_again));
}

/* Every file that the submission came as: they have the same contents, so that what one gives away
 * the other need not withhold. Each has its own statement and signature, and keeps them. What fails
 * leaves files that are published as the last redaction of any of them says. */
static int redact_files(struct withholding *w, struct store *s, const struct store_item *named,
                        const struct store_entry *e)
{
    size_t n = s->log.n;
    const char *submission = named->submission; /* the index is made anew */
    w->decided_before = (int)s->log.lines;
    int code = look(w, s, submission);
    if (code == EXIT_AGREED)
        note_files(w->cli, s, named);
    for (size_t i = 0; i < n && code == EXIT_AGREED; i++) {
        const struct store_item *item = came_with(s, &s->log.entries[i], submission);
        if (item)
            code = redact_file(w, s, item, *e);
    }
    if (code == EXIT_AGREED && s->log.lines > (size_t)w->decided_before)
        tell(w, submission, e->publish);
    if (code == EXIT_AGREED)
        warn_of_statement(w);
    return code;
}

int cli_archive_redact(struct cli *cli)
{
    struct store s;
    struct err err = ERR_INIT;
    struct withholding w = {.cli = cli, .n_patterns = cli->n_args - 2};
    bool full = cli->opt.publish && strcmp(cli->opt.publish, STORE_FULL) == 0;
    struct store_entry e = {.kind = STORE_REDACTION,
                            .publish = full               ? STORE_FULL
                                       : cli->opt.publish ? STORE_HASHES
                                                          : STORE_REDACTED};
    if ((w.n_patterns > 0) == (cli->opt.publish != NULL))
        return cli_usage(cli, "archive redact needs either the files to withhold or --publish");
    int code = full && !cli->opt.reason ? EXIT_AGREED : cli_archive_reason(cli, &e.reason);
    if (code)
        return code;
    if (!full && cli_sandbox(cli))
        return EXIT_IO;
    if (cli_archive_lock_there(cli, &s, &err) < 0)
        return exit_worse(cli_diags(cli), cli_fail(cli, &err));
    const struct store_item *item = store_find(&s, cli->args[1], &err);
    if (!item)
        code = cli_fail(cli, &err);
    else if (!item->added)
        code = cli_usage(cli, "%s: was never added, so that nothing of it is published",
                         item->submission);
    else
        code = redact_files(&w, &s, item, &e);
    store_close(&s);
    return exit_worse(code, cli_diags(cli));
}
