#include "collector/page/page.h"

#include "base/figures/labels.h"
#include "base/markdown/contain.h"
#include "base/markdown/inert.h"
#include "base/text.h"

#include <string.h>

/* A label that no table knows is at most this long (in characters) … */
#define LABEL_CHARS_MAX 40

static const struct markdown_item *root_item(const struct markdown_item *item)
{
    while (item && item->parent)
        item = item->parent;
    return item;
}

bool import_in_run(const struct importer *imp)
{
    return imp->result->run_title || imp->result->n_batch;
}

static struct group *push_imported_group(struct importer *imp)
{
    struct result *r = imp->result;
    if (import_in_run(imp))
        return ARENA_PUSH(imp->arena, r->run_groups, r->n_run_groups);
    struct environment *e = &r->environments[r->n_environments - 1];
    return ARENA_PUSH(imp->arena, e->groups, e->n_groups);
}

void import_group_open(struct importer *imp, const struct piece *heading, const char *label)
{
    imp->group = push_imported_group(imp);
    imp->group->line = heading->start;
    imp->group->label = label;
    imp->group_item = heading->item;
    imp->group_list = heading->item ? root_item(heading->item)->list : 0;
    imp->depth = 0;
}

void import_group_close(struct importer *imp)
{
    imp->group = NULL;
    imp->depth = 0;
}

/* Bullets belong to the group whose list they are in, indented or not; below a heading that is
 * no list item, to the list that follows it. */
bool import_group_takes(struct importer *imp, const struct piece *piece)
{
    const struct markdown_item *root = root_item(piece->item);
    if (!root || piece->block->quote_depth > 0)
        return false;
    if (imp->group_list == 0 && !root->ordered)
        imp->group_list = root->list;
    return root->list == imp->group_list;
}

/* Characters before the separator at text[at]. */
static size_t chars_before(const char *text, size_t at)
{
    size_t n = 0;
    for (size_t i = 0; i < at; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

/* Length of a separator at s, 0: none. */
static size_t separator(const char *s)
{
    return *s == ':' ? 1 : text_starts(s, "：") ? strlen("：") : 0;
}

/*
 * Does what stands before s[at] look like a label? A known one always does. Else it must be
 * short and free of code, links and brackets; an ASCII colon must be followed by a blank, by the
 * end or by something that is not ASCII ("cuda: 11.8", but not "image:v0.29" or "https://…").
 */
static bool is_item_label(struct importer *imp, const char *s, size_t at, size_t sep)
{
    const char *label = text_trim_n(imp->arena, s, at);
    if (label_find(LABEL_ITEM, label))
        return true;
    if (label[0] == '\0' || chars_before(s, at) > LABEL_CHARS_MAX || strpbrk(label, "`[]<>"))
        return false;
    unsigned char next = (unsigned char)s[at + sep];
    return sep > 1 || next == '\0' || next == ' ' || next == '\t' || next >= 0x80;
}

/* Split "OS版本：Ubuntu 22.04" at the first separator that a label stands before. */
static void read_label(struct importer *imp, const char *text, struct item *item)
{
    size_t line = strcspn(text, "\n"), sep;
    for (size_t at = 0; at < line && at < 4 * LABEL_CHARS_MAX; at++) {
        if (!(sep = separator(text + at)) || !is_item_label(imp, text, at, sep))
            continue;
        item->label = text_trim_n(imp->arena, text, at);
        item->value = text_trim(imp->arena, text + at + sep);
        return;
    }
    item->value = text;
}

/* Where a piece goes: below the innermost open bullet that holds it, else below the group. */
static struct item *push_item(struct importer *imp, const struct markdown_item *below)
{
    size_t depth = 0;
    for (; below && depth == 0; below = below->parent)
        for (size_t i = 0; i < imp->depth; i++)
            if (imp->path[i].source == below)
                depth = i + 1;
    imp->depth = depth;
    if (depth == 0)
        return ARENA_PUSH(imp->arena, imp->group->items, imp->group->n_items);
    struct item *parent = imp->path[depth - 1].item;
    return ARENA_PUSH(imp->arena, parent->items, parent->n_items);
}

/* CommonMark lets a line that is not indented go on with the bullet above it; on a page it may
 * as well be a stray remark. */
static void warn_stray(struct importer *imp, const struct piece *p)
{
    for (int line = p->start + 1; line <= p->end; line++) {
        struct bytes raw = imp->page.lines[line - 1];
        if (raw.len && raw.data[0] != ' ' && raw.data[0] != '\t')
            importer_warn(imp, line,
                          "found a line without indentation, read as part of the bullet "
                          "above it");
    }
}

static void add_bullet(struct importer *imp, const struct piece *p)
{
    struct item *item = push_item(imp, p->item->parent);
    item->line = p->start;
    read_label(imp, p->text, item);
    warn_stray(imp, p);
    if (item->label) {
        struct item inner = {0};
        read_label(imp, item->value, &inner);
        if (inner.label && text_same(inner.label, item->label))
            importer_warn(imp, item->line, "found \"%s\" again in its own value", item->label);
    }
    if (imp->depth < IMPORT_DEPTH_MAX - 1) {
        imp->path[imp->depth].source = p->item;
        imp->path[imp->depth++].item = item;
        return;
    }
    importer_warn(imp, p->start, "found bullets more than %d deep; kept at that depth",
                  IMPORT_DEPTH_MAX);
}

/* A line that was code until now, as the first or a later one of a bullet. */
static const char *as_bullet(struct importer *imp, const char *text, bool first)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    contain_line(&b, text, first);
    text = arena_strndup(imp->arena, b.data, b.len);
    buf_release(&b);
    return text;
}

/* Bullets that are indented so far that CommonMark takes them for code. */
static bool add_deep_bullets(struct importer *imp, const struct piece *p)
{
    size_t n;
    if (p->block->kind != MARKDOWN_CODE || p->item != imp->group_item || !p->item)
        return false;
    struct bytes first = imp->page.lines[p->start - 1];
    char **lines = text_lines(imp->arena, p->block->text, &n);
    const char *bullet = n ? text_trim(imp->arena, lines[0]) : "";
    if (!text_starts(bullet, "- ") || !memmem(first.data, first.len, "- ", 2))
        return false;
    importer_warn(imp, p->start, "found bullets indented too far for a list; read as bullets");
    struct item *item = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *text = text_trim(imp->arena, lines[i]);
        if (text_starts(text, "- ")) {
            item = push_item(imp, NULL);
            item->line = p->start + (int)i;
            read_label(imp, as_bullet(imp, text_trim(imp->arena, text + 2), true), item);
        } else if (text[0]) {
            item->value =
                arena_printf(imp->arena, "%s\n%s", item->value, as_bullet(imp, text, false));
        }
    }
    return true;
}

void import_group_add(struct importer *imp, const struct piece *p)
{
    if (p->block->kind == MARKDOWN_STRUCTURE && !import_has_words(import_verbatim(imp, p, p)))
        return; /* a lone mark */
    if (p->kind == PIECE_TEXT && p->starts_item && !p->item->ordered) {
        add_bullet(imp, p);
        return;
    }
    if (add_deep_bullets(imp, p))
        return;
    struct item *item = push_item(imp, p->item);
    item->line = p->start;
    item->plain = true;
    item->value = p->kind == PIECE_TEXT && !p->starts_item ? inert_text(imp->arena, p->text)
                                                           : import_verbatim(imp, p, p);
    if (p->kind != PIECE_TEXT)
        importer_warn(imp, p->start, "found \"%s\", expected a bullet; kept as it is",
                      import_excerpt(imp, item->value));
}
