#include "cli/publish/checkpoint.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/signing/base64.h"
#include "base/signing/sshsig.h"
#include "cli/archive/archive.h"
#include "cli/build/build.h"
#include "cli/sign.h"
#include "collector/store/write.h"

#include <string.h>
#include <time.h>

/* The checkpoint that there is or will be, and its two files. */
struct signing {
    struct cli *cli;
    struct publish_site *site;
    const char *path; /* in the archive */
    struct checkpoint *checkpoint;
    const char *text, *signature;
    const char *last; /* day of the log's last entry, which no word about it is older than; NULL */
};

/* What is to be said of this log and site, but for the date. */
static int describe_checkpoint(struct signing *g)
{
    struct cli *cli = g->cli;
    struct store_log log;
    const char *path = path_join(&cli->arena, g->site->root, CHECKPOINT_SITE_LOG);
    if (store_log_read_file(path, &cli->arena, &log, &cli->diags) < 0)
        return cli_diags(cli);
    g->last = log.n ? store_entry_day(&log.entries[log.n - 1]) : NULL;
    g->checkpoint = arena_alloc(&cli->arena, sizeof *g->checkpoint);
    *g->checkpoint = (struct checkpoint){.n = (long long)log.lines,
                                         .head = arena_strdup(&cli->arena, log.head),
                                         .root = arena_strdup(&cli->arena, g->site->sha256)};
    return EXIT_AGREED;
}

/* Does the archive have a checkpoint that says just this, with a signature that holds? */
static bool is_checkpoint_kept(struct signing *g)
{
    struct arena *arena = &g->cli->arena;
    struct err ignored = ERR_INIT;
    struct diags quiet;
    struct checkpoint kept;
    struct bytes text, armour;
    bool good;
    const char *file = arena_printf(arena, "%s.sig", g->path);
    diags_init(&quiet, arena);
    if (!file_exists(g->path) || checkpoint_read(g->path, arena, &kept, &text, &quiet) < 0 ||
        kept.n != g->checkpoint->n || strcmp(kept.head, g->checkpoint->head) != 0 || !kept.root ||
        strcmp(kept.root, g->checkpoint->root) != 0 || (g->last && strcmp(kept.date, g->last) < 0))
        return false;
    checkpoint_signed(g->path, &kept, text, NULL, arena, &good, &ignored);
    if (!good || file_read(file, SSHSIG_BYTES_MAX, arena, &armour, &ignored) < 0)
        return false;
    *g->checkpoint = kept;
    g->text = text.data;
    g->signature = armour.data;
    return true;
}

static int sign(struct signing *g)
{
    struct cli *cli = g->cli;
    struct err err = ERR_INIT;
    struct buf text = BUF_INIT(CHECKPOINT_BYTES_MAX), armour = BUF_INIT(SSHSIG_BYTES_MAX);
    char *date = arena_alloc(&cli->arena, STORE_TIME_SIZE);
    long long now;
    if (clock_source_date(&now, &err) < 0)
        return cli_fail(cli, &err);
    store_time_write(now < 0 ? (long long)time(NULL) : now, date);
    g->checkpoint->date = g->last && strcmp(date, g->last) < 0 ? g->last : date;
    checkpoint_text(g->checkpoint, &text);
    int rc = cli_sign_for(cli->opt.sign, SSHSIG_CHECKPOINT, (struct bytes){text.data, text.len},
                          &armour, &err);
    g->text = buf_text(&text, &cli->arena);
    g->signature = buf_text(&armour, &cli->arena);
    return rc < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

/* The line of allowed_signers by which a key may do so. */
static const char *allowed_signer_line(const struct sshkey *key, struct arena *arena)
{
    struct buf line = BUF_INIT(SSHSIG_BYTES_MAX);
    buf_printf(&line, "operator namespaces=\"" SSHSIG_CHECKPOINT "\" %s ", key->type);
    base64_encode(key->blob.data, key->blob.len, &line);
    return buf_text(&line, arena);
}

/* Would a reader who asks the signers of the records take it? Whose key a private one is, only its
 * signature tells. */
static int check_signer(struct signing *g)
{
    struct cli *cli = g->cli;
    struct err err = ERR_INIT;
    struct sshsig s;
    struct project p = {.root = cli_records(cli)};
    const char *why;
    int code = exit_worse(cli_signers(cli, &p), cli_diags(cli));
    if (code)
        return code;
    if (!p.signers) {
        cli_note(cli,
                 "the records have no " SIGNERS_FILE ": readers have to know from elsewhere whose "
                 "key signs the checkpoint");
        return EXIT_AGREED;
    }
    if (sshsig_parse((struct bytes){g->signature, strlen(g->signature)}, &cli->arena, &s, &err) < 0)
        return cli_fail(cli, &err);
    struct signers_question q = {.key = &s.key, .namespace = SSHSIG_CHECKPOINT};
    calendar_time(g->checkpoint->date, &q.at);
    if (signers_find(p.signers, &q, &cli->arena, &why))
        return EXIT_AGREED;
    return cli_error(
        cli, ERR_INPUT,
        "--sign: the key %s %s, so readers would not accept its checkpoint; nothing was "
        "published. If the key is the operator's, add this line to %s and run `publish "
        "--build`: %s",
        s.key.fingerprint, why, p.signers->file, allowed_signer_line(&s.key, &cli->arena));
}

/* A checkpoint that a writer was about to keep when he was stopped becomes the archive's. */
static int finish_checkpoint(struct cli *cli, const char *root)
{
    struct err err = ERR_INIT;
    struct store s;
    if (!file_exists(path_join(&cli->arena, root, CHECKPOINT_NEXT)))
        return EXIT_AGREED;
    if (store_lock(&s, root, &cli->arena, &cli->diags, &err) < 0)
        return exit_worse(cli_diags(cli), cli_fail(cli, &err));
    store_close(&s);
    return EXIT_AGREED;
}

/* Both files; one writer at a time. */
static int keep_checkpoint(struct signing *g, const char *root)
{
    struct cli *cli = g->cli;
    struct err err = ERR_INIT;
    struct store s;
    if (store_lock(&s, root, &cli->arena, &cli->diags, &err) < 0)
        return exit_worse(cli_diags(cli), cli_fail(cli, &err));
    int rc = checkpoint_keep(root, g->text, g->signature, &cli->arena, &err);
    store_close(&s);
    return rc < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

static int put_checkpoint(struct signing *g)
{
    struct arena *arena = &g->cli->arena;
    struct err err = ERR_INIT;
    if (publish_site_add(g->site, CHECKPOINT_IN_SITE CHECKPOINT_NAME, g->text, arena, &err) < 0 ||
        publish_site_add(g->site, CHECKPOINT_IN_SITE CHECKPOINT_SIGNATURE, g->signature, arena,
                         &err) < 0)
        return cli_fail(g->cli, &err);
    g->site->checkpoint = g->checkpoint;
    return EXIT_AGREED;
}

int publish_checkpoint(struct publish_site *s, struct cli *cli)
{
    const char *root;
    struct err err = ERR_INIT;
    struct signing g = {.cli = cli, .site = s};
    if (!publish_site_find(s, CHECKPOINT_SITE_LOG))
        return cli->opt.sign ? cli_usage(cli,
                                         "--sign: found no log in %s, expected the log of an "
                                         "archive; `fpreport archive add` makes an archive",
                                         s->root)
                             : EXIT_AGREED;
    if (cli_archive_root(cli, &root, &err) < 0)
        return cli_fail(cli, &err);
    g.path = path_join(&cli->arena, root, CHECKPOINT_NAME);
    int code = cli->opt.dry_run ? EXIT_AGREED : finish_checkpoint(cli, root);
    if (code == EXIT_AGREED)
        code = describe_checkpoint(&g);
    if (code)
        return code;
    bool kept = is_checkpoint_kept(&g);
    if (!kept && !cli->opt.sign) {
        cli_note(cli, "this log and site have no checkpoint: `publish --sign KEY` makes one");
        return EXIT_AGREED;
    }
    if (!kept)
        code = sign(&g);
    if (!kept && code == EXIT_AGREED)
        code = check_signer(&g);
    if (!kept && code == EXIT_AGREED && !cli->opt.dry_run)
        code = keep_checkpoint(&g, root);
    if (code == EXIT_AGREED)
        code = put_checkpoint(&g);
    return code;
}
