#include "renderer/publish/login.h"

#include "renderer/publish/credential.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define PATIENCE_DEFAULT 120
#define PATIENCE_MAX 86400
#define DESCRIPTORS 1024    /* that are looked at for the remote's */
#define FINGERPRINT_SIZE 44 /* 32 bytes in base64, without the '=' at its end */

/* ---- the host -------------------------------------------------------------------------- */

/* As ssh-keygen -l prints it. */
static void fingerprint(const unsigned char sha256[32], char out[FINGERPRINT_SIZE])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    for (size_t bit = 0; bit < 256; bit += 6) {
        unsigned low = bit / 8 + 1 < 32 ? sha256[bit / 8 + 1] : 0;
        unsigned both = (unsigned)sha256[bit / 8] << 8 | low;
        out[n++] = digits[both >> (10 - bit % 8) & 63];
    }
    out[n] = '\0';
}

static void explain_host_key(struct repo_login *l, const git_cert_hostkey *key, const char *host)
{
    char hex[FINGERPRINT_SIZE] = "unknown";
    if (key->type & GIT_CERT_SSH_SHA256)
        fingerprint(key->hash_sha256, hex);
    l->fault = arena_printf(l->arena,
                            "the host key of %s (SHA256:%s) is not in ~/.ssh/known_hosts, or "
                            "another one is; `ssh-keygen -F %s` shows what is",
                            host, hex, host);
}

/* Called with what libgit2 found out by itself: nothing that it refuses is accepted. */
static int check_host(git_cert *cert, int valid, const char *host, void *self)
{
    struct repo_login *l = self;
    repo_login_heard(l);
    if (valid)
        return 0;
    if (cert->cert_type == GIT_CERT_HOSTKEY_LIBSSH2)
        explain_host_key(l, (const git_cert_hostkey *)cert, host);
    else
        l->fault = arena_printf(l->arena,
                                "the certificate of %s leads to no authority that is known here, "
                                "or is for another host, or out of date",
                                host);
    return GIT_ECERTIFICATE;
}

int repo_login_authorities(git_repository *repo)
{
    git_config *config = NULL;
    git_buf path = {0};
    const char *file = getenv("GIT_SSL_CAINFO");
    int rc = 0;
    if (git_repository_config_snapshot(&config, repo) < 0)
        return -1;
    if (!file && git_config_get_path(&path, config, "http.sslCAInfo") == 0)
        file = path.ptr;
    if (file && *file)
        rc = git_libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, file, NULL);
    git_buf_dispose(&path);
    git_config_free(config);
    return rc;
}

/* ---- ourselves ------------------------------------------------------------------------- */

static int give_key(struct repo_login *l, git_credential **out, const char *user)
{
    if (!getenv("SSH_AUTH_SOCK")) {
        l->fault = "there is no ssh-agent (SSH_AUTH_SOCK), whose keys are used";
        return GIT_EAUTH;
    }
    l->fault = "it accepts none of the ssh-agent's keys (`ssh-add -l` lists them)";
    return git_credential_ssh_key_from_agent(out, user ? user : "git");
}

static int who_we_are(git_credential **out, const char *url, const char *user, unsigned allowed,
                      void *self)
{
    struct repo_login *l = self;
    (void)url;
    repo_login_heard(l);
    if (l->asked++ > 2)
        return GIT_EAUTH;
    if (allowed & GIT_CREDENTIAL_USERNAME)
        return git_credential_username_new(out, user ? user : "git");
    if (allowed & GIT_CREDENTIAL_SSH_KEY)
        return l->asked > 2 ? GIT_EAUTH : give_key(l, out, user);
    if (allowed & GIT_CREDENTIAL_USERPASS_PLAINTEXT) {
        if (l->name) {
            l->fault = "the name and password that git's credential helpers know were refused";
            return GIT_EAUTH;
        }
        if (!repo_credential_fill(l->git_folder, l->url, user, l->arena, &l->name, &l->password)) {
            l->fault = "it wants a name and a password, and git's credential helpers know none";
            return GIT_EAUTH;
        }
        return git_credential_userpass_plaintext_new(out, l->name, l->password);
    }
    l->fault = "it wants another proof than a key of the agent or a password";
    return GIT_EAUTH;
}

/* ---- patience -------------------------------------------------------------------------- */

/* Reads that wait are interrupted, and those of libssh2, which wait again, find the end: nothing
 * but the remote and the agent has a socket in this process. All of this may be called in a
 * handler. */
static void cut_off(int signal)
{
    struct stat st;
    int saved = errno;
    (void)signal;
    for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++)
        if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode))
            shutdown(fd, SHUT_RDWR);
    errno = saved;
}

static void set_alarm(unsigned seconds)
{
    /* Once more every second: the library may wait again before it gives up. */
    const struct itimerval alarm = {{.tv_sec = seconds ? 1 : 0}, {.tv_sec = seconds}};
    setitimer(ITIMER_REAL, &alarm, NULL);
}

void repo_login_heard(struct repo_login *l)
{
    clock_gettime(CLOCK_MONOTONIC, &l->heard);
    set_alarm(l->patience);
}

void repo_login_begin(struct repo_login *l)
{
    const struct sigaction cut = {.sa_handler = cut_off}, ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGALRM, &cut, &l->alarm);
    sigaction(SIGPIPE, &ignored, &l->pipe); /* a remote that hangs up is an error, not our end */
    l->asked = 0;
    l->fault = NULL;
    const char *text = getenv("FPREPORT_REMOTE_TIMEOUT");
    long n = text ? strtol(text, NULL, 10) : 0;
    l->patience = n > 0 && n <= PATIENCE_MAX ? (unsigned)n : PATIENCE_DEFAULT;
    repo_login_heard(l);
}

void repo_login_end(struct repo_login *l, int rc)
{
    struct timespec now;
    set_alarm(0);
    sigaction(SIGALRM, &l->alarm, NULL);
    sigaction(SIGPIPE, &l->pipe, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (rc < 0 && now.tv_sec - l->heard.tv_sec >= (time_t)l->patience)
        l->fault = arena_printf(l->arena, "it said nothing for %u s", l->patience);
    if (rc == 0)
        l->fault = NULL;
    if (l->name && l->asked)
        repo_credential_tell(l->git_folder, l->url, l->name, l->password,
                             rc == 0           ? "approve"
                             : rc == GIT_EAUTH ? "reject"
                                               : NULL);
    if (rc == GIT_EAUTH)
        l->name = NULL;
}

/* ---- progress -------------------------------------------------------------------------- */

static int hear_text(const char *text, int len, void *self)
{
    (void)text;
    (void)len;
    repo_login_heard(self);
    return 0;
}

static int hear_sent(unsigned current, unsigned total, size_t bytes, void *self)
{
    (void)current;
    (void)total;
    (void)bytes;
    repo_login_heard(self);
    return 0;
}

static int hear_packed(int stage, uint32_t current, uint32_t total, void *self)
{
    (void)stage;
    (void)current;
    (void)total;
    repo_login_heard(self);
    return 0;
}

void repo_login_callbacks(git_remote_callbacks *c)
{
    c->credentials = who_we_are;
    c->certificate_check = check_host;
    c->sideband_progress = hear_text;
    c->push_transfer_progress = hear_sent;
    c->pack_progress = hear_packed;
}

const char *repo_login_why(const struct repo_login *l)
{
    return l->fault ? l->fault : arena_strdup(l->arena, repo_git_message());
}
