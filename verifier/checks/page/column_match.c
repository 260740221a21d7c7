#include "verifier/checks/page/column_match.h"

#include "base/text.h"

#include <string.h>

struct column_name column_name(const struct audit *a, const char *text)
{
    return (struct column_name){text_fold(a->arena, text), metrics_column(text)};
}

enum column_match column_compare(const struct column_name *header, const struct column_name *name)
{
    const struct metrics_column *column = header->column, *wanted = name->column;
    bool memory = column && wanted && text_starts(column->key, "memory") &&
                  text_starts(wanted->key, "memory");
    if (memory || strcmp(header->folded, name->folded) == 0)
        return COLUMN_EQUAL;
    bool kind = !column || !wanted || column->kind == wanted->kind;
    bool alike =
        kind && (strstr(header->folded, name->folded) || strstr(name->folded, header->folded));
    alike |= column && column == wanted;
    /* A batch size per card is set in fix_hp. */
    bool batch =
        strcmp(name->folded, "bs") == 0 && column && column->kind == COLUMN_HYPERPARAMETERS;
    return *header->folded && (alike || batch) ? COLUMN_ALIKE : COLUMN_UNLIKE;
}
