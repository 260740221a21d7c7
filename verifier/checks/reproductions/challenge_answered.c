#include "verifier/checks/reproductions/answer.h"
#include "verifier/claims/rule.h"

static void check_challenge_answered(struct audit *a, struct proof *p)
{
    const struct retraining *r = answer_asked(a, p);
    if (!r)
        return;
    const char *file, *why = answer_other(a, p, r->challenge, &file);
    if (why)
        proof_report(a, p, file, OUTCOME_FAIL, why);
    else
        proof_report(a, p, "run.json", OUTCOME_PASS,
                     sentence_say(a->arena, "the run answers round %s, with the seed %lld",
                                  r->challenge->round, r->challenge->seed));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the run answers round %s, with the seed %lld",
     .zh = "运行应答了轮次为 {1} 的抽查，种子为 {2}"},
    {NULL, NULL},
};

static const struct rule_case cases[] = {
    {"the challenge requires the key %s, but the submission is not signed",
     {.en = "Seal the run again with the key that the challenge names: fpreport collect RUN --sign "
            "KEY. You need not repeat the run.",
      .zh = "用抽查指定的密钥重新封存运行：fpreport collect RUN --sign KEY。不必重新运行用例。"}},
    {"the submission is signed with the key %s, but the challenge requires %s",
     {.en = "Seal the run again with the key that the challenge names: fpreport collect RUN --sign "
            "KEY. You need not repeat the run.",
      .zh = "用抽查指定的密钥重新封存运行：fpreport collect RUN --sign KEY。不必重新运行用例。"}},
    {.says = NULL},
};

static const struct words *const quoted[] = {answer_messages, NULL};

const struct rule rule_fp6001 = {
    .id = "FP6001",
    .kind = "challenge",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .shows_pass = true,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_CASE | RULE_QUOTES_RUN,
    .proof = check_challenge_answered,
    .title = {.en = "Run that answers a challenge", .zh = "应答抽查的运行"},
    .statement = {.en = "The run must use the seed, the case, the vendor and the signing key that "
                        "the challenge names. (A challenge is a random seed that the operator "
                        "issues before the run.)",
                  .zh = "应答抽查（challenge）的运行，种子、用例、厂商与签名密钥都必须与抽查所写的"
                        "一致。抽查是运营者在运行之前发出的随机种子。"},
    .why = {.en = "A run answers a challenge only if it started after the challenge was issued and "
                  "used its seed.",
            .zh = "运行必须在抽查发出之后才开始，且使用抽查的种子，才算应答了抽查。"},
    .how = {.en = "The option `verify --challenge FILE` names the challenge. The round, nonce, "
                  "vendor, key and seed in run.json, and the seed in the log, must be those of the "
                  "challenge. case.json must have the SHA-256 that the challenge names, and the run "
                  "must not begin before the day on which the challenge was issued. If the "
                  "challenge names a key, the submission must be signed with this key.",
            .zh = "核验时用 `verify --challenge FILE` 指定抽查。run.json 中的轮次、随机数、厂商、密"
                  "钥与种子，以及日志中的种子，都必须与抽查所写的一致。提交包中 case.json 的 "
                  "SHA-256 必须与抽查所写的一致，运行的开始时间不得早于抽查发出之日。如果抽查要求指"
                  "定了签名密钥，提交包必须用该密钥签名。"},
    .fix = {.en = "Run the case with `fpreport train CASE --challenge FILE`, and submit this run.",
            .zh = "用 `fpreport train CASE --challenge FILE` 运行用例，并提交这次运行。"},
    .cases = cases,
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "run.json",
                .honest = "\"vendor\": \"globex\"",
                .changed = "\"vendor\": \"acme\""},
};
/* clang-format on */
