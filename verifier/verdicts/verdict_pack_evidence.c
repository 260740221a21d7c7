/* One piece of evidence of a verdict (verdict_pack.h). */
#include "verifier/verdicts/verdict_pack.h"

#include "base/foreign.h"
#include "base/records/pack_values.h"
#include "base/sealed/archive.h"
#include "base/signing/hash.h"
#include "verifier/proofs/agreement.h"

#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof *(array))
#define AGREEMENTS_MAX 256 /* more than there are fields to agree upon */
#define CARDS_MAX 65536    /* of all nodes of a run */

/* What is published, and since when it is known, is set in the parent (cli/build/redact.h). */
_Static_assert(sizeof(struct row_evidence) == 376 && sizeof(struct alignment) == 64 &&
                   sizeof(struct signature) == 32 && sizeof(struct samples) == 40 &&
                   sizeof(struct evidence_file) == 32 && sizeof(struct agreement) == 40 &&
                   sizeof(struct said) == 24,
               "these structs changed: say here what is in them");

static void pack_alignment(const struct alignment *a, struct buf *out)
{
    pack_number(out, a != NULL);
    if (!a)
        return;
    pack_number(out, (uint64_t)a->from_step);
    pack_number(out, a->steps);
    pack_number(out, a->aligned);
    const double values[] = {a->mean_rel_error, a->max_rel_error, a->limit, a->max_step};
    pack_doubles(out, values, N_OF(values));
    pack_text(out, a->reference);
}

static const char *reference_of(const struct case_record *c, const char *name)
{
    const char *own = c && c->alignment ? c->alignment->reference : NULL;
    return own && name && strcmp(own, name) == 0 ? own : NULL;
}

/* The name of the reference is that of the records: it becomes a file of the site. */
static const char *unpack_reference(const struct project *p, const struct verdict_evidence *known,
                                    struct unpack *u)
{
    const char *said = unpack_words(u), *own = reference_of(known->kase, said);
    for (size_t i = 0; i < p->n_cases && !own && !known->kase; i++)
        own = reference_of(&p->cases[i], said);
    u->bad |= !own;
    return own;
}

static struct alignment *unpack_alignment(const struct project *project,
                                          const struct verdict_evidence *known, struct arena *arena,
                                          struct unpack *u)
{
    if (!unpack_choice(u, 1))
        return NULL;
    struct alignment *a = arena_alloc(arena, sizeof *a);
    a->from_step = unpack_int(u);
    a->steps = (size_t)unpack_number(u);
    a->aligned = unpack_choice(u, 1) != 0;
    a->mean_rel_error = unpack_double(u);
    a->max_rel_error = unpack_double(u);
    a->limit = unpack_double(u);
    a->max_step = unpack_double(u);
    a->reference = unpack_reference(project, known, u);
    return a;
}

static void pack_files(const struct row_evidence *e, struct buf *out)
{
    pack_number(out, e->n_files);
    for (size_t i = 0; i < e->n_files; i++) {
        pack_text(out, e->files[i].name);
        pack_text(out, e->files[i].sha256);
        pack_number(out, e->files[i].bytes);
    }
}

static void unpack_files(struct row_evidence *e, struct arena *arena, struct unpack *u)
{
    e->n_files = unpack_list(u, 3, ARCHIVE_ENTRIES_MAX, sizeof *e->files);
    e->files = arena_array(arena, e->n_files, sizeof *e->files);
    for (size_t i = 0; i < e->n_files; i++) {
        struct evidence_file *f = &e->files[i];
        f->name = take_words(u, arena);
        f->sha256 = take_words(u, arena);
        f->bytes = (size_t)unpack_number(u);
        u->bad |=
            !f->name || foreign_name_problem(f->name) || (f->sha256 && !hash_is_hex(f->sha256));
    }
}

static void pack_samples(const struct samples *s, struct buf *out)
{
    pack_number(out, s->n);
    pack_doubles(out, s->at, s->n);
    pack_doubles(out, s->value, s->n);
    pack_number(out, s->each);
    pack_number(out, s->in_last);
}

static const struct samples *unpack_samples(struct arena *arena, struct unpack *u)
{
    struct samples *s = arena_alloc(arena, sizeof *s);
    s->n = unpack_count(u, 2 * sizeof(double));
    s->at = unpack_doubles(u, s->n, arena);
    s->value = unpack_doubles(u, s->n, arena);
    s->each = (size_t)unpack_number(u);
    s->in_last = (size_t)unpack_number(u);
    return s;
}

static void pack_agreements(const struct row_evidence *e, struct buf *out)
{
    pack_number(out, e->n_agreements);
    for (size_t i = 0; i < e->n_agreements; i++) {
        const struct agreement *x = &e->agreements[i];
        pack_text(out, x->key);
        pack_number(out, x->outcome);
        pack_number(out, x->n);
        for (size_t k = 0; k < x->n; k++) {
            pack_number(out, x->said[k].by);
            pack_text(out, x->said[k].value);
            pack_number(out, (uint64_t)x->said[k].line);
            pack_number(out, x->said[k].differs);
        }
    }
}

/* Words for people are those of our own table. */
static void unpack_agreement(struct agreement *x, struct arena *arena, struct unpack *u)
{
    x->key = take_words(u, arena);
    x->label = x->key ? agreement_label(x->key) : NULL;
    x->outcome = (enum outcome)unpack_choice(u, OUTCOME_CANNOT);
    x->n = unpack_list(u, 5, SIZE_MAX, sizeof *x->said);
    x->said = arena_array(arena, x->n, sizeof *x->said);
    for (size_t k = 0; k < x->n; k++) {
        struct said *s = &x->said[k];
        s->by = (enum said_by)unpack_choice(u, SAID_BY - 1);
        s->value = take_words(u, arena);
        s->line = unpack_int(u);
        s->differs = unpack_choice(u, 1) != 0;
        u->bad |= !s->value;
    }
    u->bad |= !x->label || x->n == 0;
}

static void unpack_agreements(struct row_evidence *e, struct arena *arena, struct unpack *u)
{
    e->n_agreements = unpack_list(u, 3, AGREEMENTS_MAX, sizeof *e->agreements);
    struct agreement *list = arena_array(arena, e->n_agreements, sizeof *list);
    for (size_t i = 0; i < e->n_agreements && !u->bad; i++)
        unpack_agreement(&list[i], arena, u);
    e->agreements = list;
}

void evidence_pack(const struct row_evidence *e, struct buf *out)
{
    pack_text(out, e->sha256);
    pack_text(out, e->id);
    pack_text(out, e->log);
    pack_text(out, e->finished);
    pack_number(out, e->intact);
    pack_number(out, e->sealed);
    pack_number(out, e->signature.state);
    pack_text(out, e->signature.signer);
    pack_text(out, e->signature.key);
    pack_text(out, e->signature.why);
    pack_curve(&e->curve, out);
    pack_curve(&e->reference, out);
    pack_alignment(e->alignment, out);
    pack_files(e, out);
    pack_facts(e->facts, out);
    pack_agreements(e, out);
    pack_number(out, e->n_command);
    for (size_t i = 0; i < e->n_command; i++)
        pack_text(out, e->command[i]);
    pack_text(out, e->answered.round);
    pack_text(out, e->answered.nonce);
    pack_text(out, e->answered.vendor);
    pack_text(out, e->answered.key);
    for (size_t i = 0; i < MONITORED; i++) {
        pack_number(out, e->monitored[i].n);
        for (size_t k = 0; k < e->monitored[i].n; k++)
            pack_samples(e->monitored[i].cards[k], out);
    }
}

static void unpack_signature(struct signature *s, struct arena *arena, struct unpack *u)
{
    s->state = (enum signed_state)unpack_choice(u, SIGNED_BADLY);
    s->signer = take_words(u, arena);
    s->key = take_words(u, arena);
    s->why = take_words(u, arena);
    u->bad |= (s->state == SIGNED_BY) != (s->signer != NULL) ||
              (s->state == SIGNED_BADLY) != (s->why != NULL) ||
              (s->state == SIGNED_BY && !s->key) || (s->state == SIGNED_UNKNOWN && !s->key);
}

static void unpack_words_of_command(struct row_evidence *e, struct arena *arena, struct unpack *u)
{
    e->n_command = unpack_list(u, 2, SIZE_MAX, sizeof *e->command);
    e->command = arena_array(arena, e->n_command, sizeof *e->command);
    for (size_t i = 0; i < e->n_command; i++) {
        e->command[i] = take_words(u, arena);
        u->bad |= !e->command[i];
    }
}

static void unpack_answered(struct answered *a, struct arena *arena, struct unpack *u)
{
    a->round = take_words(u, arena);
    a->nonce = take_words(u, arena);
    a->vendor = take_words(u, arena);
    a->key = take_words(u, arena);
    u->bad |= a->nonce && (!a->round || !a->vendor || !a->key);
}

void evidence_unpack(struct row_evidence *e, const struct project *project,
                     const struct verdict_evidence *known, struct arena *arena, struct unpack *u)
{
    *e = (struct row_evidence){.table = known->table, .row = known->row, .archive = known->archive};
    e->sha256 = take_words(u, arena);
    e->id = take_words(u, arena);
    e->log = take_words(u, arena);
    e->finished = take_words(u, arena);
    e->intact = unpack_choice(u, 1) != 0;
    e->sealed = unpack_choice(u, 1) != 0;
    unpack_signature(&e->signature, arena, u);
    unpack_curve(&e->curve, arena, u);
    unpack_curve(&e->reference, arena, u);
    e->alignment = unpack_alignment(project, known, arena, u);
    unpack_files(e, arena, u);
    e->facts = unpack_facts(arena, u);
    unpack_agreements(e, arena, u);
    unpack_words_of_command(e, arena, u);
    unpack_answered(&e->answered, arena, u);
    for (size_t i = 0; i < MONITORED; i++) {
        struct monitored_cards *m = &e->monitored[i];
        m->n = unpack_list(u, 3, CARDS_MAX, sizeof *m->cards + sizeof **m->cards);
        m->cards = arena_array(arena, m->n, sizeof *m->cards);
        for (size_t k = 0; k < m->n; k++)
            m->cards[k] = unpack_samples(arena, u);
    }
    /* What was opened has the bytes that were read before, and a manifest, or none that is whole.
     */
    u->bad |= e->sealed != (e->sha256 != NULL) || (e->sealed && !e->id) ||
              (e->sha256 && (!known->sha256 || strcmp(e->sha256, known->sha256) != 0)) ||
              (e->id && *e->id && !hash_is_hex(e->id)) || (e->intact && !e->sealed);
}
