#include "renderer/site/shared.h"

#include "renderer/output/ordered.h"
#include "renderer/sharing/share_card.h"
#include "renderer/site/answer.h"
#include "renderer/site/kinds.h"

#include <string.h>

#define FIRST_PAGE "share/index.png"

/* The lists that have pictures. */
enum shared_list { SHARED_MODELS, SHARED_VENDORS, SHARED_ACCELERATORS, SHARED_LISTS };
static const struct {
    const char *kind, *word;
    const char *(*name)(const struct sheet *s, const struct site_list *list);
} shared[] = {
    [SHARED_MODELS] = {"model", "kind.model", sheet_list_model},
    [SHARED_VENDORS] = {"vendor", "kind.vendor", sheet_list_vendor},
    [SHARED_ACCELERATORS] = {"accelerator", "kind.accelerator", sheet_list_card},
};

static const struct site_list *list_shared(const struct site_index *x, enum shared_list of,
                                           size_t *n)
{
    const struct site_list *const lists[] = {x->models, x->vendors, x->accelerators};
    const size_t counts[] = {x->n_models, x->n_vendors, x->n_accelerators};
    *n = counts[of];
    return lists[of];
}

static const char *path_shared(enum shared_list of, const char *id, struct arena *arena)
{
    return arena_printf(arena, "share/%s/%s.png", shared[of].kind, id);
}

const char *site_share_path(const struct site_kind *kind, const struct site_index *index, size_t i,
                            struct arena *arena)
{
    for (int of = 0; of < SHARED_LISTS; of++)
        if (strcmp(kind->name, shared[of].kind) == 0)
            return path_shared((enum shared_list)of,
                               site_kind_parts(kind, index)->items[i].list->id, arena);
    const char *model = strcmp(kind->name, "result") == 0 ? index->entries[i].model_id : NULL;
    bool has_page = model && site_list_find(index->models, index->n_models, model);
    return has_page ? path_shared(SHARED_MODELS, model, arena) : FIRST_PAGE;
}

/* ---- what a picture says ----------------------------------------------------------------------
 */

/* "58 rows: 39 unverified, 19 failed" */
static const char *count_by_state(struct sheet *s, const struct site_row *const *rows, size_t n)
{
    size_t counts[SITE_STATES] = {0};
    const char *all = arena_printf(s->arena, "%s: ", sheet_row_count(s, n)), *between = "";
    for (size_t i = 0; i < n; i++)
        counts[rows[i]->entry->verdict->state]++;
    for (int i = 0; i < SITE_STATES; i++) {
        if (!counts[i])
            continue;
        all = arena_printf(s->arena, "%s%s%zu %s", all, between, counts[i],
                           sheet_state_word(s, (enum state)i));
        between = ", ";
    }
    return all;
}

static void say_answer(struct sheet *s, const struct site_list *model, struct share_card *card)
{
    const struct site_row *row;
    card->said = sheet_answer_of(s, model, &row);
    if (!row)
        return;
    card->of = row->entry->verdict->state;
    card->state = sheet_state_word(s, card->of);
}

static void say_list(struct sheet *s, enum shared_list of, const struct site_list *list,
                     struct share_card *card)
{
    const char *counted = count_by_state(s, (const struct site_row *const *)list->rows, list->n);
    card->kind = sheet_t(s, shared[of].word);
    card->name = sheet_short(s, shared[of].name(s, list));
    card->said = counted;
    if (of == SHARED_MODELS) {
        card->more = counted;
        say_answer(s, list, card);
    }
}

/* ---- all of them ------------------------------------------------------------------------------
 */

/* One picture: of a list, or of the first page (NULL). */
struct shared_job {
    enum shared_list of;
    const struct site_list *list;
};

struct shared_pictures {
    const struct site_index *index;
    const struct strings *strings;
    const struct cairo_library *cairo;
    struct shared_job *jobs;
    size_t n;
};

static int make_shared(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                       struct err *err)
{
    (void)worker;
    const struct shared_pictures *p = context;
    const struct shared_job *job = &p->jobs[i];
    struct arena arena = ARENA_INIT;
    struct sheet s = {.site = p->index->site,
                      .index = p->index,
                      .strings = p->strings,
                      .lang = PAGE_EN,
                      .arena = &arena,
                      .view = view_object(&arena)};
    struct share_card card = {.site = site_title(&s), .kind = "", .more = ""};
    struct buf png = BUF_INIT(BUF_DEFAULT_MAX);
    if (job->list) {
        say_list(&s, job->of, job->list, &card);
    } else {
        card.name = sheet_t(&s, "home.title");
        card.said = count_by_state(&s, p->index->rows, p->index->n_rows);
    }
    int rc = share_card_write(p->cairo, &card, &png, err);
    const char *path = job->list ? path_shared(job->of, job->list->id, &arena) : FIRST_PAGE;
    if (rc == 0)
        rc = emit(self, path, png.data, png.len, err);
    buf_release(&png);
    arena_release(&arena);
    return rc;
}

static struct reuse_key key_shared(const struct site_index *index, const struct site_keys *keys,
                                   const struct site_list *list)
{
    return list ? site_key_rows(index, keys, (const struct site_row *const *)list->rows, list->n,
                                list->n)
                : keys->lists;
}

static void add_shared(struct shared_pictures *p, const struct site_keys *keys,
                       const struct shared_job *job, const char *path, struct arena *arena)
{
    const struct reuse *reuse = p->index->site->reuse;
    if (reuse) {
        const struct reuse_key key = key_shared(p->index, keys, job->list);
        if (reuse_keeps(reuse, path, &key))
            return;
    }
    *(struct shared_job *)ARENA_PUSH(arena, p->jobs, p->n) = *job;
}

int site_shared_emit(const struct site_index *index, const struct strings *strings,
                     const struct site_keys *keys, const struct cairo_library *cairo,
                     file_sink *emit, void *self, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct shared_pictures p = {.index = index, .strings = strings, .cairo = cairo};
    add_shared(&p, keys, &(struct shared_job){.list = NULL}, FIRST_PAGE, &arena);
    for (int of = 0; of < SHARED_LISTS; of++) {
        size_t n;
        const struct site_list *lists = list_shared(index, (enum shared_list)of, &n);
        for (size_t i = 0; i < n; i++) {
            const struct shared_job job = {(enum shared_list)of, &lists[i]};
            add_shared(&p, keys, &job, path_shared(job.of, lists[i].id, &arena), &arena);
        }
    }
    int rc = ordered_emit(p.n, make_shared, &p, emit, self, err);
    arena_release(&arena);
    return rc;
}
