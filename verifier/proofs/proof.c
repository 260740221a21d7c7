#include "verifier/proofs/proof.h"

#include "base/calendar.h"
#include "base/store/store.h"
#include "base/text.h"
#include "verifier/curves/align.h"
#include "verifier/diff/side.h"
#include "verifier/proofs/agreement.h"
#include "verifier/proofs/proof_layout.h"
#include "verifier/runs/read_ahead.h"
#include "verifier/runs/sys_info.h"

const char *proof_place(const struct audit *a, const struct proof *p, const char *name)
{
    if (p->loose)
        return p->log_name && strcmp(name, p->log_name) == 0
                   ? p->log.file
                   : path_join(a->arena, p->archive, name);
    return arena_printf(a->arena, "%s:%s", p->archive, name);
}

struct check_result *proof_report(struct audit *a, const struct proof *p, const char *inside,
                                  enum outcome outcome, const char *message)
{
    struct check_result *r = audit_report(a, outcome, NULL, 0, "%s", message);
    r->file = inside ? proof_place(a, p, inside) : p->archive;
    r->table = p->evidence ? (int)p->evidence->table : 0;
    r->row = p->evidence ? (int)p->evidence->row : 0;
    return r;
}

bool proof_is_native(const struct proof *p)
{
    return p->kase && p->kase->trainer && strcmp(p->kase->trainer, "native") == 0;
}

bool proof_is_ours(const struct proof *p)
{
    const struct json *command = json_get(p->run, "command");
    return p->opened && !p->loose && p->run && proof_is_native(p) && !proof_is_adopted(p) &&
           (!command || command->kind == JSON_NULL);
}

double proof_resumed(const struct proof *p)
{
    return proof_is_native(p) && p->log.resumed_step > 0 ? p->log.resumed_step : 0;
}

const char *proof_unseen(const struct audit *a, const struct proof *p)
{
    const char *run = json_get_text(json_get(p->run, "resumed"), "run", NULL);
    if (proof_resumed(p) == 0)
        return NULL;
    const char *step = audit_number(a->arena, proof_resumed(p));
    if (run)
        return sentence_say(
            a->arena,
            "the run resumed after step %s of %s, so the evidence does not contain the earlier "
            "steps",
            step, run);
    return sentence_say(a->arena,
                        "the run resumed after step %s, so the evidence does not contain the "
                        "earlier steps",
                        step);
}

double proof_time(const struct proof *p, const char *key)
{
    long long at;
    return calendar_time(json_get_text(p->run, key, ""), &at) ? (double)at : NAN;
}

/* A JSON file of the submission; NULL when it is not there or malformed (a fault then). */
static struct json *read_proof_json(struct audit *a, struct proof *p, const char *name)
{
    const struct bytes *text = submission_file(&p->submission, name);
    struct json *root = NULL;
    if (!text || json_parse(proof_place(a, p, name), *text, a->arena, &root, &p->faults) < 0)
        return NULL;
    return root;
}

static void read_proof_facts(struct audit *a, struct proof *p)
{
    size_t tried = 0;
    for (size_t i = 0; i < p->submission.n; i++) {
        const struct tar_member *m = &p->submission.files[i];
        if (sys_info_is(m->name) && !p->system.n)
            sys_info_read(m->bytes, a->arena, &p->system);
        if (strcmp(path_base(m->name), "fingerprint.json") != 0 || p->facts.n ||
            tried++ >= FACTS_TRIED)
            continue;
        facts_read(proof_place(a, p, m->name), m->bytes, a->arena, &p->facts, &p->faults);
    }
    p->fingerprinted = p->facts.n > 0;
}

static void take_proof_log(struct audit *a, struct proof *p, const struct run_log *l)
{
    if (!l)
        return;
    p->main_log = l;
    p->log_name = l->name;
    p->log = l->log;
    p->log_faults = l->faults;
    log_curve(&p->log, a->arena, &p->curve);
}

/* All logs and monitors, ranks and rounds of the submission (verifier/runs/run_tree.h). */
static void read_tree(struct audit *a, struct proof *p)
{
    const struct submission *s = &p->submission;
    struct run_file *files = arena_array(a->arena, s->n, sizeof *files);
    for (size_t i = 0; i < s->n; i++)
        files[i] = (struct run_file){s->files[i].name, s->files[i].bytes};
    run_tree_read(proof_place(a, p, ""), files, s->n, a->arena, &p->tree_faults, &p->tree);
    p->round = p->tree.n_rounds == 1 ? &p->tree.rounds[0] : NULL;
    p->logs = arena_array(a->arena, p->tree.n_logs, sizeof *p->logs);
    p->monitors = arena_array(a->arena, p->tree.n_monitors, sizeof *p->monitors);
    for (; p->n_logs < p->tree.n_logs; p->n_logs++)
        p->logs[p->n_logs] = &p->tree.logs[p->n_logs];
    for (; p->n_monitors < p->tree.n_monitors; p->n_monitors++)
        p->monitors[p->n_monitors] = &p->tree.monitors[p->n_monitors];
    take_proof_log(a, p, run_log_main(p->logs, p->n_logs));
}

static void take_monitors(struct proof *p)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct run_monitor *m = p->monitors[i];
        if (m->monitor.n_cards && proof_on_processor(p))
            continue;
        monitor_peaks_add(&p->peaks, &m->monitor);
        if (m->faults.n && !p->monitor_fault)
            p->monitor_fault = m->faults.items[0].message;
    }
}

/* Evidence that could not be read by no fault of its own must accuse nobody. */
static void note_machine_fault(struct audit *a, const char *path, const char *text)
{
    size_t n = strlen(path);
    bool named = strncmp(text, path, n) == 0;
    if (!a->verdict->machine)
        a->verdict->machine =
            named ? arena_strdup(a->arena, text) : arena_printf(a->arena, "%s: %s", path, text);
}

static bool is_missing(const struct audit *a, const char *path)
{
    struct err ignored = ERR_INIT;
    return !a->packed && (a->read_ahead ? read_ahead_find(a->read_ahead, path, a->arena)->missing
                                        : file_is_there(path, &ignored) == 0);
}

/* From the bytes at hand, from those that were kept, else from the file. */
static int open_proof_submission(struct audit *a, const struct bytes *packed, const char *path,
                                 struct submission *out, struct diags *faults)
{
    if (packed)
        return submission_open_bytes(*packed, path, a->arena, out, faults);
    if (!a->read_ahead)
        return submission_open(path, a->arena, out, faults);
    const struct read_ahead_file *f = read_ahead_find(a->read_ahead, path, a->arena);
    if (!f->why)
        return submission_open_bytes(f->bytes, path, a->arena, out, faults);
    diags_add(faults, SEVERITY_ERROR, path, 0, 0, "%s", f->why);
    faults->machine += f->fault == ERR_IO;
    return -1;
}

/* The curve in a submission that is named as a reference. */
static void read_reference_archive(struct audit *a, struct proof *p, const char *path)
{
    struct proof other = {.archive = path};
    diags_init(&other.faults, a->arena);
    diags_init(&other.tree_faults, a->arena);
    if (open_proof_submission(a, NULL, path, &other.submission, &other.faults) < 0 ||
        !other.submission.intact) {
        if (other.faults.machine)
            note_machine_fault(a, path, other.faults.items[0].message);
        p->reference_fault = "the reference submission is not intact";
        return;
    }
    read_tree(a, &other);
    p->reference = other.curve;
}

static void read_reference_curve(struct audit *a, struct proof *p, const char *path)
{
    struct err err = ERR_INIT;
    struct diff_side side;
    struct diags faults = DIAGS_INIT(a->arena);
    const struct read_ahead_file *f =
        a->read_ahead ? read_ahead_find(a->read_ahead, path, a->arena) : NULL;
    int rc = f ? diff_side_read(f->bytes, path, path, &side, a->arena, &faults, &err)
               : diff_side_open(path, path, &side, a->arena, &faults, &err);
    if (rc < 0) {
        p->reference_fault = err_keep(&err, NULL, a->arena);
        if (err.kind == ERR_IO || faults.machine)
            note_machine_fault(a, path, err.text);
    } else
        p->reference = side.curve;
}

/* The SHA-256 of the reference; -1: it cannot be read. */
static int hash_reference(struct audit *a, const char *path, char hex[HASH_HEX_SIZE],
                          struct err *err)
{
    if (!a->read_ahead)
        return hash_file(path, ARCHIVE_PACKED_MAX, hex, err);
    const struct read_ahead_file *f = read_ahead_find(a->read_ahead, path, a->arena);
    memcpy(hex, f->sha256, HASH_HEX_SIZE);
    return f->why ? read_ahead_fault(f, err) : 0;
}

static void read_reference(struct audit *a, struct proof *p)
{
    /* The published case names the reference. The run's own copy of the case is the vendor's: it
     * could name any file of whoever reads it. */
    const struct case_alignment *rule = a->kase ? a->kase->alignment : NULL;
    char hex[HASH_HEX_SIZE];
    struct err err = ERR_INIT;
    if (!rule || !rule->reference)
        return;
    p->reference_path = rule->reference;
    if (a->project->retraining) {
        p->reference_fault = "the reference curve was trained with the seed of the case, but the "
                             "run uses the seed of a challenge";
        return;
    }
    const char *path = path_join(a->arena, a->records, rule->reference);
    if (hash_reference(a, path, hex, &err) < 0) {
        p->reference_fault = err_keep(&err, NULL, a->arena);
        if (err.kind == ERR_IO)
            note_machine_fault(a, path, err.text);
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
        p->reference_fault = "the reference curve has no steps";
}

static void align(struct audit *a, struct proof *p)
{
    if (p->reference.n && !p->reference_fault && p->curve.counted != p->reference.counted)
        p->reference_fault = "one of the two loss curves has no step numbers, so fpreport numbered "
                             "its points in order of appearance";
    else if (p->reference.n && !p->reference_fault && p->curve.by_epoch != p->reference.by_epoch)
        p->reference_fault = "one of the two loss curves counts epochs instead of steps";
    if (!p->curve.n || !p->reference.n || p->reference_fault)
        return;
    const struct case_alignment *r = a->kase->alignment;
    double limit = isnan(r->max_mean_rel_error) ? ALIGN_LIMIT : r->max_mean_rel_error;
    const struct align_rule rule = {r->from_step ? (int)r->from_step : ALIGN_FROM_STEP, limit};
    p->alignment = arena_alloc(a->arena, sizeof *p->alignment);
    align_curves(&p->curve, &p->reference, rule, p->alignment);
}

void proof_open(struct audit *a, struct proof *p, const struct evidence *evidence, const char *path)
{
    *p = (struct proof){.evidence = evidence, .archive = evidence ? evidence->archive : path};
    diags_init(&p->faults, a->arena);
    diags_init(&p->log_faults, a->arena);
    diags_init(&p->tree_faults, a->arena);
    monitor_peaks_init(&p->peaks);
    p->opened = open_proof_submission(a, a->packed, path, &p->submission, &p->faults) == 0;
    p->missing = !p->opened && is_missing(a, path);
    if (p->faults.machine)
        note_machine_fault(a, path, p->faults.items[0].message);
    /* Whose run a submission is, is asked of its logs, too, where a result names it; and what is
     * found of a result stands beside its figures. */
    if (p->opened && (a->result || !a->sealed_only)) {
        p->run = read_proof_json(a, p, "run.json");
        struct case_record *kase = arena_alloc(a->arena, sizeof *kase);
        p->kase_json = read_proof_json(a, p, "case.json");
        if (p->kase_json && shape_load(&case_shape, p->kase_json, proof_place(a, p, "case.json"),
                                       kase, a->arena, &p->faults) == 0)
            p->kase = kase;
        if (!a->result && p->kase)
            a->kase = project_case(a->project, p->kase->id);
        read_proof_facts(a, p);
        read_tree(a, p);
        take_monitors(p);
        read_reference(a, p);
        align(a, p);
        proof_layout_find(a, p);
        agreements_find(a, p);
    }
}

void proof_open_round(struct audit *a, struct proof *p, const struct run_tree *tree,
                      const struct run_round *round)
{
    p->opened = p->loose = true;
    p->tree = *tree;
    p->round = round;
    p->logs = round->all_logs;
    p->n_logs = round->n_all_logs;
    p->monitors = round->monitors;
    p->n_monitors = round->n_monitors;
    p->tree_faults = round->faults;
    diags_init(&p->faults, a->arena);
    diags_init(&p->log_faults, a->arena);
    monitor_peaks_init(&p->peaks);
    take_proof_log(a, p, run_log_main(round->logs, round->n_logs));
    take_monitors(p);
    read_reference(a, p);
    align(a, p);
    proof_layout_find(a, p);
    agreements_find(a, p);
}

const struct log_value *proof_value(const struct proof *p, const char *key,
                                    const struct run_log **from)
{
    const struct log_value *v = p->main_log ? log_get(&p->main_log->log, key) : NULL;
    *from = p->main_log;
    for (size_t i = 0; i < p->n_logs && !v; i++)
        if ((v = log_get(&p->logs[i]->log, key)))
            *from = p->logs[i];
    return v;
}

/* Several rows may name one archive: it is opened once. */
static const struct proof *opened_before(const struct audit *a, const char *archive)
{
    for (size_t i = 0; i < a->n_proofs; i++)
        if (strcmp(a->proofs[i].archive, archive) == 0)
            return &a->proofs[i];
    return NULL;
}

/* What was kept goes by its name among the records, wherever it was read from. */
static const char *place_of_evidence(const struct audit *a, const struct evidence *e)
{
    struct store_place p = {.folder = a->records, .path = e->archive};
    if (!a->read_ahead)
        p = store_place_of(a->project->store, a->records, e->archive, e->sha256, a->arena);
    return path_join(a->arena, p.folder, p.path);
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
            proof_open(a, p, e, place_of_evidence(a, e));
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

static void note_evidence_files(struct row_evidence *e, const struct submission *s,
                                struct arena *arena)
{
    e->n_files = s->n;
    e->files = arena_array(arena, s->n, sizeof *e->files);
    for (size_t i = 0; i < s->n; i++) {
        const struct submission_sum *sum = submission_sum(s, s->files[i].name);
        e->files[i] = (struct evidence_file){.name = s->files[i].name,
                                             .sha256 = sum ? sum->sha256 : NULL,
                                             .bytes = s->files[i].bytes.len};
    }
}

/* A monitor of clocks sees the cards that the other one beside it sees. */
static void note_monitors(struct row_evidence *e, const struct proof *p, struct arena *arena)
{
    for (size_t i = 0; i < p->n_monitors; i++)
        if (!strstr(p->monitors[i]->name, "clock_monitor"))
            monitor_collect(&p->monitors[i]->monitor, arena, e->monitored);
}

static void note_command(struct row_evidence *e, const struct proof *p, struct arena *arena)
{
    const struct json *command = json_get(p->run, "command");
    bool words = command && command->kind == JSON_ARRAY;
    e->command = arena_array(arena, words ? command->n : 0, sizeof *e->command);
    for (const struct json *w = words ? command->child : NULL; w; w = w->next)
        if (w->kind == JSON_STRING)
            e->command[e->n_command++] = w->text;
}

static void note_answered(struct row_evidence *e, const struct proof *p)
{
    const struct json *c = json_get(p->run, "challenge");
    const struct answered said = {json_get_text(c, "round", NULL), json_get_text(c, "nonce", NULL),
                                  json_get_text(c, "vendor", NULL), json_get_text(c, "key", NULL)};
    if (said.round && said.nonce && said.vendor && said.key)
        e->answered = said;
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
                                   .alignment = p->alignment,
                                   .facts = p->facts.n ? &p->facts : NULL,
                                   .agreements = p->agreements,
                                   .layout = p->layout,
                                   .n_agreements = p->n_agreements,
                                   .adopted = proof_is_adopted(p),
                                   .finished = json_get_text(p->run, "finished", NULL)};
        if (p->evidence) {
            e->table = (int)p->evidence->table;
            e->row = (int)p->evidence->row;
        }
        if (!proof_is_native(p))
            e->framework = framework_of_logs(p->logs, p->n_logs, &p->facts, a->arena);
        note_monitors(e, p, a->arena);
        note_command(e, p, a->arena);
        note_answered(e, p);
        if (!p->opened || p->loose)
            continue;
        e->sha256 = p->submission.archive_sha256;
        e->id = p->submission.id;
        e->intact = p->submission.intact;
        e->sealed = true;
        e->signature = p->signature;
        note_evidence_files(e, &p->submission, a->arena);
    }
}
