#include "verifier/mlperf/package/read.h"

#include "base/files/beneath.h"
#include "base/foreign.h"
#include "base/process/worker.h"

#include <math.h>

#define PORTION_BYTES ((size_t)16 << 20)
#define PORTION_FILES 2000

struct portion {
    size_t from, to; /* of the files */
    struct bytes *bytes;
    const char **refused;                 /* of each; NULL: it was read */
    const struct mlperf_archive *archive; /* of all of them; NULL: they are files */
    struct bytes packed;                  /* that */
    bool broken; /* a worker ended on it: the next says which file it comes to */
};

struct reading {
    struct mlperf_file *files;
    struct portion *portions;
    size_t n_portions;
    mlperf_log_checker *check;
    struct arena *arena;
    struct err *err;
    bool failed;
};

/* Why a file has no facts. */
static const char **refusal_of(struct mlperf_facts *f)
{
    switch (f->kind) {
    case MLPERF_FILE_LOG:
        return &f->log.refused;
    case MLPERF_FILE_POWER:
        return &f->power.refused;
    case MLPERF_FILE_SYSTEM:
        return &f->system.fault;
    case MLPERF_FILE_SCALING:
        return &f->scaling.fault;
    case MLPERF_FILE_BYPASS:
        break;
    }
    return NULL;
}

static void set_refused(struct mlperf_facts *f, const char *why)
{
    enum mlperf_file_kind kind = f->kind;
    *f = (struct mlperf_facts){.kind = kind};
    const char **to = refusal_of(f);
    if (to)
        *to = why;
    if (kind == MLPERF_FILE_LOG) {
        struct mlperf_log_facts *log = &f->log;
        log->minutes = log->start_ms = log->stop_ms = log->samples = NAN;
        log->last_start_ms = log->last_stop_ms = log->batch_size = NAN;
        log->n_messages = 1;
    } else if (kind == MLPERF_FILE_SYSTEM)
        f->system.nodes = f->system.processors_per_node = f->system.accelerators_per_node = NAN;
}

static bool is_refused(struct mlperf_file *file)
{
    const char **refused = refusal_of(&file->facts);
    return refused && *refused;
}

/* ---- in the worker ------------------------------------------------------------------------- */

static size_t most_bytes(enum mlperf_file_kind kind)
{
    return kind == MLPERF_FILE_LOG || kind == MLPERF_FILE_POWER ? MLLOG_BYTES_MAX
                                                                : MLPERF_SMALL_MAX;
}

/* A file that the machine could not read is noted in the head, which the parent believes. */
static void read_portion(void *context, size_t i, struct worker *w)
{
    struct reading *r = context;
    struct portion *p = &r->portions[i];
    size_t n = p->to - p->from;
    p->bytes = arena_array(&w->arena, n, sizeof *p->bytes);
    p->refused = arena_array(&w->arena, n, sizeof *p->refused);
    if (p->archive) {
        struct err err = ERR_INIT;
        if (mlperf_archive_bytes(p->archive, &w->arena, &p->packed, &err) < 0)
            pack_text(&w->head, foreign_line(&w->arena, err.text, 0));
        else
            pack_text(&w->head, NULL);
        w->packed += p->packed.len;
        return;
    }
    for (size_t k = 0; k < n; k++) {
        struct mlperf_file *file = &r->files[p->from + k];
        struct err err = ERR_INIT;
        if (is_refused(file))
            continue;
        if (beneath_map(file->root, file->path, most_bytes(file->facts.kind), &w->arena,
                        &p->bytes[k], &err) == 0) {
            w->packed += p->bytes[k].len;
            continue;
        }
        p->refused[k] = err_keep(&err, NULL, &w->arena);
        if (err.kind == ERR_IO && !w->head.len)
            pack_text(&w->head, foreign_line(&w->arena, err.text, 0));
    }
    if (!w->head.len)
        pack_text(&w->head, NULL);
}

static void look_at_mlperf_file(mlperf_log_checker *check, const struct mlperf_file *file,
                                struct bytes bytes, struct arena *arena, struct mlperf_facts *f)
{
    struct mlperf_log_audit audit;
    switch (f->kind) {
    case MLPERF_FILE_LOG:
        mlperf_log_read(file->rules, bytes, arena, &audit);
        if (check)
            check(&audit);
        f->log = *audit.facts;
        break;
    case MLPERF_FILE_POWER:
        mlperf_read_power(bytes, &file->rules->names, arena, &f->power);
        break;
    case MLPERF_FILE_SYSTEM:
        mlperf_read_system(bytes, arena, &f->system);
        break;
    case MLPERF_FILE_SCALING:
        mlperf_read_scaling(bytes, arena, &f->scaling);
        break;
    case MLPERF_FILE_BYPASS:
        mlperf_read_bypass(bytes, &f->bypass);
        break;
    }
}

/* It was whole when it was listed. */
static void open_portion_archive(const struct reading *r, struct portion *p, struct worker *w)
{
    struct diags diags = DIAGS_INIT(&w->arena);
    struct submission sealed = {.n = 0};
    bool whole =
        submission_open_bytes(p->packed, p->archive->shown, &w->arena, &sealed, &diags) == 0 &&
        sealed.intact;
    for (size_t k = 0; k < p->to - p->from; k++) {
        const struct bytes *member =
            whole ? submission_file(&sealed, r->files[p->from + k].path) : NULL;
        if (member)
            p->bytes[k] = *member;
        else
            p->refused[k] = "the archive changed while it was read";
    }
}

static void work_portion(void *context, size_t i, struct worker *w)
{
    struct reading *r = context;
    struct portion *p = &r->portions[i];
    if (p->archive)
        open_portion_archive(r, p, w);
    for (size_t k = 0; k < p->to - p->from; k++) {
        struct mlperf_file *file = &r->files[p->from + k];
        struct mlperf_facts facts = {.kind = file->facts.kind};
        struct arena scratch = ARENA_INIT;
        if (is_refused(file))
            continue;
        if (p->broken)
            worker_at(w, p->from + k);
        if (p->refused[k])
            set_refused(&facts, sentence_carry(&scratch, &w->arena, p->refused[k]));
        else
            look_at_mlperf_file(r->check, file, p->bytes[k], &scratch, &facts);
        pack_number(&w->answer, p->bytes[k].len);
        mlperf_facts_pack(&facts, &scratch, &w->answer);
        arena_release(&scratch);
    }
}

void mlperf_read_given(struct mlperf_file *files, size_t n, mlperf_log_checker *check,
                       struct arena *arena)
{
    for (size_t i = 0; i < n; i++)
        look_at_mlperf_file(check, &files[i], files[i].given, arena, &files[i].facts);
}

/* ---- in the parent ------------------------------------------------------------------------- */

/* False: the answer is not one. */
static bool take_portion_answer(struct reading *r, struct portion *p, const struct worker_end *end)
{
    struct unpack u = unpack_answer(end->answer.data, end->answer.len);
    for (size_t k = p->from; k < p->to; k++) {
        struct mlperf_file *file = &r->files[k];
        if (is_refused(file))
            continue;
        file->bytes = unpack_number(&u);
        mlperf_facts_unpack(&u, r->arena, &file->facts);
    }
    return unpack_end(&u);
}

static void fail_portion(struct reading *r, const char *why)
{
    if (!r->failed)
        err_set(r->err, ERR_IO, "%s", why);
    r->failed = true;
}

static bool take_portion(void *context, size_t i, const struct worker_end *end)
{
    struct reading *r = context;
    struct portion *p = &r->portions[i];
    const char *why = end->why;
    if (end->head.len) {
        struct unpack head = unpack_answer(end->head.data, end->head.len);
        const char *fault = unpack_text(&head);
        if (fault)
            fail_portion(r, fault);
    }
    if (end->outcome == WORKER_ANSWERED) {
        if (take_portion_answer(r, p, end))
            return false;
        why = "the worker process returned an impossible value";
    }
    if (end->outcome == WORKER_MACHINE) {
        fail_portion(r, end->why);
        return false;
    }
    if (end->outcome == WORKER_BROKEN && !p->broken) {
        p->broken = true;
        return true;
    }
    why = sentence_carry(r->arena, end->said, why);
    bool known = end->outcome == WORKER_BROKEN && end->place >= p->from && end->place < p->to;
    if (known && !is_refused(&r->files[end->place])) {
        set_refused(&r->files[end->place].facts, why);
        if (is_refused(&r->files[end->place]))
            return true;
    }
    for (size_t k = p->from; k < p->to; k++)
        set_refused(&r->files[k].facts, why);
    return false;
}

int mlperf_read_files(struct mlperf_file *files, size_t n, mlperf_log_checker *check,
                      struct arena *arena, struct err *err)
{
    struct reading r = {.files = files, .check = check, .arena = arena, .err = err};
    struct portion *last = NULL;
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        const struct mlperf_archive *archive = files[i].archive;
        bool full =
            last && (bytes + r.files[i].bytes > PORTION_BYTES || i - last->from == PORTION_FILES);
        if (!last || full || archive != last->archive) {
            last = ARENA_PUSH(r.arena, r.portions, r.n_portions);
            last->from = i;
            last->archive = archive;
            bytes = 0;
        }
        last->to = i + 1;
        bytes += r.files[i].bytes;
    }
    const struct worker_crew crew = {.context = &r,
                                     .read = read_portion,
                                     .work = work_portion,
                                     .take = take_portion,
                                     .text_only = true};
    worker_each(&crew, r.n_portions);
    return r.failed ? -1 : 0;
}
