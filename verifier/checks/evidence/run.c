/* Rules about run.json: what the run left when it ended, and whether the rest of it fits. */
#include "verifier/checks/checks.h"

#include "base/calendar.h"
#include "base/signing/hash.h"
#include "verifier/curves/curve_spikes.h"
#include "verifier/proofs/proof.h"

#include <math.h>
#include <string.h>

static struct check_result *report(struct audit *a, const struct proof *p, const char *inside,
                                   enum outcome outcome, const char *message)
{
    struct check_result *r = audit_report(a, outcome, NULL, 0, "%s", message);
    r->file = proof_place(a, p, inside);
    r->table = p->evidence ? (int)p->evidence->table : 0;
    r->row = p->evidence ? (int)p->evidence->row : 0;
    return r;
}

/* --- FP4009: the files of the run are those that it left --- */

/* NULL when the file is what run.json says. */
static const char *file_fault(const struct proof *p, const char *name, const char *stated,
                              char hex[HASH_HEX_SIZE])
{
    const struct bytes *file = submission_file(&p->submission, name);
    if (!file)
        return "run.json names this file, the submission does not have it";
    hash_sha256(file->data, file->len, hex);
    return strcmp(hex, stated) == 0 ? NULL : "it was changed after the run ended";
}

/* More may be there: logs of other machines are put in before sealing. */
void check_run_files(struct audit *a, struct proof *p)
{
    const struct json *files = json_get(p->run, "files");
    size_t n = 0, wrong = 0;
    if (!p->opened || p->loose || !p->run)
        return;
    if (!files || files->kind != JSON_ARRAY) {
        report(a, p, "run.json", OUTCOME_CANNOT, "run.json does not name the files of the run");
        return;
    }
    for (const struct json *f = files->child; f; f = f->next, n++) {
        char *hex = arena_alloc(a->arena, HASH_HEX_SIZE);
        const char *name = json_get_text(f, "path", ""), *stated = json_get_text(f, "sha256", "");
        const char *fault = file_fault(p, name, stated, hex);
        if (!fault)
            continue;
        wrong++;
        struct check_result *r = report(a, p, name, OUTCOME_FAIL, fault);
        r->stated = stated;
        r->expected = *hex ? hex : NULL;
    }
    if (!wrong)
        report(a, p, "run.json", OUTCOME_PASS,
               arena_printf(a->arena, "%zu files are as the run left them", n));
}

/* --- FP4010: run.json fits the rest --- */

/* The first folder and the machine of the file's place; NULL: it stands in none. */
static const char *folder_of(const struct proof *p, struct arena *arena, const char **host)
{
    const char *log = p->log_name;
    const char *slash = log ? strchr(log, '/') : NULL;
    const char *node = log ? strstr(log, "_noderank") : NULL;
    *host = NULL;
    if (node) {
        const char *begin = node;
        while (begin > log && begin[-1] != '/')
            begin--;
        *host = arena_strndup(arena, begin, (size_t)(node - begin));
    }
    return slash ? arena_strndup(arena, log, (size_t)(slash - log)) : NULL;
}

/* A run's seconds are cut off, and those of time(2) are a tick of the kernel behind (10 ms at
 * most), by which earlier runs say when they ended. */
#define RUN_SLACK_S 1.01

/* PerfLog's stamps are Unix time; those of other logs have no zone. */
static const char *stamps_fault(const struct audit *a, const struct proof *p, double started,
                                double finished)
{
    bool absolute = p->log.format && strcmp(p->log.format, "perflog") == 0;
    for (size_t i = 0; absolute && i < p->log.n_points; i++) {
        double at = p->log.points[i].clock_ms / 1000;
        if (at < started - 1 || at > finished + RUN_SLACK_S)
            return arena_printf(a->arena, "line %d of the log is of another time than the run",
                                p->log.points[i].line);
    }
    return NULL;
}

/* Whole seconds may be cut off at both ends; PerfLog has milliseconds. */
#define STAMP_SLACK_S 1.1
#define STAMP_SLACK_PERFLOG_S 0.002

/* A step cannot end before the one before it, nor take longer than the time since then. In a log
 * that one process wrote; stamps of whole seconds may be equal. */
static const char *order_fault(const struct audit *a, const struct proof *p)
{
    const struct log_point *before = NULL;
    bool perflog = p->log.format && strcmp(p->log.format, "perflog") == 0;
    double slack = perflog ? STAMP_SLACK_PERFLOG_S : STAMP_SLACK_S;
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        if (isnan(x->clock_ms))
            continue;
        bool next = before && x->rank == before->rank && x->step > before->step;
        double passed = before ? (x->clock_ms - before->clock_ms) / 1000 : NAN;
        if (next && passed < 0)
            return arena_printf(a->arena, "line %d of the log ends before the step in line %d",
                                x->line, before->line);
        if (next && x->seconds * (x->step - before->step) > passed * 1.01 + slack)
            return arena_printf(
                a->arena, "line %d of the log says %s s a step, %s s after the one before", x->line,
                audit_number(a->arena, x->seconds), audit_fixed(a->arena, passed, 3));
        before = x;
    }
    return NULL;
}

/* Ours write UTC; a minute is more than they sample before and behind a run. */
#define MONITOR_SLACK_S 60

static const char *monitors_fault(const struct audit *a, const struct proof *p, double started,
                                  double finished)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct monitor *m = &p->monitors[i]->monitor;
        bool ours = strcmp(m->kind ? m->kind : "", "cpu") == 0 ||
                    strcmp(m->kind ? m->kind : "", "mem") == 0;
        if (ours && p->monitors[i]->place.node == 0 &&
            (m->begins < started - MONITOR_SLACK_S || m->ends > finished + MONITOR_SLACK_S))
            return arena_printf(a->arena, "the %s monitor is of another time than the run",
                                m->kind);
    }
    return NULL;
}

/* Clocks of several machines may be minutes apart. */
#define TAKEN_SLACK_S 3600

/* A fingerprint is taken when its run begins: one of another day came from another run. */
static const char *taken_fault(const struct proof *p, double started, double finished)
{
    const char *taken = facts_value(&p->facts, FACT_TAKEN);
    long long at;
    if (!taken || !calendar_time(taken, &at))
        return NULL;
    return (double)at < started - TAKEN_SLACK_S || (double)at > finished + TAKEN_SLACK_S
               ? "the fingerprint is of another time than the run"
               : NULL;
}

/* The first fact of this list that this version does not write there; NULL. */
static const char *stranger(const struct fact *list, size_t n, bool unstable)
{
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t k = 0; k < FACT_KINDS; k++)
            known = known || (fact_is_unstable(fact_kinds[k].class) == unstable &&
                              strcmp(fact_kinds[k].key, list[i].key) == 0);
        if (!known)
            return list[i].key;
    }
    return NULL;
}

/* This version knows the facts that it writes; whatever wrote them, their digest is theirs. */
static const char *facts_fault(const struct audit *a, const struct proof *p)
{
    const struct facts *f = &p->facts;
    const char *version = facts_value(f, FACT_FPREPORT), *key;
    const char *digest = f->sha256 ? facts_digest(f, a->arena) : NULL;
    if (digest && strcmp(digest, f->sha256) != 0)
        return arena_printf(a->arena, "the SHA-256 of the fingerprint's facts is %s, it says %s",
                            digest, f->sha256);
    if (!version || strcmp(version, FPREPORT_VERSION) != 0)
        return NULL;
    key = stranger(f->items, f->n, false);
    key = key ? key : stranger(f->unstable, f->n_unstable, true);
    return key ? arena_printf(a->arena,
                              "the fingerprint has a fact '%s', which fpreport %s "
                              "does not write",
                              key, version)
               : NULL;
}

static const char *is_not(const struct audit *a, const char *what, const char *found,
                          const char *expected)
{
    if (!found || !expected || strcmp(found, expected) == 0)
        return NULL;
    return arena_printf(a->arena, "%s is '%s', expected '%s'", what, found, expected);
}

static double number_of(const struct json *run, const char *key)
{
    const struct json *x = json_get(run, key);
    return x && x->kind == JSON_NUMBER ? x->number : 0;
}

static const char *resumed_fault(const struct audit *a, const struct proof *p)
{
    double said = number_of(json_get(p->run, "resumed"), "step"), logged = proof_resumed(p);
    if (said == logged || !proof_is_native(p) || !p->log_name)
        return NULL;
    return arena_printf(
        a->arena, "it says that the run went on behind step %s, the log says %s (0: it began)",
        audit_number(a->arena, said), audit_number(a->arena, logged));
}

/* The first thing that does not fit; NULL when all does. */
static const char *run_fault(const struct audit *a, const struct proof *p)
{
    const struct json *run = p->run;
    const char *host, *folder = folder_of(p, a->arena, &host);
    double started = proof_time(p, "started"), finished = proof_time(p, "finished");
    const char *faults[] = {
        is_not(a, "the schema", json_get_text(run, "schema", ""), "fpreport.run/1"),
        is_not(a, "the folder of the case", folder, json_get_text(run, "key", NULL)),
        is_not(a, "the machine in the log's path", host, json_get_text(run, "host", NULL)),
        is_not(a, "the version", json_get_text(run, "fpreport", NULL),
               facts_value(&p->facts, FACT_FPREPORT)),
        number_of(run, "exit_status") != 0 || number_of(run, "signal") != 0
            ? "a complete run ends with 0 and without a signal"
            : NULL,
        isnan(started) || isnan(finished) ? "it does not say when it started and finished" : NULL,
        finished < started ? "it finished before it started" : NULL,
        stamps_fault(a, p, started, finished),
        order_fault(a, p),
        monitors_fault(a, p, started, finished),
        taken_fault(p, started, finished),
        resumed_fault(a, p),
        facts_fault(a, p),
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i])
            return faults[i];
    return NULL;
}

/* Our own run.json only: others may mean other things by these keys. */
void check_run_json(struct audit *a, struct proof *p)
{
    if (!p->opened || p->loose || !p->run || !json_get(p->run, "key"))
        return;
    const char *fault = run_fault(a, p);
    report(a, p, "run.json", fault ? OUTCOME_FAIL : OUTCOME_PASS,
           fault ? fault : "names, times and ending of the run fit its files");
}

/* --- FP4011: single losses --- */

/* Neighbours on each side, how far off a loss has to be, and how far its neighbours must not. */
#define LONELY_HALF 10
#define LONELY_SHARE 0.5
#define LONELY_MADS 12
#define CLOSE_MADS 4
#define MAD_SCALE 1.4826

/* Is the loss at i far off what lies around it, alone? The median of the window and of the
 * distances from it do not see the loss itself. */
static bool is_lonely(const struct curve *c, size_t i, double *middle)
{
    double around[2 * LONELY_HALF + 1], away[2 * LONELY_HALF + 1];
    size_t from = i > LONELY_HALF ? i - LONELY_HALF : 0, n = 0;
    for (size_t k = from; k < c->n && k <= i + LONELY_HALF; k++)
        if (k != i && isfinite(c->loss[k]))
            around[n++] = c->loss[k];
    *middle = curve_median(around, n);
    for (size_t k = 0; k < n; k++)
        away[k] = fabs(around[k] - *middle);
    double scale = MAD_SCALE * curve_median(away, n), far = fabs(c->loss[i] - *middle);
    bool off = n >= LONELY_HALF && far > LONELY_SHARE * fabs(*middle) && far > LONELY_MADS * scale;
    double close = fmax(CLOSE_MADS * scale, LONELY_SHARE / 2 * fabs(*middle));
    return off && i > 0 && i + 1 < c->n && fabs(c->loss[i - 1] - *middle) <= close &&
           fabs(c->loss[i + 1] - *middle) <= close;
}

/* Of the last report of this step; 0. */
static int line_of_step(const struct log *log, double step)
{
    int line = 0;
    for (size_t i = 0; i < log->n_points; i++)
        if (log->points[i].step == step && log->points[i].has_loss)
            line = log->points[i].line;
    return line;
}

/* A run that diverges, or falls, does so over several steps; one that jumps there and back within
 * a step had a bad batch, or a typing error. */
void check_lonely_losses(struct audit *a, struct proof *p)
{
    size_t n = 0;
    double middle;
    for (size_t i = 0; i < p->curve.n; i++) {
        if (!isfinite(p->curve.loss[i]) || !is_lonely(&p->curve, i, &middle))
            continue;
        if (n++)
            continue;
        report(a, p, p->log_name, OUTCOME_FAIL,
               arena_printf(a->arena, "the loss of step %s is %s, those around it lie about %s",
                            audit_number(a->arena, p->curve.step[i]),
                            audit_number(a->arena, p->curve.loss[i]),
                            audit_fixed(a->arena, middle, 4)))
            ->line = line_of_step(&p->log, p->curve.step[i]);
    }
    if (!n && p->curve.n)
        report(a, p, p->log_name, OUTCOME_PASS, "no loss stands alone");
}
