#include "cli/train/training.h"

#include "cli/program.h"
#include "cli/train/command_layout.h"
#include "cli/train/declared_tools.h"

#include "base/files/file.h"
#include "base/text.h"
#include "cli/stops.h"
#include "cli/train/launch.h"
#include "cli/train/native_plan.h"
#include "cli/train/train_native.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Models lie beside cases: <records>/models of the records that the case file is in. */
static const char *model_path(struct cli *cli, const struct case_record *c)
{
    const char *beside = arena_printf(&cli->arena, "%s/../models/%s.json",
                                      path_folder(&cli->arena, c->file), c->model);
    if (file_exists(beside))
        return beside;
    return arena_printf(&cli->arena, "%s/models/%s.json", cli_records(cli), c->model);
}

int training_model(struct cli *cli, struct training *t)
{
    const struct case_record *c = &t->record;
    const char *path = model_path(cli, c);
    struct err err = ERR_INIT;
    int there = file_is_there(path, &err);
    if (there < 0)
        return cli_fail(cli, &err);
    if (!there) {
        diags_add(&cli->diags, SEVERITY_ERROR, c->file, c->line, 0,
                  "found model \"%s\", expected one with a record (no %s)", c->model, path);
        return EXIT_INPUT;
    }
    if (shape_load_file(&model_shape_shape, path, &t->model, &cli->arena, &cli->diags) < 0)
        return EXIT_INPUT;
    return EXIT_AGREED;
}

int training_case(struct cli *cli, struct training *t)
{
    /* A path as it is, or an id below records/cases. */
    bool id = !text_ends(t->name, ".json") && !strchr(t->name, '/');
    const char *path =
        id ? arena_printf(&cli->arena, "%s/cases/%s.json", cli_records(cli), t->name) : t->name;
    struct err err = ERR_INIT;
    struct json *json;
    int code = id ? cli_need_project(cli) : EXIT_AGREED;
    if (code)
        return code;
    if (id && file_is_there(path, &err) == 0)
        err_set(&err, ERR_INPUT, "found no case '%s' (%s), expected the id of one or a path",
                t->name, path);
    if (err.kind || file_read(path, JSON_BYTES_MAX, &cli->arena, &t->bytes, &err) < 0)
        return cli_fail(cli, &err);
    if (json_parse(path, t->bytes, &cli->arena, &json, &cli->diags) < 0 ||
        shape_load(&case_shape, json, path, &t->record, &cli->arena, &cli->diags) < 0)
        return EXIT_INPUT;
    t->record.file = path;
    return EXIT_AGREED;
}

/* The first option given that a command has no use for; NULL. */
static const char *native_option(const struct options *o)
{
    const struct {
        const char *name, *value;
    } all[] = {{"--gpus", o->gpus},
               {"--device", o->device},
               {"--repeat", o->repeat},
               {"--resume", o->resume},
               {"--checkpoint-every", o->checkpoint_every},
               {"--keep", o->keep},
               {"--init", o->init},
               {"--challenge", o->challenge}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].value)
            return all[i].name;
    return o->measure ? "--measure" : o->no_measure ? "--no-measure" : NULL;
}

/* The seed of --challenge takes the place of the case's. */
static int take_challenge(struct cli *cli, struct training *t)
{
    struct challenge *c = &t->challenge;
    const char *path = cli->opt.challenge, *vendor = cli->opt.vendor;
    struct err err = ERR_INIT;
    if (!path)
        return EXIT_AGREED;
    if (challenge_load(path, &cli->arena, c, &cli->diags) < 0) {
        training_decline("its challenge cannot be read");
        return cli_diags(cli);
    }
    const char *other = challenge_other_case(c, t->record.id, t->bytes, &cli->arena);
    if (other)
        err_set(&err, ERR_INPUT, "%s: %s", path, other);
    else if (vendor && strcmp(vendor, c->vendor) != 0)
        err_set(&err, ERR_INPUT, "%s: is for vendor %s, found %s", path, c->vendor, vendor);
    t->record.seed = c->seed;
    return err.kind ? training_fail(cli, &err) : EXIT_AGREED;
}

/* Does what the case says fit how it is to be run? */
static int check_trainer(struct cli *cli, struct training *t)
{
    const struct case_record *c = &t->record;
    struct err err = ERR_INIT;
    t->report.fd = -1;
    if (cli->rest && !cli->rest[0])
        return cli_usage(cli, "found nothing after --, expected the command to run");
    if (cli->opt.measure && cli->opt.no_measure)
        return cli_usage(cli, "found --measure and --no-measure, expected one of them");
    const char *native = native_option(&cli->opt);
    if (cli->rest && native)
        return cli_usage(cli,
                         "%s works only with fpreport's own trainer, not with a "
                         "command",
                         native);
    if (cli->rest && command_card(cli, &t->card))
        return EXIT_USAGE;
    if (cli->rest)
        return command_layout_begin(cli, &t->layout, &err) < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
    if (cli->opt.nodes || cli->opt.accelerator)
        return cli_usage(cli, "--%s works only with a command, not with fpreport's own trainer",
                         cli->opt.nodes ? "nodes" : "accelerator");
    if (strcmp(c->trainer, "native") != 0)
        return cli_usage(cli,
                         "an external command trains the case %s: fpreport %s %s -- "
                         "COMMAND…",
                         c->id, cli->command->name, cli->args[0]);
    int code = take_challenge(cli, t);
    if (code)
        return code;
    if (cli->opt.parallel && native_replan(&t->record, cli->opt.parallel, &cli->arena, &err) < 0)
        return training_fail(cli, &err);
    code = training_model(cli, t);
    if (code)
        training_decline("its model cannot be read");
    else if (native_check(cli, c, &t->model, &err) < 0)
        code = training_fail(cli, &err);
    if (code == 0)
        code = training_place(cli, t);
    /* Who starts the ranks looks for them. */
    bool looks = t->report.fd < 0 && t->ranks.rank == 0;
    if (code == 0 && training_files(cli, c, looks, &t->files, &err) < 0)
        code = training_fail(cli, &err);
    return code;
}

/* MODEL:FRAMEWORK:HARDWARE:NODES:PROCESSES:REPEAT, as FlagPerf names a case in its layout. */
static const char *case_key(struct cli *cli, const struct training *t)
{
    long long ranks = native_ranks(&t->record);
    const struct ranks *at = &t->ranks;
    int nodes = at->local_world > 0 ? at->world / at->local_world : 1;
    if (cli->rest) { /* files of one machine, with what all ranks print: run.json says the rest */
        struct layout_source laid;
        layout_resolve(&t->layout, 1, &laid);
        ranks = laid.size[LAYOUT_RANKS] ? laid.size[LAYOUT_RANKS] : ranks;
        return arena_printf(&cli->arena, "%s:fpreport_%s:host:1:%lld:1", t->record.id,
                            FPREPORT_VERSION, ranks);
    }
    return arena_printf(&cli->arena, "%s:fpreport_%s:%s:%d:%lld:1", t->record.id, FPREPORT_VERSION,
                        t->machine->name, nodes, ranks / nodes);
}

/* As run.json says it. */
static const char *plan_of(struct cli *cli, const struct training *t)
{
    struct plan plan;
    struct err ignored = ERR_INIT; /* it was found good */
    char *text = arena_array(&cli->arena, PLAN_TEXT, 1);
    if (native_plan(&t->record, &cli->arena, &plan, &ignored) == 0)
        plan_text(&plan, text);
    return text;
}

static void look_at_layout(void *context)
{
    struct training *t = context;
    if (program.layout_of_run)
        program.layout_of_run(t->session.dir.root, &t->layout, t->session.dir.arena);
}

/* The folder of the command's script, whose repository is the framework's; NULL: it names none. */
static const char *script_folder(struct cli *cli)
{
    for (char **word = cli->rest; *word; word++) {
        const char *slash = strrchr(*word, '/');
        if (text_ends(*word, ".py") && file_exists(*word))
            return slash ? arena_strndup(&cli->arena, *word, (size_t)(slash - *word)) : NULL;
    }
    return NULL;
}

static int begin_session(struct cli *cli, struct training *t, struct err *err)
{
    const char *blas = NULL; /* what the native trainer computes with */
    if (!cli->rest && machine_libraries(t->machine, &cli->arena, &blas, err) < 0)
        return -1;
    t->options = (struct session_options){
        .run = {.parent = t->folder ? t->folder : TRAINING_FOLDER,
                .case_id = t->record.id,
                .case_key = case_key(cli, t),
                .case_bytes = t->bytes,
                .command = (const char *const *)cli->rest,
                .resumed = t->files.origin.step ? &t->files.origin : NULL,
                .initial_weights = t->files.initial_name,
                .parallel = cli->opt.parallel && !cli->rest ? plan_of(cli, t) : NULL,
                .accelerator = t->card ? t->card->id : NULL,
                .layout = cli->rest ? &t->layout : NULL,
                .challenge = t->challenge.round ? &t->challenge : NULL},
        .environment = {.framework = cli->rest ? script_folder(cli) : cli_program_folder(cli),
                        .blas = blas,
                        .declared = declared_tools(cli),
                        .data_sha256 = t->record.data ? t->record.data->sha256 : NULL},
        .look = cli->rest ? look_at_layout : NULL,
        .context = t};
    return session_begin(&t->session, &t->options, &cli->arena, err);
}

static void say_native(struct cli *cli, const struct native_outcome *o)
{
    const char *mfu = isnan(o->mfu) ? "" : arena_printf(&cli->arena, ", MFU %.2f %%", 100 * o->mfu);
    cli_note(cli,
             "%d steps, final loss %.4f (unigram entropy %.4f), %.1f tokens/s, %.1f ms a step%s",
             o->steps, o->final_loss, o->unigram_entropy_nats, o->tokens_per_second,
             o->step_seconds * 1000, mfu);
    if (o->checkpoint && !o->complete)
        cli_note(cli,
                 "stopped after step %d, which has a checkpoint: --resume continues from "
                 "it",
                 o->steps);
    if (o->weights_sha256)
        cli_detail(cli, "weights %s", o->weights_sha256);
}

/* ---- as a rank ------------------------------------------------------------------------------ */

/* What threads need that end this process. */
struct ending {
    struct cli *cli;
    struct training *t;
    atomic_flag begun;
};

/* On another thread, while the trainer's own may wait for ever: nothing of its memory is changed.
 * The first thread that has a reason ends it all. */
static void end_here(struct ending *e, enum rank_word word, const struct run_end *end)
{
    while (atomic_flag_test_and_set(&e->begun))
        pause();
    struct session session = e->t->session;
    struct err err = ERR_INIT;
    struct arena arena;
    if (e->t->report.fd >= 0) {
        rank_report_tell(e->t->report.fd, e->t->ranks.rank, word, end->exit_status, end->reason);
        _exit(end->exit_status);
    }
    err_set(&err, ERR_IO, "%s", end->reason);
    signal(SIGPIPE, SIG_IGN); /* who reads what we say may be what is gone */
    cli_fail(e->cli, &err);
    if (e->t->began) {
        arena_init(&arena);
        session.dir.arena = &arena;
        session_end(&session, end, &err);
    }
    _exit(end->exit_status);
}

static void rank_lost(void *context, const char *sentence)
{
    end_here(context, RANK_LOST, &(struct run_end){RUN_FAILED, EXIT_IO, 0, sentence});
}

static void rank_stopped(void *context, int signal)
{
    end_here(context, RANK_FAILED,
             &(struct run_end){RUN_FAILED, 128 + signal, signal, "stopped before its first step"});
}

/* Of the folder that rank 0's log lies in: RUN/KEY/round1/HOST_noderank0. */
static const char *run_root(struct cli *cli, const char *node)
{
    char *root = arena_strdup(&cli->arena, node);
    for (int i = 0; i < 3; i++) {
        char *slash = strrchr(root, '/');
        if (slash)
            *slash = '\0';
    }
    return root;
}

static int run_here(struct cli *cli, struct training *t, struct native_outcome *o, struct err *err)
{
    struct ending ending = {cli, t, ATOMIC_FLAG_INIT};
    const char *node = t->began ? t->session.dir.node : t->report.fd >= 0 ? t->report.node : NULL;
    bool first = t->ranks.rank == 0;
    training_files_place(cli, &t->files, node ? run_root(cli, node) : NULL);
    const struct native_place place = {
        .machine = t->machine,
        .ranks = t->ranks,
        .ordinal = t->ordinal,
        .log = first ? path_join(&cli->arena, node, RUN_LOG_NAME) : NULL,
        .node = first ? node : NULL,
        .repeat = cli->opt.repeat,
        .files = &t->files,
        .challenge = t->challenge.round,
        .measure = cli->opt.measure || (t->machine->measured && !cli->opt.no_measure),
        .lost = rank_lost,
        .stopped = rank_stopped,
        .context = &ending,
    };
    return native_run(cli, &t->record, &t->model, &place, o, err);
}

/* How a training that was not kept from it ended. Ranks stop together, whichever was asked. */
static struct run_end end_of(const struct native_outcome *o)
{
    int signal = o->signal ? o->signal : SIGTERM;
    if (o->complete)
        return (struct run_end){.state = RUN_COMPLETE};
    return (struct run_end){RUN_FAILED, 128 + signal, signal, "stopped before its last step"};
}

/* A rank whose run directory is somebody else's: who started it hears what went wrong. */
static int train_as_rank(struct cli *cli, struct training *t)
{
    struct err err = ERR_INIT;
    struct native_outcome o;
    int rc = run_here(cli, t, &o, &err), rank = t->ranks.rank;
    struct run_end end = rc < 0 ? (struct run_end){RUN_FAILED, err.kind, 0, err.text} : end_of(&o);
    if (end.state == RUN_FAILED && t->report.fd >= 0)
        rank_report_tell(t->report.fd, rank, RANK_FAILED, end.exit_status, end.reason);
    else if (rc < 0)
        cli_fail(cli, &err);
    if (rc == 0 && rank == 0)
        say_native(cli, &o);
    return end.exit_status;
}

/* ---- the whole run -------------------------------------------------------------------------- */

/* Exit code of a native training; the run directory says how it ended in any case. */
static int train_natively(struct cli *cli, struct training *t)
{
    struct err err = ERR_INIT, late = ERR_INIT;
    struct native_outcome o;
    int rc = run_here(cli, t, &o, &err);
    struct run_end end = rc < 0 ? (struct run_end){RUN_FAILED, err.kind, 0, err.text} : end_of(&o);
    rc = session_end(&t->session, &end, &late);
    t->asked = end.signal;
    if (err.kind)
        return cli_fail(cli, &err); /* the first fault is the cause of a later one */
    if (rc < 0)
        return cli_fail(cli, &late);
    say_native(cli, &o);
    return end.exit_status;
}

/* The same with ranks that we start. */
static int train_in_ranks(struct cli *cli, struct training *t)
{
    struct err err = ERR_INIT, late = ERR_INIT;
    struct launch_end ended;
    const struct launch_options options = {.argv = training_argv(cli, "/proc/self/exe"),
                                           .ranks = t->ranks.world,
                                           .node = t->session.dir.node,
                                           .saves = t->files.checkpoint_every > 0};
    int rc = launch_ranks(&options, &cli->arena, &ended, &err);
    if (rc == 0 && ended.reason && !ended.signal)
        err_set(&err, ended.exit_status < EXIT_IO ? ended.exit_status : ERR_IO, "%s", ended.reason);
    struct run_end end = {.state = RUN_COMPLETE};
    if (rc < 0 || ended.reason)
        end = (struct run_end){RUN_FAILED, err.kind ? (int)err.kind : ended.exit_status,
                               ended.signal, err.kind ? err.text : ended.reason};
    rc = session_end(&t->session, &end, &late);
    t->asked = end.signal;
    if (err.kind)
        return cli_fail(cli, &err);
    return rc < 0 ? cli_fail(cli, &late) : end.exit_status;
}

static int train_by_command(struct cli *cli, struct training *t)
{
    struct err err = ERR_INIT;
    struct command_result r;
    if (session_command(&t->session, !cli->opt.quiet, &r, &err) < 0)
        return cli_fail(cli, &err);
    if (!r.started)
        cli_note(cli, "%s: cannot be run", cli->rest[0]);
    if (r.echo_errno)
        cli_note(cli, "standard output: %s; the log has everything", strerror(r.echo_errno));
    command_layout_say(cli, &t->layout);
    t->asked = r.asked;
    t->unsaid = r.echo_errno && r.exit_status == 0;
    return r.echo_errno ? exit_worse(r.exit_status, EXIT_IO) : r.exit_status;
}

int training_load(struct cli *cli, struct training *t)
{
    int code = training_case(cli, t);
    if (code && !cli->rest)
        training_decline("its case cannot be read");
    return code ? code : check_trainer(cli, t);
}

static int run_case(struct cli *cli, struct training *t)
{
    struct err err = ERR_INIT;
    if (!cli->rest && (t->report.fd >= 0 || t->ranks.rank > 0))
        return train_as_rank(cli, t);
    if (begin_session(cli, t, &err) < 0)
        return cli->rest || t->launches ? cli_fail(cli, &err) : training_fail(cli, &err);
    t->began = true;
    int code = cli->rest     ? train_by_command(cli, t)
               : t->launches ? train_in_ranks(cli, t)
                             : train_natively(cli, t);
    if (t->session.monitor_fault)
        cli_note(cli, "monitors: %s", t->session.monitor_fault);
    cli_note(cli, code == 0 || t->unsaid ? "run complete" : "run failed");
    return code;
}

int training_run(struct cli *cli, struct training *t)
{
    sigset_t before;
    if (cli->rest)
        return run_case(cli, t); /* the command's signals are dealt with there */
    stops_block(&before);
    int code = run_case(cli, t);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return code;
}
