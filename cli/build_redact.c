#include "cli/build_redact.h"

#include "base/archive.h"
#include "base/submission.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define PACKED ".tar.zst"

static int by_text(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *)item);
}

/* The three that vouch for the others are always published. */
static bool is_withheld(const struct store_entry *e, const char *name)
{
    if (strcmp(e->publish, STORE_HASHES) == 0)
        return !submission_is_outside(name);
    return e->n_withheld && bsearch(name, e->withheld, e->n_withheld, sizeof *e->withheld, by_text);
}

/* "evidence/acme/run.redacted.tar.zst" */
static const char *path_of(struct arena *arena, const char *archive, const struct store_entry *e)
{
    size_t n = strlen(archive) - (text_ends(archive, PACKED) ? strlen(PACKED) : 0);
    return arena_printf(arena, "%.*s.%s" PACKED, (int)n, archive, e->publish);
}

/* What is published of the submission in this file, when that is not all. */
static const struct store_entry *part_of(const struct build *b, const char *sha256,
                                         const struct store_item **item)
{
    const struct store *s = b->project.store;
    *item = s && sha256 ? store_submission_of(&s->index, sha256) : NULL;
    const struct store_entry *e = *item ? (*item)->redaction : NULL;
    return e && strcmp(e->publish, STORE_FULL) != 0 ? e : NULL;
}

/* "run.tar.zst:rank0.out.log", as findings name a file of a submission. */
static bool is_inside(const char *place, const char *archive, const struct store_entry *e)
{
    size_t n = strlen(archive);
    return place && strncmp(place, archive, n) == 0 && place[n] == ':' &&
           is_withheld(e, place + n + 1);
}

/* Texts of withheld files that findings about other places quote: facts of the machine, words of
 * the command line. Shorter ones are numbers and flags. */
#define QUOTED_LEAST 4

static bool quotes(const struct check_result *c, const char *text)
{
    const char *const places[] = {c->message, c->stated, c->expected, c->tolerance};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i] && text && strlen(text) >= QUOTED_LEAST && strstr(places[i], text))
            return true;
    return false;
}

static bool quotes_list(const struct check_result *c, const struct fact *facts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (quotes(c, facts[i].value))
            return true;
    return false;
}

/* All that a fingerprint says. Its rates are quoted in other digits: by one rule, of nothing else.
 */
static bool quotes_fingerprint(const struct check_result *c, const struct facts *f)
{
    if (!f)
        return false;
    return quotes_list(c, f->items, f->n) || quotes_list(c, f->unstable, f->n_unstable) ||
           quotes(c, f->measured.device) || quotes(c, f->measured.with) ||
           (f->measured.n && strcmp(c->rule, "FP4013") == 0);
}

static bool quotes_said(const struct check_result *c, const struct row_evidence *x,
                        const bool gone[SAID_BY])
{
    for (size_t i = 0; i < x->n_agreements; i++)
        for (size_t k = 0; k < x->agreements[i].n; k++) {
            const struct said *s = &x->agreements[i].said[k];
            if (gone[s->by] && quotes(c, s->value))
                return true;
        }
    return false;
}

static bool quotes_command(const struct check_result *c, const struct row_evidence *x)
{
    for (size_t i = 0; i < x->n_command; i++)
        if (quotes(c, x->command[i]))
            return true;
    return false;
}

/* `gone`: whose files are withheld. */
static void hush(struct verdict *v, const struct row_evidence *x, const struct store_entry *e,
                 const bool gone[SAID_BY])
{
    for (size_t i = 0; i < v->n_checks; i++) {
        struct check_result *c = &v->checks[i];
        if (is_inside(c->file, x->archive, e) || quotes_said(c, x, gone) ||
            (gone[SAID_FINGERPRINT] && quotes_fingerprint(c, x->facts)) ||
            (gone[SAID_RUN] && quotes_command(c, x)))
            check_result_hush(c);
    }
}

/* Who speaks in this file of a run. A log by another name may be that of a training or a monitor.
 */
static void note_gone(const char *name, bool gone[SAID_BY])
{
    const char *base = path_base(name);
    if (strcmp(base, "fingerprint.json") == 0)
        gone[SAID_FINGERPRINT] = true;
    else if (strcmp(base, "sys_info.log") == 0)
        gone[SAID_SYSTEM] = true;
    else if (strcmp(base, "run.json") == 0 || strcmp(base, "case.json") == 0)
        gone[SAID_RUN] = true;
    else if (text_ends(base, ".log") || text_ends(base, ".txt"))
        gone[SAID_LOG] = gone[SAID_MONITOR] = true;
}

/* What others say of the environment stays. */
static void drop_said(struct build *b, struct row_evidence *x, const bool gone[SAID_BY])
{
    struct arena *arena = &b->cli->arena;
    struct agreement *kept = arena_array(arena, x->n_agreements, sizeof *kept);
    size_t n = 0;
    for (size_t i = 0; i < x->n_agreements; i++) {
        struct agreement a = x->agreements[i];
        struct said *said = arena_array(arena, a.n, sizeof *said);
        size_t m = 0;
        for (size_t k = 0; k < a.n; k++)
            if (!gone[a.said[k].by])
                said[m++] = a.said[k];
        a.said = said;
        a.n = m;
        if (m)
            kept[n++] = a;
    }
    x->agreements = kept;
    x->n_agreements = n;
}

static void redact_evidence(struct build *b, struct verdict *v, struct row_evidence *x)
{
    struct arena *arena = &b->cli->arena;
    const struct store_item *item;
    const struct store_entry *e = part_of(b, x->sha256, &item);
    x->entered = item && item->added ? store_entry_day(item->added) : NULL;
    if (!e)
        return;
    bool gone[SAID_BY] = {false};
    struct published_part *part = arena_alloc(arena, sizeof *part);
    *part = (struct published_part){.whole = x->sha256,
                                    .only_hashes = strcmp(e->publish, STORE_HASHES) == 0,
                                    .reason = e->reason};
    for (size_t i = 0; i < x->n_files; i++) {
        struct evidence_file *f = &x->files[i];
        f->withheld = is_withheld(e, f->name);
        part->withheld += f->withheld;
        if (f->withheld)
            note_gone(f->name, gone);
    }
    hush(v, x, e, gone);
    drop_said(b, x, gone);
    if (gone[SAID_FINGERPRINT])
        x->facts = NULL;
    if (gone[SAID_RUN])
        x->n_command = 0;
    x->part = part;
    x->archive = path_of(arena, x->archive, e);
    x->sha256 = e->object;
}

static void redact_reproduction(struct build *b, struct reproduction *r)
{
    const struct store_item *item;
    const struct store_entry *e = part_of(b, r->sha256, &item);
    if (!e)
        return;
    r->archive = path_of(&b->cli->arena, r->archive, e);
    r->sha256 = e->object;
}

void build_redact(struct build *b)
{
    if (!b->project.store)
        return;
    for (size_t i = 0; i < b->project.n_results; i++)
        for (size_t k = 0; k < b->verdicts[i].n_evidence; k++)
            redact_evidence(b, &b->verdicts[i], &b->verdicts[i].evidence[k]);
    for (size_t i = 0; i < b->project.n_reproductions; i++)
        redact_reproduction(b, &b->project.reproductions[i]);
}
