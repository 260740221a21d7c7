#include "trainer/score/mmmu_free.h"

#include "base/text.h"
#include "trainer/conversations/python_text.h"
#include "trainer/score/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What 3. makes of a text: one number, or one text, or two. */
struct mmmu_value {
    const char *text; /* NULL: a number */
    double number;
};

struct mmmu_values {
    struct mmmu_value *items;
    size_t n;
};

static char *make_small(struct arena *a, struct bytes text)
{
    char *small = arena_strndup(a, text.data, text.len);
    for (char *c = small; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c + ('a' - 'A'));
    return small;
}

static struct bytes stripped(const char *text)
{
    return python_strip(text, strlen(text));
}

/* ---- values --------------------------------------------------------------------------------- */

/* round(number, 2) of Python, which rounds the exact value. */
static double round_to_two(double number)
{
    char text[400];
    if (!isfinite(number))
        return number;
    snprintf(text, sizeof text, "%.2f", number);
    return strtod(text, NULL);
}

static void add_mmmu_value(struct mmmu_values *v, struct arena *a, struct mmmu_value value)
{
    *(struct mmmu_value *)ARENA_PUSH(a, v->items, v->n) = value;
}

static void add_normalized(struct mmmu_values *v, struct arena *a, const char *text)
{
    struct bytes in = stripped(text);
    double number;
    if (number_text_value(in, &number)) {
        add_mmmu_value(v, a, (struct mmmu_value){NULL, round_to_two(number)});
        return;
    }
    const char *small = make_small(a, in);
    if (text_length(small) != 1) {
        add_mmmu_value(v, a, (struct mmmu_value){.text = small});
        return;
    }
    add_mmmu_value(v, a, (struct mmmu_value){.text = arena_printf(a, " %s", small)});
    add_mmmu_value(v, a, (struct mmmu_value){.text = arena_printf(a, "%s ", small)});
}

/* ---- what was generated --------------------------------------------------------------------- */

static const char *const indicators[] = {
    "could be ", "so ", "is ", "thus ", "therefore ", "final ", "answer ", "result ", "=",
};
#define INDICATORS (sizeof indicators / sizeof *indicators)

static const char *behind_last(const char *line, const char *indicator)
{
    const char *last = NULL;
    for (const char *at = strstr(line, indicator); at; at = strstr(at + 1, indicator))
        last = at + strlen(indicator);
    return last;
}

/* The shortest of what follows an indicator; NULL: there is none. */
static const char *key_of_line(struct arena *a, const char *line, bool is_last)
{
    const char *shortest = NULL;
    for (size_t i = 0; i < INDICATORS - !is_last; i++) {
        const char *behind = behind_last(line, indicators[i]);
        if (!behind)
            continue;
        struct bytes part = stripped(behind);
        const char *text = arena_strndup(a, part.data, part.len);
        if (!shortest || !*shortest || text_length(text) < text_length(shortest))
            shortest = text;
    }
    bool is_mark = shortest && strlen(shortest) == 1 && strchr(":,.!?;'", *shortest);
    return shortest && *shortest && !is_mark ? shortest : NULL;
}

static struct bytes without_stops(struct bytes text)
{
    while (text.len && *text.data == '.')
        text = (struct bytes){text.data + 1, text.len - 1};
    while (text.len && text.data[text.len - 1] == '.')
        text.len--;
    return text;
}

struct texts {
    const char **items;
    size_t n;
};

static void add_key(struct texts *t, struct arena *a, const char *text)
{
    *(const char **)ARENA_PUSH(a, t->items, t->n) = text;
}

static void find_keys(struct texts *keys, const char *generated, struct arena *a)
{
    char *whole = make_small(a, without_stops(stripped(generated))), *end;
    const char *uncut = arena_strdup(a, whole), *key;
    for (char *line = whole; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        key = key_of_line(a, line, !end);
        if (key)
            add_key(keys, a, key);
    }
    if (keys->n == 0)
        add_key(keys, a, uncut);
}

/* Of what was generated: 1. to 3., in `arena`. */
static struct mmmu_values free_values(const char *generated, struct arena *arena)
{
    struct mmmu_values values = {.n = 0};
    struct texts keys = {.n = 0};
    find_keys(&keys, generated, arena);
    for (size_t i = 0; i < keys.n; i++)
        add_normalized(&values, arena, keys.items[i]);
    for (size_t i = 0; i < keys.n; i++)
        for (int k = 0; k < NUMBER_TEXT_KINDS; k++) {
            struct bytes in = {keys.items[i], strlen(keys.items[i])}, found;
            for (size_t at = 0; number_text_find((enum number_text)k, in, &at, &found);)
                add_normalized(&values, arena, arena_strndup(arena, found.data, found.len));
        }
    return values;
}

/* ---- right or wrong ------------------------------------------------------------------------- */

static bool meets(const struct mmmu_value *found, const struct mmmu_value *expected)
{
    if (found->text && expected->text)
        return strstr(found->text, expected->text) != NULL;
    return !found->text && !expected->text && found->number == expected->number;
}

bool mmmu_free_is_right(const char *const *answers, size_t n, const char *generated)
{
    struct arena arena = ARENA_INIT;
    struct mmmu_values found = free_values(generated, &arena), expected = {.n = 0};
    bool right = false;
    for (size_t i = 0; i < n; i++)
        add_normalized(&expected, &arena, answers[i]);
    for (size_t i = 0; i < found.n; i++)
        for (size_t k = 0; k < expected.n; k++)
            right = right || meets(&found.items[i], &expected.items[k]);
    arena_release(&arena);
    return right;
}
