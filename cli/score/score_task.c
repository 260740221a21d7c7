#include "cli/score/score_task.h"

#include "base/clock.h"
#include "cli/score/score_report.h"
#include "cli/train/native_settings.h"
#include "cli/train/train_native.h"

#include <stdio.h>

struct scoring {
    struct cli *cli;
    const struct score_task *task;
    struct training settings;
    struct mmlu questions;
    struct tokenizer tokenizer;
    struct score_prompts prompts;
    double shown; /* when progress was last shown */
};

static void show_asked(void *context, size_t done)
{
    struct scoring *s = context;
    double now = clock_seconds();
    if (!s->cli->progress || now - s->shown < 0.1)
        return;
    s->shown = now;
    fprintf(stderr, "\r%zu of %zu questions \033[K", done, s->prompts.n);
}

static void report_score(struct scoring *s, const struct device *device,
                         const struct scored_model *model, const struct score *score)
{
    const struct score_report report = {
        .case_id = s->task->record->id,
        .device = device->name,
        .precision = s->settings.precision,
        .way = s->task->way,
        .questions = &s->questions,
        .tokenizer = &s->tokenizer,
        .model = model,
        .score = score,
    };
    if (cli_wants_json(s->cli))
        score_report_json(&report, &s->cli->out);
    else
        score_report_text(&report, &s->cli->out);
}

static int ask_model(struct scoring *s, struct device *device, struct err *err)
{
    const struct scored_model_files files = {s->task->weights, s->task->adapters};
    const struct score_observer observer = {show_asked, s};
    struct scored_model model;
    struct score score;
    if (scored_model_open(&model, &s->settings, &files, s->prompts.longest, device, err) < 0)
        return -1;
    int rc = score_run(&score, &s->prompts, &s->questions, &model, &observer, err);
    if (s->cli->progress)
        fputs("\r\033[K", stderr);
    if (rc == 0) {
        report_score(s, device, &model, &score);
        score_release(&score);
    }
    scored_model_close(&model);
    return rc;
}

static int ask_on_machine(struct scoring *s, struct err *err)
{
    const struct machine_wish wish = {.precision = precision_find(s->settings.precision),
                                      .ordinal = s->task->ordinal};
    const struct ranks alone = {.world = 1, .local_world = 1};
    struct machine m;
    if (machine_open(&m, s->task->machine, &alone, &wish, err) < 0)
        return -1;
    int rc = ask_model(s, m.device, err);
    machine_close(&m, rc < 0 ? err->text : NULL);
    return rc;
}

static int read_prompts(struct scoring *s, struct err *err)
{
    const struct score_task *task = s->task;
    if (tokenizer_load(&s->tokenizer, task->tokenizer, err) < 0 ||
        mmlu_load(task->questions, &s->cli->arena, &s->questions, err) < 0)
        return -1;
    if (s->tokenizer.n > (size_t)s->settings.vocab)
        return err_set(err, ERR_INPUT,
                       "%s: found %zu pieces, expected at most the %d tokens of model %s",
                       task->tokenizer, s->tokenizer.n, s->settings.vocab, task->model->id);
    return score_prompts_make(&s->prompts, task->way, &s->questions, &s->tokenizer, err);
}

int score_task_run(struct cli *cli, const struct score_task *task)
{
    struct scoring s = {.cli = cli, .task = task};
    struct err err = ERR_INIT;
    int rc = native_check(cli, task->record, task->model, &err);
    if (rc == 0) {
        s.settings = native_settings(task->record, task->model->shape, &cli->arena);
        rc = read_prompts(&s, &err);
    }
    if (rc == 0)
        rc = ask_on_machine(&s, &err);
    score_prompts_release(&s.prompts);
    tokenizer_release(&s.tokenizer);
    return rc < 0 ? cli_fail(cli, &err) : cli_deliver(cli);
}
