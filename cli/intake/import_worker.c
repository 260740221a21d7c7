#include "cli/intake/import_worker.h"

#include "base/json/shape_pack.h"
#include "base/process/worker.h"
#include "base/records/handed_on.h"
#include "collector/page/import.h"

#define RESULT_ANSWER_MAX ((size_t)64 << 20) /* a page is IMPORT_PAGE_MAX at most */

struct importing {
    struct bytes page;
    const char *file, *vendor, *case_id;
    struct arena *arena; /* the caller's */
    struct result *out;
    struct diags *diags;
    bool keep;         /* the text, where it cannot be taken apart */
    const char *plain; /* so it is: why; NULL */
    int rc;
};

static void answer_with_page(void *context, size_t i, struct worker *w)
{
    const struct importing *x = context;
    struct diags diags = DIAGS_INIT(&w->arena);
    struct result r;
    (void)i;
    int rc = 0;
    if (x->plain)
        import_page_plain(x->page.data, x->page.len, x->file, x->vendor, x->case_id, x->plain,
                          &w->arena, &r, &diags);
    else
        rc = import_page(x->page.data, x->page.len, x->file, x->vendor, x->case_id, &w->arena, &r,
                         &diags);
    shape_pack_text(&diags_shape, &diags, &w->answer);
    pack_number(&w->answer, rc < 0);
    if (rc < 0)
        return;
    pack_number(&w->answer, (uint64_t)r.preamble_line);
    shape_pack(&result_shape, &r, &w->answer);
}

static bool take_imported_result(struct importing *x, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    struct diags diags;
    shape_unpack_text(&diags_shape, &diags, x->arena, &u);
    x->rc = unpack_choice(&u, 1) ? -1 : 0;
    if (x->rc == 0) {
        int line = unpack_int(&u);
        shape_unpack(&result_shape, x->out, x->arena, &u);
        x->out->preamble_line = line;
    }
    if (!unpack_end(&u))
        return false;
    if (x->rc == 0)
        result_read_figures(x->out, x->arena);
    diags_append(x->diags, &diags);
    return true;
}

static bool take_imported(void *context, size_t i, const struct worker_end *end)
{
    struct importing *x = context;
    struct err err = ERR_INIT;
    (void)i;
    if (end->outcome == WORKER_ANSWERED && take_imported_result(x, end->answer))
        return false;
    if (end->outcome == WORKER_BROKEN && x->keep && !x->plain) {
        x->plain = arena_strdup(x->arena, end->why);
        return true;
    }
    worker_fault(end, x->file, &err);
    diags_add_err(x->diags, x->file, 0, 0, &err);
    x->rc = -1;
    return false;
}

int import_page_in_worker(struct bytes page, const char *file, const char *vendor,
                          const char *case_id, bool keep, struct arena *arena, struct result *out,
                          struct diags *diags)
{
    struct importing x = {.page = page,
                          .file = file,
                          .vendor = vendor,
                          .case_id = case_id,
                          .keep = keep,
                          .arena = arena,
                          .out = out,
                          .diags = diags};
    const struct worker_crew crew = {.context = &x,
                                     .packed = page.len,
                                     .work = answer_with_page,
                                     .take = take_imported,
                                     .answer_max = RESULT_ANSWER_MAX};
    worker_each(&crew, 1);
    return x.rc < 0 ? -1 : x.plain != NULL;
}
