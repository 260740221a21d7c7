/*
 * look: the fingerprint's readers of the system's files: each looks for one fact below
 * at->root and returns its value, or the reason why it is not known.
 */
#ifndef TRAINER_LOOK_H
#define TRAINER_LOOK_H

#include "base/repo.h"
#include "trainer/accelerator.h"
#include "trainer/fingerprint.h"

#define FACT_VALUE_MAX 1000

struct found {
    const char *value, *unknown; /* one of them is NULL */
};

struct looking {
    const struct fingerprint_options *options;
    const char *root;
    struct arena *arena;
    struct accelerator_facts cards;
    struct repo_info repo;
};

struct found look_os(struct looking *at);              /* /etc/os-release PRETTY_NAME */
struct found look_kernel(struct looking *at);          /* /proc/sys/kernel/osrelease */
struct found look_machine(struct looking *at);         /* DMI: maker and product */
struct found look_cpu_model(struct looking *at);       /* /proc/cpuinfo */
struct found look_cpu_sockets(struct looking *at);     /* /sys/devices/system/cpu: online CPUs' */
struct found look_cpu_cores(struct looking *at);       /*   packages, (package, core) pairs, */
struct found look_cpu_threads(struct looking *at);     /*   and their number */
struct found look_memory(struct looking *at);          /* MemTotal in GiB, one decimal */
struct found look_network(struct looking *at);         /* "eth0 10000 Mb/s (mlx5_core), …" */
struct found look_infiniband(struct looking *at);      /* "mlx5_0/1 400 Gb/sec (4X NDR), …" */
struct found look_container(struct looking *at);       /* "docker" …, or "none" */
struct found look_container_image(struct looking *at); /* podman's, Apptainer's */

#endif
