#include "verifier/checks/reproductions/answer.h"
#include "verifier/claims/rule.h"

#include <math.h>

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
     .zh = "运行回应了轮次 {1}，种子为 {2}"},
    {NULL, NULL},
};

static const struct rule_case cases[] = {
    {"the challenge wants it signed with the key %s, which it is not",
     {.en = "Seal the run anew with the key that the challenge names: fpreport collect RUN --sign "
            "KEY. It does not have to be run again.",
      .zh = "用挑战指定的密钥重新封存运行：fpreport collect RUN --sign KEY。无需重新运行。"}},
    {"signed with the key %s, the challenge is for %s",
     {.en = "Seal the run anew with the key that the challenge names: fpreport collect RUN --sign "
            "KEY. It does not have to be run again.",
      .zh = "用挑战指定的密钥重新封存运行：fpreport collect RUN --sign KEY。无需重新运行。"}},
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
    .title = {.en = "The challenge", .zh = "挑战"},
    .statement = {.en = "The run answers the challenge that is asked about: its seed, its case, "
                        "its vendor and its key.",
                  .zh = "运行回应了所问的挑战：种子、用例、厂商与密钥都是它的。"},
    .why = {.en = "A challenge is worth something only for the run that was made with its seed, "
                  "after it was issued.",
            .zh = "挑战只对发出之后、用其种子所做的运行才有意义。"},
    .how = {.en = "With `verify --challenge FILE`: round, nonce, vendor, key and seed in run.json "
                  "and the seed of the log are those of the challenge, case.json has the digest "
                  "that it names, the run began on its day or later, and where it names a key, "
                  "that key signed.",
            .zh = "使用 `verify --challenge FILE` 时：run.json 里的轮次、随机数、厂商、密钥与种子"
                  "以及日志的种子与挑战一致，case.json 的摘要就是它所指的摘要，运行始于其发出当日"
                  "或之后；若它指定了密钥，则签名用的就是该密钥。"},
    .fix = {.en = "Run the case with `fpreport train CASE --challenge FILE`, and seal that run.",
            .zh = "用 `fpreport train CASE --challenge FILE` 运行用例，并封存该运行。"},
    .cases = cases,
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_ANSWER,
                .file = "run.json",
                .honest = "\"vendor\": \"globex\"",
                .changed = "\"vendor\": \"acme\""},
};
/* clang-format on */
