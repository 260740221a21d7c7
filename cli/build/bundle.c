#include "cli/build/bundle.h"

#include "base/foreign.h"
#include "base/project/bundle.h"
#include "base/text.h"
#include "cli/build/evidence.h"
#include "cli/build/log.h"
#include "renderer/output/ordered.h"
#include "verifier/checks/rules.h"

#include <string.h>

#define NAME_FIELD_MAX 100 /* ustar's, of the last part of a name */

/* One on its way. */
struct bundling {
    struct build *b;
    const struct result *result;
    const struct verdict *verdict;
    struct arena *arena;
    struct tar_member *members;
    size_t n, total;
    struct bundle_about about;
    const struct result **results; /* the own one first */
    size_t n_results;
    struct buf words; /* of everything that may name a vendor, a card or a model */
};

static bool is_bundled(const struct bundling *x, const char *name)
{
    for (size_t i = 0; i < x->n; i++)
        if (strcmp(x->members[i].name, name) == 0)
            return true;
    return false;
}

static void add_bundled(struct bundling *x, const char *name, struct bytes bytes)
{
    bool fits = strlen(path_base(name)) <= NAME_FIELD_MAX && !foreign_name_problem(name) &&
                bytes.len <= BUNDLE_TOTAL_MAX - x->total;
    if (is_bundled(x, name))
        return;
    if (!fits) {
        *(const char **)ARENA_PUSH(x->arena, x->about.left_out, x->about.n_left_out) = name;
        return;
    }
    *(struct tar_member *)ARENA_PUSH(x->arena, x->members, x->n) = (struct tar_member){name, bytes};
    x->total += bytes.len;
}

static struct bytes saved_record(struct bundling *x, const struct shape *shape, const void *value)
{
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    shape_save_text(shape, value, &text);
    struct bytes saved = {arena_strndup(x->arena, text.data, text.len), text.len};
    buf_release(&text);
    return saved;
}

static void add_record(struct bundling *x, const char *folder, const char *id,
                       const struct shape *shape, const void *value)
{
    add_bundled(x, arena_printf(x->arena, BUNDLE_RECORDS "%s/%s.json", folder, id),
                saved_record(x, shape, value));
}

/* ---- which results ------------------------------------------------------------------------ */

static void choose_result(struct bundling *x, const struct result *r)
{
    for (size_t i = 0; i < x->n_results; i++)
        if (x->results[i] == r)
            return;
    *(const struct result **)ARENA_PUSH(x->arena, x->results, x->n_results) = r;
}

/* A message names another result as "%s/%s", or its vendor alone where it is of the same case. */
static const struct result *named_result(const struct bundling *x, const struct sentence *s,
                                         size_t i)
{
    const struct project *p = &x->b->project;
    const struct result *pair =
        i + 1 < s->n_values ? project_result(p, s->values[i].text, s->values[i + 1].text) : NULL;
    const struct result *whole = project_result_by_name(p, s->values[i].text, x->arena);
    return pair ? pair : whole ? whole : project_result(p, s->values[i].text, x->result->case_id);
}

static void choose_named_results(struct bundling *x, const struct sentence *s)
{
    for (size_t i = 0; s && i < s->n_values; i++) {
        const struct result *named = named_result(x, s, i);
        if (named)
            choose_result(x, named);
        choose_named_results(x, &s->values[i]);
    }
}

static void choose_bundled_results(struct bundling *x)
{
    const struct verdict *v = x->verdict;
    size_t n;
    const struct result **peers = project_case_results(&x->b->project, x->result->case_id, &n);
    choose_result(x, x->result);
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].outcome == OUTCOME_FAIL)
            choose_named_results(x, v->checks[i].sentence);
    if (n <= BUNDLE_PEERS_MAX + 1)
        for (size_t i = 0; i < n; i++)
            choose_result(x, peers[i]);
    else
        x->about.peers = (long long)n - 1;
}

/* ---- which records ------------------------------------------------------------------------ */

static void add_bundled_words(struct bundling *x, const char *text)
{
    buf_str(&x->words, text ? text : "");
    buf_char(&x->words, '\n');
}

static void add_words_of_evidence(struct bundling *x, const struct row_evidence *e)
{
    for (size_t i = 0; e->facts && i < e->facts->n; i++)
        add_bundled_words(x, e->facts->items[i].value);
    for (size_t i = 0; i < e->n_agreements; i++)
        for (size_t k = 0; k < e->agreements[i].n; k++)
            add_bundled_words(x, e->agreements[i].said[k].value);
}

static void add_results(struct bundling *x)
{
    for (size_t i = 0; i < x->n_results; i++) {
        const struct result *r = x->results[i];
        const struct bytes text = saved_record(x, &result_shape, r);
        add_bundled(
            x, arena_printf(x->arena, BUNDLE_RECORDS "results/%s/%s.json", r->vendor, r->case_id),
            text);
        buf_add(&x->words, text.data, text.len);
    }
    for (size_t i = 0; i < x->verdict->n_evidence; i++)
        add_words_of_evidence(x, &x->verdict->evidence[i]);
}

static void add_vendor(struct bundling *x, const char *id)
{
    const struct vendor *v = project_vendor(&x->b->project, id);
    if (v)
        add_record(x, "vendors", v->id, &vendor_shape, v);
}

static void add_model(struct bundling *x, const char *id)
{
    const struct model *m = project_model(&x->b->project, id);
    if (m)
        add_record(x, "models", m->id, &model_shape_shape, m);
}

/* Of a name that stands nowhere no rule finds the card, the vendor or the model. */
static void add_named_records(struct bundling *x)
{
    const struct project *p = &x->b->project;
    const char *text = x->words.data ? x->words.data : "";
    const char *words = text_fold_words(x->arena, text), *folded = text_fold(x->arena, text);
    for (size_t i = 0; i < p->n_spellings; i++) {
        const struct accelerator *a = p->spellings[i].of;
        if (!strstr(words, p->spellings[i].text))
            continue;
        add_record(x, "accelerators", a->id, &accelerator_shape, a);
        add_vendor(x, a->vendor);
    }
    for (size_t i = 0; i < p->n_vendor_names; i++)
        if (strstr(folded, p->vendor_names[i].text))
            add_vendor(x, p->vendor_names[i].of->id);
    for (size_t i = 0; i < p->n_models; i++) {
        const struct model *m = &p->models[i];
        bool named = strstr(folded, text_fold(x->arena, m->id)) ||
                     (m->name.zh && strstr(folded, text_fold(x->arena, m->name.zh)));
        for (size_t k = 0; k < m->n_aliases && !named; k++)
            named = strstr(folded, text_fold(x->arena, m->aliases[k]));
        if (named)
            add_model(x, m->id);
    }
}

/* ---- which files -------------------------------------------------------------------------- */

static int add_published(struct bundling *x, const char *path, const char *sha256, struct err *err)
{
    struct bytes bytes;
    const char *name = arena_printf(x->arena, BUNDLE_RECORDS "%s", path);
    if (is_bundled(x, name))
        return 0;
    if (build_evidence_published(x->b, path, sha256, x->arena, &bytes, err) < 0)
        return -1;
    add_bundled(x, name, bytes);
    return 0;
}

/* Of a submission in parts the one that is published, which is judged as no other; its whole is
 * what the record names. */
static int add_own_evidence(struct bundling *x, struct err *err)
{
    for (size_t i = 0; i < x->verdict->n_evidence; i++) {
        const struct row_evidence *e = &x->verdict->evidence[i];
        const char *named = i < x->result->n_evidence ? x->result->evidence[i].archive : e->archive;
        if (e->part || !e->sha256)
            *(const char **)ARENA_PUSH(x->arena, x->about.withheld, x->about.n_withheld) = named;
        if ((e->sha256 && add_published(x, e->archive, e->sha256, err) < 0) ||
            (e->alignment && add_published(x, e->alignment->reference, NULL, err) < 0))
            return -1;
    }
    return 0;
}

static const struct verdict *verdict_of(const struct bundling *x, const struct result *r)
{
    return &x->b->verdicts[r - x->b->project.results];
}

/* That of others is needed by what says that two runs are one. */
static bool needs_rivals(const struct verdict *v)
{
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].outcome == OUTCOME_FAIL && text_starts(v->checks[i].rule, "FP4"))
            return true;
    return false;
}

static int add_rival_evidence(struct bundling *x, struct err *err)
{
    struct bundling named = {
        .b = x->b, .result = x->result, .verdict = x->verdict, .arena = x->arena, .results = NULL};
    for (size_t i = 0; i < x->verdict->n_checks; i++)
        if (x->verdict->checks[i].outcome == OUTCOME_FAIL &&
            text_starts(x->verdict->checks[i].rule, "FP4"))
            choose_named_results(&named, x->verdict->checks[i].sentence);
    for (size_t i = 0; i < named.n_results; i++) {
        const struct verdict *v = verdict_of(x, named.results[i]);
        for (size_t k = 0; k < v->n_evidence; k++)
            if (v->evidence[k].sha256 && !v->evidence[k].part &&
                add_published(x, v->evidence[k].archive, v->evidence[k].sha256, err) < 0)
                return -1;
    }
    return 0;
}

/* A second run of which something is withheld has a record of its own by now (redact.h). */
static bool is_published_whole(const struct project *p, const struct verdict_reproduction *r)
{
    return r->sound && !r->held && r->record >= p->reproductions &&
           r->record < p->reproductions + p->n_reproductions;
}

static int add_second_runs(struct bundling *x, struct err *err)
{
    for (size_t i = 0; i < x->verdict->n_reproductions; i++) {
        const struct reproduction *r = x->verdict->reproductions[i].record;
        if (!is_published_whole(&x->b->project, &x->verdict->reproductions[i]))
            continue;
        add_record(x, "reproductions",
                   arena_printf(x->arena, "%s/%s/%s", r->vendor, r->case_id, r->id),
                   &reproduction_shape, r);
        if (add_published(x, r->archive, r->sha256, err) < 0)
            return -1;
    }
    return 0;
}

static int add_files(struct bundling *x, struct err *err)
{
    const struct signers *s = x->b->project.signers;
    struct bytes log = {0};
    if (s && s->whole.data)
        add_bundled(x, BUNDLE_RECORDS SIGNERS_FILE, s->whole);
    if (s && s->whole.data && s->n_revoked)
        add_bundled(x, BUNDLE_RECORDS SIGNERS_REVOKED_FILE, s->revoked_whole);
    if (x->verdict->n_evidence && build_log_read(x->b, x->arena, &log, err) < 0)
        return -1;
    if (log.len)
        add_bundled(x, BUNDLE_LOG, log);
    if (add_own_evidence(x, err) < 0 || add_second_runs(x, err) < 0)
        return -1;
    return needs_rivals(x->verdict) ? add_rival_evidence(x, err) : 0;
}

/* ---- the file ----------------------------------------------------------------------------- */

static int put_into_bundle(void *to, const void *data, size_t len, struct err *err)
{
    (void)err;
    buf_add(to, data, len);
    return 0;
}

static int emit_bundle(struct bundling *x, file_sink *emit, void *self, struct err *err)
{
    const struct result *r = x->result;
    const char *path =
        arena_printf(x->arena, "result/%s/%s/%s", r->vendor, r->case_id, bundle_name(r, x->arena));
    struct buf packed;
    add_bundled(x, BUNDLE_ABOUT, saved_record(x, &bundle_shape, &x->about));
    tar_sort(x->members, x->n);
    buf_init(&packed, 2 * BUNDLE_TOTAL_MAX);
    int rc = tar_check_names(x->members, x->n, path, err);
    if (rc == 0)
        rc = tar_serialise(x->members, x->n, put_into_bundle, &packed, err);
    if (rc == 0)
        rc = buf_check(&packed, path, err);
    if (rc == 0)
        rc = emit(self, path, packed.data, packed.len, err);
    buf_release(&packed);
    return rc;
}

static int make_bundle(struct build *b, size_t i, file_sink *emit, void *self, struct err *err)
{
    struct arena arena = ARENA_INIT;
    const struct verdict *v = &b->verdicts[i];
    struct bundling x = {.b = b, .result = &b->project.results[i], .verdict = v, .arena = &arena};
    x.about = (struct bundle_about){.result = v->id,
                                    .state = v->state,
                                    .tool = FPREPORT_VERSION,
                                    .rules = RULES_CURRENT,
                                    .date = b->project.dated};
    buf_init(&x.words, BUF_DEFAULT_MAX);
    choose_bundled_results(&x);
    add_results(&x);
    for (size_t j = 0; j < x.n_results; j++) {
        const struct case_record *c = project_case(&x.b->project, x.results[j]->case_id);
        add_vendor(&x, x.results[j]->vendor);
        if (!c)
            continue;
        add_record(&x, "cases", c->id, &case_shape, c);
        add_model(&x, c->model);
    }
    add_named_records(&x);
    int rc = add_files(&x, err);
    if (rc == 0)
        rc = emit_bundle(&x, emit, self, err);
    buf_release(&x.words);
    arena_release(&arena);
    return rc;
}

/* ---- all of them -------------------------------------------------------------------------- */

struct bundle_jobs {
    struct build *b;
    size_t *items; /* results */
    size_t n;
};

static int make_bundle_item(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                            struct err *err)
{
    const struct bundle_jobs *jobs = context;
    (void)worker;
    return make_bundle(jobs->b, jobs->items[i], emit, self, err);
}

static bool is_bundle_kept(const struct build *b, size_t i)
{
    struct arena arena = ARENA_INIT;
    const struct result *r = &b->project.results[i];
    bool kept = b->reuse.od && reuse_keeps(&b->reuse.reuse,
                                           arena_printf(&arena, "result/%s/%s/%s", r->vendor,
                                                        r->case_id, bundle_name(r, &arena)),
                                           &b->reuse.results[i]);
    arena_release(&arena);
    return kept;
}

/* Those without files by all cores; the others one by one, so that no more than one is in memory.
 */
int build_bundles(struct build *b, struct err *err)
{
    size_t n = b->project.n_results;
    struct arena arena = ARENA_INIT;
    struct bundle_jobs jobs = {b, arena_array(&arena, n, sizeof(size_t)), 0};
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        const struct verdict *v = &b->verdicts[i];
        if (!bundle_name(&b->project.results[i], &arena) || is_bundle_kept(b, i))
            continue;
        if (v->n_evidence || v->n_reproductions)
            rc = make_bundle(b, i, b->emit, b->self, err);
        else
            jobs.items[jobs.n++] = i;
    }
    if (rc == 0)
        rc = ordered_emit(jobs.n, make_bundle_item, &jobs, b->emit, b->self, err);
    arena_release(&arena);
    return rc;
}
