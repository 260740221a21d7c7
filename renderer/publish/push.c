/* Sending a branch to a remote, and telling what became of it. */
#include "base/files/file.h"
#include "renderer/publish/inside.h"

#include "renderer/publish/lock.h"
#include "renderer/publish/login.h"

#include <string.h>

struct push {
    struct repo_login login; /* first: callbacks of both get one address */
    struct repo_branch *b;
    struct arena arena;
    const char *name, *url; /* as the user named it, without a password; where it is */
    const char *given;      /* as the user named it */
    git_remote *remote;
    git_oid at;             /* the remote's commit of the branch; zero: none */
    bool answered;          /* the remote said what became of our branch … */
    const char *refused;    /* … namely that it refused it, and why */
    struct repo_lock local; /* of a remote that is a folder */
};

static const char *url_of(struct push *p)
{
    static const char *const keys[] = {"pushurl", "url"};
    git_config *config = NULL;
    const char *url = NULL;
    if (git_repository_config_snapshot(&config, p->b->repo) < 0)
        return NULL;
    for (size_t i = 0; !url && i < sizeof keys / sizeof *keys; i++) {
        const char *key = arena_printf(&p->arena, "remote.%s.%s", p->given, keys[i]);
        if (git_config_get_string(&url, config, key) == 0)
            url = arena_strdup(&p->arena, url);
    }
    git_config_free(config);
    return url || !strpbrk(p->given, "/:") ? url : p->given;
}

/* By its URL: git_remote_lookup of 1.5 leaks (base/git/repo.c). */
static int open_remote(struct push *p, struct err *err)
{
    git_remote_create_options options;
    p->url = url_of(p);
    if (!p->url)
        return err_set(err, ERR_USAGE,
                       "there is no remote '%s'; `git remote add %s URL` makes one, `git remote` "
                       "lists them",
                       p->name, p->name);
    git_remote_create_options_init(&options, GIT_REMOTE_CREATE_OPTIONS_VERSION);
    options.repository = p->b->repo;
    options.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF;
    if (git_remote_create_with_opts(&p->remote, p->url, &options) < 0)
        return repo_git_err(err, ERR_USAGE, "%s: not a place to push to", p->name);
    return 0;
}

static int hear_push_status(const char *ref, const char *status, void *self)
{
    struct push *p = self;
    repo_login_heard(&p->login);
    if (strcmp(ref, p->b->ref) != 0)
        return 0;
    p->answered = true;
    p->refused = status ? arena_strdup(&p->arena, status) : NULL;
    return 0;
}

static git_remote_callbacks callbacks_of(struct push *p)
{
    git_remote_callbacks c;
    git_remote_init_callbacks(&c, GIT_REMOTE_CALLBACKS_VERSION);
    repo_login_callbacks(&c);
    c.push_update_reference = hear_push_status;
    c.payload = p;
    return c;
}

static int by_hand(struct push *p, struct err *err)
{
    return err_set(err, ERR_IO,
                   "%s: cannot be reached: %s; `git push -- %s %s` uses what git knows", p->name,
                   repo_login_why(&p->login), p->name, p->b->name);
}

/* p->at: where the branch is there. */
static int ask_remote(struct push *p, struct err *err)
{
    git_remote_callbacks callbacks = callbacks_of(p);
    const git_remote_head **heads = NULL;
    size_t n = 0;
    p->at = (git_oid){{0}};
    repo_login_begin(&p->login);
    int rc = git_remote_connect(p->remote, GIT_DIRECTION_PUSH, &callbacks, NULL, NULL);
    if (rc == 0)
        rc = git_remote_ls(&heads, &n, p->remote);
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (strcmp(heads[i]->name, p->b->ref) == 0)
            p->at = heads[i]->oid;
    repo_login_end(&p->login, rc);
    int failed = rc < 0 ? by_hand(p, err) : 0;
    git_remote_disconnect(p->remote);
    return failed;
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

/* ssh needs its user's name, and takes no password. */
const char *repo_remote_shown(const char *remote, struct arena *arena)
{
    return strncmp(remote, "ssh://", 6) == 0 ? remote : repo_url_shown(remote, arena);
}

static int open_push(struct push *p, struct repo_branch *b, const char *remote, struct err *err)
{
    *p = (struct push){.b = b, .given = remote, .local = {.fd = -1}};
    p->name = repo_remote_shown(remote, &p->arena);
    if (open_remote(p, err) < 0)
        return -1;
    p->login =
        (struct repo_login){.arena = &p->arena, .git_folder = b->info.git_folder, .url = p->url};
    if (repo_login_authorities(b->repo) < 0)
        return repo_git_err(err, ERR_USAGE, "GIT_SSL_CAINFO, http.sslCAInfo");
    return 0;
}

static void close_push(struct push *p)
{
    repo_lock_release(&p->local);
    git_remote_free(p->remote);
    arena_release(&p->arena);
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
    close_push(&p);
    return rc;
}

/* libgit2 moves the branch of a remote that is a folder without looking whether it moved since:
 * our lock there keeps other publishers out meanwhile. */
static int lock_folder(struct push *p, const git_oid *to, struct err *err)
{
    git_repository *there = NULL;
    const char *path = strncmp(p->url, "file://", 7) == 0 ? p->url + 7 : p->url;
    if (!file_is_dir(path))
        return 0;
    if (git_repository_open(&there, path) < 0)
        return by_hand(p, err);
    int rc = repo_lock_take(&p->local, git_repository_commondir(there), &p->arena, err);
    if (rc == 0)
        rc = repo_lock_note(&p->local, repo_hex(&p->arena, to), p->b->ref, err);
    git_repository_free(there);
    return rc < 0 ? err_prefix(err, "%s", p->name) : 0;
}

static int refuse_push(struct push *p, const char *why, struct err *err)
{
    return err_set(err, ERR_CHECK, "%s refused %s: %s; it is committed here only", p->name,
                   p->b->name, why);
}

/* No answer about our branch: the remote is asked where it is. */
static int find_out(struct push *p, const git_oid *to, struct err *err)
{
    struct err second = ERR_INIT;
    const char *why = repo_login_why(&p->login);
    if (ask_remote(p, &second) < 0)
        return err_set(err, ERR_UNKNOWN,
                       "%s may have taken %s or not (%s), and cannot be asked now; publish again "
                       "to find out",
                       p->name, p->b->name, why);
    if (git_oid_equal(&p->at, to))
        return 0;
    return err_set(
        err, ERR_IO,
        "%s did not take %s: %s; it is committed here only, `git push -- %s %s` uses what "
        "git knows",
        p->name, p->b->name, why, p->name, p->b->name);
}

static int send_branch(struct push *p, const git_oid *to, struct err *err)
{
    git_push_options options;
    char *spec = arena_printf(&p->arena, "%s:%s", p->b->ref, p->b->ref);
    const git_strarray specs = {&spec, 1};
    git_push_options_init(&options, GIT_PUSH_OPTIONS_VERSION);
    options.callbacks = callbacks_of(p);
    repo_login_begin(&p->login);
    int rc = git_remote_push(p->remote, &specs, &options);
    repo_login_end(&p->login, rc);
    if (p->refused)
        return refuse_push(p, p->refused, err);
    if (rc == GIT_ENONFASTFORWARD)
        return refuse_push(p, "it has moved meanwhile", err);
    return rc == 0 && p->answered ? 0 : find_out(p, to, err);
}

int repo_branch_push(struct repo_branch *b, const char *remote, const char *id, struct err *err)
{
    struct push p;
    git_oid to;
    int rc = open_push(&p, b, remote, err);
    if (rc == 0 && git_oid_fromstr(&to, id) < 0)
        rc = repo_git_err(err, ERR_IO, "%s", id);
    if (rc == 0)
        rc = lock_folder(&p, &to, err);
    if (rc == 0)
        rc = send_branch(&p, &to, err);
    close_push(&p);
    return rc;
}
