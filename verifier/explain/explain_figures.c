/* explain_figures: the explanations of FP2xxx. Figures. */
#include "verifier/explain/explain_rules.h"

/* clang-format off */
const struct explanation explain_figures[] = {
    {.id = "FP2001", .in = EXPLAIN_RUN, .file = "rank0.out.log",
     .why = "Throughput is worth nothing when the training does not learn what it should. "
            "The rule is FlagPerf's.",
     .how = "From the case's from_step on (21), |loss - reference| / |reference| is "
            "averaged over the steps that the log and the case's reference both have. Below "
            "the limit (2 %) is aligned; a loss that is not finite is not. `fpreport diff` "
            "shows more.",
     .fix = "Look at the step of the largest deviation with `fpreport diff`; the usual "
            "causes are precision, data order and initial weights.",
     .honest = "\"loss\": 0.90771806",
     .changed = "\"loss\": 9.90771806"},
    {.id = "FP2002", .in = EXPLAIN_RECORD,
     .why = "Throughput is the figure that is quoted, so it has to follow from the log.",
     .how = "Steps * LBS * GAS * DP * MPE / seconds / cards over the steps behind the "
            "case's warm-up, or for the last step only where the case reports that one. "
            "Tolerance is one unit in the last printed place.",
     .fix = "State what the log gives; if the convention of the case is another one, "
            "correct the case.",
     .honest = "17789.9",
     .changed = "27789.9"},
    {.id = "FP2003", .in = EXPLAIN_PAGE,
     .why = "MFU is what makes accelerators comparable, and is easily printed as a ratio "
            "with a percent sign, or with the peak of another card.",
     .how = "factor * N * token/p/s / peak: factor 6 for training, 4 for LoRA, 2 for LLaVA's "
            "pretraining; N nominal; token/p/s the tokens per second of one card; peak the "
            "dense datasheet figure of the row's precision. "
            "Tolerance is one unit in the last printed place, plus what the rounding of "
            "token/p/s can do ('1e4' and '10k' count as rounded to three digits); beyond "
            "it, up to 0.5 % of the figure are a warning, "
            "and so is the peak of another precision of the card.",
     .fix = "Recompute the cell from its own row; the derivation is in the message.",
     .honest = "48.0%",
     .changed = "57.9%"},
    {.id = "FP2004", .in = EXPLAIN_PAGE,
     .why = "A global batch that its factors do not give means that one of them is not the "
            "one that ran.",
     .how = "GBS = LBS * GAS * DP by the row, else by the page; in tokens times the "
            "sequence length, with K = 1024 and M = 1024 * 1024.",
     .fix = "Correct the factor or the product.",
     .honest = "GBS=128=512K",
     .changed = "GBS=256=512K"},
    {.id = "FP2005", .in = EXPLAIN_PAGE,
     .why = "A plan that does not use the cards that are named cannot have run on them.",
     .how = "TP * PP * DP (* CP) is compared with the cards of the configuration, or with "
            "the devices where one card shows several.",
     .fix = "Correct the plan or the configuration.",
     .honest = "TP2PP1DP4 | GAS",
     .changed = "TP2PP2DP4 | GAS"},
    {.id = "FP2006", .in = EXPLAIN_PAGE,
     .why = "The words and the bracket of a configuration are both read; when they differ, "
            "half of the readers divide by the wrong number of cards.",
     .how = "'单机8卡' is compared with '(1x8)': nodes with nodes, cards with cards per node "
            "or with all.",
     .fix = "Make them agree.",
     .honest = "A100单机8卡（1x8）",
     .changed = "A100单机8卡（1x1）"},
    {.id = "FP2007", .in = EXPLAIN_PAGE,
     .why = "More memory than there is cannot have been used.",
     .how = "Of 'used/total' the first is at most the second, and the second at most what "
            "the card has by its record, the environment or the row.",
     .fix = "Correct the cell; a peak over several cards belongs in words, not into this "
            "column.",
     .honest = "35.1/40",
     .changed = "45.1/40"},
    {.id = "FP2008", .in = EXPLAIN_PAGE,
     .why = "A score that is printed beside its target invites to be read as reached.",
     .how = "In 'score/target' the first is compared with the second, by the direction of "
            "the metric. In the table that pages had before, rows with different targets are "
            "a notice.",
     .fix = "Say in the notes why the target is not reached.",
     .honest = "46.2/45",
     .changed = "44.2/45"},
    {.id = "FP2009", .in = EXPLAIN_RECORD,
     .why = "The final loss is the shortest summary of a training, and the log has it.",
     .how = "The stated loss is compared with that of the last step in the log, to one unit "
            "in the last printed place.",
     .fix = "State the loss of the last step.",
     .honest = "\"0.9077\"",
     .changed = "\"0.8077\""},
    {.id = "FP2010", .in = EXPLAIN_PAGE,
     .why = "An expression in a cell is there to be followed, so it has to be right.",
     .how = "The left side of '=' is computed and compared with the right side, to one unit "
            "in its last place.",
     .fix = "Correct the factor or the result.",
     .honest = "8*400=3200",
     .changed = "8*400=3400"},
    {.id = "FP2011", .in = EXPLAIN_PAGE,
     .why = "Nothing does more arithmetic than its peak: above 100 % a figure or a unit is "
            "wrong, at 0 nothing was measured.",
     .how = "The printed MFU, without its sign also as a ratio, has to be above 0 and at "
            "most 100 %.",
     .fix = "Look for the peak of another precision, or a factor of 100.",
     .honest = "48.0%",
     .changed = "148.0%"},
    {.id = "FP2012", .in = EXPLAIN_RECORD,
     .why = "The peak of memory is what decides whether a case fits, and monitors have it.",
     .how = "The largest sample of the accelerator's monitor in MiB / 1024, or of the "
            "machine's memory where there is no accelerator, to one unit in the last "
            "printed place.",
     .fix = "State the peak of the monitors.",
     .honest = "\"0.6/23.5\"",
     .changed = "\"0.1/23.5\""},
    {.id = "FP2013", .in = EXPLAIN_RECORD,
     .why = "MFU can agree with a stated throughput that the log does not give.",
     .how = "As FP2003, with the throughput that FP2002 recomputed from the log.",
     .fix = "Correct token/p/s first, then MFU.",
     .honest = "\"6.2%\"",
     .changed = "\"9.9%\""},
    {.id = "FP2014", .in = EXPLAIN_RECORD,
     .why = "Scripts print their results at the end of the log; a page that has others was "
            "not made from that run.",
     .how = "Times and scores of the FINISHED event or the final lines are compared by their "
            "names, to one unit in the last printed place. p_whole, p_train and p_core are "
            "num_trained_samples over raw_train_time, train_no_eval_time and "
            "pure_training_computing_time; what the event prints, where it lacks one of them.",
     .fix = "State the values that the log ends with.",
     .honest = "\"17789.9\", \"3.6\"",
     .changed = "\"17789.9\", \"2.9\""},
    {.id = "FP2015", .in = EXPLAIN_PAGE,
     .why = "Eight cards do about eight times the work of one; far more or less is a figure "
            "per card in a column for all, or the other way round.",
     .how = "Throughput per card (p_core / cards, or token/p/s at the same batch) is compared "
            "with that of the smallest size of the same accelerator and precision: 0.6 to 1.25 "
            "times; down to 0.5 is a notice. p_train and p_whole may be at most twice. It may "
            "be right, so this is a warning.",
     .fix = "Check whether the figure is per card or for all cards.",
     .honest = "| 70 | 74 | 78 |",
     .changed = "| 7.0 | 7.4 | 7.8 |"},
    {.id = "FP2016", .in = EXPLAIN_PAGE,
     .why = "Each rate leaves out more of the time than the one in front of it, so that it "
            "cannot be smaller.",
     .how = "p_whole <= p_train <= p_core in each row, to one unit in the last printed "
            "place; and p_whole / p_train is not three times smaller than in another row.",
     .fix = "The columns are probably swapped.",
     .honest = "| 70 | 74 | 78 |",
     .changed = "| 78 | 74 | 70 |"},
    {.id = "FP2017", .in = EXPLAIN_PAGE,
     .why = "A negative loss, no seconds or 173 % accuracy come from a slip of the pen "
            "or of a script.",
     .how = "Times, rates, losses and memory must be above 0, perplexity at least 1, "
            "scores between 0 and 100.",
     .fix = "Look the figure up in the log.",
     .honest = "| 3564 | 1.95 |",
     .changed = "| 3564 | -1.95 |"},
    {.id = "FP2018", .in = EXPLAIN_PAGE,
     .why = "0.465 and 46.2 in one column cannot be compared until somebody guesses "
            "which is a percentage.",
     .how = "Scores of one column, and a score with its target, are all at most 1 or "
            "all percentages.",
     .fix = "Write all of them in one form.",
     .honest = "46.5/45",
     .changed = "0.465/0.45"},
    {.id = "FP2019", .in = EXPLAIN_PAGE,
     .why = "Where a vendor withholds the peak, MFU cannot be recomputed; but rows of "
            "one card share the peak, so that twice the throughput has twice the MFU.",
     .how = "MFU of another row of the same card, precision and stage, times the ratio of "
            "the two throughputs, to one unit in the last printed place of each. Of several "
            "rows it is the one that most others are in proportion to.",
     .fix = "Recompute both rows with the same peak.",
     .honest = "| 180 | 38.8%",
     .changed = "| 180 | 48.8%"},
    {.id = "FP2020", .in = EXPLAIN_PAGE,
     .why = "The same model on the same data for as many steps ends at about the same "
            "loss, whoever made the card.",
     .how = "The loss is compared with the median of what other vendors' records state "
            "for the case and stage. Against a single other vendor it is a notice, "
            "because either may be wrong.",
     .fix = "Compare the loss curves with `fpreport diff`.",
     .honest = "| 3564 | 1.95 |",
     .changed = "| 3564 | 6.84 |"},
    {.id = "FP2021", .in = EXPLAIN_PAGE,
     .why = "'6/25' on a card of 64 GB was measured on another card, or on part of one.",
     .how = "The total in 'used/total' is compared with the memory of the card, or with "
            "that of one device of it, with 5 % for what the driver keeps.",
     .fix = "State the card's memory as total.",
     .honest = "33.0/40",
     .changed = "20.0/24"},
    {.id = "FP2022", .in = EXPLAIN_PAGE,
     .why = "A note that shows how MFU was computed is there to be followed; its "
            "throughput must be the one that the page states.",
     .how = "'MFU = …' is evaluated (+ * / ^ and brackets) and compared with the result "
            "behind it; its first factor is looked for in the columns of rates, for one "
            "card or all, to 0.5 %.",
     .fix = "Recompute the note from the table.",
     .honest = "MFU = 3564 *",
     .changed = "MFU = 4564 *"},
    {.id = "FP2023", .in = EXPLAIN_PAGE,
     .why = "'1600 / 8' is a figure per card only where there are eight cards.",
     .how = "The last divisor of an expression for a rate, and the number of addends of "
            "one for memory, are compared with the cards of the row.",
     .fix = "Correct the expression or the configuration.",
     .honest = "1440 / 8 = 180",
     .changed = "2880 / 16 = 180"},
    {.id = "FP2024", .in = EXPLAIN_PAGE,
     .why = "Rows of one case train the same model on the same data; a loss far from all "
            "others is of another run, or has a digit too many or too few.",
     .how = "The loss is compared with those of the other rows of the table and stage. One "
            "that is three times smaller or larger than all of them is reported; of two rows "
            "the second.",
     .fix = "Look the loss up in the log.",
     .honest = "| 8*400=3200 | 1.95 |",
     .changed = "| 8*400=3200 | 0.195 |"},
    {.id = "FP2025", .in = EXPLAIN_PAGE,
     .why = "A case sets the target; whoever reaches it comes out near the others.",
     .how = "Each score is compared with the median of what other vendors state for the case "
            "in the same column; 0.84 and 84 % are the same. Against one or two others it is a "
            "notice.",
     .fix = "Check the figure and its decimal point, or say why the run stopped elsewhere.",
     .honest = "46.2/45 | 48.0%",
     .changed = "4.62/45 | 48.0%"},
    {.id = NULL},
};
/* clang-format on */
