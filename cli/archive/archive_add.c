/* `fpreport archive add`: submissions are judged, then kept (cli/archive/archive.h). */
#include "cli/archive/archive.h"

#include "base/files/file.h"
#include "base/sealed/submission.h"
#include "base/text.h"
#include "cli/sign.h"
#include "collector/store/write.h"
#include "collector/submission/received.h"
#include "collector/submission/secrets.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify.h"

#include <string.h>

/* `fpreport archive add` looks for what may be secret (cli/archive/archive.h). */

#define SEARCH_MOST 20   /* lines that are named, of one submission */
#define SEARCH_SHOWN 400 /* characters of one */

static void cli_archive_search(const struct submission *s, struct buf *said)
{
    size_t n = secrets_scan(s->files, s->n, SEARCH_MOST, said);
    if (n > SEARCH_MOST)
        buf_printf(said, "%zu lines more\n", n - SEARCH_MOST);
}

/* What may be secret in a submission (collector/submission/secrets.h), before anybody publishes it:
 * found in a worker, as anything that looks into one (verifier/verify.h); and warn of it. */
static void cli_archive_warn(struct cli *cli, const char *path, const char *said)
{
    for (size_t n = 0; *said && n <= SEARCH_MOST; n++) {
        size_t len = strcspn(said, "\n");
        cli_warn(cli, "%s: this line may contain a secret: %.*s", path,
                 (int)(len < SEARCH_SHOWN ? len : SEARCH_SHOWN), said);
        said += len + (said[len] != '\0');
    }
}

/* One submission, as it was judged. */
struct candidate {
    const char *path;
    const char *secrets; /* what may be in it */
    struct store_entry entry;
    bool is_signed, added;
    bool in_part;          /* what came of this submission before is published in part */
    const char *withdrawn; /* when it was, before; NULL */
};

struct adding {
    struct cli *cli;
    struct project project;
    struct store store;
    struct candidate *candidates;
    size_t n, added, there;
};

/* Why a submission is not taken; NULL: it is. What cannot be trusted is no evidence to keep. */
static const char *refusal(const struct verdict *v)
{
    const struct row_evidence *e = &v->evidence[0];
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        bool of_bytes = strcmp(c->rule, "FP4002") == 0 || strcmp(c->rule, "FP4015") == 0;
        if (of_bytes && c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR)
            return c->message;
    }
    for (size_t i = 0; i < e->n_files; i++)
        if (strcmp(e->files[i].name, SUBMISSION_WITHHELD) == 0)
            return "files of it are withheld; the archive takes the whole submission: ask its "
                   "vendor, or whoever published this, for that";
    return e->intact ? NULL : "not intact";
}

static void propose_record(struct adding *a, const char *path, const struct verdict *v,
                           const char *secrets)
{
    struct arena *arena = &a->cli->arena;
    const struct row_evidence *e = &v->evidence[0];
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    char *hex = arena_alloc(arena, HASH_HEX_SIZE);
    verdicts_json(&(struct verdicts){.items = v, .n = 1}, &text);
    hash_sha256(text.data, text.len, hex);
    buf_release(&text);
    *(struct candidate *)ARENA_PUSH(arena, a->candidates, a->n) =
        (struct candidate){.path = path,
                           .secrets = arena_strdup(arena, secrets),
                           .is_signed = e->signature.state != SIGNED_NOT,
                           .entry = {.kind = STORE_ADDED,
                                     .submission = arena_strdup(arena, e->id),
                                     .object = arena_strdup(arena, e->sha256),
                                     .signer = arena_strdup(arena, e->signature.signer),
                                     .key = arena_strdup(arena, e->signature.key),
                                     .rules = arena_strdup(arena, v->rules),
                                     .verdict = hex}};
}

/* Before the archive is locked: that takes seconds for each, and others want to write, too. */
static int judge_candidate(struct adding *a, const char *path)
{
    struct cli *cli = a->cli;
    struct err err = ERR_INIT;
    struct arena own = ARENA_INIT;
    struct verdict verdict;
    const char *secrets;
    if (verify_archive_looking(&a->project, path, cli_archive_search, &secrets, &own, &verdict,
                               &err) == 0) {
        const char *why = verdict.machine ? NULL : refusal(&verdict);
        if (verdict.machine)
            err_set(&err, ERR_IO, "%s", verdict.machine);
        else if (why)
            err_set(&err, ERR_CHECK, "%s: not taken: %s", path, why);
        else
            propose_record(a, path, &verdict, secrets);
    }
    int code = err.kind ? cli_fail(cli, &err) : EXIT_AGREED;
    if (err.kind == ERR_INPUT) {
        /* What a person has who has no submission yet. */
        if (file_is_dir(path))
            cli_note(cli,
                     "next: 'fpreport collect %s -o FILE.tar.zst' seals a run; --sign KEY signs it",
                     path);
        else if (received_by_name(path) != RECEIVED_NONE)
            cli_note(cli,
                     "next: 'fpreport import %s -o FILE.tar.zst' makes a submission from a zip or "
                     "tar.gz file",
                     path);
    }
    arena_release(&own);
    return code;
}

static int store_it(struct adding *a, struct candidate *c)
{
    struct err err = ERR_INIT;
    const struct store_item *before = store_item_of(&a->store.index, c->entry.submission);
    bool there;
    c->withdrawn = before && before->withdrawn ? store_entry_day(before->withdrawn) : NULL;
    c->in_part = before && strcmp(cli_archive_published(before), STORE_FULL) != 0;
    if (store_add(&a->store, c->path, &c->entry, &there, &err) < 0)
        return cli_fail(a->cli, &err);
    c->added = !there;
    a->added += !there;
    a->there += there;
    struct cli *cli = a->cli;
    buf_printf(&cli->out, "%s %s ", c->added ? "added" : "there", c->entry.submission);
    cli_print_safe(&cli->out, c->path);
    buf_char(&cli->out, '\n');
    if (c->withdrawn)
        cli_warn(cli, "%s: this submission was withdrawn on %.10s", c->path, c->withdrawn);
    if (c->added && c->in_part)
        cli_warn(cli,
                 "%s: only a part of this submission is published, because of a decision about the "
                 "same run: `fpreport archive redact` decides about this file",
                 c->path);
    if (c->added && c->is_signed && !c->entry.signer)
        cli_warn(cli,
                 "%s: signed with the key %s, whose owner is unknown: the log entry names only the "
                 "key, permanently. To name the owner in later entries, use --signers FILE "
                 "or " SIGNERS_FILE " of the records",
                 c->path, c->entry.key);
    if (c->added && !c->is_signed)
        cli_warn(cli,
                 "%s: the submission is not signed, so only this archive vouches for "
                 "it",
                 c->path);
    return EXIT_AGREED;
}

static int store_all(struct adding *a)
{
    struct cli *cli = a->cli;
    struct err err = ERR_INIT;
    int code = EXIT_AGREED;
    if (cli_archive_lock(cli, &a->store, &err) < 0)
        return cli_fail(cli, &err);
    bool begun = a->store.log.lines == 0;
    for (size_t i = 0; i < a->n && code != EXIT_IO; i++)
        code = exit_worse(code, store_it(a, &a->candidates[i]));
    const struct store_log *log = &a->store.log;
    store_close(&a->store);
    cli_note(cli,
             "%s: %zu added, %zu already in the archive, "
             "%s%s%s",
             a->store.root, a->added, a->there, text_count(&cli->arena, log->n, "entry", "entries"),
             a->added ? ", the last of " : "",
             a->added ? store_entry_day(&log->entries[log->n - 1]) : "");
    if (begun && a->added)
        cli_note(cli, "%s: there was no archive, so `archive add` made a new one", a->store.root);
    return code;
}

int cli_archive_add(struct cli *cli)
{
    struct adding a = {.cli = cli};
    if (cli_sandbox(cli))
        return EXIT_IO;
    cli_load_records(cli, &a.project);
    int code = cli_signers(cli, &a.project);
    /* The verdict that the log names for good is made with the records, or not at all. */
    if (code || cli->diags.machine)
        return exit_worse(code, cli_diags(cli));
    for (int i = 1; i < cli->n_args && code != EXIT_IO; i++)
        code = exit_worse(code, judge_candidate(&a, cli->args[i]));
    if (a.n)
        code = exit_worse(code, store_all(&a));
    for (size_t i = 0; i < a.n; i++)
        if (a.candidates[i].added)
            cli_archive_warn(cli, a.candidates[i].path, a.candidates[i].secrets);
    return exit_worse(code, cli_diags(cli));
}
