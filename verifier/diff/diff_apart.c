/* diff_side_of_submission: one side of a comparison, out of an archive that somebody else made. */
#include "base/json/shape_pack.h"
#include "base/process/worker.h"
#include "base/records/pack_values.h"
#include "verifier/diff/diff_side.h"
#include "verifier/runs/kept.h"

struct opening {
    const char *path, *name;
    struct diff_side *out;
    struct arena *arena; /* the caller's */
    struct diags *diags;
    struct err *err;
    int rc;
    struct kept kept;
};

_Static_assert(sizeof(struct diff_side) == 312, "this struct changed: say here what is in it");

/* ---- in the worker ----------------------------------------------------------------------- */

static void read_file(void *context, size_t i, struct worker *w)
{
    struct opening *o = context;
    (void)i;
    o->kept = (struct kept){.worker = w};
    kept_read(&o->kept, o->path, (struct store_place){NULL, o->path}, &w->arena);
    w->packed = o->kept.total;
}

static void pack_side(const struct diff_side *s, struct buf *out)
{
    pack_text(out, s->log);
    pack_text(out, s->format);
    pack_number(out, s->logs);
    pack_curve(&s->curve, out);
    for (size_t i = 0; i < s->curve.n; i++)
        pack_number(out, (uint64_t)s->line[i]);
    pack_doubles(out, s->clock_ms, s->curve.n);
    pack_number(out, s->reports);
    pack_number(out, s->repeated);
    pack_number(out, s->changed);
    pack_double(out, s->skipped);
    pack_double(out, s->skipped_of);
    pack_double(out, s->first_repeated);
    pack_number(out, (uint64_t)s->first_repeated_line);
    pack_number(out, s->rising);
    pack_number(out, (uint64_t)s->fall_line);
    pack_facts(&s->facts, out);
    pack_number(out, s->kase != NULL);
    if (s->kase)
        shape_pack(&case_shape, s->kase, out);
}

static void answer(void *context, size_t i, struct worker *w)
{
    struct opening *o = context;
    struct diff_side side = {.name = o->name};
    struct diags diags;
    struct err err = ERR_INIT;
    (void)i;
    diags_init(&diags, &w->arena);
    diags_init(&side.faults, &w->arena);
    const struct kept_file *f = kept_find(&o->kept, o->path, &w->arena);
    int rc = f->why ? kept_fault(f, &err)
                    : diff_side_read(f->bytes, o->path, o->name, &side, &w->arena, &diags, &err);
    pack_diags(&diags, &w->answer);
    pack_number(&w->answer, (uint64_t)err.kind);
    if (rc < 0) {
        pack_text(&w->answer, err.text);
        return;
    }
    pack_diags(&side.faults, &w->answer);
    pack_side(&side, &w->answer);
}

/* ---- here -------------------------------------------------------------------------------- */

static void unpack_side(struct diff_side *s, struct arena *arena, struct unpack *u)
{
    s->log = take_words(u, arena);
    s->format = take_words(u, arena);
    s->logs = (size_t)unpack_number(u);
    unpack_curve(&s->curve, arena, u);
    s->line = arena_array(arena, s->curve.n, sizeof *s->line);
    for (size_t i = 0; i < s->curve.n; i++)
        s->line[i] = unpack_int(u);
    s->clock_ms = unpack_doubles(u, s->curve.n, arena);
    s->reports = (size_t)unpack_number(u);
    s->repeated = (size_t)unpack_number(u);
    s->changed = (size_t)unpack_number(u);
    s->skipped = unpack_double(u);
    s->skipped_of = unpack_double(u);
    s->first_repeated = unpack_double(u);
    s->first_repeated_line = unpack_int(u);
    s->rising = unpack_choice(u, 1) != 0;
    s->fall_line = unpack_int(u);
    const struct facts *facts = unpack_facts(arena, u);
    s->facts = facts ? *facts : (struct facts){.n = 0};
    if (unpack_choice(u, 1)) {
        s->kase = arena_alloc(arena, sizeof *s->kase);
        shape_unpack(&case_shape, s->kase, arena, u);
    }
    u->bad |= !s->log || s->curve.n == 0;
}

static bool take_side(struct opening *o, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    struct diags diags;
    unpack_diags(&diags, o->arena, &u);
    uint64_t kind = unpack_number(&u);
    const char *text = kind ? take_words(&u, o->arena) : NULL;
    u.bad |= kind && (!text || (kind != ERR_INPUT && kind != ERR_IO));
    if (!kind) {
        unpack_diags(&o->out->faults, o->arena, &u);
        unpack_side(o->out, o->arena, &u);
    }
    if (!unpack_end(&u))
        return false;
    diags_append(o->diags, &diags);
    o->rc = kind ? err_set(o->err, (enum err_kind)kind, "%s", text) : 0;
    return true;
}

static bool take(void *context, size_t i, const struct worker_end *end)
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
        .context = &o, .read = read_file, .work = answer, .take = take};
    worker_each(&crew, 1);
    return o.rc;
}
