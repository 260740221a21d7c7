#include "trainer/run/session.h"

#include "trainer/fingerprint/env_files.h"

#include "base/records/seen.h"
#include "base/signing/hash.h"

/* In the monitors' process, when the one that was to end the run has been killed. What it knew when
 * the run began is known here. */
static void end_orphan(void *context)
{
    struct session *s = context;
    struct err nobody_listens = ERR_INIT;
    const struct run_end end = {RUN_FAILED, ERR_IO, 0,
                                "the process that ran it was killed before it could say more"};
    rundir_finish(&s->dir, &end, &nobody_listens);
}

int session_begin(struct session *s, const struct session_options *options, struct arena *arena,
                  struct err *err)
{
    char *case_sha256 = arena_alloc(arena, HASH_HEX_SIZE);
    struct fingerprint_options environment = options->environment;
    *s = (struct session){.look = options->look, .context = options->context};
    hash_sha256(options->run.case_bytes.data, options->run.case_bytes.len, case_sha256);
    environment.case_sha256 = case_sha256;
    fingerprint_collect(&environment, arena, &s->facts);
    if (rundir_create(&s->dir, &options->run, arena, err) < 0)
        return -1;
    struct monitor_options monitors = {.folder = s->dir.node,
                                       .interval_ms = options->monitor_interval_ms,
                                       .root = environment.root,
                                       .library = environment.library,
                                       .salt = environment.salt,
                                       .declared = environment.declared,
                                       .orphaned = end_orphan,
                                       .context = s};
    struct salt salt;
    salt_open(&salt, environment.salt, arena);
    if (rundir_write_facts(&s->dir, &s->facts, err) == 0 &&
        env_files_write(s->dir.node, &salt, arena, err) == 0 &&
        monitor_open(&s->monitor, &monitors, err) == 0)
        return 0;
    struct err ignored = ERR_INIT; /* the first error is the one to report */
    struct run_end end = {.state = RUN_FAILED, .reason = err->text};
    rundir_finish(&s->dir, &end, &ignored);
    return -1;
}

int session_end(struct session *s, const struct run_end *end, struct err *err)
{
    struct err fault = ERR_INIT;
    struct run_end last = *end;
    if (monitor_stop(&s->monitor, &fault) < 0)
        s->monitor_fault = arena_strdup(s->dir.arena, fault.text);
    if (s->monitor_fault)
        last.reason = last.reason ? arena_printf(s->dir.arena, "%s; %s", last.reason, fault.text)
                                  : s->monitor_fault;
    if (s->look)
        s->look(s->context);
    int rc = rundir_finish(&s->dir, &last, err);
    monitor_close(&s->monitor, &fault);
    return rc;
}

/* Why a command's run is not complete, or NULL when it is. */
static const char *why_failed(const struct command_result *r, struct arena *arena)
{
    if (!r->started)
        return arena_printf(arena, "the command cannot be run (status %d)", r->exit_status);
    if (r->asked)
        return arena_printf(arena, "stopped by signal %d", r->asked);
    if (r->signal)
        return arena_printf(arena, "ended by signal %d", r->signal);
    if (r->exit_status)
        return arena_printf(arena, "the command exited with status %d", r->exit_status);
    return NULL;
}

int session_command(struct session *s, bool echo, struct command_result *result, struct err *err)
{
    struct command_options options = {.argv = s->dir.options.command,
                                      .log_path = s->dir.log,
                                      .seen_path = seen_name(s->dir.log, s->dir.arena),
                                      .echo = echo};
    struct err ignored = ERR_INIT;
    int rc = command_run(&options, result, err);
    const char *reason = rc < 0 ? err->text : why_failed(result, s->dir.arena);
    struct run_end end = {reason ? RUN_FAILED : RUN_COMPLETE, result->exit_status, result->signal,
                          reason};
    return session_end(s, &end, rc < 0 ? &ignored : err) < 0 ? -1 : rc;
}
