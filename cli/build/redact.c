#include "cli/build/redact.h"

#include "base/text.h"
#include "collector/store/redact.h"
#include "verifier/claims/rule.h"
#include "verifier/verdicts/redact.h"

#include <string.h>

#define PACKED ".tar.zst"

/* "evidence/acme/run.redacted.tar.zst" */
static const char *redacted_path(struct arena *arena, const char *archive, bool only_hashes)
{
    size_t n = strlen(archive) - (text_ends(archive, PACKED) ? strlen(PACKED) : 0);
    return arena_printf(arena, "%.*s.%s" PACKED, (int)n, archive,
                        only_hashes ? STORE_HASHES : STORE_REDACTED);
}

/* Which of its files are withheld; the decision that gives the reason, NULL: none is. */
static const struct store_entry *mark_files(const struct withheld *w, const struct store_entry *own,
                                            struct row_evidence *x, size_t *n,
                                            struct redaction *gone)
{
    const struct store_entry *reason = NULL;
    *n = 0;
    for (size_t i = 0; i < x->n_files; i++) {
        struct evidence_file *f = &x->files[i];
        const struct store_entry *by = withheld_by(w, own, f->name, f->sha256);
        f->withheld = by != NULL;
        if (!by)
            continue;
        reason = !reason || by == own ? by : reason;
        ++*n;
        verdict_redact_note(gone, f->name);
    }
    return reason;
}

/* What is handed out in place of this file; *sha256 NULL: nothing. 1: all of it is. `part`, where
 * it lies then is asked of the caller; NULL: nowhere. */
static int find_part(struct build *b, const char *path, const char **sha256,
                     struct build_part **part, struct err *err)
{
    struct build_part *found;
    if (build_parts_find(b, path, *sha256, &found, err) < 0)
        return -1;
    if (found->all)
        return 1;
    *sha256 = found->sha256;
    if (part)
        *part = found;
    return 0;
}

/* Its record, ours to change. */
static struct reproduction *record_of(struct build *b, const struct verdict_reproduction *x)
{
    return b->project.reproductions + (x->record - b->project.reproductions);
}

/* What quotes a withheld file goes; from second runs, too, whose records have the facts that differ
 * from those of the evidence. */
static void quiet(struct build *b, struct verdict *v, struct row_evidence *x,
                  const struct redaction *gone)
{
    verdict_redact(v, x, gone, &b->cli->arena);
    for (size_t i = 0; gone->said[SAID_FINGERPRINT] && i < v->n_reproductions; i++)
        record_of(b, &v->reproductions[i])->n_facts = 0;
}

static void set_evidence_part(struct build *b, struct row_evidence *x,
                              const struct store_entry *own, const struct store_entry *by, size_t n)
{
    struct published_part *part = arena_alloc(&b->cli->arena, sizeof *part);
    bool only_hashes = by == own && strcmp(by->publish, STORE_HASHES) == 0;
    *part = (struct published_part){
        .whole = x->sha256, .only_hashes = only_hashes, .withheld = n, .reason = by->reason};
    x->part = part;
    if (by != own) {
        /* Whose decision it was, where the log says nothing of the run itself, and which files it
         * is about: the page names them, too. */
        const char **names = NULL;
        size_t n_names = 0;
        for (size_t i = 0; i < x->n_files; i++)
            if (x->files[i].withheld)
                *(const char **)ARENA_PUSH(&b->cli->arena, names, n_names) = x->files[i].name;
        cli_warn(b->cli,
                 "%s: %s withheld by the decision about the submission %.12s (line %d of the "
                 "archive's log): %s; reason: %s; `fpreport archive show %.12s` shows the decision",
                 x->archive, text_count(&b->cli->arena, n, "file", "files"), by->submission,
                 by->line, store_files_names(names, n_names, &b->cli->arena),
                 by->reason.en ? by->reason.en : by->reason.zh, by->submission);
    }
}

/* What its manifest says may be wrong, and then nobody knows what is in it but who looks: the
 * worker. Unless that finds nothing which is withheld, everything in it is. `by`: what the
 * manifest's word would be enough for; NULL: nothing. */
static int redact_broken(struct build *b, struct verdict *v, struct row_evidence *x,
                         const struct store_entry *by, struct err *err)
{
    const struct redaction gone = verdict_redact_all();
    const char *whole = x->sha256;
    if (find_part(b, x->archive, &x->sha256, NULL, err) < 0)
        return -1;
    if (x->sha256 == whole && !by)
        return 0;
    x->sha256 = NULL;
    quiet(b, v, x, &gone);
    if (!x->part)
        cli_warn(b->cli,
                 "%s: not published: the file is incomplete and may contain withheld files; "
                 "`fpreport archive list` lists the submissions with withheld files",
                 x->archive);
    return 0;
}

static int redact_evidence(struct build *b, struct verdict *v, struct row_evidence *x,
                           struct err *err)
{
    const struct store_item *item =
        x->sha256 ? store_submission_of(&b->project.store->index, x->sha256) : NULL;
    const struct store_entry *own = withheld_decision(&b->withheld, x->sha256, x->id);
    struct redaction gone = {.files = 0};
    size_t n;
    x->entered = item && item->added ? store_entry_day(item->added) : NULL;
    const struct store_entry *by = mark_files(&b->withheld, own, x, &n, &gone);
    if (!x->sha256)
        return 0;
    if (by)
        set_evidence_part(b, x, own, by, n);
    if (!x->intact && b->withheld.any)
        return redact_broken(b, v, x, by, err);
    if (!by)
        return 0;
    quiet(b, v, x, &gone);
    struct build_part *part = NULL;
    if (find_part(b, x->archive, &x->sha256, &part, err) < 0)
        return -1;
    if (!part) /* two workers contradict each other: one was taken over */
        x->sha256 = NULL;
    x->archive = redacted_path(&b->cli->arena, x->archive, x->part->only_hashes);
    if (part)
        part->to = x->archive;
    return 0;
}

/* One that does not count is not handed out. May what is said of it be? It need not be the file
 * that its record names. */
static int may_be_quoted(struct build *b, const struct reproduction *r, struct err *err)
{
    const char *sha256 = r->sha256, *unknown = NULL;
    struct err first = ERR_INIT, again = ERR_INIT;
    int rc = find_part(b, r->archive, &sha256, NULL, &first);
    if (rc < 0 && first.kind == ERR_IO)
        return err_set(err, ERR_IO, "%s", first.text);
    if (rc < 0)
        rc = find_part(b, r->archive, &unknown, NULL, &again);
    return rc < 0 && again.kind == ERR_IO ? err_set(err, ERR_IO, "%s", again.text) : rc == 1;
}

static int redact_reproduction(struct build *b, struct verdict *v, struct verdict_reproduction *x,
                               struct err *err)
{
    struct reproduction *r = record_of(b, x);
    const struct store_entry *own = withheld_decision(&b->withheld, r->sha256, NULL);
    const char *sha256 = r->sha256;
    struct build_part *part = NULL;
    int rc = x->sound ? find_part(b, r->archive, &sha256, &part, err) : may_be_quoted(b, r, err);
    if (rc != 0)
        return rc < 0 ? -1 : 0;
    /* Which files of it are withheld, and which it has, only the worker knows: so the facts of both
     * machines go from its record, and what stands at a file of it, or at its record and quotes
     * any. */
    for (size_t i = 0; i < v->n_checks; i++) {
        struct check_result *c = &v->checks[i];
        bool beside =
            c->file && (strcmp(c->file, r->file) == 0 || strcmp(c->file, r->archive) == 0);
        if (verdict_is_below(c->file, r->archive) ||
            (beside && verdict_redact_quotes(c, RULE_QUOTES_ALL)))
            verdict_redact_place(c, r->archive);
    }
    r->n_facts = 0;
    x->held = !x->sound || !sha256;
    if (x->held)
        return 0;
    r->archive =
        redacted_path(&b->cli->arena, r->archive, own && strcmp(own->publish, STORE_HASHES) == 0);
    r->sha256 = sha256;
    part->to = r->archive;
    return 0;
}

int build_redact(struct build *b, struct err *err)
{
    if (!b->project.store)
        return 0;
    if (build_parts_open(b, err) < 0)
        return -1;
    for (size_t i = 0; i < b->project.n_results; i++) {
        struct verdict *v = &b->verdicts[i];
        for (size_t k = 0; k < v->n_evidence; k++)
            if (redact_evidence(b, v, &v->evidence[k], err) < 0)
                return -1;
        for (size_t k = 0; b->withheld.any && k < v->n_reproductions; k++)
            if (redact_reproduction(b, v, &v->reproductions[k], err) < 0)
                return -1;
    }
    return 0;
}
