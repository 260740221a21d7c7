/* card_tools: outputs of the eight vendors' tools (tests/data/tools), and of tools that lie. */
#include "tests/unit/unit.h"

#include "base/files/file.h"
#include "trainer/cards/card_facts.h"
#include "trainer/cards/tool.h"

#include <string.h>

#define SAMPLES "tests/data/tools/"

static const struct card_tool *tool_of(const char *name)
{
    for (size_t i = 0; card_tools[i]; i++)
        if (card_tools[i]->argv[0] && strcmp(card_tools[i]->argv[0], name) == 0)
            return card_tools[i];
    fail_msg("no tool %s", name);
    return NULL;
}

#define FACT(name) FACT_ACCELERATOR_##name

static const struct {
    const char *file, *tool;
    struct {
        enum fact_id id;
        const char *value;
    } facts[9];
} samples[] = {
    {"nvidia-smi.txt",
     "nvidia-smi",
     {{FACT(MODEL), "NVIDIA H200"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "143771"},
      {FACT(MEMORY_USED), "0, 0"},
      {FACT(DRIVER), "580.159.04"},
      {FACT(RUNTIME), "13.0"},
      {FACT(TEMPERATURE), "33, 33"}}},
    {"ixsmi.txt",
     "ixsmi",
     {{FACT(MODEL), "Iluvatar BI-V150"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "32768"},
      {FACT(MEMORY_USED), "27000, 27100"},
      {FACT(DRIVER), "4.1.2"},
      {FACT(RUNTIME), "10.2"},
      {FACT(TEMPERATURE), "38, 41"}}},
    {"efsmi.txt",
     "efsmi",
     {{FACT(MODEL), "Enflame S60"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "49120"},
      {FACT(DRIVER), "1.2.0.301"},
      {FACT(FIRMWARE), "33.6.2"},
      {FACT(TEMPERATURE), "39, 41"}}},
    {"mx-smi.txt",
     "mx-smi",
     {{FACT(MODEL), "MetaX C500"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "65536"},
      {FACT(MEMORY_USED), "826, 60123"},
      {FACT(DRIVER), "2.12.13"},
      {FACT(RUNTIME), "2.29.0.19"},
      {FACT(FIRMWARE), "1.20.3.0"},
      {FACT(TEMPERATURE), "35, 52"}}},
    {"mx-smi-2.2.9.txt",
     "mx-smi",
     {{FACT(MODEL), "MetaX C500"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "65536"},
      {FACT(MEMORY_USED), "826, 827"},
      {FACT(DRIVER), "3.4.4"},
      {FACT(RUNTIME), "3.3.0.15"},
      {FACT(FIRMWARE), "1.30.0.0"},
      {FACT(TEMPERATURE), "35, 37"}}},
    {"xpu-smi.txt",
     "xpu-smi",
     {{FACT(MODEL), "P800 OAM"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "98304"},
      {FACT(MEMORY_USED), "31058, 0"},
      {FACT(DRIVER), "5.0.21.26"},
      {FACT(RUNTIME), "5.0.21"},
      {FACT(TEMPERATURE), "39, 40"}}},
    {"xpu_smi.txt",
     "xpu_smi",
     {{FACT(MODEL), "R300"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "32768"},
      {FACT(MEMORY_USED), "0, 8"},
      {FACT(DRIVER), "4.0"},
      {FACT(RUNTIME), "4.31"},
      {FACT(SERIAL), "02K00Y0000V00001, 02K00Y0000V00002"}}},
    {"mthreads-gmi.txt",
     "mthreads-gmi",
     {{FACT(MODEL), "MTT S4000"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "49152"},
      {FACT(MEMORY_USED), "0, 41210"},
      {FACT(DRIVER), "3.0.0"},
      {FACT(TEMPERATURE), "44, 61"}}},
    {"cnmon.txt",
     "cnmon",
     {{FACT(MODEL), "MLU370-X8"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "20638"},
      {FACT(MEMORY_USED), "0, 19000"},
      {FACT(DRIVER), "v5.10.22"},
      {FACT(FIRMWARE), "v1.1.6, v1.1.7"},
      {FACT(TEMPERATURE), "28, 62"}}},
    {"npu-smi.txt",
     "npu-smi",
     {{FACT(MODEL), "910B3"},
      {FACT(COUNT), "2"},
      {FACT(MEMORY), "65536"},
      {FACT(MEMORY_USED), "3197, 60001"},
      {FACT(DRIVER), "25.2.0"},
      {FACT(TEMPERATURE), "33, 34"}}},
    {"npu-smi-22.txt",
     "npu-smi",
     {{FACT(MODEL), "910A"},
      {FACT(COUNT), "1"},
      {FACT(MEMORY), "21534"},
      {FACT(MEMORY_USED), "861"},
      {FACT(DRIVER), "22.0.3"},
      {FACT(TEMPERATURE), "43"}}},
    {"hy-smi.txt",
     "hy-smi",
     {{FACT(COUNT), "2"}, {FACT(TEMPERATURE), "49, 48"}, {FACT(POWER_LIMIT), "800"}}},
    {"rocm-smi-a.txt",
     "rocm-smi",
     {{FACT(MODEL), "K100"},
      {FACT(COUNT), "2"},
      {FACT(DRIVER), "5.6.19"},
      {FACT(FIRMWARE), "113-D65201-046"},
      {FACT(SERIAL), "692100000001, 692100000002"},
      {FACT(UUID), "0x00000000deadbee0, 0x00000000deadbee1"}}},
};
#define SAMPLES_N (sizeof samples / sizeof *samples)
#define FACTS_N (sizeof samples[0].facts / sizeof samples[0].facts[0])

static const char *sample(const char *name, struct arena *arena)
{
    struct bytes text;
    struct err err = ERR_INIT;
    if (file_read(arena_printf(arena, SAMPLES "%s", name), 1 << 20, arena, &text, &err) < 0)
        fail_msg("%s", err.text);
    return text.data;
}

/* Every fact of a sample, and no other. */
static void samples_are_taken_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES_N; i++) {
        struct arena arena = ARENA_INIT;
        struct accelerator_facts out = {0};
        size_t expected = 0, found = 0;
        assert_true(card_facts_read(tool_of(samples[i].tool), sample(samples[i].file, &arena),
                                    &arena, &out));
        for (size_t k = 0; k < FACTS_N && samples[i].facts[k].value; k++, expected++) {
            const char *value = out.of[samples[i].facts[k].id].value;
            if (!value || strcmp(value, samples[i].facts[k].value) != 0)
                fail_msg("%s: %s is '%s', expected '%s'", samples[i].file,
                         fact_kinds[samples[i].facts[k].id].key, value ? value : "-",
                         samples[i].facts[k].value);
        }
        for (size_t k = 0; k < FACT_KINDS; k++)
            found += out.of[k].value != NULL;
        if (found != expected)
            fail_msg("%s: %zu facts, expected %zu", samples[i].file, found, expected);
        arena_release(&arena);
    }
}

/* A card that does not tell something is counted, and moves no other card's values. */
static const struct {
    const char *tool, *output;
    struct {
        enum fact_id id;
        const char *value;
    } facts[4];
} faulty[] = {
    {"nvidia-smi",
     "|   0  A100   On   | 00000000:07:00.0 Off |  0 |\n"
     "| N/A  29C  P0  51W / 400W |  ERR! |  0%  Default |\n"
     "|   1  A100   On   | 00000000:08:00.0 Off |  0 |\n"
     "| N/A  30C  P0  51W / 400W |  1MiB / 40536MiB |  0%  Default |\n"
     "|   2  A100   On   | ERR! |  ERR! |\n"
     "| N/A  31C  P0  51W / 400W |  2MiB / 40536MiB |  0%  Default |\n",
     {{FACT(COUNT), "3"},
      {FACT(MODEL), "A100, A100, -"},
      {FACT(MEMORY), "-, 40536, 40536"},
      {FACT(TEMPERATURE), "-, 30, 31"}}},
    {"cnmon",
     "| 0  /  MLU370-X8  N/A | 0000:13:00.0 | 0% 0 |\n|  0%  28C  1 W/ 2 W | 0 MiB/ 5 MiB | FULL "
     "|\n"
     "| 1  /  MLU370-X8  | 0000:14:00.0 | 0% 0 |\n|  0%  29C  1 W/ 2 W | 0 MiB/ 5 MiB | FULL |\n",
     {{FACT(COUNT), "2"},
      {FACT(MODEL), "MLU370-X8, -"},
      {FACT(FIRMWARE), NULL},
      {FACT(TEMPERATURE), "28, 29"}}},
    {"hy-smi",
     "0 N/A N/A auto N/A 0% 0% Normal\n1 48.0C 1.0W auto 800.0W 0% 0% Normal\n",
     {{FACT(COUNT), "2"}, {FACT(TEMPERATURE), "-, 48"}, {FACT(POWER_LIMIT), "-, 800"}}},
    {"rocm-smi",
     "GPU[0] : VBIOS version: 1-2\nGPU[1] : VBIOS version: N/A\nGPU[1] : Card Series: K100\n"
     "GPU[1] : Serial Number: 77\nGPU[99999] : Serial Number: 78\n",
     {{FACT(COUNT), "2"},
      {FACT(MODEL), "-, K100"},
      {FACT(FIRMWARE), "1-2, -"},
      {FACT(SERIAL), "-, 77"}}},
    {"xpu_smi", /* a model of two words hides no serial number */
     "| 0 | 0000:53:00.0 | P800 OAM | 02K1 | /dev/xpu0 | N | 0 % | 0 / 63 MB | 0 / 32768 MB | 5 "
     "|\n",
     {{FACT(COUNT), "1"}, {FACT(MODEL), "P800 OAM"}, {FACT(SERIAL), "02K1"}}},
    {"mx-smi",
     "| MACA Version: unknown   BIOS Version: 1.13.5.0  |\n| 0  MXC500 | 0000:0e:00.0 | 0% |\n"
     "| 1  MXC500 | 0000:0f:00.0 | 0% |\n",
     {{FACT(COUNT), "2"},
      {FACT(MODEL), "MXC500"},
      {FACT(FIRMWARE), "1.13.5.0"},
      {FACT(RUNTIME), NULL}}},
};

static void a_card_that_does_not_tell(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        struct arena arena = ARENA_INIT;
        struct accelerator_facts out = {0};
        assert_true(card_facts_read(tool_of(faulty[i].tool), faulty[i].output, &arena, &out));
        for (size_t k = 0; k < 4 && faulty[i].facts[k].id; k++) {
            const char *value = out.of[faulty[i].facts[k].id].value;
            const char *expected = faulty[i].facts[k].value;
            if ((value != NULL) != (expected != NULL) || (value && strcmp(value, expected) != 0))
                fail_msg("%s: %s is '%s', expected '%s'", faulty[i].tool,
                         fact_kinds[faulty[i].facts[k].id].key, value ? value : "-",
                         expected ? expected : "-");
        }
        arena_release(&arena);
    }
}

/* rocm-smi is AMD's tool, too. */
static void cards_of_somebody_else(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct accelerator_facts out = {0};
    assert_false(card_facts_read(tool_of("rocm-smi"),
                                 "GPU[0] : Card Series: AMD Instinct MI300X\n"
                                 "GPU[0] : Card Vendor: Advanced Micro Devices, Inc. [AMD/ATI]\n",
                                 &arena, &out));
    assert_null(out.of[FACT(COUNT)].value);
    arena_release(&arena);
}

static void every_vendor_has_a_tool_and_a_sample(void **state)
{
    (void)state;
    static const char *const vendors[] = {"nvidia",   "iluvatar",  "metax",  "kunlunxin",
                                          "mthreads", "cambricon", "ascend", "dcu"};
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++) {
        bool there = false;
        for (size_t k = 0; card_tools[k]; k++)
            there = there || strcmp(card_tools[k]->vendor, vendors[i]) == 0;
        assert_true(there);
    }
    for (size_t k = 0; card_tools[k]; k++) {
        bool tried = !card_tools[k]->argv[0];
        for (size_t i = 0; i < SAMPLES_N; i++)
            tried = tried || strcmp(samples[i].tool, card_tools[k]->argv[0]) == 0;
        if (!tried)
            fail_msg("%s has no sample", card_tools[k]->argv[0]);
    }
}

/* Any tool may print anything: each reads every sample, cut at every byte and with a byte changed.
 */
static void nothing_is_trusted(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES_N; i++) {
        struct arena arena = ARENA_INIT;
        char *text = arena_strdup(&arena, sample(samples[i].file, &arena));
        size_t len = strlen(text);
        const struct card_tool *own = tool_of(samples[i].tool);
        for (size_t at = len; at-- > 0;) {
            struct arena scratch = ARENA_INIT;
            struct accelerator_facts out = {0};
            char kept = text[at];
            text[at] = "|*{ 9\n"[at % 6];
            card_facts_read(own, text, &scratch, &out);
            text[at] = at % 7 ? kept : '\0'; /* and shorter and shorter */
            arena_release(&scratch);
        }
        for (size_t k = 0; card_tools[k]; k++) {
            struct accelerator_facts out = {0};
            card_facts_read(card_tools[k], sample(samples[i].file, &arena), &arena, &out);
        }
        arena_release(&arena);
    }
}

static void what_is_huge_or_empty(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct accelerator_facts out = {0};
    const struct card_tool *t = tool_of("cnmon");
    assert_false(card_facts_read(t, "", &arena, &out));
    assert_false(card_facts_read(t, "\n\n\r\n", &arena, &out));
    assert_false(card_facts_read(t, "command not found\n", &arena, &out));
    struct buf many;
    buf_init(&many, TOOL_OUTPUT_MAX);
    while (many.len < TOOL_OUTPUT_MAX - 100)
        buf_str(&many, "| 0  /  MLU370-X8  v1.1.6 | 0000:13:00.0 | 0% 0 |\n");
    assert_true(card_facts_read(t, many.data, &arena, &out));
    assert_string_equal(out.of[FACT(COUNT)].value, "1024"); /* CARDS_MAX */
    assert_string_equal(out.of[FACT(MODEL)].value, "MLU370-X8");
    buf_clear(&many);
    while (many.len < TOOL_OUTPUT_MAX - 100) /* one line, made to be gone through again and again */
        buf_str(&many, "| 0 : : | MiB/ 1 ");
    out = (struct accelerator_facts){0};
    assert_false(card_facts_read(t, many.data, &arena, &out));
    buf_release(&many);
    arena_release(&arena);
}

/* Every pattern of the table is one, and takes something. */
static void every_row_can_be_compiled(void **state)
{
    (void)state;
    for (size_t i = 0; card_tools[i]; i++) {
        const struct card_tool *t = card_tools[i];
        struct arena arena = ARENA_INIT;
        struct card_lines lines;
        struct err err = ERR_INIT;
        if (card_lines_compile(t, &arena, &lines, &err) < 0)
            fail_msg("%s: %s", t->vendor, err.text);
        assert_true(t->vendor && t->files[0]);
        assert_true(t->argv[0] ? t->facts[0] != NULL : t->cards[0] != NULL);
        arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_taken_apart),
        cmocka_unit_test(a_card_that_does_not_tell),
        cmocka_unit_test(cards_of_somebody_else),
        cmocka_unit_test(every_vendor_has_a_tool_and_a_sample),
        cmocka_unit_test(nothing_is_trusted),
        cmocka_unit_test(what_is_huge_or_empty),
        cmocka_unit_test(every_row_can_be_compiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
