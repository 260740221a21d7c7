/* Rules about notes below the tables that compute an MFU:
 * `MFU = 400.26 * 1024 * (60 * 10^6) * 6 / (156 * 1000^4) / 8 = 11.8%`. */
#include "verifier/claims/rule.h"

#include <strings.h>

#define NESTING_MAX 8

#define CLOSE 0.005 /* a note rounds otherwise than a table */

/* Arithmetic of one line: + * / ^ and brackets, the precedence of schools. */
struct arithmetic {
    const char *at;
    double first; /* the first number */
    size_t numbers;
    int depth;
    bool bad;
};

static double read_sum(struct arithmetic *x);

static void skip_blanks(struct arithmetic *x)
{
    x->at += strspn(x->at, " \t");
}

static double read_atom(struct arithmetic *x)
{
    double value = NAN;
    int decimals;
    skip_blanks(x);
    if (*x->at == '(' && x->depth < NESTING_MAX) {
        x->at++;
        x->depth++;
        value = read_sum(x);
        x->depth--;
        skip_blanks(x);
        x->bad |= *x->at != ')';
        x->at += *x->at == ')';
        return value;
    }
    size_t n = figure_scan_number(x->at, &value, &decimals);
    x->bad |= n == 0;
    x->at += n;
    if (n && x->numbers++ == 0)
        x->first = value;
    return value;
}

static double read_power(struct arithmetic *x)
{
    double value = read_atom(x);
    skip_blanks(x);
    if (*x->at != '^' || x->bad)
        return value;
    x->at++;
    return pow(value, read_atom(x));
}

static double read_note_product(struct arithmetic *x)
{
    double value = read_power(x);
    for (skip_blanks(x); !x->bad && (*x->at == '*' || *x->at == '/'); skip_blanks(x)) {
        char op = *x->at++;
        double factor = read_power(x);
        value = op == '*' ? value * factor : value / factor;
    }
    return value;
}

static double read_sum(struct arithmetic *x)
{
    double value = read_note_product(x);
    for (skip_blanks(x); !x->bad && *x->at == '+'; skip_blanks(x)) {
        x->at++;
        value += read_note_product(x);
    }
    return value;
}

static const char *const rates[] = {"p_whole", "p_train", "p_core", "token_per_s_per_card",
                                    "throughput"};

/* Is the rate in a cell, for all cards or for one? *any: there are rates to compare with. */
static bool is_in_tables(const struct audit *a, double rate, bool *any)
{
    *any = false;
    for (size_t i = 0; i < a->n_claims; i++)
        for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++) {
            const struct figure f = *claim_figure(&a->claims[i], rates[k]);
            if (f.kind != FIGURE_NUMBER || f.value <= 0)
                continue;
            *any = true;
            double cards = a->claims[i].cards ? (double)a->claims[i].cards : 1,
                   ratio = rate / f.value;
            const double forms[] = {1, cards, 1 / cards};
            for (size_t j = 0; j < 3; j++)
                if (fabs(ratio / forms[j] - 1) <= CLOSE)
                    return true;
        }
    return false;
}

static void compare_rate(struct audit *a, const struct arithmetic *x, int line)
{
    bool any, there = is_in_tables(a, x->first, &any);
    if (!any)
        return;
    audit_expect(audit_judge_at(a, there, line,
                                there ? "the note computes MFU from %s, which a table contains"
                                      : "the note computes MFU from %s, which no table contains",
                                audit_number(a->arena, x->first)),
                 audit_number(a->arena, x->first), "a throughput from the tables");
}

/* "= 11.8%" behind the arithmetic. */
static void compare_result(struct audit *a, const struct arithmetic *x, double value, int line)
{
    double stated;
    int decimals;
    const char *s = x->at + strspn(x->at, " \t");
    size_t n = *s == '=' ? figure_scan_number(s + 1 + strspn(s + 1, " "), &stated, &decimals) : 0;
    if (!n)
        return;
    s += 1 + strspn(s + 1, " ");
    bool percent = s[n + strspn(s + n, " ")] == '%';
    value *= percent ? 100 : 1;
    bool ok = fabs(value - stated) <= figure_last_place(decimals) * (1 + 1e-9);
    const char *result = audit_fixed(a->arena, value, decimals + 2);
    struct check_result *r = audit_judge_at(a, ok, line,
                                            percent ? "the note's MFU evaluates to %s%%, not %s%%"
                                                    : "the note's MFU evaluates to %s, not %s",
                                            result, audit_fixed(a->arena, stated, decimals));
    audit_expect(r, audit_fixed(a->arena, stated, decimals), result);
}

/* "MFU = " at s: where the arithmetic begins; NULL. */
static const char *computed_mfu(const char *s)
{
    if (strncasecmp(s, "MFU", 3) != 0)
        return NULL;
    s += 3 + strspn(s + 3, " \t");
    return *s == '=' ? s + 1 : NULL;
}

static void check_note(struct audit *a, const char *text, int line)
{
    size_t n;
    char **lines = text_lines(a->arena, text, &n);
    for (size_t i = 0; i < n; i++) {
        const char *plain = figure_plain(a->arena, lines[i]);
        for (const char *s = plain; *s; s++) {
            const char *from = computed_mfu(s);
            struct arithmetic x = {.at = from};
            double value = from ? read_sum(&x) : NAN;
            if (!from || x.bad || x.numbers < 3 || !isfinite(value))
                continue;
            compare_rate(a, &x, line + (int)i);
            compare_result(a, &x, value, line + (int)i);
        }
    }
}

static void check_notes(struct audit *a)
{
    const struct result *r = a->result;
    for (size_t i = 0; i < r->n_performance; i++)
        if (r->performance[i].text.zh)
            check_note(a, r->performance[i].text.zh, r->performance[i].line);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the note computes MFU from %s, which a table contains",
     .zh = "备注由 {1} 计算 MFU，页面的表格中有这个数"},
    {.en = "the note computes MFU from %s, which no table contains",
     .zh = "备注由 {1} 计算 MFU，但页面的所有表格中都没有这个数"},
    {.en = "a throughput from the tables",
     .zh = "页面表格中的吞吐量"},
    {.en = "the note's MFU evaluates to %s%%, not %s%%",
     .zh = "备注中 MFU 算式的计算结果是 {1}%，而不是备注所写的 {2}%"},
    {.en = "the note's MFU evaluates to %s, not %s",
     .zh = "备注中 MFU 算式的计算结果是 {1}，而不是备注所写的 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp2022 = {
    .id = "FP2022",
    .kind = "rates",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .page = check_notes,
    .title = {.en = "MFU calculations in notes", .zh = "备注中的 MFU 算式"},
    .statement = {.en = "If a note calculates an MFU, the calculation must be correct and must "
                        "start from a throughput in the tables.",
                  .zh = "备注中的 MFU 算式必须使用表格中的吞吐量，且计算正确。"},
    .why = {.en = "A note shows the calculation of an MFU so that readers can follow it. The "
                  "calculation of an MFU in a note must use the throughput that the page states.",
            .zh = "备注写出 MFU 的计算过程，供读者验算。备注中的 MFU 算式必须使用页面上填报的吞吐"
                  "量，这样读者才能验算。"},
    .how = {.en = "The rule evaluates the calculation after 'MFU =' (+ * / ^ and brackets), and "
                  "compares the value with the result in the note. The first number of this MFU "
                  "calculation must be a throughput. It must agree to 0.5 % with a throughput in "
                  "the tables, per card or for all cards.",
            .zh = "计算备注中“MFU =”之后的算式（可含 + * / ^ 与括号），再与备注所写的 MFU 比较。备"
                  "注中 MFU 算式的第一个因子必须是表格中的吞吐量（单卡或全部卡），允许相差 0.5 %。"},
    .fix = {.en = "Repeat the calculation in the note with the values of the table.",
            .zh = "用表格中的数字重新计算备注里的 MFU 算式。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "MFU = 3564 *",
                .changed = "MFU = 4564 *"},
};
/* clang-format on */
