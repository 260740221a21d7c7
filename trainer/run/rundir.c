#include "trainer/run/rundir.h"

#include "base/diag.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/foreign.h"
#include "base/json/json.h"
#include "base/records/sys_info_labels.h"
#include "base/sealed/submission.h"
#include "base/signing/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_AHEAD 120 /* how many runs may begin in one second */
#define RUN_JSON_MAX ((size_t)1 << 20)
#define RUN_NAME "run.json"
#define RUN_ENDING "run.json.ending"      /* the reserved place, while the end is written to it */
#define RUN_PLACE_BYTES ((off_t)16 << 10) /* a longer end finds its own place */

static const char *state_name(enum run_state state)
{
    static const char *const names[] = {
        [RUN_RUNNING] = "running", [RUN_COMPLETE] = "complete", [RUN_FAILED] = "failed"};
    return names[state];
}

static const char *time_text(time_t at, const char *format, struct arena *arena)
{
    char text[32];
    struct tm utc;
    gmtime_r(&at, &utc);
    strftime(text, sizeof text, format, &utc);
    return arena_strdup(arena, text);
}

/* The part of a name that may stand in an archive: other bytes, and a leading '.' or '-',
 * become '-' and 'x'. */
static const char *safe_name(const char *name, struct arena *arena)
{
    char *safe = arena_strdup(arena, *name ? name : "localhost");
    for (char *c = safe; *c; c++) {
        char one[] = {'x', *c, '\0'};
        if (*c == '/' || foreign_name_problem(one))
            *c = '-';
    }
    if (*safe == '.' || *safe == '-')
        *safe = 'x';
    return safe;
}

/* mkdir of a name that nobody has yet: mkdir fails on one that exists, so that two runs that
 * begin at once cannot both get it. */
static int make_root(struct rundir *r, time_t now, struct err *err)
{
    const char *parent = r->options.parent;
    if (file_mkdirs(parent, err) < 0)
        return -1;
    for (int ahead = 0; ahead < SECONDS_AHEAD; ahead++) {
        r->root = path_join(r->arena, parent, time_text(now + ahead, "run%Y%m%d%H%M%S", r->arena));
        if (mkdir(r->root, 0777) == 0)
            return 0;
        if (errno != EEXIST)
            return err_errno(err, ERR_IO, "%s: cannot make folder", r->root);
    }
    return err_set(err, ERR_IO, "%s: %d runs began in this second", parent, SECONDS_AHEAD);
}

static void write_command(struct json_writer *w, const char *const *command)
{
    if (!command) {
        json_null(w, "command");
        return;
    }
    json_begin_array_flat(w, "command");
    for (; *command; command++)
        json_string(w, NULL, *command);
    json_end_array(w);
}

/* Is there no room for another block where the run writes? */
static bool disk_is_full(const char *folder)
{
    struct statvfs disk;
    return statvfs(folder, &disk) == 0 && disk.f_blocks && disk.f_bavail == 0;
}

static void write_run_end(struct json_writer *w, const struct run_end *end)
{
    if (end)
        json_integer(w, "exit_status", end->exit_status);
    else
        json_null(w, "exit_status");
    if (end && end->signal)
        json_integer(w, "signal", end->signal);
    else
        json_null(w, "signal");
}

static void write_origin(struct json_writer *w, const struct run_origin *o)
{
    if (!o) {
        json_null(w, "resumed");
        return;
    }
    json_begin_object_flat(w, "resumed");
    json_string(w, "run", o->run);
    json_string(w, "case", o->case_id);
    json_integer(w, "step", o->step);
    json_end_object(w);
}

static void write_challenge(struct json_writer *w, const struct challenge *c)
{
    if (!c) {
        json_null(w, "challenge");
        return;
    }
    json_begin_object_flat(w, "challenge");
    json_string(w, "round", c->round);
    json_string(w, "nonce", c->nonce);
    json_string(w, "vendor", c->vendor);
    json_string(w, "key", c->key);
    json_integer(w, "seed", c->seed);
    json_end_object(w);
}

/* Checkpoints are the trainer's, with a form of their own, and may be taken away later. */
static bool is_manifest_file(const char *name)
{
    return strcmp(name, RUN_NAME) != 0 && strcmp(name, SUBMISSION_RUN_PLACE) != 0 &&
           strcmp(name, RUN_ENDING) != 0 &&
           strncmp(name, SUBMISSION_CHECKPOINTS "/", sizeof SUBMISSION_CHECKPOINTS) != 0;
}

#define RUN_FILES_MAX 1000 /* named in run.json; a run leaves a dozen */

static int write_files(struct rundir *r, struct json_writer *w, struct err *err)
{
    const char **files;
    char hex[HASH_HEX_SIZE];
    size_t n;
    if (dir_walk(r->root, r->arena, &files, &n, err) < 0)
        return -1;
    if (n > RUN_FILES_MAX) {
        json_null(w, "files");
        return 0;
    }
    json_begin_array(w, "files");
    for (size_t i = 0; i < n; i++) {
        if (!is_manifest_file(files[i]))
            continue;
        if (hash_file(path_join(r->arena, r->root, files[i]), SIZE_MAX, hex, err) < 0)
            return -1;
        json_begin_object_flat(w, NULL);
        json_string(w, "path", files[i]);
        json_string(w, "sha256", hex);
        json_end_object(w);
    }
    json_end_array(w);
    return 0;
}

/* By the clock that stamps the log: time(2) may be a tick behind it, and a second earlier. */
static time_t seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec;
}

/* Where the file system has no locks, nobody can tell a run that goes on from one that is gone. */
static int reserve_end(struct rundir *r, struct err *err)
{
    const char *path = path_join(r->arena, r->root, SUBMISSION_RUN_PLACE);
    r->place = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (r->place < 0)
        return err_errno(err, ERR_IO, "%s: cannot create", path);
    flock(r->place, LOCK_EX | LOCK_NB);
    errno = posix_fallocate(r->place, 0, RUN_PLACE_BYTES);
    return errno ? err_errno(err, ERR_IO, "%s: no place for how the run will end", path) : 0;
}

/* The end, where its place was reserved; -1: it has none, or another process has taken it. */
static int write_reserved(struct rundir *r, const struct buf *out, const char *path)
{
    const char *reserved = path_join(r->arena, r->root, SUBMISSION_RUN_PLACE);
    const char *ending = path_join(r->arena, r->root, RUN_ENDING);
    struct err unsaid = ERR_INIT; /* the usual way is tried then */
    if (r->place < 0 || (off_t)out->len > RUN_PLACE_BYTES || rename(reserved, ending) < 0)
        return -1;
    if (lseek(r->place, 0, SEEK_SET) == 0 &&
        file_write_all(r->place, out->data, out->len, path, &unsaid) == 0 &&
        ftruncate(r->place, (off_t)out->len) == 0 && fsync(r->place) == 0 &&
        rename(ending, path) == 0)
        return file_sync_folder_of(path, &unsaid);
    unlink(ending);
    return -1;
}

static int write_whole(struct rundir *r, const struct buf *out, const char *path, bool ends,
                       struct err *err)
{
    if (ends && write_reserved(r, out, path) == 0)
        return 0;
    if (ends && r->place >= 0)
        unlink(path_join(r->arena, r->root, SUBMISSION_RUN_PLACE));
    return file_write(path, out->data, out->len, err);
}

/* `end` is NULL while it runs. */
static int write_run(struct rundir *r, const struct run_end *end, struct err *err)
{
    struct buf out = BUF_INIT(RUN_JSON_MAX);
    struct json_writer w = JSON_WRITER_INIT(&out);
    const char *now = time_text(seconds_now(), "%Y-%m-%dT%H:%M:%SZ", r->arena);
    const char *path = path_join(r->arena, r->root, RUN_NAME);
    const struct rundir_options *o = &r->options;
    json_begin_object(&w, NULL);
    json_string(&w, "schema", RUN_SCHEMA);
    json_string(&w, "case", o->case_id);
    json_string(&w, "key", o->case_key);
    json_string(&w, "state", state_name(end ? end->state : RUN_RUNNING));
    write_run_end(&w, end);
    json_string(&w, "started", r->started);
    json_string(&w, "finished", end ? now : NULL);
    write_command(&w, o->command);
    json_string(&w, "host", r->host);
    json_string(&w, "fpreport", FPREPORT_VERSION);
    json_string(&w, "reason", end ? end->reason : NULL);
    if (end && end->state == RUN_FAILED && disk_is_full(r->root))
        json_string(&w, "failure", SUBMISSION_DISK_FULL);
    write_origin(&w, o->resumed);
    json_string(&w, "initial_weights", o->initial_weights);
    json_string_if(&w, "parallel", o->parallel);
    json_string_if(&w, "accelerator", o->accelerator);
    if (o->layout)
        layout_write(o->layout, "layout", &w);
    write_challenge(&w, o->challenge);
    int rc = end ? write_files(r, &w, err) : 0;
    json_end_object(&w);
    json_finish(&w);
    if (rc == 0)
        rc = buf_check(&out, path, err);
    if (rc == 0)
        rc = write_whole(r, &out, path, end != NULL, err);
    buf_release(&out);
    return rc;
}

int rundir_create(struct rundir *r, const struct rundir_options *options, struct arena *arena,
                  struct err *err)
{
    time_t now = seconds_now();
    *r = (struct rundir){.arena = arena, .options = *options, .place = -1};
    if (!r->options.case_key)
        r->options.case_key = options->case_id;
    const char *key = r->options.case_key, *problem = foreign_name_problem(key);
    if (strchr(key, '/'))
        problem = "is more than one folder";
    if (problem)
        return err_set(err, ERR_USAGE, "the case key '%s' %s", foreign_name_shown(key, arena),
                       problem);
    const char *given = options->host;
    char name[64] = "";
    if (!given && gethostname(name, sizeof name - 1) == 0)
        given = name;
    r->host = safe_name(given ? given : "", arena);
    r->started = time_text(now, "%Y-%m-%dT%H:%M:%SZ", arena);
    if (make_root(r, now, err) < 0)
        return -1;
    r->node = arena_printf(arena, "%s/%s/round1/%s_noderank0", r->root, key, r->host);
    r->log = path_join(arena, r->node, RUN_LOG_NAME);
    if (file_mkdirs(r->node, err) < 0 || write_run(r, NULL, err) < 0 || reserve_end(r, err) < 0)
        return -1;
    return file_write(path_join(arena, r->root, "case.json"), options->case_bytes.data,
                      options->case_bytes.len, err);
}

static int write_checked(const char *path, const struct buf *out, struct err *err)
{
    return buf_check(out, path, err) < 0 ? -1 : file_write(path, out->data, out->len, err);
}

int rundir_write_facts(struct rundir *r, const struct facts *facts, struct err *err)
{
    struct buf out = BUF_INIT(RUN_JSON_MAX);
    facts_write(facts, &out);
    int rc = write_checked(path_join(r->arena, r->node, "fingerprint.json"), &out, err);
    buf_clear(&out);
    /* FlagPerf's blocks: a label, what was found, an empty line. */
    for (size_t i = 0; i < SYS_INFO_LABELS; i++) {
        const struct fact *f = facts_get(facts, fact_kinds[sys_info_labels[i].fact].key);
        const char *unknown = f && f->unknown ? f->unknown : "this fact was not collected";
        buf_printf(&out, "%s\n", sys_info_labels[i].text);
        if (f && f->value)
            buf_printf(&out, "%s\n\n", f->value);
        else
            buf_printf(&out, "unknown (%s)\n\n", unknown);
    }
    if (rc == 0)
        rc = write_checked(path_join(r->arena, r->node, "sys_info.log"), &out, err);
    buf_release(&out);
    return rc;
}

static int read_run_facts(const char *path, struct arena *arena, struct facts *out, struct err *err)
{
    struct diags diags = DIAGS_INIT(arena);
    struct bytes text;
    if (file_read(path, JSON_BYTES_MAX, arena, &text, err) < 0)
        return -1;
    int rc = facts_read(path, text, arena, out, &diags);
    return rc < 0 ? err_set(err, ERR_INPUT, "%s: %s", path, diags.items[0].message) : 0;
}

int rundir_add_measured(const char *node, const struct measured *measured, struct arena *arena,
                        struct err *err)
{
    const char *path = path_join(arena, node, "fingerprint.json");
    struct facts facts;
    struct buf out = BUF_INIT(RUN_JSON_MAX);
    if (read_run_facts(path, arena, &facts, err) < 0)
        return -1;
    facts.measured = *measured;
    facts_write(&facts, &out);
    int rc = write_checked(path, &out, err);
    buf_release(&out);
    return rc;
}

int rundir_finish(struct rundir *r, const struct run_end *end, struct err *err)
{
    int rc = write_run(r, end, err);
    if (r->place >= 0)
        close(r->place); /* with it goes the lock */
    r->place = -1;
    return rc;
}
