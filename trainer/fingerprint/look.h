/*
 * look: the fingerprint's readers of the system's files: each looks for one fact below
 * at->root and returns its value, or the reason why it is not known.
 */
#pragma once

#include "base/arena.h"
#include "base/files/dir.h"
#include "base/git/repo.h"
#include "trainer/cards/accelerator.h"
#include "trainer/cards/salt.h"
#include "trainer/fingerprint/fingerprint.h"

struct found {
    const char *value, *unknown; /* one of them is NULL */
};

static inline struct found look_found(const char *value)
{
    return (struct found){value, NULL};
}

static inline struct found look_unknown(const char *reason)
{
    return (struct found){NULL, reason};
}

struct looking {
    const struct fingerprint_options *options;
    const char *root;
    struct arena *arena;
    struct accelerator_facts cards;
    struct salt salt;
    struct repo_info repo;
    const char *fault; /* of the fact that is looked for: what this machine could not read; NULL */
};

/* A file's text, or NULL with errno. What the machine refuses (no more descriptors, a disk that
 * cannot be read) is noted as the fault: what else was found is not all of it then, so that the
 * fact is unknown. */
const char *look_read(struct looking *at, const char *path);

/* What is in a folder, in the same way; 0: nothing, or it is not there. */
size_t look_list(struct looking *at, const char *path, struct dir_entry **out);

struct found look_os(struct looking *at);          /* /etc/os-release PRETTY_NAME */
struct found look_kernel(struct looking *at);      /* /proc/sys/kernel/osrelease */
struct found look_machine(struct looking *at);     /* DMI: maker and product */
struct found look_cpu_model(struct looking *at);   /* /proc/cpuinfo */
struct found look_cpu_sockets(struct looking *at); /* /sys/devices/system/cpu: online CPUs' */
struct found look_cpu_cores(struct looking *at);   /*   packages, (package, core) pairs, */
struct found look_cpu_threads(struct looking *at); /*   and their number */
struct found look_memory(struct looking *at);      /* MemTotal in GiB, one decimal */
struct found look_network(struct looking *at); /* "eth0 10000 Mb/s (mlx5_core) up NUMA 0, …" */
/* "mlx5_0/1 400 Gb/sec (4X NDR) ACTIVE InfiniBand, firmware 28.39, NUMA 0; …" */
struct found look_infiniband(struct looking *at);
struct found look_accelerator_numa(struct looking *at); /* "0, 0, 1, 1": of the cards' PCI places */
struct found look_container(struct looking *at);        /* "docker" …, or "none" */
struct found look_container_image(struct looking *at);  /* podman's, Apptainer's, or as stated */
struct found look_cgroup(struct looking *at);           /* "v2, 8 CPUs, 64.0 GiB" */

/* Adapters of /sys/class/net with a device behind them; what has none is made of software:
 * bridges, tunnels, the loopback. Sorted by name. */
#define LOOK_ADAPTERS "/sys/class/net"
size_t look_adapters(struct looking *at, struct dir_entry **out);

/* What is in a folder, sorted by name, at most 64; none when it cannot be listed. */
#define LOOK_INFINIBAND "/sys/class/infiniband"
size_t look_folder(struct looking *at, const char *path, struct dir_entry **out);

/* Small text files of the kernel and the system, below a root that tests can choose.
 *
 * Files under /proc and /sys have no size before they are read, which base/files/file.h refuses. */

#define SYSFILE_MAX ((size_t)8 << 20)

/* "<root>/<path>"; root is "/" normally. */
const char *sysfile_path(const char *root, const char *path, struct arena *arena);

/* Contents without white space at the end, or NULL (errno is set) when it cannot be read, is
 * not a regular file, is larger than SYSFILE_MAX or holds a NUL byte. */
const char *sysfile_read(const char *root, const char *path, struct arena *arena);

/* The value of "key<white space>:<white space>value" or "key=value" at the start of a line, up
 * to the line's end, without quotes around it; NULL when there is none. `separator` is ':' or
 * '='. */
const char *sysfile_field(const char *text, const char *key, char separator, struct arena *arena);
