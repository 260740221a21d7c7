#include "base/process/worker_stream.h"

#include "base/calendar.h"
#include "base/sentence.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKERS_MAX 64
#define PIECE 65536
#define LOOK_MS 1000                /* how often is looked for workers that stand still */
#define EXIT_SANDBOX 6              /* it could not be entered, or nobody listens any more */
#define EXIT_ANSWER 7               /* too much was found */
#define EXIT_HEAD 8                 /* too much was noted before */
#define AHEAD ((size_t)4 << 20)     /* of an answer: more is heard of one worker at a time */
#define HEADROOM ((size_t)64 << 20) /* who cannot have so much has run out of memory */

static const char no_memory[] = "not enough memory for the worker process";

static size_t answer_max(const struct worker_crew *crew)
{
    return crew->answer_max ? crew->answer_max : WORKER_ANSWER_MAX;
}

/* ---- the worker's side ------------------------------------------------------------------- */

/* The call itself: what a library that was loaded before libc puts around write() may ask for more
 * than is allowed here. Nobody is left to read it when this fails. */
static void send_to_parent(const struct worker *w, const void *data, size_t len)
{
    for (const char *at = data; len > 0;) {
        ssize_t n = syscall(SYS_write, w->pipe, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            _exit(EXIT_SANDBOX);
        at += n;
        len -= (size_t)n;
    }
}

static void send_record(const struct worker *w, enum record_kind kind, const void *data, size_t len)
{
    const struct record_head head = {kind, (uint32_t)len};
    send_to_parent(w, &head, sizeof head);
    send_to_parent(w, data, len);
}

void worker_at(struct worker *w, size_t place)
{
    uint64_t number = place;
    if (w)
        send_record(w, RECORD_AT, &number, sizeof number);
}

/* A handler would not do here what it is for, and a signal that the caller blocked, SIGXCPU among
 * them, would not end it. */
static void forget_signals(void)
{
    sigset_t none;
    for (int number = 1; number < SIGRTMIN; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A library that does not ask whether it was given memory breaks where there is none. Then that is
 * the reason, and not what was read. Where there is some, the same instruction breaks once more,
 * and ends the process as it would have. */
static void on_break(int number)
{
    (void)number;
    if (mmap(NULL, HEADROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        _exit(MEMORY_EXIT);
}

static _Noreturn void be_worker(const struct worker_crew *crew, size_t i, int pipe, pid_t parent)
{
    struct worker w = {.pipe = pipe, .arena = ARENA_INIT, .cpu_seconds = WORKER_CPU_SECONDS};
    struct err err = ERR_INIT;
    const struct sigaction broken = {.sa_handler = on_break, .sa_flags = SA_RESETHAND};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_SANDBOX);
    forget_signals();
    if (!SANDBOX_WIDE)
        sigaction(SIGSEGV, &broken, NULL);
    buf_init(&w.head, WORKER_HEAD_MAX);
    buf_init(&w.answer, answer_max(crew));
    w.packed = crew->packed;
    if (crew->read)
        crew->read(crew->context, i, &w);
    const struct sandbox_limits limits = {WORKER_MEMORY + 2 * w.packed,
                                          w.cpu_seconds +
                                              (unsigned)(w.packed / WORKER_BYTES_PER_SECOND)};
    if (w.head.overflow)
        _exit(EXIT_HEAD);
    if (sandbox_enter(&limits, pipe, &err) < 0) {
        send_record(&w, RECORD_REFUSED, err.text, strlen(err.text));
        _exit(EXIT_SANDBOX);
    }
    const uint32_t seconds = limits.cpu_seconds;
    const struct record_head head = {RECORD_HEAD, (uint32_t)(sizeof seconds + w.head.len)};
    send_to_parent(&w, &head, sizeof head);
    send_to_parent(&w, &seconds, sizeof seconds);
    send_to_parent(&w, w.head.data, w.head.len);
    crew->work(crew->context, i, &w);
    if (w.answer.overflow)
        _exit(EXIT_ANSWER);
    send_record(&w, RECORD_ANSWER, w.answer.data, w.answer.len);
    send_record(&w, RECORD_END, NULL, 0);
    _exit(0);
}

/* ---- the parent's side ------------------------------------------------------------------- */

/* A worker that runs. */
struct slot {
    pid_t pid;
    int pipe;
    size_t item;
    struct buf stream;
    double heard;   /* when it said something or was seen to work */
    double cpu;     /* seconds of the processor, at that time */
    double entered; /* when it said its first word; 0: it has not */
    bool second;    /* the first one for this item may have found no memory */
    bool still;     /* it was stopped for standing still */
    bool late;      /* it was stopped for taking too long */
    bool flood;     /* it was stopped for saying too much */
    int deaf;       /* errno: what it says cannot be heard here; 0 */
};

struct crew_at_work {
    const struct worker_crew *crew;
    struct slot slots[WORKERS_MAX];
    size_t n, most;
    pid_t ahead;        /* who is heard beyond AHEAD; 0: nobody has more to say */
    double looked;      /* for workers that stand still */
    struct arena arena; /* for one reason at a time */
};

static int start_worker(struct crew_at_work *c, size_t item, bool second)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        be_worker(c->crew, item, ends[1], parent);
    int kept = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        errno = kept;
        return -1;
    }
    struct slot *s = &c->slots[c->n++];
    *s = (struct slot){
        .pid = pid, .pipe = ends[0], .item = item, .heard = clock_seconds(), .second = second};
    buf_init(&s->stream, stream_max(answer_max(c->crew)));
    return 0;
}

static int still_after(const struct crew_at_work *c)
{
    return c->crew->still_seconds ? c->crew->still_seconds : WORKER_STILL_SECONDS;
}

static int late_after(const struct crew_at_work *c, const struct slot *s)
{
    int patience = c->crew->patience ? c->crew->patience : WORKER_PATIENCE;
    return still_after(c) + patience * (int)stream_cpu_seconds(&s->stream);
}

static void judge_flood(struct crew_at_work *c, struct worker_end *end)
{
    end->outcome = WORKER_BROKEN;
    end->why = sentence_say(&c->arena, "the data read from the file exceeds %zu MiB",
                            answer_max(c->crew) >> 20);
}

static bool used_much(const struct rusage *used)
{
    return (size_t)used->ru_maxrss * 1024 >= WORKER_MEMORY / 3;
}

/* Is there as much as a worker may ask for? It is not used. */
static bool machine_has_memory(void)
{
    void *volatile memory = malloc(WORKER_MEMORY);
    free(memory);
    return memory != NULL;
}

/* It has told that it entered the sandbox. */
static bool has_entered(const struct slot *s)
{
    return stream_cpu_seconds(&s->stream) != 0;
}

/* How a process ends that breaks; abort() by SIGSYS in the sandbox. */
static bool is_crash_signal(int number)
{
    return number == SIGSYS || number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
           number == SIGILL || number == SIGTRAP || number == SIGABRT;
}

/* It ended by itself, with little memory in use: the machine may have had none at that moment.
 * Our own code says so then (MEMORY_EXIT); a library ends the process with a number of its own
 * (libarchive: 1), aborts, or follows a null pointer. Or it was what it read, or somebody who took
 * it over. */
static bool may_have_found_none(const struct slot *s, int status, const struct rusage *used)
{
    if (!has_entered(s) || used_much(used))
        return false;
    return WIFSIGNALED(status) ? is_crash_signal(WTERMSIG(status))
                               : WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != EXIT_ANSWER;
}

/* Who has entered the sandbox can end with any number: that says nothing about the machine. Nor
 * does want of memory where there is some: then it asked for more than it may have. */
static void judge_exit(struct crew_at_work *c, const struct slot *s, int code,
                       const struct rusage *used, struct worker_end *end)
{
    const struct bytes refused = stream_first(&s->stream, RECORD_REFUSED);
    bool inside = has_entered(s), asked = code == MEMORY_EXIT && (inside || used_much(used));
    end->outcome = asked || inside ? WORKER_BROKEN : WORKER_MACHINE;
    if (asked) {
        end->why = sentence_say(&c->arena, "reading this file takes over %zu MiB of memory",
                                WORKER_MEMORY >> 20);
    } else if (code == EXIT_ANSWER) {
        judge_flood(c, end);
    } else if (code == MEMORY_EXIT) {
        end->why = no_memory;
    } else if (code == EXIT_HEAD) {
        end->why = "the messages of the worker process before it reads the file exceed 64 KiB";
    } else if (code == EXIT_SANDBOX && refused.len) {
        end->why = arena_strndup(&c->arena, refused.data, refused.len);
    } else {
        end->why = sentence_say(&c->arena, "the worker process exited with status %d", code);
    }
}

/* The kernel's own SIGKILL, behind a SIGXCPU that was blocked in there. */
static bool outran_its_time(const struct slot *s, int number, const struct rusage *used)
{
    uint32_t limit = stream_cpu_seconds(&s->stream);
    return number == SIGKILL && limit &&
           used->ru_utime.tv_sec + used->ru_stime.tv_sec >= (time_t)limit;
}

/* What is known is the signal; who is at fault for it is not, but before the sandbox nothing was
 * looked at. */
static void judge_signal(struct crew_at_work *c, const struct slot *s, int number,
                         const struct rusage *used, struct worker_end *end)
{
    bool inside = has_entered(s);
    end->outcome =
        inside && (number == SIGXCPU || is_crash_signal(number)) ? WORKER_BROKEN : WORKER_MACHINE;
    if (end->outcome == WORKER_MACHINE)
        end->why = sentence_say(&c->arena, "the worker process was killed by signal %d", number);
    else if (number == SIGXCPU)
        end->why = "reading the file exceeds the CPU time limit";
    else
        end->why = sentence_say(&c->arena,
                                "the worker process was killed by SIG%s while using %ld MiB of "
                                "memory; its limit is at least %zu MiB",
                                sigabbrev_np(number), used->ru_maxrss >> 10, WORKER_MEMORY >> 20);
}

static void judge_worker(struct crew_at_work *c, const struct slot *s, int status,
                         const struct rusage *used, struct worker_end *end)
{
    *end = (struct worker_end){.place = WORKER_NOWHERE};
    bool whole = stream_split(&s->stream, end);
    if (s->deaf) {
        end->outcome = WORKER_MACHINE;
        end->why = sentence_say(&c->arena, "cannot read the reply of the worker process: %s",
                                strerror(s->deaf));
    } else if (s->still) {
        end->outcome = has_entered(s) ? WORKER_BROKEN : WORKER_MACHINE;
        end->why =
            sentence_say(&c->arena, "the worker process made no progress for %d s", still_after(c));
    } else if (s->late) {
        end->outcome = WORKER_BROKEN;
        end->why =
            sentence_say(&c->arena, "the worker process ran longer than %d s", late_after(c, s));
    } else if (s->flood) {
        judge_flood(c, end);
    } else if (may_have_found_none(s, status, used) && !machine_has_memory()) {
        end->outcome = WORKER_MACHINE;
        end->why = no_memory;
    } else if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        judge_signal(c, s, outran_its_time(s, number, used) ? SIGXCPU : number, used, end);
    } else if (WEXITSTATUS(status)) {
        judge_exit(c, s, WEXITSTATUS(status), used, end);
    } else if (!whole) {
        end->outcome = WORKER_BROKEN;
        end->why = "the worker process sent a reply of the wrong form";
    }
}

/* Ends a slot; true: its item is to be done once more, and *second where the first one may have
 * found no memory, of which nobody was told. */
static bool finish_slot(struct crew_at_work *c, size_t k, bool *second)
{
    struct slot s = c->slots[k];
    struct worker_end end;
    struct rusage used = {.ru_maxrss = 0};
    int status = 0;
    close(s.pipe);
    while (wait4(s.pid, &status, 0, &used) < 0 && errno == EINTR) {
    }
    /* What a sanitizer found must not pass for a fault of what was read. */
    if (SANDBOX_WIDE && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
        abort();
    c->ahead = c->ahead == s.pid ? 0 : c->ahead;
    c->slots[k] = c->slots[--c->n];
    *second = !s.second && !s.deaf && may_have_found_none(&s, status, &used);
    bool again = *second;
    if (!*second) {
        judge_worker(c, &s, status, &used, &end);
        end.said = &c->arena;
        again = c->crew->take(c->crew->context, s.item, &end);
    }
    buf_release(&s.stream);
    arena_release(&c->arena);
    return again;
}

/* Beyond AHEAD one worker is heard until it has ended, and what others say waits in their pipes:
 * what all of them answer never lies here at once. That they stand still for it is not their fault.
 */
static bool is_heard(struct crew_at_work *c, const struct slot *s)
{
    bool more = s->stream.len >= AHEAD;
    if (more && c->ahead == 0)
        c->ahead = s->pid;
    return !more || c->ahead == s->pid;
}

/* Those that stand still, and those that never come to an end by a word, or a millisecond of work,
 * every now and then. */
static void look_for_still_ones(struct crew_at_work *c)
{
    double now = clock_seconds(), since = now - c->looked;
    if (since < LOOK_MS / 1000.0)
        return;
    c->looked = now;
    for (size_t i = 0; i < c->n; i++) {
        struct slot *s = &c->slots[i];
        clockid_t id;
        struct timespec t;
        double cpu = clock_getcpuclockid(s->pid, &id) != 0 || clock_gettime(id, &t) < 0
                         ? 0
                         : (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
        if (!is_heard(c, s)) {
            s->heard = now;
            s->entered += since;
        }
        s->late = s->entered > 0 && now - s->entered > late_after(c, s);
        if (s->late) {
            kill(s->pid, SIGKILL);
        } else if (cpu > s->cpu + 0.001) {
            s->cpu = cpu;
            s->heard = now;
        } else if (now - s->heard > still_after(c)) {
            s->still = true;
            kill(s->pid, SIGKILL);
        }
    }
}

/* This process cannot hear it, whatever it says: it is not waited for. True: unless a signal came
 * between, of which errno tells. */
static bool give_up_hearing(struct slot *s)
{
    if (errno == EINTR)
        return false;
    s->deaf = errno;
    kill(s->pid, SIGKILL);
    return true;
}

/* True at the end of what it says. */
static bool read_slot(struct slot *s)
{
    char piece[PIECE];
    ssize_t n = read(s->pipe, piece, sizeof piece);
    if (n < 0)
        return give_up_hearing(s);
    buf_add(&s->stream, piece, (size_t)n);
    s->heard = clock_seconds();
    s->entered = s->entered > 0 ? s->entered : s->heard;
    if (s->stream.overflow && !s->flood) {
        s->flood = true;
        kill(s->pid, SIGKILL);
    }
    return n == 0;
}

/* Waits until one of them ends; its slot. */
static size_t wait_for_one(struct crew_at_work *c)
{
    for (;;) {
        struct pollfd fds[WORKERS_MAX];
        for (size_t i = 0; i < c->n; i++)
            fds[i] = (struct pollfd){.fd = is_heard(c, &c->slots[i]) ? c->slots[i].pipe : -1,
                                     .events = POLLIN};
        int ready = poll(fds, c->n, LOOK_MS);
        if (ready < 0 && give_up_hearing(&c->slots[0]))
            return 0;
        look_for_still_ones(c);
        for (size_t i = 0; ready > 0 && i < c->n; i++)
            if (fds[i].revents && read_slot(&c->slots[i]))
                return i;
    }
}

/* No process and no worker that ends will make room for one: nobody's fault but the machine's. */
static void give_up(struct crew_at_work *c, size_t item)
{
    const struct worker_end end = {
        .outcome = WORKER_MACHINE,
        .why = sentence_say(&c->arena, "cannot start a worker process: %s", strerror(errno)),
        .said = &c->arena,
        .place = WORKER_NOWHERE};
    c->crew->take(c->crew->context, item, &end);
    arena_release(&c->arena);
}

static void finish_one(struct crew_at_work *c)
{
    size_t k = wait_for_one(c), item = c->slots[k].item;
    bool second, again = finish_slot(c, k, &second);
    if (again && start_worker(c, item, second) < 0)
        give_up(c, item);
}

void worker_each(const struct worker_crew *crew, size_t n)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct crew_at_work *c = memory_alloc(sizeof *c);
    *c = (struct crew_at_work){.crew = crew,
                               .most = cores < 1             ? 1
                                       : cores > WORKERS_MAX ? WORKERS_MAX
                                                             : (size_t)cores};
    if (n)
        sandbox_warm();
    if (n && !crew->text_only)
        sandbox_warm_submissions();
    for (size_t i = 0; i < n; i++) {
        while (c->n == c->most)
            finish_one(c);
        while (start_worker(c, i, false) < 0) {
            if (c->n == 0) {
                give_up(c, i);
                break;
            }
            finish_one(c);
        }
    }
    while (c->n)
        finish_one(c);
    free(c);
}
