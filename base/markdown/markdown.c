#include "base/markdown/markdown.h"

#include "base/foreign.h"
#include "base/markdown/markdown_lines.h"
#include "base/markdown/markdown_table.h"
#include "base/text.h"

#include <cmark.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PARSE_OPTIONS CMARK_OPT_VALIDATE_UTF8

/* ---- memory: cmark's own aborts, which looks as if the text were at fault ---------------- */

static void *zeroed(size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        memory_end("Markdown, ", SIZE_MAX);
    return memory_alloc(n * size);
}

static const cmark_mem memory = {zeroed, memory_grow, free};

static cmark_node *new_node(cmark_node_type type)
{
    return cmark_node_new_with_mem(type, (cmark_mem *)&memory);
}

static cmark_node *parse(const char *text, size_t len, int options)
{
    cmark_parser *parser = cmark_parser_new_with_mem(options, (cmark_mem *)&memory);
    cmark_parser_feed(parser, text, len);
    cmark_node *root = cmark_parser_finish(parser);
    cmark_parser_free(parser);
    return root;
}

/* ---- making a tree safe ---------------------------------------------------------------- */

static void replace_by(cmark_node *node, cmark_node *other)
{
    cmark_node_replace(node, other);
    cmark_node_free(node);
}

static cmark_node *text_node(const char *literal)
{
    cmark_node *text = new_node(CMARK_NODE_TEXT);
    cmark_node_set_literal(text, literal);
    return text;
}

static void move_children(cmark_node *from, cmark_node *to)
{
    for (cmark_node *child; (child = cmark_node_first_child(from));)
        cmark_node_append_child(to, child);
}

/* Put the children in the place of their parent. */
static void unwrap(cmark_node *node)
{
    for (cmark_node *child; (child = cmark_node_first_child(node));)
        cmark_node_insert_before(node, child);
    cmark_node_unlink(node);
    cmark_node_free(node);
}

static bool is_html_comment(const char *html)
{
    return strncmp(html, "<!--", 4) == 0;
}

static bool is_line_break(const char *html)
{
    static const char *const spellings[] = {"<br>", "<br/>", "<br />"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strcasecmp(html, spellings[i]) == 0)
            return true;
    return false;
}

static void make_safe_html_inline(cmark_node *node)
{
    const char *html = cmark_node_get_literal(node);
    if (is_line_break(html))
        replace_by(node, new_node(CMARK_NODE_LINEBREAK));
    else
        replace_by(node, text_node(is_html_comment(html) ? "" : html));
}

static void make_safe_html_block(cmark_node *node)
{
    const char *html = cmark_node_get_literal(node);
    cmark_node *paragraph = new_node(CMARK_NODE_PARAGRAPH);
    cmark_node_append_child(paragraph, text_node(is_html_comment(html) ? "" : html));
    replace_by(node, paragraph);
}

static bool in_link(cmark_node *node)
{
    while ((node = cmark_node_parent(node)))
        if (cmark_node_get_type(node) == CMARK_NODE_LINK)
            return true;
    return false;
}

static void make_safe_link(cmark_node *node)
{
    if (!foreign_url_allowed(cmark_node_get_url(node)))
        unwrap(node);
}

/* An image becomes a link to it, named by its alternative text or else by its address. */
static void make_safe_image(cmark_node *node)
{
    const char *url = cmark_node_get_url(node);
    if (!cmark_node_first_child(node))
        cmark_node_append_child(node, text_node(url));
    if (in_link(node) || !foreign_url_allowed(url)) {
        unwrap(node);
        return;
    }
    cmark_node *link = new_node(CMARK_NODE_LINK);
    cmark_node_set_url(link, url);
    move_children(node, link);
    replace_by(node, link);
}

static void make_safe_heading(cmark_node *node)
{
    cmark_node *paragraph = new_node(CMARK_NODE_PARAGRAPH);
    cmark_node *strong = new_node(CMARK_NODE_STRONG);
    move_children(node, strong);
    cmark_node_append_child(paragraph, strong);
    replace_by(node, paragraph);
}

/* What is done to a node once its children are done. */
static const struct {
    cmark_node_type type;
    void (*make_safe)(cmark_node *);
} unsafe_nodes[] = {
    {CMARK_NODE_HTML_INLINE, make_safe_html_inline},
    {CMARK_NODE_HTML_BLOCK, make_safe_html_block},
    {CMARK_NODE_LINK, make_safe_link},
    {CMARK_NODE_IMAGE, make_safe_image},
    {CMARK_NODE_HEADING, make_safe_heading},
};

/* The iterator has already taken its next step when it hands out a node that is complete (on
 * exit, or a leaf on entry), so that such a node may be replaced. */
static void make_safe(cmark_node *root)
{
    cmark_iter *iter = cmark_iter_new(root);
    for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
        cmark_node *node = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(node);
        bool leaf = type == CMARK_NODE_HTML_INLINE || type == CMARK_NODE_HTML_BLOCK;
        for (size_t i = 0; i < sizeof unsafe_nodes / sizeof *unsafe_nodes; i++)
            if (type == unsafe_nodes[i].type && (leaf || event == CMARK_EVENT_EXIT)) {
                unsafe_nodes[i].make_safe(node);
                break;
            }
    }
    cmark_iter_free(iter);
}

/* ---- writing HTML ---------------------------------------------------------------------- */

/* Without the outer `<p>` and `</p>` when `wrapped` says so. */
static void add_html(struct buf *out, cmark_node *root, bool unwrapped)
{
    char *html = cmark_render_html(root, CMARK_OPT_DEFAULT);
    size_t len = strlen(html), front = strlen("<p>"), back = strlen("</p>\n");
    if (unwrapped && len >= front + back)
        markdown_add_visible(out, html + front, len - front - back);
    else
        markdown_add_visible(out, html, len);
    free(html);
}

static void add_literal(struct buf *out, cmark_node_type type, const char *text)
{
    cmark_node *node = new_node(type);
    cmark_node_set_literal(node, text);
    add_html(out, node, false);
    cmark_node_free(node);
}

/* Put the tables of this paragraph in its place. */
static void show_tables(cmark_node *paragraph, const char *text, struct arena *arena)
{
    struct buf html = BUF_INIT(BUF_DEFAULT_MAX);
    if (markdown_table_html(&html, text, arena)) {
        cmark_node *block = new_node(CMARK_NODE_CUSTOM_BLOCK);
        cmark_node_set_on_enter(block, html.data);
        replace_by(paragraph, block);
    }
    buf_release(&html);
}

bool markdown_html(struct buf *out, const char *text)
{
    size_t len = strlen(text);
    if (markdown_refusal(text, len)) {
        add_literal(out, CMARK_NODE_CODE_BLOCK, text);
        return false;
    }
    cmark_node *root = parse(text, len, PARSE_OPTIONS);
    make_safe(root);
    if (strchr(text, '|') && strchr(text, '-') && strchr(text, '\n')) { /* it may hold a table */
        /* Paragraphs of the tree are found among the blocks of the text by the line that they begin
         * in. */
        struct arena arena = ARENA_INIT;
        struct err err = ERR_INIT;
        struct markdown_page page;
        if (markdown_page_read(&page, "", text, len, &arena, &err) < 0)
            page.n_blocks = 0;
        cmark_iter *iter = cmark_iter_new(root);
        size_t at = 0;
        for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
            cmark_node *node = cmark_iter_get_node(iter);
            int line = cmark_node_get_start_line(node);
            if (event != CMARK_EVENT_EXIT || cmark_node_get_type(node) != CMARK_NODE_PARAGRAPH)
                continue;
            while (at < page.n_blocks && page.blocks[at].start_line < line)
                at++;
            if (at < page.n_blocks && page.blocks[at].start_line == line)
                show_tables(node, page.blocks[at].text, &arena);
        }
        cmark_iter_free(iter);
        arena_release(&arena);
    }
    add_html(out, root, false);
    cmark_node_free(root);
    return true;
}

/* ---- one line -------------------------------------------------------------------------- */

/* A no-break space in front keeps `#`, `-` or `1.` from beginning a block; like the start of a
 * line it counts as white space beside emphasis marks. */
#define GUARD "\xC2\xA0"

/* The paragraph that holds this line, in a document of its own, or NULL beyond a cap. */
static cmark_node *parse_line(const char *text)
{
    struct buf line;
    buf_init(&line, MARKDOWN_LINE_MAX + strlen(GUARD));
    buf_str(&line, GUARD);
    buf_str(&line, text + strspn(text, " \t\r\n"));
    for (char *p = line.data; *p; p++)
        if (*p == '\n' || *p == '\r')
            *p = ' ';
    cmark_node *root = line.overflow ? NULL : parse(line.data, line.len, PARSE_OPTIONS);
    buf_release(&line);
    if (!root)
        return NULL;
    cmark_consolidate_text_nodes(root);
    cmark_node *first = cmark_node_first_child(cmark_node_first_child(root));
    char *rest = strdup(cmark_node_get_literal(first) + strlen(GUARD));
    if (!rest)
        memory_end("Markdown, ", strlen(text));
    cmark_node_set_literal(first, rest);
    free(rest);
    return root;
}

/* As cmark writes text that has neither '&' nor '<'. */
static void add_unmarked(struct buf *out, struct bytes text)
{
    for (size_t at = 0, n; at < text.len; at += n) {
        bool quote = text.data[at] == '"', escaped = quote || text.data[at] == '>';
        for (n = 1; !escaped && at + n < text.len && !strchr("\">", text.data[at + n]);)
            n++;
        if (escaped)
            buf_str(out, quote ? "&quot;" : "&gt;");
        else
            markdown_add_visible(out, text.data + at, n);
    }
}

bool markdown_inline_html(struct buf *out, const char *text)
{
    struct bytes same = markdown_as_it_is(text);
    if (same.data) {
        add_unmarked(out, same);
        return true;
    }
    cmark_node *root = parse_line(text);
    if (!root) {
        add_literal(out, CMARK_NODE_TEXT, text);
        return false;
    }
    make_safe(root);
    add_html(out, root, true);
    cmark_node_free(root);
    return true;
}

static void add_plain(struct buf *out, cmark_node *node)
{
    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
    case CMARK_NODE_CODE:
        buf_str(out, cmark_node_get_literal(node));
        break;
    case CMARK_NODE_SOFTBREAK:
    case CMARK_NODE_LINEBREAK:
        buf_char(out, ' ');
        break;
    default: /* containers: their children come next */
        break;
    }
}

char *markdown_plain(struct arena *arena, const char *text)
{
    struct bytes same = markdown_as_it_is(text);
    if (same.data)
        return arena_strndup(arena, same.data, same.len);
    cmark_node *root = parse_line(text);
    if (!root)
        return arena_strdup(arena, text);
    make_safe(root);
    struct buf out = BUF_INIT(BUF_DEFAULT_MAX);
    cmark_iter *iter = cmark_iter_new(root);
    for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;)
        if (event == CMARK_EVENT_ENTER)
            add_plain(&out, cmark_iter_get_node(iter));
    cmark_iter_free(iter);
    cmark_node_free(root);
    char *plain = arena_strndup(arena, out.data, out.len);
    buf_release(&out);
    return plain;
}

/* ---- a page as blocks ------------------------------------------------------------------ */

/* Where the walk over the tree is. */
struct walk {
    const struct markdown_page *page;
    struct arena *arena;
    struct markdown_leaf *leaves;
    size_t n_leaves;
    const struct markdown_item **around; /* per line */
    struct markdown_item *item;          /* innermost open one */
    int quote_depth, n_lists;
};

/* The rest of a source line from a column on; empty outside of the source. */
static struct bytes source_at(const struct walk *w, int line, int column)
{
    struct bytes rest = {"", 0};
    if (line < 1 || column < 1 || (size_t)line > w->page->n_lines)
        return rest;
    const struct bytes *l = &w->page->lines[line - 1];
    if ((size_t)column <= l->len)
        rest = (struct bytes){l->data + column - 1, l->len - (size_t)column + 1};
    return rest;
}

static struct bytes node_source(const struct walk *w, cmark_node *node)
{
    return source_at(w, cmark_node_get_start_line(node), cmark_node_get_start_column(node));
}

static char marker_of(const struct walk *w, cmark_node *list, cmark_node *item)
{
    if (cmark_node_get_list_type(list) == CMARK_ORDERED_LIST)
        return cmark_node_get_list_delim(list) == CMARK_PAREN_DELIM ? ')' : '.';
    return *node_source(w, item).data;
}

/* Is this code fenced? Where there is no info string, the literal of indented code begins with
 * its own first line, and that of fenced code cannot: a second such fence would have ended it. */
static bool is_fenced_code(const struct walk *w, cmark_node *node, const char *literal)
{
    struct bytes first = node_source(w, node);
    return *cmark_node_get_fence_info(node) || strncmp(literal, first.data, first.len) != 0 ||
           literal[first.len] != '\n';
}

static void add_leaf(struct walk *w, cmark_node *node, enum markdown_kind kind)
{
    struct markdown_leaf *leaf = ARENA_PUSH(w->arena, w->leaves, w->n_leaves);
    leaf->block = (struct markdown_block){
        .kind = kind,
        .level = cmark_node_get_heading_level(node),
        .start_line = cmark_node_get_start_line(node),
        .end_line = cmark_node_get_end_line(node),
        .item = w->item,
        .quote_depth = w->quote_depth,
    };
    cmark_node *parent = cmark_node_parent(node);
    leaf->block.starts_item =
        kind == MARKDOWN_STRUCTURE ||
        (cmark_node_get_type(parent) == CMARK_NODE_ITEM && cmark_node_first_child(parent) == node);
    leaf->start_column = cmark_node_get_start_column(node);
    const char *literal = cmark_node_get_literal(node);
    if (literal) {
        size_t len = strlen(literal);
        for (const char *end = literal; (end = strchr(end, '\n')); end++)
            leaf->literal_lines++;
        leaf->fenced = kind == MARKDOWN_CODE && is_fenced_code(w, node, literal);
        len -= len && literal[len - 1] == '\n';
        leaf->block.text = arena_strndup(w->arena, literal, len);
    }
    if (kind == MARKDOWN_BREAK || kind == MARKDOWN_STRUCTURE)
        leaf->block.text = "";
}

static void enter(struct walk *w, cmark_node *node)
{
    static const struct {
        cmark_node_type type;
        enum markdown_kind kind;
    } leaves[] = {
        {CMARK_NODE_HEADING, MARKDOWN_HEADING},      {CMARK_NODE_PARAGRAPH, MARKDOWN_PARAGRAPH},
        {CMARK_NODE_CODE_BLOCK, MARKDOWN_CODE},      {CMARK_NODE_HTML_BLOCK, MARKDOWN_HTML},
        {CMARK_NODE_THEMATIC_BREAK, MARKDOWN_BREAK},
    };
    cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_BLOCK_QUOTE)
        w->quote_depth++;
    if (type == CMARK_NODE_ITEM) {
        /* Which list an item belongs to and its number in it follow from the item before it. */
        cmark_node *list = cmark_node_parent(node), *before = cmark_node_previous(node);
        const struct markdown_item *sibling = before ? cmark_node_get_user_data(before) : NULL;
        struct markdown_item *item = arena_alloc(w->arena, sizeof *item);
        item->parent = w->item;
        item->depth = w->item ? w->item->depth + 1 : 1;
        item->list = sibling ? sibling->list : ++w->n_lists;
        item->ordered = cmark_node_get_list_type(list) == CMARK_ORDERED_LIST;
        if (item->ordered)
            item->number = sibling ? sibling->number + 1 : cmark_node_get_list_start(list);
        item->marker = marker_of(w, list, node);
        item->start_line = cmark_node_get_start_line(node);
        cmark_node_set_user_data(node, item);
        int end = cmark_node_get_end_line(node);
        for (int n = item->start_line; n <= end && (size_t)n <= w->page->n_lines; n++)
            w->around[n - 1] = item;
        w->item = item;
        if (!cmark_node_first_child(node))
            add_leaf(w, node, MARKDOWN_STRUCTURE);
    }
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
        if (type == leaves[i].type)
            add_leaf(w, node, leaves[i].kind);
}

static void leave_node(struct walk *w, cmark_node *node)
{
    cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_BLOCK_QUOTE)
        w->quote_depth--;
    if (type == CMARK_NODE_ITEM)
        w->item = (struct markdown_item *)w->item->parent;
}

int markdown_page_read(struct markdown_page *page, const char *name, const char *source, size_t len,
                       struct arena *arena, struct err *err)
{
    const char *refusal = markdown_refusal(source, len);
    if (refusal)
        return err_set(err, ERR_INPUT, "%s: holds %s", name, refusal);
    struct bytes clean = markdown_clean(arena, source, len);
    *page = (struct markdown_page){0};
    page->lines = markdown_split(arena, clean, &page->n_lines);
    struct walk w = {.page = page, .arena = arena};
    w.around = arena_array(arena, page->n_lines, sizeof *w.around);
    cmark_node *root = parse(clean.data, clean.len, CMARK_OPT_DEFAULT);
    cmark_iter *iter = cmark_iter_new(root);
    for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;)
        (event == CMARK_EVENT_ENTER ? enter : leave_node)(&w, cmark_iter_get_node(iter));
    cmark_iter_free(iter);
    cmark_node_free(root);
    markdown_place(page, w.leaves, w.n_leaves, w.around, arena);
    return 0;
}

const char *markdown_library_version(void)
{
    return cmark_version_string();
}
