#include "collector/page/import.h"

#include "base/figures/foreign_table.h"
#include "base/figures/labels.h"
#include "base/figures/metrics.h"
#include "base/foreign.h"
#include "base/markdown/contain.h"
#include "base/markdown/inert.h"
#include "base/markdown/markdown_lines.h"
#include "base/text.h"
#include "collector/page/page.h"

#include <string.h>

/* Longer lines are prose, whatever they end with. */
#define LANDMARK_MAX 400

void importer_warn(struct importer *imp, int line, const char *fmt, ...)
{
    struct err said;
    va_list ap;
    va_start(ap, fmt);
    err_vset(&said, ERR_INPUT, fmt, ap);
    va_end(ap);
    diags_add(imp->diags, SEVERITY_WARNING, imp->file, line, 1, "%s", said.text);
}

/* What a heading, a one-line paragraph or a table says about where we are in the page. */
struct landmark {
    const struct label *section, *group;
    bool general, figures, foreign; /* a table of that kind */
    const char *text;               /* as it is stored */
};

/* "####环境配置": meant as a heading, but CommonMark wants a blank behind the marks. */
static const char *without_marks(struct importer *imp, const struct piece *p)
{
    size_t marks = strspn(p->text, "#");
    if (p->kind != PIECE_TEXT || marks == 0 || marks > 6)
        return p->text;
    const char *rest = text_trim(imp->arena, p->text + marks);
    bool known = rest[0] != '\\' && (label_find_suffix(LABEL_SECTION, rest, imp->arena, NULL) ||
                                     label_find_suffix(LABEL_GROUP, rest, imp->arena, NULL));
    return known ? rest : p->text;
}

static const char *without_colon(struct importer *imp, const char *text)
{
    size_t n = strlen(text);
    if (text_ends(text, ":"))
        return text_trim_n(imp->arena, text, n - 1);
    return text_ends(text, "：") ? text_trim_n(imp->arena, text, n - strlen("：")) : text;
}

static const struct label *find_section(struct importer *imp, bool heading, const char *text)
{
    const struct label *l =
        heading ? label_find_suffix(LABEL_SECTION, text, imp->arena, NULL) : NULL;
    /* These are found by the end of their heading ("H800环境配置", "3.运行情况"); the others are
     * whole headings, bullets or lines. */
    if (l && (strcmp(l->key, "environment") == 0 || strcmp(l->key, "run") == 0))
        return l;
    l = label_find(LABEL_SECTION, without_colon(imp, text));
    return l && strcmp(l->key, "title") != 0 && strcmp(l->key, "verification") != 0 ? l : NULL;
}

static void read_landmark_line(struct importer *imp, const struct piece *p, struct landmark *out)
{
    /* "\* 性能指标" is escaped so as not to be one; folding would not see that. */
    if (strchr(p->text, '\n') || strlen(p->text) > LANDMARK_MAX || p->text[0] == '\\')
        return;
    out->text = without_marks(imp, p);
    bool heading = p->kind == PIECE_HEADING || out->text != p->text;
    const struct label *title = label_by_key(LABEL_SECTION, "title");
    bool possible = imp->part == PART_PREAMBLE && !p->item;
    out->section = possible && label_within(title, p->text, imp->arena) ? title : NULL;
    if (!out->section)
        out->section = find_section(imp, heading, out->text);
    if (out->section)
        return;
    if (heading)
        out->group = label_find_suffix(LABEL_GROUP, out->text, imp->arena, NULL);
    else if (p->starts_item && p->item->depth == 1)
        out->group = label_find(LABEL_GROUP, out->text);
}

static struct landmark read_landmark(struct importer *imp, const struct piece *p)
{
    struct landmark mark = {.text = p->text};
    if (p->block->quote_depth > 0 || imp->part == PART_PERFORMANCE)
        return mark;
    if (p->kind == PIECE_HEADING || p->kind == PIECE_TEXT)
        read_landmark_line(imp, p, &mark);
    if (p->kind == PIECE_TABLE) {
        const struct label *first = label_find(LABEL_COLUMN, p->table->columns[0]);
        bool name = first && strcmp(first->key, "name") == 0;
        mark.foreign = foreign_table_is(p->table, imp->arena);
        mark.figures = mark.foreign || metrics_is_table(p->table);
        mark.general =
            !imp->result->general && !mark.figures && (name || imp->part == PART_GENERAL);
    }
    return mark;
}

/* The first line that is not blank: where the preamble begins. */
static int first_line(const struct importer *imp)
{
    for (size_t i = 0; i < imp->page.n_lines; i++)
        for (size_t k = 0; k < imp->page.lines[i].len; k++)
            if (!strchr(" \t\r", imp->page.lines[i].data[k]))
                return (int)i + 1;
    return 1;
}

/* The preamble ends at the first landmark, and everything before it is kept as it is. */
static void advance(struct importer *imp, const struct piece *p, enum part part)
{
    if (imp->part == PART_PREAMBLE) {
        const char *text = import_raw_lines(imp, 1, p->start - 1);
        imp->result->preamble = text[0] ? inert_text(imp->arena, text) : NULL;
        imp->result->preamble_line = first_line(imp);
    }
    import_run_flush(imp);
    import_group_close(imp);
    if (imp->part < part)
        imp->part = part;
}

static void open_title(struct importer *imp, const struct piece *p, const char *text)
{
    imp->result->title = text;
    imp->result->line = p->start; /* findings about the page point at its title */
}

static void open_environment(struct importer *imp, const struct piece *p, const char *text)
{
    struct result *r = imp->result;
    struct environment *e = ARENA_PUSH(imp->arena, r->environments, r->n_environments);
    e->line = p->start;
    e->title = text;
}

static void open_run(struct importer *imp, const struct piece *p, const char *text)
{
    (void)p;
    imp->result->run_title = text;
}

static void open_batch(struct importer *imp, const struct piece *p, const char *text)
{
    (void)text;
    imp->batch_item = p->item;
    imp->batch_strict = true;
}

static void open_nothing(struct importer *imp, const struct piece *p, const char *text)
{
    (void)imp, (void)p, (void)text;
}

/* What a landmark leads to. `once`: a second one is not a landmark. */
static const struct step {
    const char *key;
    enum part part;
    bool once;
    void (*open)(struct importer *imp, const struct piece *p, const char *text);
} steps[] = {
    {"title", PART_TITLE, true, open_title},
    {"environment", PART_ENVIRONMENT, false, open_environment},
    {"run", PART_RUN, true, open_run},
    {"batch", PART_BATCH, true, open_batch},
    {"general", PART_GENERAL, true, open_nothing},
    {"performance", PART_PERFORMANCE, true, open_nothing},
};

static bool section_open(struct importer *imp, const struct piece *p, const struct landmark *mark)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct step *s = &steps[i];
        if (strcmp(s->key, mark->section->key) != 0)
            continue;
        if (s->once && imp->part >= s->part)
            return false;
        advance(imp, p, s->part);
        s->open(imp, p, mark->text);
        return true;
    }
    return false;
}

/* A group before any environment heading still belongs to an environment. */
static void open_group(struct importer *imp, const struct piece *p, const char *label)
{
    struct result *r = imp->result;
    advance(imp, p, PART_ENVIRONMENT);
    if (!import_in_run(imp) && r->n_environments == 0) {
        const char *title = label_by_key(LABEL_SECTION, "environment")->text.zh;
        open_environment(imp, p, title);
        importer_warn(imp, p->start, "found \"%s\" without a heading before it; \"%s\" is assumed",
                      label, title);
    }
    import_group_open(imp, p, label);
}

/* A headed bullet that no table knows, where groups are expected, is a group all the same. */
static bool is_unknown_group(struct importer *imp, const struct piece *p)
{
    return p->kind == PIECE_HEADING && p->starts_item && p->block->quote_depth == 0 &&
           !strchr(p->text, '\n') &&
           ((imp->group && import_group_takes(imp, p)) || imp->part == PART_ENVIRONMENT);
}

static bool take_landmark(struct importer *imp, const struct piece *p)
{
    struct landmark mark = read_landmark(imp, p);
    if (mark.section && section_open(imp, p, &mark))
        return true;
    if (mark.section) {
        import_group_close(imp); /* a second one is no bullet either */
        return false;
    }
    if (mark.general || mark.figures) {
        advance(imp, p, mark.figures ? PART_PERFORMANCE : PART_GENERAL);
        if (mark.general) {
            import_general(imp, p->table);
            return true;
        }
        if (!mark.foreign)
            importer_warn(imp, p->start, "found a table of figures without \"%s\" before it",
                          label_by_key(LABEL_SECTION, "performance")->text.zh);
        return false;
    }
    if (!mark.group && !is_unknown_group(imp, p))
        return false;
    if (!mark.group)
        importer_warn(imp, p->start, "found the unknown group \"%s\"; kept as a group",
                      import_excerpt(imp, mark.text));
    open_group(imp, p, mark.text);
    return true;
}

static void import_piece(struct importer *imp, const struct piece *p)
{
    if (imp->part == PART_PERFORMANCE) {
        import_performance(imp, p);
        return;
    }
    if (take_landmark(imp, p))
        return;
    if (imp->part == PART_PERFORMANCE) {
        import_performance(imp, p);
    } else if (imp->group && import_group_takes(imp, p)) {
        import_group_add(imp, p);
    } else if (imp->part != PART_PREAMBLE && !import_batch_add(imp, p)) {
        import_group_close(imp);
        import_run_add(imp, p);
    }
}

/* Where the section begins that fpreport put behind the page; `len` when there is none. */
static size_t without_verification(struct importer *imp, const char *source, size_t len)
{
    static const char mark[] = LABEL_VERIFICATION_MARK;
    int line = 1;
    for (const char *at = source; at; line++) {
        while (at < source + len && *at == ' ')
            at++; /* what is kept loses its indentation, and would be one the next time */
        size_t left = len - (size_t)(at - source);
        if (left >= sizeof mark - 1 && memcmp(at, mark, sizeof mark - 1) == 0) {
            diags_add(imp->diags, SEVERITY_NOTICE, imp->file, line, 1,
                      "left out: the verification section, which is derived");
            return (size_t)(at - source);
        }
        at = memchr(at, '\n', left);
        at = at ? at + 1 : NULL;
    }
    return len;
}

/* One warning, for the first of what is not read as it is (markdown_clean). */
static void warn_encoding(struct importer *imp, const char *source, size_t len)
{
    uint32_t code = 0;
    int line = 1;
    size_t at = len >= 3 && memcmp(source, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (size_t step; at < len; at += step, line += code == '\n') {
        step = utf8_next(source + at, len - at, &code);
        if (step && !foreign_is_hidden(code))
            continue;
        if (step)
            importer_warn(imp, line,
                          "found the hidden character U+%04X; hidden characters are "
                          "read as U+FFFD",
                          (unsigned)code);
        else
            importer_warn(imp, line,
                          "found bytes that are not UTF-8; these bytes are read as "
                          "U+FFFD");
        return;
    }
}

/* A page without any landmark is kept whole. */
static void finish_import(struct importer *imp)
{
    struct result *r = imp->result;
    if (imp->part == PART_PREAMBLE) {
        const char *text = import_raw_lines(imp, 1, (int)imp->page.n_lines);
        r->preamble = text[0] ? inert_text(imp->arena, text) : NULL;
        r->preamble_line = first_line(imp);
        importer_warn(imp, 1,
                      "found no result page (no heading \"…%s\", \"%s\" or \"%s\"); "
                      "kept whole as preamble",
                      label_by_key(LABEL_SECTION, "title")->text.zh,
                      label_by_key(LABEL_SECTION, "environment")->text.zh,
                      label_by_key(LABEL_SECTION, "general")->text.zh);
        return;
    }
    if (imp->part == PART_PERFORMANCE)
        import_performance_end(imp);
    else
        import_run_flush(imp);
    import_batch_end(imp);
    import_extras_end(imp);
    if (!r->title && !imp->foreign)
        importer_warn(imp, 1, "found no title, expected a heading \"…%s\"",
                      label_by_key(LABEL_SECTION, "title")->text.zh);
}

static void begin_import(struct result *out, const char *file, const char *vendor,
                         const char *case_id)
{
    shape_init(&result_shape, out);
    out->line = 1;
    out->vendor = vendor;
    out->case_id = case_id;
    out->file = file;
}

int import_page(const char *source, size_t len, const char *file, const char *vendor,
                const char *case_id, struct arena *arena, struct result *out, struct diags *diags)
{
    struct importer imp = {.file = file, .arena = arena, .diags = diags, .result = out};
    struct err err = ERR_INIT;
    begin_import(out, file, vendor, case_id);
    if (len > IMPORT_PAGE_MAX) {
        diags_add(diags, SEVERITY_ERROR, file, 0, 0, "found %zu bytes, a page has at most %zu", len,
                  IMPORT_PAGE_MAX);
        return -1;
    }
    warn_encoding(&imp, source, len);
    len = without_verification(&imp, source, len);
    if (markdown_page_read(&imp.page, file, source, len, arena, &err) < 0) {
        diags_add_err(diags, file, 0, 0, &err);
        return -1;
    }
    import_pieces(&imp);
    for (size_t i = 0; i < imp.n_pieces; i++)
        import_piece(&imp, &imp.pieces[i]);
    finish_import(&imp);
    return 0;
}

void import_page_plain(const char *source, size_t len, const char *file, const char *vendor,
                       const char *case_id, const char *why, struct arena *arena,
                       struct result *out, struct diags *diags)
{
    begin_import(out, file, vendor, case_id);
    out->preamble = contain_fence(arena, markdown_clean(arena, source, len).data);
    out->preamble_line = 1;
    diags_add(diags, SEVERITY_WARNING, file, 1, 0,
              "found Markdown that could not be read (%s); kept whole as plain text", why);
}

static bool has_label_within(enum label_set set, const char *text)
{
    size_t n;
    const struct label *labels = labels_of(set, &n);
    for (size_t i = 0; i < n; i++)
        if (strstr(text, labels[i].text.zh))
            return true;
    return false;
}

bool import_is_prose(const struct result *r, const char *source, size_t len, struct arena *arena)
{
    const char *text = text_fold(arena, markdown_clean(arena, source, len).data);
    return !r->title && !r->run_title && !r->n_environments && !r->n_batch && !r->n_run_groups &&
           !r->general && !r->n_performance && !r->n_extras &&
           !has_label_within(LABEL_SECTION, text) && !has_label_within(LABEL_GROUP, text);
}

bool import_path_ids(const char *path, struct arena *arena, const char **vendor,
                     const char **case_id)
{
    const char *end = strrchr(path, '/');
    if (!end || (strcasecmp(end, "/README.md") != 0 && strcasecmp(end, "/README.en.md") != 0))
        return false;
    const char *before = memrchr(path, '/', (size_t)(end - path));
    if (!before)
        return false;
    const char *start = memrchr(path, '/', (size_t)(before - path));
    start = start ? start + 1 : path;
    *vendor = arena_strndup(arena, start, (size_t)(before - start));
    *case_id = arena_strndup(arena, before + 1, (size_t)(end - before - 1));
    return shape_is_id(*vendor) && shape_is_id(*case_id);
}
