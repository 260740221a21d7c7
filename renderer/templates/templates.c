#include "renderer/templates/templates.h"

#include "base/files/beneath.h"
#include "base/files/file.h"
#include "base/text.h"
#include "renderer/templates/escape.h"

#include <string.h>

struct template_file {
    struct view_key name;
    struct mustache *compiled;
};

static const struct {
    const char *suffix;
    mustache_escape *escape;
} escapes[] = {
    {".html", escape_html},
    {".xml", escape_html},
    {".md", escape_markdown_cell},
    {"", escape_none},
};

static mustache_escape *escape_for(const char *name)
{
    size_t i = 0;
    while (!text_ends(name, escapes[i].suffix))
        i++;
    return escapes[i].escape;
}

void templates_init(struct templates *t, struct arena *arena)
{
    *t = (struct templates){.arena = arena};
}

void templates_add_folder(struct templates *t, const char *folder)
{
    if (t->n_folders < TEMPLATES_FOLDERS_MAX)
        t->folders[t->n_folders++] = arena_strdup(t->arena, folder);
}

void templates_init_like(struct templates *t, const struct templates *other, struct arena *arena)
{
    templates_init(t, arena);
    for (size_t i = 0; i < other->n_folders; i++)
        templates_add_folder(t, other->folders[i]);
}

/* That of the first folder that has it; *path is what messages call it. A name that leads out of a
 * folder is refused by the first. */
static int read_source(const struct templates *t, const char *name, const char **path,
                       struct bytes *source, struct err *err)
{
    for (size_t i = 0; i < t->n_folders; i++) {
        int rc =
            beneath_read_if_there(t->folders[i], name, MUSTACHE_SOURCE_MAX, t->arena, source, err);
        *path = path_join(t->arena, t->folders[i], name);
        if (rc != BENEATH_NONE)
            return rc;
    }
    return err_set(err, ERR_INPUT, "template %s: not found, expected it in %s", name,
                   t->n_folders ? t->folders[0] : "a templates folder");
}

/* The compiled template; NULL with a message when it is missing or malformed. */
static const struct mustache *compiled(struct templates *t, const char *name, struct err *err)
{
    const struct view_key key = view_key(name);
    for (size_t i = 0; i < t->n_files; i++)
        if (t->files[i].name.hash == key.hash && strcmp(t->files[i].name.name, name) == 0)
            return t->files[i].compiled;
    const char *path = NULL;
    struct bytes source;
    struct mustache *m;
    if (read_source(t, name, &path, &source, err) < 0 ||
        mustache_compile(&m, path, source.data, source.len, escape_for(name), t->arena, err) < 0 ||
        (t->constant && mustache_fold(m, "t", t->constant, t->constants, t->arena, err) < 0))
        return NULL;
    struct template_file *f = ARENA_PUSH(t->arena, t->files, t->n_files);
    *f = (struct template_file){view_key(arena_strdup(t->arena, name)), m};
    return m;
}

/* What a partial needs while one page is rendered. */
struct finder {
    struct templates *templates;
    struct err *err;
    bool failed;
};

static const struct mustache *find_partial(void *self, const char *name)
{
    struct finder *f = self;
    const struct mustache *m = f->failed ? NULL : compiled(f->templates, name, f->err);
    f->failed = !m;
    return m;
}

int templates_render(struct templates *t, const char *name, const struct view *view,
                     struct buf *out, struct err *err)
{
    const struct mustache *m = compiled(t, name, err);
    struct finder finder = {t, err, false};
    struct diags strict = DIAGS_INIT(t->arena);
    if (!m)
        return -1;
    const struct mustache_options options = {
        find_partial, &finder, &strict, text_ends(name, ".html") ? t->text_max : 0, t->text_cut};
    if (mustache_render(m, view, &options, out, err) < 0 || finder.failed)
        return -1;
    if (strict.n == 0)
        return 0;
    return err_set(err, ERR_INPUT, "%s:%d:%d: %s", strict.items[0].file, strict.items[0].line,
                   strict.items[0].col, strict.items[0].message);
}
