/*
 * session: one run from its first file to its last: directory, fingerprint, monitors, end.
 *
 *     struct session s;
 *     session_begin(&s, &options, arena, err);
 *     … the native trainer writes s.dir.log, or session_command(&s, echo, &result, err) …
 *     session_end(&s, &end, err);
 *
 * Between begin and end run.json says "running"; whatever happens in between, a run is
 * "complete" only when session_end says so. When this process is killed before, the monitors'
 * process marks the run failed.
 */
#pragma once

#include "trainer/fingerprint/fingerprint.h"
#include "trainer/run/command.h"
#include "trainer/run/monitor.h"
#include "trainer/run/rundir.h"

#include <stdbool.h>

struct session_options {
    struct rundir_options run;
    struct fingerprint_options environment; /* case_sha256 is filled in from the case's bytes */
    int monitor_interval_ms;                /* 0: MONITOR_INTERVAL_MS */
    /* Called when log and monitors are whole, before run.json says how it ended; NULL. */
    void (*look)(void *context);
    void *context;
};

struct session {
    struct rundir dir;
    struct facts facts;
    struct monitor monitor;
    void (*look)(void *context); /* of the options */
    void *context;
    const char *monitor_fault; /* after the end: what went wrong with the monitors, or NULL */
};

/* Starts the monitors' helper process: call it before threads are started (monitor.h). When it
 * fails after the directory was made, the run is marked failed. */
int session_begin(struct session *s, const struct session_options *options, struct arena *arena,
                  struct err *err);

/*
 * Run options.run.command into the log and end the session: complete when the command exited
 * with 0 and was not asked to stop, else failed, with the reason in run.json. -1 ERR_IO when our
 * own part failed; the run is then marked failed too, if that is still possible.
 */
int session_command(struct session *s, bool echo, struct command_result *result, struct err *err);

/*
 * Stop the monitors and write how it ended. Monitors that failed do not fail the run: its log is
 * whole, only samples are missing; run.json's reason then says so.
 */
int session_end(struct session *s, const struct run_end *end, struct err *err);
