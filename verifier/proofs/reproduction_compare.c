/* What a second run of a case gave beside the first (reproduction.h). */
#include "verifier/proofs/reproduction.h"

#include "base/figures/figure.h"
#include "verifier/curves/align.h"
#include "verifier/proofs/proof.h"

#include <string.h>

/* A record holds figures that people read: nine decimals of a ratio are enough. */
static double rounded_places(double x, double places)
{
    return isfinite(x) ? round(x * places) / places : NAN;
}

/* --- fingerprints --- */

/* The card that trained; NULL: the processor did. */
static const char *run_card(const struct proof *p)
{
    return proof_on_processor(p) ? NULL : facts_value(&p->facts, FACT_ACCELERATOR_MODEL);
}

static const char *run_device(const struct proof *p, struct arena *arena)
{
    const struct facts *f = &p->facts;
    const char *card = run_card(p);
    const char *count = facts_value(f, FACT_ACCELERATOR_COUNT);
    const char *cpu = facts_value(f, FACT_CPU_MODEL);
    if (card)
        return arena_printf(arena, "%s * %s", count ? count : "?", card);
    return cpu ? cpu : "unknown device";
}

static bool same_facts(const struct facts *a, const struct facts *b, const enum fact_id *ids,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *x = facts_value(a, ids[i]), *y = facts_value(b, ids[i]);
        if ((x || y) && !(x && y && strcmp(x, y) == 0))
            return false;
    }
    return true;
}

/* Without evidence there is only what the row names. */
static bool same_kind_of_device(const struct audit *again, const struct proof *original,
                                const struct proof *run)
{
    static const enum fact_id device[] = {FACT_ACCELERATOR_MODEL, FACT_ACCELERATOR_COUNT};
    static const enum fact_id machine[] = {FACT_ARCHITECTURE, FACT_CPU_MODEL};
    const char *card = run_card(run);
    size_t i = 0;
    if (original && !card != !run_card(original))
        return false;
    if (original)
        return (!card || same_facts(&original->facts, &run->facts, device, 2)) &&
               (card || same_facts(&original->facts, &run->facts, machine, 2));
    const struct claim *c = proof_next_claim(again, run, &i);
    const struct accelerator *stated = c->accelerator ? c->accelerator : audit_accelerator(again);
    return card && stated && audit_card(again, card) == stated;
}

static void compare_facts(const struct proof *original, const struct proof *run,
                          struct reproduction *r, struct arena *arena)
{
    struct fact_change *changes;
    size_t n;
    facts_diff(&original->facts, &run->facts, arena, &changes, &n);
    r->facts = arena_array(arena, n, sizeof *r->facts);
    for (size_t i = 0; i < n; i++)
        r->facts[r->n_facts++] =
            (struct repeated_fact){.key = changes[i].key,
                                   .original = changes[i].a ? changes[i].a->value : NULL,
                                   .here = changes[i].b ? changes[i].b->value : NULL};
}

/* --- loss --- */

/* By the trainer itself, without a command of somebody else's. */
static bool is_built_in(const struct proof *p)
{
    const struct json *command = json_get(p->run, "command");
    return command && command->kind == JSON_NULL && proof_is_native(p);
}

/* Our own trainer promises the same bits where these are the same. */
static bool promises_bits(const struct proof *original, const struct proof *run)
{
    static const enum fact_id ids[] = {FACT_BLAS, FACT_LIBC, FACT_FPREPORT};
    return is_built_in(original) && is_built_in(run) &&
           same_facts(&original->facts, &run->facts, ids, 3);
}

/* `unseen`: steps that the other one does not have, because it went on behind them. */
static void compare_curves(const struct audit *again, const struct curve *run,
                           const struct curve *other, bool bits, double unseen,
                           struct repeated_loss *l)
{
    const struct case_alignment *c = again->kase ? again->kase->alignment : NULL;
    const struct align_rule rule = {c && c->from_step ? (int)c->from_step : ALIGN_FROM_STEP,
                                    c && !isnan(c->max_mean_rel_error) ? c->max_mean_rel_error
                                                                       : ALIGN_LIMIT};
    struct alignment x;
    align_curves(run, other, rule, &x);
    /* Common steps, and those of them whose loss is the same. */
    for (size_t i = 0, k = 0; i < run->n && k < other->n;) {
        if (run->step[i] == other->step[k]) {
            l->steps++;
            l->identical += run->loss[i] == other->loss[k];
        }
        bool behind = run->step[i] <= other->step[k];
        k += run->step[i] >= other->step[k];
        i += behind;
    }
    l->rule = bits ? "bits" : "alignment";
    l->from_step = rule.from_step;
    l->limit = rule.limit;
    l->mean_rel_error = rounded_places(x.mean_rel_error, 1e9);
    l->max_rel_error = rounded_places(x.max_rel_error, 1e9);
    l->max_step = x.steps ? x.max_step : NAN;
    bool all = (double)run->n == (double)other->n + unseen && l->identical == (long long)other->n;
    l->agrees = bits ? all : x.aligned;
}

static struct repeated_loss *compare_reproduced_loss(const struct audit *again,
                                                     const struct proof *original,
                                                     const struct proof *run, bool same)
{
    struct repeated_loss *l = arena_alloc(again->arena, sizeof *l);
    *l = (struct repeated_loss){.beside = "none",
                                .mean_rel_error = NAN,
                                .max_rel_error = NAN,
                                .max_step = NAN,
                                .limit = NAN};
    if (original && original->curve.n) {
        l->beside = "evidence";
        compare_curves(again, &run->curve, &original->curve, same && promises_bits(original, run),
                       proof_resumed(original), l);
    } else if (run->reference.n && !run->reference_fault) {
        l->beside = "reference";
        compare_curves(again, &run->curve, &run->reference, false, 0, l);
    }
    return l;
}

/* --- figures --- */

enum judged { JUDGED_RATE, JUDGED_LOSS, JUDGED_NOT };

static const struct {
    const char *name;
    enum judged judged;
    const char *why; /* there is no limit */
} kinds[] = {
    {"token_per_s_per_card", JUDGED_RATE, NULL},
    {"throughput", JUDGED_RATE, NULL},
    {"p_whole", JUDGED_RATE, NULL},
    {"p_train", JUDGED_RATE, NULL},
    {"p_core", JUDGED_RATE, NULL},
    {"e2e_time", JUDGED_RATE, NULL},
    {"mfu", JUDGED_RATE, NULL},
    {"loss", JUDGED_LOSS, NULL},
    {"val_loss", JUDGED_LOSS, NULL},
    {"ppl", JUDGED_LOSS, NULL},
    {"memory", JUDGED_NOT, "depends on allocators and on what else is held"},
};

static enum judged judge_of(const char *name, const char **why)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *why = kinds[i].why;
            return kinds[i].judged;
        }
    *why = "no rule says how far it may differ";
    return JUDGED_NOT;
}

/* NaN, and the reason, where a figure is only reported. */
static double limit_of(const struct reproduction *r, const char *name, bool card, const char **why)
{
    const enum judged judged = judge_of(name, why);
    if (judged == JUDGED_LOSS) {
        *why = "the limit of the alignment";
        return isnan(r->loss->limit) ? ALIGN_LIMIT : r->loss->limit;
    }
    if (judged == JUDGED_NOT)
        return NAN;
    *why = !r->same_device ? "another kind of device"
           : card          ? "cards of one model differ by binning, temperature and power limit"
                           : "a processor shares its clock and cores with whatever else runs";
    return r->same_device && card ? REPRODUCTION_RATE_LIMIT : NAN;
}

/* MFU as a ratio beside MFU in percent. */
static double in_unit_of(const struct figure *stated, const struct figure *measured)
{
    bool ratio = measured->percent && !stated->percent && stated->value <= 1;
    return ratio ? measured->value / 100 : measured->value;
}

static void compare_figure(const struct metric *m, bool card, struct reproduction *r,
                           struct arena *arena)
{
    struct repeated_figure f = {
        .name = m->name, .stated = m->stated, .measured = figure_print(m->found, arena)};
    f.limit = limit_of(r, m->name, card, &f.why);
    f.ratio = figure_has_value(m->says) && figure_has_value(m->found) && m->says->value != 0
                  ? in_unit_of(m->says, m->found) / m->says->value
                  : NAN;
    if (isnan(f.ratio))
        f.limit = NAN;
    f.outcome = isnan(f.limit)                         ? "reported"
                : fabs(f.ratio - 1) <= f.limit + 1e-12 ? "agrees"
                                                       : "differs";
    f.ratio = rounded_places(f.ratio, 1e4);
    *(struct repeated_figure *)ARENA_PUSH(arena, r->figures, r->n_figures) = f;
}

/* The peak of another card says nothing about an MFU. */
static bool is_comparable(const struct metric *m, const struct reproduction *r)
{
    return m->claimed && m->stated && m->found && m->source && strcmp(m->source, "evidence") == 0 &&
           m->table == r->table && m->row == r->row &&
           (r->same_device || strcmp(m->name, "mfu") != 0);
}

void reproduction_compare(const struct audit *again, const struct proof *original,
                          struct reproduction_proof *t)
{
    const struct proof *run = &again->proofs[0];
    struct arena *arena = again->arena;
    struct reproduction *r = &t->measured;
    bool card = run_card(run) != NULL;
    shape_init(&reproduction_shape, r);
    r->id = t->stated->id;
    r->vendor = t->stated->vendor;
    r->case_id = t->stated->case_id;
    r->table = t->stated->table;
    r->row = t->stated->row;
    r->by = t->stated->by;
    r->archive = t->stated->archive;
    r->sha256 = t->stated->sha256;
    /* "2026-11-20" of the time when it ended; "" cannot be a date, so that it is found. */
    const char *finished = json_get_text(run->run, "finished", "");
    r->date = arena_strndup(arena, finished, strnlen(finished, 10));
    r->device = run_device(run, arena);
    r->original_sha256 = original ? original->submission.archive_sha256 : NULL;
    r->same_device = same_kind_of_device(again, original, run);
    if (original)
        compare_facts(original, run, r, arena);
    r->loss = compare_reproduced_loss(again, original, run, r->same_device);
    for (size_t i = 0; i < again->verdict->n_metrics; i++)
        if (is_comparable(&again->verdict->metrics[i], r))
            compare_figure(&again->verdict->metrics[i], card, r, arena);
    bool none = strcmp(r->loss->beside, "none") == 0;
    bool differs = !none && !r->loss->agrees, agrees = r->loss->agrees;
    for (size_t i = 0; i < r->n_figures; i++) {
        differs = differs || strcmp(r->figures[i].outcome, "differs") == 0;
        agrees = agrees || strcmp(r->figures[i].outcome, "agrees") == 0;
    }
    r->outcome = agrees && !differs ? "reproduced" : "not_reproduced";
}
