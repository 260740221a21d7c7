#include "cli/score/mmmu_task.h"
#include "cli/train/training.h"

#include <string.h>

/* Options that must be given. */
static int check_given(struct cli *cli)
{
    const struct options *o = &cli->opt;
    const struct {
        const char *name, *value, *expected;
    } all[] = {{"--init", o->init, "a model's weights"},
               {"--tokenizer", o->tokenizer, "its tokenizer.model"},
               {"--questions", o->questions, "the folder of MMLU or MMMU"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!all[i].value)
            return cli_usage(cli, "found no %s, expected %s", all[i].name, all[i].expected);
    return EXIT_AGREED;
}

static int load_scored_case(struct cli *cli, struct training *t)
{
    int code = training_case(cli, t);
    if (code)
        return exit_worse(code, cli_diags(cli));
    if (strcmp(t->record.trainer, "native") != 0)
        return cli_usage(cli,
                         "an external command trains the case %s, expected a case for "
                         "fpreport's own trainer",
                         t->record.id);
    code = training_model(cli, t);
    return code ? exit_worse(code, cli_diags(cli)) : training_machine(cli, t);
}

static int run_score(struct cli *cli)
{
    struct training t = {.name = cli->args[1]};
    struct score_task task = {.way = mmlu_way_find(cli->args[0]),
                              .weights = cli->opt.init,
                              .adapters = cli->opt.adapters,
                              .tokenizer = cli->opt.tokenizer,
                              .questions = cli->opt.questions,
                              .projector = cli->opt.projector,
                              .tower = cli->opt.tower};
    const struct mmmu_way *seen = mmmu_way_find(cli->args[0]);
    if (!task.way && !seen)
        return cli_usage(cli, "found '%s', expected " MMLU_WAY_NAMES ", " MMMU_WAY_NAMES,
                         cli->args[0]);
    if (!seen && (task.projector || task.tower))
        return cli_usage(cli, "--projector and --tower are for " MMMU_WAY_NAMES ", found %s",
                         cli->args[0]);
    int code = check_given(cli);
    if (code == 0)
        code = load_scored_case(cli, &t);
    if (code)
        return code;
    task.record = &t.record;
    task.model = &t.model;
    task.machine = t.machine;
    task.ordinal = t.ordinal;
    return seen ? mmmu_task_run(cli, &task, seen) : score_task_run(cli, &task);
}

static const enum option_id options[] = {OPTION_INIT,    OPTION_ADAPTERS,  OPTION_PROJECTOR,
                                         OPTION_TOWER,   OPTION_TOKENIZER, OPTION_QUESTIONS,
                                         OPTION_DEVICE,  OPTION_FORMAT,    OPTION_OUT,
                                         OPTION_RECORDS, OPTION_END};

const struct command command_score = {
    .name = "score",
    .summary = "run a model on the questions of MMLU or MMMU",
    .arguments = "WAY CASE",
    .examples =
        "  fpreport score mmlu tiny_llama --init CHECKPOINT --tokenizer tokenizer.model \\\n"
        "      --questions mmlu\n"
        "  fptrain score mmlu-flagperf llama2_7b_finetune-native --init llama-2-7b-hf \\\n"
        "      --adapters CHECKPOINT --tokenizer tokenizer.model --questions mmlu\n"
        "  fptrain score mmmu llava1.5_13b-native-finetune --init CHECKPOINT \\\n"
        "      --tower clip-vit --tokenizer tokenizer.model --questions mmmu\n",
    .details = "\n"
               "WAY is mmlu (Hendrycks: 5 examples, 2048 tokens, the largest logit of A, B, C\n"
               "and D, mean over subjects) or mmlu-flagperf (512 tokens, too long prompts lose\n"
               "their first examples, the largest logit of the vocabulary, mean over questions).\n"
               "CASE gives model, precision and adapters; dropout is off. The MMLU folder has\n"
               "dev/SUBJECT_dev.csv and test/SUBJECT_test.csv: question, A, B, C, D, answer.\n"
               "For multimodal models, WAY is mmmu (greedy decoding, read by MMMU's public\n"
               "rules; where these rules draw a random option, a fixed seed draws it) or\n"
               "mmmu-logits (the largest logit of the options, no free answers); both report the\n"
               "mean over questions. The MMMU folder has questions.json: id, question, options,\n"
               "answer, question_type, image_1 (a JPEG or PNG below the folder; the model does\n"
               "not see further images, and the report counts their questions). FlagPerf's MMMU\n"
               "figure uses sampled beams, so nobody can reproduce it.\n",
    .options = options,
    .out_meaning = "write to this file instead of standard output",
    .min_arguments = 2,
    .max_arguments = 2,
    .run = run_score,
};
