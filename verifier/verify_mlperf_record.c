#include "verifier/verify_mlperf_record.h"

#include "verifier/verify_mlperf_sealed.h"

#include <string.h>

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
