#include "trainer/cards/accelerator.h"

#include "base/cards/declared.h"
#include "trainer/cards/card_facts.h"
#include "trainer/cards/nvml.h"
#include "trainer/cards/tool.h"

#include <string.h>

/* What a tool says of cards; NULL, or why it says nothing. */
static const char *ask_card_tool(const struct card_tool *tool, struct arena *arena,
                                 struct accelerator_facts *out)
{
    const char *why = NULL;
    struct buf said = BUF_INIT(TOOL_OUTPUT_MAX);
    struct err err = ERR_INIT;
    if (tool_output(tool->ask[0] ? tool->ask : tool->argv, TOOL_TIMEOUT_MS, &said, &err) < 0)
        why = arena_strdup(arena, err.text);
    else if (!card_facts_read(tool, said.data, arena, out))
        why = arena_printf(arena, "the output of %s has an unknown format", tool->argv[0]);
    else if (!out->of[FACT_ACCELERATOR_COUNT].value) /* but of a driver, maybe */
        why = arena_printf(arena, "%s lists no card", tool->argv[0]);
    buf_release(&said);
    return why;
}

/* A tool in PATH is no card: it may be left of another machine's image, or another vendor's of the
 * same name. Of several the first one that knows of cards is taken; else the first one, to be asked
 * again: a driver may have been busy. */
static const struct card_tool *choose_tool(const struct declared_tools *declared,
                                           struct arena *arena)
{
    const struct card_tool **there =
        arena_array(arena, CARD_TOOLS_MAX + declared->n, sizeof *there);
    size_t found = 0;
    for (size_t i = 0; card_tools[i]; i++)
        if (card_tools[i]->argv[0] && tool_exists(card_tools[i]->argv[0]))
            there[found++] = card_tools[i];
    for (size_t i = 0; i < declared->n; i++)
        if (tool_exists(declared->rows[i]->argv[0]))
            there[found++] = declared->rows[i];
    for (size_t i = 0; found > 1 && i < found; i++) {
        struct accelerator_facts facts = {0};
        if (!ask_card_tool(there[i], arena, &facts))
            return there[i];
    }
    return found ? there[0] : NULL;
}

void accelerators_open(struct accelerators *a, const char *library, const char *salt,
                       const struct declared_tools *declared, struct arena *arena)
{
    *a = (struct accelerators){0};
    salt_open(&a->salt, salt, arena);
    a->nvml = nvml_open(library, arena, &a->reason);
    a->tool = a->nvml ? NULL : choose_tool(declared, arena);
    if (a->nvml || a->tool)
        a->reason = NULL;
    else {
        const char *list = NULL;
        for (size_t i = 0; card_tools[i]; i++)
            if (card_tools[i]->argv[0])
                list = arena_printf(arena, "%s%s%s", list ? list : "", list ? ", " : "",
                                    card_tools[i]->argv[0]);
        for (size_t i = 0; i < declared->n; i++)
            list = arena_printf(arena, "%s, %s", list, declared->rows[i]->argv[0]);
        a->reason = arena_printf(arena, "%s; no tool in PATH (%s)", a->reason, list);
    }
}

void accelerators_close(struct accelerators *a)
{
    nvml_close(a->nvml);
    *a = (struct accelerators){0};
}

const char *accelerators_log_name(const struct accelerators *a)
{
    return a->nvml ? "nvidia_monitor.log" : a->tool ? a->tool->files[0] : NULL;
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

static void add_picked(const struct card_tool *tool, const char *text, struct buf *out)
{
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        if (memmem(line, (size_t)(end - line), "Default", strlen("Default"))) {
            for (int i = 0; i < CARD_PICKS; i++) {
                add_field(line, end, tool->picks[i], out);
                buf_char(out, i + 1 < CARD_PICKS ? ' ' : '\n');
            }
        }
        line = *end ? end + 1 : end;
    }
}

/* A line of our own for each card. */
static int add_summed(const struct card_tool *tool, const char *text, struct buf *out,
                      struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct card_lines lines;
    struct card_sample sample = {.has_more = false};
    struct card_reading x;
    size_t cards = 0;
    int rc = card_lines_compile(tool, &arena, &lines, err);
    for (struct span rest = span_of(text); rc == 0 && rest.n;) {
        struct span line = span_trim(span_cut(&rest, '\n'));
        if (card_sample_read(&sample, &lines, line, &x) == CARD_LINE_CARD && cards++ < CARDS_MAX)
            declared_tool_print(&x, out);
    }
    arena_release(&arena);
    return rc;
}

int accelerators_sample(const struct accelerators *a, struct buf *out, struct err *err)
{
    if (a->nvml) {
        nvml_sample(a->nvml, out);
        return 0;
    }
    struct buf said = BUF_INIT(4 * TOOL_OUTPUT_MAX);
    int rc = card_output(a->tool->argv, &a->salt, &said, err);
    if (rc == 0 && a->tool->picks[0])
        add_picked(a->tool, said.data, out);
    else if (rc == 0 && a->tool->summed)
        rc = add_summed(a->tool, said.data, out, err);
    else if (rc == 0)
        buf_add(out, said.data, said.len);
    if (rc == 0 && out->len && out->data[out->len - 1] != '\n')
        buf_char(out, '\n');
    buf_release(&said);
    return rc;
}

static void set(struct accelerator_facts *out, enum fact_id id, const char *value,
                const char *otherwise)
{
    out->of[id] = (struct accelerator_fact){value, value ? NULL : otherwise};
}

/* Nothing is known of any kind, for this reason. */
static void set_all(struct accelerator_facts *out, const char *reason)
{
    *out = (struct accelerator_facts){0};
    for (enum fact_id i = 0; i < FACT_KINDS; i++)
        set(out, i, NULL, reason);
}

void accelerators_describe(const struct accelerators *a, struct arena *arena,
                           struct accelerator_facts *out)
{
    set_all(out, a->nvml ? "NVML does not state this value" : "no accelerator was found");
    if (a->nvml) {
        set(out, FACT_ACCELERATOR_VENDOR, "nvidia", NULL);
        nvml_describe(a->nvml, arena, out);
    } else if (a->tool) {
        set_all(out, arena_printf(arena, "%s does not state this value", a->tool->argv[0]));
        const char *why = ask_card_tool(a->tool, arena, out);
        if (why)
            set_all(out, why);
        else /* whose cards they are is known where a tool knows of cards */
            set(out, FACT_ACCELERATOR_VENDOR, a->tool->vendor, NULL);
    } else {
        set(out, FACT_ACCELERATOR_VENDOR, NULL, a->reason);
    }
}
