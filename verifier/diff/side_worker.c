/* diff_side_of_submission: one side of a comparison, out of an archive that somebody else made. */
#include "base/json/shape_pack.h"
#include "base/process/worker.h"
#include "base/records/handed_on.h"
#include "verifier/diff/side.h"
#include "verifier/runs/read_ahead.h"

struct opening {
    const char *path, *name;
    struct diff_side *out;
    struct arena *arena; /* the caller's */
    struct diags *diags;
    struct err *err;
    int rc;
    struct read_ahead read_ahead;
};

/* ---- what is handed on: but for the lines of steps, and the case -------------------------- */

static const struct field side_fields[] = {
    FIELD(TEXT, struct diff_side, log, .required = true),
    {.key = "format", .kind = FIELD_TEXT, FIELD_AT(struct diff_side, format)},
    {.key = "logs", .kind = FIELD_SIZE, FIELD_AT(struct diff_side, logs)},
    FIELD(INSIDE, struct diff_side, curve, .required = true, .shape = &curve_shape),
    {.key = "clock_ms",
     .kind = FIELD_REALS,
     .at = offsetof(struct diff_side, clock_ms),
     .at_n = offsetof(struct diff_side, n_clocks)},
    {.key = "reports", .kind = FIELD_SIZE, FIELD_AT(struct diff_side, reports)},
    {.key = "repeated", .kind = FIELD_SIZE, FIELD_AT(struct diff_side, repeated)},
    {.key = "changed", .kind = FIELD_SIZE, FIELD_AT(struct diff_side, changed)},
    {.key = "skipped", .kind = FIELD_REAL, FIELD_AT(struct diff_side, skipped)},
    {.key = "skipped_of", .kind = FIELD_REAL, FIELD_AT(struct diff_side, skipped_of)},
    {.key = "first_repeated", .kind = FIELD_REAL, FIELD_AT(struct diff_side, first_repeated)},
    {.key = "first_repeated_line",
     .kind = FIELD_PLACE,
     FIELD_AT(struct diff_side, first_repeated_line)},
    {.key = "rising", .kind = FIELD_FLAG, FIELD_AT(struct diff_side, rising)},
    {.key = "fall_line", .kind = FIELD_PLACE, FIELD_AT(struct diff_side, fall_line)},
    FIELD(INSIDE, struct diff_side, faults, .shape = &diags_shape),
    FIELD(INSIDE, struct diff_side, facts, .shape = &facts_shape),
};

static const struct shape side_shape =
    SHAPE("side", struct diff_side, side_fields, .unplaced = true);

/* ---- in the worker ----------------------------------------------------------------------- */

static void read_diff_file(void *context, size_t i, struct worker *w)
{
    struct opening *o = context;
    (void)i;
    o->read_ahead = (struct read_ahead){.worker = w};
    read_ahead_add(&o->read_ahead, o->path, (struct store_place){.path = o->path}, &w->arena);
    w->packed = o->read_ahead.total;
}

static void answer_with_side(void *context, size_t i, struct worker *w)
{
    struct opening *o = context;
    struct diff_side side = {.name = o->name};
    struct diags diags = DIAGS_INIT(&w->arena);
    struct err err = ERR_INIT;
    (void)i;
    diags_init(&side.faults, &w->arena);
    const struct read_ahead_file *f = read_ahead_find(&o->read_ahead, o->path, &w->arena);
    int rc = f->why ? read_ahead_fault(f, &err)
                    : diff_side_read(f->bytes, o->path, o->name, &side, &w->arena, &diags, &err);
    shape_pack_text(&diags_shape, &diags, &w->answer);
    pack_number(&w->answer, (uint64_t)err.kind);
    if (rc < 0) {
        pack_text(&w->answer, err.text);
        return;
    }
    side.n_clocks = side.curve.n;
    shape_pack_text(&side_shape, &side, &w->answer);
    for (size_t j = 0; j < side.curve.n; j++)
        pack_number(&w->answer, (uint64_t)side.line[j]);
    pack_number(&w->answer, side.kase != NULL);
    if (side.kase)
        shape_pack(&case_shape, side.kase, &w->answer);
}

/* ---- here -------------------------------------------------------------------------------- */

static void unpack_side(struct opening *o, struct unpack *u)
{
    struct diff_side *s = o->out;
    const char *name = s->name, *kind = s->kind;
    shape_unpack_text(&side_shape, s, o->arena, u);
    s->name = name;
    s->kind = kind;
    s->faults.arena = o->arena;
    u->bad |= s->curve.n == 0 || s->n_clocks != s->curve.n;
    s->line = arena_array(o->arena, u->bad ? 0 : s->curve.n, sizeof *s->line);
    for (size_t i = 0; !u->bad && i < s->curve.n; i++)
        s->line[i] = unpack_int(u);
    if (unpack_choice(u, 1)) {
        s->kase = arena_alloc(o->arena, sizeof *s->kase);
        shape_unpack(&case_shape, s->kase, o->arena, u);
    }
}

static bool take_side(struct opening *o, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    struct diags diags;
    shape_unpack_text(&diags_shape, &diags, o->arena, &u);
    uint64_t kind = unpack_number(&u);
    const char *text = kind ? take_words(&u, o->arena) : NULL;
    u.bad |= kind && (!text || (kind != ERR_INPUT && kind != ERR_IO));
    if (!kind)
        unpack_side(o, &u);
    if (!unpack_end(&u))
        return false;
    diags_append(o->diags, &diags);
    o->rc = kind ? err_set(o->err, (enum err_kind)kind, "%s", text) : 0;
    return true;
}

static bool take_side_answer(void *context, size_t i, const struct worker_end *end)
{
    struct opening *o = context;
    (void)i;
    *o->out = (struct diff_side){.name = o->name, .kind = "submission"};
    if (end->outcome == WORKER_ANSWERED && take_side(o, end->answer)) {
        o->out->curve.source = o->out->log;
        return false;
    }
    o->rc = worker_fault(end, o->name, o->err);
    return false;
}

int diff_side_of_submission(const char *path, const char *name, struct diff_side *out,
                            struct arena *arena, struct diags *diags, struct err *err)
{
    struct opening o = {
        .path = path, .name = name, .out = out, .arena = arena, .diags = diags, .err = err};
    const struct worker_crew crew = {
        .context = &o, .read = read_diff_file, .work = answer_with_side, .take = take_side_answer};
    worker_each(&crew, 1);
    return o.rc;
}
