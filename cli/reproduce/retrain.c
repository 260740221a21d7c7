#include "cli/reproduce/retrain.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/train/native_plan.h"
#include "cli/train/native_settings.h"
#include "cli/train/train_native.h"
#include "trainer/machine/memory_plan.h"
#include "verifier/diff/side.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What comes back: a step, or (step 0) why there are no more. */
struct news {
    int step;
    double loss, seconds;
    char why[240];
};

/* ---- what is asked -------------------------------------------------------------------------- */

static int read_challenge(struct cli *cli, struct challenge *c)
{
    const char *path = cli->opt.challenge, *vendor = cli->opt.vendor;
    if (challenge_load(path, &cli->arena, c, &cli->diags) < 0)
        return cli_diags(cli);
    if (vendor && strcmp(vendor, c->vendor) != 0)
        return cli_usage(cli, "%s: is for vendor %s, found --vendor %s", path, c->vendor, vendor);
    return EXIT_AGREED;
}

/* The published case, which must be the one of then. */
static int find_case(struct retrain *r, const struct project *p)
{
    struct cli *cli = r->cli;
    const struct case_record *c = project_case(p, r->challenge.case_id);
    struct err err = ERR_INIT;
    struct bytes text;
    if (!c)
        return cli_error(cli, ERR_INPUT, "%s: is for case %s, found no such case in %s/cases",
                         cli->opt.challenge, r->challenge.case_id, p->root);
    if (file_read(c->file, JSON_BYTES_MAX, &cli->arena, &text, &err) < 0)
        return cli_fail(cli, &err);
    const char *other = challenge_other_case(&r->challenge, c->id, text, &cli->arena);
    r->record = *c;
    r->model = project_model(p, c->model);
    if (other)
        err_set(&err, ERR_INPUT,
                "%s: %s (%s), expected the case as it was when the challenge was "
                "issued",
                cli->opt.challenge, other, c->file);
    else if (!r->model)
        err_set(&err, ERR_INPUT, "%s: found no model %s in %s/models", c->file, c->model, p->root);
    else
        native_check(cli, c, r->model, &err);
    return err.kind ? cli_fail(cli, &err) : EXIT_AGREED;
}

int retrain_read(struct cli *cli, const struct project *p, struct retrain *r)
{
    struct err err = ERR_INIT;
    int minutes = RETRAIN_MINUTES;
    *r = (struct retrain){.cli = cli, .steps = RETRAIN_STEPS};
    if (cli_number("steps", cli->opt.steps, 1, 1 << 20, &r->steps, &err) < 0 ||
        cli_number("minutes", cli->opt.minutes, 1, 100000, &minutes, &err) < 0)
        return cli_fail(cli, &err);
    int code = read_challenge(cli, &r->challenge);
    if (code == 0)
        code = find_case(r, p);
    if (code)
        return code;
    r->seconds_max = 60.0 * minutes;
    if (r->steps > r->record.steps)
        r->steps = (int)r->record.steps;
    /* One rank takes the micro-batches of all of them one after the other. */
    struct case_record *c = &r->record;
    c->gradient_accumulation =
        (c->gradient_accumulation ? c->gradient_accumulation : 1) * native_data_ranks(c);
    c->parallel = NULL;
    c->seed = r->challenge.seed;
    r->stated = r->record.precision ? r->record.precision : "fp32";
    r->out = (struct retraining){.challenge = &r->challenge,
                                 .precision = "fp32",
                                 .device = "nowhere",
                                 .why = "it was not begun"};
    return EXIT_AGREED;
}

/* ---- trained elsewhere ------------------------------------------------------------------------
 */

/* Does run.json name this challenge, and is case.json its case? */
static int check_own(struct retrain *r, const char *run_dir, struct err *err)
{
    struct cli *cli = r->cli;
    struct bytes text;
    struct json *run;
    const char *path = path_join(&cli->arena, run_dir, "run.json");
    if (json_load(path, &cli->arena, &run, &cli->diags) < 0)
        return err_set(err, ERR_INPUT, "%s: cannot be read", path);
    const char *nonce = json_get_text(json_get(run, "challenge"), "nonce", "");
    if (strcmp(nonce, r->challenge.nonce) != 0)
        return err_set(err, ERR_INPUT, "--against: %s: answers %s, expected round %s", path,
                       *nonce ? "another challenge" : "no challenge", r->challenge.round);
    path = path_join(&cli->arena, run_dir, "case.json");
    if (file_read(path, JSON_BYTES_MAX, &cli->arena, &text, err) < 0)
        return -1;
    const char *other = challenge_other_case(&r->challenge, r->record.id, text, &cli->arena);
    return other ? err_set(err, ERR_INPUT, "--against: %s: the challenge %s", path, other) : 0;
}

int retrain_take(struct retrain *r, const char *run_dir)
{
    struct cli *cli = r->cli;
    struct err err = ERR_INIT;
    struct diff_side *side = arena_alloc(&cli->arena, sizeof *side);
    const char *card;
    size_t n = 0;
    if (check_own(r, run_dir, &err) < 0 ||
        diff_side_open(run_dir, run_dir, side, &cli->arena, &cli->diags, &err) < 0)
        return exit_worse(cli_diags(cli), cli_fail(cli, &err));
    while (n < side->curve.n && n < (size_t)r->steps && side->curve.step[n] == (double)(n + 1))
        n++;
    card = facts_value(&side->facts, FACT_ACCELERATOR_MODEL);
    r->out.precision = r->stated;
    r->out.device = card ? card : "cpu";
    r->out.losses = side->curve.loss;
    r->out.n = n;
    r->out.why = n < (size_t)r->steps ? "that run has no more" : NULL;
    return EXIT_AGREED;
}

/* ---- in the process that trains -------------------------------------------------------------- */

struct trainee {
    int fd, steps;
};

static void send_news(int fd, const struct news *news)
{
    if (write(fd, news, sizeof *news) != (ssize_t)sizeof *news)
        _exit(EXIT_IO);
}

static int on_retrained_step(void *context, const struct train_step *step)
{
    const struct trainee *t = context;
    const struct news news = {.step = step->step, .loss = step->loss, .seconds = step->seconds};
    send_news(t->fd, &news);
    return step->step >= t->steps;
}

static int retrain_on(const struct trainee *t, const struct training *settings,
                      const struct machine_kind *kind, struct err *err)
{
    const struct machine_wish wish = {.precision = precision_find(settings->precision)};
    const struct train_observer observer = {.context = (void *)(uintptr_t)t,
                                            .stepped = on_retrained_step};
    const struct ranks alone = {.world = 1, .local_world = 1};
    struct memory_plan plan;
    struct machine m;
    size_t left;
    if (machine_open(&m, kind, &alone, &wish, err) < 0)
        return -1;
    bool failed = memory_plan_make(&plan, settings, 0, 1, m.device, err) < 0 ||
                  memory_plan_check(&plan, m.device, &left, err) < 0 ||
                  train_native(settings, m.comm, &observer, err) < 0;
    machine_close(&m, failed ? err->text : NULL);
    return failed ? -1 : 0;
}

static _Noreturn void train_and_exit(struct retrain *r, const struct machine_kind *kind, int fd)
{
    struct training settings = native_settings(&r->record, r->model->shape, &r->cli->arena);
    const struct case_weights *w = r->record.initial_weights;
    const struct trainee t = {fd, r->steps};
    struct err err = ERR_INIT;
    struct news end = {.step = 0};
    if (w && w->path)
        settings.initial_weights = native_beside(&r->cli->arena, &r->record, w->path);
    settings.initial_sha256 = w ? w->sha256 : NULL;
    if (w && !w->path)
        err_set(&err, ERR_INPUT,
                "the case begins with given weights, but does not name their location");
    else
        retrain_on(&t, &settings, kind, &err);
    snprintf(end.why, sizeof end.why, "%.*s", text_cut(err.text, sizeof end.why - 1), err.text);
    send_news(fd, &end);
    _exit(0);
}

/* ---- in the one that waits --------------------------------------------------------------------
 */

struct waiting {
    struct retrain *r;
    double began, *losses;
    int fd;
    bool ended;
};

/* In fp32 where no machine can do it as it is stated. */
static const struct machine_kind *choose_retraining_machine(struct retrain *r)
{
    const struct machine_kind *kind = program_machine(r->stated);
    r->record.precision = r->out.precision = kind ? r->stated : "fp32";
    if (!kind) {
        kind = program_machine("fp32");
        cli_note(r->cli,
                 "this machine cannot train in %s, so the first steps are trained in fp32; to "
                 "compare in %s, run `fptrain train %s --challenge %s` on a GPU, and pass "
                 "--against RUN here",
                 r->stated, r->stated, r->challenge.case_id, r->cli->opt.challenge);
    }
    r->out.device = kind->name;
    return kind;
}

static void stop(struct waiting *w, const char *why)
{
    w->r->out.why = why;
    w->ended = true;
}

static void take_news(struct waiting *w, const struct news *news)
{
    struct retraining *out = &w->r->out;
    if (news->step == 0) {
        stop(w, *news->why ? arena_strdup(&w->r->cli->arena, news->why) : NULL);
        return;
    }
    if (news->step == 1) {
        /* A step was measured: how long all will take. */
        const struct retrain *r = w->r;
        double all = news->seconds * r->steps;
        const char *text = arena_printf(&r->cli->arena, "%d steps of %.3g s each, about %.0f s",
                                        r->steps, news->seconds, all);
        cli_note(r->cli, "training the first %s (%s, %s; at most %.0f min)", text, r->out.device,
                 r->out.precision, r->seconds_max / 60);
        if (all > r->seconds_max)
            stop(w, arena_printf(&r->cli->arena, "%s, would take more than --minutes %.0f", text,
                                 r->seconds_max / 60));
    }
    if (news->step == (int)out->n + 1 && news->step <= w->r->steps)
        w->losses[out->n++] = news->loss;
    if ((int)out->n == w->r->steps)
        stop(w, NULL);
}

static void wait_for_retrain_news(struct waiting *w)
{
    struct news news;
    struct pollfd poller = {.fd = w->fd, .events = POLLIN};
    double left = w->began + w->r->seconds_max - clock_seconds();
    int ready = left > 0 ? poll(&poller, 1, left < 60 ? (int)(1000 * left) + 1 : 60000) : 0;
    if (ready == 0 && left <= 0)
        stop(w, arena_printf(&w->r->cli->arena, "it took more than --minutes %.0f",
                             w->r->seconds_max / 60));
    if (ready < 0 && errno != EINTR)
        stop(w, arena_printf(&w->r->cli->arena, "it cannot be waited for: %s", strerror(errno)));
    if (ready <= 0)
        return;
    if (read(w->fd, &news, sizeof news) == (ssize_t)sizeof news)
        take_news(w, &news);
    else
        stop(w, "the process that trained ended");
}

static int retrain_here(struct retrain *r)
{
    const struct machine_kind *kind = choose_retraining_machine(r);
    struct err err = ERR_INIT;
    int fd[2], status;
    struct waiting w = {.r = r,
                        .losses = arena_array(&r->cli->arena, (size_t)r->steps, sizeof *w.losses)};
    pid_t parent = getpid(), pid = pipe(fd) < 0 ? -1 : fork();
    if (pid < 0) {
        err_errno(&err, ERR_IO, "cannot start a process that trains");
        return cli_fail(r->cli, &err);
    }
    if (pid == 0) {
        close(fd[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
            train_and_exit(r, kind, fd[1]);
        _exit(EXIT_IO);
    }
    close(fd[1]);
    r->out.losses = w.losses;
    w.began = clock_seconds();
    w.fd = fd[0];
    while (!w.ended)
        wait_for_retrain_news(&w);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    close(fd[0]);
    if (r->out.why)
        cli_note(r->cli, "the training of the first steps: %s", r->out.why);
    return EXIT_AGREED;
}

int retrain_run(struct retrain *r)
{
    int code = program_machine(r->stated) ? EXIT_AGREED : retrain_by_gpu(r);
    return code || r->out.n ? code : retrain_here(r);
}
