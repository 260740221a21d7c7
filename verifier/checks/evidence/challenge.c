/*
 * Rules about a run that answers a challenge (base/records/challenge.h). They apply where a
 * challenge is asked about: project->retraining has it, and the first steps of its case as they
 * were trained here with its seed.
 *
 * FP6001 is arithmetic. The others compare curves, and are as good as they were measured to be:
 * tests/bench/challenge_rates.py, whose figures are in `measured` and in docs/SECURITY.md.
 */
#include "verifier/checks/checks.h"

#include "base/calendar.h"
#include "base/records/challenge.h"
#include "base/signing/hash.h"
#include "base/signing/sshsig.h"
#include "verifier/curves/curve_stats.h"
#include "verifier/proofs/proof.h"

#include <math.h>
#include <string.h>

#define ORDER_STEPS 200 /* single ones, for the order of the data, */
#define ORDER_FROM 21   /* without those in which every curve falls alike */
#define ORDER_MIN 0.5   /* correlation */
#define EARLY_STEPS 10  /* before trainings drift apart */
#define LEVEL_STEPS 200
#define LEVEL_MAX 0.05

/* Of runs that were trained as they say, how many a rule calls odd; and of those that were not, how
 * many it does not. */
struct measured_rate {
    int honest, alarms, forged, missed;
};
static const struct measured_rate measured_order = {257, 0, 754, 365};
static const struct measured_rate measured_start = {257, 0, 754, 522};
static const struct measured_rate measured_level = {257, 3, 754, 115};

/* How far a run may be from one in fp32, relatively, by its precision: at step 0, and in the mean
 * of steps 2 to EARLY_STEPS. Five times what was measured, and more. */
static const struct closeness {
    const char *precision;
    double start, early;
} closeness[] = {
    {"fp32", 1e-6, 1e-5}, {"tf32", 1e-4, 1e-4}, {"bf16", 1e-3, 1e-3}, {"fp16", 2e-4, 5e-4}};

static const struct retraining *asked(const struct audit *a, const struct proof *p)
{
    return p->opened && !p->loose ? a->project->retraining : NULL;
}

/* ---- which challenge ----------------------------------------------------------------------- */

static const char *shown_seed(struct arena *arena, double seed)
{
    return isnan(seed) ? "none" : arena_printf(arena, "%.0f", seed);
}

/* What run.json says of its challenge, beside what it should. */
static const char *other_answer(const struct audit *a, const struct proof *p,
                                const struct challenge *c)
{
    const struct json *answer = json_get(p->run, "challenge");
    const struct json *seed = json_get(answer, "seed");
    const struct {
        const char *key, *expected;
    } texts[] = {{"round", c->round}, {"nonce", c->nonce}, {"vendor", c->vendor}, {"key", c->key}};
    if (!answer || answer->kind != JSON_OBJECT)
        return arena_printf(a->arena, "the run answers no challenge, expected round %s", c->round);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *said = json_get_text(answer, texts[i].key, "");
        if (strcmp(said, texts[i].expected) != 0)
            return arena_printf(a->arena,
                                "the run answers another challenge: %s \"%.80s\", expected \"%s\"",
                                texts[i].key, said, texts[i].expected);
    }
    double number = seed && seed->kind == JSON_NUMBER ? seed->number : NAN;
    if (number != (double)c->seed)
        return arena_printf(a->arena, "run.json has the seed %s, the challenge gives %lld",
                            shown_seed(a->arena, number), c->seed);
    return NULL;
}

static const char *other_run(const struct audit *a, const struct proof *p,
                             const struct challenge *c)
{
    const struct bytes *kase = submission_file(&p->submission, "case.json");
    const char *started = json_get_text(p->run, "started", "");
    char sha256[HASH_HEX_SIZE] = "";
    if (kase)
        hash_sha256(kase->data, kase->len, sha256);
    if (strcmp(sha256, c->case_sha256) != 0)
        return arena_printf(a->arena,
                            "the case that was run has the SHA-256 %.16s…, the challenge is for "
                            "case %s with %.16s…",
                            sha256, c->case_id, c->case_sha256);
    if (!p->log_name || p->log.seed != (double)c->seed)
        return arena_printf(a->arena, "the log has the seed %s, the challenge gives %lld",
                            shown_seed(a->arena, p->log_name ? p->log.seed : NAN), c->seed);
    if (!calendar_time(started, NULL))
        return arena_printf(a->arena, "the run does not say when it began: \"%.30s\"", started);
    if (strncmp(started, c->date, strlen(c->date)) < 0)
        return arena_printf(a->arena, "the run began on %.10s, the challenge was issued on %s",
                            started, c->date);
    return NULL;
}

/* Who signed: where the challenge names a key, no other will do. */
static const char *other_signer(const struct audit *a, const struct proof *p,
                                const struct challenge *c)
{
    const struct bytes *statement = submission_file(&p->submission, SUBMISSION_STATEMENT);
    const struct bytes *armour = submission_file(&p->submission, SUBMISSION_SIGNATURE);
    struct err ignored = ERR_INIT;
    struct sshsig s;
    if (!*c->key)
        return NULL;
    if (!statement || !armour || sshsig_parse(*armour, a->arena, &s, &ignored) < 0 ||
        !sshsig_holds(&s, SSHSIG_SUBMISSION, *statement))
        return arena_printf(a->arena,
                            "the challenge wants it signed with the key %s, which it is "
                            "not",
                            c->key);
    if (strcmp(s.key.fingerprint, c->key) != 0)
        return arena_printf(a->arena, "signed with the key %s, the challenge is for %s",
                            s.key.fingerprint, c->key);
    return NULL;
}

/* NULL: the submission answers this challenge; else why not, and the file that says so. */
static const char *other(const struct audit *a, const struct proof *p, const struct challenge *c,
                         const char **file)
{
    const char *why = other_answer(a, p, c);
    if (!why)
        why = other_run(a, p, c);
    *file = why                                                     ? "run.json"
            : submission_file(&p->submission, SUBMISSION_SIGNATURE) ? SUBMISSION_SIGNATURE
                                                                    : SUBMISSION_STATEMENT;
    return why ? why : other_signer(a, p, c);
}

void check_challenge(struct audit *a, struct proof *p)
{
    const struct retraining *r = asked(a, p);
    if (!r)
        return;
    const char *file, *why = other(a, p, r->challenge, &file);
    if (why)
        proof_report(a, p, file, OUTCOME_FAIL, why);
    else
        proof_report(a, p, "run.json", OUTCOME_PASS,
                     arena_printf(a->arena, "the run answers round %s, with the seed %lld",
                                  r->challenge->round, r->challenge->seed));
}

/* ---- its first steps ----------------------------------------------------------------------- */

/* What was trained here, and how it went; NULL after a finding that says why it cannot be used. */
static const struct retraining *trained(struct audit *a, struct proof *p, size_t steps)
{
    const struct retraining *r = asked(a, p);
    if (!r)
        return NULL;
    const char *ignored;
    if (other(a, p, r->challenge, &ignored))
        proof_report(a, p, NULL, OUTCOME_CANNOT, "the submission does not answer the challenge");
    else if (r->n < steps)
        proof_report(a, p, NULL, OUTCOME_CANNOT,
                     arena_printf(a->arena, "only %zu steps were trained here, expected %zu: %s",
                                  r->n, steps, r->why ? r->why : "no more were asked for"));
    else
        return r;
    return NULL;
}

/* Its first n steps. */
static struct curve curve_of(const struct retraining *r, size_t n, struct arena *arena)
{
    struct curve c = {.n = n, .loss = arena_array(arena, n, sizeof *c.loss)};
    c.step = arena_array(arena, n, sizeof *c.step);
    for (size_t i = 0; i < n; i++) {
        c.step[i] = (double)(i + 1);
        c.loss[i] = r->losses[i];
    }
    return c;
}

static const char *rate_of(const struct measured_rate *m, struct arena *arena)
{
    return arena_printf(arena,
                        "measured on small Llamas: %d of %d honest runs called odd, %d of %d "
                        "others not",
                        m->alarms, m->honest, m->missed, m->forged);
}

static const char *precision_of(const struct proof *p)
{
    return p->kase && p->kase->precision ? p->kase->precision : "fp32";
}

/* Where it was trained in another precision than the run's. */
static const char *trained_in(const struct proof *p, const struct retraining *r,
                              struct arena *arena)
{
    return strcmp(precision_of(p), r->precision) == 0
               ? r->precision
               : arena_printf(arena, "%s, not in %s", r->precision, precision_of(p));
}

/* NULL after a finding. */
static const struct closeness *closeness_of(struct audit *a, struct proof *p)
{
    for (size_t i = 0; i < sizeof closeness / sizeof *closeness; i++)
        if (strcmp(closeness[i].precision, precision_of(p)) == 0)
            return &closeness[i];
    proof_report(a, p, p->log_name, OUTCOME_CANNOT,
                 "how close losses must be in this precision was not measured");
    return NULL;
}

void check_challenge_order(struct audit *a, struct proof *p)
{
    const size_t pairs = ORDER_STEPS - ORDER_FROM;
    const struct retraining *r = trained(a, p, ORDER_STEPS);
    struct curve_stats stats;
    if (!r)
        return;
    const struct curve here = curve_of(r, r->n, a->arena);
    curve_stats(&p->curve, &here, (struct align_rule){ORDER_FROM, ALIGN_LIMIT}, a->arena, &stats);
    if (stats.diff_pairs < pairs) {
        proof_report(a, p, p->log_name, OUTCOME_CANNOT,
                     arena_printf(a->arena,
                                  "%zu differences of single steps can be compared, expected %zu",
                                  stats.diff_pairs, pairs));
        return;
    }
    proof_report(
        a, p, p->log_name, stats.diff_correlation > ORDER_MIN ? OUTCOME_PASS : OUTCOME_FAIL,
        arena_printf(a->arena,
                     "r = %.4f over %zu differences of the losses and of those trained "
                     "here (%s, in %s), expected above %g; %s",
                     stats.diff_correlation, stats.diff_pairs, r->device,
                     trained_in(p, r, a->arena), ORDER_MIN, rate_of(&measured_order, a->arena)));
}

void check_challenge_start(struct audit *a, struct proof *p)
{
    const struct retraining *r = trained(a, p, 1);
    const struct closeness *c = r ? closeness_of(a, p) : NULL;
    double zero = p->log.step_zero;
    if (!c)
        return;
    if (!p->log_name || isnan(zero)) {
        proof_report(a, p, p->log_name, OUTCOME_CANNOT, "the log has no step 0");
        return;
    }
    double residual = fabs(zero - r->losses[0]) / fabs(r->losses[0]);
    proof_report(a, p, p->log_name, residual <= c->start ? OUTCOME_PASS : OUTCOME_FAIL,
                 arena_printf(a->arena,
                              "step 0 has the loss %.12g, %.12g here (%s, in %s): %.2g apart, "
                              "expected at most %g; %s",
                              zero, r->losses[0], r->device, trained_in(p, r, a->arena), residual,
                              c->start, rate_of(&measured_start, a->arena)));
}

/* Of the first steps: of the few before two trainings of one case drift apart, and of all. */
void check_challenge_level(struct audit *a, struct proof *p)
{
    const struct retraining *r = trained(a, p, EARLY_STEPS);
    const struct closeness *c = r ? closeness_of(a, p) : NULL;
    struct alignment early, all;
    if (!c)
        return;
    const struct curve first = curve_of(r, EARLY_STEPS, a->arena);
    const struct curve here = curve_of(r, r->n < LEVEL_STEPS ? r->n : LEVEL_STEPS, a->arena);
    align_curves(&p->curve, &first, (struct align_rule){2, c->early}, &early);
    align_curves(&p->curve, &here, (struct align_rule){1, LEVEL_MAX}, &all);
    if (early.steps < EARLY_STEPS - 1 || all.steps < here.n) {
        proof_report(
            a, p, p->log_name, OUTCOME_CANNOT,
            arena_printf(a->arena, "%zu of the first %zu steps are in the log", all.steps, here.n));
        return;
    }
    proof_report(a, p, p->log_name, early.aligned && all.aligned ? OUTCOME_PASS : OUTCOME_FAIL,
                 arena_printf(a->arena,
                              "the losses are %.2g from those trained here (%s, in %s) in the mean "
                              "of steps 2 to %d, relatively, expected below %g, and %.2g in that "
                              "of all %zu, expected below %g; %s",
                              early.mean_rel_error, r->device, trained_in(p, r, a->arena),
                              EARLY_STEPS, c->early, all.mean_rel_error, all.steps, LEVEL_MAX,
                              rate_of(&measured_level, a->arena)));
}
