/* redact and env_files: no name of the samples comes out, and everything else does. */
#include "base/files/dir.h"
#include "tests/unit/unit.h"

#include "tests/unit/machine.h"

#include "base/calendar.h"
#include "trainer/cards/redact.h"
#include "trainer/cards/tool.h"
#include "trainer/fingerprint/env_files.h"

#include <ctype.h>

static const char *redacted(struct machine *m, const struct salt *salt, const char *text)
{
    struct buf out;
    static const struct redact_name names[] = {{"node001", "host"}, {"ab", "host"}};
    buf_init(&out, 1 << 20);
    redact(salt, text, names, 2, &m->arena, &out);
    const char *kept = arena_strdup(&m->arena, out.data);
    buf_release(&out);
    return kept;
}

static void lines(void **state)
{
    static const struct {
        const char *line, *without; /* NULL: it stays */
    } rows[] = {
        {"    Serial Number          : 1650000000001", "    Serial Number          : hidden"},
        {"GPU[0] \t\t: Serial Number: 692100000001", "GPU[0] \t\t: Serial Number: hidden"},
        {"    GPU UUID : GPU-00000000-1111-2222-3333-44444444aaaa", "    GPU UUID : hidden"},
        {"GPU 2: MIG-GPU-ABCDEFAB-1111-2222-3333-444444444444/1/0", "GPU 2: hidden/1/0"},
        {"    SN           : 0x25c2203010beef", "    SN           : hidden"},
        {"    S/N          : 0x25c2203010beef", "    S/N          : hidden"},
        {"Board Serial No. : 0324518000001", "Board Serial No. : hidden"},
        {"Serial #: 0324518000001", "Serial #: hidden"},
        {"    snapshot     : 7, wasn: 8", "    snapshot     : 7, wasn: 8"},
        {"a b8:59:9f:03:00:aa:bb:cc b", "a hidden b"},
        {"00:00:10:87:fe:80:00:00:00:00:00:00:b8:59:9f:03:00:aa:bb:cc", "hidden"},
        {"GPU 0: NVIDIA H200 (UUID: GPU-00000000-1111-2222-3333-444444444444)",
         "GPU 0: NVIDIA H200 (UUID: hidden)"},
        {"GPU[1] : Unique ID: 0xdeadbee1", "GPU[1] : Unique ID: hidden"},
        {"  GPU PDI : 0x2f5d", "  GPU PDI : hidden"},
        {"mac addr: 6c:34:91:00:00:46", "mac addr: hidden"},
        {"eth1 6c:34:91:00:00:46 up", "eth1 hidden up"},
        {"node_guid 1070:fd03:00aa:bbcc", "node_guid hidden"},
        {"on node001 at noon, abacus", "on hidden at noon, abacus"},
        {"x\x1b[31my\x07z", "x[31myz"},
        {"    Chassis Serial Number  : N/A", NULL},
        {"| 0 | 00000000:00:06.0 Off | 15:48:45 |", NULL},
        {"serially: 5", "serially: hidden"}, /* rather one too many */
        {"    Driver Version : 580.159.04", NULL},
        {"a6c:34:91:00:00:46", NULL},
        {"", NULL},
    };
    struct machine *m = *state;
    const struct salt none = {.reason = "none"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *expected = rows[i].without ? rows[i].without : rows[i].line;
        const char *line = arena_printf(&m->arena, "%s\n", rows[i].line);
        assert_string_equal(redacted(m, &none, line), arena_printf(&m->arena, "%s\n", expected));
    }
}

static void hashes_are_those_of_the_facts(void **state)
{
    struct machine *m = *state;
    struct salt salt;
    salt_open(&salt, machine_path(m, "salt"), &m->arena);
    assert_string_equal(
        redacted(m, &salt, "Serial Number : 1650000000001"),
        arena_printf(&m->arena, "Serial Number : salted:%s\n",
                     salt_hash(&salt, "accelerator_serial", "1650000000001", &m->arena)));
    assert_string_equal(
        redacted(m, &salt, "(UUID: GPU-00000000-1111-2222-3333-444444444444)"),
        arena_printf(&m->arena, "(UUID: salted:%s)\n",
                     salt_hash(&salt, "accelerator_uuid",
                               "GPU-00000000-1111-2222-3333-444444444444", &m->arena)));
}

static const struct {
    const char *tool, *file;
} fakes[] = {
    {"nvidia-smi", "nvidia-smi-q.txt"},
    {"ixsmi", "ixsmi.txt"},
    {"mx-smi", "mx-smi.txt"},
    {"xpu-smi", "xpu-smi.txt"},
    {"xpu_smi", "xpu_smi.txt"},
    {"mthreads-gmi", "mthreads-gmi.txt"},
    {"cnmon", "cnmon.txt"},
    {"npu-smi", "npu-smi.txt"},
    {"hy-smi", "hy-smi.txt"},
    {"rocm-smi", "rocm-smi-a.txt"},
};

/* All tools at once; what they say becomes files, from which no name of the samples can be had. */
static void files_of_all_tools(void **state)
{
    static const char *const names[] = {"165000000000",    "1111-2222-3333", "0x000000000000000",
                                        "02K00Y0000V0000", "69210000000",    "deadbee"};
    struct machine *m = *state;
    char here[4000];
    struct salt salt;
    size_t n, whole = 0;
    struct dir_entry *files;
    assert_non_null(getcwd(here, sizeof here));
    for (size_t i = 0; i < sizeof fakes / sizeof *fakes; i++)
        machine_tool(m, fakes[i].tool,
                     arena_printf(&m->arena, "cat %s/tests/data/tools/%s", here, fakes[i].file));
    machine_tool(m, "cnmon", "echo partly; exit 9");
    char *path = arena_strdup(&m->arena, getenv("PATH"));
    setenv("PATH", machine_path(m, "bin:/usr/bin:/bin"), 1);
    salt_open(&salt, machine_path(m, "salt"), &m->arena);
    if (env_files_write(machine_path(m, "node"), &salt, &m->arena, &m->err) < 0)
        fail_msg("%s", m->err.text);
    setenv("PATH", path, 1);
    assert_int_equal(dir_list(machine_path(m, "node/env"), &m->arena, &files, &n, &m->err), 0);
    assert_int_equal(n, 14);
    for (size_t i = 0; i < n; i++) {
        struct bytes text;
        const char *file = arena_printf(&m->arena, "%s/node/env/%s", m->root, files[i].name);
        assert_int_equal(file_read(file, 1 << 20, &m->arena, &text, &m->err), 0);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strstr(text.data, names[k]))
                fail_msg("%s holds %s", files[i].name, names[k]);
        whole += strstr(text.data, "Product Name                                       : NVIDIA") ||
                 strstr(text.data, "| R300  | salted:");
        if (strcmp(files[i].name, "cnmon.txt") == 0)
            assert_string_equal(text.data, "fpreport: cnmon: failed with status 9\n");
    }
    assert_int_equal(whole, 5); /* nvidia-smi four times, xpu_smi */
}

static void a_tool_that_prints_without_end(void **state)
{
    struct machine *m = *state;
    struct salt salt = {.reason = "none"};
    struct bytes text;
    machine_tool(m, "ixsmi",
                 "yes 'Serial Number : 1650000000001 01234567890123456789' | head -c 9000000");
    char *path = arena_strdup(&m->arena, getenv("PATH"));
    setenv("PATH", machine_path(m, "bin:/usr/bin:/bin"), 1);
    assert_int_equal(env_files_write(machine_path(m, "node"), &salt, &m->arena, &m->err), 0);
    setenv("PATH", path, 1);
    assert_int_equal(
        file_read(machine_path(m, "node/env/ixsmi.txt"), 8 << 20, &m->arena, &text, &m->err), 0);
    assert_null(strstr(text.data, "165000"));
    assert_non_null(strstr(text.data, "Serial Number : "));
    assert_true(text.len < 1 << 20);
}

/* With its children, which hold the pipe open; or behind the end of what it prints. */
static void a_tool_that_hangs(void **state)
{
    static const char *const scripts[] = {"echo begun; sleep 60 & sleep 60",
                                          "echo begun; exec >&-; sleep 60"};
    struct machine *m = *state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct buf out;
        machine_tool(m, "slow", scripts[i]);
        const char *argv[] = {machine_path(m, "bin/slow"), NULL};
        buf_init(&out, 1000);
        long long began = clock_ms();
        assert_int_equal(tool_output(argv, 300, &out, &m->err), -1);
        assert_true(clock_ms() - began < 20000); /* a busy machine */
        assert_non_null(strstr(m->err.text, "no answer within 300 ms"));
        buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_MACHINE(lines),
        ON_MACHINE(hashes_are_those_of_the_facts),
        ON_MACHINE(files_of_all_tools),
        ON_MACHINE(a_tool_that_hangs),
        ON_MACHINE(a_tool_that_prints_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
