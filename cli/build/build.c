#include "cli/build/build.h"

#include "base/foreign.h"
#include "base/signing/signers.h"
#include "cli/archive/archive.h"
#include "cli/build/bundle.h"
#include "cli/build/evidence.h"
#include "cli/build/log.h"
#include "cli/build/mlperf_seals.h"
#include "cli/build/previous.h"
#include "cli/build/redact.h"
#include "cli/build/site_shard.h"
#include "cli/shards/kept_verdicts.h"
#include "cli/sign.h"
#include "renderer/output/list.h"
#include "renderer/output/ordered.h"
#include "renderer/pages/page.h"
#include "renderer/site/sheet/reuse.h"
#include "renderer/site/site.h"
#include "verifier/checks/list.h"
#include "verifier/checks/rules.h"
#include "verifier/claims/duplicates.h"
#include "verifier/verdicts/verdicts.h"
#include "verifier/verify.h"

#include <string.h>

static int add_to_parts(struct build *b, const char *path, const void *data, size_t len,
                        struct err *err)
{
    return b->emit(b->self, path, data, len, err);
}

static int verify_all(struct build *b)
{
    b->verdicts = arena_array(&b->cli->arena, b->project.n_results, sizeof *b->verdicts);
    if (b->cache && !b->cache->off) {
        build_reuse_verify(&b->reuse, b->cache, b->od, &b->project, &b->cli->arena, b->verdicts);
        return EXIT_AGREED;
    }
    site_shard_skip(b);
    if (b->cli->opt.verdicts)
        return cli_take_verdicts(b->cli, b->cli->opt.verdicts, &b->project, b->verdicts);
    duplicates_index(&b->project);
    verify_many(&b->project, NULL, b->project.results, b->project.n_results, &b->cli->arena,
                b->verdicts);
    return EXIT_AGREED;
}

/* Verdicts that must not be used. */
static int check_read(struct build *b)
{
    for (size_t i = 0; i < b->project.n_results; i++) {
        struct err err = ERR_INIT;
        if (!b->verdicts[i].machine)
            continue;
        err_set(&err, ERR_IO, "%s", b->verdicts[i].machine);
        return cli_fail(b->cli, &err);
    }
    return EXIT_AGREED;
}

static struct page_entry *page_entries(struct build *b)
{
    struct page_entry *entries = arena_array(&b->cli->arena, b->project.n_results, sizeof *entries);
    for (size_t i = 0; i < b->project.n_results; i++)
        entries[i] = (struct page_entry){&b->project.results[i], &b->verdicts[i]};
    return entries;
}

static int emit_page(void *self, const char *path, const void *data, size_t len, struct err *err)
{
    struct build *b = self;
    return add_to_parts(b, path_join(&b->cli->arena, "pages", path), data, len, err);
}

/* As soon as there are verdicts. */
static void key_lists(struct build *b)
{
    struct reuse *reuse = &b->reuse.reuse;
    size_t n = b->project.n_results;
    struct reuse_key *listed = arena_array(&b->cli->arena, n, sizeof *listed);
    if (!b->reuse.od)
        return;
    listed_keys(b->project.results, b->verdicts, reuse->results, n, listed, &b->cli->arena);
    reuse->listed = listed;
}

static const struct reuse *reuse_of(struct build *b)
{
    return b->reuse.od ? &b->reuse.reuse : NULL;
}

static bool keeps_page(void *self, const char *path, const struct reuse_key *key)
{
    struct build *b = self;
    return reuse_keeps(&b->reuse.reuse, path_join(&b->cli->arena, "pages", path), key);
}

static int write_pages(struct build *b, struct err *err)
{
    b->pages = (struct reuse){.results = b->reuse.reuse.results,
                              .listed = b->reuse.reuse.listed,
                              .keeps = keeps_page,
                              .self = b};
    struct pages pages = {.project = &b->project,
                          .entries = page_entries(b),
                          .n_entries = b->project.n_results,
                          .tool = "fpreport " FPREPORT_VERSION ", rules " RULES_CURRENT,
                          .langs = {[PAGE_ZH] = true, [PAGE_EN] = true},
                          .reuse = reuse_of(b) ? &b->pages : NULL};
    pages.messages = rules_messages(&b->cli->arena, &pages.n_messages);
    return pages_render(&pages, &b->templates, &b->cli->arena, emit_page, b, err);
}

static struct site_rule site_rule(const struct rule *r, const struct rule_kind *kind,
                                  struct arena *arena)
{
    return (struct site_rule){.id = r->id,
                              .severity = rule_severities(r, arena),
                              .since = r->since,
                              .kind = kind->id,
                              .kind_title = kind->title,
                              .title = r->title,
                              .statement = r->statement,
                              .why = r->why,
                              .how = r->how,
                              .fix = r->fix};
}

/* By kind, and in the order of the list within it. */
static const struct site_rule *site_rules(struct build *b, size_t *n)
{
    size_t n_kinds, done = 0;
    const struct rule *const *all = rules_all(n);
    const struct rule_kind *kinds = rule_kinds(&n_kinds);
    struct site_rule *rules = arena_array(&b->cli->arena, *n, sizeof *rules);
    for (size_t k = 0; k < n_kinds; k++)
        for (size_t i = 0; i < *n; i++)
            if (strcmp(all[i]->kind, kinds[k].id) == 0)
                rules[done++] = site_rule(all[i], &kinds[k], &b->cli->arena);
    *n = done;
    return rules;
}

static int write_site(struct build *b, struct err *err)
{
    struct site site = {.project = &b->project,
                        .verdicts = b->verdicts,
                        .n_verdicts = b->project.n_results,
                        .settings = &b->settings,
                        .previous = b->has_previous ? &b->previous : NULL,
                        .history = b->has_history ? &b->history : NULL,
                        .unread = b->unread,
                        .n_unread = b->n_unread,
                        .tool = FPREPORT_VERSION,
                        .rule_set = RULES_CURRENT,
                        .reuse = reuse_of(b)};
    site.rules = site_rules(b, &site.n_rules);
    site.messages = rules_messages(&b->cli->arena, &site.n_messages);
    return site_render(&site, &b->templates, &b->cli->arena, b->emit, b->self, err);
}

static int emit_buf(struct buf *text, const char *path, file_sink *emit, void *self,
                    struct err *err)
{
    int rc = buf_check(text, path, err);
    if (rc == 0)
        rc = emit(self, path, text->data, text->len, err);
    buf_clear(text);
    return rc;
}

/* With the names of files as they are below the records, wherever these lie. */
static void write_verdict(const struct build *b, size_t i, struct buf *text)
{
    struct arena arena = ARENA_INIT;
    struct verdict v = b->verdicts[i];
    struct check_result *checks = arena_array(&arena, v.n_checks, sizeof *checks);
    v.file = path_published(&arena, b->project.root, v.file);
    for (size_t k = 0; k < v.n_checks; k++) {
        checks[k] = v.checks[k];
        checks[k].file = path_published(&arena, b->project.root, checks[k].file);
    }
    v.checks = checks;
    verdicts_json(&(struct verdicts){.items = &v, .n = 1}, text);
    arena_release(&arena);
}

static void write_site_record(const struct build *b, size_t i, struct buf *text)
{
    shape_save_text(&result_shape, &b->project.results[i], text);
}

/* What stands behind one result page: its verdict and record as JSON. */
static const struct {
    const char *name;
    void (*write)(const struct build *b, size_t i, struct buf *text);
} data_files[] = {{"record.json", write_site_record}, {"verify.json", write_verdict}};
#define N_DATA_FILES (sizeof data_files / sizeof *data_files)

static const char *data_path(const struct build *b, size_t i, size_t file, struct arena *arena)
{
    const struct result *r = &b->project.results[i];
    return arena_printf(arena, "result/%s/%s/%s", r->vendor, r->case_id, data_files[file].name);
}

/* Of all results, those that have to be made. */
struct data_jobs {
    const struct build *b;
    size_t *items; /* N_DATA_FILES for each result: result, then file */
    size_t n;
};

static int make_data(void *context, size_t worker, size_t i, file_sink *emit, void *self,
                     struct err *err)
{
    (void)worker;
    const struct data_jobs *jobs = context;
    size_t result = jobs->items[i] / N_DATA_FILES, file = jobs->items[i] % N_DATA_FILES;
    struct arena arena = ARENA_INIT;
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    data_files[file].write(jobs->b, result, &text);
    int rc = emit_buf(&text, data_path(jobs->b, result, file, &arena), emit, self, err);
    buf_release(&text);
    arena_release(&arena);
    return rc;
}

static int write_data(struct build *b, struct err *err)
{
    size_t all = b->project.n_results * N_DATA_FILES;
    struct data_jobs jobs = {b, arena_array(&b->cli->arena, all, sizeof(size_t)), 0};
    for (size_t i = 0; i < all; i++) {
        struct arena arena = ARENA_INIT;
        size_t result = i / N_DATA_FILES;
        if (!reuse_of(b) ||
            !reuse_keeps(reuse_of(b), data_path(b, result, i % N_DATA_FILES, &arena),
                         &b->reuse.results[result]))
            jobs.items[jobs.n++] = i;
        arena_release(&arena);
    }
    return ordered_emit(jobs.n, make_data, &jobs, b->emit, b->self, err);
}

/* When all of them could be read. */
static int write_signers(struct build *b, struct err *err)
{
    const struct signers *s = b->project.signers;
    if (!s || !s->whole.data)
        return 0;
    if (add_to_parts(b, SIGNERS_FILE, s->whole.data, s->whole.len, err) < 0)
        return -1;
    return s->n_revoked ? add_to_parts(b, SIGNERS_REVOKED_FILE, s->revoked_whole.data,
                                       s->revoked_whole.len, err)
                        : 0;
}

int build_emit(struct build *b, file_sink *emit, void *self, struct err *err)
{
    b->emit = emit;
    b->self = self;
    key_lists(b);
    if (write_pages(b, err) < 0 || write_site(b, err) < 0 || write_data(b, err) < 0)
        return -1;
    if (build_bundles(b, err) < 0 || write_signers(b, err) < 0 || build_log_emit(b, err) < 0)
        return -1;
    return build_evidence(b, err);
}

/* A pair to compare without one of its results has no page: said, for it may be a typing error. */
static void warn_of_pairs(struct build *b, const char *records)
{
    for (size_t i = 0; i < b->settings.n_compare; i++) {
        const struct site_pair *pair = &b->settings.compare[i];
        const char *names[] = {pair->a, pair->b};
        for (size_t k = 0; k < 2; k++)
            if (!project_result_by_name(&b->project, names[k], &b->cli->arena))
                diags_add(&b->cli->diags, SEVERITY_WARNING,
                          arena_printf(&b->cli->arena, "%s/site.json", records), pair->line, 0,
                          "found no result '%s', so this pair gets no page; correct the name, or "
                          "remove the pair",
                          foreign_line(&b->cli->arena, names[k], 100));
    }
}

static void warn_of_links(struct build *b)
{
    for (size_t i = 0; i < b->project.n_vendors; i++) {
        const struct vendor *v = &b->project.vendors[i];
        if (v->url && !foreign_url_whole(v->url))
            diags_add(&b->cli->diags, SEVERITY_WARNING,
                      arena_printf(&b->cli->arena, "%s/vendors/%s.json", b->project.root, v->id), 0,
                      0,
                      "url is '%s', expected an address that begins with https:, http: or mailto:; "
                      "pages show it as text, not as a link",
                      foreign_line(&b->cli->arena, v->url, 100));
    }
}

static int redact_all(struct build *b)
{
    struct err err = ERR_INIT;
    b->refused = build_redact(b, &err) < 0;
    return b->refused ? cli_fail(b->cli, &err) : EXIT_AGREED;
}

void build_close(struct build *b)
{
    spool_close(&b->parts.spool);
}

/* A first site could be made of the rest, had the settings that cannot be read not named the
 * archive, perhaps: what it withholds is not known then. */
static int find_archive(struct build *b)
{
    const char *root;
    struct err err = ERR_INIT;
    bool first = !b->od || b->od->old->n == 0;
    if (b->unset && first && cli_archive_root(b->cli, &root, &err) < 0)
        return cli_fail(b->cli, &err);
    return cli_archive(b->cli, &b->project);
}

int build_load(struct build *b, struct cli *cli, struct build_cache *cache, struct outdir *od)
{
    const char *records = cli_records(cli);
    *b = (struct build){.cli = cli, .cache = cache, .od = od, .parts = BUILD_PARTS_INIT};
    struct err err = ERR_INIT;
    int folder = file_is_folder(records, &err);
    if (folder < 0)
        return cli_fail(cli, &err);
    if (!folder)
        return cli_usage(cli, "%s: not a folder; %s needs records", records, cli->command->name);
    project_load(records, &b->project, &cli->arena, &cli->diags);
    b->refused = site_results_check(b->project.n_results, records, &err) < 0;
    if (b->refused)
        return cli_fail(cli, &err);
    cli_lend_records(cli, &b->project);
    b->unset = site_settings_load(&b->settings, records, &cli->arena, &cli->diags) < 0;
    if (build_previous_named(b) < 0)
        return cli_diags(cli), EXIT_USAGE;
    warn_of_links(b);
    warn_of_pairs(b, records);
    int code = cli_diags(cli);
    if (code == EXIT_IO)
        return code;
    int checkout = cli_flagperf(cli, &b->project);
    if (checkout)
        return checkout;
    int signers = cli_signers(cli, &b->project);
    /* A key that is missing would be held against its vendor. */
    b->refused = signers != EXIT_AGREED;
    if (b->refused)
        return exit_worse(signers, cli_diags(cli));
    if (cli_sandbox(cli))
        return EXIT_IO;
    int unread = find_archive(b);
    if (unread == EXIT_AGREED)
        unread = build_log_check(b);
    b->refused = unread != EXIT_AGREED;
    code = exit_worse(code, cli_diags(cli));
    if (b->refused)
        return exit_worse(code, unread);
    int part = site_shard_begin(b);
    b->refused = part != EXIT_AGREED;
    if (b->refused)
        return part;
    cli_detail(cli, "verifying %zu results", b->project.n_results);
    int begun = verify_all(b);
    b->refused = begun != EXIT_AGREED;
    if (b->refused)
        return begun;
    build_mlperf_seals(b);
    code = exit_worse(code, cli_diags(cli));
    int withheld = redact_all(b);
    if (b->refused)
        return exit_worse(code, withheld);
    if (build_previous_published(b) != EXIT_AGREED)
        return EXIT_IO;
    cli_templates(cli, &b->templates);
    return check_read(b) ? EXIT_IO : code;
}
