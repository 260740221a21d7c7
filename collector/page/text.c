#include "collector/page/page.h"

#include "base/arena.h"
#include "base/figures/labels.h"
#include "base/markdown/contain.h"
#include "base/markdown/inert.h"
#include "base/text.h"

#include <string.h>

/* Bytes of white space at the start of the line that reach no further than `columns`. */
static size_t indentation(struct bytes line, size_t columns, size_t *reached)
{
    size_t at = 0;
    *reached = 0;
    for (; at < line.len && (line.data[at] == ' ' || line.data[at] == '\t'); at++) {
        size_t next = line.data[at] == '\t' ? *reached / 4 * 4 + 4 : *reached + 1;
        if (next > columns)
            break;
        *reached = next;
    }
    return at;
}

static bool is_blank_source_line(struct bytes line)
{
    size_t reached;
    return indentation(line, (size_t)-1, &reached) == line.len;
}

static void add_lines(struct importer *imp, struct buf *out, int first, int last, size_t columns)
{
    for (int n = first; n <= last; n++) {
        struct bytes line = imp->page.lines[n - 1];
        size_t reached, from = indentation(line, columns, &reached);
        buf_str(out, n > first ? "\n" : "");
        buf_add(out, line.data + from, line.len - from);
    }
}

static const char *take_imported_text(struct importer *imp, struct buf *b)
{
    const char *text = arena_strndup(imp->arena, b->data, b->len);
    buf_release(b);
    return text;
}

const char *import_raw_lines(struct importer *imp, int first, int last)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    while (first <= last && is_blank_source_line(imp->page.lines[first - 1]))
        first++;
    while (first <= last && is_blank_source_line(imp->page.lines[last - 1]))
        last--;
    add_lines(imp, &b, first, last, 0);
    return take_imported_text(imp, &b);
}

/* Indented code means something else once its indentation changes, so it becomes fenced. */
static bool is_indented_code(const struct importer *imp, const struct piece *p)
{
    struct bytes line = imp->page.lines[p->start - 1];
    if (p->kind != PIECE_OTHER || p->block->kind != MARKDOWN_CODE || p->block->quote_depth)
        return false;
    const char *text = p->block->text;
    size_t len = strcspn(text, "\n");
    return len > 0 && len <= line.len && memcmp(line.data + line.len - len, text, len) == 0 &&
           strncmp(text, "```", 3) != 0 && strncmp(text, "~~~", 3) != 0;
}

const char *import_verbatim(struct importer *imp, const struct piece *first,
                            const struct piece *last)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    int start = first->start;
    if (is_indented_code(imp, first)) {
        buf_str(&b, contain_fence(imp->arena, first->block->text));
        if (first == last)
            return take_imported_text(imp, &b);
        buf_str(&b, "\n\n");
        start = (++first)->start;
    }
    size_t columns;
    struct bytes line = imp->page.lines[start - 1];
    indentation(line, (size_t)-1, &columns);
    /* Part of a paragraph may begin with a line that only its indentation kept from being a
     * heading or a bullet. */
    if (first->kind == PIECE_TEXT && start == first->start && start != first->block->start_line) {
        contain_line(&b, text_trim_n(imp->arena, line.data, line.len), true);
        buf_str(&b, start < last->end ? "\n" : "");
        start++;
    }
    add_lines(imp, &b, start, last->end, columns);
    return inert_text(imp->arena, take_imported_text(imp, &b));
}

bool import_has_words(const char *text)
{
    for (size_t at = 0, n = strlen(text), len; at < n; at += len) {
        uint32_t c;
        len = utf8_next(text + at, n - at, &c);
        if (len == 0)
            return true;
        if (c >= 0x80 ? c >= 0xAA && !text_is_space(c) && (c < 0x2000 || c > 0x206F) &&
                            (c < 0x3000 || c > 0x303F) && (c < 0xFF01 || c > 0xFF0F)
                      : (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'))
            return true;
    }
    return false;
}

const char *import_excerpt(struct importer *imp, const char *text)
{
    size_t line = strcspn(text, "\n");
    int n = text_cut(text, line < 60 ? (int)line : 60);
    return arena_printf(imp->arena, "%.*s%s", n, text, text[n] ? "…" : "");
}

void import_run_add(struct importer *imp, const struct piece *piece)
{
    /* A comment that only keeps two lists apart; our own pages use it. */
    if (imp->run.n == 0 && piece->kind == PIECE_OTHER && piece->block->kind == MARKDOWN_HTML &&
        strcmp(piece->block->text, LABEL_LIST_BREAK) == 0)
        return;
    if (imp->run.n == 0)
        imp->run.first = (size_t)(piece - imp->pieces);
    imp->run.n++;
}

void import_strand_add(struct importer *imp, struct strand *strand, const char *text)
{
    *(const char **)ARENA_PUSH(imp->arena, strand->texts, strand->n) = text;
}

const char *import_strand_end(struct importer *imp, struct strand *strand)
{
    struct buf b = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = 0; i < strand->n; i++) {
        buf_str(&b, i ? "\n\n" : "");
        buf_str(&b, strand->texts[i]);
    }
    *strand = (struct strand){0};
    return inert_text(imp->arena, take_imported_text(imp, &b));
}

/* One extra per place, in the order of the page. */
void import_extras_end(struct importer *imp)
{
    static const char *const places[] = {
        [PART_TITLE] = "title", [PART_ENVIRONMENT] = "environment", [PART_RUN] = "run",
        [PART_BATCH] = "batch", [PART_GENERAL] = "general",
    };
    struct result *r = imp->result;
    for (enum part part = PART_TITLE; part < PART_PERFORMANCE; part++) {
        struct strand *strand = &imp->extra_text[part];
        if (strand->n == 0)
            continue;
        struct extra *e = ARENA_PUSH(imp->arena, r->extras, r->n_extras);
        e->line = strand->line;
        e->place = places[part];
        e->text = import_strand_end(imp, strand);
    }
}

void import_run_flush(struct importer *imp)
{
    if (imp->run.n == 0)
        return;
    const struct piece *first = &imp->pieces[imp->run.first], *last = first + imp->run.n - 1;
    const char *text = import_verbatim(imp, first, last);
    struct strand *strand = &imp->extra_text[imp->part];
    imp->run.n = 0;
    if (!text[0])
        return; /* blanks that no Markdown sees */
    if (strand->n == 0)
        strand->line = first->start;
    import_strand_add(imp, strand, text);
    importer_warn(imp, first->start,
                  "found \"%s\", which the page grammar does not know here; kept as it is",
                  import_excerpt(imp, text));
}
