#include "cli/archive/archive.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "base/store/checkpoint.h"
#include "base/store/store.h"
#include "collector/store/write.h"
#include "verifier/proofs/runs.h"

#include <string.h>

/* `date` of records/site.json; NULL. What is wrong with the file is said by whoever needs it. */
static const char *date_of_site(struct cli *cli)
{
    struct diags ignored = DIAGS_INIT(&cli->arena);
    struct json *json;
    if (json_load(path_join(&cli->arena, cli_records(cli), "site.json"), &cli->arena, &json,
                  &ignored) < 0)
        return NULL;
    const char *day = json_get_text(json, "date", NULL);
    return day && calendar_is_date(day) ? day : NULL;
}

/* As it stands in records/site.json, whatever is wrong with its other members; *out NULL: nothing.
 */
static int configured(struct cli *cli, const char *records, const char **out, struct err *err)
{
    struct diags said;
    struct json *json;
    const char *path = path_join(&cli->arena, records, "site.json");
    diags_init(&said, &cli->arena);
    *out = NULL;
    int there = file_is_there(path, err);
    if (there <= 0)
        return there;
    bool read = json_load(path, &cli->arena, &json, &said) == 0 && json->kind == JSON_OBJECT;
    *out = read ? json_get_text(json, "archive", NULL) : NULL;
    if (read && (*out || !json_get(json, "archive")))
        return 0;
    return err_set(err, said.machine ? ERR_IO : ERR_INPUT,
                   "%s: this file cannot be read, and it may name the folder of the "
                   "archive%s%s",
                   path, said.n ? ": " : "", said.n ? said.items[0].message : "");
}

static const char *default_root(struct cli *cli)
{
    /* "my/" of "my/records", "" of "records". */
    const char *path = cli_records(cli);
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n && path[n - 1] != '/')
        n--;
    return path_join(&cli->arena, arena_strndup(&cli->arena, path, n), STORE_DEFAULT);
}

int cli_archive_root(struct cli *cli, const char **root, struct err *err)
{
    const char *records = cli_records(cli), *named;
    *root = cli->opt.archive;
    if (*root)
        return 0;
    int rc = configured(cli, records, &named, err);
    *root = named ? path_join(&cli->arena, records, named) : default_root(cli);
    return rc;
}

int cli_archive_lock(struct cli *cli, struct store *s, struct err *err)
{
    const char *root;
    if (cli_archive_root(cli, &root, err) < 0)
        return -1;
    int rc = store_lock(s, root, &cli->arena, &cli->diags, err);
    s->trust_clock = cli->opt.trust_clock;
    return rc;
}

int cli_archive_lock_there(struct cli *cli, struct store *s, struct err *err)
{
    const char *root;
    if (cli_archive_root(cli, &root, err) < 0 || store_expect(root, &cli->arena, err) < 0)
        return -1;
    return cli_archive_lock(cli, s, err);
}

/* The first of its pieces of evidence that was withdrawn; NULL. A file that never came is its run,
 * compressed again or signed by somebody else. */
static const struct store_entry *withdrawal_of(const struct store *s, const struct result *r)
{
    for (size_t i = 0; i < r->n_evidence; i++) {
        const struct evidence *e = &r->evidence[i];
        const struct store_item *item = store_submission_of(&s->index, e->sha256);
        const struct store_entry *gone = item     ? item->withdrawn
                                         : e->run ? store_withdrawal_of(&s->index, e->run)
                                                  : NULL;
        if (gone)
            return gone;
    }
    return NULL;
}

static void withdraw_result(struct cli *cli, const struct store *s, struct result *r)
{
    const struct store_entry *e = r->withdrawn ? NULL : withdrawal_of(s, r);
    if (!e)
        return;
    r->withdrawn = arena_alloc(&cli->arena, sizeof *r->withdrawn);
    *r->withdrawn = (struct withdrawal){
        .date = arena_strndup(&cli->arena, store_entry_day(e), strlen("YYYY-MM-DD")),
        .by = e->by,
        .reason = e->reason};
}

static int find_archived_runs(struct cli *cli, struct project *p)
{
    struct err err = ERR_INIT;
    return runs_find(p, &err) < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

/* Something of an archive, without the log that says what is withheld: of one that was not brought
 * over whole, or lost it. 0: nothing is. */
static int half(struct cli *cli, const char *root)
{
    static const char *const names[] = {STORE_HEAD_NAME, STORE_LOCK,           "objects",
                                        CHECKPOINT_NAME, CHECKPOINT_SIGNATURE, CHECKPOINT_NEXT};
    struct err err = ERR_INIT;
    int begun = store_is_begun(root, &err);
    if (begun < 0)
        return cli_fail(cli, &err);
    if (begun)
        cli_warn(cli,
                 "%s: `archive add` was stopped before it stored a submission in this "
                 "archive",
                 root);
    for (size_t i = 0; i < sizeof names / sizeof *names && !begun; i++) {
        int there = file_is_there(path_join(&cli->arena, root, names[i]), &err);
        if (there > 0)
            err_set(&err, ERR_IO,
                    "%s: found %s without " STORE_LOG_NAME ", expected a whole archive: put it "
                    "back, or `fpreport archive add SUBMISSION` begins a new one there",
                    root, names[i]);
        if (there)
            return cli_fail(cli, &err);
    }
    return EXIT_AGREED;
}

/* None is there. Whoever named one misses it: a folder without its log is what is left of one that
 * is not mounted, whatever else is in it. Where one that has nothing of an archive only stands in
 * the usual place, that is said. */
static int without(struct cli *cli, const char *root, const struct err *why)
{
    bool named = cli->opt.archive || strcmp(root, default_root(cli)) != 0;
    if (named && file_is_dir(root))
        return cli_error(
            cli, ERR_IO,
            "%s: the folder contains no archive, expected the archive that %s names: mount it, "
            "or run `fpreport archive add SUBMISSION` to make a new archive there",
            root, cli->opt.archive ? "--archive" : "site.json");
    if (named)
        return cli_fail(cli, why);
    int code = half(cli, root);
    if (!code && file_is_dir(root) && !file_exists(path_join(&cli->arena, root, STORE_LOCK)))
        cli_warn(
            cli,
            "%s: the folder contains no archive, so nothing counts as withdrawn or withheld; if "
            "the archive is not mounted, mount it and run this command again",
            root);
    return code;
}

/* Lines that are missing may be those that withdraw a result or withhold its files. */
static int check_archive_cut(struct cli *cli, const struct store *s)
{
    struct err err = ERR_INIT;
    const char *why;
    long long ignored;
    if (checkpoint_objection(s->root, &s->log, &cli->arena, &ignored, &why, &err) < 0)
        return cli_fail(cli, &err);
    if (!why)
        return EXIT_AGREED;
    return cli_error(
        cli, ERR_INPUT,
        "%s/" CHECKPOINT_NAME ": %s; what is withdrawn or withheld cannot be known of such a "
        "log: put it back from a copy, or from the published site, which has it, then `%s`; "
        "`fpreport fsck` says more",
        s->root, why, store_repair_command(s->root, &cli->arena));
}

int cli_archive(struct cli *cli, struct project *p)
{
    const char *root;
    struct err err = ERR_INIT;
    struct store *s = arena_alloc(&cli->arena, sizeof *s);
    size_t before = cli->diags.errors;
    if (!cli_has_project(cli) && !cli->opt.archive)
        return find_archived_runs(cli, p);
    p->dated = date_of_site(cli);
    if ((cli_archive_root(cli, &root, &err) < 0 && err.kind != ERR_INPUT) ||
        store_open_still(s, root, &cli->arena, &cli->diags, &err) < 0) {
        int code = err.kind == ERR_INPUT ? without(cli, root, &err) : cli_fail(cli, &err);
        return code ? code : find_archived_runs(cli, p);
    }
    bool faulty = cli->diags.errors > before;
    int log = faulty ? 1 : file_is_there(path_join(&cli->arena, root, STORE_LOG_NAME), &err);
    int cut = faulty || log <= 0 ? EXIT_AGREED : check_archive_cut(cli, s);
    store_let_write(s);
    if (log <= 0)
        return log < 0 ? cli_fail(cli, &err) : half(cli, root);
    if (cut)
        return cut;
    p->store = s;
    int unread = find_archived_runs(cli, p);
    if (unread)
        return unread;
    for (size_t i = 0; i < p->n_results; i++)
        withdraw_result(cli, s, &p->results[i]);
    if (s->log.torn)
        cli_warn(cli,
                 "%s/" STORE_LOG_NAME ": the last line was never finished and does not count; "
                 "`fpreport fsck` says more",
                 root);
    return cli->diags.errors > before ? EXIT_INPUT : EXIT_AGREED;
}

int cli_archive_result(struct cli *cli, struct project *p, struct result *r, const char *records)
{
    struct err err = ERR_INIT;
    if (runs_find_of(p, r, records, &err) < 0)
        return cli_fail(cli, &err);
    if (p->store)
        withdraw_result(cli, p->store, r);
    return EXIT_AGREED;
}

/* The SHA-256 of the file that a record names by this path; NULL. */
static const char *stated_sum(struct cli *cli, const struct project *p, const char *path)
{
    for (size_t i = 0; i < p->n_results; i++)
        for (size_t k = 0; k < p->results[i].n_evidence; k++) {
            const struct evidence *e = &p->results[i].evidence[k];
            if (strcmp(path_join(&cli->arena, p->root, e->archive), path) == 0)
                return e->sha256;
        }
    for (size_t i = 0; i < p->n_reproductions; i++) {
        const struct reproduction *r = &p->reproductions[i];
        if (strcmp(path_join(&cli->arena, p->root, r->archive), path) == 0)
            return r->sha256;
    }
    return NULL;
}

const char *cli_archive_find(struct cli *cli, const struct project *p, const char *word)
{
    struct err ignored = ERR_INIT;
    const struct store *s = p->store;
    if (!s || file_exists(word) || project_vendor(p, word))
        return NULL;
    const char *sum = stated_sum(cli, p, word);
    if (sum)
        return store_object_of(&s->index, sum) ? store_object_path(s->root, sum, &cli->arena)
                                               : NULL;
    const struct store_item *item = store_find(s, word, &ignored);
    return item && item->added ? store_object_path(s->root, item->added->object, &cli->arena)
                               : NULL;
}
