/* shape_load: one value of a field, for the two readers of shapes (shape.c, shape_take.c). */
#pragma once

#include "base/json/shape.h"

struct load {
    struct shape_load_ctx ctx;
    bool failed;
    bool lasts; /* texts lie in the arena of the value already */
};

void shape_load_reals(struct load *l, const struct field *f, const char *text, size_t len,
                      const struct json *j, void *value);
void shape_load_value(struct load *l, const struct field *f, const struct json *j, void *value);

/* Is it one of the texts that a FIELD_CHOICE may have? */
bool shape_is_choice(const struct field *f, const char *text);
