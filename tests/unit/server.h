/*
 * server: the made-up machine of the tests of fingerprints, what is found on it, and what is
 * written of that.
 */
#pragma once

#include "tests/unit/unit.h"

#include "tests/unit/machine.h"

#include "base/records/facts.h"
#include "trainer/cards/salt.h"
#include "trainer/fingerprint/fingerprint.h"

static void add_cpu(struct machine *m, int number, int package, int core)
{
    const char *place = arena_printf(&m->arena, "sys/devices/system/cpu/cpu%d/topology", number);
    machine_file(m, path_join(&m->arena, place, "physical_package_id"),
                 arena_printf(&m->arena, "%d\n", package));
    machine_file(m, path_join(&m->arena, place, "core_id"), arena_printf(&m->arena, "%d\n", core));
}

/* Two sockets of two cores of two threads, a Mellanox card, podman. */
static void build_server(struct machine *m)
{
    machine_file(m, "etc/os-release", "ID=ubuntu\nPRETTY_NAME=\"Ubuntu 20.04.4 LTS\"\n");
    machine_file(m, "proc/sys/kernel/osrelease", "5.4.0-113-generic\n");
    machine_file(
        m, "proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Platinum 8358\n\nprocessor\t: 1\n");
    machine_file(m, "proc/meminfo",
                 "MemTotal:       1056485312 kB\nMemFree: 1 kB\nMemAvailable: 536870912 kB\n");
    machine_file(m, "sys/class/dmi/id/product_name", "R5500 G5\n");
    machine_file(m, "sys/class/dmi/id/sys_vendor", "H3C\n");
    for (int i = 0; i < 8; i++)
        add_cpu(m, i, i / 2 % 2, i % 2);
    machine_file(m, "sys/devices/system/cpu/cpufreq/x", "");
    machine_file(m, "sys/devices/system/cpu/cpu9/online", "0\n");
    machine_file(m, "sys/class/net/lo/speed", "");
    machine_file(m, "sys/class/net/ens1/device/x", "");
    machine_file(m, "sys/class/net/ens1/speed", "100000\n");
    assert_int_equal(symlink("../../../../bus/pci/drivers/mlx5_core",
                             machine_path(m, "sys/class/net/ens1/device/driver")),
                     0);
    machine_file(m, "sys/class/net/ens2/device/x", "");
    machine_file(m, "sys/class/net/ens2/speed", "-1\n");
    machine_file(m, "sys/class/infiniband/mlx5_0/ports/1/rate", "200 Gb/sec (4X HDR)\n");
    machine_file(m, "sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
    machine_file(m, "sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n");
    machine_file(m, "sys/class/infiniband/mlx5_0/fw_ver", "20.31.1014\n");
    machine_file(m, "sys/class/infiniband/mlx5_0/node_guid", "1070:fd03:00aa:bbcc\n");
    machine_file(m, "sys/class/infiniband/mlx5_0/device/numa_node", "0\n");
    machine_file(m, "sys/class/infiniband/mlx5_1/device/numa_node", "-1\n");
    machine_file(m, "sys/class/net/ens1/operstate", "up\n");
    machine_file(m, "sys/class/net/ens1/device/numa_node", "1\n");
    machine_file(m, "sys/bus/pci/devices/0000:1b:00.0/numa_node", "0\n");
    machine_file(m, "sys/bus/pci/devices/10000:43:00.0/numa_node", "1\n");
    machine_file(m, "sys/class/infiniband/mlx5_1/ports/1/rate", "200 Gb/sec (4X HDR)\n");
    machine_file(m, "sys/class/net/ens1/address", "10:70:fd:00:00:01\n");
    machine_file(m, "sys/class/net/ens2/address", "10:70:fd:00:00:02\n");
    machine_file(m, "sys/class/net/lo/address", "00:00:00:00:00:00\n");
    machine_file(m, "sys/class/dmi/id/product_serial", "219801A2B3C4\n");
    machine_file(m, "etc/machine-id", "0123456789abcdef0123456789abcdef\n");
    machine_file(m, "proc/uptime", "86400.50 1000000.00\n");
    machine_file(m, "run/.containerenv", "engine=\"podman-4.3.1\"\nimage=\"docker.io/x/y:1.2\"\n");
}

static struct facts collect(struct machine *m, const char *library)
{
    struct facts facts;
    struct fingerprint_options options = {.root = m->root,
                                          .library = library ? library : "libnone.so.1",
                                          .salt = machine_path(m, "salt"),
                                          .framework = m->root,
                                          .blas = "OpenBLAS 0.3.21",
                                          .case_sha256 = "abc"};
    char *path = arena_strdup(&m->arena, getenv("PATH"));
    setenv("PATH", machine_path(m, "bin:/usr/bin:/bin"), 1);
    fingerprint_collect(&options, &m->arena, &facts);
    setenv("PATH", path, 1);
    return facts;
}

/* Why it is not known. */
static const char *reason(const struct facts *f, enum fact_id id)
{
    const struct fact *fact = facts_get(f, fact_kinds[id].key);
    assert_null(fact->value);
    return fact->unknown;
}

static const char *written(struct machine *m, const struct facts *facts)
{
    struct buf out;
    buf_init(&out, BUF_DEFAULT_MAX);
    facts_write(facts, &out);
    const char *text = arena_strdup(&m->arena, out.data);
    buf_release(&out);
    return text;
}
