#include "verifier/verify_mlperf.h"

#include "verifier/checks/mlperf/mlperf_rule.h"

#include <stdlib.h>

#define RCP_BYTES_MAX ((size_t)4 << 20)

/* One path of the command line. */
struct part {
    const struct mlperf_ruleset *rules;
    struct rcp_points *points;  /* read where there is more than a log by itself */
    size_t package, n_packages; /* of the tree */
    bool directory_alone;       /* a package of which one directory is asked for */
    const struct mlperf_input_path *input;
};

struct verification {
    const struct mlperf_request *request;
    const char *only; /* the request's rules, as verdicts have them */
    struct arena *arena;
    struct diags *diags;
    struct mlperf_tree tree;
    struct part *parts;
    const struct mlperf_same *same;
    size_t n_same;
    struct verdict *verdicts;
    size_t n;
};

/* ---- rules --------------------------------------------------------------------------------- */

static struct rcp_points *open_points(const struct mlperf_rulebook *book, const char *version,
                                      struct arena *arena, struct diags *diags)
{
    struct err err = ERR_INIT;
    struct bytes bytes;
    struct rcp_points *points = arena_alloc(arena, sizeof *points);
    const char *file = arena_printf(arena, "%s/rcps/training_%s.json", book->folder, version);
    if (file_read(file, RCP_BYTES_MAX, arena, &bytes, &err) < 0) {
        diags_add_err(diags, file, 0, 0, &err);
        return NULL;
    }
    rcp_points_open(file, bytes, arena, points);
    return points;
}

const struct rcp_points *mlperf_points_of_round(const struct mlperf_rulebook *book,
                                                const char *version, struct arena *arena,
                                                struct diags *diags)
{
    struct rcp_points *points = open_points(book, version, arena, diags);
    return points && rcp_points_read(points, arena, diags) == 0 ? points : NULL;
}

static struct rcp_points *points_of(struct verification *v, const char *version, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(v->parts[k].rules->version, version) == 0)
            return v->parts[k].points;
    return open_points(v->request->book, version, v->arena, v->diags);
}

static int choose_rules(struct verification *v, size_t i, struct err *err)
{
    const struct mlperf_request *q = v->request;
    struct part *part = &v->parts[i];
    const char *path = q->inputs[i].path;
    enum mlperf_chosen how;
    struct mlperf_round_rules *round = mlperf_rulebook_choose(q->book, q->ruleset, path, &how);
    if (!round)
        return err_set(err, ERR_USAGE, "--ruleset: found '%s', expected one of %s", q->ruleset,
                       mlperf_rulebook_versions(q->book));
    part->rules = mlperf_rulebook_rules(q->book, round, v->diags);
    part->points = part->rules ? points_of(v, round->version, i) : NULL;
    bool read = part->points && (q->inputs[i].kind == MLPERF_LOG || part->points->benchmarks ||
                                 rcp_points_read(part->points, v->arena, v->diags) == 0);
    if (!read)
        return err_set(err, ERR_INPUT, "%s: the rules of %s cannot be used", q->book->folder,
                       round->version);
    if (how == CHOSEN_AS_NEWEST && q->noted)
        q->noted(q->context, path, round->version);
    return 0;
}

static bool is_chosen(const struct verification *v, const char *rule)
{
    const struct rules *rules = v->request->rules;
    bool chosen = !rules || !rules->n_only;
    for (size_t i = 0; !chosen && i < rules->n_only; i++)
        chosen = text_starts(rule, rules->only[i]);
    return chosen;
}

/* In the worker. */
static void check_mlperf_log(struct mlperf_log_audit *a)
{
    size_t n;
    const struct mlperf_rule *const *rules = mlperf_rules(&n);
    for (size_t i = 0; i < n; i++)
        if (rules[i]->log)
            rules[i]->log(a);
}

/* ---- verdicts ------------------------------------------------------------------------------ */

static void add_check(struct verification *v, struct verdict *to, const struct mlperf_finding *f,
                      const char *file, enum severity severity)
{
    if (!is_chosen(v, f->rule))
        return;
    *(struct check_result *)ARENA_PUSH(v->arena, to->checks, to->n_checks) =
        (struct check_result){.rule = f->rule,
                              .outcome = OUTCOME_FAIL,
                              .severity = severity,
                              .file = file,
                              .line = f->line,
                              .message = f->message,
                              .sentence = sentence_of(v->arena, f->message)};
}

/* A log that satisfies the official rules says so; one that could not be read at all has no
 * findings of its worker. */
static void add_log_verdict(struct verification *v, struct verdict *to,
                            const struct mlperf_file *file, bool dropped)
{
    const struct mlperf_log_facts *f = &file->facts.log;
    const struct mlperf_finding refused = {.rule = "FP7001", .message = f->refused};
    if (f->refused)
        add_check(v, to, &refused, file->shown, dropped ? SEVERITY_WARNING : SEVERITY_ERROR);
    for (size_t i = 0; i < f->findings.n; i++) {
        const struct mlperf_finding *x = &f->findings.items[i];
        add_check(v, to, x, file->shown, dropped ? x->if_dropped : x->severity);
    }
    if (mlperf_log_complies(f) && is_chosen(v, "FP7002"))
        *(struct check_result *)ARENA_PUSH(v->arena, to->checks, to->n_checks) =
            (struct check_result){.rule = "FP7002",
                                  .outcome = OUTCOME_PASS,
                                  .file = file->shown,
                                  .message = "the log satisfies every rule of the round"};
}

static int by_rule(const void *a, const void *b)
{
    const struct check_result *x = *(const struct check_result *const *)a;
    const struct check_result *y = *(const struct check_result *const *)b;
    int order = strcmp(x->rule, y->rule);
    return order ? order : (x > y) - (x < y);
}

static void begin_verdict(struct verification *v, struct verdict *to, const char *id,
                          const char *file, const struct mlperf_result *result)
{
    struct mlperf_result *kept = arena_alloc(v->arena, sizeof *kept);
    *kept = *result;
    *to = (struct verdict){.id = id,
                           .file = file,
                           .rules = rules_version(v->request->rules),
                           .only = v->only,
                           .mlperf = kept};
    mlperf_result_metrics(kept, v->arena, to);
}

/* Of loose files nothing binds them to what somebody published; what a record states of sealed logs
 * that give it is verified. */
static void end_verdict(struct verification *v, struct verdict *to)
{
    const struct check_result **sorted = arena_array(v->arena, to->n_checks, sizeof *sorted);
    struct check_result *checks = arena_array(v->arena, to->n_checks, sizeof *checks);
    for (size_t i = 0; i < to->n_checks; i++)
        sorted[i] = &to->checks[i];
    if (to->n_checks > 1)
        qsort(sorted, to->n_checks, sizeof *sorted, by_rule);
    for (size_t i = 0; i < to->n_checks; i++)
        checks[i] = *sorted[i];
    to->checks = checks;
    const struct mlperf_runs *runs = to->mlperf->runs;
    to->state = verdict_count(to, OUTCOME_FAIL, SEVERITY_ERROR) ? STATE_FAILED
                : runs && runs->stated                          ? STATE_VERIFIED
                                                                : STATE_UNVERIFIED;
}

static void run_directory_rules(struct mlperf_runs *r)
{
    size_t n;
    const struct mlperf_rule *const *rules = mlperf_rules(&n);
    for (size_t i = 0; i < n; i++)
        if (rules[i]->runs)
            rules[i]->runs(r);
}

static void run_package_rules(struct mlperf_package_audit *p)
{
    size_t n;
    const struct mlperf_rule *const *rules = mlperf_rules(&n);
    for (size_t i = 0; i < n; i++)
        if (rules[i]->package)
            rules[i]->package(p);
}

static bool is_below_directory(const char *file, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(file, folder, n) == 0 && (!file[n] || file[n] == '/');
}

/* The verdict of the directory that a finding is about; else the package's. */
static struct verdict *verdict_of_directory(struct verdict *directories, size_t n,
                                            struct verdict *package, const char *file)
{
    for (size_t i = 0; i < n; i++)
        if (is_below_directory(file, directories[i].file))
            return &directories[i];
    return package ? package : n ? &directories[0] : NULL;
}

static bool official_success(const struct mlperf_package_audit *p)
{
    for (size_t i = 0; i < p->package->n_directories; i++)
        if (!p->package->directories[i].skipped && mlperf_runs_official_error(&p->runs[i]))
            return false;
    for (size_t i = 0; i < p->package->n_descriptions; i++) {
        const struct mlperf_system_facts *s =
            &p->tree->files[p->package->descriptions[i]].facts.system;
        if (s->fault || s->findings.n)
            return false;
    }
    return true;
}

/* Verdicts of the directories of a package, and of the package; at most one more than directories.
 */
static void verify_package(struct verification *v, const struct part *part,
                           const struct mlperf_package *package)
{
    size_t n = package->n_directories, made = 0;
    struct mlperf_runs *runs = arena_array(v->arena, n, sizeof *runs);
    struct mlperf_findings *findings = arena_array(v->arena, n + 1, sizeof *findings);
    struct verdict *verdicts = arena_array(v->arena, n + 1, sizeof *verdicts), *whole = NULL;
    struct mlperf_package_audit audit = {.tree = &v->tree,
                                         .package = package,
                                         .rules = part->rules,
                                         .runs = runs,
                                         .same = v->same,
                                         .n_same = v->n_same,
                                         .arena = v->arena,
                                         .findings = &findings[n]};
    struct mlperf_result result = {
        .rules = part->rules, .points = part->points, .package = package};
    for (size_t i = 0; i < n; i++) {
        const struct mlperf_directory *d = &package->directories[i];
        if (d->skipped)
            continue;
        runs[i].findings = &findings[i];
        runs[i].stated = part->input->stated;
        runs[i].stated_in = part->input->stated_in;
        mlperf_runs_compute(&v->tree, package, d, part->rules, part->points, v->arena, &runs[i]);
        run_directory_rules(&runs[i]);
        result.kind = MLPERF_RESULT_DIRECTORY;
        result.runs = &runs[i];
        struct verdict *to = &verdicts[made++];
        begin_verdict(v, to, d->id, d->shown, &result);
        for (size_t k = 0; k < findings[i].n; k++)
            add_check(v, to, &findings[i].items[k], findings[i].items[k].file,
                      findings[i].items[k].severity);
        for (size_t k = 0; k < runs[i].n; k++)
            add_log_verdict(v, to, runs[i].runs[k].file,
                            runs[i].tolerated && !mlperf_log_complies(runs[i].runs[k].log));
    }
    run_package_rules(&audit);
    if (!part->directory_alone) {
        whole = &verdicts[made];
        result.kind = MLPERF_RESULT_PACKAGE;
        result.runs = NULL;
        result.official_success = official_success(&audit);
        begin_verdict(v, whole, package->name, package->shown, &result);
    }
    for (size_t i = 0; i < audit.findings->n; i++) {
        const struct mlperf_finding *f = &audit.findings->items[i];
        struct verdict *to = verdict_of_directory(verdicts, made, whole, f->file);
        if (to)
            add_check(v, to, f, f->file, f->severity);
    }
    made += whole != NULL;
    for (size_t i = 0; i < made; i++) {
        end_verdict(v, &verdicts[i]);
        *(struct verdict *)ARENA_PUSH(v->arena, v->verdicts, v->n) = verdicts[i];
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Faults of an archive are those of its bytes: nothing is said of its logs then. */
static int list_sealed(struct verification *v, struct part *part, struct err *err)
{
    const struct mlperf_input_path *in = part->input;
    struct mlperf_archive *archive = arena_alloc(v->arena, sizeof *archive);
    const char *shown =
        in->folder ? arena_printf(v->arena, "%s/%s", in->folder, in->path) : in->path;
    *archive = (struct mlperf_archive){.folder = in->folder, .path = in->path, .shown = shown};
    if (mlperf_archive_list(archive, v->arena, err) < 0)
        return -1;
    if (!archive->intact)
        return err_set(err, ERR_INPUT, "%s: the archive is not whole: %s", shown,
                       archive->fault ? archive->fault : "files are withheld");
    if (mlperf_tree_add_archive(&v->tree, in->organisation, archive, part->rules, v->arena, err) <
        0)
        return -1;
    part->directory_alone = v->tree.packages[part->package].n_directories == 1;
    return 0;
}

static int list_all(struct verification *v, struct err *err)
{
    const struct mlperf_request *q = v->request;
    v->parts = arena_array(v->arena, q->n_inputs, sizeof *v->parts);
    for (size_t i = 0; i < q->n_inputs; i++) {
        struct part *part = &v->parts[i];
        bool sealed = q->inputs[i].kind == MLPERF_SEALED;
        part->input = &q->inputs[i];
        if (choose_rules(v, i, err) < 0)
            return -1;
        part->package = v->tree.n_packages;
        part->directory_alone = q->inputs[i].kind == MLPERF_DIRECTORY;
        if (sealed ? list_sealed(v, part, err) < 0
                   : mlperf_tree_add(&v->tree, q->inputs[i].kind, q->inputs[i].path, part->rules,
                                     v->arena, err) < 0)
            return -1;
        part->n_packages = v->tree.n_packages - part->package;
    }
    return 0;
}

int verify_mlperf(const struct mlperf_request *request, struct arena *arena, struct diags *diags,
                  struct verdict **verdicts, size_t *n, struct err *err)
{
    struct verification *v = arena_alloc(arena, sizeof *v); /* verdicts point into its tree */
    *v = (struct verification){.request = request,
                               .only = rules_only_text(request->rules, arena),
                               .arena = arena,
                               .diags = diags};
    size_t loose = 0;
    if (list_all(v, err) < 0 ||
        mlperf_read_files(v->tree.files, v->tree.n_files, check_mlperf_log, arena, err) < 0)
        return -1;
    v->same = mlperf_same_logs(&v->tree, arena, &v->n_same);
    for (size_t i = 0; i < request->n_inputs; i++) {
        const struct part *part = &v->parts[i];
        if (request->inputs[i].kind == MLPERF_LOG) {
            size_t file = v->tree.loose[loose++];
            const struct mlperf_file *log = &v->tree.files[file];
            const struct mlperf_result result = {.kind = MLPERF_RESULT_LOG,
                                                 .rules = part->rules,
                                                 .points = part->points,
                                                 .log = log};
            struct verdict *to = ARENA_PUSH(v->arena, v->verdicts, v->n);
            begin_verdict(v, to, log->shown, log->shown, &result);
            add_log_verdict(v, to, log, false);
            end_verdict(v, to);
        }
        for (size_t k = 0; k < part->n_packages; k++)
            verify_package(v, part, &v->tree.packages[part->package + k]);
    }
    *verdicts = v->verdicts;
    *n = v->n;
    return 0;
}
