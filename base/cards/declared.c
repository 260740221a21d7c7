#include "base/cards/declared.h"

#include "base/arena.h"

#include <string.h>

/* The monitor file of every declared tool. */
const struct card_tool card_tool_declared = {
    .vendor = "declared",
    .files = {DECLARED_FILE_END},
    .cards = {"{celsius}C {watts}W {used}MiB {memory}MiB {busy}% {used_share}%"},
};

static const struct printed {
    enum card_field_id field;
    const char *unit;
} printed[] = {{CARD_CELSIUS, "C"},      {CARD_WATTS, "W"}, {CARD_USED_MIB, "MiB"},
               {CARD_MEMORY_MIB, "MiB"}, {CARD_BUSY, "%"},  {CARD_USED_SHARE, "%"}};

void declared_tool_print(const struct card_reading *x, struct buf *out)
{
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        double value = x->value[printed[i].field];
        buf_str(out, i ? " " : "");
        if (isfinite(value))
            buf_printf(out, "%.10g%s", value, printed[i].unit);
        else
            buf_printf(out, "-%s", printed[i].unit);
    }
    buf_char(out, '\n');
}

/* Fields of which each card has one of its own. */
static const char *const begins[] = {"model",   "card", "serial", "uuid",
                                     "celsius", "used", "memory", NULL};

static const struct field fields[] = {
    FIELD_LIST(TEXTS, struct declared_tool, command, .required = true,
               .doc = "program in PATH and its arguments, 8 words at most; only `train` and "
                      "`fingerprint` run this program, without a shell, for at most 10 s"),
    FIELD_LIST(TEXTS, struct declared_tool, facts, .required = true,
               .doc = "[patterns](#patterns) of the tool's output lines that contain facts, 16 at "
                      "most"),
    FIELD(CHOICE, struct declared_tool, begins, .choices = begins,
          .doc = "field in `facts` with which the lines about a card begin (default `model`)"),
    FIELD_LIST(TEXTS, struct declared_tool, cards,
               .doc = "patterns of the output line that a monitor reads for each card, 4 at most"),
    FIELD_LIST(TEXTS, struct declared_tool, more,
               .doc = "patterns of an earlier output line about the same card, 4 at most"),
};

static void declared_fault(struct shape_load_ctx *ctx, const struct json *at, const char *message)
{
    diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col, "%s", message);
}

static void check_patterns(const char *const *patterns, size_t n, size_t max, const struct json *at,
                           struct shape_load_ctx *ctx)
{
    struct pattern *compiled;
    struct err err = ERR_INIT;
    if (n > max)
        declared_fault(
            ctx, at, arena_printf(ctx->arena, "found %zu patterns, expected %zu at most", n, max));
    for (size_t i = 0; i < n && i < max; i++) {
        if (pattern_compile(patterns[i], &card_fields, ctx->arena, &compiled, &err) < 0) {
            declared_fault(ctx, at, err.text);
            return;
        }
        if (!pattern_fields(compiled)) {
            declared_fault(
                ctx, at,
                arena_printf(ctx->arena, "the pattern \"%s\" takes no field", patterns[i]));
            return;
        }
    }
}

static void check_tool(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct declared_tool *d = value;
    if (d->n_command == 0 || d->n_command >= CARD_ARGUMENTS_MAX)
        declared_fault(ctx, at,
                       arena_printf(ctx->arena, "found %zu parts of a command, expected 1 to %d",
                                    d->n_command, CARD_ARGUMENTS_MAX - 1));
    else if (!shape_is_id(d->command[0]))
        declared_fault(
            ctx, at,
            "found a program that is not a plain name, expected the name of a program in PATH: "
            "letters, digits, '.', '_', '+', '-'");
    for (size_t i = 0; i < d->n_command; i++)
        if (strlen(d->command[i]) > DECLARED_ARGUMENT_MAX)
            declared_fault(ctx, at,
                           arena_printf(ctx->arena, "found an argument of more than %d bytes",
                                        DECLARED_ARGUMENT_MAX));
    check_patterns(d->facts, d->n_facts, CARD_FACT_LINES_MAX, at, ctx);
    check_patterns(d->cards, d->n_cards, CARD_SAMPLE_LINES_MAX, at, ctx);
    check_patterns(d->more, d->n_more, CARD_SAMPLE_LINES_MAX, at, ctx);
}

const struct shape declared_tool_shape =
    SHAPE("card_tool", struct declared_tool, fields,
          .doc = "A card tool is a program of the vendor that prints facts about the vendor's "
                 "cards, such as nvidia-smi.",
          .check = check_tool);

static enum fact_id fact_of_name(const char *name)
{
    for (size_t i = 0; i < CARD_FIELDS; i++)
        if (strcmp(card_fields.rows[i].name, name) == 0)
            return card_field_facts[i];
    return FACT_KINDS;
}

static void take_texts(const char **to, size_t max, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n && i < max; i++)
        to[i] = texts[i];
}

const struct card_tool *declared_tool_row(const struct declared_tool *d, const char *vendor,
                                          struct arena *arena)
{
    struct card_tool *t = arena_alloc(arena, sizeof *t);
    t->vendor = vendor;
    t->files[0] = arena_printf(arena, "%s" DECLARED_FILE_END, vendor);
    t->begins = fact_of_name(d->begins ? d->begins : "model");
    t->summed = true;
    take_texts(t->argv, CARD_ARGUMENTS_MAX - 1, d->command, d->n_command);
    take_texts(t->facts, CARD_FACT_LINES_MAX, d->facts, d->n_facts);
    take_texts(t->cards, CARD_SAMPLE_LINES_MAX, d->cards, d->n_cards);
    take_texts(t->more, CARD_SAMPLE_LINES_MAX, d->more, d->n_more);
    return t;
}
