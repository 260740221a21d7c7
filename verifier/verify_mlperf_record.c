#include "verifier/verify_mlperf_record.h"

#include "base/process/worker.h"
#include "base/sealed/submission.h"

#include <math.h>
#include <string.h>

const char *mlperf_sealed_fault(enum mlperf_sealed_fault fault)
{
    static const char *const faults[] = {
        [SEALED_WHOLE] = NULL,
        [SEALED_BROKEN] = "the archive is incomplete",
        [SEALED_OTHER] = "the archive contains no results of this directory",
        [SEALED_UNREAD] = "the archive cannot be read",
        [SEALED_MISSING] = "the archive is missing, or is not the archive that the record names",
        [SEALED_NO_RULES] = "the rules of the round cannot be read",
    };
    return faults[fault];
}

static const struct mlperf_directory *find_sealed_directory(const struct mlperf_sealed *x,
                                                            const struct mlperf_tree *tree)
{
    const struct mlperf_package *p = &tree->packages[0];
    for (size_t i = 0; i < p->n_directories; i++)
        if (!p->directories[i].skipped && strcmp(p->directories[i].system, x->system) == 0 &&
            strcmp(p->directories[i].name, x->benchmark) == 0)
            return &p->directories[i];
    return NULL;
}

static enum mlperf_sealed_fault recompute_sealed(const struct mlperf_sealed *x, struct arena *arena,
                                                 double *minutes)
{
    struct diags diags = {.arena = arena};
    struct err err = ERR_INIT;
    struct submission sealed;
    struct mlperf_tree tree = {0};
    struct mlperf_findings findings = {0};
    struct mlperf_runs runs = {.findings = &findings};
    if (submission_open_bytes(x->packed, x->path, arena, &sealed, &diags) < 0 || !sealed.intact)
        return SEALED_BROKEN;
    if (mlperf_tree_add_members(&tree, x->package, sealed.files, sealed.n, x->rules, arena, &err) <
        0)
        return SEALED_OTHER;
    const struct mlperf_directory *directory = find_sealed_directory(x, &tree);
    if (!directory)
        return SEALED_OTHER;
    mlperf_read_given(tree.files, tree.n_files, NULL, arena);
    mlperf_runs_compute(&tree, &tree.packages[0], directory, x->rules, x->points, arena, &runs);
    *minutes = runs.score.minutes;
    return SEALED_WHOLE;
}

static void work_sealed(void *context, size_t i, struct worker *w)
{
    double minutes = NAN;
    (void)i;
    pack_number(&w->answer, recompute_sealed(context, &w->arena, &minutes));
    pack_bytes(&w->answer, &minutes, sizeof minutes);
}

static bool take_recomputed(void *context, size_t i, const struct worker_end *end)
{
    struct mlperf_sealed *x = context;
    struct unpack u = unpack_answer(end->answer.data, end->answer.len);
    size_t fault = unpack_choice(&u, SEALED_OTHER);
    const void *minutes = unpack_bytes(&u, sizeof x->minutes);
    (void)i;
    x->fault = SEALED_UNREAD;
    if (end->outcome != WORKER_ANSWERED || !minutes || !unpack_end(&u))
        return false;
    x->fault = (enum mlperf_sealed_fault)fault;
    memcpy(&x->minutes, minutes, sizeof x->minutes);
    return false;
}

void verify_mlperf_sealed(struct mlperf_sealed *x)
{
    const struct worker_crew crew = {
        .context = x, .packed = x->packed.len, .work = work_sealed, .take = take_recomputed};
    x->minutes = NAN;
    worker_each(&crew, 1);
}

struct record_check {
    const struct mlperf_record *record;
    const char *records;
    struct arena *arena;
    struct mlperf_input_path *inputs; /* archives that are there */
    size_t n_inputs;
    struct verdict verdict; /* of the record */
};

static void refuse_evidence(struct record_check *c, const struct mlperf_score_record *score,
                            enum mlperf_sealed_fault fault)
{
    const char *message = arena_printf(c->arena, "%s: %s: %s", score->benchmark, score->evidence,
                                       mlperf_sealed_fault(fault));
    *(struct check_result *)ARENA_PUSH(c->arena, c->verdict.checks, c->verdict.n_checks) =
        (struct check_result){.rule = "FP7041",
                              .outcome = OUTCOME_FAIL,
                              .severity = SEVERITY_ERROR,
                              .file = c->record->file,
                              .line = score->line,
                              .message = message};
}

/* -1: this machine failed. */
static int find_sealed_score(struct record_check *c, const struct mlperf_score_record *score,
                             struct err *err)
{
    struct mlperf_archive archive = {
        .folder = c->records, .path = score->evidence, .shown = score->evidence};
    struct err unread = ERR_INIT;
    bool listed = mlperf_archive_list(&archive, c->arena, &unread) == 0;
    if (!listed && unread.kind == ERR_IO)
        return err_set(err, ERR_IO, "%s", unread.text);
    if (!listed || !score->evidence_sha256 || strcmp(archive.sha256, score->evidence_sha256) != 0)
        refuse_evidence(c, score, SEALED_MISSING);
    else if (!archive.intact)
        refuse_evidence(c, score, SEALED_BROKEN);
    else
        *(struct mlperf_input_path *)ARENA_PUSH(c->arena, c->inputs, c->n_inputs) =
            (struct mlperf_input_path){.path = score->evidence,
                                       .kind = MLPERF_SEALED,
                                       .folder = c->records,
                                       .organisation = c->record->package,
                                       .stated_in = c->record->file,
                                       .stated = score};
    return 0;
}

/* A score without logs is what somebody says. */
static void note_stated(struct record_check *c, const struct mlperf_score_record *score)
{
    struct metric *m = ARENA_PUSH(c->arena, c->verdict.metrics, c->verdict.n_metrics);
    *m = (struct metric){.name = arena_printf(c->arena, "time_to_train/%s", score->benchmark),
                         .unit = "min",
                         .stated = score->minutes,
                         .claimed = score->minutes != NULL,
                         .outcome = OUTCOME_CANNOT,
                         .reason = "there are no sealed logs"};
}

static enum state state_of_record(const struct record_check *c, const struct verdict *scores,
                                  size_t n, size_t *n_follow)
{
    bool failed = c->verdict.n_checks > 0;
    for (size_t i = 0; i < n; i++) {
        failed |= scores[i].state == STATE_FAILED;
        *n_follow += scores[i].state == STATE_VERIFIED;
    }
    return failed                             ? STATE_FAILED
           : *n_follow == 0                   ? STATE_UNVERIFIED
           : *n_follow < c->record->n_results ? STATE_PARTIAL
                                              : STATE_VERIFIED;
}

int verify_mlperf_record(const struct mlperf_request *request, const struct mlperf_record *record,
                         const char *records, struct arena *arena, struct diags *diags,
                         struct verdict **verdicts, size_t *n, struct err *err)
{
    struct record_check c = {.record = record, .records = records, .arena = arena};
    struct mlperf_request q = *request;
    enum mlperf_chosen how;
    struct mlperf_result *result = arena_alloc(arena, sizeof *result);
    q.ruleset = request->ruleset ? request->ruleset : record->ruleset;
    struct mlperf_round_rules *round = mlperf_rulebook_choose(q.book, q.ruleset, "", &how);
    if (!round)
        return err_set(err, ERR_INPUT, "%s: found rules '%s', expected those of one of %s",
                       record->file, q.ruleset, mlperf_rulebook_versions(q.book));
    *result = (struct mlperf_result){.kind = MLPERF_RESULT_RECORD,
                                     .rules = mlperf_rulebook_rules(q.book, round, diags),
                                     .record = record};
    if (!result->rules)
        return err_set(err, ERR_INPUT, "%s: the rules of %s cannot be used", q.book->folder,
                       round->version);
    c.verdict =
        (struct verdict){.id = arena_printf(arena, "%s/%s", record->package, record->system),
                         .file = record->file,
                         .rules = rules_version(q.rules),
                         .only = rules_only_text(q.rules, arena),
                         .mlperf = result};
    for (size_t i = 0; i < record->n_results; i++)
        if (!record->results[i].evidence)
            note_stated(&c, &record->results[i]);
        else if (find_sealed_score(&c, &record->results[i], err) < 0)
            return -1;
    q.inputs = c.inputs;
    q.n_inputs = c.n_inputs;
    *n = 0;
    *verdicts = NULL;
    if (c.n_inputs && verify_mlperf(&q, arena, diags, verdicts, n, err) < 0)
        return -1;
    c.verdict.state = state_of_record(&c, *verdicts, *n, &result->n_follow);
    *(struct verdict *)ARENA_PUSH(arena, *verdicts, *n) = c.verdict;
    return 0;
}
