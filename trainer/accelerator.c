#include "trainer/accelerator.h"

#include "trainer/nvml.h"
#include "trainer/tool.h"

#include <string.h>

#define PICKS 5

struct accelerator_tool {
    const char *vendor, *file;
    const char *argv[4];
    /* Fields (from 1) of each line that holds "Default", for tools that print nvidia-smi's
     * table: temperature, power, used, total, use. All 0: the whole output is kept. */
    int picks[PICKS];
};

static const struct accelerator_tool tools[] = {
    {"nvidia", "nvidia_monitor.log", {"nvidia-smi"}, {3, 5, 9, 11, 13}},
    {"iluvatar", "iluvatar_monitor.log", {"ixsmi"}, {3, 5, 9, 11, 13}},
    {"metax", "mx-smi_monitor.log", {"mx-smi"}, {0}},
    {"kunlunxin", "kunlunxin_monitor.log", {"xpu-smi", "-m"}, {0}},
    {"mthreads", "mthreads_monitor.log", {"mthreads-gmi", "-q"}, {0}},
    {"cambricon", "cambricon_monitor.log", {"cnmon"}, {0}},
    {"ascend", "ascend_monitor.log", {"npu-smi", "info"}, {0}},
    {"dcu", "dcu_monitor.log", {"hy-smi"}, {0}},
    {"dcu", "dcu_monitor.log", {"rocm-smi"}, {0}},
};
#define TOOLS (sizeof tools / sizeof *tools)

static const char *list_of_tools(struct arena *arena)
{
    const char *list = tools[0].argv[0];
    for (size_t i = 1; i < TOOLS; i++)
        list = arena_printf(arena, "%s, %s", list, tools[i].argv[0]);
    return list;
}

void accelerators_open(struct accelerators *a, const char *library, struct arena *arena)
{
    *a = (struct accelerators){0};
    a->nvml = nvml_open(library, arena, &a->reason);
    for (size_t i = 0; !a->nvml && !a->tool && i < TOOLS; i++)
        if (tool_exists(tools[i].argv[0]))
            a->tool = &tools[i];
    if (a->nvml || a->tool)
        a->reason = NULL;
    else
        a->reason =
            arena_printf(arena, "%s; no tool in PATH (%s)", a->reason, list_of_tools(arena));
}

void accelerators_close(struct accelerators *a)
{
    nvml_close(a->nvml);
    *a = (struct accelerators){0};
}

const char *accelerators_log_name(const struct accelerators *a)
{
    if (a->nvml)
        return tools[0].file;
    return a->tool ? a->tool->file : NULL;
}

const char *accelerators_clock_log_name(const struct accelerators *a)
{
    return a->nvml ? "nvidia_clock_monitor.log" : NULL;
}

void accelerators_sample_clocks(const struct accelerators *a, struct buf *out)
{
    nvml_sample_clocks(a->nvml, out);
}

/* Field number `wanted` (from 1) of a line, as awk counts them. */
static void add_field(const char *line, const char *end, int wanted, struct buf *out)
{
    for (int n = 1; line < end; n++) {
        while (line < end && *line == ' ')
            line++;
        const char *from = line;
        while (line < end && *line != ' ')
            line++;
        if (n == wanted)
            buf_add(out, from, (size_t)(line - from));
    }
}

static size_t add_picked(const struct accelerator_tool *tool, const char *text, struct buf *out)
{
    size_t cards = 0;
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        if (memmem(line, (size_t)(end - line), "Default", strlen("Default"))) {
            for (int i = 0; i < PICKS; i++) {
                add_field(line, end, tool->picks[i], out);
                buf_char(out, i + 1 < PICKS ? ' ' : '\n');
            }
            cards++;
        }
        line = *end ? end + 1 : end;
    }
    return cards;
}

int accelerators_sample(const struct accelerators *a, struct buf *out, struct err *err)
{
    if (a->nvml) {
        nvml_sample(a->nvml, out);
        return 0;
    }
    struct buf said;
    buf_init(&said, TOOL_OUTPUT_MAX);
    int rc = tool_output(a->tool->argv, TOOL_TIMEOUT_MS, &said, err);
    if (rc == 0 && a->tool->picks[0])
        add_picked(a->tool, said.data, out);
    else if (rc == 0)
        buf_add(out, said.data, said.len);
    if (rc == 0 && out->len && out->data[out->len - 1] != '\n')
        buf_char(out, '\n');
    buf_release(&said);
    return rc;
}

static struct accelerator_fact known(const char *value, const char *otherwise)
{
    return (struct accelerator_fact){value, value ? NULL : otherwise};
}

static void describe_nvml(const struct nvml *n, struct arena *arena, struct accelerator_facts *out)
{
    static const char silent[] = "NVML does not tell";
    struct nvml_facts facts;
    nvml_describe(n, arena, &facts);
    *out = (struct accelerator_facts){
        .vendor = known("nvidia", NULL),
        .model = known(facts.model, silent),
        .count = known(arena_printf(arena, "%u", nvml_count(n)), NULL),
        .memory_mib = known(facts.memory_mib, silent),
        .driver = known(facts.driver, silent),
        .runtime = known(facts.cuda, silent),
    };
}

/* From the lines "31C 57W 15MiB 40536MiB 0%": how many, and the memory of the first. */
static void describe_picked(const char *lines, size_t cards, struct arena *arena,
                            struct accelerator_facts *out)
{
    struct buf total;
    out->count = known(arena_printf(arena, "%zu", cards), NULL);
    buf_init(&total, TOOL_OUTPUT_MAX);
    add_field(lines, strchrnul(lines, '\n'), 4, &total);
    size_t digits = strspn(total.data, "0123456789");
    if (digits && strcmp(total.data + digits, "MiB") == 0)
        out->memory_mib = known(arena_strndup(arena, total.data, digits), NULL);
    buf_release(&total);
}

static void describe_tool(const struct accelerator_tool *tool, struct arena *arena,
                          struct accelerator_facts *out)
{
    const char *name = tool->argv[0];
    struct accelerator_fact silent =
        known(NULL, arena_printf(arena, "%s is there, but its output is not taken apart", name));
    *out = (struct accelerator_facts){
        known(tool->vendor, NULL), silent, silent, silent, silent, silent};
    struct buf said, lines;
    struct err err = ERR_INIT;
    buf_init(&said, TOOL_OUTPUT_MAX);
    buf_init(&lines, TOOL_OUTPUT_MAX);
    if (tool_output(tool->argv, TOOL_TIMEOUT_MS, &said, &err) < 0) {
        silent = known(NULL, arena_strdup(arena, err.text));
        *out = (struct accelerator_facts){
            known(tool->vendor, NULL), silent, silent, silent, silent, silent};
    } else if (tool->picks[0]) {
        size_t cards = add_picked(tool, said.data, &lines);
        if (cards)
            describe_picked(lines.data, cards, arena, out);
    }
    buf_release(&said);
    buf_release(&lines);
}

void accelerators_describe(const struct accelerators *a, struct arena *arena,
                           struct accelerator_facts *out)
{
    struct accelerator_fact none = known(NULL, "no accelerator was found");
    *out = (struct accelerator_facts){known(NULL, a->reason), none, none, none, none, none};
    if (a->nvml)
        describe_nvml(a->nvml, arena, out);
    else if (a->tool)
        describe_tool(a->tool, arena, out);
}
