/* explain_challenge: the explanations of FP6xxx. Challenges. */
#include "verifier/explain/explain_rules.h"

#define SEAL_AGAIN                                                                               \
    "Seal the run anew with the key that the challenge names: fpreport collect RUN --sign KEY. " \
    "It "                                                                                        \
    "does not have to be run again."

static const struct explain_case answer_cases[] = {
    {"the challenge wants it signed", SEAL_AGAIN},
    {"signed with the key", SEAL_AGAIN},
    {NULL, NULL},
};

/* clang-format off */
const struct explanation explain_challenge[] = {
    {.id = "FP6001", .in = EXPLAIN_ANSWER, .file = "run.json",
     .why = "A challenge is worth something only for the run that was made with its seed, after it "
            "was issued.",
     .how = "With `verify --challenge FILE`: round, nonce, vendor, key and seed in run.json and the "
            "seed of the log are those of the challenge, case.json has the digest that it names, "
            "the run began on its day or later, and where it names a key, that key signed.",
     .fix = "Run the case with `fpreport train CASE --challenge FILE`, and seal that run.",
     .cases = answer_cases,
     .honest = "\"vendor\": \"globex\"",
     .changed = "\"vendor\": \"acme\""},
    {.id = "FP6002", .in = EXPLAIN_ANSWER, .file = "rank0.out.log",
     .why = "Some batches are harder than others, for every model that sees them. A curve of another "
            "seed, or one that was made up, goes up and down at other steps.",
     .how = "The first 200 steps of the case are trained here with the challenge's seed. Of the "
            "differences from each loss to the next, from step 21 on, the log's and those, the "
            "correlation must be above 0.5. The steps before are left out because every curve "
            "falls there alike. A smaller model that sees the same batches passes, so that this "
            "alone shows the order of the data and no more.",
     .fix = "Train the case with the challenge's seed; if that was done, find out where data or "
            "their order differ.",
     .honest = "\"loss\": 1.45231867",
     .changed = "\"loss\": 91.45231867"},
    {.id = "FP6003", .in = EXPLAIN_ANSWER, .file = "rank0.out.log",
     .why = "Before the first update nothing has had time to drift: the same weights and the same "
            "batch give the same loss, but for the rounding of the precision.",
     .how = "STEP_ZERO of the log is compared with the loss of the initial weights on the first "
            "batch here. The bound is the one of the run's precision. Who computes that one loss "
            "rightly passes.",
     .fix = "Train the case with the challenge's seed; if that was done, compare the initial weights.",
     .honest = "\"loss\": 4.903428027406335",
     .changed = "\"loss\": 4.913428027406335"},
    {.id = "FP6004", .in = EXPLAIN_ANSWER, .file = "rank0.out.log",
     .why = "Until two trainings of one case drift apart, the same seed gives the same losses on "
            "every machine, but for rounding. A smaller model, or other weights, in the right "
            "order of the data do not.",
     .how = "The distance from the losses that were trained here, relative to them, must in the "
            "mean of steps 2 to 10 be below a bound of the run's precision (1e-5 in fp32, 1e-3 "
            "in bf16), and below 0.05 in that of the first 200. Who trains ten steps rightly "
            "passes the first of them.",
     .fix = "Train the case with the challenge's seed; if that was done, compare the settings of the "
            "optimizer and the precision.",
     .honest = "\"loss\": 4.3806901",
     .changed = "\"loss\": 4.4806901"},
    {.id = NULL},
};
/* clang-format on */
