#include "verifier/claims/mfu.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

/* What the training depends on; titles and the alignment rule may be edited later. */
static struct case_record trained_part(const struct case_record *kase)
{
    struct case_record part = *kase;
    part.title = part.task = (struct words){NULL, NULL};
    part.alignment = NULL;
    part.report = NULL;
    part.mfu_factor = NAN;
    return part;
}

static void compare_digest(struct audit *a, const struct proof *p, enum fact_id fact,
                           const char *digest, const char *what)
{
    const char *stated = facts_value(&p->facts, fact);
    if (!stated || !digest)
        return;
    bool same = strcmp(stated, digest) == 0;
    struct check_result *r =
        proof_report(a, p, "fingerprint.json", outcome_of(same),
                     sentence_say(a->arena,
                                  same ? "the SHA-256 in the fingerprint equals that of %s"
                                       : "the SHA-256 in the fingerprint differs from that of %s",
                                  what));
    audit_expect(r, stated, digest);
}

/* Where either side names weights that the run began with: NULL when they agree. */
static const char *weights_fault(const struct proof *p, const char *stated)
{
    const char *logged = p->log.initial_weights;
    if (!p->kase->initial_weights)
        return "the run started from given weights, but its case says that the seed determines the "
               "initial weights";
    if (!logged)
        return "the case starts from given weights, but the log does not name these weights";
    return stated && strcmp(stated, logged) != 0
               ? "the run started from other weights than those that the case specifies"
               : NULL;
}

static void compare_weights(struct audit *a, const struct proof *p)
{
    const struct case_weights *w = p->kase->initial_weights;
    const char *stated = w ? w->sha256 : NULL, *logged = p->log.initial_weights;
    if (!proof_is_native(p) || !p->log_name || (!w && !logged))
        return;
    const char *fault = weights_fault(p, stated);
    struct check_result *r =
        proof_report(a, p, p->log_name,
                     fault    ? OUTCOME_FAIL
                     : stated ? OUTCOME_PASS
                              : OUTCOME_CANNOT,
                     fault    ? fault
                     : stated ? "the run started from the weights that the case specifies"
                              : "the case does not state the SHA-256 of its initial weights");
    audit_expect(r, logged, stated);
}

static void check_case(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    if (p->loose && (!p->kase || p->kase_assumed)) {
        proof_report(
            a, p, NULL, OUTCOME_CANNOT,
            p->kase
                ? sentence_say(a->arena,
                               "case.json is missing, so the case of the run is unknown; fpreport "
                               "assumes '%s'",
                               p->kase->id)
                : "case.json is missing, so the case of the run is unknown, and no published case "
                  "has this name");
        return;
    }
    if (!p->kase) {
        proof_report(a, p, "case.json", OUTCOME_FAIL, "the case of the run cannot be read");
        return;
    }
    const struct bytes *bytes =
        p->loose ? &p->case_bytes : submission_file(&p->submission, "case.json");
    char *hex = arena_alloc(a->arena, HASH_HEX_SIZE);
    hash_sha256(bytes->data, bytes->len, hex);
    compare_digest(a, p, FACT_CASE_SHA256, hex, "case.json");
    if (p->kase->data)
        compare_digest(a, p, FACT_DATA_SHA256, p->kase->data->sha256, "the case's data");
    compare_weights(a, p);
    if (!a->kase) {
        proof_report(a, p, "case.json", OUTCOME_CANNOT, "the records do not contain this case");
        return;
    }
    struct case_record ran = trained_part(p->kase), published = trained_part(a->kase);
    const char *difference = shape_diff(&case_shape, &ran, &published, a->arena);
    proof_report(a, p, "case.json", difference ? OUTCOME_FAIL : OUTCOME_PASS,
                 difference ? sentence_say(a->arena,
                                           "the case of the run differs from the published "
                                           "case: %s",
                                           difference)
                            : "the case of the run equals the published case");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the SHA-256 in the fingerprint equals that of %s",
     .zh = "机器指纹中记录的 SHA-256，与{1:said}的 SHA-256 一致"},
    {.en = "the SHA-256 in the fingerprint differs from that of %s",
     .zh = "机器指纹中记录的 SHA-256，与{1:said}的 SHA-256 不同"},
    {.en = "the run started from given weights, but its case says that the seed determines the "
           "initial weights",
     .zh = "运行从给定的权重开始训练，但用例规定初始权重由随机种子生成"},
    {.en = "the case starts from given weights, but the log does not name these weights",
     .zh = "用例规定从给定的权重开始训练，但日志没有写明所用的初始权重"},
    {.en = "the run started from other weights than those that the case specifies",
     .zh = "运行所用的初始权重，与用例规定的初始权重不同"},
    {.en = "the run started from the weights that the case specifies",
     .zh = "运行所用的初始权重，与用例规定的初始权重一致"},
    {.en = "the case does not state the SHA-256 of its initial weights",
     .zh = "用例没有写明它的初始权重的 SHA-256，无法核对"},
    {.en = "case.json is missing, so the case of the run is unknown; fpreport assumes '%s'",
     .zh = "提交包缺少 case.json，因此无法确定运行的是哪个用例，fpreport 假定为“{1}”"},
    {.en = "case.json is missing, so the case of the run is unknown, and no published case has "
           "this name",
     .zh = "提交包缺少 case.json，因此无法确定运行的是哪个用例，已发布的用例中也没有同名用例"},
    {.en = "case.json",
     .zh = " case.json "},
    {.en = "the case of the run cannot be read",
     .zh = "无法读取提交包中所运行的用例（case.json）"},
    {.en = "the case's data",
     .zh = "用例的数据"},
    {.en = "the records do not contain this case",
     .zh = "fpreport 的记录中没有所运行的用例"},
    {.en = "the case of the run differs from the published case: %s",
     .zh = "所运行的用例与已发布的用例不同：{1:said}"},
    {.en = "the case of the run equals the published case",
     .zh = "所运行的用例与已发布的用例相同"},
    {NULL, NULL},
};

const struct rule rule_fp4004 = {
    .id = "FP4004",
    .kind = "settings",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .needs_records = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_MACHINE,
    .proof = check_case,
    .title = {.en = "Case that the run used", .zh = "运行所用的用例"},
    .statement = {.en = "The training run must use the published case and the data of that case, "
                        "without changes.",
                  .zh = "训练运行必须使用已发布的用例及该用例的数据，不得改动用例或数据。"},
    .why = {.en = "fpreport compares only runs of the same case with each other. A run with "
                  "another batch size or sequence length than the case is a run of another case.",
            .zh = "只有同一用例的运行才互相比较。批大小或序列长度不同的运行，属于另一个用例。"},
    .how = {.en = "The rule compares case.json in the submission with the published case field by "
                  "field, except for titles, report and alignment. The rule also compares the "
                  "SHA-256 of the case and of the training data with those in the machine's "
                  "fingerprint.",
            .zh = "这条规则将提交包中的 case.json 与已发布的用例逐个字段比较，标题、报告方式与对齐"
                  "规则除外。这条规则还将用例的 SHA-256 和训练数据的 SHA-256，分别与机器指纹中记录"
                  "的 SHA-256 比较。"},
    .fix = {.en = "Run the published case without changes, or publish the changed case under a new "
                  "name.",
            .zh = "运行已发布的用例，不要改动。如果必须改动用例，就把改动后的用例以新名称发布。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "case.json",
                .honest = "\"micro_batch\": 4",
                .changed = "\"micro_batch\": 8"},
};
/* clang-format on */
