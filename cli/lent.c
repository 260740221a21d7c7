/* lent: which installed records results were held to, in place of the project's own. */
#include "base/figures/labels.h"
#include "base/project/project.h"
#include "base/records/facts.h"
#include "base/records/verdict.h"
#include "base/text.h"
#include "cli/cli.h"
#include "verifier/shard_doc.h"

#include <string.h>

struct lent_names {
    struct cli *cli;
    const struct project *p;
    const struct result *of; /* that is looked at */
    struct lent_list *list;
};

static void add_lent_name(struct lent_names *names, const char *name)
{
    const struct result *r = names->of;
    if (!text_find(names->list->items, names->list->n, sizeof *names->list->items, name))
        *(struct shard_lent *)ARENA_PUSH(&names->cli->arena, names->list->items, names->list->n) =
            (struct shard_lent){
                .name = name, .vendor = r ? r->vendor : "", .case_id = r ? r->case_id : ""};
}

static void look_for_lent_card(struct lent_names *names, const char *text, const char *vendor)
{
    const struct accelerator *a = text ? project_find_card(names->p, text, vendor) : NULL;
    if (project_is_lent_card(names->p, a))
        add_lent_name(names, arena_printf(&names->cli->arena, "accelerator %s", a->id));
}

static void look_at_result(struct lent_names *names, const struct result *r)
{
    const struct model *m = project_result_model(names->p, r);
    for (size_t i = 0; r->general && i < r->general->n_rows; i++) {
        const struct row *row = &r->general->rows[i];
        const struct label *l =
            row->n_cells > 1 ? label_find(LABEL_GENERAL, row->cells[0].text) : NULL;
        if (l && strcmp(l->key, "device") == 0)
            look_for_lent_card(names, row->cells[1].text, r->vendor);
    }
    for (size_t b = 0; b < r->n_performance; b++) {
        const struct table *t = r->performance[b].table;
        for (size_t i = 0; t && i < t->n_rows; i++)
            if (t->rows[i].n_cells)
                look_for_lent_card(names, t->rows[i].cells[0].text, r->vendor);
    }
    for (size_t e = 0; e < r->n_environments; e++)
        for (size_t g = 0; g < r->environments[e].n_groups; g++)
            for (size_t i = 0; i < r->environments[e].groups[g].n_items; i++)
                look_for_lent_card(names, r->environments[e].groups[g].items[i].value, r->vendor);
    if (project_is_lent_model(names->p, m))
        add_lent_name(names, arena_printf(&names->cli->arena, "model %s", m->id));
}

void cli_lent_results(struct cli *cli, const struct project *p, const struct result *const *results,
                      size_t n, struct lent_list *list)
{
    struct lent_names names = {.cli = cli, .p = p, .list = list};
    for (size_t i = 0; i < n && p->n_lent_cards + p->n_lent_models; i++) {
        names.of = results[i];
        look_at_result(&names, results[i]);
    }
}

void cli_lent_evidence(struct cli *cli, const struct project *p, const struct verdict *verdicts,
                       size_t n, struct lent_list *list)
{
    struct lent_names names = {.cli = cli, .p = p, .list = list};
    for (size_t i = 0; i < n; i++) {
        names.of = verdicts[i].result;
        const struct verdict *v = &verdicts[i];
        for (size_t j = 0; j < v->n_evidence; j++)
            if (v->evidence[j].facts)
                look_for_lent_card(&names,
                                   facts_value(v->evidence[j].facts, FACT_ACCELERATOR_MODEL), NULL);
    }
}

const char *cli_lent_said(struct cli *cli, const struct lent_list *list)
{
    const char *all = "";
    for (size_t i = 0; i < list->n; i++)
        all = arena_printf(&cli->arena, "%s%s%s", all, i ? ", " : "", list->items[i].name);
    return list->n ? arena_printf(&cli->arena,
                                  "not in the project's records, those that come with "
                                  "fpreport " FPREPORT_VERSION " were taken: %s",
                                  all)
                   : NULL;
}

const char *cli_records_said(struct cli *cli, const struct project *p,
                             const struct result *const *results, size_t n,
                             const struct verdict *verdicts, size_t n_verdicts)
{
    struct lent_list list = {NULL, 0};
    if (!cli_has_project(cli))
        return "accelerators, models and cases are those that come with "
               "fpreport " FPREPORT_VERSION "; no other results were compared";
    cli_lent_results(cli, p, results, n, &list);
    cli_lent_evidence(cli, p, verdicts, n_verdicts, &list);
    return cli_lent_said(cli, &list);
}
