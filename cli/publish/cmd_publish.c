#include "cli/build/build.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "base/git/repo.h"
#include "base/text.h"
#include "cli/archive/held_before.h"
#include "cli/build/previous.h"
#include "cli/cli.h"
#include "cli/publish/accept.h"
#include "cli/publish/checkpoint.h"
#include "renderer/publish/branch.h"
#include "renderer/publish/site.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A part of a command's work in a process of its own, so that its memory goes back
 * to the system before the next part begins.
 *
 * The work prints what it has to say (and cli->out, which is empty at first) and returns an exit
 * code; nothing else comes back. It ends when we do. */

typedef int child_process_fn(struct cli *cli, void *self);

/* The work's exit code; EXIT_IO after a message when it ended otherwise. Without another process to
 * be had, the work is done in this one. */
static int child_process_run(struct cli *cli, child_process_fn *work, void *self)
{
    pid_t parent = getpid(), child = fork();
    struct err err = ERR_INIT;
    int status;
    if (child < 0)
        return work(cli, self);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) /* it ended before it could have told us */
            _exit(EXIT_IO);
        buf_clear(&cli->out);
        int code = work(cli, self);
        _exit(exit_worse(code, cli_flush(cli)));
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) {
            err_errno(&err, ERR_IO, "building cannot be waited for");
            return cli_fail(cli, &err);
        }
    if (WIFEXITED(status)) /* what the child did is known: nothing, or a site that is whole */
        return WEXITSTATUS(status) == EXIT_UNKNOWN ? EXIT_IO : WEXITSTATUS(status);
    err_set(&err, ERR_IO, "the process that builds the site was ended by signal %d",
            WTERMSIG(status));
    return cli_fail(cli, &err);
}

#define MESSAGE_MAX ((size_t)1 << 20)

struct publication {
    struct cli *cli;
    const char *root, *remote; /* remote NULL: it is not pushed */
    struct repo_branch *branch;
    const struct repo_branch_info *info;
    const char *remote_at;   /* the remote's commit of the branch; NULL: none */
    struct repo_info source; /* of the records */
    struct publish_site site;
    struct publish_changes changes;
    struct publish_accept accept;
};

/* Everything that can be refused before anything is built or written. */
static int prepare_publication(struct publication *p)
{
    struct cli *cli = p->cli;
    struct err err = ERR_INIT;
    const char *branch = build_previous_branch(cli), *author;
    if (cli->opt.push)
        p->remote = build_previous_remote(cli);
    if (repo_branch_open(".", branch, build_previous_remote(cli), &p->branch, &err) < 0)
        return cli_fail(cli, &err);
    /* The repository is there: what the site was made from is not left unsaid. */
    if (!repo_describe(".", &cli->arena, &p->source))
        return cli_error(cli, ERR_IO, "not published: %s", p->source.reason);
    p->info = repo_branch_info(p->branch);
    if (repo_branch_author(p->branch, &cli->arena, &author, &err) < 0)
        return cli_fail(cli, &err);
    cli_detail(cli, "the commit's author will be %s", author);
    if (p->remote && repo_branch_ask(p->branch, p->remote, &cli->arena, &p->remote_at, &err) < 0)
        return cli_fail(cli, &err);
    /* Who waits here compares with what was published meanwhile. */
    if (!cli->opt.dry_run && repo_branch_hold(p->branch, &err) < 0)
        return cli_fail(cli, &err);
    return EXIT_AGREED;
}

static int build(struct cli *cli, void *self)
{
    const struct publication *p = self;
    return build_site(cli, p->root);
}

/* Build again in memory and compare: is it the site of the present records, templates and program?
 */
static int check_site_again(struct cli *cli, void *self)
{
    const struct publication *p = self;
    struct publish_built c = {.site = &p->site, .arena = &cli->arena};
    struct build b;
    struct err err = ERR_INIT;
    int code = build_load(&b, cli, NULL, NULL);
    if (code == EXIT_AGREED && build_emit(&b, publish_built_file, &c, &err) < 0)
        code = cli_fail(cli, &err);
    build_close(&b);
    if (code != EXIT_AGREED)
        return code;
    size_t gone = publish_built_gone(&c);
    if (c.differ == 0 && gone == 0)
        return EXIT_AGREED;
    const char *names = "";
    for (size_t i = 0; i < c.differ && i < PUBLISH_BUILT_NAMED; i++)
        names = arena_printf(&cli->arena, "%s%s%s", names, i ? ", " : ": ", c.named[i]);
    return cli_usage(cli,
                     "%s does not fit the present records: %zu files would differ%s%s; run "
                     "`fpreport build` and look at the site, or publish with --build",
                     p->site.root, c.differ + gone, names,
                     c.differ > PUBLISH_BUILT_NAMED ? ", …" : "");
}

/* What is published is what can be looked at in the folder: built by us now, or by the user before
 * and still what a build would give. A failed result is published as failed. */
static int take_site(struct publication *p)
{
    struct cli *cli = p->cli;
    struct err err = ERR_INIT;
    int code = cli->opt.build ? child_process_run(cli, build, p) : EXIT_AGREED;
    if (code > EXIT_CHECK)
        return code;
    if (publish_site_load(&p->site, p->root, PUBLISH_LIST_MAX, &cli->arena, &err) < 0)
        return cli_fail(cli, &err);
    return cli->opt.build ? EXIT_AGREED : child_process_run(cli, check_site_again, p);
}

static void say_done(struct publication *p, const char *done)
{
    const struct publish_changes *c = &p->changes;
    struct buf *out = &p->cli->out;
    if (p->cli->opt.quiet)
        return;
    buf_printf(out, "%s%s\n  %zu results%s", done, p->info->base ? "" : ", a new branch",
               c->new.n_runs, c->new.n_runs ? ": " : "");
    publish_states(&c->new, out);
    buf_printf(out, "\n  %zu files: %zu new, %zu changed, %zu the same; %zu gone\n", p->site.n,
               c->files.added, c->files.changed, c->files.same, c->files.removed);
}

/* Of what the site has a part of, commits from before may hold the whole. */
static void tell_held_before(struct publication *p)
{
    struct arena *a = &p->cli->arena;
    const char **files = NULL;
    size_t n = 0;
    for (size_t i = 0; i < p->site.n; i++) {
        static const char *const parts[] = {"." STORE_REDACTED ".tar.zst",
                                            "." STORE_HASHES ".tar.zst"};
        const char *path = p->site.files[i].path;
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (text_ends(path, parts[k]))
                *(const char **)ARENA_PUSH(a, files, n) =
                    arena_printf(a, "%.*s.tar.zst", (int)(strlen(path) - strlen(parts[k])), path);
    }
    held_before_tell(p->cli, files, n);
}

static int push_publication(struct publication *p, const char *id)
{
    struct err err = ERR_INIT;
    if (!p->remote)
        return EXIT_AGREED;
    repo_branch_let_go(p->branch); /* nobody has to wait for a remote */
    if (repo_branch_push(p->branch, p->remote, id, &err) < 0) {
        cli_flush(p->cli);
        return cli_fail(p->cli, &err);
    }
    if (!p->cli->opt.quiet)
        buf_printf(&p->cli->out, "pushed to %s\n", repo_remote_shown(p->remote, &p->cli->arena));
    return EXIT_AGREED;
}

static int commit_publication(struct publication *p, const char *message)
{
    struct err err = ERR_INIT;
    char id[REPO_ID_SIZE];
    struct repo_commit c = {
        .root = p->root, .files = p->site.files, .n = p->site.n, .message = message};
    /* SOURCE_DATE_EPOCH makes the commit the same on every machine. */
    if (clock_source_date(&c.time, &err) < 0)
        return cli_fail(p->cli, &err);
    if (p->cli->opt.dry_run) {
        say_done(p, arena_printf(&p->cli->arena, "would publish to %s", p->info->name));
        buf_printf(&p->cli->out, "\n%s", message);
        return EXIT_AGREED;
    }
    if (repo_branch_commit(p->branch, &c, id, &err) < 0)
        return cli_fail(p->cli, &err);
    say_done(p, arena_printf(&p->cli->arena, "published: %s %.12s", p->info->name, id));
    tell_held_before(p);
    return push_publication(p, id);
}

/* The branch holds this site already; a remote may not. */
static int nothing_new(struct publication *p)
{
    const struct repo_branch_info *info = p->info;
    bool there = p->remote_at && strcmp(p->remote_at, info->base) == 0;
    if (!p->cli->opt.quiet)
        buf_printf(&p->cli->out,
                   "%s %.12s already contains this site: no "
                   "commit\n",
                   info->base_name, info->base);
    if (there || p->cli->opt.dry_run || !info->tip || strcmp(info->tip, info->base) != 0)
        return EXIT_AGREED;
    return push_publication(p, info->tip);
}

static int publish_built_site(struct publication *p)
{
    struct buf message = BUF_INIT(MESSAGE_MAX);
    struct err err = ERR_INIT;
    int code = publish_changes_find(&p->changes, p->branch, &p->site, p->accept.all, p->cli);
    if (code)
        return code;
    if (p->info->base && publish_changes_none(&p->changes))
        return nothing_new(p);
    const struct publish_changes *c = &p->changes;
    if (p->info->base && !c->foreign && c->diff.n_runs)
        verdict_diff_text(&c->diff, p->cli->color_out, &p->cli->out);
    code = cli_flush(p->cli);
    if (code == EXIT_AGREED)
        code = publish_accept_judge(&p->accept, c, p->info, p->cli);
    if (code)
        return code;
    publish_message(c, &p->site, &p->source, &message);
    code = buf_check(&message, "the commit's message", &err) < 0
               ? cli_fail(p->cli, &err)
               : commit_publication(p, message.data);
    buf_release(&message);
    return code;
}

static int run_publish(struct cli *cli)
{
    struct publication p = {.cli = cli};
    int code = publish_accept_read(&p.accept, cli);
    if (code)
        return code;
    p.root = p.accept.site ? p.accept.site : BUILD_DEFAULT_OUT;
    if (cli->opt.push && !*cli->opt.push && p.accept.site && !file_exists(p.root))
        return cli_usage(cli, "%s: no such folder; to name a remote, write --push=%s", p.root,
                         p.root);
    code = prepare_publication(&p);
    if (code == EXIT_AGREED)
        code = take_site(&p);
    if (code == EXIT_AGREED)
        code = publish_checkpoint(&p.site, cli);
    if (code == EXIT_AGREED)
        code = publish_built_site(&p);
    if (code == EXIT_AGREED && cli_flush(cli) != 0)
        code = EXIT_UNKNOWN; /* it is published, and nobody was told */
    repo_branch_close(p.branch);
    return code;
}

static const enum option_id options[] = {
    OPTION_BRANCH,   OPTION_BUILD,    OPTION_ACCEPT, OPTION_PUSH,    OPTION_DRY_RUN, OPTION_RECORDS,
    OPTION_FLAGPERF, OPTION_PREVIOUS, OPTION_SIGN,   OPTION_ARCHIVE, OPTION_END,
};

const struct command command_publish = {
    .name = "publish",
    .summary = "commit the built site to a branch, and push it",
    .arguments = "[SITE] [VENDOR/CASE…]",
    .examples = "  fpreport publish                          the site that is in site/\n  fpreport "
                "publish --build --push           build, commit, send to origin\n  fpreport "
                "publish --accept acme/llama2_7b  accept that changed verdict\n  fpreport publish "
                "--accept --push=backup   accept all changed verdicts\n",
    .details = "\n"
               "publish commits SITE (site) to the branch, with .nojekyll and MANIFEST.sha256,\n"
               "the checksums of all files. Work tree, index and HEAD stay as they are.\n"
               "publish refuses if build would now make another site, or if a published verdict\n"
               "changed, and prints the changes. --accept VENDOR/CASE accepts the changes of one\n"
               "result, and --accept accepts all changes. If the archive log lacks lines that\n"
               "were published before, publish always refuses.\n"
               "--sign writes a signed checkpoint of the archive log and this site to archive/.\n"
               "Anybody who keeps a checkpoint can later prove that no old line of the log was\n"
               "changed. If the records have signers, these signers must include your key.\n"
               "\n"
               "exit: 0 published, or no change; 1 refused (a verdict changed, or the remote\n"
               "refused); 2, 3, 4 not published; 5 unknown: run `git fetch` and look at the\n"
               "branch.\n",
    .options = options,
    .max_arguments = -1,
    .needs_project = true,
    .run = run_publish,
};
