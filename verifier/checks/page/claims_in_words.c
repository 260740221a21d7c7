#include "base/figures/labels.h"
#include "base/text.h"
#include "verifier/claims/audit.h"
#include "verifier/claims/rule.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Behind a number: what it is of. Folded words (base/text.h). */
static const char *const units[] = {"token/s",  "tokens/s",  "token/p/s", "tokens/p/s", "tok/s",
                                    "sample/s", "samples/s", "seq/s",     "images/s",   "it/s",
                                    "tflops",   "tflop/s",   "pflops",    "tokens/sec", "token/sec",
                                    "kw",       "w"};

/* Before a number: the name of a metric. */
static const char *const names[] = {"mfu",  "loss",   "throughput", "score", "accuracy",
                                    "tgs",  "吞吐量", "吞吐",       "损失",  "准确率",
                                    "得分", "利用率", "使用率",     "算力",  "功耗"};

static bool is_claim_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '/';
}

/* A unit that stands at s, whole. */
static bool is_worded_unit(const char *s)
{
    s += strspn(s, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i]);
        if (strncmp(s, units[i], n) == 0 && !is_claim_word_char(s[n]))
            return true;
    }
    return false;
}

/* What may stand between a name and its number. */
static const char *behind_link(const char *s)
{
    static const char *const links[] = {" ", "=", ":",  "：", "为",  "达到", "达", "约",
                                        "~", "≈", "is", "of", "was", "*",    "`",  "="};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strncmp(s, links[i], strlen(links[i])) == 0) {
            s += strlen(links[i]);
            i = (size_t)-1;
        }
    return s;
}

static const char *lower_ascii(struct arena *arena, const char *text)
{
    char *s = figure_plain(arena, text);
    for (char *c = s; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return s;
}

/* Was this number recomputed in a row of the page, and agrees? */
static bool is_checked(const struct audit *a, double value, int decimals)
{
    for (size_t i = 0; i < a->verdict->n_metrics; i++) {
        const struct metric *m = &a->verdict->metrics[i];
        const struct figure *f = m->says;
        if (f && figure_has_value(f) && m->outcome == OUTCOME_PASS &&
            (fabs(f->value - value) <= figure_last_place(decimals) || f->second == value))
            return true;
    }
    return false;
}

/* The first number of the text that is claimed of a metric and was not recomputed; NULL. `named`: a
 * metric's name stands in front of the whole text, as of a row of a table. */
static const char *unchecked(const struct audit *a, const char *text, bool named)
{
    const char *s = lower_ascii(a->arena, text);
    double value;
    int decimals;
    for (const char *at = s; *at; at++) {
        size_t n = at > s && (is_claim_word_char(at[-1]) || at[-1] == '.' || at[-1] == '-')
                       ? 0
                       : figure_scan_number(at, &value, &decimals);
        if (n && (named || is_worded_unit(at + n)) && !is_checked(a, value, decimals))
            return arena_strndup(a->arena, at, n);
        for (size_t i = 0; !n && i < sizeof names / sizeof *names; i++) {
            size_t length = strlen(names[i]);
            if (strncmp(at, names[i], length) != 0)
                continue;
            const char *number = behind_link(at + length);
            size_t digits =
                number > at + length ? figure_scan_number(number, &value, &decimals) : 0;
            if (digits && !is_checked(a, value, decimals))
                return arena_strndup(a->arena, number, digits);
        }
        at += n ? n - 1 : 0;
    }
    return NULL;
}

static bool names_metric(const struct audit *a, const char *text)
{
    const char *s = lower_ascii(a->arena, text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(s, names[i]))
            return true;
    return false;
}

static void find_worded_claim(struct audit *a, const char *number, int line, const char *where)
{
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, NULL, line,
        "%s claims the figure %s, which nothing recomputed: not checked", where, number);
    r->stated = number;
}

/* "见“性能指标”": the figure stands elsewhere. */
static bool points_elsewhere(const char *text)
{
    return strstr(text, "见") || (strncmp(text, "see", 3) == 0 && text[3] == ' ');
}

static void look_general(struct audit *a)
{
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        if (row->n_cells < 2 || points_elsewhere(row->cells[1].text))
            continue;
        bool named = names_metric(a, row->cells[0].text);
        const char *number = unchecked(a, row->cells[1].text, named);
        for (size_t k = 2; !number && k < row->n_cells; k++)
            number = unchecked(a, row->cells[k].text, false);
        if (number)
            find_worded_claim(
                a, number, t->line,
                sentence_say(a->arena, "row '%s' of the general table", row->cells[0].text));
    }
}

static void look_for_claims(struct audit *a, const char *text, int line, const char *where)
{
    const char *number = text ? unchecked(a, text, false) : NULL;
    if (number)
        find_worded_claim(a, number, line, where);
}

/* Where a result has evidence, its state is that of its figures: those in words are none that
 * anything looked at. */
static void check_claims(struct audit *a)
{
    const struct result *r = a->result;
    if (!a->n_proofs)
        return;
    look_general(a);
    look_for_claims(a, r->title, r->line, "the title");
    look_for_claims(a, r->run_title, r->line, "a title");
    for (size_t i = 0; i < r->n_environments; i++)
        look_for_claims(a, r->environments[i].title, r->environments[i].line, "a title");
    for (size_t i = 0; i < r->n_performance; i++) {
        look_for_claims(a, r->performance[i].text.zh, r->performance[i].line, "a note");
        look_for_claims(a, r->performance[i].text.en, r->performance[i].line, "a note");
    }
    for (size_t i = 0; i < r->n_extras; i++)
        look_for_claims(a, r->extras[i].text, r->extras[i].line, "a note");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s claims the figure %s, which nothing recomputed: not checked",
     .zh = "{1:said}声称的数字 {2} 没有重算过：未经检查"},
    {.en = "row '%s' of the general table",
     .zh = "通用指标表的“{1}”行"},
    {.en = "the title",
     .zh = "标题"},
    {.en = "a title",
     .zh = "标题"},
    {.en = "a note",
     .zh = "备注"},
    {NULL, NULL},
};

const struct rule rule_fp1020 = {
    .id = "FP1020",
    .kind = "page",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .partial_at_most = true,
    .page = check_claims,
    .title = {.en = "Figures in words", .zh = "文字中的数值"},
    .statement = {.en = "A number with the name or the unit of a metric, in the general table, a "
                        "note or a title, is one that was recomputed.",
                  .zh = "通用指标表、备注或标题中带有指标名称或单位的数字，都是重算过的。"},
    .why = {.en = "A reader does not tell a cell that was checked from a sentence that was not.",
            .zh = "读者分不清哪个单元格经过检查，哪句话没有。"},
    .how = {.en = "Of a result with evidence, numbers before a unit (tokens/s, TFLOPS, W) or behind "
                  "a name (MFU, loss, throughput, score) are looked up among the figures that were "
                  "recomputed. With one that is not there the result is partial at most.",
            .zh = "对有证据的结果，把单位（tokens/s、TFLOPS、W）之前或名称（MFU、loss、吞吐量、得分）"
                  "之后的数字，在重算过的数值中查找。只要有一个找不到，结果至多为部分核实。"},
    .fix = {.en = "State the figure in a row of the table of figures, or leave it out.",
            .zh = "把该数字写进性能指标表的一行，或删去它。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RECORD,
                .honest = "\"模型\", \"tiny_llama\"",
                .changed = "\"总吞吐量\", \"99,999,999 token/s\", \"\"], [\"模型\", \"tiny_llama\""},
};
/* clang-format on */
