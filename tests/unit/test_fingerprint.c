/* fingerprint and facts: made-up machines with known answers, and this one against its tools. */
#include "tests/unit/unit.h"

#include "tests/unit/machine.h"

#include "base/facts.h"
#include "trainer/fingerprint.h"

#include <sys/utsname.h>

static struct machine machine;

static int set_up(void **state)
{
    *state = &machine;
    return machine_make(&machine);
}

static int tear_down(void **state)
{
    machine_remove(*state);
    return 0;
}

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
    machine_file(m, "proc/meminfo", "MemTotal:       1056485312 kB\nMemFree: 1 kB\n");
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
    machine_file(m, "sys/class/infiniband/mlx5_1/ports/1/rate", "200 Gb/sec (4X HDR)\n");
    machine_file(m, "run/.containerenv", "engine=\"podman-4.3.1\"\nimage=\"docker.io/x/y:1.2\"\n");
}

static struct facts collect(struct machine *m, const char *library)
{
    struct facts facts;
    struct fingerprint_options options = {.root = m->root,
                                          .library = library ? library : "libnone.so.1",
                                          .framework = m->root,
                                          .blas = "OpenBLAS 0.3.21",
                                          .case_sha256 = "abc"};
    char *path = arena_strdup(&m->arena, getenv("PATH"));
    setenv("PATH", machine_path(m, "bin:/usr/bin:/bin"), 1);
    fingerprint_collect(&options, &m->arena, &facts);
    setenv("PATH", path, 1);
    return facts;
}

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
        {FACT_NETWORK, "ens1 100000 Mb/s (mlx5_core), ens2 link rate unknown"},
        {FACT_INFINIBAND, "mlx5_0/1 200 Gb/sec (4X HDR), mlx5_1/1 200 Gb/sec (4X HDR)"},
        {FACT_CONTAINER, "podman"},
        {FACT_CONTAINER_IMAGE, "docker.io/x/y:1.2"},
        {FACT_BLAS, "OpenBLAS 0.3.21"},
        {FACT_CASE_SHA256, "abc"},
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

static const char *reason(const struct facts *f, enum fact_id id)
{
    const struct fact *fact = facts_get(f, fact_kinds[id].key);
    assert_null(fact->value);
    return fact->unknown;
}

static void what_is_not_known_says_why(void **state)
{
    struct machine *m = *state;
    struct facts facts = collect(m, NULL);
    assert_int_equal(facts.n, FACT_KINDS);
    for (size_t i = 0; i < facts.n; i++) {
        const struct fact *f = &facts.items[i];
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
    assert_non_null(strstr(reason(&facts, FACT_CONTAINER_IMAGE), "kubernetes does not tell"));
}

static void sick_drivers_are_reasons(void **state)
{
    struct machine *m = *state;
    struct facts facts = collect(m, machine_nvml(m, 9, 2));
    assert_non_null(strstr(reason(&facts, FACT_ACCELERATOR_VENDOR), "(NVML error 9)"));
    facts = collect(m, machine_nvml(m, 0, 0));
    assert_non_null(strstr(reason(&facts, FACT_ACCELERATOR_VENDOR), "but no card"));
    machine_file(m, "empty.so", "");
    facts = collect(m, machine_path(m, "empty.so"));
    assert_string_equal(reason(&facts, FACT_ACCELERATOR_COUNT), "no accelerator was found");
}

static void other_vendors_tools(void **state)
{
    struct machine *m = *state;
    machine_tool(m, "mx-smi", "echo '| 0 MetaX C500 | 914/65536 MiB |'");
    struct facts facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_VENDOR), "metax");
    assert_string_equal(reason(&facts, FACT_ACCELERATOR_MODEL),
                        "mx-smi is there, but its output is not taken apart");
    machine_tool(m, "mx-smi", "exit 3");
    facts = collect(m, NULL);
    assert_string_equal(reason(&facts, FACT_ACCELERATOR_MODEL), "mx-smi: failed with status 3");
    machine_tool(m, "ixsmi",
                 "echo '| N/A   38C    P0     71W / 250W |  27000MiB / 32768MiB |     98%      "
                 "Default |'; echo '| N/A 39C P0 N/A / N/A | 27001MiB / 32768MiB | 97% Default |'");
    facts = collect(m, NULL);
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_VENDOR), "iluvatar");
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_COUNT), "2");
    assert_string_equal(facts_value(&facts, FACT_ACCELERATOR_MEMORY), "32768");
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

static int read_text(struct machine *m, const char *text, struct facts *out, struct diags *diags)
{
    diags_init(diags, &m->arena);
    return facts_read("f.json", (struct bytes){text, strlen(text)}, &m->arena, out, diags);
}

static void facts_read_back(void **state)
{
    struct machine *m = *state;
    struct facts again;
    struct diags diags;
    struct fact_change *changes;
    size_t n;
    build_server(m);
    machine_file(m, "etc/os-release", "PRETTY_NAME=\"a \\ b \x01 \xff \xe6\x98\xbe\"\n");
    struct facts facts = collect(m, NULL), second = collect(m, NULL);
    const char *text = written(m, &facts);
    assert_string_equal(text, written(m, &second));
    assert_int_equal(read_text(m, text, &again, &diags), 0);
    assert_string_equal(written(m, &again), text);
    facts_diff(&again, &facts, &m->arena, &changes, &n);
    assert_true(n <= 1); /* the invalid byte in the name became U+FFFD */
}

static void differences_are_named(void **state)
{
    struct machine *m = *state;
    struct fact one[] = {
        {"os", "a", NULL}, {"kernel", "1", NULL}, {"x", NULL, "r"}, {"y", "1", NULL}};
    struct fact two[] = {
        {"os", "b", NULL}, {"kernel", "1", NULL}, {"x", NULL, "s"}, {"z", "1", NULL}};
    struct facts a = {.items = one, .n = 4}, b = {.items = two, .n = 4};
    struct fact_change *changes;
    size_t n;
    facts_diff(&a, &b, &m->arena, &changes, &n);
    assert_int_equal(n, 3);
    assert_string_equal(changes[0].key, "os");
    assert_string_equal(changes[0].b->value, "b");
    assert_string_equal(changes[1].key, "y");
    assert_null(changes[1].b);
    assert_string_equal(changes[2].key, "z");
    assert_null(changes[2].a);
    facts_diff(&a, &a, &m->arena, &changes, &n);
    assert_int_equal(n, 0);
}

#define DOCUMENT(facts) "{\"schema\": \"fpreport.fingerprint/1\", \"facts\": " facts "}"

static void broken_fingerprints_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", ""},
        {"[]", "schema"},
        {"{\"schema\": \"fpreport.fingerprint/2\", \"facts\": []}", "schema"},
        {"{\"schema\": \"fpreport.fingerprint/1\"}", "'facts' to be an array"},
        {DOCUMENT("{}"), "'facts' to be an array"},
        {DOCUMENT("[1]"), "expected an object"},
        {DOCUMENT("[{\"key\": \"os\"}]"), "'value' or 'unknown'"},
        {DOCUMENT("[{\"key\": \"os\", \"value\": 1}]"), "'value' or 'unknown'"},
        {DOCUMENT("[{\"key\": \"os\", \"value\": \"a\", \"unknown\": \"b\"}]"), "'value' or"},
        {DOCUMENT("[{\"key\": \"<b>\", \"value\": \"a\"}]"), "small letters"},
        {DOCUMENT("[{\"key\": \"a\", \"value\": \"a\"}, {\"key\": \"a\", \"value\": \"b\"}]"),
         "is there twice"},
    };
    struct machine *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct facts facts;
        struct diags diags;
        assert_int_equal(read_text(m, rows[i].text, &facts, &diags), -1);
        assert_true(diags.n == 1);
        if (!strstr(diags.items[0].message, rows[i].message))
            fail_msg("row %zu: %s", i, diags.items[0].message);
    }
}

static void this_machine(void **state)
{
    struct machine *m = *state;
    struct fingerprint_options options = {0};
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

#define ON_MACHINE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_MACHINE(a_server_is_described),
        ON_MACHINE(what_is_not_known_says_why),
        ON_MACHINE(sick_drivers_are_reasons),
        ON_MACHINE(other_vendors_tools),
        ON_MACHINE(facts_read_back),
        ON_MACHINE(differences_are_named),
        ON_MACHINE(broken_fingerprints_are_refused),
        ON_MACHINE(this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
