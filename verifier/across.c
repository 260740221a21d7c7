#include "verifier/across.h"

#include "base/signing/hash.h"
#include "verifier/checks/copies/duplicate_finding.h"
#include "verifier/claims/duplicates.h"
#include "verifier/verify.h"

#include <stdlib.h>
#include <string.h>

static const struct field across_row_fields[] = {
    FIELD(PLACE, struct across_row, table),
    FIELD(PLACE, struct across_row, row),
    FIELD(TEXT, struct across_row, digest, .required = true),
};

static const struct field across_ask_fields[] = {
    FIELD(SIZE, struct across_ask, check),
    FIELD(SIZE, struct across_ask, finding),
    FIELD(PLACE, struct across_ask, line),
    FIELD(PLACE, struct across_ask, column),
    FIELD(PLACE, struct across_ask, table),
    FIELD(PLACE, struct across_ask, row),
    FIELD(TEXT, struct across_ask, stated),
    FIELD(TEXT, struct across_ask, figures, .required = true),
};

#define ACROSS_SHAPE(of_name, type, of_fields)                                 \
    {                                                                          \
        .name = of_name, .size = sizeof(type), .flat = true, .unplaced = true, \
        SHAPE_FIELDS(of_fields)                                                \
    }

static const struct shape across_row_shape =
    ACROSS_SHAPE("row", struct across_row, across_row_fields);
static const struct shape across_ask_shape =
    ACROSS_SHAPE("ask", struct across_ask, across_ask_fields);

static const struct field across_fields[] = {
    FIELD(SIZE, struct across_result, place),
    FIELD(TEXT, struct across_result, id, .required = true),
    FIELD(TEXT, struct across_result, file, .required = true),
    FIELD(TEXT, struct across_result, model),
    FIELD(NAMED, struct across_result, state, .required = true, .choices = state_names),
    FIELD_LIST(OBJECTS, struct across_result, rows, .shape = &across_row_shape),
    FIELD_LIST(OBJECTS, struct across_result, asks, .shape = &across_ask_shape),
};

const struct shape across_shape = ACROSS_SHAPE("result", struct across_result, across_fields);

/* ---- taken from a verdict ----------------------------------------------------------------- */

static const char *digest_of_figures(const char *figures, struct arena *arena)
{
    char hex[HASH_HEX_SIZE];
    hash_sha256(figures, strlen(figures), hex);
    return arena_strndup(arena, hex, ACROSS_DIGEST_LEN);
}

static void take_asks(struct verdict *v, struct arena *arena, struct across_result *out)
{
    size_t kept = 0, findings = 0;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (strcmp(c->rule, DUPLICATE_RULE) == 0) {
            *(struct across_ask *)ARENA_PUSH(arena, out->asks, out->n_asks) =
                (struct across_ask){.check = kept,
                                    .finding = findings,
                                    .line = c->line,
                                    .column = c->column,
                                    .table = c->table,
                                    .row = c->row,
                                    .stated = c->stated,
                                    .figures = c->expected};
            continue;
        }
        findings += c->outcome == OUTCOME_FAIL;
        v->checks[kept++] = *c;
    }
    v->n_checks = kept;
}

void across_take(const struct project *p, struct verdict *v, size_t place, struct arena *arena,
                 struct across_result *out)
{
    const struct duplicate *rows;
    const struct model *model = project_result_model(p, v->result);
    size_t n = duplicates_of(v->result, arena, &rows);
    *out = (struct across_result){.place = place,
                                  .id = v->id,
                                  .file = v->file,
                                  .model = model ? model->id : NULL,
                                  .state = v->state,
                                  .rows = arena_array(arena, n, sizeof *out->rows),
                                  .n_rows = n};
    for (size_t i = 0; i < n; i++)
        out->rows[i] = (struct across_row){rows[i].table, rows[i].row,
                                           digest_of_figures(rows[i].figures, arena)};
    take_asks(v, arena, out);
}

/* False: there is no duplicate. */
static bool resolve_ask(const struct project *p, const struct verdict *v, struct check_result *c,
                        struct arena *arena)
{
    const struct duplicate *t = duplicates_find(p, v->result, c->expected);
    if (!t)
        return false;
    const struct model *own = project_result_model(p, v->result),
                       *other = project_result_model(p, t->result);
    c->severity = duplicate_severity(strcmp(t->result->vendor, v->result->vendor) == 0,
                                     other && other == own);
    duplicate_say(
        c, arena,
        arena_printf(arena, "%s/%s#%d.%d", t->result->vendor, t->result->case_id, t->table, t->row),
        c->expected);
    c->sentence = sentence_of(arena, c->message);
    return true;
}

void across_resolve(const struct project *p, struct verdict *v, struct arena *arena)
{
    size_t kept = 0;
    for (size_t i = 0; i < v->n_checks; i++) {
        struct check_result c = v->checks[i];
        if (strcmp(c.rule, DUPLICATE_RULE) != 0 || resolve_ask(p, v, &c, arena))
            v->checks[kept++] = c;
    }
    v->n_checks = kept;
    v->state = verify_state(v, v->result->withdrawn != NULL);
}

/* ---- judged ------------------------------------------------------------------------------- */

struct across_known {
    char digest[ACROSS_DIGEST_LEN];
    int table, row;
    const char *id, *model;
};

void across_add(struct across_all *all, const struct across_result *of, struct arena *arena)
{
    for (size_t i = 0; i < of->n_rows; i++) {
        struct across_known known = {
            .table = of->rows[i].table, .row = of->rows[i].row, .id = of->id, .model = of->model};
        size_t len = strlen(of->rows[i].digest);
        memcpy(known.digest, of->rows[i].digest, len < ACROSS_DIGEST_LEN ? len : ACROSS_DIGEST_LEN);
        *(struct across_known *)ARENA_PUSH(arena, all->rows, all->n) = known;
    }
}

static bool same_vendor_of(const char *a, const char *b)
{
    size_t n = strcspn(a, "/");
    return n == strcspn(b, "/") && memcmp(a, b, n) == 0;
}

/* By case, then by vendor. */
static int compare_result_ids(const char *a, const char *b)
{
    int order = strcmp(a + strcspn(a, "/"), b + strcspn(b, "/"));
    if (order || same_vendor_of(a, b))
        return order;
    size_t n = strcspn(a, "/"), m = strcspn(b, "/");
    order = memcmp(a, b, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

/* As duplicates.c sorts rows of the same figures. */
static int compare_known(const void *a, const void *b)
{
    const struct across_known *x = a, *y = b;
    int order = memcmp(x->digest, y->digest, ACROSS_DIGEST_LEN);
    order = order ? order : compare_result_ids(x->id, y->id);
    order = order ? order : x->table - y->table;
    return order ? order : x->row - y->row;
}

void across_sort(struct across_all *all)
{
    if (all->n)
        qsort(all->rows, all->n, sizeof *all->rows, compare_known);
}

static const struct across_known *find_known(const struct across_all *all, const char *digest,
                                             const char *id)
{
    size_t from = 0, to = all->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (memcmp(all->rows[middle].digest, digest, ACROSS_DIGEST_LEN) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < all->n && memcmp(all->rows[from].digest, digest, ACROSS_DIGEST_LEN) == 0; from++)
        if (strcmp(all->rows[from].id, id) != 0)
            return &all->rows[from];
    return NULL;
}

static struct check_result finding_of(const struct across_result *of, const struct across_ask *ask,
                                      const struct across_known *other, struct arena *arena)
{
    const char *place = arena_printf(arena, "%s#%d.%d", other->id, other->table, other->row);
    bool same_model = other->model && of->model && strcmp(other->model, of->model) == 0;
    struct check_result r = {.rule = DUPLICATE_RULE,
                             .outcome = OUTCOME_FAIL,
                             .severity =
                                 duplicate_severity(same_vendor_of(other->id, of->id), same_model),
                             .file = of->file,
                             .line = ask->line,
                             .column = ask->column,
                             .table = ask->table,
                             .row = ask->row,
                             .stated = ask->stated};
    duplicate_say(&r, arena, place, ask->figures);
    return r;
}

size_t across_judge(const struct across_all *all, const struct across_result *of,
                    struct arena *arena, struct across_found **out)
{
    size_t n = 0;
    *out = NULL;
    for (size_t i = 0; i < of->n_asks; i++) {
        const struct across_ask *ask = &of->asks[i];
        const struct across_known *other =
            find_known(all, digest_of_figures(ask->figures, arena), of->id);
        if (other)
            *(struct across_found *)ARENA_PUSH(arena, *out, n) =
                (struct across_found){ask, finding_of(of, ask, other, arena)};
    }
    return n;
}

enum state across_state(const struct across_result *of, const struct across_found *found, size_t n)
{
    enum state state = of->state;
    for (size_t i = 0; i < n; i++)
        if (found[i].finding.severity == SEVERITY_ERROR && state != STATE_WITHDRAWN)
            state = STATE_FAILED;
    return state;
}
