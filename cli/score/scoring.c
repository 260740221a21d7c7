#include "cli/score/scoring.h"

#include "base/calendar.h"
#include "cli/train/native_settings.h"
#include "cli/train/train_native.h"

#include <stdio.h>

static int load_tokenizer(struct scoring *s, struct err *err)
{
    const struct score_task *task = s->task;
    if (tokenizer_load(&s->tokenizer, task->tokenizer, err) < 0)
        return -1;
    if (s->tokenizer.n <= (size_t)s->settings.vocab)
        return 0;
    return err_set(err, ERR_INPUT,
                   "%s: found %zu pieces, expected at most the %d tokens of model %s",
                   task->tokenizer, s->tokenizer.n, s->settings.vocab, task->model->id);
}

int scoring_begin(struct scoring *s, struct cli *cli, const struct score_task *task,
                  struct err *err)
{
    *s = (struct scoring){.cli = cli, .task = task};
    if (native_check(cli, task->record, task->model, err) < 0)
        return -1;
    s->settings = native_settings(task->record, task->model->shape, &cli->arena);
    return load_tokenizer(s, err);
}

void scoring_end(struct scoring *s)
{
    tokenizer_release(&s->tokenizer);
}

int scoring_on_machine(struct scoring *s, scoring_asker *ask, void *context, struct err *err)
{
    const struct machine_wish wish = {.precision = precision_find(s->settings.precision),
                                      .ordinal = s->task->ordinal};
    const struct ranks alone = {.world = 1, .local_world = 1};
    struct machine m;
    if (machine_open(&m, s->task->machine, &alone, &wish, err) < 0)
        return -1;
    int rc = ask(context, m.device, err);
    machine_close(&m, rc < 0 ? err->text : NULL);
    return rc;
}

/* ---- progress ------------------------------------------------------------------------------- */

static void show_asked(void *context, size_t done)
{
    struct scoring *s = context;
    double now = clock_seconds();
    if (!s->cli->progress || now - s->shown < 0.1)
        return;
    s->shown = now;
    fprintf(stderr, "\r%zu of %zu questions \033[K", done, s->questions);
}

struct score_observer scoring_observer(struct scoring *s)
{
    return (struct score_observer){show_asked, s};
}

void scoring_clear_line(const struct scoring *s)
{
    if (s->cli->progress)
        fputs("\r\033[K", stderr);
}
