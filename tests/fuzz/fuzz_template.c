/* A template, compiled, its constants put in, and rendered strictly with a value of each kind; and
 * a text with names in it. */
#include "tests/fuzz/fuzz.h"

#include "renderer/templates/escape.h"
#include "renderer/templates/mustache.h"
#include "renderer/words/strings.h"

#include <string.h>

static const char *constant(const void *self, const char *name)
{
    (void)self;
    return strcmp(name, "c") == 0 ? "<c>" : NULL;
}

static const struct mustache *partial(void *self, const char *name)
{
    return strcmp(name, "p") == 0 ? *(struct mustache **)self : NULL;
}

static const struct view *a_page(struct arena *arena)
{
    struct view *page = view_object(arena), *list = view_set_list(page, "l");
    view_set_text(page, "a", "<a & \"b\">");
    view_set_raw(page, "r", "<br>");
    view_set_flag(page, "f", true);
    view_set_flag(page, "n", false);
    view_set_text(view_set_object(page, "o"), "b", "b");
    for (int i = 0; i < 3; i++)
        view_set_printf(view_push_object(list), "i", "%d", i);
    return page;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct diags strict;
    struct mustache *template;
    struct buf out;
    const char *text = arena_strndup(&arena, (const char *)data, size);
    const struct string_value values[] = {{"a", "1"}, {"bb", "{a}"}};
    diags_init(&strict, &arena);
    buf_init(&out, (size_t)1 << 20);
    if (mustache_compile(&template, "t.html", text, size, escape_html, &arena, &err) == 0 &&
        mustache_fold(template, "t", constant, NULL, &arena, &err) == 0) {
        const struct mustache_options options = {partial, &template, &strict, 3, "… {n}"};
        mustache_render(template, a_page(&arena), &options, &out, &err);
    }
    strings_fill(text, values, 2, &arena);
    buf_release(&out);
    arena_release(&arena);
    return 0;
}
