#include "cli/publish/changes.h"

#include "base/files/file.h"
#include "base/signing/hash.h"
#include "base/text.h"
#include "renderer/publish/site.h"

#include <stdlib.h>
#include <string.h>

#define VERDICTS_NAME "verify.json"
#define FIRST "Publish "
#define LAST "\n" PUBLISH_SUM

bool publish_is_verdict(const char *path)
{
    return strcmp(path_base(path), VERDICTS_NAME) == 0;
}

void publish_doc_add(struct verdict_doc *all, const struct verdict_doc *one, struct arena *arena)
{
    if (!all->n_runs) {
        all->tool = one->tool;
        all->rules = one->rules;
        all->only = one->only;
    }
    for (size_t i = 0; i < one->n_runs; i++)
        *(struct doc_run *)ARENA_PUSH(arena, all->runs, all->n_runs) = one->runs[i];
}

/* One result may be in several documents: on pages in two languages, say. */
void publish_doc_finish(struct verdict_doc *all)
{
    size_t kept = 0;
    if (all->n_runs > 1)
        qsort(all->runs, all->n_runs, sizeof *all->runs, text_by_bytes);
    for (size_t i = 0; i < all->n_runs; i++)
        if (i == 0 || strcmp(all->runs[i].id, all->runs[kept - 1].id) != 0)
            all->runs[kept++] = all->runs[i];
    all->n_runs = kept;
}

static int read_published_verdict(struct repo_branch *b, const struct repo_entry *e,
                                  struct verdict_doc *doc, struct diags *diags)
{
    struct bytes bytes;
    struct err err = ERR_INIT;
    struct arena text = ARENA_INIT;
    const char *name = arena_printf(diags->arena, "%s:%s", repo_branch_info(b)->base_name, e->path);
    int rc = repo_branch_read(b, e, &text, &bytes, &err);
    if (rc == 0)
        rc = verdict_doc_read(name, bytes, diags->arena, doc, diags);
    else
        diags_add_err(diags, name, 0, 0, &err);
    arena_release(&text);
    return rc;
}

static int read_old(struct publish_changes *c, struct repo_branch *b,
                    const struct repo_entry *entries, size_t n, bool accept_all, struct cli *cli)
{
    struct verdict_doc doc;
    for (size_t i = 0; i < n; i++)
        if (publish_is_verdict(entries[i].path) &&
            read_published_verdict(b, &entries[i], &doc, &cli->diags) == 0)
            publish_doc_add(&c->old, &doc, &cli->arena);
    publish_doc_finish(&c->old);
    if (cli->diags.errors && !cli->diags.machine && accept_all) {
        for (size_t i = 0; i < cli->diags.n; i++)
            cli->diags.items[i].severity = SEVERITY_WARNING;
        cli->diags.errors = 0;
    }
    int code = cli_diags(cli);
    if (code)
        cli_note(cli, "the published site cannot be compared; --accept replaces it");
    return code;
}

/* Does it begin and end as publish_message writes it? Then the branch is taken for a site of this
 * program's. That is no proof: everybody can write such a commit. */
static bool is_publish_message(const char *message)
{
    size_t n = strlen(message);
    while (n && message[n - 1] == '\n')
        n--;
    size_t last = strlen(LAST) + HASH_HEX_LEN;
    return strncmp(message, FIRST, strlen(FIRST)) == 0 && n > last &&
           strncmp(message + n - last, LAST, strlen(LAST)) == 0 &&
           strspn(message + n - HASH_HEX_LEN, "0123456789abcdef") >= HASH_HEX_LEN;
}

/* The log of the archive only grows, whatever is accepted, and whoever made the branch's last
 * commit. */
static int check_published_log(struct repo_branch *b, const struct repo_entry *entries, size_t n,
                               const struct publish_site *s, struct cli *cli)
{
    struct err err = ERR_INIT;
    const char *lacks;
    int rc = publish_log_ask(s, b, entries, n, &cli->arena, &lacks, &err);
    if (lacks)
        rc = err_set(&err, ERR_CHECK,
                     "not published: %s. Build with the archive that contains these lines "
                     "(--archive), or restore its log: git show %.12s:" CHECKPOINT_SITE_LOG,
                     lacks, repo_branch_info(b)->base);
    return rc < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

int publish_changes_find(struct publish_changes *c, struct repo_branch *b,
                         const struct publish_site *s, bool accept_all, struct cli *cli)
{
    const struct repo_branch_info *info = repo_branch_info(b);
    struct repo_entry *entries;
    struct err err = ERR_INIT;
    size_t n;
    *c = (struct publish_changes){.foreign = info->message && !is_publish_message(info->message)};
    if (repo_branch_list(b, &cli->arena, &entries, &n, &err) < 0 ||
        publish_site_compare(s, entries, n, &c->files, &err) < 0)
        return cli_fail(cli, &err);
    c->old.file = info->base ? arena_printf(&cli->arena, "%s %.12s", info->base_name, info->base)
                             : info->base_name;
    c->new.file = s->root;
    int code = check_published_log(b, entries, n, s, cli);
    if (!code) {
        struct verdict_doc doc;
        for (size_t i = 0; i < s->n; i++) {
            const char *path = path_join(&cli->arena, s->root, s->files[i].path);
            if (publish_is_verdict(path) &&
                verdict_doc_load(path, &cli->arena, &doc, &cli->diags) == 0)
                publish_doc_add(&c->new, &doc, &cli->arena);
        }
        publish_doc_finish(&c->new);
        code = cli_diags(cli);
    }
    if (!code)
        code = read_old(c, b, entries, n, accept_all, cli);
    if (!code)
        verdict_diff_make(&c->old, &c->new, &cli->arena, &c->diff);
    return code;
}

bool publish_changes_none(const struct publish_changes *c)
{
    return c->files.added + c->files.changed + c->files.removed == 0;
}

/* ---- words ----------------------------------------------------------------------------- */

void publish_states(const struct verdict_doc *doc, struct buf *out)
{
    const char *comma = "";
    for (enum state s = STATE_VERIFIED; s <= STATE_WITHDRAWN; s++) {
        size_t count = 0;
        for (size_t i = 0; i < doc->n_runs; i++)
            count += doc->runs[i].state == s;
        if (count)
            buf_printf(out, "%s%zu %s", comma, count, state_name(s));
        comma = count ? ", " : comma;
    }
}
