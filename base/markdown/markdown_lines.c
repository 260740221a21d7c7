#include "base/markdown/markdown_lines.h"

#include "base/foreign.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* ---- source ---------------------------------------------------------------------------- */

struct bytes markdown_clean(struct arena *arena, const char *source, size_t len)
{
    struct buf b = BUF_INIT(len * 3);
    size_t at = len >= 3 && memcmp(source, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (size_t step; at < len; at += step) {
        uint32_t code;
        step = utf8_next(source + at, len - at, &code);
        if (step && !foreign_is_hidden(code))
            buf_add(&b, source + at, step);
        else
            buf_str(&b, REPLACEMENT);
        step += !step;
    }
    struct bytes clean = {arena_strndup(arena, b.data, b.len), b.len};
    buf_release(&b);
    return clean;
}

/* Length of the line that begins here, without its ending; *ending: 0, 1 or 2 bytes. */
static size_t line_length(const char *at, const char *end, size_t *ending)
{
    const char *p = at;
    while (p < end && *p != '\n' && *p != '\r')
        p++;
    *ending = p == end ? 0 : *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
    return (size_t)(p - at);
}

void markdown_add_visible(struct buf *out, const char *html, size_t len)
{
    static const bool special[128];
    uint32_t code;
    size_t shown = 0;
    for (size_t at = text_plain_run(html, len, special), step; at < len;
         at += step + text_plain_run(html + at + step, len - at - step, special)) {
        step = utf8_next(html + at, len - at, &code);
        bool hidden = step == 0 || foreign_is_hidden(code);
        step += !step;
        if (!hidden)
            continue;
        buf_add(out, html + shown, at - shown);
        buf_str(out, REPLACEMENT);
        shown = at + step;
    }
    buf_add(out, html + shown, len - shown);
}

struct bytes markdown_as_it_is(const char *text)
{
    text += strspn(text, " \t\r\n");
    size_t n = strcspn(text, "\\`&_*[]<!\r\n");
    if (text[n] || n > MARKDOWN_LINE_MAX || utf8_valid_until(text, n) != n)
        return (struct bytes){NULL, 0};
    while (n > 0 && strchr(" \t\v\f", text[n - 1]))
        n--;
    return (struct bytes){text, n};
}

struct bytes *markdown_split(struct arena *arena, struct bytes source, size_t *n)
{
    struct bytes *lines = NULL;
    const char *at = source.data, *end = at + source.len;
    size_t ending;
    for (*n = 0; at < end; at += ending) {
        size_t len = line_length(at, end, &ending);
        *(struct bytes *)ARENA_PUSH(arena, lines, *n) = (struct bytes){at, len};
        at += len;
    }
    return lines;
}

static bool is_blank_line(struct bytes line)
{
    for (size_t i = 0; i < line.len; i++)
        if (line.data[i] != ' ' && line.data[i] != '\t')
            return false;
    return true;
}

static struct bytes skip_line_space(struct bytes s)
{
    while (s.len && (*s.data == ' ' || *s.data == '\t'))
        s = (struct bytes){s.data + 1, s.len - 1};
    return s;
}

static struct bytes trim(struct bytes s)
{
    s = skip_line_space(s);
    while (s.len && (s.data[s.len - 1] == ' ' || s.data[s.len - 1] == '\t'))
        s.len--;
    return s;
}

static struct bytes from(struct bytes s, size_t n)
{
    return n < s.len ? (struct bytes){s.data + n, s.len - n} : (struct bytes){s.data + s.len, 0};
}

/* ---- caps ------------------------------------------------------------------------------ */

/* Length of the quote or list marker that this begins with, or 0. */
static size_t marker_length(struct bytes s)
{
    size_t n = 0;
    if (s.len && *s.data == '>')
        return 1;
    while (n < s.len && n < 9 && isdigit((unsigned char)s.data[n]))
        n++;
    if (n >= s.len || !strchr(n ? ".)" : "-+*", s.data[n]) || !s.data[n])
        return 0;
    n++;
    return n == s.len || s.data[n] == ' ' || s.data[n] == '\t' ? n : 0;
}

/* "- - -": looks like nested lists but is one thematic break. */
static bool is_thematic_break(struct bytes s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] != *s.data && s.data[i] != ' ' && s.data[i] != '\t')
            return false;
    return s.len && (*s.data == '-' || *s.data == '*');
}

/* What stands behind the markers; *n is how many there are. */
static struct bytes skip_markers(struct bytes line, size_t *n)
{
    struct bytes s = skip_line_space(line);
    size_t len;
    for (*n = 0; !is_thematic_break(s) && (len = marker_length(s)) > 0; (*n)++)
        s = skip_line_space(from(s, len));
    return s;
}

/* How far the longest run of lines that could be link reference definitions goes, and how many
 * places could use them. */
struct references {
    size_t run, longest, uses;
};

const char *markdown_refusal(const char *text, size_t len)
{
    struct references refs = {0};
    const char *at = text, *end = text + len;
    size_t ending, markers;
    if (len > MARKDOWN_TEXT_MAX)
        return "more than 65536 bytes of Markdown";
    for (; at < end; at += ending) {
        struct bytes line = {at, line_length(at, end, &ending)};
        if (line.len > MARKDOWN_LINE_MAX)
            return "a line of more than 4096 bytes";
        struct bytes content = skip_markers(line, &markers);
        for (size_t i = 0; i < content.len; i++)
            refs.uses += content.data[i] == '[';
        if (is_blank_line(content))
            refs.run = 0;
        else if (refs.run || *content.data == '[')
            refs.run += content.len + 1;
        if (refs.run > refs.longest)
            refs.longest = refs.run;
        if (markers > MARKDOWN_MARKERS_MAX)
            return "a line that begins with more than 16 quote and list markers";
        at += line.len;
    }
    bool defines = memmem(text, len, "]:", 2) != NULL;
    if (defines && refs.longest > MARKDOWN_REFERENCES_MAX / (refs.uses + 1))
        return "link reference definitions that could expand to more than 4 MiB";
    return NULL;
}

/* ---- positions ------------------------------------------------------------------------- */

static struct bytes line_at(const struct markdown_page *page, int number)
{
    return page->lines[number - 1];
}

static bool is_run_of(struct bytes s, const char *marks)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] != *s.data)
            return false;
    return s.len && strchr(marks, *s.data);
}

/* The line without the block quote marks that could stand in front of it. */
static struct bytes unquote(struct bytes line, int depth)
{
    line = skip_line_space(line);
    for (; depth > 0 && line.len && *line.data == '>'; depth--)
        line = skip_line_space(from(line, 1));
    return line;
}

static struct bytes leaf_line(const struct markdown_page *page, const struct markdown_leaf *leaf,
                              int number)
{
    struct bytes line = line_at(page, number);
    return number == leaf->block.start_line ? from(line, (size_t)leaf->start_column - 1)
                                            : unquote(line, leaf->block.quote_depth);
}

static bool is_atx(struct bytes line)
{
    size_t n = 0;
    while (n < line.len && line.data[n] == '#')
        n++;
    return n >= 1 && n <= 6 && (n == line.len || line.data[n] == ' ' || line.data[n] == '\t');
}

static int end_of_heading(const struct markdown_page *page, const struct markdown_leaf *leaf,
                          int end)
{
    int start = leaf->block.start_line;
    if (is_atx(leaf_line(page, leaf, start)))
        return start;
    while (end > start + 1 && !is_run_of(trim(leaf_line(page, leaf, end)), "=-"))
        end--;
    return end;
}

/* Fenced code: the fence, the literal lines, and the closing fence if there is one. */
static int end_of_code(const struct markdown_page *page, const struct markdown_leaf *leaf, int last)
{
    int end = leaf->block.start_line + leaf->literal_lines - !leaf->fenced;
    if (leaf->fenced && end < last) {
        struct bytes next = trim(leaf_line(page, leaf, end + 1));
        return end + (next.len >= 3 && is_run_of(next, "`~"));
    }
    return end < last ? end : last;
}

static int leaf_end(const struct markdown_page *page, const struct markdown_leaf *leaf, int last)
{
    int start = leaf->block.start_line, end = leaf->block.end_line;
    end = end < last ? end : last;
    end = end > start ? end : start;
    if (leaf->block.kind == MARKDOWN_HEADING)
        end = end_of_heading(page, leaf, end);
    else if (leaf->block.kind == MARKDOWN_CODE)
        end = end_of_code(page, leaf, last);
    else if (leaf->block.kind == MARKDOWN_HTML && start + leaf->literal_lines - 1 <= last)
        end = start + leaf->literal_lines - 1;
    while (end > start && is_blank_line(line_at(page, end)))
        end--;
    return end;
}

/* ---- text ------------------------------------------------------------------------------ */

/* Without the `#`s in front and the optional ones behind. */
static struct bytes atx_text(struct bytes line)
{
    while (line.len && *line.data == '#')
        line = from(line, 1);
    line = trim(line);
    size_t n = line.len;
    while (n && line.data[n - 1] == '#')
        n--;
    if (n == 0 || line.data[n - 1] == ' ' || line.data[n - 1] == '\t')
        line.len = n;
    return trim(line);
}

static const char *leaf_text(const struct markdown_page *page, const struct markdown_leaf *leaf,
                             struct arena *arena)
{
    const struct markdown_block *b = &leaf->block;
    bool heading = b->kind == MARKDOWN_HEADING;
    if (heading && is_atx(leaf_line(page, leaf, b->start_line))) {
        struct bytes text = atx_text(leaf_line(page, leaf, b->start_line));
        return arena_strndup(arena, text.data, text.len);
    }
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    for (int n = b->start_line; n <= b->end_line - heading; n++) {
        struct bytes line = trim(leaf_line(page, leaf, n));
        if (n > b->start_line)
            buf_char(&text, '\n');
        buf_add(&text, line.data, line.len);
    }
    const char *copy = arena_strndup(arena, text.data, text.len);
    buf_release(&text);
    return copy;
}

/* ---- blocks ---------------------------------------------------------------------------- */

static struct markdown_block *block_add(struct markdown_page *page, struct arena *arena)
{
    return ARENA_PUSH(arena, page->blocks, page->n_blocks);
}

/* Lines first to last that no leaf holds: one block for each run with the same item. */
static void place_structure(struct markdown_page *page, int first, int last,
                            const struct markdown_item **around, struct arena *arena)
{
    struct markdown_block *open = NULL;
    for (int n = first; n <= last; n++) {
        struct bytes line = line_at(page, n), bare = unquote(line, MARKDOWN_MARKERS_MAX);
        if (is_blank_line(line)) {
            open = NULL;
            continue;
        }
        if (!open || open->item != around[n - 1]) {
            open = block_add(page, arena);
            *open =
                (struct markdown_block){.kind = MARKDOWN_STRUCTURE, .start_line = n, .text = ""};
            open->item = around[n - 1];
        }
        open->end_line = n;
        open->text = arena_printf(arena, "%s%s%.*s", open->text, *open->text ? "\n" : "",
                                  (int)bare.len, bare.data);
    }
}

void markdown_place(struct markdown_page *page, struct markdown_leaf *leaves, size_t n,
                    const struct markdown_item **around, struct arena *arena)
{
    int next = 1, n_lines = (int)page->n_lines;
    for (size_t i = 0; i < n; i++) {
        struct markdown_leaf *leaf = &leaves[i];
        int last = i + 1 < n ? leaves[i + 1].block.start_line - 1 : n_lines;
        place_structure(page, next, leaf->block.start_line - 1, around, arena);
        leaf->block.end_line = leaf_end(page, leaf, last);
        if (!leaf->block.text)
            leaf->block.text = leaf_text(page, leaf, arena);
        next = leaf->block.end_line + 1;
        *block_add(page, arena) = leaf->block;
    }
    place_structure(page, next, n_lines, around, arena);
}
