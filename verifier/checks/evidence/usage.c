/* What the run took of its machine, from the monitors beside it: memory and power. */
#include "verifier/checks/checks.h"

#include "verifier/proofs/rate.h"
#include "verifier/proofs/recompute.h"

#include <math.h>

#define MIB_PER_GIB 1024

/* --- memory --- */

/* The sample that a figure is. */
static void take_place(struct recomputed *x, const struct monitor_place *at)
{
    x->file = at->file;
    x->line = at->line;
}

/* Of the card that used most. */
static bool memory_of_card(struct audit *a, const struct proof *p, struct recomputed *x)
{
    const struct monitor_peaks *m = &p->peaks;
    if (!m->card_samples)
        return false;
    x->value = m->card_mib / MIB_PER_GIB;
    x->second = m->card_total_mib / MIB_PER_GIB;
    take_place(x, &m->card_at);
    x->derivation = arena_printf(a->arena, "%s / 1024 of %s / 1024 GiB (largest of %zu samples)",
                                 audit_number(a->arena, m->card_mib),
                                 audit_number(a->arena, m->card_total_mib), m->card_samples);
    return true;
}

/* Of the machine, where there is no card. */
static bool memory_of_machine(struct audit *a, const struct proof *p, struct recomputed *x)
{
    const struct monitor_peaks *m = &p->peaks;
    const char *memory = facts_value(&p->facts, FACT_MEMORY);
    struct figure total;
    figure_parse(memory, a->arena, &total);
    bool card = facts_value(&p->facts, FACT_ACCELERATOR_MODEL) && !proof_on_processor(p);
    if (card || isnan(m->memory_share) || total.kind != FIGURE_NUMBER)
        return false;
    x->value = m->memory_share * total.value;
    x->second = total.value;
    x->exact = true;
    take_place(x, &m->memory_at);
    x->derivation =
        arena_printf(a->arena, "%s * %s GiB (largest share of the machine's memory)",
                     audit_number(a->arena, m->memory_share), audit_number(a->arena, total.value));
    return true;
}

/* Cards of which only a share is known, as one vendor's monitor gives it. */
static bool memory_of_share(struct audit *a, const struct proof *p, struct recomputed *x)
{
    const struct accelerator *card = proof_accelerator(a, p);
    if (isnan(p->peaks.card_share) || !card || isnan(card->memory_gib))
        return false;
    x->value = p->peaks.card_share * card->memory_gib;
    x->second = card->memory_gib;
    take_place(x, &p->peaks.share_at);
    x->derivation = arena_printf(a->arena, "%s * %s GiB (largest share of a card, %s)",
                                 audit_number(a->arena, p->peaks.card_share),
                                 audit_number(a->arena, card->memory_gib), card->name);
    return true;
}

static void put_typical(struct audit *a, const struct proof *p)
{
    const struct monitor_peaks *m = &p->peaks;
    if (!m->card_samples) {
        recompute_cannot_all(a, p, "memory_typical", "no monitor has the memory of a card in MiB");
        return;
    }
    const struct recomputed x = {
        .key = "memory_typical",
        .value = m->card_typical_mib / MIB_PER_GIB,
        .second = m->card_total_mib / MIB_PER_GIB,
        .decimals = 1,
        .pair = true,
        .derivation = arena_printf(a->arena,
                                   "%s / 1024 of %s / 1024 GiB (median of the samples of the card "
                                   "with the largest)",
                                   audit_number(a->arena, m->card_typical_mib),
                                   audit_number(a->arena, m->card_total_mib)),
        .file = m->card_at.file};
    recompute_put_all(a, p, &x);
}

/* What the training's allocator held, as some logs name it; the best first. */
static const char *const allocators[] = {"MaxMemAllocated (GB)", "Max CUDA memory allocated (GB)"};

/* Why there is no figure of the memory; what the log itself says of it is named. */
static const char *memory_missing(struct audit *a, const struct proof *p)
{
    const char *why = p->monitor_fault ? p->monitor_fault : "no monitor has samples of the memory";
    if (isfinite(p->peaks.card_share))
        why = arena_printf(a->arena,
                           "the monitor says how much of a card's memory is used (at most %s), not "
                           "of how much, and which card it is is not known",
                           audit_number(a->arena, p->peaks.card_share));
    for (size_t i = 0; i < sizeof allocators / sizeof allocators[0]; i++) {
        const struct run_log *from;
        const struct log_value *v = proof_value(p, allocators[i], &from);
        if (v)
            return arena_printf(a->arena,
                                "%s; the log's %s is %s (line %d), which is what the framework's "
                                "allocator held, not what the card had in use",
                                why, v->key, audit_number(a->arena, v->value), v->line);
    }
    return why;
}

void check_peak_memory(struct audit *a, struct proof *p)
{
    struct recomputed x = {.key = "memory", .decimals = 1, .pair = true};
    const char *why = recompute_unsound(p);
    size_t i = 0;
    bool known = !why && (memory_of_card(a, p, &x) || memory_of_machine(a, p, &x) ||
                          memory_of_share(a, p, &x));
    if (!known) {
        why = why ? why : memory_missing(a, p);
        recompute_cannot_all(a, p, "memory", why);
        for (const struct claim *c; recompute_next(a, p, &i, &c);)
            if (c)
                recompute_cannot(a, c, "memory_total", why);
        return;
    }
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        x.key = "memory";
        recompute_put(a, c, &x);
        x.key = "memory_total"; /* per card * cards: the part of one card is compared */
        if (c)
            recompute_put(a, c, &x);
    }
    put_typical(a, p);
}

/* --- power --- */

struct power {
    double watts, samples, cards;
};

/* Mean over the cards of each card's mean. */
static struct power card_power(const struct proof *p)
{
    struct power sum = {0, 0, 0};
    for (size_t i = 0; i < p->n_monitors && !proof_on_processor(p); i++) {
        const struct run_monitor *m = p->monitors[i];
        for (size_t k = 0; k < m->monitor.n_cards; k++) {
            const struct monitor_series *w = &m->monitor.cards[k].watts;
            sum.watts += w->n ? w->mean : 0;
            sum.samples += (double)w->n;
            sum.cards += w->n > 0;
        }
    }
    return sum;
}

static void put_watts(struct audit *a, const struct proof *p, const char *key, double watts,
                      const struct monitor_place *at, const char *derivation)
{
    const struct recomputed x = {.key = key,
                                 .value = watts,
                                 .decimals = 1,
                                 .derivation = derivation,
                                 .file = at->file,
                                 .line = at->line};
    if (isfinite(watts))
        recompute_put_all(a, p, &x);
    else
        recompute_cannot_all(a, p, key, "no monitor has readings of it");
}

static void judge_monitor(struct audit *a, const struct run_monitor *m)
{
    for (size_t i = 0; i < m->faults.n; i++)
        audit_report(a, OUTCOME_FAIL, NULL, m->faults.items[i].line, "%s",
                     m->faults.items[i].message)
            ->file = m->monitor.file;
    if (m->faults.n == 0)
        audit_report(a, OUTCOME_PASS, NULL, 0, "%zu readings in %zu samples of the %s monitor",
                     m->monitor.readings, m->monitor.stamps, m->monitor.kind)
            ->file = m->monitor.file;
}

void check_power(struct audit *a, struct proof *p)
{
    if (recompute_unsound(p))
        return;
    for (size_t i = 0; i < p->n_monitors; i++)
        judge_monitor(a, p->monitors[i]);
    struct power card = card_power(p);
    const struct monitor_peaks *m = &p->peaks;
    const struct monitor_place mean_at = {m->watts_at.file, 0}; /* of all lines */
    put_watts(a, p, "machine_power", m->machine_watts, &m->machine_at,
              arena_printf(a->arena, "%s W (largest sample of the machine)",
                           audit_number(a->arena, m->machine_watts)));
    put_watts(a, p, "card_power", card.watts / card.cards, &mean_at,
              arena_printf(a->arena,
                           "%s / %s = %s (sum of the means of the cards / cards, %s "
                           "samples)",
                           audit_fixed(a->arena, card.watts, 4), audit_number(a->arena, card.cards),
                           audit_fixed(a->arena, card.watts / card.cards, 4),
                           audit_number(a->arena, card.samples)));
    put_watts(a, p, "card_power_peak", m->card_watts, &m->watts_at,
              arena_printf(a->arena, "%s W (largest sample of a card)",
                           audit_number(a->arena, m->card_watts)));
}
