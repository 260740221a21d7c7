#include "verifier/claims/rule.h"
#include "verifier/claims/worded.h"

/* What the figures of a column are of. */
static enum worded_of of_column(const struct metric *m)
{
    const struct metrics_column *c = metrics_by_key(m->name);
    const char *unit = m->unit ? m->unit : c && c->unit ? c->unit : "";
    if (!c)
        return WORDED_OF_NOTHING;
    return c->kind == COLUMN_MFU                                        ? WORDED_OF_SHARE
           : c->kind == COLUMN_MEMORY || c->kind == COLUMN_MEMORY_TOTAL ? WORDED_OF_MEMORY
           : strcmp(unit, "W") == 0                                     ? WORDED_OF_POWER
           : strcmp(m->name, "loss") == 0                               ? WORDED_OF_LOSS
           : c->range == RANGE_TIME                                     ? WORDED_OF_TIME
           : strstr(unit, "/s")                                         ? WORDED_OF_RATE
                                                                        : WORDED_OF_SCORE;
}

/* Is it a figure that a row of the page states, of the same kind? It is checked there, and counts
 * there. */
static bool is_checked(const struct audit *a, const struct worded *x)
{
    for (size_t i = 0; i < a->verdict->n_metrics; i++) {
        const struct metric *m = &a->verdict->metrics[i];
        const struct figure *f = m->says;
        if (f && figure_has_value(f) && of_column(m) == x->of &&
            (fabs(f->value - x->value) <= 0.5000001 * figure_last_place(x->decimals) ||
             f->second == x->value))
            return true;
    }
    return false;
}

/* Does this text, which is plain, say that something was measured? */
static bool says_measured(const char *text)
{
    static const char *const words[] = {"实测",     "达到",    "训练时",  "measured",
                                        "achieved", "reached", "observed"};
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

/* "989 TFLOPS": the peak of a card that the records know. */
static bool is_known_peak(const struct audit *a, const struct worded *x, const char *text)
{
    if (!text_starts(x->behind, "tflop") || says_measured(text))
        return false;
    for (size_t i = 0; i < a->project->n_accelerators; i++)
        for (size_t k = 0; k < a->project->accelerators[i].n_peaks; k++)
            if (fabs(a->project->accelerators[i].peaks[k].tflops - x->value) <=
                figure_last_place(x->decimals))
                return true;
    return false;
}

/* The first number of the text that is claimed of a metric and was not recomputed; NULL. `label`:
 * what names the whole text, as of a row of a table; NULL. */
static const char *unchecked(const struct audit *a, const char *text, const char *label,
                             enum worded_in in)
{
    const char *plain = worded_plain(a->arena, text);
    struct worded x;
    label = label ? worded_plain(a->arena, label) : NULL;
    in = says_measured(plain) || says_measured(label) ? WORDED_IN_TEXT : in;
    for (size_t at = 0; worded_next(plain, &at, label, in, a->arena, &x);)
        if (!is_checked(a, &x) && !is_known_peak(a, &x, plain))
            return x.text;
    return NULL;
}

static struct check_result *find_worded_claim(struct audit *a, const struct claim *c,
                                              const char *number, int line, const char *where)
{
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, c, line,
        "%s claims the figure %s, which fpreport did not recompute and therefore did not check",
        where, number);
    r->stated = number;
    return r;
}

/* "见“性能指标”": the figure stands elsewhere. */
static bool points_elsewhere(const char *text)
{
    return strstr(text, "见") || (strncmp(text, "see", 3) == 0 && text[3] == ' ');
}

static void look_for_claims(struct audit *a, const char *text, int line, const char *where)
{
    const char *number = text ? unchecked(a, text, NULL, WORDED_IN_TEXT) : NULL;
    if (number)
        find_worded_claim(a, NULL, number, line, where);
}

static void look_general(struct audit *a)
{
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_columns; i++)
        look_for_claims(a, t->columns[i], t->line, "a title");
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        const char *number = NULL;
        for (size_t k = 0; !number && k < row->n_cells; k++) {
            const char *text = row->cells[k].text;
            bool named = k == 1 && !points_elsewhere(text);
            number = unchecked(a, text, named ? row->cells[0].text : NULL, WORDED_IN_TEXT);
        }
        if (number)
            find_worded_claim(a, NULL, number, t->line,
                              sentence_say(a->arena, "row '%s' of the general metrics table",
                                           row->cells[0].text));
    }
}

static void look_at_item(struct audit *a, const struct item *item)
{
    const char *number = unchecked(a, item->value, item->label, WORDED_IN_MACHINE);
    if (!number && item->label)
        number = unchecked(a, item->label, NULL, WORDED_IN_MACHINE);
    if (number)
        find_worded_claim(a, NULL, number, item->line, "a value of the environment section");
}

/* Does anything hold this column's cells to what they say? */
static bool is_held_column(const struct metrics_column *m)
{
    return m && (metrics_is_numeric(m->kind) || m->kind == COLUMN_FLAG);
}

static void look_at_cell(struct audit *a, const struct claim *c, const struct table *t,
                         const struct cell *cell, const char *column, const char *row)
{
    bool known = metrics_column(column) != NULL;
    enum worded_in in = c ? WORDED_IN_MACHINE : WORDED_IN_TEXT;
    const char *number = unchecked(a, cell->text, known ? NULL : column, in);
    if (!number && row && row != cell->text)
        number = unchecked(a, cell->text, row, in);
    if (number)
        audit_cell(find_worded_claim(a, c, number, c ? 0 : t->line,
                                     sentence_say(a->arena, "a cell in column %s", column)),
                   cell);
}

static const struct claim *claim_of_row(const struct audit *a, const struct table *t, size_t row)
{
    for (size_t i = 0; i < a->n_claims; i++)
        if (a->claims[i].of == t && a->claims[i].cells == &t->rows[row])
            return &a->claims[i];
    return NULL;
}

/* Behind the name of a row, in its settings, in lines between the rows, in columns and tables that
 * are none of figures. */
static void look_at_table(struct audit *a, const struct table *t)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct claim *c = claim_of_row(a, t, i);
        for (size_t k = 0; k < t->n_columns && k < t->rows[i].n_cells; k++)
            if (!c || !is_held_column(c->columns[k]))
                look_at_cell(a, c, t, &t->rows[i].cells[k], t->columns[k],
                             c ? NULL : t->rows[i].cells[0].text);
    }
}

/* The site shows a vendor's names beside its results. */
static void look_at_vendor(struct audit *a)
{
    const struct vendor *v = project_vendor(a->project, a->result->vendor);
    if (!v)
        return;
    look_for_claims(a, v->heading, 0, "the vendor's heading");
    look_for_claims(a, v->name.zh, 0, "the vendor's name");
    if (!v->name.zh || !v->name.en || strcmp(v->name.zh, v->name.en) != 0)
        look_for_claims(a, v->name.en, 0, "the vendor's name");
    for (size_t i = 0; i < v->n_aliases; i++)
        look_for_claims(a, v->aliases[i], 0, "another name of the vendor");
}

/* Its name says what its values are, as that of a row does. */
static void look_at_batch(struct audit *a, const struct batch_item *b)
{
    const char *number = NULL;
    look_for_claims(a, b->text.zh, b->line, "a note");
    look_for_claims(a, b->text.en, b->line, "a note");
    look_for_claims(a, b->name, b->line, "a title");
    for (size_t i = 0; !number && i < b->n_values; i++) {
        number =
            unchecked(a, b->values[i].value ? b->values[i].value : "", b->name, WORDED_IN_TEXT);
        number = number ? number
                        : unchecked(a, b->values[i].value ? b->values[i].value : "", b->symbol,
                                    WORDED_IN_TEXT);
        look_for_claims(a, b->values[i].when, b->values[i].line, "a note");
    }
    if (number)
        find_worded_claim(a, NULL, number, b->line, "a batch size");
}

static void look_at_prose(struct audit *a)
{
    const struct result *r = a->result;
    look_for_claims(a, r->title, r->line, "the title");
    look_for_claims(a, r->run_title, r->line, "a title");
    look_for_claims(a, r->preamble, r->preamble_line, "a note");
    for (size_t i = 0; i < r->n_environments; i++) {
        look_for_claims(a, r->environments[i].title, r->environments[i].line, "a title");
        for (size_t k = 0; k < r->environments[i].n_groups; k++)
            look_for_claims(a, r->environments[i].groups[k].label, r->environments[i].line,
                            "a title");
    }
    for (size_t i = 0; i < r->n_run_groups; i++)
        look_for_claims(a, r->run_groups[i].label, r->line, "a title");
    for (size_t i = 0; i < r->n_performance; i++) {
        const struct block *b = &r->performance[i];
        look_for_claims(a, b->text.zh, b->line, "a note");
        look_for_claims(a, b->text.en, b->line, "a note");
        if (b->table)
            look_for_claims(a, b->table->caption, b->line, "a title");
        for (size_t k = 0; b->table && k < b->table->n_columns; k++)
            look_for_claims(a, b->table->columns[k], b->line, "a title");
        if (b->table)
            look_at_table(a, b->table);
    }
    for (size_t i = 0; i < r->n_batch; i++)
        look_at_batch(a, &r->batch[i]);
    for (size_t i = 0; i < r->n_extras; i++)
        look_for_claims(a, r->extras[i].text, r->extras[i].line, "a note");
}

/* Where a result has evidence, its state is that of its figures: those in words are none that
 * anything looked at. */
static void check_claims(struct audit *a)
{
    if (!a->n_proofs)
        return;
    look_general(a);
    look_at_prose(a);
    for (size_t i = 0; i < a->n_items; i++)
        look_at_item(a, a->items[i].item);
    look_at_vendor(a);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s claims the figure %s, which fpreport did not recompute and therefore did not check",
     .zh = "{1:said}写有性能数字 {2}，fpreport 没有复算过这个数字，因此它未经检查"},
    {.en = "row '%s' of the general metrics table",
     .zh = "通用指标表的“{1}”行"},
    {.en = "the title",
     .zh = "页面中的标题"},
    {.en = "a title",
     .zh = "页面中的标题"},
    {.en = "a note",
     .zh = "页面中的备注"},
    {.en = "a batch size",
     .zh = "批大小的取值"},
    {.en = "a value of the environment section",
     .zh = "环境说明中的取值"},
    {.en = "a cell in column %s",
     .zh = "表格 {1} 列的单元格"},
    {.en = "the vendor's heading",
     .zh = "厂商标题"},
    {.en = "the vendor's name",
     .zh = "厂商名称"},
    {.en = "another name of the vendor",
     .zh = "厂商的别名"},
    {NULL, NULL},
};

const struct rule rule_fp1020 = {
    .id = "FP1020",
    .kind = "page",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .partial_at_most = true,
    .page = check_claims,
    .title = {.en = "Performance figures in the text of a page", .zh = "页面正文中的性能数字"},
    .statement = {.en = "If the text of a page states a number with the name or unit of a metric, "
                        "fpreport must have recomputed this number from the evidence. As text, the "
                        "rule checks the general metrics table, notes, titles, row names, the "
                        "environment section and the vendor's names.",
                  .zh = "页面正文中带有指标名称或单位的数字，必须由 fpreport 根据证据复算过。通用指"
                        "标表、备注、标题、行名、环境说明和厂商名称都算页面正文。"},
    .why = {.en = "Readers cannot see which numbers in a text were checked and which were not.",
            .zh = "读者看不出页面正文中的哪些数字经过检查，哪些没有经过检查。"},
    .how = {.en = "For a result with evidence, the rule looks for numbers (in digits or in words) "
                  "before a unit (tokens/s, TFLOPS, W) or after a metric name (MFU, loss, "
                  "throughput, score). The rule then looks for each number among the recomputed "
                  "figures of the same kind. A ratio of speeds ('twice as fast') is never "
                  "recomputed. If the text contains a number that was not recomputed, the result "
                  "can be at most partially verified.",
            .zh = "结果附有证据时，在页面正文中查找写在单位（tokens/s、TFLOPS、W）之前或指标名称（"
                  "MFU、loss、吞吐量、得分）之后的数字，阿拉伯数字和中文数字都查。页面正文中的每个"
                  "数字，都必须能在同类指标的复算值中找到。正文中的速度倍数（例如“快一倍”）一律算作"
                  "未经复算。页面正文中只要有一个数字未经复算，整个结果最多只能是“部分验证”。"},
    .fix = {.en = "Move the number from the text into a row of the performance table, or remove the "
                  "number.",
            .zh = "把页面正文中的数字移到性能表的一行中，或从正文中删去。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"模型\", \"tiny_llama\"",
                .changed = "\"总吞吐量\", \"99,999,999 token/s\", \"\"], [\"模型\", \"tiny_llama\""},
};
/* clang-format on */
