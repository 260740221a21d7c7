#include "collector/page/page.h"

#include "base/figures/labels.h"
#include "base/figures/pipe_table.h"
#include "base/markdown/contain.h"
#include "base/text.h"

#include <string.h>

/* The paragraph that is being taken apart. */
struct paragraph {
    const struct markdown_block *block;
    char **lines;
    size_t n;
};

static struct piece *add_piece(struct importer *imp, const struct markdown_block *block,
                               enum piece_kind kind, int start, int end)
{
    struct piece *p = ARENA_PUSH(imp->arena, imp->pieces, imp->n_pieces);
    p->kind = kind;
    p->start = start;
    p->end = end;
    p->block = block;
    p->item = block->item;
    p->starts_item = block->starts_item && start == block->start_line;
    p->text = block->text;
    return p;
}

/* Lines without indentation, so that one that leaned on its own ("===" far to the left of the
 * list item it continues) must not begin a block instead. */
static const char *join_unindented(struct arena *arena, char **lines, size_t n, bool first)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++) {
        const char *line = text_trim(arena, lines[i]);
        buf_str(&b, i ? "\n" : "");
        if (i == 0 && first)
            buf_str(&b, line);
        else
            contain_line(&b, line, false);
    }
    const char *text = arena_strndup(arena, b.data, b.len);
    buf_release(&b);
    return text;
}

static void add_text_piece(struct importer *imp, const struct paragraph *p, size_t from, size_t to)
{
    if (from == to)
        return;
    int start = p->block->start_line + (int)from, end = p->block->start_line + (int)to - 1;
    struct piece *piece = add_piece(imp, p->block, PIECE_TEXT, start, end);
    piece->text = join_unindented(imp->arena, p->lines + from, to - from, from == 0);
}

static void add_table_piece(struct importer *imp, const struct paragraph *p, size_t at,
                            size_t *used)
{
    int line = p->block->start_line + (int)at;
    struct table *table = pipe_table_read(imp->arena, p->lines + at, imp->page.lines + line - 1,
                                          p->n - at, line, used);
    struct piece *piece = add_piece(imp, p->block, PIECE_TABLE, line, line + (int)*used - 1);
    piece->table = table;
    piece->text = join_unindented(imp->arena, p->lines + at, *used, true);
}

/* Does a table begin at this line? One that is too wide is text, and said to be so. */
static bool table_begins(struct importer *imp, const struct paragraph *p, size_t at)
{
    size_t n = at + 1 < p->n ? pipe_table_columns(imp->arena, p->lines[at], p->lines[at + 1]) : 0;
    if (n > IMPORT_COLUMNS_MAX)
        importer_warn(imp, p->block->start_line + (int)at,
                      "found a table of %zu columns, a table has at most %d; kept as text", n,
                      IMPORT_COLUMNS_MAX);
    return n > 0 && n <= IMPORT_COLUMNS_MAX;
}

static void split_paragraph(struct importer *imp, const struct paragraph *p)
{
    /* "性能指标" on the first line of a paragraph is a marker even when text follows at once. */
    size_t from = p->n > 1 && label_find(LABEL_SECTION, p->lines[0]), used;
    add_text_piece(imp, p, 0, from);
    for (size_t at = from; at < p->n; at += used) {
        used = 1;
        if (!table_begins(imp, p, at))
            continue;
        add_text_piece(imp, p, from, at);
        add_table_piece(imp, p, at, &used);
        from = at + used;
    }
    add_text_piece(imp, p, from, p->n);
}

/* A table directly above a line of dashes is one underlined heading for CommonMark. */
static bool hides_table(struct importer *imp, const struct paragraph *p)
{
    for (size_t at = 0; at + 1 < p->n; at++)
        if (pipe_table_columns(imp->arena, p->lines[at], p->lines[at + 1]))
            return true;
    return false;
}

/* "    * 性能指标": indented so far that it is code, but meant as a marker. */
static bool add_deep_marker(struct importer *imp, const struct markdown_block *b)
{
    if (b->kind != MARKDOWN_CODE || b->start_line != b->end_line)
        return false;
    const char *text = text_trim(imp->arena, b->text);
    text += strspn(text, "*-+ ");
    if (!label_find(LABEL_SECTION, text))
        return false;
    add_piece(imp, b, PIECE_TEXT, b->start_line, b->end_line)->text = text;
    return true;
}

void import_pieces(struct importer *imp)
{
    static const enum piece_kind kinds[] = {
        [MARKDOWN_HEADING] = PIECE_HEADING, [MARKDOWN_PARAGRAPH] = PIECE_TEXT,
        [MARKDOWN_CODE] = PIECE_OTHER,      [MARKDOWN_HTML] = PIECE_OTHER,
        [MARKDOWN_BREAK] = PIECE_OTHER,     [MARKDOWN_STRUCTURE] = PIECE_OTHER,
    };
    for (size_t i = 0; i < imp->page.n_blocks; i++) {
        const struct markdown_block *b = &imp->page.blocks[i];
        struct paragraph p = {.block = b};
        if (kinds[b->kind] != PIECE_OTHER)
            p.lines = text_lines(imp->arena, b->text, &p.n);
        bool underlined = b->kind == MARKDOWN_HEADING && p.n > 1 && hides_table(imp, &p);
        if (b->kind == MARKDOWN_PARAGRAPH || underlined)
            split_paragraph(imp, &p);
        else if (!add_deep_marker(imp, b))
            add_piece(imp, b, kinds[b->kind], b->start_line, b->end_line)->text =
                p.n > 1 ? join_unindented(imp->arena, p.lines, p.n, true) : b->text;
        if (underlined)
            add_piece(imp, b, PIECE_OTHER, b->end_line, b->end_line);
    }
}
