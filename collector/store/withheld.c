#include "collector/store/withheld.h"

#include "base/files/beneath.h"
#include "base/foreign.h"
#include "base/pack.h"
#include "base/process/worker.h"
#include "base/sealed/archive.h"
#include "base/sealed/submission.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define LINE_LEAST (HASH_HEX_SIZE + 1) /* of a sum and a name, packed */

/* What a worker may say: of each line of a manifest the sum and the name. */
#define NUMBER_MAX ((size_t)10) /* bytes of a number, packed */
#define LINE_MAX (HASH_HEX_SIZE + FOREIGN_NAME_MAX + 1 + 2 * NUMBER_MAX)
#define OPEN_ANSWER_MAX (ARCHIVE_ENTRIES_MAX * LINE_MAX + 2 * NUMBER_MAX)

_Static_assert(WITHHELD_PART_MAX + 2 * NUMBER_MAX <= WORKER_ANSWER_MAX, "the largest can be said");
_Static_assert(WITHHELD_PART_MAX <= ARCHIVE_PACKED_MAX, "and be read");

#define EMPTY_SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static bool is_part(const struct store_entry *e)
{
    return e && e->object && strcmp(e->publish, STORE_FULL) != 0;
}

static int compare_withheld_names(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *)item);
}

/* Does this decision name the file? The three that vouch for the others are always published. */
static bool decision_names(const struct store_entry *e, const char *name)
{
    if (submission_is_outside(name))
        return false;
    if (strcmp(e->publish, STORE_HASHES) == 0)
        return true;
    return e->n_withheld &&
           bsearch(name, e->withheld, e->n_withheld, sizeof *e->withheld, compare_withheld_names);
}

static int by_sum_and_line(const void *a, const void *b)
{
    const struct withheld_sum *x = a, *y = b;
    int order = text_by_bytes(x, y);
    return order ? order : y->by->line - x->by->line;
}

const struct store_entry *withheld_decision(const struct withheld *w, const char *sha256,
                                            const char *run)
{
    if (!w->store)
        return NULL;
    const struct store_item *item = sha256 ? store_submission_of(&w->store->index, sha256) : NULL;
    item = item || !run ? item : store_item_of(&w->store->index, run);
    return item ? item->redaction : NULL;
}

const struct store_entry *withheld_by(const struct withheld *w, const struct store_entry *own,
                                      const char *name, const char *sha256)
{
    const struct withheld_sum key = {sha256, NULL};
    if (submission_is_outside(name))
        return NULL;
    if (is_part(own) && decision_names(own, name))
        return own;
    const struct withheld_sum *found =
        w->n && sha256 ? bsearch(&key, w->sums, w->n, sizeof key, text_by_bytes) : NULL;
    return found && (!own || own->line < found->by->line) ? found->by : NULL;
}

bool withheld_some(const struct withheld *w, const char *sha256)
{
    return is_part(withheld_decision(w, sha256, NULL));
}

/* ---- which files the log's decisions are about ------------------------------------------- */

struct opening {
    struct withheld *w;
    struct bytes packed; /* in a worker */
    struct arena *arena;
    struct err *err;
    int rc;
};

static void open_read(void *context, size_t i, struct worker *w)
{
    struct opening *o = context;
    const char *path = store_object_path("", o->w->decisions[i]->object, &w->arena);
    struct err err = ERR_INIT;
    if (beneath_read(o->w->store->root, path, ARCHIVE_PACKED_MAX, &w->arena, &o->packed, &err) < 0)
        o->packed = (struct bytes){NULL, 0};
    w->packed = o->packed.len;
    pack_text(&w->head, err.kind ? err.text : NULL);
}

static void open_work(void *context, size_t i, struct worker *w)
{
    struct opening *o = context;
    struct submission s;
    struct diags ignored = DIAGS_INIT(&w->arena);
    bool opened = o->packed.data &&
                  submission_open_bytes(o->packed, "", &w->arena, &s, &ignored) == 0 &&
                  strcmp(s.archive_sha256, o->w->decisions[i]->object) == 0;
    pack_number(&w->answer, opened);
    pack_number(&w->answer, opened ? s.n_sums : 0);
    for (size_t k = 0; opened && k < s.n_sums; k++) {
        pack_text(&w->answer, s.sums[k].sha256);
        pack_text(&w->answer, s.sums[k].path);
    }
}

/* Of hashes only, a case is not what anybody meant to hide: the records have it. */
static bool is_everybodys(const struct store_entry *e, const char *name, const char *sha256)
{
    return strcmp(sha256, EMPTY_SHA256) == 0 ||
           (strcmp(e->publish, STORE_HASHES) == 0 && strcmp(name, "case.json") == 0);
}

static bool take_withheld_sums(struct opening *o, const struct store_entry *e, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    bool opened = unpack_number(&u) == 1;
    size_t n = unpack_list(&u, LINE_LEAST, ARCHIVE_ENTRIES_MAX, sizeof(struct withheld_sum));
    for (size_t i = 0; i < n && !u.bad; i++) {
        const char *sha256 = unpack_text(&u), *name = unpack_text(&u);
        if (!sha256 || !name || !hash_is_hex(sha256))
            return false;
        if (decision_names(e, name) && !is_everybodys(e, name, sha256))
            *(struct withheld_sum *)ARENA_PUSH(o->arena, o->w->sums, o->w->n) =
                (struct withheld_sum){arena_strdup(o->arena, sha256), e};
    }
    return unpack_end(&u) && opened;
}

static bool open_take(void *context, size_t i, const struct worker_end *end)
{
    struct opening *o = context;
    const struct store_entry *e = o->w->decisions[i];
    struct unpack head = {.at = end->head.data, .end = end->head.data + end->head.len};
    const char *unread = end->head.len ? unpack_text(&head) : NULL;
    if (end->outcome == WORKER_ANSWERED && take_withheld_sums(o, e, end->answer))
        return false;
    if (o->rc == 0)
        o->rc = err_set(o->err, end->outcome == WORKER_MACHINE ? ERR_IO : ERR_INPUT,
                        "%s: what line %d of the log withholds is not known: %s",
                        store_object_path(o->w->store->root, e->object, o->arena), e->line,
                        unread                            ? unread
                        : end->outcome != WORKER_ANSWERED ? end->why
                                                          : "it is not what the log names");
    return false;
}

static int by_line(const void *a, const void *b)
{
    const struct store_entry *const *x = a, *const *y = b;
    return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

void withheld_begin(struct withheld *w, const struct store *store, struct arena *arena)
{
    size_t n = 0;
    *w = (struct withheld){.store = store};
    for (size_t i = 0; store && i < store->index.n_objects; i++) {
        const struct store_item *item = &store->index.objects[i].item;
        if (item->object && is_part(item->redaction))
            *(const struct store_entry **)ARENA_PUSH(arena, w->decisions, w->n_decisions) =
                item->redaction;
    }
    if (w->n_decisions > 1) /* one may be about several files */
        qsort(w->decisions, w->n_decisions, sizeof *w->decisions, by_line);
    for (size_t i = 0; i < w->n_decisions; i++)
        if (!n || w->decisions[n - 1] != w->decisions[i])
            w->decisions[n++] = w->decisions[i];
    w->n_decisions = n;
    w->any = n > 0;
}

int withheld_open(struct withheld *w, struct arena *arena, struct err *err)
{
    struct opening o = {.w = w, .arena = arena, .err = err};
    const struct worker_crew crew = {.context = &o,
                                     .read = open_read,
                                     .work = open_work,
                                     .take = open_take,
                                     .answer_max = OPEN_ANSWER_MAX};
    worker_each(&crew, w->n_decisions);
    /* Of several decisions about a file the last stands for it. */
    size_t n = 0;
    if (w->n > 1)
        qsort(w->sums, w->n, sizeof *w->sums, by_sum_and_line);
    for (size_t i = 0; i < w->n; i++)
        if (!n || strcmp(w->sums[n - 1].sha256, w->sums[i].sha256) != 0)
            w->sums[n++] = w->sums[i];
    w->n = n;
    return o.rc;
}

/* ---- a submission without them ----------------------------------------------------------- */

enum made { MADE_ALL, MADE_LOGGED, MADE_HERE, MADE_NOTHING };

struct making {
    const struct withheld *w;
    const char *path, *sha256;
    struct bytes packed;
    struct arena *arena; /* the worker's, there */
    const struct submission *s;
    const struct store_entry *own;
    struct withheld_part *out;
    struct err *err;
    int rc;
};

/* What the manifest says of a file is what it is only where the submission is whole. */
static const struct store_entry *of_file(const struct making *m, const char *path)
{
    const struct submission_sum *sum = submission_sum(m->s, path);
    const struct bytes *file = submission_file(m->s, path);
    char hex[HASH_HEX_SIZE];
    if (!m->s->intact && file)
        hash_sha256(file->data, file->len, hex);
    return withheld_by(m->w, m->own, path, !m->s->intact && file ? hex : sum ? sum->sha256 : NULL);
}

static bool is_withheld_path(void *self, const char *path)
{
    return of_file(self, path) != NULL;
}

/* Did the log make an archive of this file, without these and no others? */
static enum made what_is_made(const struct making *m)
{
    bool any = false, other = false;
    for (size_t i = 0; i < m->s->n; i++) {
        const struct store_entry *e = of_file(m, m->s->files[i].name);
        any = any || e;
        other = other || (e && e != m->own);
    }
    bool came = store_submission_of(&m->w->store->index, m->sha256) != NULL;
    return !any ? MADE_ALL : came && !other ? MADE_LOGGED : m->s->intact ? MADE_HERE : MADE_NOTHING;
}

static void make_work(void *context, size_t i, struct worker *w)
{
    struct making m = *(const struct making *)context;
    struct submission s;
    struct diags ignored = DIAGS_INIT(&w->arena);
    struct err err = ERR_INIT;
    struct buf made = BUF_INIT(WITHHELD_PART_MAX);
    (void)i;
    bool opened = submission_open_bytes(m.packed, m.path, &w->arena, &s, &ignored) == 0;
    m.s = &s;
    m.own = opened ? withheld_decision(m.w, m.sha256, s.id) : NULL;
    enum made how = opened ? what_is_made(&m) : MADE_NOTHING;
    if (how == MADE_HERE && submission_redact(&s, is_withheld_path, &m, &w->arena, &made, &err) < 0)
        how = MADE_NOTHING;
    pack_number(&w->answer, how);
    pack_number(&w->answer, how == MADE_HERE ? made.len : 0);
    if (how == MADE_HERE)
        pack_bytes(&w->answer, made.data, made.len);
    buf_release(&made);
}

/* What cannot be an answer leaves nothing that is published: nor that nothing is withheld of a file
 * of which the log, that is read here, withholds something. */
static int take_made(struct making *m, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    size_t how = unpack_choice(&u, MADE_NOTHING), len = (size_t)unpack_number(&u);
    const char *data = unpack_bytes(&u, len);
    if (!unpack_end(&u) || len > WITHHELD_PART_MAX)
        return 0;
    m->out->all = how == MADE_ALL && !withheld_some(m->w, m->sha256);
    if (how == MADE_LOGGED) {
        const struct store_entry *own = withheld_decision(m->w, m->sha256, NULL);
        if (!is_part(own))
            return 0;
        const char *path = store_object_path("", own->object, m->arena);
        return beneath_read(m->w->store->root, path, ARCHIVE_PACKED_MAX, m->arena, &m->out->bytes,
                            m->err);
    }
    if (how == MADE_HERE && len)
        m->out->bytes = (struct bytes){arena_strndup(m->arena, data, len), len};
    return 0;
}

static bool make_take(void *context, size_t i, const struct worker_end *end)
{
    struct making *m = context;
    (void)i;
    if (end->outcome == WORKER_ANSWERED)
        m->rc = take_made(m, end->answer);
    else if (end->outcome == WORKER_MACHINE)
        m->rc = err_set(m->err, ERR_IO, "%s: %s", m->path, end->why);
    return false;
}

int withheld_part(const struct withheld *w, const char *path, struct bytes packed,
                  const char *sha256, struct arena *arena, struct withheld_part *out,
                  struct err *err)
{
    struct making m = {.w = w,
                       .path = path,
                       .sha256 = sha256,
                       .packed = packed,
                       .arena = arena,
                       .out = out,
                       .err = err};
    const struct worker_crew crew = {
        .context = &m, .packed = packed.len, .work = make_work, .take = make_take};
    *out = (struct withheld_part){.all = !w->any};
    if (!out->all)
        worker_each(&crew, 1);
    if (m.rc == 0 && out->bytes.data)
        hash_sha256(out->bytes.data, out->bytes.len, out->sha256);
    return m.rc;
}
