#include "cli/build/mlperf_seals.h"

#include "base/sealed/archive.h"
#include "base/text.h"
#include "cli/build/evidence.h"
#include "cli/mlperf_rulebook.h"
#include "verifier/verify_mlperf.h"
#include "verifier/verify_mlperf_record.h"

#include <math.h>
#include <string.h>

struct seals {
    struct build *b;
    struct mlperf_rulebook book;
    bool open;
};

/* False: there are none. */
static bool rules_of_seal(struct seals *s, const char *ruleset, struct mlperf_sealed *x)
{
    struct cli *cli = s->b->cli;
    enum mlperf_chosen how;
    if (!s->open && cli_mlperf_rulebook(cli, &s->book) != EXIT_AGREED)
        return false;
    s->open = true;
    struct mlperf_round_rules *round = mlperf_rulebook_choose(&s->book, ruleset, "", &how);
    x->rules = round ? mlperf_rulebook_rules(&s->book, round, &cli->diags) : NULL;
    x->points =
        x->rules ? mlperf_points_of_round(&s->book, ruleset, &cli->arena, &cli->diags) : NULL;
    return x->points != NULL;
}

static void verify_seal(struct seals *s, const struct mlperf_record *r,
                        const struct mlperf_score_record *score, struct mlperf_seal *seal)
{
    struct arena *keep = &s->b->cli->arena, packed = ARENA_INIT;
    struct err err = ERR_INIT;
    char found[HASH_HEX_SIZE];
    struct mlperf_sealed x = {.path = score->evidence,
                              .package = r->package,
                              .system = r->system,
                              .benchmark = score->benchmark};
    if (!score->evidence_sha256 ||
        build_evidence_read(s->b, score->evidence, score->evidence_sha256, &packed, &x.packed,
                            found, &err) < 0)
        seal->fault = mlperf_sealed_fault(SEALED_MISSING);
    else if (!rules_of_seal(s, r->ruleset, &x))
        seal->fault = mlperf_sealed_fault(SEALED_NO_RULES);
    else {
        seal->there = true;
        verify_mlperf_sealed(&x);
        seal->fault = mlperf_sealed_fault(x.fault);
        seal->minutes = isfinite(x.minutes) ? arena_printf(keep, "%.3f", x.minutes) : NULL;
        seal->agrees = x.fault == SEALED_WHOLE && mlperf_minutes_agree(score, x.minutes);
    }
    arena_release(&packed);
}

void build_mlperf_seals(struct build *b)
{
    struct seals s = {.b = b};
    for (size_t i = 0; i < b->project.n_mlperf_results; i++) {
        struct mlperf_record *r = &b->project.mlperf_results[i];
        for (size_t k = 0; k < r->n_results; k++) {
            struct mlperf_score_record *score = &r->results[k];
            if (!score->evidence)
                continue;
            score->seal = arena_alloc(&b->cli->arena, sizeof *score->seal);
            verify_seal(&s, r, score, score->seal);
            const struct mlperf_seal *seal = score->seal;
            if (seal->fault)
                diags_add(&b->cli->diags, SEVERITY_WARNING, r->file, score->line, 0, "%s: %s: %s",
                          score->benchmark, score->evidence, seal->fault);
            else if (!seal->agrees)
                diags_add(&b->cli->diags, SEVERITY_WARNING, r->file, score->line, 0,
                          "%s: found %s min, the sealed logs give %s", score->benchmark,
                          score->minutes ? score->minutes : "no",
                          seal->minutes ? seal->minutes : "none");
        }
    }
}
