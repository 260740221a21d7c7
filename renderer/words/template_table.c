#include "renderer/words/template_table.h"

#include "base/files/beneath.h"
#include "base/files/file.h"

#include <string.h>

static int read_table(const struct template_table *t, const char *path, struct bytes text, void *to,
                      struct arena *arena, struct err *err)
{
    struct diags diags;
    struct json *root;
    diags_init(&diags, arena);
    if (json_parse(path, text, arena, &root, &diags) < 0)
        return err_set(err, ERR_INPUT, "%s:%d:%d: %s", path, diags.items[0].line,
                       diags.items[0].col, diags.items[0].message);
    const struct json *entries = json_get(root, t->member);
    if (strcmp(json_get_text(root, "schema", ""), t->schema) != 0 || !entries ||
        entries->kind != JSON_OBJECT)
        return err_set(err, ERR_INPUT, "%s: expected \"schema\": \"%s\" and an object \"%s\"", path,
                       t->schema, t->member);
    for (const struct json *entry = entries->child; entry; entry = entry->next)
        if (t->add(to, path, entry, arena, err) < 0)
            return -1;
    return 0;
}

int template_table_load(const struct template_table *table, const struct templates *templates,
                        void *to, struct arena *arena, struct err *err)
{
    for (size_t i = templates->n_folders; i-- > 0;) {
        const char *folder = templates->folders[i], *path = path_join(arena, folder, table->file);
        struct bytes text;
        int rc = beneath_read_if_there(folder, table->file, JSON_BYTES_MAX, arena, &text, err);
        if (rc == BENEATH_NONE)
            continue;
        if (rc < 0 || read_table(table, path, text, to, arena, err) < 0)
            return -1;
    }
    return 0;
}
