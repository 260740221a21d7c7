/*
 * sandbox: a process gives up all that reading bytes at hand does not need.
 *
 * Whoever enters keeps its memory, one descriptor that can be written to, and the end of the
 * process. From then on it can open, connect, start, signal and trace nothing, by three means of
 * which each would be enough for most of it:
 *
 *   limits     memory beside what is mapped, processor time, no file grows, no new descriptor, no
 *              new process, no core dump; not dumpable, no capabilities, no new privileges, killed
 *              with its parent
 *   Landlock   every right that the running kernel knows is handled and none is granted; left out
 *              where the kernel has no Landlock (sandbox_landlock)
 *   seccomp    a list of calls that are allowed (sandbox.c), on this machine's own numbers; any
 *              other ends the process with SIGSYS. Memory that is mapped belongs to no file and can
 *              not be made executable
 *
 * The environment is wiped: whoever takes such a process over finds no secrets in it.
 *
 * Builds with AddressSanitizer (SANDBOX_WIDE) enter nothing but the descriptors: the sanitizer maps
 * terabytes, and says what it found through calls and descriptors that the list does not have.
 * Nothing about the sandbox itself can be tested there.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANDBOX_WIDE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANDBOX_WIDE 1
#endif
#endif
#ifndef SANDBOX_WIDE
#define SANDBOX_WIDE 0
#endif

struct sandbox_limits {
    size_t memory;        /* bytes, beside what is mapped already */
    unsigned cpu_seconds; /* of the whole process */
};

/* What libraries do the first time (files of time zones) is done now. Before entering; once is
 * enough for all processes that are forked later. */
void sandbox_warm(void);

/* The same for who reads archives and asks whether signatures hold: libarchive, files of OpenSSL.
 * It takes longer than most logs. */
void sandbox_warm_submissions(void);

/* The version of Landlock's interface that this kernel has; 0: none. */
int sandbox_landlock(void);

/* "seccomp+rlimits+Landlock (ABI 7)", "seccomp+rlimits (no Landlock)" */
const char *sandbox_words(char room[64]);

/* Enter, for good; `keep` is the descriptor that stays. ERR_IO where the kernel refuses a part that
 * must be there. Only for a process with one thread. */
int sandbox_enter(const struct sandbox_limits *limits, int keep, struct err *err);
