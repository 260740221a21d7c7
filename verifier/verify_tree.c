/* Verdicts about loose files: each round of a tree as a proof of its own, held to the case that it
 * names and, if asked, to a row of a result. */
#include "verifier/verify.h"
#include "verifier/verify_parts.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/files/lock.h"
#include "base/text.h"
#include "verifier/checks/rules.h"
#include "verifier/claims/audit.h"
#include "verifier/logs/log.h"
#include "verifier/proofs/proof.h"
#include "verifier/runs/sys_info.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A tree with what stands beside its logs. */
struct tree {
    const struct project *project;
    const char *path;
    const struct verify_against *against;
    struct arena *arena;
    struct diags *diags;
    struct run_tree run;
    const char *root;    /* the folder of run.json, else of the tree */
    struct facts facts;  /* of one machine: the first that has any */
    bool fingerprinted;  /* by a fingerprint.json; else of sys_info.log alone */
    struct facts system; /* of sys_info.log */
    struct json *run_json, *kase_json;
    bool ended_silently; /* run.json says "running", and no process holds its lock */
    struct bytes case_bytes;
    struct case_record *ran; /* case.json; NULL */
};

/* --- beside the logs --- */

#define LEVELS_ABOVE 4 /* from a node to its run */

static const char *parent_of_node(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash != path ? arena_strndup(arena, path, (size_t)(slash - path)) : NULL;
}

static bool read_small(struct tree *t, const char *path, struct bytes *out)
{
    struct err err = ERR_INIT;
    if (!file_exists(path) || file_is_dir(path))
        return false;
    if (file_read(path, JSON_BYTES_MAX, t->arena, out, &err) == 0)
        return true;
    diags_add_err(t->diags, path, 0, 0, &err);
    return false;
}

static void read_fact_file(struct tree *t, const char *folder, const char *name)
{
    const char *path = path_join(t->arena, folder, name);
    struct bytes text;
    bool fingerprint = strcmp(path_base(name), "fingerprint.json") == 0;
    if ((!fingerprint && !sys_info_is(name)) || !read_small(t, path, &text))
        return;
    if (fingerprint) {
        t->facts.n = 0;
        t->fingerprinted = facts_read(path, text, t->arena, &t->facts, t->diags) == 0;
    } else {
        sys_info_read(text, t->arena, &t->system);
        sys_info_read(text, t->arena, &t->facts);
    }
}

/* Where the file stands in the layout of a run, which its folders tell. */
static bool is_in_run(const struct tree *t)
{
    const struct run_place *place = t->run.n_logs       ? &t->run.logs[0].place
                                    : t->run.n_monitors ? &t->run.monitors[0].place
                                                        : NULL;
    return file_is_dir(t->path) || (place && place->node != RUN_NONE);
}

/* The folder at or above the path that holds a run.json; else the path, or its folder. */
static const char *find_root(const struct tree *t)
{
    char whole[PATH_MAX];
    const char *at = realpath(t->path, whole) ? whole : t->path;
    for (int i = 0; is_in_run(t) && i <= LEVELS_ABOVE && at; i++) {
        if (file_exists(path_join(t->arena, at, "run.json")))
            return arena_strdup(t->arena, at);
        at = parent_of_node(t->arena, at);
    }
    return t->path;
}

/* Beside one file of a run those of its machine; beside any other nothing is known to be of it. */
static void read_facts_beside(struct tree *t)
{
    struct dir_entry *entries;
    struct err err = ERR_INIT;
    size_t n;
    const char *folder = parent_of_node(t->arena, t->path);
    if (!is_in_run(t))
        return;
    folder = folder ? folder : ".";
    if (dir_list(folder, t->arena, &entries, &n, &err) < 0)
        diags_add_err(t->diags, folder, 0, 0, &err);
    for (size_t i = 0; err.kind == ERR_NONE && i < n; i++)
        read_fact_file(t, folder, entries[i].name);
}

/* fingerprint.json stands before sys_info.log and says more: it is read, then added to. */
static void read_tree_facts(struct tree *t)
{
    const char **names;
    size_t n;
    struct err err = ERR_INIT;
    if (!file_is_dir(t->path)) {
        read_facts_beside(t);
        return;
    }
    if (dir_walk(t->path, t->arena, &names, &n, &err) < 0) {
        diags_add_err(t->diags, t->path, 0, 0, &err);
        return;
    }
    for (size_t i = 0; i < n && n <= RUN_FILES_MAX; i++)
        read_fact_file(t, t->path, names[i]);
}

static void read_tree_case(struct tree *t)
{
    const char *path = path_join(t->arena, t->root, "case.json");
    struct case_record *kase = arena_alloc(t->arena, sizeof *kase);
    if (!read_small(t, path, &t->case_bytes) ||
        json_parse(path, t->case_bytes, t->arena, &t->kase_json, t->diags) < 0)
        return;
    if (shape_load(&case_shape, t->kase_json, path, kase, t->arena, t->diags) == 0)
        t->ran = kase;
}

static void read_case_beside(struct tree *t)
{
    struct bytes text;
    const char *path = path_join(t->arena, t->root, "run.json");
    if (read_small(t, path, &text))
        json_parse(path, text, t->arena, &t->run_json, t->diags);
    t->ended_silently = t->run_json &&
                        strcmp(json_get_text(t->run_json, "state", ""), "running") == 0 &&
                        !lock_is_held(path_join(t->arena, t->root, SUBMISSION_RUN_PLACE));
    read_tree_case(t);
    read_tree_facts(t);
}

/* --- the case --- */

/* "…/benchmarks/llama2_7b/megatron/run_pretraining.py" is of llama2_7b-megatron. */
static const char *case_of_script(struct tree *t, const struct run_round *r)
{
    const char *model, *framework;
    for (size_t i = 0; i < r->n_logs; i++)
        if (run_script_case(r->logs[i]->log.script, t->arena, &model, &framework))
            return arena_printf(t->arena, "%s-%s", model, framework);
    return NULL;
}

/* The id that the folder, else the logs name, whether or not the project has it. */
static const char *named_case(struct tree *t, const struct run_round *r)
{
    const struct case_key *key = &r->key;
    if (key->whole && !project_case(t->project, key->model))
        return arena_printf(t->arena, "%s-%s", key->model, key->framework);
    if (key->whole)
        return key->model;
    return *key->text && project_case(t->project, key->text) ? key->text : case_of_script(t, r);
}

static const struct case_record *case_of_tree(struct tree *t, const struct result *result,
                                              const char *named)
{
    const struct verify_against *against = t->against;
    if (against->kase)
        return against->kase;
    if (result)
        return project_case(t->project, result->case_id);
    if (t->ran)
        return project_case(t->project, t->ran->id);
    return named ? project_case(t->project, named) : NULL;
}

/* --- the row --- */

static bool has_size(const struct claim *c, const struct case_key *key)
{
    bool bracket = c->config.by && c->config.of;
    if (bracket)
        return c->config.by == key->nnodes && c->config.of == key->nproc;
    return c->cards == key->nnodes * key->nproc;
}

/* The row that is compared: the one that is named, else the only one of the run's size. */
static int find_compared_row(struct tree *t, const struct audit *a, const struct run_round *r,
                             struct evidence *e, struct err *err)
{
    const char *name = arena_printf(t->arena, "%s/%s", a->result->vendor, a->result->case_id);
    const char *rows = "";
    size_t fit = 0;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        bool named =
            c->row == t->against->row && (!t->against->table || c->table == t->against->table);
        bool one = a->n_claims == 1;
        if (t->against->row ? !named : !one && (!r->key.whole || !has_size(c, &r->key)))
            continue;
        *e = (struct evidence){.archive = t->path, .table = c->table, .row = c->row};
        rows = arena_printf(t->arena, "%s%s%d.%d", rows, fit++ ? ", " : "", c->table, c->row);
    }
    if (fit == 1)
        return 0;
    if (fit)
        return err_set(err, ERR_USAGE, "%s: the rows %s fit, expected one: name it, as %s#%s",
                       t->path, rows, name, arena_strndup(t->arena, rows, strcspn(rows, ",")));
    return err_set(err, ERR_USAGE,
                   "%s: found no row of %s for %s, expected one: name it, as %s#1.1", t->path, name,
                   *r->key.text ? r->key.text : "these files", name);
}

/* --- what was found --- */

static size_t count_nodes(const struct proof *p)
{
    char seen[RUN_NUMBER_MAX / 8 + 1] = {0};
    size_t n = 0;
    for (size_t i = 0; i < p->n_logs + p->n_monitors; i++) {
        const struct run_place *place =
            i < p->n_logs ? &p->logs[i]->place : &p->monitors[i - p->n_logs]->place;
        if (place->node == RUN_NONE)
            continue;
        char *at = &seen[place->node / 8], bit = (char)(1 << place->node % 8);
        n += !(*at & bit);
        *at = (char)(*at | bit);
    }
    return n;
}

/* The first step, or the last, of the losses, else of the reports; NaN. */
static double step_at_end(const struct proof *p, bool first)
{
    size_t n = p->curve.n ? p->curve.n : p->log.n_points, at = first ? 0 : n - 1;
    return !n ? NAN : p->curve.n ? p->curve.step[at] : p->log.points[at].step;
}

static const struct found_files *describe_tree_files(const struct tree *t, const struct proof *p)
{
    const struct run_round *r = p->round;
    struct found_files *f = arena_alloc(t->arena, sizeof *f);
    *f = (struct found_files){.kase = p->kase ? p->kase->id : NULL,
                              .folder = r->key.text,
                              .round = r->round,
                              .nodes = count_nodes(p),
                              .expected_nodes = r->key.whole ? r->key.nnodes : -1,
                              .expected_ranks = r->key.whole ? r->key.nnodes * r->key.nproc : -1,
                              .cards = r->peaks.cards,
                              .logs = p->n_logs,
                              .monitors = p->n_monitors,
                              .steps = p->curve.n ? p->curve.n : p->log.n_points,
                              .first_step = step_at_end(p, true),
                              .last_step = step_at_end(p, false),
                              .by_epoch = p->log.by_epoch,
                              .format = p->log.format};
    for (size_t i = 0; i < p->n_logs; i++)
        f->ranks += p->logs[i]->place.rank != RUN_NONE;
    if (p->evidence)
        f->compared =
            arena_printf(t->arena, "%s/%s#%lld.%lld", t->against->result->vendor,
                         t->against->result->case_id, p->evidence->table, p->evidence->row);
    return f;
}

static const char *round_id(const struct tree *t, const struct run_round *r)
{
    if (r->round == RUN_NONE)
        return *r->key.text ? r->key.text : path_base(t->path);
    return arena_printf(t->arena, "%s%sround%ld", r->key.text, *r->key.text ? "/" : "", r->round);
}

/* What a benchmark of chips or operators prints is all that there is of it. */
static void put_report_values(const struct tree *t, const struct proof *p, struct verdict *out)
{
    for (size_t i = 0; i < p->n_logs; i++) {
        const struct log *log = &p->logs[i]->log;
        for (size_t k = 0; k < log->n_values; k++) {
            const struct log_value *v = &log->values[k];
            struct metric *m = ARENA_PUSH(t->arena, out->metrics, out->n_metrics);
            const struct figure *number = figure_kept(figure_exact(v->value), t->arena);
            *m = (struct metric){.name = v->key,
                                 .unit = "",
                                 .found = number,
                                 .source = "evidence",
                                 .derivation = arena_printf(t->arena, "%s (as printed, %s:%d)",
                                                            figure_print(number, t->arena),
                                                            path_base(log->file), v->line),
                                 .outcome = OUTCOME_PASS};
        }
    }
}

/* --- a round --- */

/* The published case; where the project has none of a page, one that leaves everything to it. */
static struct case_record *assume_case(struct tree *t, const struct audit *a)
{
    struct case_record *kase = arena_alloc(t->arena, sizeof *kase);
    shape_init(&case_shape, kase);
    kase->id = a->result ? a->result->case_id : NULL;
    if (a->kase)
        *kase = *a->kase;
    return kase;
}

static void set_case(struct tree *t, struct audit *a, struct proof *p)
{
    p->named_case =
        t->run_json ? json_get_text(t->run_json, "case", NULL) : named_case(t, p->round);
    a->kase = case_of_tree(t, a->result, p->named_case);
    p->kase = t->ran;
    p->kase_assumed = !t->ran && (a->kase || a->result || t->against->model);
    if (p->kase_assumed)
        p->kase = assume_case(t, a);
    if (p->kase_assumed && t->against->model)
        verify_fill_case(p->kase, t->against->model, p->round);
    const struct case_record *kase = a->kase ? a->kase : p->kase;
    const struct model *of_page = a->result ? project_result_model(t->project, a->result) : NULL;
    a->model = t->against->model ? t->against->model
               : of_page         ? of_page
               : kase            ? project_model(t->project, kase->model)
                                 : NULL;
}

/* A run of several cases is held to a result only where it is of the result's case. */
static bool is_compared(struct tree *t, const struct run_round *r)
{
    const char *wanted = t->against->result ? t->against->result->case_id : NULL;
    const char *named = wanted ? named_case(t, r) : NULL;
    bool other = false;
    if (!wanted || !named || strcmp(named, wanted) == 0)
        return wanted != NULL;
    for (size_t i = 0; i < t->run.n_rounds; i++) {
        const char *name = named_case(t, &t->run.rounds[i]);
        other = other || (name && strcmp(name, wanted) == 0);
    }
    return !other;
}

static void open_proof(struct tree *t, struct audit *a, const struct run_round *r,
                       const struct evidence *evidence, struct proof *p)
{
    *p = (struct proof){.archive = t->path,
                        .evidence = evidence,
                        .stated_card = t->against->card,
                        .stated_layout = t->against->laid,
                        .run = t->run_json,
                        .run_folder = t->root,
                        .ended_silently = t->ended_silently,
                        .kase_json = t->kase_json,
                        .case_bytes = t->case_bytes,
                        .facts = t->facts,
                        .fingerprinted = t->fingerprinted,
                        .system = t->system,
                        .round = r};
    set_case(t, a, p);
    proof_open_round(a, p, &t->run, r);
}

static int verify_round(struct tree *t, const struct run_round *r, struct verdict *out,
                        struct err *err)
{
    const struct result *result = is_compared(t, r) ? t->against->result : NULL;
    struct evidence *evidence = arena_alloc(t->arena, sizeof *evidence);
    struct proof *p = arena_alloc(t->arena, sizeof *p);
    struct audit a = {.project = t->project,
                      .rules = t->against->rules,
                      .sealed_only = rules_sealed(t->against->rules),
                      .result = result,
                      .file = result ? result->file : t->path,
                      .records = t->project->root,
                      .arena = t->arena,
                      .verdict = out,
                      .proofs = p,
                      .n_proofs = 1};
    *out = (struct verdict){.id = round_id(t, r),
                            .file = t->path,
                            .rules = rules_version(a.rules),
                            .only = rules_only_text(a.rules, t->arena),
                            .result = a.result};
    if (a.result) { /* the row that the round is held to, and nothing of the others */
        audit_open(&a);
        if (find_compared_row(t, &a, r, evidence, err) < 0)
            return -1;
        audit_keep_metrics(&a, evidence);
    }
    open_proof(t, &a, r, a.result ? evidence : NULL, p);
    out->found = describe_tree_files(t, p);
    rules_run_proofs(&a);
    if (p->main_log && p->main_log->place.bench) {
        audit_keep_metrics(&a, NULL); /* figures of trainings, none of them */
        put_report_values(t, p, out);
    }
    audit_place(&a);
    proofs_note(&a);
    audit_note_sentences(&a);
    verdict_read_metrics(out, t->arena);
    out->state = verify_state(out, false);
    return 0;
}

/* Without what this machine could not read, a verdict would hold against the run what is in it. */
static int refuse_unread(const struct tree *t, size_t before, struct err *err)
{
    if (t->diags->machine == before)
        return 0;
    return err_set(err, ERR_IO, "%s: not all of it could be read on this machine: no verdict",
                   t->path);
}

int verify_tree(const struct project *project, const char *path,
                const struct verify_against *against, struct arena *arena, struct verdict **out,
                size_t *n, struct diags *diags, struct err *err)
{
    struct tree t = {
        .project = project, .path = path, .against = against, .arena = arena, .diags = diags};
    size_t before = diags->machine;
    struct diags within = DIAGS_INIT(arena); /* what is found in the rounds is in their verdicts */
    int rc = file_is_dir(path)
                 ? run_tree_open(path, against->formats, arena, &within, &t.run, err)
                 : run_tree_open_file(path, against->formats, arena, &within, &t.run, err);
    if (rc < 0)
        return -1;
    for (size_t i = 0; i < within.n; i++)
        if (within.items[i].severity == SEVERITY_ERROR)
            diags_add(diags, SEVERITY_ERROR, within.items[i].file, within.items[i].line, 0, "%s",
                      within.items[i].message);
    diags->machine += within.machine;
    if (refuse_unread(&t, before, err) < 0)
        return -1;
    if (t.run.n_rounds == 0)
        return err_set(err, ERR_INPUT,
                       "%s: found no training log or monitor, expected those of a run", path);
    t.root = find_root(&t);
    read_case_beside(&t);
    if (refuse_unread(&t, before, err) < 0)
        return -1;
    for (size_t i = 0; i < t.run.n_rounds; i++) {
        struct verdict v;
        if (verify_round(&t, &t.run.rounds[i], &v, err) < 0)
            return -1;
        *(struct verdict *)ARENA_PUSH(arena, *out, *n) = v;
    }
    return 0;
}

/* As much of a file as a page can be. */
#define LOOKED_AT ((size_t)4 << 20)

/* A line that is an object, and another one below it: no document of JSON is that. */
static bool is_json_lines(struct bytes head)
{
    struct span rest = {head.data, head.len}, first = span_trim(span_cut(&rest, '\n'));
    return span_starts(first, "{") && first.p[first.n - 1] == '}' &&
           span_starts(span_trim(rest), "{");
}

bool verify_is_log(const char *path, struct arena *arena)
{
    struct err err = ERR_INIT;
    struct diags ignored = DIAGS_INIT(arena);
    struct bytes head;
    struct log log;
    if (file_read(path, LOOKED_AT, arena, &head, &err) < 0)
        return file_exists(path) && !file_is_dir(path); /* larger than any page */
    log_read(path, head, &log, arena, &ignored);
    return log.known > 0 || monitor_shown(head) || is_json_lines(head);
}
