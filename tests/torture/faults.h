/*
 * faults: a library for LD_PRELOAD that counts what a program asks of the system, makes the n-th of
 * it go wrong, and writes down what a disk would have to keep.
 *
 *     FAULTS_CLASS        what is counted: state (calls that change files), open (every open), read
 *                         (read and pread of files), memory (every allocation), sync (fsync and
 *                         fdatasync; of one that fails what was written is gone), process
 *                         (processes, threads, pipes and what is waited for; a read of a pipe),
 *                         look (stat and its kin, access, links, and what a folder holds),
 *                         descriptor (fstat, lseek and what else is believed not to fail)
 *
 *     FAULTS_AT           the n-th of these, from 1; 0 or nothing: only count
 *
 *     FAULTS_DO           kill: SIGKILL before it; term: SIGTERM before it; short: it does one byte
 *                         at most; a number: it is not done and fails with this errno
 *
 *     FAULTS_STICKY       1: every later one, too
 *
 *     FAULTS_COUNT        a file of 32 zero bytes that all processes of the run share: how many
 *                         there were, how many went wrong, the call stack of the first allocation
 *                         that did, and whose code broke (4 bytes: enum faults_whose)
 *
 *     FAULTS_RECORD       a file that every change is appended to (tests/torture/power.py reads it)
 *
 *     FAULTS_NO_EXCHANGE  two folders cannot be exchanged, as on file systems that do not know how
 *
 *     FAULTS_TRACE        a file that each counted call's name is appended to, a line each
 *
 *     FAULTS_STACKS       a file of zero bytes: its n-th eight become a hash of the n-th
 *                         allocation's call stack
 *
 *     FAULTS_SERVER       "IN,OUT", two descriptors: the program stops before main(), where every
 *                         request makes a child of it that goes on (faults_server.c;
 *                         tests/torture/runs.py)
 *
 * So that a run makes the same calls each time, the machine has one processor, and no certificates
 * (which libgit2 reads before anything else, and nothing here needs).
 *
 * Calls that libc makes inside itself (stdio, mkdtemp) are not seen; the programs here write none
 * of their files that way. Standard error is left alone.
 *
 * faults_plan.c decides, faults_record.c writes down, faults_crash.c tells whose code broke,
 * faults_server.c starts; the others stand before libc's functions, each with those of one kind.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum fault_class {
    FAULTS_STATE,
    FAULTS_OPEN,
    FAULTS_READ,
    FAULTS_MEMORY,
    FAULTS_SYNC,
    FAULTS_PROCESS,
    FAULTS_LOOK,
    FAULTS_DESCRIPTOR,
    FAULTS_CLASSES
};

#define FAULTS_KILL (-1)
#define FAULTS_SHORT (-2)
#define FAULTS_TERM (-3)

/* The functions of this library that others must not find in it. */
#define FAULTS_OWN __attribute__((visibility("hidden")))

/* From here on it counts and breaks, as the environment says now. */
FAULTS_OWN void faults_begin(bool is_program);
/* Has it begun? */
FAULTS_OWN bool faults_is_on(void);
/* A file that processes share, by the variable that names it; NULL. `len` is its length. */
FAULTS_OWN void *faults_shared(const char *variable, size_t *len);
/* Who asks for this allocation: a hash of the return addresses above, the same in all children of
 * a server. */
FAULTS_OWN unsigned long long faults_stack(void);
FAULTS_OWN void faults_stacks_begin(void);
/* The n-th one's, in FAULTS_STACKS. */
FAULTS_OWN bool faults_stacks_wanted(long n);
FAULTS_OWN void faults_stacks_add(long n, unsigned long long stack);
FAULTS_OWN void faults_record_begin(void);

/* Who was at work when a process of the run broke: nobody did, a library, the program itself. */
enum faults_whose { FAULTS_NOBODYS, FAULTS_THEIRS, FAULTS_OURS };
/* `is_program`: this is the one that is tortured, not one that it starts. */
FAULTS_OWN void faults_crash_begin(atomic_int *whose, bool is_program);

/* 0: go on; FAULTS_SHORT; an errno: fail. Does not return when this is where it is killed. `what`
 * is the path, or "". */
FAULTS_OWN int faults_due(enum fault_class class, const char *call, const char *what);
/* Is this an errno? Then errno is. */
FAULTS_OWN bool faults_fails(int todo);
/* Is this a process that the kernel kills for most calls? */
FAULTS_OWN bool faults_filtered(void);
/* What exchanging two folders gives: 0, or an errno. */
FAULTS_OWN int faults_exchange(void);

/* What a file has that was not synced (faults_lost.c): bytes from this offset on, nothing; and it
 * is gone. */
FAULTS_OWN void faults_dirty(int fd, long long from);
FAULTS_OWN void faults_clean(int fd);
FAULTS_OWN void faults_lose(int fd);

/* Events that have happened, for power.py; nothing when no record is asked for. */
FAULTS_OWN void faults_path(char kind, int at, const char *path);
FAULTS_OWN void faults_two(char kind, int from_at, const char *from, int to_at, const char *to);
FAULTS_OWN void faults_write(int fd, long long offset, const void *data, ssize_t len);
FAULTS_OWN void faults_cut(unsigned long long inode, long long len);
FAULTS_OWN void faults_sync(int fd);
FAULTS_OWN void faults_sync_all(void);

/* fstatat, which nobody counts. */
struct stat;
FAULTS_OWN int faults_stat(int at, const char *path, struct stat *st, int flags);
/* The file's number when it is of this type (S_IFREG, S_IFDIR); 0. */
FAULTS_OWN unsigned long long faults_inode(int fd, mode_t type);
/* A descriptor of the path in this variable, far from those of the program; -1. */
FAULTS_OWN int faults_open_named(const char *variable, int flags);
