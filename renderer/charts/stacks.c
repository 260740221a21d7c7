#include "renderer/charts/stacks.h"

#include "base/text.h"
#include "renderer/charts/svg.h"

#include <math.h>

#define WIDE 720.0
#define NARROW 360.0
#define TITLE_SIZE 15.0
#define STACK_STEP 26.0
#define STACK_BAR 16.0
#define STACK_LABEL 90.0
#define LEGEND 26.0

/* One drawing in one size. */
struct stack_plot {
    const struct chart_stacks *of;
    size_t first; /* of those that are drawn */
    double width, top;
    size_t most; /* results of the longest bar */
    struct arena *arena;
};

static size_t stack_total(const struct chart_stack *stack)
{
    size_t all = 0;
    for (int i = 0; i < STACK_STATES; i++)
        all += stack->counts[i];
    return all;
}

static void put_part(struct buf *out, const struct stack_plot *p, const struct chart_stack *stack,
                     int state, double x, double y, double width)
{
    const char *count = arena_printf(p->arena, "%zu", stack->counts[state]);
    buf_str(out, "<g>\n");
    svg_title(out, arena_printf(p->arena, "%s: %s %s", stack->label, count,
                                text_or_empty(p->of->state_words[state])));
    svg_rect(out, x, y, width, STACK_BAR,
             arena_printf(p->arena,
                          "fill=\"%s\" fill-opacity=\"%s\" stroke=\"var(--chart-ground,Canvas)\"",
                          icon_ink_of((enum state)state).colour,
                          state == STATE_UNVERIFIED || state == STATE_WITHDRAWN ? ".3" : ".55"));
    if (text_width(count, SVG_SMALL) + 4 < width)
        svg_text(out, x + width / 2, y + STACK_BAR - 4, ANCHOR_MIDDLE, "font-size=\"12\" " SVG_HALO,
                 count);
    buf_str(out, "</g>\n");
}

static void put_stack(struct buf *out, const struct stack_plot *p, const struct chart_stack *stack,
                      double y)
{
    double room = p->width - STACK_LABEL, x = STACK_LABEL;
    svg_text(out, 0, y + STACK_BAR - 4, ANCHOR_START, "font-size=\"12\"", stack->label);
    for (int i = 0; i < STACK_STATES; i++) {
        if (!stack->counts[i])
            continue;
        double width = room * (double)stack->counts[i] / (double)p->most;
        put_part(out, p, stack, i, x, y, width);
        x += width;
    }
}

/* The states that any bar has, each with its sign. */
static void put_stack_legend(struct buf *out, const struct stack_plot *p)
{
    double x = 6;
    for (int i = 0; i < STACK_STATES; i++) {
        size_t all = 0;
        for (size_t k = p->first; k < p->of->n; k++)
            all += p->of->stacks[k].counts[i];
        if (!all)
            continue;
        const char *word = text_or_empty(p->of->state_words[i]);
        icon_write(out, (enum state)i, x, p->top - 12, icon_ink_of((enum state)i));
        svg_text(out, x + 10, p->top - 8, ANCHOR_START, "font-size=\"12\"", word);
        x += text_width(word, SVG_SMALL) + 30;
    }
}

static void write_stacks_size(struct buf *out, const struct chart_stacks *stacks, bool narrow,
                              bool file)
{
    struct arena arena = ARENA_INIT;
    const char *lines[3];
    struct stack_plot p = {.of = stacks, .arena = &arena, .width = narrow ? NARROW : WIDE};
    size_t titles = text_wrapped(&arena, text_or_empty(stacks->title), TITLE_SIZE * SVG_BOLD,
                                 p.width, lines, 3);
    p.first = stacks->n > CHART_STACKS_MAX ? stacks->n - CHART_STACKS_MAX : 0;
    p.top = 20 * (double)titles + 8 + LEGEND;
    for (size_t i = p.first; i < stacks->n; i++)
        p.most =
            stack_total(&stacks->stacks[i]) > p.most ? stack_total(&stacks->stacks[i]) : p.most;
    struct svg_head head = {.id = arena_printf(&arena, "%.80s%s", stacks->id, narrow ? "-n" : ""),
                            .title = stacks->title,
                            .description = stacks->description,
                            .class = narrow ? "chart-narrow" : "chart-wide",
                            .width = p.width,
                            .height = ceil(p.top + STACK_STEP * (double)(stacks->n - p.first)),
                            .file = file};
    svg_begin(out, &head);
    svg_ready(out, &head);
    for (size_t i = 0; i < titles; i++)
        svg_text(out, 0, 16 + 20 * (double)i, ANCHOR_START, SVG_STRONG " font-size=\"15\"",
                 lines[i]);
    put_stack_legend(out, &p);
    for (size_t i = p.first; i < stacks->n; i++)
        put_stack(out, &p, &stacks->stacks[i], p.top + STACK_STEP * (double)(i - p.first));
    svg_end(out);
    arena_release(&arena);
}

void chart_stacks_write(struct buf *out, const struct chart_stacks *stacks, enum chart_size size)
{
    if (size != CHART_NARROW)
        write_stacks_size(out, stacks, false, size == CHART_FILE);
    if (size == CHART_NARROW || size == CHART_BOTH)
        write_stacks_size(out, stacks, true, false);
}
