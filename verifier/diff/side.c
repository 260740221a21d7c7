#include "verifier/diff/side.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/reals.h"
#include "base/sealed/submission.h"
#include "base/text.h"
#include "verifier/curves/align.h"
#include "verifier/logs/log_health.h"
#include "verifier/runs/run_layout.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES ((size_t)1 << 12) /* enough to tell a curve from a log */
#define NOTES_MAX ((size_t)4 << 20)  /* fingerprint.json, case.json */

/* --- points to a curve --- */

/* By step; the lowest rank last, and of one rank the last report. */
static int compare_points_by_step(const void *a, const void *b)
{
    const struct curve_point *x = a, *y = b;
    int order = (x->step > y->step) - (x->step < y->step);
    order = order ? order : (x->rank < y->rank) - (x->rank > y->rank);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void note_repeated_step(struct diff_side *side, const struct curve_point *p)
{
    if (!reals_same(side->curve.loss[side->curve.n - 1], p->loss))
        side->changed++;
    if (side->repeated++)
        return;
    side->first_repeated = p->step;
    side->first_repeated_line = p->line;
}

/* Are the steps as they should be, rising, and of one rank? */
static bool in_order(const struct diff_points *p, struct diff_side *side)
{
    bool one_rank = true;
    side->rising = true;
    for (size_t i = 1; i < p->n && one_rank; i++)
        one_rank = p->items[i].rank == p->items[i - 1].rank;
    for (size_t i = 1; i < p->n && one_rank && side->rising; i++)
        if (p->items[i].step < p->items[i - 1].step) {
            side->rising = false;
            side->fall_line = p->items[i].line;
        }
    return one_rank && side->rising;
}

static void make_curve(struct diff_points *points, struct diff_side *side, struct arena *arena)
{
    struct curve *c = &side->curve;
    size_t n = points->n;
    side->reports = n;
    c->counted = points->counted;
    c->by_epoch = points->by_epoch;
    side->skipped = points->skipped;
    side->skipped_of = points->of;
    if (!in_order(points, side))
        qsort(points->items, n, sizeof *points->items, compare_points_by_step);
    c->step = arena_array(arena, n, sizeof(double));
    c->loss = arena_array(arena, n, sizeof(double));
    c->seconds = arena_array(arena, n, sizeof(double));
    side->clock_ms = arena_array(arena, n, sizeof(double));
    side->line = arena_array(arena, n, sizeof(int));
    for (size_t i = 0; i < n; i++) {
        const struct curve_point *p = &points->items[i];
        bool again = c->n && c->step[c->n - 1] == p->step;
        if (again && p->rank == p[-1].rank)
            note_repeated_step(side, p);
        size_t at = again ? c->n - 1 : c->n++;
        c->step[at] = p->step;
        c->loss[at] = p->loss;
        c->seconds[at] = p->seconds;
        side->clock_ms[at] = p->clock_ms;
        side->line[at] = p->line;
    }
}

static void take_log_points(const struct log *log, struct diff_points *out, struct arena *arena,
                            struct diags *diags)
{
    struct log_health health;
    log_health(log, &health);
    *out = (struct diff_points){.items = arena_array(arena, log->n_points, sizeof *out->items),
                                .counted = log->counted > 0,
                                .by_epoch = log->by_epoch,
                                .skipped = health.skipped,
                                .of = health.of};
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *p = &log->points[i];
        if (p->has_loss && isfinite(p->step))
            out->items[out->n++] =
                (struct curve_point){p->step, p->loss, p->seconds, p->clock_ms, p->line, p->rank};
    }
    if (log->n_points && !out->n)
        diags_add(diags, SEVERITY_WARNING, log->file, log->points[0].line, 0,
                  "found %zu reports (%s) of which none has a loss, this is the first",
                  log->n_points, log->format);
}

/* --- a file --- */

static bool is_curve(const char *path)
{
    char head[HEAD_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    return n > 0 && diff_csv_is((struct bytes){head, (size_t)n});
}

/* A curve, else a log, of bytes at hand. */
static void take_points(const char *path, struct bytes in, struct diff_points *out,
                        const char **format, struct arena *arena, struct diags *diags)
{
    struct bytes head = {in.data, in.len < HEAD_BYTES ? in.len : HEAD_BYTES};
    struct log log;
    if (text_ends(path, ".csv") || diff_csv_is(head)) {
        *format = "curve";
        diff_csv_read(path, NULL, in, out, arena, diags);
        return;
    }
    log_read(path, in, &log, arena, diags);
    *format = log.format;
    take_log_points(&log, out, arena, diags);
}

static int read_diff_points(const char *path, const char *column, const struct pattern_row *own,
                            struct diff_points *out, const char **format, struct arena *arena,
                            struct diags *diags, struct err *err)
{
    struct bytes in;
    struct log log;
    if (text_ends(path, ".csv") || column || is_curve(path)) {
        if (file_read(path, DIFF_CSV_MAX, arena, &in, err) < 0)
            return -1;
        *format = "curve";
        diff_csv_read(path, column, in, out, arena, diags);
        return 0;
    }
    if (log_read_file_own(path, own, &log, arena, diags, err) < 0)
        return -1;
    *format = log.format;
    take_log_points(&log, out, arena, diags);
    return 0;
}

static void take_file(const char *path, struct diff_points *points, struct diff_side *side,
                      struct arena *arena)
{
    side->kind = side->format && strcmp(side->format, "curve") == 0 ? "curve" : "log";
    side->log = path;
    side->logs = points->n > 0;
    make_curve(points, side, arena);
}

/* --- a tree of files: a folder or a submission --- */

struct tree {
    const char *name;
    const char *root; /* folder; NULL: a submission */
    const char **paths;
    struct submission submission;
    size_t n;
    struct arena *arena;
};

static const char *tree_path(const struct tree *t, size_t i)
{
    return t->root ? t->paths[i] : t->submission.files[i].name;
}

/* The file's place, for messages. */
static const char *tree_place(const struct tree *t, size_t i)
{
    return t->root ? path_join(t->arena, t->root, t->paths[i])
                   : arena_printf(t->arena, "%s:%s", t->name, t->submission.files[i].name);
}

static int tree_bytes(const struct tree *t, size_t i, struct bytes *out, struct err *err)
{
    if (t->root)
        return file_read(tree_place(t, i), NOTES_MAX, t->arena, out, err);
    *out = t->submission.files[i].bytes;
    return 0;
}

static int tree_points(const struct tree *t, size_t i, struct diff_points *out, const char **format,
                       struct diags *diags, struct err *err)
{
    const char *place = tree_place(t, i);
    if (t->root)
        return read_diff_points(place, NULL, NULL, out, format, t->arena, diags, err);
    take_points(place, t->submission.files[i].bytes, out, format, t->arena, diags);
    return 0;
}

/* "case:framework:device:1:8:1", the folder that FlagPerf's layout names a run by; "" when there
 * is none. */
static const char *run_folder(const struct tree *t, size_t i)
{
    const char *path = tree_path(t, i);
    for (size_t n = strcspn(path, "/"); path[n]; n = strcspn(path, "/")) {
        if (memchr(path, ':', n))
            return arena_strndup(t->arena, path, n);
        path += n + 1;
    }
    return "";
}

struct choice {
    struct diff_points points;
    const char *place, *format, *folder;
    struct diags diags;
    size_t logs;
};

static int choose_log(const struct tree *t, struct choice *best, struct err *err)
{
    *best = (struct choice){.folder = NULL};
    diags_init(&best->diags, t->arena);
    for (size_t i = 0; i < t->n; i++) {
        struct choice c = {.place = tree_place(t, i), .folder = run_folder(t, i)};
        if (!run_is_training_log(tree_path(t, i)))
            continue;
        diags_init(&c.diags, t->arena);
        if (tree_points(t, i, &c.points, &c.format, &c.diags, err) < 0)
            return -1;
        if (!c.points.n)
            continue;
        if (best->folder && strcmp(best->folder, c.folder) != 0)
            return err_set(err, ERR_INPUT, "%s: found runs '%s' and '%s', expected one: name it",
                           t->name, best->folder, c.folder);
        c.logs = best->logs + 1;
        if (c.points.n > best->points.n)
            *best = c;
        best->logs = c.logs;
    }
    return 0;
}

/* What a run says about its machine and its case; both may be missing or malformed. Of each a few
 * are tried, as where a submission is verified (verifier/proofs/proof.c). */
static void read_side_notes(const struct tree *t, struct diff_side *side)
{
    struct diags ignored = DIAGS_INIT(t->arena);
    struct err err = ERR_INIT;
    struct bytes text;
    size_t facts_tried = 0, cases_tried = 0;
    for (size_t i = 0; i < t->n; i++) {
        const char *base = path_base(tree_path(t, i)), *place = tree_place(t, i);
        bool facts =
            strcmp(base, "fingerprint.json") == 0 && !side->facts.n && facts_tried++ < FACTS_TRIED;
        bool kase = strcmp(base, "case.json") == 0 && !side->kase && cases_tried++ < FACTS_TRIED;
        struct json *root = NULL;
        struct arena own = ARENA_INIT;
        if ((!facts && !kase) || tree_bytes(t, i, &text, &err) < 0)
            continue;
        if (facts)
            facts_read(place, text, t->arena, &side->facts, &ignored);
        struct case_record *record = arena_alloc(t->arena, sizeof *record);
        if (kase && json_parse(place, text, &own, &root, &ignored) == 0 &&
            shape_load(&case_shape, root, place, record, t->arena, &ignored) == 0)
            side->kase = record;
        arena_release(&own);
    }
}

static void keep_diags(const struct diags *from, struct diags *to)
{
    for (size_t i = 0; i < from->n; i++)
        diags_add(to, from->items[i].severity, from->items[i].file, from->items[i].line,
                  from->items[i].col, "%s", from->items[i].message);
}

static int open_tree(const struct tree *t, struct diff_side *side, struct diags *diags,
                     struct err *err)
{
    struct choice c;
    if (choose_log(t, &c, err) < 0)
        return -1;
    keep_diags(&c.diags, diags);
    side->log = c.place;
    side->format = c.format;
    side->logs = c.logs;
    make_curve(&c.points, side, t->arena);
    read_side_notes(t, side);
    return 0;
}

static int open_side_submission(struct tree *t, struct bytes in, const char *path,
                                struct arena *arena, struct diags *diags, struct err *err)
{
    struct diags faults = DIAGS_INIT(arena);
    bool opened = submission_open_bytes(in, path, arena, &t->submission, &faults) == 0;
    keep_diags(&faults, diags);
    if (!opened || !t->submission.intact)
        return err_set(err, ERR_INPUT, "%s: the submission is not intact; nothing is compared",
                       t->name);
    t->n = t->submission.n;
    return 0;
}

const char *diff_side_column(const char *path)
{
    const char *hash = strrchr(path, '#');
    return hash && hash > path && hash[1] && !file_exists(path) ? hash + 1 : NULL;
}

void diff_side_stride(struct diff_side *side, double stride)
{
    for (size_t i = 0; i < side->curve.n; i++)
        side->curve.step[i] *= stride;
    side->curve.counted = side->curve.by_epoch = false;
}

static int open_any(const char *path, const struct pattern_row *own, struct diff_side *side,
                    struct arena *arena, struct diags *diags, struct err *err)
{
    struct tree t = {.name = side->name, .arena = arena};
    if (file_is_dir(path)) {
        side->kind = "run";
        t.root = path;
        return dir_walk(path, arena, &t.paths, &t.n, err) < 0 ? -1
                                                              : open_tree(&t, side, diags, err);
    }
    struct diff_points points = {.items = NULL};
    struct stat st;
    const char *column = diff_side_column(path);
    if (column)
        path = arena_strndup(arena, path, (size_t)(column - path) - 1);
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "%s: found a device or a pipe, expected a file", path);
    if (read_diff_points(path, column, own, &points, &side->format, arena, diags, err) < 0)
        return -1;
    take_file(path, &points, side, arena);
    return 0;
}

/* In an archive of submissions they are called by their SHA-256. */
static bool is_submission(const char *path)
{
    return text_ends(path, ".tar.zst") || hash_is_hex(path_base(path));
}

static int read_any(struct bytes in, const char *path, struct diff_side *side, struct arena *arena,
                    struct diags *diags, struct err *err)
{
    struct tree t = {.name = side->name, .arena = arena};
    if (is_submission(path)) {
        side->kind = "submission";
        return open_side_submission(&t, in, path, arena, diags, err) < 0
                   ? -1
                   : open_tree(&t, side, diags, err);
    }
    struct diff_points points = {.items = NULL};
    take_points(path, in, &points, &side->format, arena, diags);
    take_file(path, &points, side, arena);
    return 0;
}

static void begin_side(struct diff_side *side, const char *name, struct arena *arena)
{
    *side = (struct diff_side){.name = name, .first_repeated = NAN};
    diags_init(&side->faults, arena);
}

static int end_side(struct diff_side *side, int rc, struct diags *diags, struct err *err)
{
    keep_diags(&side->faults, diags);
    if (rc < 0)
        return -1;
    side->curve.source = side->log;
    if (side->curve.n == 0)
        return err_set(err, ERR_INPUT, "%s: found no step with a loss, expected a curve or a log",
                       side->name);
    return 0;
}

int diff_side_open(const char *path, const char *name, struct diff_side *out, struct arena *arena,
                   struct diags *diags, struct err *err)
{
    return diff_side_open_own(path, name, NULL, out, arena, diags, err);
}

int diff_side_open_own(const char *path, const char *name, const struct pattern_row *own,
                       struct diff_side *out, struct arena *arena, struct diags *diags,
                       struct err *err)
{
    if (is_submission(path) && !file_is_dir(path))
        return diff_side_of_submission(path, name, out, arena, diags, err);
    begin_side(out, name, arena);
    return end_side(out, open_any(path, own, out, arena, &out->faults, err), diags, err);
}

int diff_side_read(struct bytes in, const char *path, const char *name, struct diff_side *out,
                   struct arena *arena, struct diags *diags, struct err *err)
{
    begin_side(out, name, arena);
    return end_side(out, read_any(in, path, out, arena, &out->faults, err), diags, err);
}

int diff_side_line(const struct diff_side *side, double step)
{
    size_t at = curve_step_at(&side->curve, 0, step);
    return at < side->curve.n && side->curve.step[at] == step ? side->line[at] : 0;
}

const char *diff_side_plan(const struct diff_side *side, struct arena *arena)
{
    const struct case_parallel *p = side->kase ? side->kase->parallel : NULL;
    if (!p)
        return side->plan;
    return arena_printf(arena, "TP%lldPP%lldDP%lld", p->tensor ? p->tensor : 1,
                        p->pipeline ? p->pipeline : 1, p->data ? p->data : 1);
}
