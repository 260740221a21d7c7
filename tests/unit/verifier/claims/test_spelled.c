/* spelled: what people write in other words agrees, what is another number does not. */
#include "tests/unit/pace.h"
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "verifier/claims/spelled.h"

#include <string.h>
#include <sys/resource.h>

static const struct {
    enum same kind;
    const char *x, *y;
    bool same;
} rows[] = {
    {SAME_SYSTEM, "Ubuntu 22.04.3 LTS", "Ubuntu 22.04 LTS", true}, /* as published pages have it */
    {SAME_SYSTEM, "Ubuntu 22.04.3 LTS", "ubuntu22.04", true},
    {SAME_SYSTEM, "CentOS Linux 7 (Core)", "centos 7.6", true},
    {SAME_SYSTEM, "Debian GNU/Linux 12 (bookworm)", "Debian 12", true},
    {SAME_SYSTEM, "Ubuntu 22.04.3 LTS", "Ubuntu 20.04 LTS", false},
    {SAME_SYSTEM, "Ubuntu 22.04.3 LTS", "Ubuntu 22.04.4 LTS", false},
    {SAME_SYSTEM, "Ubuntu 22.04.3 LTS", "CentOS 7.9", false},
    {SAME_SYSTEM, "Debian GNU/Linux 12", "Ubuntu 12", false},
    {SAME_SYSTEM, "Debian GNU/Linux 12 (bookworm)", "Debian GNU/Linuh 12 (bookworm)", false},
    {SAME_SYSTEM, "Ubuntu 22.04 LTS (Jammy Jellyfish)", "Ubuntu 22.04.3 LTS", true},
    {SAME_SYSTEM, "银河麒麟 V10 SP1", "银河麒麟V10", true},
    {SAME_SYSTEM, "LTS 12", "Debian 12", false},
    {SAME_SYSTEM, "openEuler 20.03 (LTS-SP1)", "openEuler 20.03 LTS SP3", false},
    {SAME_SYSTEM, "openEuler 20.03 (LTS-SP3)", "openEuler 20.03 LTS SP3", true},
    {SAME_SYSTEM, "openEuler 20.03 (LTS-SP3)", "OpenEuler 20.03", true},
    {SAME_SYSTEM, "银河麒麟 V10 SP1", "银河麒麟 V10 SP2", false},
    {SAME_SYSTEM, "Kylin Linux Advanced Server V10 (Lance)", "Kylin V10 SP3", true},
    {SAME_SYSTEM, "Kylin Linux Advanced Server V10 (Lance)", "银河麒麟 V10", true},
    {SAME_SYSTEM, "Kylin Linux Advanced Server V10 (Lance)", "中标麒麟 V7", false},
    {SAME_SYSTEM, "Red Hat Enterprise Linux 8.6 (Ootpa)", "RHEL 8.6", true},
    {SAME_SYSTEM, "Red Hat Enterprise Linux 8.6 (Ootpa)", "RHEL 8.4", false},
    {SAME_SYSTEM, "Red Hat Enterprise Linux 8.6 (Ootpa)", "CentOS Linux 8.6", false},
    {SAME_KERNEL, "5.4.0-26-generic", "linux5.4.0-26", true},
    {SAME_KERNEL, "5.4.0-26-generic", "5.4.0-26-generic x86_64", true},
    {SAME_KERNEL, "5.4.0-26-generic", "5.4.0-2", false},
    {SAME_KERNEL, "5.4.0-26-generic", "5.4.0-148-generic", false},
    {SAME_MODEL, "NVIDIA H200", "NVIDIA H20", false},
    {SAME_MODEL, "NVIDIA H200", "H200 SXM5 141GB", true},
    {SAME_MODEL, "NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-80GB", false},
    {SAME_MODEL, "NVIDIA A800-SXM4-40GB", "NVIDIA A100-SXM4-40GB", false},
    {SAME_MODEL, "NVIDIA A100-SXM...", "NVIDIA_A100-SXM4-40GB", true},
    {SAME_MODEL, "GeForce RTX 208...", "GeForce RTX 2080 Ti", true},
    {SAME_MODEL, "GeForce RTX 208...", "GeForce RTX 3090", false},
    {SAME_MODEL, "MLU370-X8, -", "MLU370-X8", true},
    {SAME_MODEL, "Intel Xeon Gold 6248 @ 2.50GHz", "Intel Xeon Gold 6230 @ 2.50GHz", false},
    {SAME_MODEL, "AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763", true},
    {SAME_MODEL, "AMD EPYC 7763 64-Core Processor", "AMD EPYC 776", false},
    {SAME_MODEL, "AMD EPYC 7763 64-Core Processor", "AMD EPYC 7713 64-Core Processor", false},
    {SAME_MODEL, "Hygon C86 7285 32-core Processor", "Hygon C86 7285", true},
    {SAME_MODEL, "Hygon C86 7285 32-core Processor", "Hygon C86 7185 32-core Processor", false},
    {SAME_MODEL, "Hygon C86 7285 32-core Processor", "Hygon 7285", true},
    {SAME_MODEL, "NVIDIA H100 80GB HBM3", "NVIDIA H100", true},
    {SAME_MODEL, "NVIDIA A100 80GB PCIe", "A100 PCIe", true},
    {SAME_TEXT, "a 1  2", "1 2", true},
    {SAME_MODEL, "12th Gen Intel Core i7-12700", "12th Gen Intel Core i5-12400", false},
    {SAME_MODEL, "12th Gen Intel Core i7-12700", "Intel i7-12700", true},
    {SAME_LIBRARIES, "CUDA 13.0, NCCL 2.28.3", "NCCL 2.28.3;CUDA 13.0", true},
    {SAME_LIBRARIES, "CUDA 13.0, NCCL 2.28.3", "CUDA 13.0；transformers==4.40.1", true},
    {SAME_LIBRARIES, "CUDA 13.0, NCCL 2.28.3", "cuda-13.0", true},
    {SAME_LIBRARIES, "CUDA 13.0, NCCL 2.28.3", "CUDA 13.0, NCCL 2.27.3", false},
    {SAME_LIBRARIES, "CUDA 13.0, NCCL 2.28.3", "OpenBLAS 0.3.21", false},
    {SAME_MEMORY, "-, 40536, 81920", "81559", true},
    {SAME_MEMORY, "-, -", "81559", false},
    {SAME_MEMORY, "40536", "81559", false},
};

static void ways_of_writing(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct project project = {0};
    struct audit audit = {.project = &project, .arena = &arena};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int turned = 0; turned < 2; turned++) {
            const char *x = turned ? rows[i].y : rows[i].x, *y = turned ? rows[i].x : rows[i].y;
            if (spelled_same(rows[i].kind, x, y, &audit, &arena) != rows[i].same)
                fail_msg("row %zu: '%s' and '%s', expected %s", i, x, y,
                         rows[i].same ? "the same" : "different");
        }
    arena_release(&arena);
}

static long kib_taken(void)
{
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    return used.ru_maxrss;
}

/* A fact has up to 12 KB, and so may a bullet: each piece of one is held against each of the other,
 * which must not take a copy each time (788 MiB), nor seconds for each of 1000 bullets. */
static void long_lists(void **state)
{
    (void)state;
    static const struct {
        enum same kind;
        const char *fill[2], *end[2];
    } lists[] = {
        {SAME_LIBRARIES, {"a1,", "a1,"}, {"", "b2"}},
        {SAME_SYSTEM, {"b ", "a "}, {"1", "b 1"}},
        {SAME_VERSION, {"1.1 ", "1.2 "}, {"", ""}},
        {SAME_MODEL, {"1", "111 "}, {"", ""}},
    };
    struct arena arena = ARENA_INIT;
    struct project project = {0};
    struct audit audit = {.project = &project, .arena = &arena};
    long before = kib_taken();
    clock_t begin = clock();
    for (size_t i = 0; i < 10 * sizeof lists / sizeof *lists; i++) {
        struct buf text[2];
        for (size_t k = 0; k < 2; k++) {
            const char *fill = lists[i % 4].fill[k];
            size_t most = i % 8 < 4 ? 12000 : 999;
            buf_init(&text[k], 16000);
            while (text[k].len + strlen(fill) + 3 < most)
                buf_str(&text[k], fill);
            buf_str(&text[k], lists[i % 4].end[k]);
        }
        spelled_same(lists[i % 4].kind, text[0].data, text[1].data, &audit, &arena);
        buf_release(&text[0]);
        buf_release(&text[1]);
    }
    assert_true(kib_taken() - before < 64 << 10);
    assert_true(pace_since(begin) < 12 * pace_seconds());
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways_of_writing),
                                       cmocka_unit_test(long_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
