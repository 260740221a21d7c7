#include "base/process/sandbox.h"

#include "base/library.h"
#include "base/signing/signature.h"

#include <iconv.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- limits ------------------------------------------------------------------------------ */

static int set_limits(const struct sandbox_limits *l, size_t before, struct err *err)
{
    const struct {
        int what;
        rlim_t soft, hard;
    } rows[] = {
        {RLIMIT_AS, before + l->memory, before + l->memory},
        {RLIMIT_CPU, l->cpu_seconds, l->cpu_seconds + 2},
        {RLIMIT_STACK, 8 << 20, 8 << 20},
        {RLIMIT_FSIZE, 0, 0},
        {RLIMIT_NOFILE, 0, 0},
        {RLIMIT_NPROC, 0, 0},
        {RLIMIT_CORE, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rlimit now, wanted = {rows[i].soft, rows[i].hard};
        if (getrlimit((__rlimit_resource_t)rows[i].what, &now) == 0) {
            wanted.rlim_max = wanted.rlim_max < now.rlim_max ? wanted.rlim_max : now.rlim_max;
            wanted.rlim_cur = wanted.rlim_cur < wanted.rlim_max ? wanted.rlim_cur : wanted.rlim_max;
        }
        if (setrlimit((__rlimit_resource_t)rows[i].what, &wanted) < 0)
            return err_errno(err, ERR_IO, "sandbox: limit %d", rows[i].what);
    }
    return 0;
}

static int drop_rights(struct err *err)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        syscall(SYS_capset, &head, none) < 0)
        return err_errno(err, ERR_IO, "sandbox: rights of the process");
    return 0;
}

/* ---- Landlock: newer than the headers of some systems, so that its numbers stand here ------- */

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif
#define LANDLOCK_VERSION_FLAG 1U

struct landlock_rules {
    uint64_t files, network, scoped;
};

/* What each version can handle. */
static const struct {
    struct landlock_rules rights;
    size_t size; /* of the struct that it knows */
} landlock_versions[] = {
    {{(1 << 13) - 1, 0, 0}, 8},  /* 1: the first thirteen rights on files */
    {{(1 << 14) - 1, 0, 0}, 8},  /* 2: to link and rename across folders */
    {{(1 << 15) - 1, 0, 0}, 8},  /* 3: to truncate */
    {{(1 << 15) - 1, 3, 0}, 16}, /* 4: to bind and connect TCP */
    {{(1 << 16) - 1, 3, 0}, 16}, /* 5: ioctl on devices */
    {{(1 << 16) - 1, 3, 3}, 24}, /* 6: abstract sockets, signals to others */
};
#define LANDLOCK_VERSIONS ((int)(sizeof landlock_versions / sizeof *landlock_versions))

int sandbox_landlock(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_VERSION_FLAG);
    return abi > 0 ? (int)abi : 0;
}

static int enter_landlock(struct err *err)
{
    int abi = sandbox_landlock();
    if (abi == 0)
        return 0;
    int row = (abi < LANDLOCK_VERSIONS ? abi : LANDLOCK_VERSIONS) - 1;
    struct landlock_rules rules = landlock_versions[row].rights;
    long fd = syscall(SYS_landlock_create_ruleset, &rules, landlock_versions[row].size, 0U);
    if (fd < 0 || syscall(SYS_landlock_restrict_self, (int)fd, 0U) < 0)
        return err_errno(err, ERR_IO, "sandbox: Landlock");
    close((int)fd);
    return 0;
}

const char *sandbox_words(char room[64])
{
    int abi = sandbox_landlock();
    if (SANDBOX_WIDE)
        snprintf(room, 64, "none (a build with AddressSanitizer)");
    else if (abi)
        snprintf(room, 64, "seccomp+rlimits+Landlock (ABI %d)", abi);
    else
        snprintf(room, 64, "seccomp+rlimits (no Landlock)");
    return room;
}

/* ---- seccomp ----------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#define FOREIGN_CALLS 0x40000000u /* of the x32 interface, from here on */
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#define FOREIGN_CALLS 0x40000000u
#else
#define MACHINE 0u /* not known: entering fails */
#define FOREIGN_CALLS 0u
#endif

/* An argument whose bits are looked at: those of `mask` must be `bits`. */
struct bits {
    unsigned argument;
    uint32_t mask, bits;
};

static const struct allowed {
    unsigned call;
    size_t n;
    struct bits must[2];
} allowed[] = {
    {SYS_write, 0, {{0}}}, /* there is one descriptor */
    {SYS_brk, 0, {{0}}},
    {SYS_mmap, 2, {{2, PROT_EXEC, 0}, {3, MAP_ANONYMOUS, MAP_ANONYMOUS}}},
    {SYS_mprotect, 1, {{2, PROT_EXEC, 0}}},
    {SYS_munmap, 0, {{0}}},
    {SYS_mremap, 0, {{0}}},
    {SYS_madvise, 0, {{0}}},
    {SYS_futex, 0, {{0}}},
    {SYS_getrandom, 0, {{0}}},
    {SYS_getpid, 0, {{0}}},        /* libcrypto's random numbers, which blind ECDSA */
    {SYS_clock_gettime, 0, {{0}}}, /* where the kernel's page does not answer it */
    {SYS_rt_sigreturn, 0, {{0}}},
    {SYS_exit_group, 0, {{0}}},
};

#define FILTER_MAX 160
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))

struct program {
    struct sock_filter code[FILTER_MAX];
    unsigned short n;
};

static void put_filter(struct program *p, struct sock_filter code)
{
    p->code[p->n++] = code;
}

_Static_assert(6 + sizeof allowed / sizeof *allowed * 10 < FILTER_MAX, "the filter has room");

static int enter_seccomp(struct err *err)
{
    struct program p = {.n = 0};
    put_filter(&p, (struct sock_filter)LOAD(offsetof(struct seccomp_data, arch)));
    put_filter(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0));
    put_filter(&p, (struct sock_filter)KILL);
    put_filter(&p, (struct sock_filter)LOAD(offsetof(struct seccomp_data, nr)));
    put_filter(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FOREIGN_CALLS, 0, 1));
    put_filter(&p, (struct sock_filter)KILL);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        const struct allowed *a = &allowed[i];
        unsigned char length = (unsigned char)(1 + 4 * a->n);
        put_filter(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, a->call, 0, length));
        for (size_t j = 0; j < a->n; j++) {
            const struct bits *b = &a->must[j];
            /* The lower half of an argument; the machines above are little-endian. */
            size_t argument = offsetof(struct seccomp_data, args) + b->argument * sizeof(uint64_t);
            put_filter(&p, (struct sock_filter)LOAD(argument));
            put_filter(&p, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, b->mask));
            put_filter(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, b->bits, 1, 0));
            put_filter(&p, (struct sock_filter)KILL);
        }
        put_filter(&p, (struct sock_filter)ALLOW);
    }
    put_filter(&p, (struct sock_filter)KILL);
    const struct sock_fprog program = {p.n, p.code};
    if (!MACHINE)
        return err_set(err, ERR_IO,
                       "sandbox: the system calls of this kind of processor are "
                       "unknown");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0)
        return err_errno(err, ERR_IO, "sandbox: seccomp");
    return 0;
}

/* ---- all of it --------------------------------------------------------------------------- */

static void warm_names(const char *to, const char *from)
{
    iconv_t names = iconv_open(to, from);
    if (names != (iconv_t)-1)
        iconv_close(names);
}

static int compare_syscalls(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

void sandbox_warm(void)
{
    tzset();
    /* The first sort of more than a kilobyte asks how much memory the machine has. */
    int numbers[1024];
    for (int i = 0; i < 1024; i++)
        numbers[i] = 1024 - i;
    qsort(numbers, 1024, sizeof *numbers, compare_syscalls);
}

void sandbox_warm_submissions(void)
{
    signature_warm();
    library_open(LIBRARY_ARCHIVE, "archive_read_new");
    warm_names("ANSI_X3.4-1968", "UTF-8"); /* names in pax headers, as libarchive reads them */
    warm_names("UTF-8", "ANSI_X3.4-1968");
}

/* The test that has this file in it leaves some out, to see what the others do: a filter that
 * refuses everything would hide that another is gone. */
enum sandbox_means { MEANS_RIGHTS = 1, MEANS_LANDLOCK = 2, MEANS_LIMITS = 4, MEANS_FILTER = 8 };
#ifndef SANDBOX_MEANS
#define SANDBOX_MEANS (MEANS_RIGHTS | MEANS_LANDLOCK | MEANS_LIMITS | MEANS_FILTER)
#endif

/* Landlock's rules are a descriptor for a moment, so that the limit of descriptors comes behind
 * them; the filter comes last, for it allows none of this. */
int sandbox_enter(const struct sandbox_limits *limits, int keep, struct err *err)
{
    unsigned first = SANDBOX_WIDE ? 3 : 0, kept = (unsigned)keep;
    if ((kept > first && syscall(SYS_close_range, first, kept - 1, 0U) < 0) ||
        syscall(SYS_close_range, kept + 1, ~0U, 0U) < 0)
        return err_errno(err, ERR_IO, "sandbox: descriptors");
    if (SANDBOX_WIDE)
        return 0;
    const unsigned means = SANDBOX_MEANS;
    /* What is mapped now, in bytes; where nobody says it, more than this program ever maps. */
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm && fscanf(statm, "%lu", &pages) != 1)
        pages = 0;
    if (statm)
        fclose(statm);
    size_t before = pages ? pages * (size_t)sysconf(_SC_PAGESIZE) : (size_t)1 << 32;
    /* What is left of it is read again by those who print times. */
    for (char **e = environ; e && *e; e++)
        explicit_bzero(*e, strlen(*e));
    clearenv();
    setenv("TZ", "UTC0", 1);
    tzset();
    if (((means & MEANS_RIGHTS) && drop_rights(err) < 0) ||
        ((means & MEANS_LANDLOCK) && enter_landlock(err) < 0) ||
        ((means & MEANS_LIMITS) && set_limits(limits, before, err) < 0))
        return -1;
    return means & MEANS_FILTER ? enter_seccomp(err) : 0;
}
