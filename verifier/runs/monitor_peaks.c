/* What a page states of monitors, and what is drawn of them. */
#include "verifier/runs/monitor.h"

#include <string.h>

void monitor_peaks_init(struct monitor_peaks *p)
{
    *p = (struct monitor_peaks){.cpu_share = NAN,
                                .memory_share = NAN,
                                .machine_watts = NAN,
                                .card_mib = NAN,
                                .card_total_mib = NAN,
                                .card_typical_mib = NAN,
                                .card_share = NAN,
                                .card_watts = NAN};
}

static void raise_to(double *peak, struct monitor_place *at, const struct monitor_series *s,
                     const char *file)
{
    if (!isfinite(s->peak) || *peak >= s->peak)
        return;
    *peak = s->peak;
    *at = (struct monitor_place){file, s->line};
}

static void add_card(struct monitor_peaks *p, const struct monitor_card *c, const char *file)
{
    p->card_samples += c->used_mib.n;
    p->busy_cards += c->busy.n && c->busy.peak > MONITOR_BUSY;
    raise_to(&p->card_watts, &p->watts_at, &c->watts, file);
    raise_to(&p->card_share, &p->share_at, &c->used_share, file);
    if (c->used_mib.n && !(p->card_mib >= c->used_mib.peak)) {
        p->card_mib = c->used_mib.peak;
        p->card_total_mib = c->total_mib;
        p->card_typical_mib = c->typical_mib;
        p->card_at = (struct monitor_place){file, c->used_mib.line};
    }
}

void monitor_peaks_add(struct monitor_peaks *p, const struct monitor *m)
{
    if (m->kind && strcmp(m->kind, "cpu") == 0)
        raise_to(&p->cpu_share, &p->cpu_at, &m->series, m->file);
    if (m->kind && strcmp(m->kind, "mem") == 0)
        raise_to(&p->memory_share, &p->memory_at, &m->series, m->file);
    if (m->kind && strcmp(m->kind, "pwr") == 0)
        raise_to(&p->machine_watts, &p->machine_at, &m->series, m->file);
    for (size_t i = 0; i < m->n_cards; i++)
        add_card(p, &m->cards[i], m->file);
    p->cards = m->n_cards > p->cards ? m->n_cards : p->cards;
}

static void collect_samples(struct monitored_cards *to, const struct samples *points,
                            struct arena *arena)
{
    if (points->n > 0)
        *(struct samples *)ARENA_PUSH(arena, to->cards, to->n) = *points;
}

void monitor_collect(const struct monitor *m, struct arena *arena, struct monitored_cards *to)
{
    static const struct {
        const char *kind;
        enum monitored as;
    } machines[] = {{"cpu", MONITORED_CPU}, {"mem", MONITORED_MAIN}, {"pwr", MONITORED_TOTAL}};
    for (size_t i = 0; m->kind && i < sizeof machines / sizeof machines[0]; i++)
        if (strcmp(m->kind, machines[i].kind) == 0)
            collect_samples(&to[machines[i].as], &m->series.points, arena);
    for (size_t i = 0; i < m->n_cards; i++) {
        collect_samples(&to[MONITORED_MEMORY], &m->cards[i].used_mib.points, arena);
        collect_samples(&to[MONITORED_POWER], &m->cards[i].watts.points, arena);
        collect_samples(&to[MONITORED_HEAT], &m->cards[i].celsius.points, arena);
    }
}
