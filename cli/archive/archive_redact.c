/* What of a submission is published: `fpreport archive redact` (cli/archive/archive.h). */
#include "cli/archive/archive.h"

#include "base/files/file.h"
#include "base/sealed/archive.h"
#include "base/text.h"
#include "cli/archive/held_before.h"
#include "collector/store/redact.h"
#include "collector/store/write.h"

#include <fnmatch.h>
#include <string.h>

/* Files that fit a pattern are withheld, or (no pattern) all of them. */
struct withholding {
    struct cli *cli;
    const char *id; /* what it is called by whoever decides */
    struct store_redaction of;
    struct store_redacted last; /* the file of the submission that was redacted last */
    bool stated;                /* one of its files has a statement */
    struct store_files files;   /* of the submission; where there are patterns */
    const char **again;         /* names of what was withheld and is published from now on */
    size_t n_again;
    int decided_before; /* the last line of the log before this call */
};

/* The statement is made from these, and published with every submission that has one. */
static void warn_of_statement(struct withholding *w)
{
    static const char *const sources[] = {"case.json", "run.json", "fingerprint.json"};
    for (size_t i = 0; w->stated && i < w->last.n; i++)
        for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
            if (strcmp(path_base(w->last.names[i]), sources[k]) == 0) {
                cli_warn(w->cli,
                         "statement.json is still published, and repeats values from %s: the case, "
                         "the command line, software versions",
                         w->last.names[i]);
                return;
            }
}

/* Does an entry say what `e` would? The object is made of what is withheld. */
static bool is_decision_said(const struct store *s, const struct store_entry *last,
                             const struct store_entry *e)
{
    return last && last->object && strcmp(last->object, e->object) == 0 &&
           strcmp(last->publish, e->publish) == 0 && text_equal(last->reason.en, e->reason.en) &&
           text_equal(last->reason.zh, e->reason.zh) &&
           !store_is_overtaken(s, last, last->submission);
}

static int redact_part(struct withholding *w, struct store *s, const struct store_item *item,
                       struct store_entry *e)
{
    struct cli *cli = w->cli;
    struct err err = ERR_INIT;
    struct buf packed = BUF_INIT(ARCHIVE_PACKED_MAX);
    char *hex = arena_alloc(&cli->arena, HASH_HEX_SIZE);
    w->last = (struct store_redacted){.packed = &packed};
    int code = store_redact(s, item, &w->of, &cli->arena, &w->last, &err) < 0 ? cli_fail(cli, &err)
                                                                              : EXIT_AGREED;
    w->stated = w->stated || w->last.stated;
    if (code == EXIT_AGREED) {
        hash_sha256(packed.data, packed.len, hex);
        e->object = hex;
        e->withheld = w->of.n_patterns ? w->last.names : NULL;
        e->n_withheld = w->of.n_patterns ? w->last.n : 0;
        /* Also where the log has it already: an object that was lost is there again. */
        if (store_put(s, (struct bytes){packed.data, packed.len}, hex, &err) < 0) {
            code = cli_fail(cli, &err);
        } else if (is_decision_said(s, item->redaction, e)) {
            bool now = item->redaction->line > w->decided_before;
            cli_note(cli, "%s is published so %s", item->object, now ? "with it, too" : "already");
            e->publish = NULL;
        }
    }
    buf_release(&packed);
    return code == EXIT_AGREED && e->publish ? cli_archive_decide(cli, s, item, e) : code;
}

/* One file of the submission. */
static int redact_file(struct withholding *w, struct store *s, const struct store_item *item,
                       struct store_entry e)
{
    if (strcmp(e.publish, STORE_FULL) != 0)
        return redact_part(w, s, item, &e);
    /* Not all of it is published already where a file of it may be withheld with another run. */
    if (strcmp(cli_archive_published(item), STORE_FULL) != 0 ||
        store_is_overtaken(s, item->redaction, item->submission))
        return cli_archive_decide(w->cli, s, item, &e);
    cli_note(w->cli, "%s is published in full", item->object);
    return EXIT_AGREED;
}

/* Who names one file of several, as `withdraw` takes it, is told that the others go with it. */
static void note_other_files(const struct withholding *w, const struct store *s,
                             const struct store_item *item)
{
    size_t n = 0;
    for (size_t i = 0; i < s->log.n; i++)
        n += store_came_with(s, &s->log.entries[i], item->submission) != NULL;
    if (n > 1 && !text_starts(item->submission, w->id))
        cli_note(w->cli,
                 "%s: this is one .tar.zst of the submission %s; the decision applies to "
                 "all %zu of them",
                 item->object, item->submission, n);
}

/* ---- what is published again ------------------------------------------------------------- */

/* Which files fit; a pattern that none does is an error, with what there is. */
static int find_fitting(struct withholding *w)
{
    struct cli *cli = w->cli;
    const char **all = arena_array(&cli->arena, w->files.n, sizeof *all);
    bool *used = arena_array(&cli->arena, (size_t)w->of.n_patterns, sizeof *used);
    for (size_t i = 0; i < w->files.n; i++) {
        all[i] = w->files.items[i].path;
        if (store_redaction_fits(&w->of, all[i]))
            *(const char **)ARENA_PUSH(&cli->arena, w->of.fitting, w->of.n_fitting) = all[i];
        for (int k = 0; k < w->of.n_patterns; k++)
            used[k] = used[k] || fnmatch(w->of.patterns[k], all[i], 0) == 0;
    }
    for (int k = 0; k < w->of.n_patterns; k++)
        if (!used[k])
            return cli_usage(cli, "%s: no file of the submission has this name; its files are %s",
                             w->of.patterns[k], store_files_names(all, w->files.n, &cli->arena));
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
                     "nothing was redacted: this command would publish withheld files again: %s; "
                     "name these files, too, or pass --publish-again",
                     store_files_names(w->again, w->n_again, &cli->arena));
}

static int ask_decision_again(struct withholding *w, const struct store *s,
                              const struct store_item *item, bool *again)
{
    struct err err = ERR_INIT;
    if (store_files_again(s, item, &w->files, w->of.fitting, w->of.n_fitting, again, &w->cli->arena,
                          &err) == 0)
        return EXIT_AGREED;
    if (!w->cli->opt.publish_again)
        return cli_fail(w->cli, &err);
    cli_warn(w->cli,
             "%s; fpreport could not check whether the command publishes withheld files "
             "again",
             err.text);
    return EXIT_AGREED;
}

/* Before anything is written. A decision for hashes publishes nothing again, and one for all says
 * what it does. */
static int look_at_withheld(struct withholding *w, const struct store *s, const char *submission)
{
    struct err err = ERR_INIT;
    bool *again = NULL;
    int code = EXIT_AGREED;
    for (size_t i = 0; i < s->log.n && code == EXIT_AGREED && w->of.n_patterns; i++) {
        const struct store_item *item = store_came_with(s, &s->log.entries[i], submission);
        if (!item)
            continue;
        if (!again) {
            if (store_files_read(s, item, &w->files, &w->cli->arena, &err) < 0)
                return cli_fail(w->cli, &err);
            again = arena_array(&w->cli->arena, w->files.n, sizeof *again);
            code = find_fitting(w);
        }
        if (code == EXIT_AGREED)
            code = ask_decision_again(w, s, item, again);
    }
    return code == EXIT_AGREED && again ? refuse_again(w, again) : code;
}

/* What is in force now, in one line. */
static void tell_withheld(const struct withholding *w, const char *submission, const char *publish)
{
    struct cli *cli = w->cli;
    if (!w->of.n_patterns) {
        cli_note(cli, "%.16s: from now on %s", submission,
                 strcmp(publish, STORE_FULL) == 0
                     ? "everything is published, including files that were withheld until now"
                     : "only its hashes are published, no file of it");
        return;
    }
    cli_note(cli, "%.16s: from now on %zu of %zu files are withheld: %s%s%s", submission,
             w->of.n_fitting, w->files.n,
             store_files_names(w->of.fitting, w->of.n_fitting, &cli->arena),
             w->n_again ? "; published again: " : "",
             store_files_names(w->again, w->n_again, &cli->arena));
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
    int code = look_at_withheld(w, s, submission);
    if (code == EXIT_AGREED)
        note_other_files(w, s, named);
    for (size_t i = 0; i < n && code == EXIT_AGREED; i++) {
        const struct store_item *item = store_came_with(s, &s->log.entries[i], submission);
        if (item)
            code = redact_file(w, s, item, *e);
    }
    bool decided = code == EXIT_AGREED && s->log.lines > (size_t)w->decided_before;
    if (decided)
        tell_withheld(w, submission, e->publish);
    if (code == EXIT_AGREED)
        warn_of_statement(w);
    if (decided && strcmp(e->publish, STORE_FULL) != 0)
        held_before_tell_submission(w->cli, s, store_item_of(&s->index, submission));
    return code;
}

/* One submission, or one file of it. */
static int redact_submission(struct cli *cli, struct store *s, const char *id,
                             const struct store_entry *decided)
{
    struct err err = ERR_INIT;
    struct withholding w = {
        .cli = cli,
        .id = id,
        .of = {.patterns = (const char *const *)&cli->args[2], .n_patterns = cli->n_args - 2}};
    const struct store_item *item = store_find(s, id, &err);
    if (!item)
        return cli_fail(cli, &err);
    if (!item->added)
        return cli_usage(cli, "%s: was never added to the archive, so nothing of it is published",
                         item->submission);
    return redact_files(&w, s, item, decided);
}

int cli_archive_redact(struct cli *cli)
{
    struct store s;
    struct err err = ERR_INIT;
    struct archive_named named;
    bool full = cli->opt.publish && strcmp(cli->opt.publish, STORE_FULL) == 0;
    struct store_entry e = {.kind = STORE_REDACTION,
                            .publish = full               ? STORE_FULL
                                       : cli->opt.publish ? STORE_HASHES
                                                          : STORE_REDACTED};
    if ((cli->n_args > 2) == (cli->opt.publish != NULL))
        return cli_usage(cli, "archive redact needs either the files to withhold or --publish");
    bool reasoned = cli->opt.reason || cli->opt.reason_zh;
    int code = full && !reasoned ? EXIT_AGREED : cli_archive_reason(cli, &e.reason);
    if (code)
        return code;
    if (!full && cli_sandbox(cli))
        return EXIT_IO;
    if (cli_archive_lock_there(cli, &s, &err) < 0)
        return exit_worse(cli_diags(cli), cli_fail(cli, &err));
    code = cli_archive_named(cli, &s, cli->args[1], &named);
    for (size_t i = 0; i < named.n && !code; i++)
        code = redact_submission(cli, &s, named.ids[i], &e);
    store_close(&s);
    return exit_worse(code, cli_diags(cli));
}
