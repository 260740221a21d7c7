#include "trainer/cards/card_tools.h"

#include "base/buf.h"
#include "trainer/cards/line_pattern.h"

#include <string.h>

/* nvidia-smi's table and those that are made after it:
 *   | GPU  Name   Persistence-M | Bus-Id    Disp.A | … |
 *   |   0  NVIDIA H200      On  | 00000000:00:06.0 Off | … |
 *   | N/A   33C    P0     78W / 700W | 0MiB / 143771MiB | 0%  Default | */
#define SMI_ROWS                                            \
    {FACT_ACCELERATOR_DRIVER, "*Driver Version: {w} *"},    \
        {FACT_ACCELERATOR_MODEL, "| {i} {t} *| *:*:*|*"},   \
        {FACT_ACCELERATOR_MEMORY, "|*C *|*MiB / {n}MiB*"},  \
        {FACT_ACCELERATOR_MEMORY_USED, "|*C *| {n}MiB /*"}, \
    {                                                       \
        FACT_ACCELERATOR_TEMPERATURE, "|* {n}C *|*MiB /*"   \
    }

/* clang-format off */
static const struct card_tool tools[] = {
    {.vendor = "nvidia", .file = "nvidia_monitor.log", .argv = {"nvidia-smi"},
     .picks = {3, 5, 9, 11, 13}, .counts = FACT_ACCELERATOR_MODEL,
     .rows = {SMI_ROWS, {FACT_ACCELERATOR_RUNTIME, "*CUDA Version: {w} *"}}},
    {.vendor = "iluvatar", .file = "iluvatar_monitor.log", .argv = {"ixsmi"},
     .picks = {3, 5, 9, 11, 13}, .counts = FACT_ACCELERATOR_MODEL,
     .rows = {SMI_ROWS, {FACT_ACCELERATOR_RUNTIME, "*CUDA Version: {w} *"}}},
    /* | MX-SMI 2.2.4     Kernel Mode Driver Version: 2.15.9 |
     * | 0   MetaX C550          | 0000:0f:00.0  | 0% |    or | 0  MetaX C500 | 0  Off | 0000:0e:00.0 |
     * | 29C  53W / 450W         | 858/65536 MiB | Available | */
    {.vendor = "metax", .file = "mx-smi_monitor.log", .argv = {"mx-smi"},
     .counts = FACT_ACCELERATOR_MODEL, .one_firmware = true,
     .rows = {{FACT_ACCELERATOR_DRIVER, "*Kernel Mode Driver Version: {w} *"},
              {FACT_ACCELERATOR_RUNTIME, "*MACA Version: {w} *"},
              {FACT_ACCELERATOR_FIRMWARE, "*BIOS Version: {w} *"},
              {FACT_ACCELERATOR_MODEL, "| {i} {t} |*:*:*.*|*"},
              {FACT_ACCELERATOR_MEMORY, "|*/{n} MiB *"},
              {FACT_ACCELERATOR_MEMORY_USED, "|*| {n}/* MiB *"},
              {FACT_ACCELERATOR_TEMPERATURE, "|* {n}C *|*MiB *"}}},
    /* As nvidia-smi's, with a third line for the L3. */
    {.vendor = "kunlunxin", .file = "kunlunxin_monitor.log", .argv = {"xpu-smi", "-m"},
     .ask = {"xpu-smi"}, .counts = FACT_ACCELERATOR_MODEL,
     .rows = {SMI_ROWS, {FACT_ACCELERATOR_RUNTIME, "*XPU-RT Version: {w} *"}}},
    /* Driver Version: 4.0
     * |     0 | 0000:53:00.0 | R300  | 02K… | /dev/xpu0  |  N |  0 % | 0 / 63 MB | 0 / 32768 MB | … */
    {.vendor = "kunlunxin", .file = "kunlunxin_monitor.log", .argv = {"xpu_smi"},
     .counts = FACT_ACCELERATOR_MODEL,
     .rows = {{FACT_ACCELERATOR_DRIVER, "Driver Version: {w}"},
              {FACT_ACCELERATOR_RUNTIME, "Runtime Version: {w}"},
              {FACT_ACCELERATOR_MODEL, "| {i} | *:*:* | {t} |*| /dev/*"},
              {FACT_ACCELERATOR_SERIAL, "| {i} | *:*:* | * | {w} | /dev/*"},
              {FACT_ACCELERATOR_MEMORY, "| {i} |*| /dev/*%*| {-} / {-} MB | {-} / {n} MB |*"},
              {FACT_ACCELERATOR_MEMORY_USED, "| {i} |*| /dev/*%*| {-} / {-} MB | {n} / *"}}},
    /*     mthreads-gmi:2.2.0           Driver Version:3.0.0
     * 0    MTT S4000            |00000000:08:00.0    |0%    0MiB(49152MiB) */
    {.vendor = "mthreads", .file = "mthreads_monitor.log", .argv = {"mthreads-gmi", "-q"},
     .ask = {"mthreads-gmi"}, .counts = FACT_ACCELERATOR_MODEL,
     .rows = {{FACT_ACCELERATOR_DRIVER, "*Driver Version:{w}"},
              {FACT_ACCELERATOR_MODEL, "{i} {t} |*:*:*|*"},
              {FACT_ACCELERATOR_MEMORY, "{i} *|*:*:*|*({n}MiB)*"},
              {FACT_ACCELERATOR_MEMORY_USED, "{i} *|*:*:*|*% {n}MiB(*"},
              {FACT_ACCELERATOR_TEMPERATURE, "*|*x(*|{n}C *"}}},
    /* | CNMON v5.10.22                       Driver v5.10.22 |
     * | 0     /   MLU370-X8    v1.1.6 |         0000:13:00.0 | 0%                  0 |
     * |  0%   28C        107 W/ 250 W |     0 MiB/ 20638 MiB | FULL          Default | */
    {.vendor = "cambricon", .file = "cambricon_monitor.log", .argv = {"cnmon"},
     .counts = FACT_ACCELERATOR_MODEL,
     .rows = {{FACT_ACCELERATOR_DRIVER, "| CNMON * Driver {w} |"},
              {FACT_ACCELERATOR_MODEL, "| {i} {-} {w} {-} |*:*:*|*"},
              {FACT_ACCELERATOR_FIRMWARE, "| {i} {-} {-} {w} |*:*:*|*"},
              {FACT_ACCELERATOR_MEMORY, "|*W |*MiB/ {n} MiB |*"},
              {FACT_ACCELERATOR_MEMORY_USED, "|*W | {n} MiB/*"},
              {FACT_ACCELERATOR_TEMPERATURE, "| {-} {n}C *W |*MiB/*"}}},
    /* | npu-smi 25.2.0                   Version: 25.2.0 |
     * | 0     910B4-1      | OK            | 91.3        33           0    / 0     |
     * | 0                  | 0000:01:00.0  | 0           0    / 0     3197 / 65536 |
     * older ones have one memory in the second line. */
    {.vendor = "ascend", .file = "ascend_monitor.log", .argv = {"npu-smi", "info"},
     .counts = FACT_ACCELERATOR_MODEL,
     .rows = {{FACT_ACCELERATOR_DRIVER, "| npu-smi * Version: {w} |"},
              {FACT_ACCELERATOR_MODEL, "| {i} {w} | {-} | {-} {-} {-} / {-} |"},
              {FACT_ACCELERATOR_MEMORY, "|*|*:*:*| {-} {i} / {i} {i} / {n} |"},
              {FACT_ACCELERATOR_MEMORY, "|*|*:*:*| {-} {i} / {n} |"},
              {FACT_ACCELERATOR_MEMORY_USED, "|*|*:*:*| {-} {i} / {i} {n} / {i} |"},
              {FACT_ACCELERATOR_MEMORY_USED, "|*|*:*:*| {-} {n} / {i} |"},
              {FACT_ACCELERATOR_TEMPERATURE, "| {i} {-} | {-} | {-} {n} {-} / {-} |"}}},
    /* DCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      DCU%      Mode
     * 0       49.0C    118.0W     auto     800.0W     0%         0%        Normal
     * Older ones have a fan and no mode: PwrCap is then the sixth word. No model, no memory in MiB. */
    {.vendor = "dcu", .file = "dcu_monitor.log", .argv = {"hy-smi"},
     .counts = FACT_ACCELERATOR_COUNT,
     .rows = {{FACT_ACCELERATOR_COUNT, "{n} {-} {-} {-} {-} {-} *%*"},
              {FACT_ACCELERATOR_TEMPERATURE, "{i} {n}.{-}C {-}W *%*"},
              {FACT_ACCELERATOR_TEMPERATURE, "{i} {n}.{-}c {-}W *%*"},
              {FACT_ACCELERATOR_POWER_LIMIT, "{i} {-} {-} {-} {n}.0W *"},
              {FACT_ACCELERATOR_POWER_LIMIT, "{i} {-} {-} {-} {-} {n}.0W *"}}},
    /* -a: "Driver version: 5.6.19", and for each card "GPU[0]  : Card series:  …", fact by fact.
     * AMD's cards, whose tool it is, are no DCUs. */
    {.vendor = "dcu", .file = "dcu_monitor.log", .argv = {"rocm-smi"}, .ask = {"rocm-smi", "-a"},
     .index = "*[{n}] :*", .not_of = "Advanced Micro Devices",
     .rows = {{FACT_ACCELERATOR_DRIVER, "Driver version: {w}"},
              {FACT_ACCELERATOR_FIRMWARE, "*[{i}] : VBIOS version: {w}"},
              {FACT_ACCELERATOR_MODEL, "*[{i}] : Card series: {t}"},
              {FACT_ACCELERATOR_MODEL, "*[{i}] : Card Series: {t}"},
              {FACT_ACCELERATOR_SERIAL, "*[{i}] : Serial Number: {w}"},
              {FACT_ACCELERATOR_UUID, "*[{i}] : Unique ID: {w}"}}},
};
/* clang-format on */
#define TOOLS (sizeof tools / sizeof *tools)
_Static_assert(TOOLS <= CARD_TOOLS_MAX, "more tools than CARD_TOOLS_MAX");

const struct card_tool *card_tools(size_t *n)
{
    *n = TOOLS;
    return tools;
}

const char *const *card_tool_question(const struct card_tool *t)
{
    return t->ask[0] ? t->ask : t->argv;
}

/* What one card says. */
struct card {
    const char *of[FACT_KINDS];
};

struct said_of_cards {
    const char *machine[FACT_KINDS]; /* what is said once, whatever the number of cards */
    struct card *cards;
    size_t n;
};

static bool is_of_machine(const struct card_tool *t, enum fact_id id)
{
    return id == FACT_ACCELERATOR_DRIVER || id == FACT_ACCELERATOR_RUNTIME ||
           (id == FACT_ACCELERATOR_FIRMWARE && t->one_firmware);
}

/* A word in the place of a value. */
static bool says_nothing(const char *text, size_t n)
{
    static const char *const words[] = {"-", "n/a", "na", "[n/a]", "none", "unknown", "err!"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncasecmp(text, words[i], n) == 0)
            return true;
    return false;
}

/* The facts of a line; false when it has none of a card. */
static bool take(const struct card_tool *t, const char *line, size_t n, struct arena *arena,
                 struct said_of_cards *said, struct card *found)
{
    bool any = false;
    for (size_t i = 0; i < CARD_ROWS_MAX && t->rows[i].pattern; i++) {
        enum fact_id id = t->rows[i].fact;
        bool once = is_of_machine(t, id);
        const char **to = once ? &said->machine[id] : &found->of[id], *from;
        size_t len;
        if (*to || !line_pattern_take(t->rows[i].pattern, line, n, &from, &len) ||
            len > CARD_VALUE_MAX || says_nothing(from, len))
            continue;
        *to = arena_strndup(arena, from, len);
        any = any || !once;
    }
    return any;
}

/* Cards stand one behind the other: the next one begins with the line that every card has, or where
 * something is said again, for of a card with an error that line may be another. */
static bool begins_card(const struct card_tool *t, const struct said_of_cards *said,
                        const struct card *found)
{
    if (said->n == 0 || found->of[t->counts])
        return true;
    for (enum fact_id i = 0; i < FACT_KINDS; i++)
        if (found->of[i] && said->cards[said->n - 1].of[i])
            return true;
    return false;
}

/* Whose line it is where lines say their card; CARDS_MAX: nobody's. */
static size_t stated_card(const struct card_tool *t, const char *line, size_t n)
{
    const char *from;
    size_t len, number = 0;
    if (!line_pattern_take(t->index, line, n, &from, &len) || len > 4)
        return CARDS_MAX;
    for (size_t i = 0; i < len; i++)
        number = 10 * number + (size_t)(from[i] - '0');
    return number;
}

static void keep(const struct card_tool *t, const char *line, size_t n, const struct card *found,
                 struct arena *arena, struct said_of_cards *said)
{
    size_t at = t->index                      ? stated_card(t, line, n)
                : begins_card(t, said, found) ? said->n
                                              : said->n - 1;
    if (at >= CARDS_MAX)
        return;
    while (said->n <= at)
        *(struct card *)ARENA_PUSH(arena, said->cards, said->n) = (struct card){{NULL}};
    for (enum fact_id i = 0; i < FACT_KINDS; i++)
        if (found->of[i] && !said->cards[at].of[i])
            said->cards[at].of[i] = found->of[i];
}

/* "-" for a card that does not tell; NULL when none does. */
static const char *joined(const struct said_of_cards *said, enum fact_id id, struct arena *arena)
{
    bool any = false, same = true;
    struct buf list;
    buf_init(&list, CARDS_MAX * (CARD_VALUE_MAX + 2));
    for (size_t i = 0; i < said->n; i++) {
        const char *one = said->cards[i].of[id], *first = said->cards[0].of[id];
        any = any || one;
        same = same && one && first && strcmp(one, first) == 0;
        buf_printf(&list, "%s%s", i ? ", " : "", one ? one : "-");
    }
    const char *out = !any ? NULL
                      : same && fact_kinds[id].class == FACT_STABLE
                          ? said->cards[0].of[id]
                          : arena_strdup(arena, list.data);
    buf_release(&list);
    return out;
}

bool card_tool_read(const struct card_tool *t, const char *output, struct arena *arena,
                    struct accelerator_facts *out)
{
    struct said_of_cards said = {{NULL}, NULL, 0};
    bool any = false;
    if (t->not_of && strstr(output, t->not_of))
        return false;
    for (const char *line = output; *line;) {
        const char *end = strchrnul(line, '\n');
        struct card found = {{NULL}};
        if (take(t, line, (size_t)(end - line), arena, &said, &found))
            keep(t, line, (size_t)(end - line), &found, arena, &said);
        line = *end ? end + 1 : end;
    }
    for (enum fact_id i = 0; i < FACT_KINDS; i++) {
        const char *value = said.machine[i] ? said.machine[i] : joined(&said, i, arena);
        if (value)
            out->of[i] = (struct accelerator_fact){value, NULL};
        any = any || value;
    }
    if (said.n)
        out->of[FACT_ACCELERATOR_COUNT] =
            (struct accelerator_fact){arena_printf(arena, "%zu", said.n), NULL};
    return any;
}
