/* explain_page: the explanations of FP1xxx. The page as a text. */
#include "verifier/explain/explain_rules.h"

/* clang-format off */
const struct explanation explain_page[] = {
    {.id = "FP1001", .in = EXPLAIN_PAGE,
     .why = "A cell too many or too few moves every figure behind it under another heading, "
            "and no reader can tell which cell is the wrong one.",
     .how = "The cells of each row of a figure table are counted and compared with those of "
            "the header; empty ones too many are a warning. Without the rule (|---|) below "
            "the header there is no table; its rows are checked all the same.",
     .fix = "Add the missing cell ('/' when the figure is withheld) or remove the surplus "
            "one.",
     .honest = "| 3564 | 1.95 |",
     .changed = "| 3564 |"},
    {.id = "FP1003", .in = EXPLAIN_PAGE,
     .why = "A figure under another heading is a wrong figure twice: where it stands, and "
            "where it is missing.",
     .how = "Each cell is held to the form of its column. One that does not fit its own but "
            "fits another column of the row is reported, as memory ('35.1/40') under MFU.",
     .fix = "Put the figure into its own column.",
     .honest = "35.1/40 | 46.2/45 | 48.0%",
     .changed = "48.0% | 46.2/45 | 35.1/40"},
    {.id = "FP1004", .in = EXPLAIN_PAGE,
     .why = "What is no number cannot be compared, sorted or recomputed; '80.83.2%' may be "
            "two figures.",
     .how = "Cells of columns of figures are read as numbers, ranges, pairs, expressions, "
            "or one of the words for an absent figure: '/' (withheld), empty (missing), "
            "OOM. Anything else fails.",
     .fix = "Write one number, or say why there is none.",
     .honest = "| 3564 |",
     .changed = "| 35.6.4 |"},
    {.id = "FP1005", .in = EXPLAIN_PAGE,
     .why = "A reader who wants to repeat a result needs the environment; an empty field "
            "leaves open whether it was forgotten or is not to be told.",
     .how = "Each bullet of the environment must have a value and stand there once in its "
            "group; task, model, data set, precision and device of the general table must "
            "have a value.",
     .fix = "Fill the field, or write '/' when it is withheld.",
     .honest = "OS版本：Ubuntu 20.04",
     .changed = "OS版本："},
    {.id = "FP1006", .in = EXPLAIN_PAGE,
     .why = "A heading with another vendor's name shows that the page was made from that "
            "vendor's page; then other parts may have been left over, too.",
     .how = "Names, headings and cards of all vendors in the records are looked for in the "
            "headings of the page.",
     .fix = "Correct the heading, and read the whole block below it again.",
     .honest = "Nvidia GPU配置",
     .changed = "Iluvatar GPU配置"},
    {.id = "FP1007", .in = EXPLAIN_PAGE,
     .why = "A remark about a row that is not there is a remark about a row that was "
            "removed or renumbered.",
     .how = "'第N组' in the text is compared with the number of rows of the table behind it.",
     .fix = "Correct the number, or remove the remark.",
     .honest = "第2组",
     .changed = "第5组"},
    {.id = "FP1008", .in = EXPLAIN_PAGE,
     .why = "0.48 and 48 % are the same, and 0.48 % is not: without the sign only the "
            "reader's good will decides.",
     .how = "Each MFU cell must end in a percent sign.",
     .fix = "Print it as a percentage.",
     .honest = "48.0%",
     .changed = "0.480"},
    {.id = "FP1009", .in = EXPLAIN_PAGE, .times = 401,
     .why = "Checks compare rows with each other; what is beyond a limit would go "
            "unchecked, and unchecked must not look like correct.",
     .how = "Rows with claims, bullets, batch sizes and pieces of evidence are counted "
            "against limits that are far above those of any published page.",
     .fix = "Split the result.",
     .honest = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
     .changed = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n"},
    {.id = "FP1010", .in = EXPLAIN_PAGE,
     .why = "The general table tells a reader where to look; a metric that is in no "
            "column was renamed or left out.",
     .how = "Of each row 'NAME,见“性能指标”' NAME is looked for among the headers of the "
            "tables of figures. A header that is much like it (acc, final_acc1) is a "
            "notice.",
     .fix = "Give both the same name, or add the column.",
     .honest = "| 计算使用率   | MFU,见",
     .changed = "| 计算使用率   | ppl,见"},
    {.id = "FP1011", .in = EXPLAIN_PAGE, .times = 2,
     .why = "A row that stands there twice was copied to be changed, and was not.",
     .how = "Rows of one table are compared cell by cell; rows without figures do not count. "
            "Three times and rates that are those of another number of cards, or throughput "
            "and memory of another model or of another older table, to the last digit, are an "
            "error.",
     .fix = "Remove it, or fill in what it should say.",
     .honest = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
     .changed = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n"},
    {.id = "FP1012", .in = EXPLAIN_PAGE,
     .why = "A page without environment or figures passes all other rules, because it "
            "claims nothing.",
     .how = "There must be an environment, a table of figures, and in it a cell that "
            "states or withholds something; a table that is all empty is a notice.",
     .fix = "Add what is missing, or say with '/' that it is withheld.",
     .honest = "* 性能指标\n",
     .changed = "* 性能指标\n\n```\n"},
    {.id = "FP1013", .in = EXPLAIN_PAGE,
     .why = "Throughput depends on the precision more than on most other things, so it "
            "may not be told in two ways.",
     .how = "A single precision in the general table is compared with the first row "
            "that names one; lists ('fp32/amp') are not.",
     .fix = "Write 'precision,见“性能指标”' into the general table.",
     .honest = "precision,见“性能指标”",
     .changed = "amp"},
    {.id = "FP1014", .in = EXPLAIN_PAGE,
     .why = "A reminder says that the author did not think the page to be finished.",
     .how = "TODO and its like are looked for as words of the texts; fields and cells are "
            "not texts.",
     .fix = "Do it, or remove the mark.",
     .honest = "注：`MFU",
     .changed = "TODO: 更新 `MFU"},
    {.id = "FP1015", .in = EXPLAIN_PAGE,
     .why = "Between the marks of a conflict a page says two things, of which a reader sees "
            "both as one.",
     .how = "Lines of texts that begin with seven '<' or seven '>' and a blank.",
     .fix = "Resolve the conflict.",
     .honest = "注：`MFU",
     .changed = "<<<<<<< HEAD\n`MFU"},
    {.id = "FP1016", .in = EXPLAIN_PAGE,
     .why = "Two trainings do not take the same seconds at the same rates; one of the two rows "
            "was copied from the other.",
     .how = "Times and rates of a row (loss and memory, where there are few) are looked up "
            "among those of all results of the records and of the pages that are verified "
            "together: at least three figures with ten digits, all of them equal. It is an "
            "error between two models of one vendor, a warning between vendors, because either "
            "may be the copy, and between cases of one model.",
     .fix = "State the figures of this run.",
     .honest = "| 70 | 74 | 78 |",
     .changed = "| 140.25 | 148.34 | 156.82 |"},
    {.id = NULL},
};
/* clang-format on */
