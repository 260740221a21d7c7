#include "collector/page/page.h"

#include "base/figures/labels.h"
#include "base/markdown/contain.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

static bool is_file_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* "local_batchsize" of "local_batchsize(micro_batchsize)，简写为LBS…" */
static const char *read_name(struct arena *arena, const char *text)
{
    size_t n = 0;
    text += strspn(text, "`* ");
    while (is_file_name_char(text[n]) || (text[n] == '\\' && text[n + 1] == '_'))
        n++;
    return n > 0 && !isdigit((unsigned char)text[0]) ? arena_strndup(arena, text, n) : NULL;
}

/* "LBS" of "简写为LBS"; else what the name stands for. */
static const char *read_symbol(struct arena *arena, const char *text, const char *name)
{
    static const char *const before[] = {"简写为", "short form "};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *at = strstr(text, before[i]);
        if (!at)
            continue;
        at += strlen(before[i]) + strspn(at + strlen(before[i]), "`* ");
        size_t n = 0;
        while (is_file_name_char(at[n]))
            n++;
        if (n)
            return arena_strndup(arena, at, n);
    }
    const struct label *l = name ? label_find(LABEL_SYMBOL, name) : NULL;
    return l ? l->key : NULL;
}

/* How sentences name the configuration file. `nearest`: the last `before` in front of the first
 * `after` counts, because 为 stands everywhere; else the first `after` behind the first `before`.
 */
static const struct file_form {
    const char *before, *after;
    bool nearest;
} file_forms[] = {{"为", "中所写", true}, {"取自", "，", false}, {"from ", ", ", false}};

static bool find_batch_file(const char *text, const struct file_form *f, const char **begin,
                            const char **end)
{
    const char *at = strstr(text, f->before);
    *end = at ? strstr(f->nearest ? text : at, f->after) : NULL;
    if (!at || !*end || *end < at)
        return false;
    for (const char *next = at; f->nearest && next && next < *end; next = strstr(at + 1, f->before))
        at = next;
    *begin = at + strlen(f->before);
    return *begin <= *end;
}

/* "config_A100x1x8.py" of "为config_A100x1x8.py中所写"; blanks inside it are kept. */
static const char *read_batch_file(struct arena *arena, const char *text)
{
    for (size_t i = 0; i < sizeof file_forms / sizeof *file_forms; i++) {
        const char *begin, *end;
        if (!find_batch_file(text, &file_forms[i], &begin, &end))
            continue;
        char *file = text_trim_n(arena, begin, (size_t)(end - begin));
        if (file[0] && strlen(file) < 200)
            return file;
    }
    return NULL;
}

/* A number with its unit at s: "4096", "1,024", "4M". */
static size_t batch_number_length(const char *s)
{
    size_t n = 0;
    while (isdigit((unsigned char)s[n]) ||
           (n && (s[n] == '.' || s[n] == ',') && isdigit((unsigned char)s[n + 1])))
        n++;
    if (n && (s[n] == 'K' || s[n] == 'M') && !is_file_name_char(s[n + 1]))
        n++;
    return n;
}

/* Words that stand directly before a value, and when the value holds. */
static const struct {
    const char *words, *when;
} value_words[] = {
    {"精度对齐实验默认为", "alignment"},
    {"pretrain阶段为", "pretrain"},
    {"finetune阶段为", "finetune"},
    {"默认为", NULL},
    {"因此为", NULL},
    {"alignment runs: ", "alignment"},
    {"pretrain: ", "pretrain"},
    {"finetune: ", "finetune"},
    {"default: ", NULL},
};

static void read_values(struct arena *arena, const char *text, struct batch_item *item)
{
    for (const char *at = text; *at;) {
        size_t step = 1;
        for (size_t i = 0; i < sizeof value_words / sizeof *value_words; i++) {
            if (!text_starts(at, value_words[i].words))
                continue;
            const char *s = at + strlen(value_words[i].words);
            s += strspn(s, "`* ");
            size_t n = batch_number_length(s);
            step = strlen(value_words[i].words);
            if (n) {
                struct batch_value *v = ARENA_PUSH(arena, item->values, item->n_values);
                *v = (struct batch_value){item->line, value_words[i].when,
                                          arena_strndup(arena, s, n)};
            }
            break;
        }
        at += step;
    }
}

static void read_item(struct importer *imp, const struct piece *p)
{
    struct result *r = imp->result;
    struct batch_item *item = ARENA_PUSH(imp->arena, r->batch, r->n_batch);
    item->line = p->start;
    bool code = p->kind == PIECE_OTHER && p->block->kind == MARKDOWN_CODE;
    item->text.zh = code ? contain_fence(imp->arena, p->text) : p->text;
    import_strand_add(imp, &imp->batch_text, item->text.zh);
    item->name = read_name(imp->arena, item->text.zh);
    item->symbol = read_symbol(imp->arena, item->text.zh, item->name);
    item->file = read_batch_file(imp->arena, item->text.zh);
    read_values(imp->arena, item->text.zh, item);
    if (!item->symbol)
        importer_warn(imp, p->start, "found \"%s\", expected a batch size by one of its names",
                      import_excerpt(imp, item->text.zh));
}

/* The list item directly below the marker (or at the top of the page) that holds the piece. */
static const struct markdown_item *item_below_marker(const struct importer *imp,
                                                     const struct piece *p)
{
    const struct markdown_item *item = p->item;
    while (item && item->parent && item->parent != imp->batch_item)
        item = item->parent;
    if (!item || item == imp->batch_item)
        return NULL;
    return (imp->batch_item && item->parent == imp->batch_item) ||
                   (imp->batch_strict && item->ordered)
               ? item
               : NULL;
}

bool import_batch_add(struct importer *imp, const struct piece *p)
{
    if (imp->part != PART_BATCH)
        return false;
    const struct markdown_item *entry = item_below_marker(imp, p);
    if (!entry || p->block->quote_depth > 0) {
        imp->batch_strict = false;
        return false;
    }
    import_run_flush(imp);
    if (entry == imp->batch_open) {
        import_strand_add(imp, &imp->batch_text, import_verbatim(imp, p, p));
        return true;
    }
    import_batch_end(imp);
    imp->batch_open = entry;
    read_item(imp, p);
    return true;
}

void import_batch_end(struct importer *imp)
{
    struct result *r = imp->result;
    if (imp->batch_text.n > 0)
        r->batch[r->n_batch - 1].text.zh = import_strand_end(imp, &imp->batch_text);
}
