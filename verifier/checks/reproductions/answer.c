#include "verifier/checks/reproductions/answer.h"

#include "base/calendar.h"
#include "base/signing/sshsig.h"

static const struct answer_closeness closeness[] = {
    {"fp32", 1e-6, 1e-5}, {"tf32", 1e-4, 1e-4}, {"bf16", 1e-3, 1e-3}, {"fp16", 2e-4, 5e-4}};

const struct retraining *answer_asked(struct audit *a, const struct proof *p)
{
    return p->opened && !p->loose ? a->project->retraining : NULL;
}

static const char *shown_seed(struct arena *arena, double seed)
{
    return isnan(seed) ? "none" : arena_printf(arena, "%.0f", seed);
}

/* What run.json says of its challenge, beside what it should. */
static const char *other_answer(struct audit *a, const struct proof *p, const struct challenge *c)
{
    const struct json *answer = json_get(p->run, "challenge");
    const struct json *seed = json_get(answer, "seed");
    const struct {
        const char *key, *expected;
    } texts[] = {{"round", c->round}, {"nonce", c->nonce}, {"vendor", c->vendor}, {"key", c->key}};
    if (!answer || answer->kind != JSON_OBJECT)
        return sentence_say(a->arena,
                            "the run does not answer a challenge, expected an answer to round %s",
                            c->round);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *said = json_get_text(answer, texts[i].key, "");
        if (strcmp(said, texts[i].expected) != 0)
            return sentence_say(
                a->arena, "the run answers the wrong challenge: %s \"%.80s\", expected \"%s\"",
                texts[i].key, said, texts[i].expected);
    }
    double number = seed && seed->kind == JSON_NUMBER ? seed->number : NAN;
    if (number != (double)c->seed)
        return sentence_say(a->arena, "run.json has the seed %s, but the challenge gives %lld",
                            shown_seed(a->arena, number), c->seed);
    return NULL;
}

static const char *other_run(struct audit *a, const struct proof *p, const struct challenge *c)
{
    const struct bytes *kase = submission_file(&p->submission, "case.json");
    const char *started = json_get_text(p->run, "started", "");
    char sha256[HASH_HEX_SIZE] = "";
    if (kase)
        hash_sha256(kase->data, kase->len, sha256);
    if (strcmp(sha256, c->case_sha256) != 0)
        return sentence_say(a->arena,
                            "the SHA-256 of the case that was run is %.16s…, but the challenge is "
                            "for case %s with %.16s…",
                            sha256, c->case_id, c->case_sha256);
    if (!p->log_name || p->log.seed != (double)c->seed)
        return sentence_say(a->arena, "the log has the seed %s, but the challenge gives %lld",
                            shown_seed(a->arena, p->log_name ? p->log.seed : NAN), c->seed);
    if (!calendar_time(started, NULL))
        return sentence_say(a->arena, "the run does not state when it began: \"%.30s\"", started);
    if (strncmp(started, c->date, strlen(c->date)) < 0)
        return sentence_say(a->arena, "the run began on %.10s, but the challenge was issued on %s",
                            started, c->date);
    return NULL;
}

/* Who signed: where the challenge names a key, no other will do. */
static const char *other_signer(struct audit *a, const struct proof *p, const struct challenge *c)
{
    const struct bytes *statement = submission_file(&p->submission, SUBMISSION_STATEMENT);
    const struct bytes *armour = submission_file(&p->submission, SUBMISSION_SIGNATURE);
    struct err ignored = ERR_INIT;
    struct sshsig s;
    if (!*c->key)
        return NULL;
    if (!statement || !armour || sshsig_parse(*armour, a->arena, &s, &ignored) < 0 ||
        !sshsig_holds(&s, SSHSIG_SUBMISSION, *statement))
        return sentence_say(a->arena,
                            "the challenge requires the key %s, but the submission is not signed",
                            c->key);
    if (strcmp(s.key.fingerprint, c->key) != 0)
        return sentence_say(a->arena,
                            "the submission is signed with the key %s, but the challenge "
                            "requires %s",
                            s.key.fingerprint, c->key);
    return NULL;
}

const char *answer_other(struct audit *a, const struct proof *p, const struct challenge *c,
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

const struct retraining *answer_trained(struct audit *a, struct proof *p, size_t steps)
{
    const struct retraining *r = answer_asked(a, p);
    if (!r)
        return NULL;
    const char *ignored;
    if (answer_other(a, p, r->challenge, &ignored))
        proof_report(a, p, NULL, OUTCOME_CANNOT, "the submission does not answer the challenge");
    else if (r->n < steps)
        proof_report(
            a, p, NULL, OUTCOME_CANNOT,
            sentence_say(a->arena, "only %zu steps were trained on this machine, expected %zu: %s",
                         r->n, steps,
                         r->why ? r->why : "the number of steps was limited by an option"));
    else
        return r;
    return NULL;
}

struct curve answer_curve(const struct retraining *r, size_t n, struct arena *arena)
{
    struct curve c = {.n = n, .loss = arena_array(arena, n, sizeof *c.loss)};
    c.step = arena_array(arena, n, sizeof *c.step);
    for (size_t i = 0; i < n; i++) {
        c.step[i] = (double)(i + 1);
        c.loss[i] = r->losses[i];
    }
    return c;
}

const char *answer_rate_shown(const struct answer_rate *m, struct arena *arena)
{
    return arena_printf(arena,
                        "in a test with small Llama models, this rule rejected %d of %d honest "
                        "runs and accepted %d of %d forged loss curves",
                        m->alarms, m->honest, m->missed, m->forged);
}

static const char *answer_precision(const struct proof *p)
{
    return p->kase && p->kase->precision ? p->kase->precision : "fp32";
}

const char *answer_trained_in(const struct proof *p, const struct retraining *r,
                              struct arena *arena)
{
    return strcmp(answer_precision(p), r->precision) == 0
               ? r->precision
               : arena_printf(arena, "%s, not in %s", r->precision, answer_precision(p));
}

const struct answer_closeness *answer_closeness_of(struct audit *a, struct proof *p)
{
    for (size_t i = 0; i < sizeof closeness / sizeof *closeness; i++)
        if (strcmp(closeness[i].precision, answer_precision(p)) == 0)
            return &closeness[i];
    proof_report(a, p, p->log_name, OUTCOME_CANNOT,
                 "the loss tolerance for this precision was not measured");
    return NULL;
}

/* clang-format off */
const struct words answer_messages[] = {
    {.en = "none",
     .zh = "无"},
    {.en = "the run does not answer a challenge, expected an answer to round %s",
     .zh = "运行没有应答任何抽查，但应当应答轮次为 {1} 的抽查"},
    {.en = "the run answers the wrong challenge: %s \"%.80s\", expected \"%s\"",
     .zh = "运行应答的是另一个抽查：run.json 中的 {1} 为“{2}”，应为“{3}”"},
    {.en = "run.json has the seed %s, but the challenge gives %lld",
     .zh = "run.json 中的种子为 {1}，但抽查给出的种子为 {2}"},
    {.en = "case.json",
     .zh = " case.json "},
    {.en = "the SHA-256 of the case that was run is %.16s…, but the challenge is for case %s with "
           "%.16s…",
     .zh = "运行所用用例的 SHA-256 为 {1}…，但抽查指定的是用例 {2}，它的 SHA-256 为 {3}…"},
    {.en = "the log has the seed %s, but the challenge gives %lld",
     .zh = "日志中的种子为 {1}，但抽查给出的种子为 {2}"},
    {.en = "the run does not state when it began: \"%.30s\"",
     .zh = "run.json 没有写明运行的开始时间，写的是“{1}”"},
    {.en = "the run began on %.10s, but the challenge was issued on %s",
     .zh = "运行在 {1} 开始，但抽查在 {2} 才发出"},
    {.en = "the challenge requires the key %s, but the submission is not signed",
     .zh = "抽查要求用密钥 {1} 签名，但提交包没有签名"},
    {.en = "the submission is signed with the key %s, but the challenge requires %s",
     .zh = "提交包用密钥 {1} 签名，但抽查要求用密钥 {2} 签名"},
    {.en = "the submission does not answer the challenge",
     .zh = "提交包没有应答指定的抽查"},
    {.en = "only %zu steps were trained on this machine, expected %zu: %s",
     .zh = "核验机器只训练了 {1} 步，应为 {2} 步：{3:said}"},
    {.en = "the number of steps was limited by an option",
     .zh = "命令的选项限制了训练的步数"},
    {.en = "in a test with small Llama models, this rule rejected %d of %d honest runs and "
           "accepted %d of %d forged loss curves",
     .zh = "在小型 Llama 模型上的实测中，这条规则把 {2} 次真实运行中的 {1} 次误判为伪造，又漏掉了 "
           "{4} 条伪造损失曲线中的 {3} 条"},
    {.en = "%s, not in %s",
     .zh = "{1}，用例的精度为 {2}"},
    {.en = "the loss tolerance for this precision was not measured",
     .zh = "尚未测定用例所用精度的损失容差"},
    {NULL, NULL},
};
/* clang-format on */
