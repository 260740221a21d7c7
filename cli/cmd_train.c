#include "cli/cli.h"

#include "base/file.h"
#include "base/project.h"
#include "base/text.h"
#include "cli/train_native.h"
#include "trainer/device.h"
#include "trainer/session.h"

#include <string.h>

#define RESULT_FOLDER "result"

/* What one training needs, from the case file to the run directory. */
struct training_session {
    struct case_record record;
    struct bytes bytes; /* of the case file */
    struct model model;
    struct session_options options;
    struct session session;
};

/* A path as it is, or an id below records/cases. */
static const char *case_path(struct cli *cli, const char *name)
{
    if (text_ends(name, ".json") || strchr(name, '/'))
        return name;
    return arena_printf(&cli->arena, "%s/cases/%s.json", cli_records(cli), name);
}

/* Models lie beside cases: <records>/models of the records that the case file is in. */
static const char *model_path(struct cli *cli, const struct case_record *c)
{
    const char *slash = strrchr(c->file, '/');
    const char *folder =
        slash ? arena_strndup(&cli->arena, c->file, (size_t)(slash - c->file)) : ".";
    const char *beside = arena_printf(&cli->arena, "%s/../models/%s.json", folder, c->model);
    if (file_exists(beside))
        return beside;
    return arena_printf(&cli->arena, "%s/models/%s.json", cli_records(cli), c->model);
}

static int load_model(struct cli *cli, struct training_session *s)
{
    const struct case_record *c = &s->record;
    const char *path = model_path(cli, c);
    if (!file_exists(path)) {
        diags_add(&cli->diags, SEVERITY_ERROR, c->file, c->line, 0,
                  "found model \"%s\", expected one with a record (no %s)", c->model, path);
        return EXIT_INPUT;
    }
    if (shape_load_file(&model_shape_shape, path, &s->model, &cli->arena, &cli->diags) < 0)
        return EXIT_INPUT;
    return EXIT_AGREED;
}

static int load_case(struct cli *cli, struct training_session *s)
{
    const char *path = case_path(cli, cli->args[0]);
    struct err err = ERR_INIT;
    struct json *json;
    if (path != cli->args[0] && !file_exists(path))
        err_set(&err, ERR_INPUT, "found no case '%s' (%s), expected the id of one or a path",
                cli->args[0], path);
    if (err.kind || file_read(path, JSON_BYTES_MAX, &cli->arena, &s->bytes, &err) < 0)
        return cli_fail(cli, &err);
    if (json_parse(path, s->bytes, &cli->arena, &json, &cli->diags) < 0 ||
        shape_load(&case_shape, json, path, &s->record, &cli->arena, &cli->diags) < 0)
        return EXIT_INPUT;
    s->record.file = path;
    return EXIT_AGREED;
}

/* Does what the case says fit how it is to be run? */
static int check_trainer(struct cli *cli, struct training_session *s)
{
    const struct case_record *c = &s->record;
    struct err err = ERR_INIT;
    if (cli->opt.out && strcmp(cli->opt.out, "-") == 0)
        return cli_usage(cli, "-o -: a run is a directory, expected a folder to put it in");
    if (cli->rest)
        return cli->rest[0]
                   ? EXIT_AGREED
                   : cli_usage(cli, "found nothing behind --, expected the command to run");
    if (strcmp(c->trainer, "native") != 0)
        return cli_usage(cli, "case %s is run by a command: fpreport train %s -- COMMAND…", c->id,
                         cli->args[0]);
    int code = load_model(cli, s);
    if (code == 0 && native_check(cli, c, &s->model, &err) < 0)
        code = cli_fail(cli, &err);
    return code;
}

/* MODEL:FRAMEWORK:HARDWARE:NODES:PROCESSES:REPEAT, as FlagPerf names a case in its layout. */
static const char *case_key(struct cli *cli, const struct training_session *s)
{
    const struct case_parallel *p = s->record.parallel;
    long long ranks =
        p ? (p->tensor ? p->tensor : 1) * (p->pipeline ? p->pipeline : 1) * (p->data ? p->data : 1)
          : 1;
    return arena_printf(&cli->arena, "%s:fpreport_%s:%s:1:%lld:1", s->record.id, FPREPORT_VERSION,
                        cli->rest ? "host" : "cpu", ranks);
}

static int begin(struct cli *cli, struct training_session *s, struct err *err)
{
    s->options = (struct session_options){
        .run = {.parent = cli->opt.out ? cli->opt.out : RESULT_FOLDER,
                .case_id = s->record.id,
                .case_key = case_key(cli, s),
                .case_bytes = s->bytes,
                .command = (const char *const *)cli->rest},
        .environment = {.blas = cli->rest ? NULL : device_cpu_blas(),
                        .data_sha256 = s->record.data ? s->record.data->sha256 : NULL}};
    return session_begin(&s->session, &s->options, &cli->arena, err);
}

static void say_native(struct cli *cli, const struct native_outcome *o)
{
    cli_note(cli, "%d steps, final loss %.4f (unigram entropy %.4f), %.1f tokens/s, %.1f ms a step",
             o->steps, o->final_loss, o->unigram_entropy_nats, o->tokens_per_second,
             o->step_seconds * 1000);
    if (o->weights_sha256)
        cli_detail(cli, "weights %s", o->weights_sha256);
}

/* Exit code of a native training; the run directory says how it ended in any case. */
static int train_natively(struct cli *cli, struct training_session *s)
{
    struct err err = ERR_INIT, late = ERR_INIT;
    struct native_outcome o;
    struct run_end end = {.state = RUN_COMPLETE};
    if (native_run(cli, &s->record, &s->model, &s->session.dir, &o, &err) < 0)
        end = (struct run_end){RUN_FAILED, err.kind, 0, err.text};
    else if (!o.complete)
        end =
            (struct run_end){RUN_FAILED, 128 + o.signal, o.signal, "stopped before its last step"};
    int rc = session_end(&s->session, &end, &late);
    if (err.kind)
        return cli_fail(cli, &err); /* the first fault is the cause of a later one */
    if (rc < 0)
        return cli_fail(cli, &late);
    say_native(cli, &o);
    return end.exit_status;
}

static int train_by_command(struct cli *cli, struct training_session *s)
{
    struct err err = ERR_INIT;
    struct command_result r;
    if (session_command(&s->session, !cli->opt.quiet, &r, &err) < 0)
        return cli_fail(cli, &err);
    if (!r.started)
        cli_note(cli, "%s: cannot be run", cli->rest[0]);
    if (r.echo_errno)
        cli_note(cli, "standard output: %s; the log has everything", strerror(r.echo_errno));
    return r.echo_errno ? exit_worse(r.exit_status, EXIT_IO) : r.exit_status;
}

static int run(struct cli *cli)
{
    struct training_session s = {.record = {.line = 0}};
    struct err err = ERR_INIT;
    int code = load_case(cli, &s);
    if (code == 0)
        code = check_trainer(cli, &s);
    if (code)
        return code;
    if (begin(cli, &s, &err) < 0)
        return cli_fail(cli, &err);
    code = cli->rest ? train_by_command(cli, &s) : train_natively(cli, &s);
    if (s.session.monitor_fault)
        cli_note(cli, "monitors: %s", s.session.monitor_fault);
    cli_note(cli, code == 0 ? "run complete" : "run failed");
    buf_printf(&cli->out, "%s\n", s.session.dir.root);
    return code;
}

static const enum option_id options[] = {OPTION_OUT, OPTION_RECORDS, OPTION_END};

const struct command command_train = {
    .name = "train",
    .summary = "run a case and leave a run directory",
    .arguments = "CASE [-- COMMAND…]",
    .examples = "  fpreport train tiny_llama\n"
                "  fpreport train llama2_7b -- torchrun --nproc-per-node 8 train.py\n",
    .details = "\nCASE is an id below records/cases or a case file. With a COMMAND, that command\n"
               "is run as the case: its output is kept, the machine is sampled while it runs,\n"
               "and its exit status is ours. A run that fails is marked failed.\n",
    .options = options,
    .out_meaning = "folder for run directories (result)",
    .min_arguments = 1,
    .max_arguments = 1,
    .rest_is_command = true,
    .run = run,
};
