#include "base/git/repo.h"

#include "base/git/repo_git.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool repo_git_start(enum repo_trust trust)
{
    static const int levels[] = {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
                                 GIT_CONFIG_LEVEL_GLOBAL, GIT_CONFIG_LEVEL_PROGRAMDATA};
    if (!library_open(LIBRARY_GIT2, "git_libgit2_init"))
        return false;
    repo_git_memory();
    if (git_libgit2_init() < 0)
        return false;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], trust == REPO_LOOK ? "" : NULL);
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, trust != REPO_LOOK);
    git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, trust == REPO_WRITE);
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
    return true;
}

const char *repo_git_message(void)
{
    const git_error *e = git_error_last();
    return e && e->message ? e->message : "unknown error";
}

bool repo_is_at_a_loss(void)
{
    struct stat st;
    int fd = stat("/", &st) < 0 ? -1 : open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *root = fd < 0 ? NULL : fdopendir(fd);
    bool lost = !root && err_is_of_machine(errno);
    errno = 0;
    if (root && !readdir(root))
        lost = err_is_of_machine(errno);
    if (!root && fd >= 0)
        close(fd);
    if (root)
        closedir(root);
    return lost;
}

int repo_git_err(struct err *err, enum err_kind kind, const char *fmt, ...)
{
    char text[ERR_TEXT_MAX / 2];
    va_list ap;
    va_start(ap, fmt);
    repo_git_gave(-1);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    /* libgit2 counts what a system call gave to the errors of the system. A path that is not there
     * is one of them, too: whoever may have asked for such a path asks for GIT_ENOTFOUND first. */
    const git_error *e = git_error_last();
    if ((kind == ERR_INPUT || kind == ERR_USAGE) &&
        ((e && e->klass == GIT_ERROR_OS) || repo_is_at_a_loss()))
        kind = ERR_IO;
    return err_set(err, kind, "%s: %s", text, repo_git_message());
}

const char *repo_url_shown(const char *url, struct arena *arena)
{
    const char *host = strstr(url, "://");
    if (!host)
        return arena_strdup(arena, url);
    host += 3;
    const char *at = host;
    for (const char *c = host; *c && *c != '/'; c++)
        if (*c == '@')
            at = c + 1;
    return arena_printf(arena, "%.*s%s", (int)(host - url), url, at);
}

static bool is_unborn(int rc)
{
    return rc == GIT_EUNBORNBRANCH || rc == GIT_ENOTFOUND;
}

/* A branch whose file could not be opened once is said to be unborn, too: it is asked twice. */
static bool read_head(git_repository *repo, struct arena *arena, struct repo_info *info)
{
    git_reference *head = NULL;
    char hex[GIT_OID_HEXSZ + 1];
    int rc = REPO_GIT(git_repository_head(&head, repo));
    if (is_unborn(rc))
        rc = REPO_GIT(git_repository_head(&head, repo));
    if (is_unborn(rc))
        return !repo_is_at_a_loss();
    if (rc < 0)
        return false;
    git_oid_tostr(hex, sizeof hex, git_reference_target(head));
    info->commit = arena_strdup(arena, hex);
    if (git_reference_is_branch(head))
        info->branch = arena_strdup(arena, git_reference_shorthand(head));
    git_reference_free(head);
    return true;
}

static bool read_dirty(git_repository *repo, struct repo_info *info)
{
    git_status_options options;
    git_status_list *list = NULL;
    git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION);
    options.flags = GIT_STATUS_OPT_NO_REFRESH;
    if (git_repository_is_bare(repo))
        return true;
    if (REPO_GIT(git_status_list_new(&list, repo, &options)) < 0)
        return false;
    info->dirty = git_status_list_entrycount(list) > 0;
    git_status_list_free(list);
    return true;
}

/* Straight from the configuration: git_remote_lookup of 1.5 leaks for every entry that its
 * regular expression does not match. */
static void read_url(git_repository *repo, struct arena *arena, struct repo_info *info)
{
    git_config *config = NULL;
    const char *url;
    if (REPO_GIT(git_repository_config_snapshot(&config, repo)) < 0)
        return;
    if (git_config_get_string(&url, config, "remote.origin.url") == 0)
        info->url = repo_url_shown(url, arena);
    git_config_free(config);
}

static bool describe_head(const char *path, struct arena *arena, struct repo_info *info)
{
    git_repository *repo = NULL;
    int rc = REPO_GIT(git_repository_open_ext(&repo, path, 0, NULL));
    if (rc == GIT_ENOTFOUND) {
        info->reason = arena_printf(arena, "not in a git repository: %s", path);
        return false;
    }
    bool ok = rc == 0 && read_head(repo, arena, info) && read_dirty(repo, info);
    if (ok)
        read_url(repo, arena, info);
    else
        info->reason =
            arena_printf(arena, "%s: git repository cannot be read: %s", path, repo_git_message());
    git_repository_free(repo);
    return ok;
}

bool repo_describe(const char *path, struct arena *arena, struct repo_info *info)
{
    *info = (struct repo_info){0};
    if (!repo_git_start(REPO_LOOK)) {
        info->reason = "libgit2 cannot be started";
        return false;
    }
    bool ok = describe_head(path, arena, info);
    /* Something in it may be what one failing look made of another answer: libgit2 takes an index
     * that it could not look at for an empty one, a file for a changed one. It is asked twice, as
     * nothing is kept of a repository that was closed. */
    if (info->reason || !info->commit || !info->branch || info->dirty) {
        *info = (struct repo_info){0};
        ok = describe_head(path, arena, info);
    } else if (!info->url) {
        git_repository *repo = NULL;
        if (REPO_GIT(git_repository_open_ext(&repo, path, 0, NULL)) == 0)
            read_url(repo, arena, info);
        git_repository_free(repo);
    }
    git_libgit2_shutdown();
    return ok;
}

const char *repo_library_version(struct arena *arena)
{
    int major, minor, revision;
    if (!library_open(LIBRARY_GIT2, "git_libgit2_init"))
        return NULL;
    git_libgit2_version(&major, &minor, &revision);
    return arena_printf(arena, "%d.%d.%d", major, minor, revision);
}
