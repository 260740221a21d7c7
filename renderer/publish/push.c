/* Sending a branch to a remote, and telling what became of it. */
#include "base/text.h"
#include "renderer/publish/git_run.h"
#include "renderer/publish/inside.h"

#include <stdlib.h>
#include <string.h>

struct push {
    struct repo_branch *b;
    struct arena arena;
    const char *given, *name; /* as the user named it; without a password */
    const char *url;          /* where it is pushed to */
    struct git_run git;
    git_oid at;          /* the remote's commit of the branch; zero: none */
    const char *refused; /* what it said of our branch; NULL: that it has it, or nothing */
};

/* Of the configuration, "" where that is not set. */
static const char *push_setting(struct push *p, const char *key)
{
    git_config *config = NULL;
    const char *value = NULL;
    if (git_repository_config_snapshot(&config, p->b->repo) < 0)
        return "";
    if (git_config_get_string(&value, config, key) == 0)
        value = arena_strdup(&p->arena, value);
    git_config_free(config);
    return text_or_empty(value);
}

/* ssh needs its user's name, and takes no password. */
const char *repo_remote_shown(const char *remote, struct arena *arena)
{
    return strncmp(remote, "ssh://", 6) == 0 ? remote : repo_url_shown(remote, arena);
}

static int open_push(struct push *p, struct repo_branch *b, const char *remote, struct err *err)
{
    *p = (struct push){.b = b, .given = remote};
    p->name = repo_remote_shown(remote, &p->arena);
    const char *url = push_setting(p, arena_printf(&p->arena, "remote.%s.url", remote));
    const char *other = push_setting(p, arena_printf(&p->arena, "remote.%s.pushurl", remote));
    p->url = *other ? other : remote;
    if (!*url && !*other && !strpbrk(remote, "/:"))
        return err_set(err, ERR_USAGE,
                       "there is no remote '%s'; `git remote add %s URL` makes one, `git remote` "
                       "lists them",
                       p->name, p->name);
    bool own =
        getenv("GIT_SSH_COMMAND") || getenv("GIT_SSH") || *push_setting(p, "core.sshCommand");
    p->git = (struct git_run){.git_folder = b->info.git_folder,
                              .ssh = own ? NULL : "ssh -v -o BatchMode=yes",
                              .arena = &p->arena};
    return 0;
}

/* git leaves passwords out of what it says; a program that it asks may not. */
static const char *why_not(struct push *p)
{
    const char *urls[] = {p->url, p->given};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        const char *from = strstr(urls[i], "://"), *to = from ? strrchr(from, '@') : NULL;
        if (to && strncmp(urls[i], "ssh://", 6) != 0 &&
            strstr(p->git.why, arena_strndup(&p->arena, from + 3, (size_t)(to - from - 3))))
            return "what git says of it has the password in it";
    }
    return p->git.why;
}

/* p->at: where the branch is there. */
static int ask_remote(struct push *p, struct err *err)
{
    const char *const arguments[] = {"ls-remote", "--", p->url, p->b->ref, NULL};
    p->at = (git_oid){{0}};
    if (!git_run(&p->git, arguments))
        return err_set(err, ERR_IO,
                       "%s: cannot be reached: %s; `git push -- %s %s` says what git does", p->name,
                       why_not(p), p->name, p->b->name);
    size_t n;
    char **lines = text_lines(&p->arena, p->git.out, &n);
    for (size_t i = 0; i < n; i++) {
        const char *tab = strchr(lines[i], '\t');
        if (tab && strcmp(tab + 1, p->b->ref) == 0 && git_oid_fromstr(&p->at, lines[i]) < 0)
            return repo_git_err(err, ERR_IO, "%s: its commit of %s", p->name, p->b->name);
    }
    return 0;
}

static int check_forward(struct push *p, const git_oid *to, struct err *err)
{
    const char *name = p->b->name;
    if (git_oid_is_zero(&p->at) || git_oid_equal(&p->at, to) ||
        git_graph_descendant_of(p->b->repo, to, &p->at) == 1)
        return 0;
    return err_set(err, ERR_CHECK,
                   "%s has published %.12s on %s, which is not what this would build upon; `git "
                   "fetch %s %s:refs/remotes/%s/%s`, then publish again",
                   p->name, repo_hex(&p->arena, &p->at), name, p->name, name, p->name, name);
}

int repo_branch_ask(struct repo_branch *b, const char *remote, struct arena *arena, const char **at,
                    struct err *err)
{
    struct push p;
    int rc = open_push(&p, b, remote, err);
    if (rc == 0)
        rc = ask_remote(&p, err);
    if (rc == 0)
        rc = check_forward(&p, &b->base, err);
    *at = repo_hex(arena, &p.at);
    arena_release(&p.arena);
    return rc;
}

/* No answer about our branch: the remote is asked where it is. */
static int find_out(struct push *p, const git_oid *to, struct err *err)
{
    struct err second = ERR_INIT;
    const char *why = why_not(p);
    if (ask_remote(p, &second) < 0)
        return err_set(err, ERR_UNKNOWN,
                       "%s may have taken %s or not (%s), and cannot be asked now; publish again "
                       "to find out",
                       p->name, p->b->name, why);
    if (git_oid_equal(&p->at, to))
        return 0;
    return err_set(
        err, ERR_IO,
        "%s did not take %s: %s; it is committed here only, `git push -- %s %s` says what git does",
        p->name, p->b->name, why, p->name, p->b->name);
}

int repo_branch_push(struct repo_branch *b, const char *remote, const char *id, struct err *err)
{
    struct push p;
    git_oid to;
    int rc = open_push(&p, b, remote, err);
    if (rc == 0 && git_oid_fromstr(&to, id) < 0)
        rc = repo_git_err(err, ERR_IO, "%s", id);
    const char *const arguments[] = {"push",
                                     "--porcelain",
                                     "--progress",
                                     "--no-verify",
                                     "--no-follow-tags",
                                     "--recurse-submodules=no",
                                     "--",
                                     remote,
                                     arena_printf(&p.arena, "%s:%s", id, b->ref),
                                     NULL};
    if (rc == 0 && !git_run(&p.git, arguments)) {
        /* `git push --porcelain` says "!\tFROM:TO\t[remote rejected] (why)" of what the remote or
         * git refused; that the remote did not say what became of it is "[remote failure]". */
        size_t n;
        char **lines = text_lines(&p.arena, p.git.out, &n);
        for (size_t i = 0; i < n; i++) {
            const char *what = strrchr(lines[i], '\t');
            if (text_starts(lines[i], "!\t") && what && !text_starts(what + 1, "[remote failure]"))
                p.refused = what + 1;
        }
        rc = p.refused ? err_set(err, ERR_CHECK, "%s refused %s: %s; it is committed here only",
                                 p.name, b->name, p.refused)
                       : find_out(&p, &to, err);
    }
    arena_release(&p.arena);
    return rc;
}
