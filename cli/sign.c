#include "cli/sign.h"

#include "base/files/beneath.h"
#include "base/files/file.h"
#include "base/foreign.h"
#include "base/signing/sshsig.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KEYGEN "ssh-keygen"
#define NOT_FOUND 127
#define FILES 3
#define SAID_MAX 4096

/* ---- signing ----------------------------------------------------------------------------- */

/* Standard input, output and error of the program: files in memory, so that nobody waits for
 * anybody. Passphrases it asks for on the terminal. */
static int open_files(struct bytes text, int fd[FILES], struct err *err)
{
    static const char *const names[FILES] = {"text", "signature", "errors"};
    for (size_t i = 0; i < FILES; i++)
        fd[i] = memfd_create(names[i], MFD_CLOEXEC);
    if (fd[0] < 0 || fd[1] < 0 || fd[2] < 0)
        return err_errno(err, ERR_IO, "cannot make a file in memory");
    if (file_write_all(fd[0], text.data, text.len, "what is to be signed", err) < 0)
        return -1;
    if (lseek(fd[0], 0, SEEK_SET) < 0)
        return err_errno(err, ERR_IO, "what is to be signed");
    return 0;
}

/* Up to the buffer's maximum. */
static int read_open_file(int fd, const char *what, struct buf *out, struct err *err)
{
    char piece[4096];
    if (lseek(fd, 0, SEEK_SET) < 0)
        return err_errno(err, ERR_IO, "%s", what);
    for (ssize_t n; (n = read(fd, piece, sizeof piece)) != 0;) {
        if (n > 0)
            buf_add(out, piece, (size_t)n);
        else if (errno != EINTR)
            return err_errno(err, ERR_IO, "%s", what);
    }
    return 0;
}

/* What ssh-keygen and the loader say, in the locale C, where the key is not what was wrong. */
static bool is_said_by_machine(char *said)
{
    static const char *const words[] = {
        "out of memory",          "memory allocation failed",
        "allocate memory",        "unexpected internal error", /* of sums, when it has none */
        "buffer error",           "PRNG is not seeded",
        "No user exists for uid",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(said, words[i]))
            return true;
    char *rest = NULL;
    for (char *line = strtok_r(said, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
        if (err_text_is_of_machine(line))
            return true;
    return false;
}

/* ssh-keygen says that there is no key where it could not read one: this file begins as a private
 * one does, or cannot be read here, either. */
static bool is_read_badly(const char *key, const char *said, int *why)
{
    static const char begin[] = "-----BEGIN ";
    char head[sizeof begin] = "";
    bool no_private = strstr(said, "No private key found");
    if (!no_private && !strstr(said, "Couldn't load public key"))
        return false;
    int fd = open(key, O_RDONLY | O_CLOEXEC);
    bool unread = fd < 0 ? err_is_of_machine(errno) : read(fd, head, sizeof begin - 1) < 0;
    *why = unread ? errno : 0;
    if (fd >= 0)
        close(fd);
    return unread || (no_private && strcmp(head, begin) == 0);
}

/* What may be done where the private half could not be had. */
static const char *next_step_of_signing(const char *key, const char *said, struct arena *arena)
{
    const char *agent = getenv("SSH_AUTH_SOCK");
    bool runs = agent && *agent && file_exists(agent);
    size_t len = strlen(key) - (text_ends(key, ".pub") ? strlen(".pub") : 0);
    const char *begin = runs ? "" : "`eval \"$(ssh-agent)\"` begins an ssh-agent, ";
    if (strstr(said, "incorrect passphrase"))
        return arena_printf(
            arena,
            "; if nobody can enter the passphrase, %s`ssh-add %.*s` gives the key to ssh-agent, "
            "and --sign %.*s.pub signs with it",
            begin, (int)len, key, (int)len, key);
    if (strstr(said, "Couldn't load public key"))
        return "; expected an OpenSSH private key, or a public key whose private key is in "
               "ssh-agent";
    if (!strstr(said, "No private key found"))
        return "";
    return arena_printf(arena,
                        "; the private key is not beside the public key, and %s: %s`ssh-add "
                        "PRIVATE-KEY` gives the key to the agent",
                        runs ? "ssh-agent (`ssh-add -L` lists its keys) does not have it"
                             : "no ssh-agent runs here (SSH_AUTH_SOCK)",
                        begin);
}

static int say_why(const char *key, int fd, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct buf said = BUF_INIT(SAID_MAX);
    int rc = read_open_file(fd, "what " KEYGEN " said", &said, err);
    if (rc == 0) {
        char *text = arena_strndup(&arena, said.len ? said.data : "", said.len);
        const char *line = foreign_line(&arena, text_trim(&arena, text), 300);
        /* It always says why, unless there is no room for that, either. */
        const char *step = next_step_of_signing(key, text, &arena);
        int why = 0; /* that it does not say itself */
        bool machine = !*line || is_read_badly(key, text, &why) || is_said_by_machine(text);
        err_set(err, machine ? ERR_IO : ERR_INPUT,
                "%s: " KEYGEN " gave no signature with this key%s%s%s%s", key, *line ? ": " : "",
                line, why ? ": " : "",
                why       ? strerror(why)
                : machine ? ""
                          : step);
    }
    buf_release(&said);
    arena_release(&arena);
    return -1;
}

/* To be this descriptor of the program that comes next. One that is it already (whoever started us
 * had closed it) would be closed there: dup2 leaves it as it was made. */
static bool put_at(int fd, int at)
{
    return fd == at ? fcntl(fd, F_SETFD, 0) == 0 : dup2(fd, at) >= 0;
}

static int run_keygen(const char *key, const char *namespace, const int fd[FILES], struct err *err)
{
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return err_errno(err, ERR_IO, "cannot start " KEYGEN);
    if (pid == 0) {
        bool ready = setenv("LC_ALL", "C", 1) == 0;
        for (int i = 0; ready && i < FILES; i++)
            ready = put_at(fd[i], i);
        if (ready)
            execlp(KEYGEN, KEYGEN, "-q", "-Y", "sign", "-f", key, "-n", namespace, (char *)NULL);
        _exit(NOT_FOUND);
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return err_errno(err, ERR_IO, KEYGEN);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (WIFSIGNALED(status))
        return err_set(err, ERR_IO, KEYGEN " was ended by signal %d", WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return err_set(err, ERR_IO, "cannot run " KEYGEN " (Debian: openssh-client)");
    return say_why(key, fd[2], err);
}

/* ssh-keygen does not ask whether what it wrote came to its file, and ends with 0: what is cut was
 * cut by this machine. */
static bool is_cut_signature(const struct buf *armour)
{
    static const char end[] = "-----END SSH SIGNATURE-----";
    const char *at = armour->len ? memmem(armour->data, armour->len, end, sizeof end - 1) : NULL;
    return !at || at + sizeof end - 1 == armour->data + armour->len;
}

/* What nobody would take is not handed out: ssh-keygen that has no memory ends with 0, too. */
static int check_made_signature(const char *key, const char *namespace, struct bytes text,
                                const struct buf *armour, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct err why = ERR_INIT;
    struct sshsig s;
    int rc = sshsig_parse((struct bytes){armour->data, armour->len}, &arena, &s, &why);
    if (rc < 0 && is_cut_signature(armour))
        err_set(err, ERR_IO, "%s: " KEYGEN " gave no whole signature with this key", key);
    else if (rc < 0)
        err_set(err, ERR_INPUT, "%s: the signature with this key %s", key, why.text);
    else if (!sshsig_holds(&s, namespace, text))
        rc = err_set(err, ERR_IO, "%s: the signature that " KEYGEN " gave does not hold", key);
    else if (sshsig_tells_its_key(&s))
        rc = err_set(err, ERR_IO,
                     "%s: the signature that " KEYGEN
                     " gave is not handed out: it would tell the private key",
                     key);
    arena_release(&arena);
    return rc;
}

int cli_sign_for(const char *key, const char *namespace, struct bytes text, struct buf *armour,
                 struct err *err)
{
    int fd[FILES] = {-1, -1, -1};
    int rc = file_is_there(key, err);
    if (rc == 0)
        return err_set(err, ERR_INPUT, "%s: no such key file", key);
    bool failed = rc < 0 || open_files(text, fd, err) < 0 ||
                  run_keygen(key, namespace, fd, err) < 0 ||
                  read_open_file(fd[1], "signature", armour, err) < 0 ||
                  buf_check(armour, "the signature", err) < 0 ||
                  check_made_signature(key, namespace, text, armour, err) < 0;
    for (size_t i = 0; i < FILES; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    return failed ? -1 : 0;
}

int cli_sign(void *self, struct bytes statement, struct buf *armour, struct err *err)
{
    return cli_sign_for(self, SSHSIG_SUBMISSION, statement, armour, err);
}

/* ---- whose signatures count -------------------------------------------------------------- */

static int read_given(struct cli *cli, struct signers *s)
{
    int rc = signers_load(cli->opt.signers, &cli->arena, s, &cli->diags);
    if (cli->opt.revoked)
        rc |= signers_load_revoked(cli->opt.revoked, &cli->arena, s, &cli->diags);
    s->required = true;
    s->principal = cli->opt.vendor;
    if (rc)
        return EXIT_INPUT;
    if (!cli->opt.at)
        s->otherwise = (long long)time(NULL);
    else if (!signers_time(cli->opt.at, &s->at))
        return cli_usage(cli, "--at: found '%s', expected YYYYMMDD[HHMM[SS]][Z]", cli->opt.at);
    return 0;
}

/* 0, -1 or BENEATH_NONE. */
static int read_below(struct cli *cli, const char *root, const char *name, struct bytes *out)
{
    struct err err = ERR_INIT;
    int rc = beneath_read_if_there(root, name, SIGNERS_BYTES_MAX, &cli->arena, out, &err);
    if (rc < 0)
        diags_add_err(&cli->diags, path_join(&cli->arena, root, name), 0, 0, &err);
    return rc;
}

/* No clock is looked at here: the site must be the same tomorrow. */
static int read_own(struct cli *cli, const char *root, struct signers *s)
{
    struct bytes own, revoked;
    int rc = read_below(cli, root, SIGNERS_FILE, &own);
    if (rc == BENEATH_NONE)
        return 0;
    const char *file = path_join(&cli->arena, root, SIGNERS_FILE);
    s->file = file;
    if (rc == 0)
        rc = signers_read(file, own, &cli->arena, s, &cli->diags);
    s->file = path_published(&cli->arena, root, file); /* findings name it */
    if (rc == 0)
        s->whole = signers_text(s, &cli->arena);
    int rc_revoked = read_below(cli, root, SIGNERS_REVOKED_FILE, &revoked);
    if (rc_revoked == 0)
        rc_revoked = signers_read_revoked(path_join(&cli->arena, root, SIGNERS_REVOKED_FILE),
                                          revoked, &cli->arena, s, &cli->diags);
    if (rc_revoked == 0)
        s->revoked_whole = signers_revoked_text(s, &cli->arena);
    return rc < 0 || rc_revoked < 0 ? EXIT_INPUT : 0;
}

int cli_signers(struct cli *cli, struct project *p)
{
    struct signers *s = arena_alloc(&cli->arena, sizeof *s);
    *s = (struct signers){0};
    if (!cli->opt.signers && (cli->opt.revoked || cli->opt.at))
        return cli_usage(cli, "--%s needs --signers", cli->opt.revoked ? "revoked" : "at");
    int code = cli->opt.signers       ? read_given(cli, s)
               : cli_has_project(cli) ? read_own(cli, p->root, s)
                                      : EXIT_AGREED;
    p->signers = s->file ? s : NULL;
    return code;
}
