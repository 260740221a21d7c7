/* Rules about the configuration files that a page names, where a FlagPerf checkout is at hand. */
#include "verifier/proofs/checkout.h"
#include "verifier/checks/checks.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static void report_file(struct audit *a, const struct checkout *c, const char *file, int line)
{
    bool there = checkout_has(c, file, a->arena);
    const char *others = "";
    for (size_t i = 0; i < c->n_files; i++)
        if (text_starts(c->files[i], "config_") && text_ends(c->files[i], ".py") &&
            strcmp(c->files[i], "config_common.py") != 0)
            others = arena_printf(a->arena, "%s%s%s", others, *others ? " " : "", c->files[i]);
    struct check_result *r =
        there ? audit_report(a, OUTCOME_PASS, NULL, line, "%s is in the case's folder", file)
              : audit_report(a, OUTCOME_FAIL, NULL, line,
                             "found no %s in training/%s/%s/config, there is %s", file,
                             a->result->vendor, a->result->case_id, *others ? others : "none");
    r->stated = file;
    r->expected = others;
}

/* Configuration files of the batch sizes and of the column config. Other names (ds_config.json,
 * or only "config") may lie with the benchmark instead of the vendor. */
void check_file_there(struct audit *a)
{
    struct checkout c;
    const struct lookup files = audit_batch_files(a);
    if (!checkout_open(a, &c))
        return;
    for (size_t i = 0; i < files.n; i++) {
        const struct batch_item *item = &a->result->batch[i];
        if (!item->file || !text_starts(item->file, "config_") ||
            lookup_find(&files, item->file) != i)
            continue;
        report_file(a, &c, item->file, item->line);
    }
    for (size_t i = 0; i < a->n_claims; i++) {
        const char *name = claim_cell(&a->claims[i], "config_name");
        if (name && text_starts(name, "config_"))
            report_file(a, &c, name, a->claims[i].line);
    }
}

/* The file that an item names, else the only one of that size, else the only one of the rows'. */
static const char *file_meant(const struct audit *a, const struct checkout *c,
                              const struct batch_item *item)
{
    struct config_name name;
    const char *hit = NULL;
    if (item->file && checkout_has(c, item->file, a->arena))
        return item->file;
    if (config_name_parse(item->file, a->arena, &name))
        hit = checkout_of_size(c, name.nodes, name.cards, 1, a->arena);
    for (size_t i = 0; i < a->n_claims && !hit; i++) {
        const struct configuration *f = &a->claims[i].config;
        const struct accelerator *card = audit_accelerator(a);
        long ranks = card && card->ranks_per_card > 1 ? (long)card->ranks_per_card : 1;
        hit = checkout_of_size(c, f->by, f->of, ranks, a->arena);
    }
    return hit;
}

/* A default that the page gives for all stages and experiments. */
static double page_default(const struct audit *a, const struct batch_item *item)
{
    struct figure f;
    for (size_t i = 0; i < item->n_values && i < AUDIT_BATCH_VALUES_MAX; i++) {
        if (item->values[i].when)
            continue;
        figure_parse(item->values[i].value, a->arena, &f);
        return f.kind == FIGURE_NUMBER ? f.value : NAN;
    }
    return NAN;
}

static void compare_default(struct audit *a, const struct checkout *c,
                            const struct batch_item *item)
{
    double stated = page_default(a, item);
    const char *file = file_meant(a, c, item), *name = "";
    if (!item->symbol || isnan(stated) || !file)
        return;
    double value = checkout_value(c, file, item->symbol, &name);
    if (isnan(value)) {
        audit_cannot(a, NULL, "%s does not set %s to a number", file, item->symbol);
        return;
    }
    struct check_result *r =
        audit_report(a, value == stated ? OUTCOME_PASS : OUTCOME_FAIL, NULL, item->line,
                     "%s is stated as %s by default, %s has %s = %s", item->symbol,
                     audit_number(a->arena, stated), file, name, audit_number(a->arena, value));
    r->stated = arena_printf(a->arena, "%s=%s", item->symbol, audit_number(a->arena, stated));
    r->expected = arena_printf(a->arena, "%s: %s = %s", file, name, audit_number(a->arena, value));
}

void check_defaults(struct audit *a)
{
    struct checkout c;
    if (!checkout_open(a, &c))
        return;
    for (size_t i = 0; i < a->result->n_batch && i < AUDIT_BATCH_VALUES_MAX; i++)
        compare_default(a, &c, &a->result->batch[i]);
}
