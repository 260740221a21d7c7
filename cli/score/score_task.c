#include "cli/score/score_task.h"

#include "cli/score/score_report.h"
#include "cli/score/scoring.h"

struct mmlu_scoring {
    struct scoring all;
    struct mmlu questions;
    struct score_prompts prompts;
};

static int ask_model(void *context, struct device *device, struct err *err)
{
    struct mmlu_scoring *s = context;
    const struct score_task *task = s->all.task;
    const struct scored_model_files files = {.weights = task->weights, .adapters = task->adapters};
    const struct score_observer observer = scoring_observer(&s->all);
    struct scored_model model;
    struct score score;
    if (scored_model_open(&model, &s->all.settings, &files, s->prompts.longest, device, err) < 0)
        return -1;
    int rc = score_run(&score, &s->prompts, &s->questions, &model, &observer, err);
    scoring_clear_line(&s->all);
    if (rc == 0) {
        const struct score_report report = {
            .case_id = s->all.task->record->id,
            .device = device->name,
            .precision = s->all.settings.precision,
            .way = s->all.task->way,
            .questions = &s->questions,
            .tokenizer = &s->all.tokenizer,
            .model = &model,
            .score = &score,
        };
        struct buf *out = &s->all.cli->out;
        if (cli_wants_json(s->all.cli))
            score_report_json(&report, out);
        else
            score_report_text(&report, out);
        score_release(&score);
    }
    scored_model_close(&model);
    return rc;
}

static int read_prompts(struct mmlu_scoring *s, struct err *err)
{
    const struct score_task *task = s->all.task;
    if (mmlu_load(task->questions, &s->all.cli->arena, &s->questions, err) < 0 ||
        score_prompts_make(&s->prompts, task->way, &s->questions, &s->all.tokenizer, err) < 0)
        return -1;
    s->all.questions = s->prompts.n;
    return 0;
}

int score_task_run(struct cli *cli, const struct score_task *task)
{
    struct mmlu_scoring s = {.questions = {.n = 0}};
    struct err err = ERR_INIT;
    int rc = scoring_begin(&s.all, cli, task, &err);
    if (rc == 0)
        rc = read_prompts(&s, &err);
    if (rc == 0)
        rc = scoring_on_machine(&s.all, ask_model, &s, &err);
    score_prompts_release(&s.prompts);
    scoring_end(&s.all);
    return rc < 0 ? cli_fail(cli, &err) : cli_deliver(cli);
}
