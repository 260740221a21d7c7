#include "cli/build/verdicts.h"

#include "verifier/verdicts/verdict_pack.h"

_Static_assert(sizeof(struct verdict) == 152, "this struct changed: say here what is kept of it");

bool build_verdict_can_pack(const struct verdict *v)
{
    return v->n_evidence == 0 && v->n_reproductions == 0 && !v->found && !v->mlperf;
}

void build_verdict_pack(const struct verdict *v, struct buf *out)
{
    pack_text(out, v->id);
    pack_text(out, v->file);
    pack_text(out, v->rules);
    pack_text(out, v->only);
    pack_number(out, v->state);
    verdict_pack_figures(v, true, out);
}

void build_verdict_unpack(struct verdict *v, struct arena *arena, struct unpack *u)
{
    *v = (struct verdict){.id = unpack_text(u)};
    v->file = unpack_text(u);
    v->rules = unpack_text(u);
    v->only = unpack_text(u);
    uint64_t state = unpack_number(u);
    u->bad |= !v->id || state > STATE_WITHDRAWN;
    v->state = u->bad ? STATE_FAILED : (enum state)state;
    verdict_unpack_figures(v, arena, u);
}
