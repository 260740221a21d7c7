#include "renderer/words/ratio.h"

#include <math.h>
#include <string.h>

bool ratio_is(const struct metrics_column *c, const struct figure *f)
{
    bool percentage = c && c->unit && strcmp(c->unit, "%") == 0;
    bool has_value = figure_has_value(f) || f->kind == FIGURE_BOUND;
    return percentage && has_value && !f->percent && f->value > 0 && f->value <= 1;
}

static const char *in_percent(double value, int decimals, struct arena *arena)
{
    return arena_printf(arena, "%.*f", (int)fmin(fmax(decimals - 2, 0), 17), value * 100);
}

const char *ratio_reading(const char *key, const struct figure *says, struct arena *arena)
{
    bool fraction = says->value > 0 && says->value <= 1; /* most are none */
    if (!key || !fraction || !ratio_is(metrics_by_key(key), says))
        return "";
    const char *sign = says->kind != FIGURE_BOUND ? "=" : says->least ? ">" : "<";
    const char *value = in_percent(says->value, says->decimals, arena);
    bool two = isfinite(says->second);
    return arena_printf(arena, "%s %s%s%s %%", sign, value,
                        !two                        ? ""
                        : says->kind == FIGURE_PAIR ? " / "
                                                    : "–",
                        two ? in_percent(says->second, says->second_decimals, arena) : "");
}

const char *ratio_read(const char *key, const char *text, const struct figure *says,
                       struct arena *arena)
{
    const char *reading = ratio_reading(key, says, arena);
    return *reading ? arena_printf(arena, "%s %s", text, reading) : text;
}

const char *ratio_unit(const char *key, const struct figure *says, const char *unit,
                       struct arena *arena)
{
    return *ratio_reading(key, says, arena) ? RATIO : unit;
}
