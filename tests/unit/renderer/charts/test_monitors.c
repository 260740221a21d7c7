/* monitors: the lines of every vendor, and monitors that failed. */
#include "tests/unit/unit.h"

#include "verifier/runs/monitor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct arena arena;
    struct diags diags;
    struct monitor m;
};

static void read_bytes(struct fixture *f, const char *file, const char *text, size_t n)
{
    arena_init(&f->arena);
    diags_init(&f->diags, &f->arena);
    /* A copy without a NUL behind it, so that reading too far is seen by the sanitizer. */
    char *copy = malloc(n + !n);
    memcpy(copy, text, n);
    monitor_read(file, (struct bytes){copy, n}, &f->arena, &f->diags, &f->m);
    free(copy);
}

#define READ(f, file, text) read_bytes((f), (file), (text), strlen(text))

#define STAMP "2023-03-27-11:20:05\n"

static void five_fields_are_counted_by_card(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "x/nvidia_monitor.log",
         STAMP "31C 57W 15MiB 40536MiB 0%\n30C 54W 74MiB 40536MiB 3%\n\n"
               "2023-03-27-11:20:10\n41C 157W 30015MiB 40536MiB 90%\n40C 154W 30074MiB 40536MiB "
               "95%\r\n\n2023-03-27-11:20:15\n42C 177W 20000MiB 40536MiB 96%\n44C N/A 100MiB "
               "40536MiB 100%\n\n");
    assert_string_equal(f.m.kind, "nvidia");
    assert_int_equal(f.m.n_cards, 2);
    assert_int_equal(f.m.stamps, 3);
    assert_int_equal(f.m.readings, 6);
    assert_true(f.m.ends - f.m.begins == 10);
    const struct monitor_card *a = &f.m.cards[0], *b = &f.m.cards[1];
    assert_true(a->used_mib.peak == 30015 && a->typical_mib == 20000 && a->total_mib == 40536);
    assert_true(b->used_mib.peak == 30074 && b->typical_mib == 100);
    assert_true(a->watts.peak == 177 && fabs(a->watts.mean - 391.0 / 3) < 1e-9);
    assert_true(b->watts.n == 2 && b->watts.mean == 104 && b->celsius.peak == 44);
    assert_true(a->busy.peak == 0.96 && fabs(b->busy.mean - 0.66) < 1e-12);
    assert_int_equal(f.diags.n, 0);
    struct monitor_peaks p;
    monitor_peaks_init(&p);
    monitor_peaks_add(&p, &f.m);
    assert_true(p.card_mib == 30074 && p.card_typical_mib == 100 && p.card_watts == 177);
    assert_true(p.card_samples == 6 && p.cards == 2 && isnan(p.cpu_share));
    arena_release(&f.arena);
}

static void clocks_are_read(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "nvidia_clock_monitor.log",
         STAMP "1980MHz 3201MHz none\n345MHz - idle\n\n2023-03-27-11:20:10\n"
               "1500MHz 3201MHz power+thermal\n- 2619MHz -\n\n");
    assert_string_equal(f.m.kind, "nvidia");
    assert_int_equal(f.m.n_cards, 2);
    assert_int_equal(f.diags.n, 0);
    const struct monitor_card *a = &f.m.cards[0], *b = &f.m.cards[1];
    assert_true(a->sm_mhz.peak == 1980 && a->sm_mhz.mean == 1740 && a->memory_mhz.peak == 3201);
    assert_true(b->sm_mhz.n == 1 && b->sm_mhz.peak == 345 && b->memory_mhz.peak == 2619);
    struct monitor_peaks p;
    monitor_peaks_init(&p);
    monitor_peaks_add(&p, &f.m);
    assert_true(p.cards == 2 && p.card_samples == 0 && isnan(p.card_mib) && isnan(p.card_watts));
    arena_release(&f.arena);
}

/* A sample of two or more forms of each vendor, and what it says. */
static const struct {
    const char *file, *text;
    size_t cards;
    double celsius, watts, used, total, busy; /* of the last card, NAN: not given */
} vendors[] = {
    {"iluvatar_monitor.log", STAMP "26C N/A 513MiB 32768MiB 0%\n27C 51W 514MiB 32768MiB 7%\n", 2,
     27, 51, 514, 32768, 0.07},
    {"kunlunxin_monitor.log", STAMP "40C 114W 28653MiB 32768MiB 94%\n", 1, 40, 114, 28653, 32768,
     0.94},
    {"mthreads_monitor.log", STAMP "45C 109.51W 1MiB 32768MiB 0%\n", 1, 45, 109.51, 1, 32768, 0},
    {"cambricon_monitor.log",
     STAMP "31C 75 W/ 1024 MiB/ 81920 35%\n32C 76 W/ 1025 MiB/ 81920 36%\n", 2, 32, 76, 1025, 81920,
     0.36},
    {"cambricon_monitor.log", STAMP "32C 76 W/ 1025 MiB/ 81920 |\n", 1, 32, 76, 1025, 81920, NAN},
    {"mx-smi_monitor.log",
     STAMP "=================== MetaX System Management Interface Log ===\n"
           "| GPU         NAME       | Bus-id              | GPU-Util             |\n"
           "| Temp        Power      | Memory-Usage        |                      |\n"
           "|========================+=====================+======================|\n"
           "| 0           MXC500     | 0000:08:00.0        | 12%                  |\n"
           "| 35C         55W        | 914/65536 MiB       |                      |\n"
           "+------------------------+---------------------+----------------------+\n"
           "| 1           MXC500     | 0000:09:00.0        | 13%                  |\n"
           "| 36C         56W / 350W | 915/65536 MiB       |                      |\n",
     2, 36, 56, 915, 65536, 0.13},
    {"mx_monitor.log", STAMP "35C 58W 666/65536 MiB\n", 1, 35, 58, 666, 65536, NAN},
    {"ascend_monitor.log",
     STAMP "+-------------------------------------------------------------------------------+\n"
           "| npu-smi 22.0.3                            Version: 22.0.3                     |\n"
           "| NPU     Name      | Health          | Power(W)  Temp(C)   Hugepages-Usage(page) |\n"
           "| Chip    Device    | Bus-Id          | AICore(%) Memory-Usage(MB)                |\n"
           "| 4       910A      | OK              | NA        43        0          / 970      |\n"
           "| 0       0         | 0000:81:00.0    | 5         861  / 21534                    |\n",
     1, 43, NAN, 861, 21534, 0.05},
    {"ascend_monitor.log",
     STAMP "| 0     910B4       | OK              | 93.5      44        0    / 0              |\n"
           "| 0                 | 0000:C1:00.0    | 6         0    / 0          863  / 32768  |\n",
     1, 44, 93.5, 863, 32768, 0.06},
    {"dcu_monitor.log",
     STAMP "=====================System Management Interface ===============\n"
           "DCU  Temp   AvgPwr  Fan   Perf    PwrCap  VRAM%  DCU%\n"
           "0    31.0c  39.0W   0.0%  manual  280.0W   37%   0%\n"
           "1    32.5c  36.0W   0.0%  manual  280.0W   12%   9%\n",
     2, 32.5, 36, NAN, NAN, 0.09},
    {"dcu_monitor.log",
     STAMP "============================ System Management Interface ============\n"
           "HCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      HCU%      Mode\n"
           "0       51.0C    112.0W     auto     350.0W     3%         8.5%      Normal\n",
     1, 51, 112, NAN, NAN, 0.085},
    {"dcu_monitor.log", STAMP "0    25.0c  10.0W   14.9%  auto  170.0W  N/A    4%\n", 1, 25, 10,
     NAN, NAN, 0.04},
    {"cambricon_monitor.log",
     STAMP "31C 75 W/ 1024 MiB/ 81920 0%\n32C 76 W/ 1025 MiB/ 81920 N/A\n45%\n46%\n\n", 2, 32, 76,
     1025, 81920, NAN},
    {"mx-smi_monitor.log",
     STAMP "mx-smi  version: 2.1.12\n\n"
           "=================== MetaX System Management Interface Log ===================\n"
           "Timestamp                                         : Mon Mar  9 14:23:48 2026\n\n"
           "Attached GPUs                                     : 2\n"
           "| MX-SMI 2.1.12                       Kernel Mode Driver Version: 2.12.13         |\n"
           "| MACA Version: 2.29.0.19             BIOS Version: 1.20.3.0                      |\n"
           "|------------------------------------+---------------------+----------------------+\n"
           "| GPU         NAME                   | Bus-id              | GPU-Util             |\n"
           "| Temp        Pwr:Usage/Cap          | Memory-Usage        |                      |\n"
           "|====================================+=====================+======================|\n"
           "| 0           MetaX C500             | 0000:0e:00.0        | 0%                   |\n"
           "| 35C         54W / 350W             | 826/65536 MiB       |                      |\n"
           "+------------------------------------+---------------------+----------------------+\n"
           "| 1           MetaX C500             | 0000:0f:00.0        | 97%                  |\n"
           "| 52C         310W / 350W            | 60123/65536 MiB     |                      |\n"
           "+------------------------------------+---------------------+----------------------+\n"
           "| Process:                                                                        |\n"
           "|  GPU                    PID         Process Name                 GPU Memory     |\n"
           "|  1                   130424         python3                      59000          |\n",
     2, 52, 310, 60123, 65536, 0.97},
    {"ascend_monitor.log",
     STAMP
     "| NPU   Name                | Health        | Power(W)             Temp(C)          |\n"
     "| Chip  Phy-ID              | Bus-Id        | AICore(%)            Memory-Usage(MB) |\n"
     "| 0     Ascend910           | OK            | 178.5       36                0    / 0 |\n"
     "| 0     0                   | 0000:9D:00.0  | 0           0    / 0    3416 / 65536   |\n"
     "+---------------------------------------------------------------------------------+\n"
     "| 0     Ascend910           | OK            | -           37                0    / 0 |\n"
     "| 1     1                   | 0000:9F:00.0  | 6           0    / 0    3195 / 65536   |\n"
     "+===========================+===============+=====================================+\n"
     "| NPU     Chip              | Process id    | Process name      | Process memory(MB) |\n"
     "| 0       0                 | 3077          | python            | 3000               |\n",
     2, 37, NAN, 3195, 65536, 0.06},
};

static void every_vendor_has_its_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++) {
        struct fixture f;
        READ(&f, vendors[i].file, vendors[i].text);
        const struct monitor_card *c = &f.m.cards[vendors[i].cards - 1];
        assert_int_equal(f.m.n_cards, vendors[i].cards);
        const double seen[] = {c->celsius.peak, c->watts.peak, c->used_mib.peak, c->total_mib,
                               c->busy.peak};
        const double given[] = {vendors[i].celsius, vendors[i].watts, vendors[i].used,
                                vendors[i].total, vendors[i].busy};
        for (int k = 0; k < 5; k++)
            assert_true(seen[k] == given[k] || (isnan(seen[k]) && isnan(given[k])));
        assert_int_equal(f.diags.n, 0);
        arena_release(&f.arena);
    }
}

static void power_of_a_board_is_that_of_both_ranks(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "iluvatar_monitor.log",
         STAMP "26C 1W 513MiB 32768MiB 0%\n26C 51W 513MiB 32768MiB 0%\n");
    assert_true(f.m.cards[0].watts.peak == 51 && f.m.cards[1].watts.peak == 51);
    arena_release(&f.arena);
    READ(&f, "dcu_monitor.log", "3    31.0c  39.0W   0.0%  manual  280.0W   37%   0%\n");
    assert_int_equal(f.m.n_cards, 4);
    assert_true(f.m.cards[3].used_share.peak == 0.37);
    arena_release(&f.arena);
}

static void the_machine_has_shares_and_watts(void **state)
{
    (void)state;
    struct fixture f;
    READ(&f, "cpu_monitor.log", "2023-03-27-11:20:05\t0.0309\n2023-03-27-11:20:10\t0.5\n");
    assert_string_equal(f.m.kind, "cpu");
    assert_true(f.m.series.peak == 0.5 && f.m.series.n == 2 && f.m.ends - f.m.begins == 5);
    assert_int_equal(f.diags.n, 0);
    struct monitor_peaks p;
    monitor_peaks_init(&p);
    monitor_peaks_add(&p, &f.m);
    assert_true(p.cpu_share == 0.5 && isnan(p.memory_share));
    arena_release(&f.arena);
    READ(&f, "pwr_monitor.log",
         "2023-03-27-11:20:05\t\n2023-03-27-11:22:05\t3354\n2024-02-29-23:59:59\t3350\n");
    assert_true(f.m.series.peak == 3354 && f.m.series.mean == 3352 && f.m.stamps == 3);
    assert_true(f.m.ends == 1709251199); /* date -u -d 2024-02-29T23:59:59 +%s */
    assert_int_equal(f.diags.n, 0);
    arena_release(&f.arena);
    READ(&f, "mem_monitor.log", "2023-03-27-11:20:05\t1.5\n2023-03-27-11:20:10\t0.25\nsh: free\n");
    assert_true(f.m.series.peak == 0.25);
    assert_int_equal(f.diags.n, 1);
    assert_non_null(strstr(f.diags.items[0].message, "2 lines"));
    arena_release(&f.arena);
}

static void failed_monitors_are_findings_with_their_reason(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text, *message;
    } failed[] = {
        {"nvidia_monitor.log", STAMP "/bin/sh: 1: nvidia-smi: not found\n\n",
         "nvidia-smi: not found"},
        {"nvidia_monitor.log", "", "file is empty"},
        {"nvidia_monitor.log", STAMP "\n" STAMP "\n", "2 samples without a reading"},
        {"pwr_monitor.log", STAMP STAMP, "2 samples without a reading"},
        {"mx-smi_monitor.log", STAMP "\x1b[31mError\x07\n", "?[31mError?"},
        {"ascend_monitor.log", STAMP "\xff\xfe bad\n", "?? bad"},
        {"cpu_monitor.log", "mpstat: command not found\n", "mpstat"},
    };
    for (size_t i = 0; i < sizeof failed / sizeof failed[0]; i++) {
        struct fixture f;
        READ(&f, failed[i].file, failed[i].text);
        assert_int_equal(f.diags.n, 1);
        assert_int_equal(f.diags.items[0].severity, SEVERITY_WARNING);
        if (!strstr(f.diags.items[0].message, failed[i].message))
            fail_msg("%s", f.diags.items[0].message);
        arena_release(&f.arena);
    }
    struct fixture f;
    READ(&f, "nvidia_monitor.log",
         STAMP "31C 57W 15MiB 40536MiB 0%\n31C 57W 15MiB 40536MiB 0%\n" STAMP
               "31C 57W 15MiB 40536MiB 0%\n");
    assert_int_equal(f.diags.n, 1);
    assert_non_null(strstr(f.diags.items[0].message, "fewer cards than the 2"));
    arena_release(&f.arena);
    READ(&f, "rank0.out.log", "x");
    assert_null(f.m.kind);
    assert_false(monitor_is("rank0.out.log"));
    assert_true(monitor_is("a/b/ascend_monitor.log"));
    arena_release(&f.arena);
}

/* Every prefix, and bytes turned, of a dump: never a crash, never a card too many. */
static void cut_and_turned_dumps_are_read_without_harm(void **state)
{
    (void)state;
    static const char *const files[] = {"nvidia_monitor.log",    "nvidia_clock_monitor.log",
                                        "cambricon_monitor.log", "mx-smi_monitor.log",
                                        "ascend_monitor.log",    "dcu_monitor.log",
                                        "cpu_monitor.log"};
    const char text[] = STAMP "31C 57W 15MiB 40536MiB 0%\n1980MHz 3201MHz power+thermal\n"
                              "| 1           MXC500     | 0000:09:00.0        | 13%    |\n"
                              "| 36C         56W / 350W | 915/65536 MiB       |        |\n"
                              "| 4    910A  | OK           | NA        43   0     / 970 |\n"
                              "| 0    0     | 0000:81:00.0 | 5         861  / 21534     |\n"
                              "31C 75 W/ 1024 MiB/ 81920 35%\n"
                              "255  32.5c  36.0W   0.0%  manual  280.0W   12%   9%\n";
    unsigned seed = 3;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (size_t n = 0; n < sizeof text; n++) {
            char turned[sizeof text];
            struct fixture f;
            memcpy(turned, text, sizeof text);
            seed = seed * 1664525u + 1013904223u;
            turned[(seed >> 8) % sizeof text] = (char)(seed >> 24);
            read_bytes(&f, files[i], turned, n);
            assert_true(f.m.n_cards <= MONITOR_CARDS_MAX);
            arena_release(&f.arena);
        }
}

/* Far more samples than are drawn: fewer points, in order, and none of the largest is lost. */
static void points_keep_what_was_largest(void **state)
{
    enum { SAMPLES = 3 * MONITOR_POINTS_MAX + 5, PEAK = 4711 };
    struct fixture f;
    struct buf text;
    (void)state;
    buf_init(&text, BUF_DEFAULT_MAX);
    for (int i = 0; i < SAMPLES; i++)
        buf_printf(&text, "2026-11-20-%02d:%02d:%02d\t%d\n", i / 3600, i / 60 % 60, i % 60,
                   i == PEAK ? 9000 : 100 + i % 7);
    read_bytes(&f, "pwr_monitor.log", text.data, text.len);
    struct monitored_cards seen[MONITORED] = {{0}};
    monitor_collect(&f.m, &f.arena, seen);
    assert_int_equal(seen[MONITORED_TOTAL].n, 1);
    assert_int_equal(seen[MONITORED_POWER].n, 0);
    const struct samples *points = &seen[MONITORED_TOTAL].cards[0];
    assert_in_range(points->n, SAMPLES / 4 - 1, MONITOR_POINTS_MAX);
    size_t peaks = 0;
    for (size_t i = 0; i < points->n; i++) {
        assert_true(i == 0 || points->at[i] > points->at[i - 1]);
        peaks += points->value[i] == 9000 && points->at[i] == PEAK;
    }
    assert_int_equal(peaks, 1);
    assert_true(points->at[points->n - 1] >= SAMPLES - 4);
    buf_release(&text);
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_fields_are_counted_by_card),
        cmocka_unit_test(clocks_are_read),
        cmocka_unit_test(points_keep_what_was_largest),
        cmocka_unit_test(every_vendor_has_its_lines),
        cmocka_unit_test(power_of_a_board_is_that_of_both_ranks),
        cmocka_unit_test(the_machine_has_shares_and_watts),
        cmocka_unit_test(failed_monitors_are_findings_with_their_reason),
        cmocka_unit_test(cut_and_turned_dumps_are_read_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
