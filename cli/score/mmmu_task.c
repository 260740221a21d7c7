#include "cli/score/mmmu_task.h"

#include "cli/score/mmmu_report.h"
#include "cli/score/scoring.h"

struct mmmu_scoring {
    struct scoring all;
    const struct mmmu_way *way;
    struct mmmu questions;
    struct mmmu_prompts prompts;
};

static void report_seen(struct mmmu_scoring *s, const struct device *device,
                        const struct scored_model *model, const struct mmmu_score *score)
{
    const struct mmmu_report report = {
        .case_id = s->all.task->record->id,
        .device = device->name,
        .precision = s->all.settings.precision,
        .way = s->way,
        .questions = &s->questions,
        .prompts = &s->prompts,
        .tokenizer = &s->all.tokenizer,
        .model = model,
        .score = score,
    };
    struct buf *out = &s->all.cli->out;
    if (cli_wants_json(s->all.cli))
        mmmu_report_json(&report, out);
    else
        mmmu_report_text(&report, out);
}

static int ask_seeing_model(void *context, struct device *device, struct err *err)
{
    struct mmmu_scoring *s = context;
    const struct score_task *task = s->all.task;
    const struct scored_model_files files = {.weights = task->weights,
                                             .adapters = task->adapters,
                                             .projector = task->projector,
                                             .tower = task->tower};
    const struct score_observer observer = scoring_observer(&s->all);
    struct scored_model model;
    struct mmmu_score score;
    if (scored_model_open(&model, &s->all.settings, &files, s->prompts.longest, device, err) < 0)
        return -1;
    int rc = mmmu_score_run(&score, &s->prompts, &s->questions, &s->all.tokenizer, &model,
                            &observer, err);
    scoring_clear_line(&s->all);
    if (rc == 0) {
        report_seen(s, device, &model, &score);
        mmmu_score_release(&score);
    }
    scored_model_close(&model);
    return rc;
}

static int look_at_questions(struct mmmu_scoring *s, struct err *err)
{
    const struct score_task *task = s->all.task;
    const struct training *t = &s->all.settings;
    if (t->tower.layers == 0)
        return err_set(err, ERR_USAGE,
                       "case %s: found a model without a vision tower, expected a multimodal model",
                       task->record->id);
    if (mmmu_load(task->questions, &s->all.cli->arena, &s->questions, &s->all.cli->diags, err) <
            0 ||
        mmmu_prompts_make(&s->prompts, s->way, &s->questions, &s->all.tokenizer, t, err) < 0)
        return -1;
    s->all.questions = s->questions.n;
    return mmmu_prompts_look(&s->prompts, &s->questions, task->questions, t->tower.side, err);
}

int mmmu_task_run(struct cli *cli, const struct score_task *task, const struct mmmu_way *way)
{
    struct mmmu_scoring s = {.way = way};
    struct err err = ERR_INIT;
    int rc = scoring_begin(&s.all, cli, task, &err);
    if (rc == 0)
        rc = look_at_questions(&s, &err);
    if (rc == 0)
        rc = scoring_on_machine(&s.all, ask_seeing_model, &s, &err);
    mmmu_prompts_release(&s.prompts);
    scoring_end(&s.all);
    if (rc < 0)
        return err.kind ? cli_fail(cli, &err) : cli_diags(cli);
    return cli_deliver(cli);
}
