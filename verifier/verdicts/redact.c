#include "verifier/verdicts/redact.h"

#include "base/files/file.h"
#include "base/text.h"
#include "verifier/checks/list.h"
#include "verifier/proofs/agreement.h"
#include "verifier/runs/monitor.h"
#include "verifier/runs/run_layout.h"
#include "verifier/runs/sys_info.h"

#include <string.h>

/* ---- whose words they are ---------------------------------------------------------------- */

/* RULE_QUOTES_…, by the names that the readers go by. A text by another name may be the log of a
 * training or of a monitor. */
static unsigned kind_of_file(const char *name)
{
    const char *base = path_base(name);
    bool text = !sys_info_is(name) && (text_ends(base, ".log") || text_ends(base, ".txt"));
    return (text || run_is_training_log(name) ? RULE_QUOTES_LOG : 0U) |
           (text || monitor_is(name) ? RULE_QUOTES_MONITOR : 0U) |
           (strcmp(base, "case.json") == 0 ? RULE_QUOTES_CASE : 0U) |
           (strcmp(base, "run.json") == 0 ? RULE_QUOTES_RUN : 0U) |
           (strcmp(base, "fingerprint.json") == 0 ? RULE_QUOTES_MACHINE : 0U);
}

void verdict_redact_note(struct redaction *q, const char *name)
{
    unsigned kind = kind_of_file(name);
    q->said[SAID_FINGERPRINT] |= kind & RULE_QUOTES_MACHINE;
    q->said[SAID_RUN] |= kind & (RULE_QUOTES_RUN | RULE_QUOTES_CASE);
    q->said[SAID_SYSTEM] |= sys_info_is(name);
    q->said[SAID_LOG] |= kind & RULE_QUOTES_LOG;
    q->said[SAID_MONITOR] |= kind & RULE_QUOTES_MONITOR;
    q->files |= kind;
}

struct redaction verdict_redact_all(void)
{
    return (struct redaction){.said = {[SAID_LOG] = true,
                                       [SAID_SYSTEM] = true,
                                       [SAID_MONITOR] = true,
                                       [SAID_RUN] = true,
                                       [SAID_FINGERPRINT] = true},
                              .files = RULE_QUOTES_ALL};
}

/* ---- where they stand -------------------------------------------------------------------- */

bool verdict_is_below(const char *place, const char *archive)
{
    size_t n = strlen(archive);
    return place && strncmp(place, archive, n) == 0 && place[n] == ':';
}

/* "run.tar.zst:rank0.out.log", as findings name a file of a submission. Of one that is not whole
 * all are withheld, with the statement, which is compared with others. */
static bool is_inside_submission(const char *place, const struct row_evidence *x)
{
    size_t n = strlen(x->archive);
    if (!verdict_is_below(place, x->archive))
        return false;
    if (!x->intact)
        return true;
    for (size_t i = 0; i < x->n_files; i++)
        if (x->files[i].withheld && strcmp(place + n + 1, x->files[i].name) == 0)
            return true;
    return false;
}

static bool is_of_row(const struct row_evidence *x, int table, int row)
{
    return (!x->table || !table || x->table == table) && (!x->row || !row || x->row == row);
}

/* Is it about other evidence of the result? */
static bool is_elsewhere(const struct verdict *v, const struct row_evidence *x,
                         const struct check_result *c)
{
    for (size_t i = 0; i < v->n_evidence; i++) {
        const char *archive = v->evidence[i].archive;
        if (strcmp(archive, x->archive) != 0 && c->file &&
            (strcmp(c->file, archive) == 0 || verdict_is_below(c->file, archive)))
            return true;
    }
    return !is_of_row(x, c->table, c->row);
}

/* ---- what repeats them ------------------------------------------------------------------- */

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
        if (quotes(c, facts[i].value) || quotes(c, facts[i].unknown))
            return true;
    return false;
}

/* All that a fingerprint says, but its rates: they are quoted in other digits. */
static bool quotes_fingerprint(const struct check_result *c, const struct facts *f)
{
    return f &&
           (quotes_list(c, f->items, f->n) || quotes_list(c, f->unstable, f->n_unstable) ||
            quotes(c, f->sha256) || quotes(c, f->measured.device) || quotes(c, f->measured.with));
}

static bool quotes_command(const struct check_result *c, const struct row_evidence *x)
{
    for (size_t i = 0; i < x->n_command; i++)
        if (quotes(c, x->command[i]))
            return true;
    return false;
}

/* Only these see what is in a submission. */
static bool looks_inside(const struct rule *k)
{
    return k->proof || k->reproduction;
}

/* That a second run agrees is said in the same words of each. */
bool verdict_redact_quotes(const struct check_result *c, unsigned files)
{
    size_t n;
    const struct rule *const *all = rules_all(&n);
    for (size_t i = 0; i < n; i++) {
        unsigned quotes =
            all[i]->quotes || !looks_inside(all[i]) ? all[i]->quotes : RULE_QUOTES_ALL;
        if (strcmp(all[i]->id, c->rule) == 0 && quotes & files &&
            (!all[i]->reproduction || c->outcome == OUTCOME_FAIL))
            return true;
    }
    return false;
}

/* Is it one of a rule that sees the page only? */
static bool is_of_page(const struct check_result *c)
{
    size_t n;
    const struct rule *const *all = rules_all(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i]->id, c->rule) == 0 && looks_inside(all[i]))
            return false;
    return true;
}

struct redacting {
    struct verdict *v;
    const struct row_evidence *x;
    const struct redaction *q;
    const char **texts; /* that must not be repeated in whole */
    size_t n_texts;
    const char **agreements; /* what is said of each field, as a finding says it */
};

/* However short it is, where it is what the finding is about: "2", "T4". */
static bool quotes_said(const struct redacting *h, const struct check_result *c)
{
    for (size_t i = 0; i < h->x->n_agreements; i++)
        for (size_t k = 0; k < h->x->agreements[i].n; k++) {
            const struct said *s = &h->x->agreements[i].said[k];
            if (h->q->said[s->by] &&
                (quotes(c, s->value) || strcmp(c->message, h->agreements[i]) == 0))
                return true;
        }
    return false;
}

static bool repeats(const struct redacting *h, const char *text)
{
    for (size_t i = 0; text && i < h->n_texts; i++)
        if (strstr(text, h->texts[i]))
            return true;
    return false;
}

/* How was it computed: from a file that is withheld or stands beside one of its kind, or by what is
 * withheld? */
static bool is_derived(const struct redacting *h, const struct metric *m)
{
    bool of_run =
        m->input ? verdict_is_below(m->input, h->x->archive) : is_of_row(h->x, m->table, m->row);
    unsigned by = RULE_QUOTES_CASE | RULE_QUOTES_MACHINE |
                  (m->input ? kind_of_file(m->input) : RULE_QUOTES_LOG | RULE_QUOTES_MONITOR);
    return m->derivation && m->source && strcmp(m->source, "evidence") == 0 && of_run &&
           (h->q->files & by || is_inside_submission(m->input, h->x));
}

/* Why there is no figure: with a number or a quotation in it, that is one of some file of the run,
 * unless a rule that sees no file says the same. */
static bool is_quoting(const struct redacting *h, const struct metric *m)
{
    if (!m->reason || !h->q->files || !is_of_row(h->x, m->table, m->row) ||
        !strpbrk(m->reason, "0123456789'\""))
        return false;
    for (size_t i = 0; i < h->v->n_checks; i++)
        if (is_of_page(&h->v->checks[i]) && strcmp(h->v->checks[i].message, m->reason) == 0)
            return false;
    return true;
}

/* What is wrong with withheld files, which may be why something else could not be found, and how
 * figures were computed, which findings repeat. */
static void collect_withheld_words(struct redacting *h, struct arena *arena)
{
    const struct verdict *v = h->v;
    h->texts = arena_array(arena, 2 * v->n_checks + v->n_metrics, sizeof *h->texts);
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].outcome == OUTCOME_FAIL && is_inside_submission(v->checks[i].file, h->x))
            h->texts[h->n_texts++] = v->checks[i].message;
    for (size_t i = 0; i < v->n_metrics; i++)
        if (is_derived(h, &v->metrics[i]))
            h->texts[h->n_texts++] = v->metrics[i].derivation;
        else if (is_quoting(h, &v->metrics[i]))
            h->texts[h->n_texts++] = v->metrics[i].reason;
    h->agreements = arena_array(arena, h->x->n_agreements, sizeof *h->agreements);
    for (size_t i = 0; i < h->x->n_agreements; i++)
        h->agreements[i] = agreement_text(&h->x->agreements[i], arena);
}

static bool quotes_withheld(const struct redacting *h, const struct check_result *c)
{
    const struct row_evidence *x = h->x;
    return is_inside_submission(c->file, x) || repeats(h, c->message) || quotes_said(h, c) ||
           (h->q->said[SAID_FINGERPRINT] && quotes_fingerprint(c, x->facts)) ||
           (h->q->files & RULE_QUOTES_RUN && quotes_command(c, x)) ||
           (verdict_redact_quotes(c, h->q->files) && !is_elsewhere(h->v, x, c));
}

/* Does this place name a file of the submission, or a folder that has one? */
static bool is_known_place(const struct row_evidence *x, const char *place)
{
    const char *name = place + strlen(x->archive) + 1;
    size_t n = strlen(name);
    for (size_t i = 0; i < x->n_files; i++) {
        const char *file = x->files[i].name;
        if (strncmp(file, name, n) == 0 && (!file[n] || file[n] == '/'))
            return true;
    }
    return false;
}

void verdict_redact_place(struct check_result *c, const char *archive)
{
    check_result_redact(c);
    if (!verdict_is_below(c->file, archive))
        return;
    c->file = archive;
    c->line = c->column = c->character = 0;
}

/* Figures behind findings: a rule may say of a figure what it finds. */
static void redact_findings(struct redacting *h)
{
    struct redacting before = *h;
    for (size_t i = 0; i < h->v->n_checks; i++) {
        struct check_result *c = &h->v->checks[i];
        if (!quotes_withheld(&before, c))
            continue;
        if (*c->message && !c->redacted)
            h->texts[h->n_texts++] = c->message;
        /* A finding may stand at a file that is there by a withheld file's word only: names of
         * others are in the manifest. */
        if (verdict_is_below(c->file, h->x->archive) && !is_known_place(h->x, c->file))
            verdict_redact_place(c, h->x->archive);
        else
            check_result_redact(c);
    }
    for (size_t i = 0; i < h->v->n_metrics; i++) {
        struct metric *m = &h->v->metrics[i];
        if (repeats(h, m->reason) || repeats(h, m->derivation))
            metric_redact(m);
    }
}

/* What others say of the environment stays. */
static void drop_said(struct row_evidence *x, const bool gone[SAID_BY], struct arena *arena)
{
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

void verdict_redact(struct verdict *v, struct row_evidence *x, const struct redaction *q,
                    struct arena *arena)
{
    struct redacting h = {.v = v, .x = x, .q = q};
    collect_withheld_words(&h, arena);
    redact_findings(&h);
    drop_said(x, q->said, arena);
    if (q->said[SAID_FINGERPRINT])
        x->facts = NULL;
    if (!(q->files & RULE_QUOTES_RUN))
        return;
    x->n_command = 0;
    x->finished = NULL;
    x->answered = (struct answered){.nonce = NULL};
}
