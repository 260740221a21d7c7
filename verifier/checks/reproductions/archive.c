#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_archive(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_faults(a, t, REPRODUCTION_ARCHIVE,
                               "its archive is the one that it names, and whole");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "its archive is the one that it names, and whole",
     .zh = "其提交包就是所写的那个，且完整"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {reproduction_messages, NULL};

const struct rule rule_fp5001 = {
    .id = "FP5001",
    .kind = "reproduction",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_RUN,
    .reproduction = check_reproduction_archive,
    .title = {.en = "Archive of a reproduction", .zh = "复现的证据"},
    .statement = {.en = "The archive of a reproduction is whole, and the file whose SHA-256 its "
                        "record states.",
                  .zh = "复现的提交包完整，且其 SHA-256 与记录所写一致。"},
    .why = {.en = "Anybody can write that a result was reproduced; the run that was made for it "
                  "is what shows it.",
            .zh = "谁都可以写“结果已复现”；为此所做的那次运行才是凭据。"},
    .how = {.en = "The archive that the record names is opened as evidence is (FP4001, FP4002, "
                  "FP4009): its SHA-256 is the stated one, every file is what its manifest says.",
            .zh = "像证据那样打开记录所写的提交包（FP4001、FP4002、FP4009）：其 SHA-256 与所写一致，"
                  "每个文件都与清单一致。"},
    .fix = {.en = "Give the archive that `fpreport reproduce` wrote beside the record, or run the "
                  "case again.",
            .zh = "提供 `fpreport reproduce` 写在记录旁边的提交包，或重新运行用例。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"archive\": \"reproductions/",
                .changed = "\"archive\": \"lost/"},
};
/* clang-format on */
