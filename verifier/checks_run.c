/* Rules about run.json: what the run left when it ended, and whether the rest of it fits. */
#include "verifier/checks.h"

#include "base/hash.h"
#include "verifier/proof.h"

#include <math.h>
#include <string.h>
#include <time.h>

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

static double unix_time(const struct json *run, const char *key)
{
    struct tm t = {0};
    const char *end = strptime(json_get_text(run, key, ""), "%Y-%m-%dT%H:%M:%SZ", &t);
    return end && !*end ? (double)timegm(&t) : NAN;
}

/* PerfLog's stamps are Unix time; those of other logs have no zone. */
static const char *stamps_fault(const struct audit *a, const struct proof *p, double started,
                                double finished)
{
    bool absolute = p->log.format && strcmp(p->log.format, "perflog") == 0;
    for (size_t i = 0; absolute && i < p->log.n_points; i++) {
        double at = p->log.points[i].clock_ms / 1000;
        if (at < started - 1 || at > finished + 1)
            return arena_printf(a->arena, "line %d of the log is of another time than the run",
                                p->log.points[i].line);
    }
    return NULL;
}

/* Steps end one after the other, in a log that one process wrote. Stamps of whole seconds may be
 * equal. */
static const char *order_fault(const struct audit *a, const struct proof *p)
{
    const struct log_point *before = NULL;
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        if (isnan(x->clock_ms))
            continue;
        if (before && x->rank == before->rank && x->step > before->step &&
            x->clock_ms < before->clock_ms)
            return arena_printf(a->arena, "line %d of the log ends before the step in line %d",
                                x->line, before->line);
        before = x;
    }
    return NULL;
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

/* The first thing that does not fit; NULL when all does. */
static const char *run_fault(const struct audit *a, const struct proof *p)
{
    const struct json *run = p->run;
    const char *host, *folder = folder_of(p, a->arena, &host);
    double started = unix_time(run, "started"), finished = unix_time(run, "finished");
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
