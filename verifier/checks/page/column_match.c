#include "verifier/checks/page/column_match.h"

#include "base/text.h"

#include <string.h>

enum column_match column_compare(const struct audit *a, const char *header, const char *name)
{
    const struct metrics_column *column = metrics_column(header), *wanted = metrics_column(name);
    const char *folded = text_fold(a->arena, header);
    bool memory = column && wanted && text_starts(column->key, "memory") &&
                  text_starts(wanted->key, "memory");
    if (memory || strcmp(folded, name) == 0)
        return COLUMN_EQUAL;
    bool kind = !column || !wanted || column->kind == wanted->kind;
    bool alike = kind && (strstr(folded, name) || strstr(name, folded));
    alike |= column && column == wanted;
    /* A batch size per card is set in fix_hp. */
    bool batch = strcmp(name, "bs") == 0 && column && column->kind == COLUMN_HYPERPARAMETERS;
    return *folded && (alike || batch) ? COLUMN_ALIKE : COLUMN_UNLIKE;
}
