#include "verifier/proof.h"

#include "base/text.h"
#include "verifier/align.h"

#include <string.h>

const char *proof_place(const struct audit *a, const struct proof *p, const char *name)
{
    return arena_printf(a->arena, "%s:%s", p->archive, name);
}

/* A JSON file of the submission; NULL when it is not there or malformed (a fault then). */
static struct json *read_json(struct audit *a, struct proof *p, const char *name)
{
    const struct bytes *text = submission_file(&p->submission, name);
    struct json *root = NULL;
    if (!text || json_parse(proof_place(a, p, name), *text, a->arena, &root, &p->faults) < 0)
        return NULL;
    return root;
}

static void read_case(struct audit *a, struct proof *p)
{
    struct case_record *kase = arena_alloc(a->arena, sizeof *kase);
    p->kase_json = read_json(a, p, "case.json");
    if (p->kase_json && shape_load(&case_shape, p->kase_json, proof_place(a, p, "case.json"), kase,
                                   a->arena, &p->faults) == 0)
        p->kase = kase;
}

static void read_facts(struct audit *a, struct proof *p)
{
    for (size_t i = 0; i < p->submission.n; i++) {
        const struct tar_member *m = &p->submission.files[i];
        if (strcmp(path_base(m->name), "fingerprint.json") != 0 || p->facts.n)
            continue;
        facts_read(proof_place(a, p, m->name), m->bytes, a->arena, &p->facts, &p->faults);
    }
}

/* Names of logs that a training writes; monitors and system information are none. */
static bool is_training_log(const char *name)
{
    const char *base = path_base(name);
    bool ending = text_ends(base, ".log") || text_ends(base, ".log.txt") ||
                  text_ends(base, ".output") || text_ends(base, ".csv");
    return ending && !text_ends(base, "_monitor.log") && strcmp(base, "sys_info.log") != 0;
}

/* The log with the most steps; the first by name among equals. */
static void read_logs(struct audit *a, struct proof *p)
{
    for (size_t i = 0; i < p->submission.n; i++) {
        const struct tar_member *m = &p->submission.files[i];
        struct log log;
        struct diags faults;
        if (!is_training_log(m->name))
            continue;
        diags_init(&faults, a->arena);
        log_read(proof_place(a, p, m->name), m->bytes, &log, a->arena, &faults);
        if (p->log_name && log.n_points <= p->log.n_points)
            continue;
        p->log_name = m->name;
        p->log = log;
        p->log_faults = faults;
    }
    if (p->log_name)
        log_curve(&p->log, a->arena, &p->curve);
}

static void read_monitors(struct audit *a, struct proof *p)
{
    monitor_peaks_init(&p->peaks);
    for (size_t i = 0; i < p->submission.n; i++) {
        const struct tar_member *f = &p->submission.files[i];
        struct monitor m;
        if (!monitor_is(f->name))
            continue;
        monitor_read(proof_place(a, p, f->name), f->bytes, a->arena, &p->monitor_faults, &m);
        monitor_peaks_add(&p->peaks, &m);
    }
}

/* The curve in a submission that is named as a reference. */
static void read_reference_archive(struct audit *a, struct proof *p, const char *path)
{
    struct proof other = {.archive = path};
    diags_init(&other.faults, a->arena);
    if (submission_open(path, a->arena, &other.submission, &other.faults) < 0 ||
        !other.submission.intact) {
        p->reference_fault = "the reference submission is not intact";
        return;
    }
    read_logs(a, &other);
    p->reference = other.curve;
}

static void read_reference_curve(struct audit *a, struct proof *p, const char *path)
{
    struct err err = ERR_INIT;
    struct log log;
    struct diags faults;
    diags_init(&faults, a->arena);
    if (log_read_file(path, &log, a->arena, &faults, &err) < 0)
        p->reference_fault = arena_strdup(a->arena, err.text);
    else
        log_curve(&log, a->arena, &p->reference);
}

static void read_reference(struct audit *a, struct proof *p)
{
    /* The published case names the reference; the run's own copy of the case may be older. */
    const struct case_record *kase = a->kase ? a->kase : p->kase;
    const struct case_alignment *rule = kase ? kase->alignment : NULL;
    char hex[HASH_HEX_SIZE];
    struct err err = ERR_INIT;
    if (!rule || !rule->reference)
        return;
    p->reference_path = rule->reference;
    const char *path = path_join(a->arena, a->records, rule->reference);
    if (hash_file(path, ARCHIVE_PACKED_MAX, hex, &err) < 0) {
        p->reference_fault = arena_strdup(a->arena, err.text);
        return;
    }
    if (rule->reference_sha256 && strcmp(rule->reference_sha256, hex) != 0) {
        p->reference_fault =
            "the reference is not the file that the case names: its SHA-256 differs";
        return;
    }
    if (text_ends(path, ".tar.zst"))
        read_reference_archive(a, p, path);
    else
        read_reference_curve(a, p, path);
    p->reference.source = rule->reference;
    if (p->reference.n == 0 && !p->reference_fault)
        p->reference_fault = "the reference has no steps";
}

static void align(struct audit *a, struct proof *p)
{
    const struct case_record *kase = a->kase ? a->kase : p->kase;
    if (!p->curve.n || !p->reference.n || p->reference_fault)
        return;
    const struct case_alignment *r = kase->alignment;
    const struct align_rule rule = {r->from_step ? (int)r->from_step : ALIGN_FROM_STEP,
                                    isnan(r->max_mean_rel_error) ? ALIGN_LIMIT
                                                                 : r->max_mean_rel_error};
    p->alignment = arena_alloc(a->arena, sizeof *p->alignment);
    align_curves(&p->curve, &p->reference, rule, p->alignment);
}

void proof_open(struct audit *a, struct proof *p, const struct evidence *evidence, const char *path)
{
    *p = (struct proof){.evidence = evidence, .archive = evidence ? evidence->archive : path};
    diags_init(&p->faults, a->arena);
    diags_init(&p->log_faults, a->arena);
    diags_init(&p->monitor_faults, a->arena);
    monitor_peaks_init(&p->peaks);
    p->opened = submission_open(path, a->arena, &p->submission, &p->faults) == 0;
    if (!p->opened)
        return;
    p->run = read_json(a, p, "run.json");
    read_case(a, p);
    read_facts(a, p);
    read_logs(a, p);
    read_monitors(a, p);
    read_reference(a, p);
    align(a, p);
}

/* Several rows may name one archive: it is opened once. */
static const struct proof *opened_before(const struct audit *a, const char *archive)
{
    for (size_t i = 0; i < a->n_proofs; i++)
        if (strcmp(a->proofs[i].archive, archive) == 0)
            return &a->proofs[i];
    return NULL;
}

void proofs_open(struct audit *a)
{
    const struct result *r = a->result;
    a->proofs = arena_array(a->arena, r->n_evidence, sizeof *a->proofs);
    if (r->n_evidence > AUDIT_EVIDENCE_MAX)
        a->too_many = "pieces of evidence";
    for (size_t i = 0; i < r->n_evidence && i < AUDIT_EVIDENCE_MAX; i++) {
        const struct evidence *e = &r->evidence[i];
        const struct proof *before = opened_before(a, e->archive);
        struct proof *p = &a->proofs[a->n_proofs++];
        if (before) {
            *p = *before;
            p->evidence = e;
        } else {
            proof_open(a, p, e, path_join(a->arena, a->records, e->archive));
        }
    }
}

const struct claim *proof_next_claim(const struct audit *a, const struct proof *p, size_t *i)
{
    while (p->evidence && *i < a->n_claims) {
        const struct claim *c = &a->claims[(*i)++];
        if ((p->evidence->table == 0 || p->evidence->table == c->table) &&
            (p->evidence->row == 0 || p->evidence->row == c->row))
            return c;
    }
    return NULL;
}

void proofs_note(struct audit *a)
{
    for (size_t i = 0; i < a->n_proofs; i++) {
        const struct proof *p = &a->proofs[i];
        struct row_evidence *e = ARENA_PUSH(a->arena, a->verdict->evidence, a->verdict->n_evidence);
        *e = (struct row_evidence){.archive = p->archive,
                                   .log = p->log_name,
                                   .curve = p->curve,
                                   .reference = p->reference,
                                   .alignment = p->alignment};
        if (p->evidence) {
            e->table = (int)p->evidence->table;
            e->row = (int)p->evidence->row;
        }
        if (!p->opened)
            continue;
        e->sha256 = p->submission.archive_sha256;
        e->id = p->submission.id;
        e->intact = p->submission.intact;
    }
}
