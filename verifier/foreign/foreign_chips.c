#include "base/lines/span.h"
#include "base/text.h"
#include "verifier/foreign/foreign_row.h"

#include <math.h>
#include <string.h>

/* --- titles --- */

static const char *const precisions[] = {"FP64", "TF32", "FP32", "BF16", "FP16", "FP8", "INT8"};

/* The precision that a text names; NULL: none, or several. */
static const char *precision_in(const char *text)
{
    const char *found = NULL;
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
        if (strcasestr(text, precisions[i])) {
            if (found)
                return NULL;
            found = precisions[i];
        }
    return found;
}

/* The folder "computation-INT8" above the page; NULL. */
static const char *precision_of_folder(struct page_reader *r)
{
    const char *file = r->page->file ? r->page->file : "", *at = strrchr(file, '/');
    const char *folder = strstr(file, "computation-");
    return folder && at && folder < at
               ? precision_in(arena_strndup(r->arena, folder, (size_t)(at - folder)))
               : NULL;
}

/* "…(8卡平均)" */
static double cards_of_title(const char *title)
{
    const char *of = strstr(title, "卡平均");
    double value = NAN;
    size_t n = 0;
    while (of && of - n > title && text_is_digit(of[-(long)n - 1]))
        n++;
    if (n)
        span_number((struct span){of - n, n}, &value);
    return value;
}

void foreign_judge_titles(struct page_reader *r)
{
    const char *folder = precision_of_folder(r);
    for (size_t i = 0; i < r->n_columns; i++) {
        enum foreign_column c = r->columns[i];
        if (c != FOREIGN_MEASURED && c != FOREIGN_NOMINAL)
            continue;
        const char *named = precision_in(r->titles[i]);
        double cards = cards_of_title(r->titles[i]);
        if (folder && named && strcmp(folder, named) != 0)
            foreign_note(r, SEVERITY_ERROR, "the header '%s' names %s, but the folder names %s",
                         r->titles[i], named, folder);
        if (c == FOREIGN_MEASURED && r->servers == 1 && cards != r->server_cards && !isnan(cards) &&
            !isnan(r->server_cards))
            foreign_note(r, SEVERITY_ERROR,
                         "the header '%s' states %.15g cards, but the server used %.15g",
                         r->titles[i], cards, r->server_cards);
    }
}

/* --- measured and nominal --- */

/* "80.83.2%" */
static void judge_number(struct page_reader *r, const char *text)
{
    size_t points = 0, odd = 0;
    for (const char *c = text; *c; c++) {
        points += *c == '.';
        odd += !text_is_digit(*c) && *c != '.' && *c != '%';
    }
    if (points > 1 && !odd)
        foreign_note(r, SEVERITY_ERROR, "'%s' is not a number", text);
}

bool foreign_judge_measured(struct page_reader *r, const struct page_row *row)
{
    if (!*row->text[FOREIGN_MEASURED] && !*row->text[FOREIGN_RATIO])
        return false;
    double measured = row->of[FOREIGN_MEASURED], nominal = row->of[FOREIGN_NOMINAL],
           stated = row->of[FOREIGN_RATIO];
    judge_number(r, row->text[FOREIGN_MEASURED]);
    judge_number(r, row->text[FOREIGN_NOMINAL]);
    judge_number(r, row->text[FOREIGN_RATIO]);
    bool mixed =
        !strstr(row->text[FOREIGN_MEASURED], "TB") != !strstr(row->text[FOREIGN_NOMINAL], "TB");
    if (!(nominal > 0) || isnan(measured) || isnan(stated) || mixed)
        return true;
    double ratio = 100 * measured / nominal;
    /* TB is 1000 or 1024 GB, and what is shown is rounded. */
    if (fabs(ratio - stated) > 0.03 * stated + 0.06)
        foreign_note(r, SEVERITY_ERROR, "%.15g / %.15g is %.4g %%, but the page states %.15g %%",
                     measured, nominal, ratio, stated);
    return true;
}

/* --- operations --- */

static double seconds_of_operation(const struct figure *f)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"us", 1e-6}, {"μs", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(f->unit, units[i].unit) == 0)
            return f->value * units[i].seconds;
    return NAN;
}

/* One operation takes the time that as many a second leave for it. */
static void judge_operation_rate(struct page_reader *r, const char *clock,
                                 const struct figure *time, const struct figure *rate)
{
    double operations = seconds_of_operation(time) * rate->value;
    if (fabs(operations - 1) > 1.1 * (foreign_slack(time) + foreign_slack(rate)))
        foreign_note(r, SEVERITY_ERROR, "%s: %.15g %s equal %.6g op/s, but the page states %.15g",
                     clock, time->value, time->unit, 1 / seconds_of_operation(time), rate->value);
}

/* TFLOPS / FU is the peak, the same in all cells of a page. */
static void judge_share(struct page_reader *r, const struct figure *tflops,
                        const struct figure *share)
{
    double t = figure_last_place(tflops->decimals) * 0.55,
           s = figure_last_place(share->decimals) * 0.55;
    double low = 100 * (tflops->value - t) / (share->value + s),
           high = share->value > s ? 100 * (tflops->value + t) / (share->value - s) : INFINITY;
    if (isnan(low) || isnan(high) || strcmp(tflops->unit, "TFLOPS") != 0 || !share->percent)
        return;
    if (low > r->peak.high || high < r->peak.low) {
        foreign_note(r, SEVERITY_ERROR,
                     "%.15g TFLOPS at %.15g %% imply a peak of %.4g TFLOPS, but other cells imply "
                     "%.4g to %.4g",
                     tflops->value, share->value, 100 * tflops->value / share->value, r->peak.low,
                     r->peak.high);
        return;
    }
    r->peak.low = fmax(r->peak.low, low);
    r->peak.high = fmin(r->peak.high, high);
}

static const struct foreign_operation *operation_named(const struct page_reader *r,
                                                       const char *name)
{
    for (size_t i = 0; i < r->n_operations; i++)
        if (strcmp(r->operations[i].name, name) == 0)
            return &r->operations[i];
    return NULL;
}

/* Both clocks time the same work: TFLOPS * time is the same by each. */
static void judge_work(struct page_reader *r, const struct page_row *row)
{
    const struct foreign_operation *o = operation_named(r, row->text[FOREIGN_NAME]);
    const struct figure *cpu = row->figure[FOREIGN_CPU_TIME],
                        *kernel = row->figure[FOREIGN_KERNEL_TIME];
    if (!o)
        return;
    double by_cpu = o->cpu->value * seconds_of_operation(cpu),
           by_kernel = o->kernel->value * seconds_of_operation(kernel);
    double slack = foreign_slack(o->cpu) + foreign_slack(o->kernel) + foreign_slack(cpu) +
                   foreign_slack(kernel);
    if (fabs(by_cpu / by_kernel - 1) > 1.1 * slack)
        foreign_note(r, SEVERITY_ERROR,
                     "TFLOPS * time of '%s' is %.4g TFLOP by cputime and %.4g by kerneltime",
                     row->text[FOREIGN_NAME], by_cpu, by_kernel);
}

bool foreign_judge_operation(struct page_reader *r, const struct page_row *row)
{
    bool rates = *row->text[FOREIGN_CPU_TFLOPS] || *row->text[FOREIGN_KERNEL_TFLOPS];
    bool times = *row->text[FOREIGN_CPU_TIME] || *row->text[FOREIGN_KERNEL_TIME];
    if (rates) {
        *(struct foreign_operation *)ARENA_PUSH(r->arena, r->operations, r->n_operations) =
            (struct foreign_operation){row->text[FOREIGN_NAME], row->figure[FOREIGN_CPU_TFLOPS],
                                       row->figure[FOREIGN_KERNEL_TFLOPS]};
        judge_share(r, row->figure[FOREIGN_CPU_TFLOPS], row->figure[FOREIGN_CPU_SHARE]);
        judge_share(r, row->figure[FOREIGN_KERNEL_TFLOPS], row->figure[FOREIGN_KERNEL_SHARE]);
    }
    if (times) {
        judge_operation_rate(r, "cputime", row->figure[FOREIGN_CPU_TIME],
                             row->figure[FOREIGN_CPU_RATE]);
        judge_operation_rate(r, "kerneltime", row->figure[FOREIGN_KERNEL_TIME],
                             row->figure[FOREIGN_KERNEL_RATE]);
        judge_work(r, row);
    }
    return rates || times;
}

void foreign_judge_peak(struct page_reader *r)
{
    const struct accelerator *card = foreign_card_of(r, r->words);
    if (!card || !(r->peak.high < INFINITY))
        return;
    for (size_t i = 0; i < card->n_peaks; i++)
        if (card->peaks[i].tflops >= r->peak.low && card->peaks[i].tflops <= r->peak.high) {
            foreign_note(r, SEVERITY_NOTICE,
                         "FU is computed as a share of %.15g TFLOPS, which is the peak of %s in %s",
                         card->peaks[i].tflops, card->name, card->peaks[i].precision);
            return;
        }
    foreign_note(
        r, SEVERITY_NOTICE,
        "FU is computed as a share of %.4g to %.4g TFLOPS, which is not a known peak of %s",
        r->peak.low, r->peak.high, card->name);
}

/* --- power --- */

static void judge_maximum(struct page_reader *r, const char *what, double mean, double most)
{
    if (mean > most)
        foreign_note(r, SEVERITY_ERROR,
                     "%s: the mean power, %.15g W, is above the largest power, %.15g W", what, mean,
                     most);
}

bool foreign_judge_power(struct page_reader *r, const struct page_row *row)
{
    const double *x = row->of;
    double tdp = x[FOREIGN_CARD_TDP];
    if (!*row->text[FOREIGN_SYSTEM_MEAN_POWER] && !*row->text[FOREIGN_CARD_MEAN_POWER])
        return false;
    judge_maximum(r, "the machine", x[FOREIGN_SYSTEM_MEAN_POWER], x[FOREIGN_SYSTEM_MAX_POWER]);
    judge_maximum(r, "a card", x[FOREIGN_CARD_MEAN_POWER], x[FOREIGN_CARD_MAX_POWER]);
    if (r->tdp > 0 && tdp > 0 && r->tdp != tdp)
        foreign_note(r, SEVERITY_ERROR,
                     "this table states a TDP of %.15g W for the card, but an earlier table of the "
                     "page states %.15g W",
                     tdp, r->tdp);
    else if (x[FOREIGN_CARD_MEAN_POWER] > 1.05 * tdp)
        foreign_note(r, SEVERITY_WARNING, "a card's mean power, %.15g W, is above its TDP, %.15g W",
                     x[FOREIGN_CARD_MEAN_POWER], tdp);
    return true;
}
