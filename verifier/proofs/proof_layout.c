#include "verifier/proofs/proof_layout.h"

#include "verifier/runs/layout_shown.h"

/* ---- what the run says of itself ------------------------------------------------------------ */

static bool is_in_evidence(const char *source)
{
    static const char *const names[] = {LAYOUT_BY_LOG, LAYOUT_BY_RANK_LOGS, LAYOUT_BY_MONITORS};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(source, names[i]) == 0)
            return true;
    return false;
}

/* False: run.json is of a native run, or of before. */
static bool by_run_json(const struct proof *p, struct layout *out, struct arena *arena)
{
    struct layout said;
    if (!layout_read(json_get(p->run, "layout"), arena, &said))
        return false;
    for (size_t i = 0; i < said.n; i++)
        if (!is_in_evidence(said.items[i].name))
            layout_add(out, &said.items[i], arena);
    return true;
}

static void layout_by_case(const struct proof *p, struct layout *out, struct arena *arena)
{
    const struct case_parallel *plan = p->kase ? p->kase->parallel : NULL;
    if (!plan)
        return;
    layout_add(out,
               &(struct layout_source){"case",
                                       {[LAYOUT_TENSOR] = plan->tensor ? plan->tensor : 1,
                                        [LAYOUT_PIPELINE] = plan->pipeline ? plan->pipeline : 1,
                                        [LAYOUT_CHUNKS] = plan->chunks,
                                        [LAYOUT_DATA] = plan->data ? plan->data : 1}},
               arena);
}

/* Of a native run: the plan that --parallel put in the place of the case's. */
static bool by_other_plan(const struct proof *p, struct layout *out, struct arena *arena)
{
    struct plan plan;
    const char *text = json_get_text(p->run, "parallel", NULL);
    if (!text || !plan_parse(text, arena, &plan))
        return false;
    layout_add(out,
               &(struct layout_source){"--parallel",
                                       {[LAYOUT_TENSOR] = plan.tensor ? plan.tensor : 1,
                                        [LAYOUT_PIPELINE] = plan.pipeline ? plan.pipeline : 1,
                                        [LAYOUT_DATA] = plan.data ? plan.data : 1}},
               arena);
    return true;
}

static void by_folder(const struct proof *p, struct layout *out, struct arena *arena)
{
    const struct case_key *key = p->round && p->round->key.whole ? &p->round->key : NULL;
    if (!key)
        return;
    layout_add(
        out,
        &(struct layout_source){
            "folder", {[LAYOUT_RANKS] = key->nnodes * key->nproc, [LAYOUT_NODES] = key->nnodes}},
        arena);
}

/* ---- all of it ------------------------------------------------------------------------------ */

void proof_layout_find(const struct audit *a, struct proof *p)
{
    const struct accelerator *card = proof_accelerator(a, p);
    long long each = card && !proof_on_processor(p) ? card->ranks_per_card : 1;
    bool ran = p->kase && !p->kase_assumed;
    p->layout = (struct layout){0};
    for (size_t i = 0; p->stated_layout && i < p->stated_layout->n; i++)
        layout_add(&p->layout, &p->stated_layout->items[i], a->arena);
    if (!by_run_json(p, &p->layout, a->arena)) {
        bool other = by_other_plan(p, &p->layout, a->arena);
        if (ran && !other)
            layout_by_case(p, &p->layout, a->arena);
        by_folder(p, &p->layout, a->arena);
    }
    layout_resolve(&p->layout, each, &p->run_laid);
    layout_of_logs(p->logs, p->n_logs, &p->layout, a->arena);
    layout_of_monitors(&p->peaks, &p->layout, a->arena);
    if (!ran || !p->layout.n)
        layout_by_case(p, &p->layout, a->arena);
    layout_resolve(&p->layout, each, &p->laid);
}
