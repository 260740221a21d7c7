/*
 * Want of memory is never taken for a finding: every allocation of a reader fails once, and from
 * there on, in a process of its own, which ends with the right answer or does not answer.
 *
 * Allocations are this program's own, so that those of libraries fail, too. Sanitizers have theirs:
 * with them each reader is asked once.
 */
#include "tests/unit/under_asan.h"
#include "tests/unit/unit.h"

#include "base/json/json.h"
#include "base/markdown/markdown.h"
#include "base/sealed/submission.h"
#include "base/signing/hash.h"
#include "base/signing/signers.h"
#include "base/signing/sshsig.h"
#include "renderer/templates/view.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXAMPLE "templates/explain/records/"
#define WRONG 9
#define ROUNDS_MAX 20000

/* 0: none fails. Only a child counts. */
static struct {
    long seen, at;
    bool sticky;
} plan;

#if __has_feature(address_sanitizer) || defined __SANITIZE_ADDRESS__
#define SWEEPS false
#else
#define SWEEPS true
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static bool fails(void)
{
    long n = ++plan.seen;
    if (!plan.at || n < plan.at || (n > plan.at && !plan.sticky))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}
#endif

/* ---- readers, each with what is known to be true ------------------------------------------ */

static bool submission_is_signed(void)
{
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct err err = ERR_INIT;
    struct submission s;
    struct sshsig sig;
    struct signers signers = {0};
    const char *why;
    diags_init(&diags, &arena);
    if (submission_open(EXAMPLE "evidence/globex/run.tar.zst", &arena, &s, &diags) < 0 || !s.intact)
        return false;
    const struct bytes *statement = submission_file(&s, SUBMISSION_STATEMENT);
    const struct bytes *armour = submission_file(&s, SUBMISSION_SIGNATURE);
    if (!statement || !armour || sshsig_parse(*armour, &arena, &sig, &err) < 0 ||
        !sshsig_holds(&sig, SSHSIG_SUBMISSION, *statement) ||
        signers_load(EXAMPLE "signers/allowed_signers", &arena, &signers, &diags) < 0)
        return false;
    const struct signers_question q = {&sig.key, "globex", SSHSIG_SUBMISSION, 1785500000};
    bool found = signers_find(&signers, &q, &arena, &why) != NULL;
    arena_release(&arena);
    return found;
}

static bool json_is_read(void)
{
    static const char text[] = "{\"a\": [1, 2.5, \"x\"], \"b\": {\"c\": null}}";
    struct arena arena = ARENA_INIT;
    struct diags diags;
    struct json *json;
    diags_init(&diags, &arena);
    bool right = json_parse("j", (struct bytes){text, sizeof text - 1}, &arena, &json, &diags) == 0;
    arena_release(&arena);
    return right;
}

static bool figure_is_there(void)
{
    struct arena arena = ARENA_INIT;
    struct view *page = view_object(&arena);
    view_set_printf(page, "figure", "%s: %d", "throughput", 512);
    bool right = strcmp(view_get(page, "figure")->text, "throughput: 512") == 0;
    arena_release(&arena);
    return right;
}

static bool markdown_is_rendered(void)
{
    struct buf html;
    buf_init(&html, BUF_DEFAULT_MAX);
    markdown_html(&html, "*a* [b](https://example.org/)\n\n- c\n");
    bool right = strstr(html.data, "<em>a</em>") && strstr(html.data, "https://example.org/") &&
                 strstr(html.data, "<li>c</li>");
    buf_release(&html);
    return right;
}

/* ---- the sweep ---------------------------------------------------------------------------- */

enum ending { RIGHT, ENDED, WRONG_ANSWER };

struct asked {
    bool (*reader)(void);
    bool with_library; /* one that may end the process in its own way */
};

static enum ending ask(const struct asked *asked, long at, bool sticky, long *seen)
{
    int pipe_fds[2], status;
    assert_int_equal(pipe(pipe_fds), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGSEGV, SIG_DFL), signal(SIGABRT, SIG_DFL); /* cmocka's would go on */
        close(STDERR_FILENO);
        plan.seen = 0, plan.at = at, plan.sticky = sticky;
        bool right = asked->reader();
        plan.at = 0;
        _exit(write(pipe_fds[1], &plan.seen, sizeof plan.seen) == sizeof plan.seen && right
                  ? 0
                  : WRONG);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        assert_int_equal(read(pipe_fds[0], seen, sizeof *seen), sizeof *seen);
    close(pipe_fds[0]), close(pipe_fds[1]);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return RIGHT;
    /* No answer. cmark aborts; libarchive 3.6.2 follows a null pointer (archive_read_new) or ends
     * the process itself, with 1 (__archive_errx). Our own code does neither. */
    bool ended = WIFEXITED(status) && WEXITSTATUS(status) == MEMORY_EXIT;
    bool of_library = WIFEXITED(status)
                          ? WEXITSTATUS(status) == 1
                          : WTERMSIG(status) == SIGABRT || WTERMSIG(status) == SIGSEGV;
    return ended || (asked->with_library && of_library) ? ENDED : WRONG_ANSWER;
}

static void sweep(const struct asked *asked, bool sticky)
{
    long all = 0, seen = 0, ends = 0;
    assert_int_equal(ask(asked, 0, false, &all), RIGHT);
    for (long at = 1; SWEEPS && at <= all; at++) {
        enum ending ending = ask(asked, at, sticky, &seen);
        if (ending == WRONG_ANSWER)
            fail_msg("allocation %ld of %ld%s", at, all, sticky ? " and all behind it" : "");
        ends += ending == ENDED;
    }
    assert_true(!SWEEPS || (ends > 0 && all < ROUNDS_MAX));
}

#define SWEEP(name, with_library)                        \
    static void name##_or_ends(void **state)             \
    {                                                    \
        const struct asked asked = {name, with_library}; \
        (void)state;                                     \
        sweep(&asked, false);                            \
        sweep(&asked, true);                             \
    }
SWEEP(submission_is_signed, true)
SWEEP(json_is_read, false)
SWEEP(figure_is_there, false)
SWEEP(markdown_is_rendered, true)

int main(void)
{
    hash_start();
    submission_is_signed(); /* libcrypto has started: its 4,900 allocations for that are not swept
                             */
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(submission_is_signed_or_ends),
        cmocka_unit_test(json_is_read_or_ends),
        cmocka_unit_test(figure_is_there_or_ends),
        cmocka_unit_test(markdown_is_rendered_or_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
