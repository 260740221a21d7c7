/* What is the same for every page is put in once, when a template is compiled. */
#include "renderer/templates/mustache_tokens.h"

#include <string.h>

int mustache_fold(struct mustache *template, const char *prefix, mustache_constant *find,
                  const void *self, struct arena *arena, struct err *err)
{
    for (size_t i = 0; i < template->n; i++) {
        struct token *t = &template->tokens[i];
        if (t->n_parts < 2 || t->kind == TOKEN_LITERAL || t->kind == TOKEN_END ||
            strcmp(t->parts[0].name, prefix) != 0)
            continue;
        const char *text = find(self, t->text + strlen(prefix) + 1);
        if (!text || (t->kind != TOKEN_VALUE && t->kind != TOKEN_RAW))
            return err_set(err, ERR_INPUT, "%s:%d:%d: {{%s}}: %s", template->file, t->line, t->col,
                           t->text, text ? "a constant is text, no section" : "no such string");
        struct buf escaped = BUF_INIT(MUSTACHE_SOURCE_MAX);
        if (t->kind == TOKEN_RAW)
            buf_str(&escaped, text);
        else
            template->escape(&escaped, text);
        t->kind = TOKEN_LITERAL;
        t->len = escaped.len;
        t->text = buf_text(&escaped, arena);
    }
    return 0;
}
