/* fingerprint: made-up machines with known answers, and this one against its tools. */
#include "tests/unit/server.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

static void a_server_is_described(void **state)
{
    static const struct {
        enum fact_id id;
        const char *value;
    } rows[] = {
        {FACT_OS, "Ubuntu 20.04.4 LTS"},
        {FACT_KERNEL, "5.4.0-113-generic"},
        {FACT_MACHINE, "H3C R5500 G5"},
        {FACT_CPU_MODEL, "Intel(R) Xeon(R) Platinum 8358"},
        {FACT_CPU_SOCKETS, "2"},
        {FACT_CPU_CORES, "4"},
        {FACT_CPU_THREADS, "8"},
        {FACT_MEMORY, "1007.5"},
        {FACT_ACCELERATOR_VENDOR, "nvidia"},
        {FACT_ACCELERATOR_MODEL, "NVIDIA A100-SXM4-40GB"},
        {FACT_ACCELERATOR_COUNT, "2"},
        {FACT_ACCELERATOR_MEMORY, "40536"},
        {FACT_ACCELERATOR_DRIVER, "470.129.06"},
        {FACT_ACCELERATOR_RUNTIME, "11.4"},
        {FACT_ACCELERATOR_FIRMWARE, "92.00.45.00.03"},
        {FACT_ACCELERATOR_PCIE, "generation 4 x16"},
        {FACT_ACCELERATOR_NVLINK,
         "12 links of version 3 (12 active), 12 links of version 3 (11 active)"},
        {FACT_ACCELERATOR_TOPOLOGY, "1 pair: 1 by NVLink; 1 SYS"},
        {FACT_ACCELERATOR_NUMA, "0, 1"},
        {FACT_ACCELERATOR_ECC, "enabled, enabled (disabled after a restart)"},
        {FACT_ACCELERATOR_MIG, "disabled"},
        {FACT_ACCELERATOR_POWER_LIMIT,
         "400 W of 100 to 400 (default 400), 350 W of 100 to 400 (default 400)"},
        {FACT_ACCELERATOR_CLOCK_LIMITS, "SM 1410 MHz memory 1215 MHz"},
        {FACT_ACCELERATOR_PERSISTENCE, "enabled"},
        {FACT_ACCELERATOR_COMPUTE_MODE, "exclusive process, -"},
        {FACT_ACCELERATOR_TEMPERATURE, "31, 30"},
        {FACT_ACCELERATOR_POWER, "57, -"},
        {FACT_ACCELERATOR_MEMORY_USED, "15, 74"},
        {FACT_ACCELERATOR_CLOCKS, "1410/1215, -"},
        {FACT_ACCELERATOR_PCIE_NOW, "generation 4 x16, generation 1 x8"},
        {FACT_ACCELERATOR_ECC_ERRORS, "0/0 (ever 0/0), 1/11 (ever 2/12)"},
        {FACT_ACCELERATOR_REMAPPED_ROWS, "0/0, 2/0 pending"},
        {FACT_NETWORK, "ens1 100000 Mb/s (mlx5_core) up NUMA 1, ens2 link rate unknown"},
        {FACT_INFINIBAND, "mlx5_0/1 200 Gb/sec (4X HDR) ACTIVE InfiniBand firmware 20.31.1014 NUMA "
                          "0, mlx5_1/1 200 Gb/sec (4X HDR)"},
        {FACT_CONTAINER, "podman"},
        {FACT_CONTAINER_IMAGE, "docker.io/x/y:1.2"},
        {FACT_BLAS, "OpenBLAS 0.3.21"},
        {FACT_CASE_SHA256, "abc"},
        {FACT_UPTIME, "86400"},
        {FACT_MEMORY_FREE, "512.0"},
    };
    struct machine *m = *state;
    build_server(m);
    struct facts facts = collect(m, machine_nvml(m, 0, 2));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *value = facts_value(&facts, rows[i].id);
        if (!value || strcmp(value, rows[i].value) != 0)
            fail_msg("%s: '%s', expected '%s'", fact_kinds[rows[i].id].key, value ? value : "-",
                     rows[i].value);
    }
}

static void what_is_not_known_says_why(void **state)
{
    struct machine *m = *state;
    struct facts facts = collect(m, NULL);
    assert_int_equal(facts.n + facts.n_unstable, FACT_KINDS);
    for (size_t i = 0; i < FACT_KINDS; i++) {
        const struct fact *f = facts_get(&facts, fact_kinds[i].key);
        assert_non_null(f);
        assert_true(!f->value != !f->unknown);
        assert_true(strlen(f->value ? f->value : f->unknown) > 0);
    }
    assert_string_equal(reason(&facts, FACT_OS),
                        "cannot read /etc/os-release: No such file or directory");
    assert_non_null(strstr(reason(&facts, FACT_ACCELERATOR_VENDOR),
                           "no NVIDIA driver: libnone.so.1 not found; no tool in PATH"));
    assert_non_null(strstr(reason(&facts, FACT_FRAMEWORK_COMMIT), "not in a git repository"));
    assert_string_equal(reason(&facts, FACT_CONTAINER_IMAGE), "not in a container");
    assert_string_equal(facts_value(&facts, FACT_CONTAINER), "none");
    assert_non_null(reason(&facts, FACT_DATA_SHA256));

    machine_file(m, "etc/os-release", "ID=x\n");
    machine_file(m, "proc/cpuinfo", "CPU implementer\t: 0x48\nCPU part\t: 0xd01\n");
    machine_file(m, "proc/1/cgroup", "0::/kubepods/burstable/pod1\n");
    machine_file(m, "proc/meminfo", "MemTot");
    facts = collect(m, NULL);
    assert_string_equal(reason(&facts, FACT_OS), "/etc/os-release has no PRETTY_NAME");
    assert_string_equal(facts_value(&facts, FACT_CPU_MODEL), "implementer 0x48 part 0xd01");
    assert_string_equal(facts_value(&facts, FACT_CONTAINER), "kubernetes");
    assert_string_equal(reason(&facts, FACT_MEMORY), "/proc/meminfo has no MemTotal");
    assert_non_null(strstr(reason(&facts, FACT_CONTAINER_IMAGE),
                           "kubernetes does not show a container its image"));
}

#define CPU "sys/devices/system/cpu/"

/* Two cores of which one cannot be read are not one core. */
static void what_is_read_in_part_is_not_known(void **state)
{
    static const struct {
        const char *core, *says; /* of the second CPU; NULL: a folder is in its place */
    } rows[] = {
        {"1\n", NULL},
        {NULL, "cannot read /" CPU "cpu1/topology/core_id: "},
        {"", "/" CPU "cpu1/topology/core_id is no number"},
        {"x1", "/" CPU "cpu1/topology/core_id is no number"},
        {"absent", "/" CPU "cpu1/topology does not state both package and core"},
    };
    struct machine *m = *state;
    machine_file(m, CPU "cpu0/topology/physical_package_id", "0\n");
    machine_file(m, CPU "cpu0/topology/core_id", "0\n");
    machine_file(m, CPU "cpu1/topology/physical_package_id", "0\n");
    machine_file(m, CPU "cpu2/online", "0\n"); /* has no topology: it is offline */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = machine_path(m, CPU "cpu1/topology/core_id");
        assert_int_equal(file_remove_tree(path, &m->err), 0);
        if (!rows[i].core)
            assert_int_equal(mkdir(path, 0700), 0);
        else if (strcmp(rows[i].core, "absent") != 0)
            machine_file(m, CPU "cpu1/topology/core_id", rows[i].core);
        struct facts facts = collect(m, NULL);
        for (enum fact_id id = FACT_CPU_SOCKETS; id <= FACT_CPU_THREADS; id++)
            if (rows[i].says)
                assert_non_null(strstr(reason(&facts, id), rows[i].says));
            else
                assert_string_equal(facts_value(&facts, id), id == FACT_CPU_SOCKETS ? "1" : "2");
    }
}

/* A node of Kubernetes: its pods' interfaces sort before its adapter, and come and go. */
static void adapters_among_those_of_containers(void **state)
{
    struct machine *m = *state;
    machine_file(m, "sys/class/net/eth0/device/x", "");
    machine_file(m, "sys/class/net/eth0/speed", "200000\n");
    for (int i = 0; i < 80; i++)
        machine_file(m, arena_printf(&m->arena, "sys/class/net/cali%02d/speed", i), "10000\n");
    struct facts facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_NETWORK), "eth0 200000 Mb/s");
}

/* A machine that has no descriptor left has adapters all the same. */
static void what_the_machine_refuses_is_not_absent(void **state)
{
    static const enum fact_id of_files[] = {FACT_OS,         FACT_CPU_CORES, FACT_NETWORK,
                                            FACT_INFINIBAND, FACT_CGROUP,    FACT_NETWORK_ADDRESS};
    struct machine *m = *state;
    struct rlimit was, none;
    machine_file(m, "sys/class/net/eth0/device/numa_node", "0\n");
    machine_file(m, "sys/fs/cgroup/cgroup.controllers", "cpu\n");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
    none = was;
    none.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    struct facts facts = collect(m, NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
        if (!strstr(reason(&facts, of_files[i]), "Too many open files"))
            fail_msg("%s: %s", fact_kinds[of_files[i]].key, reason(&facts, of_files[i]));
}

static void sick_drivers_are_reasons(void **state)
{
    struct machine *m = *state;
    struct facts facts = collect(m, machine_nvml(m, 9, 2));
    assert_non_null(strstr(reason(&facts, FACT_ACCELERATOR_VENDOR), "(NVML error 9)"));
    facts = collect(m, machine_nvml(m, 0, 0));
    assert_non_null(strstr(reason(&facts, FACT_ACCELERATOR_VENDOR), "but finds no card"));
    machine_file(m, "empty.so", "");
    facts = collect(m, machine_path(m, "empty.so"));
    assert_string_equal(reason(&facts, FACT_ACCELERATOR_COUNT), "no accelerator was found");
}

static void other_vendors_tools(void **state)
{
    char here[4000];
    assert_non_null(getcwd(here, sizeof here));
    struct machine *m = *state;
    struct facts facts;
    machine_tool(m, "mx-smi", arena_printf(&m->arena, "cat %s/tests/data/tools/mx-smi.txt", here));
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_VENDOR), "metax");
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_MODEL), "MetaX C500");
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_COUNT), "2");
    assert_string_equal(reason(&facts, FACT_ACCELERATOR_ECC), "mx-smi does not state this value");
    machine_tool(m, "mx-smi", "echo 'no such device'");
    facts = collect(m, NULL);
    assert_string_equal(reason(&facts, FACT_ACCELERATOR_MODEL),
                        "the output of mx-smi has an unknown format");
    machine_tool(m, "mx-smi", "exit 3");
    facts = collect(m, NULL);
    assert_string_equal(reason(&facts, FACT_ACCELERATOR_MODEL), "mx-smi: failed with status 3");
    /* A driver without a card: of several tools the one that knows of cards is believed. */
    machine_tool(m, "mx-smi", "echo '| MX-SMI 2.1.12    Kernel Mode Driver Version: 2.12.13    |'");
    facts = collect(m, NULL);
    assert_string_equal(reason(&facts, FACT_ACCELERATOR_VENDOR), "mx-smi lists no card");
    machine_tool(m, "cnmon", arena_printf(&m->arena, "cat %s/tests/data/tools/cnmon.txt", here));
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_VENDOR), "cambricon");
    assert_int_equal(remove(machine_path(m, "bin/cnmon")), 0);
    assert_int_equal(remove(machine_path(m, "bin/mx-smi")), 0);
    machine_tool(m, "xpu_smi",
                 arena_printf(&m->arena, "cat %s/tests/data/tools/xpu_smi.txt", here));
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_VENDOR), "kunlunxin");
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_COUNT), "2");
    assert_int_equal(strlen(facts_value(&facts, FACT_ACCELERATOR_SERIAL)), 2 * SALT_HASH_LEN + 2);
    assert_null(strstr(written(m, &facts), "02K00Y"));
}

/* Marks that container engines leave, each in a machine of its own; docs/FINGERPRINT.md says which
 * were seen and which are as their documents have them. */
static void containers_are_known(void **state)
{
    static const struct {
        const char *path, *text, *name, *image;
    } rows[] = {
        {"none", "", "none", NULL},
        {".dockerenv", "", "docker", NULL},
        {"proc/1/cgroup", "12:memory:/docker/3f0a9c\n", "docker", NULL},
        {"proc/1/cgroup", "0::/system.slice/docker-3f0a9c.scope\n", "docker", NULL},
        {"proc/1/cgroup", "0::/\n", "none", NULL},
        {"proc/self/mountinfo",
         "614 600 254:1 /var/lib/docker/containers/3f0a/hostname /etc/hostname rw - ext4 /dev/vda1 "
         "rw\n",
         "docker", NULL},
        {"proc/1/cgroup", "0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-3f.scope\n",
         "kubernetes", NULL},
        {"proc/1/cgroup", "11:cpu:/kubepods/burstable/pod1/3f0a\n", "kubernetes", NULL},
        {"proc/self/mountinfo",
         "714 700 254:1 /var/lib/kubelet/pods/5c/etc-hosts /etc/hosts rw - ext4 /dev/vda1 rw\n",
         "kubernetes", NULL},
        {"var/run/secrets/kubernetes.io/serviceaccount/namespace", "default", "kubernetes", NULL},
        {"run/.containerenv", "", "podman", NULL},
        {"run/.containerenv",
         "engine=\"podman-4.3.1\"\nname=\"x\"\nimage=\"docker.io/library/debian:12\"\n"
         "imageid=\"8c0e1f\"\n",
         "podman", "docker.io/library/debian:12 (8c0e1f)"},
        {"proc/1/cgroup", "0::/machine.slice/libpod-3f0a.scope/container\n", "podman", NULL},
        {"run/systemd/container", "systemd-nspawn\n", "systemd-nspawn", NULL},
        {"run/host/container-manager", "systemd-nspawn\n", "systemd-nspawn", NULL},
        {"run/systemd/container", "lxc\n", "lxc", NULL},
        {"proc/1/cgroup", "0::/lxc.payload.box/init.scope\n", "lxc", NULL},
        {".singularity.d/labels.json",
         "{\"org.label-schema.usage.singularity.deffile.from\": \"nvcr.io/nvidia/pytorch:24.05\"}",
         "apptainer", "nvcr.io/nvidia/pytorch:24.05"},
        {"proc/self/mountinfo",
         "80 70 0:45 / / rw - squashfs /run/pyxis/12.0.sqsh ro\n81 80 0:46 "
         "/home/u/.local/share/enroot/pyxis_12 / rw - overlay overlay rw\n",
         "enroot", NULL},
        {"proc/1/cgroup", "0::/system.slice/slurmstepd.scope/job_12/step_0/user/task_0\n", "none",
         NULL},
        {"proc/self/mountinfo",
         "520 500 0:60 /proc/meminfo /proc/meminfo rw - fuse.lxcfs lxcfs rw,user_id=0\n", "lxc",
         NULL},
        {"proc/self/mountinfo",
         "700 699 0:50 / / rw - overlay overlay "
         "rw,lowerdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/7/fs\n",
         "containerd", NULL},
        /* A machine is in no container because others run on it. */
        {"proc/self/mountinfo",
         "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
         "70 27 0:51 / /var/lib/docker/containers/3f0a/mounts/shm rw - tmpfs shm rw\n"
         "71 27 0:52 / /var/lib/kubelet/pods/5c/volumes/kubernetes.io~projected/x rw - tmpfs tmpfs "
         "rw\n"
         "72 27 0:53 / /var/lib/containers/storage/overlay/8c/merged rw - overlay overlay rw\n"
         "73 27 0:54 / /run/containerd/io.containerd.runtime.v2.task/k8s.io/3f/rootfs rw - overlay "
         "x rw\n"
         "74 27 0:55 / /var/lib/lxcfs rw - fuse.lxcfs lxcfs rw\n",
         "none", NULL},
    };
    struct machine *m = *state;
    unsetenv("FPREPORT_IMAGE");
    const char *root = m->root;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine one = *m;
        snprintf(one.root, sizeof one.root, "%.50s/%zu", root, i);
        machine_file(&one, rows[i].path, rows[i].text);
        struct facts facts = collect(&one, NULL);
        m->arena = one.arena;
        const char *name = facts_value(&facts, FACT_CONTAINER);
        const char *image = facts_value(&facts, FACT_CONTAINER_IMAGE);
        if (strcmp(name, rows[i].name) != 0 || !image != !rows[i].image ||
            (image && strcmp(image, rows[i].image) != 0))
            fail_msg("row %zu: %s, image %s", i, name, image ? image : "-");
    }
    setenv("FPREPORT_IMAGE", "x/y@sha256:0011", 1);
    machine_file(m, ".dockerenv", "");
    struct facts facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CONTAINER_IMAGE), "x/y@sha256:0011");
    setenv("FPREPORT_IMAGE", "/home/somebody/images/torch.sif", 1);
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CONTAINER_IMAGE), "torch.sif");
    unsetenv("FPREPORT_IMAGE");
}

static void control_groups_have_limits(void **state)
{
    struct machine *m = *state;
    struct facts facts = collect(m, NULL);
    assert_string_equal(reason(&facts, FACT_CGROUP), "no control groups in /sys/fs/cgroup");
    machine_file(m, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    machine_file(m, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    machine_file(m, "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CGROUP), "v1, no limits");
    machine_file(m, "sys/fs/cgroup/memory/memory.limit_in_bytes", "8589934592\n");
    machine_file(m, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "250000\n");
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CGROUP), "v1, 2.5 CPUs, 8.0 GiB");
    machine_file(m, "proc/self/cgroup", "4:memory:/slurm/job_7\n3:cpu,cpuacct:/slurm/job_7\n");
    machine_file(m, "sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "1073741824\n");
    machine_file(m, "sys/fs/cgroup/cpu/slurm/cpu.cfs_quota_us", "150000\n");
    machine_file(m, "sys/fs/cgroup/cpu/slurm/cpu.cfs_period_us", "100000\n");
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CGROUP), "v1, 1.5 CPUs, 1.0 GiB");
    machine_file(m, "sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    machine_file(m, "sys/fs/cgroup/cpu.max", "max 100000\n");
    machine_file(m, "sys/fs/cgroup/memory.max", "max\n");
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CGROUP), "v2, no limits");
    machine_file(m, "sys/fs/cgroup/cpu.max", "1600000 100000\n");
    machine_file(m, "sys/fs/cgroup/memory.max", "137438953472\n");
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CGROUP), "v2, 16 CPUs, 128.0 GiB");
    /* Those of its own group, and of the groups above it. */
    machine_file(m, "proc/self/cgroup", "1:name=systemd:/x\n0::/slurm/job_7\n");
    machine_file(m, "sys/fs/cgroup/slurm/cpu.max", "400000 100000\n");
    machine_file(m, "sys/fs/cgroup/slurm/memory.max", "max\n");
    machine_file(m, "sys/fs/cgroup/slurm/job_7/cpu.max", "800000 100000\n");
    machine_file(m, "sys/fs/cgroup/slurm/job_7/memory.max", "1073741824\n");
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CGROUP), "v2, 4 CPUs, 1.0 GiB");
    machine_file(m, "proc/self/cgroup", "0::/../other\n");
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_CGROUP), "v2, 16 CPUs, 128.0 GiB");
}

static void this_machine(void **state)
{
    struct machine *m = *state;
    struct fingerprint_options options = {.salt = machine_path(m, "salt")};
    struct facts facts;
    struct utsname name;
    fingerprint_collect(&options, &m->arena, &facts);
    uname(&name);
    assert_string_equal(facts_value(&facts, FACT_KERNEL), name.release);
    assert_string_equal(facts_value(&facts, FACT_ARCHITECTURE), name.machine);
    if (strlen(name.nodename) >= 8) /* a short one may be part of anything */
        assert_null(strstr(written(m, &facts), name.nodename));
    const char *threads = facts_value(&facts, FACT_CPU_THREADS);
    if (threads)
        assert_int_equal(strtol(threads, NULL, 10), sysconf(_SC_NPROCESSORS_ONLN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_MACHINE(a_server_is_described),
        ON_MACHINE(what_is_not_known_says_why),
        ON_MACHINE(what_is_read_in_part_is_not_known),
        ON_MACHINE(adapters_among_those_of_containers),
        ON_MACHINE(what_the_machine_refuses_is_not_absent),
        ON_MACHINE(sick_drivers_are_reasons),
        ON_MACHINE(other_vendors_tools),
        ON_MACHINE(containers_are_known),
        ON_MACHINE(control_groups_have_limits),
        ON_MACHINE(this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
