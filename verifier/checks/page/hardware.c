/* Rules about which card it is, and what fits into it. */
#include "verifier/checks/checks.h"
#include "verifier/checks/page/older.h"
#include "verifier/claims/cards.h"

#include "base/text.h"
#include "verifier/claims/alike.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* GiB printed as GB, or the other way round: 2^30 / 10^9. */
#define GIB_PER_GB 1.0737

/* What a driver keeps for itself, on top of that. */
#define TOTAL_SLACK 1.05

static bool is_withheld(const char *text, struct arena *arena)
{
    return figure_absence(text, arena) != FIGURE_TEXT;
}

/* "A", or "A and B". */
static const char *environment_names(const struct audit *a)
{
    const char *names = a->n_accelerators ? a->accelerators[0] : "";
    for (size_t i = 1; i < a->n_accelerators; i++)
        names = arena_printf(a->arena, "%s and %s", names, a->accelerators[i]);
    return names;
}

/* "1.1, 1.2 and 2.3": the rows whose configuration names this card, from claim `from` on. */
static const char *rows_naming(const struct audit *a, const size_t *cards, size_t from)
{
    const char *rows = "";
    for (size_t i = from; i < a->n_claims; i++)
        if (cards[i] == cards[from])
            rows = arena_printf(a->arena, "%s%s%d.%d", rows, *rows ? ", " : "", a->claims[i].table,
                                a->claims[i].row);
    return rows;
}

/* Numbers of the cards that rows name, as verifier/claims/alike.h gives them. */
static const size_t *cards_of_rows(const struct audit *a)
{
    const char **names = arena_array(a->arena, a->n_claims, sizeof *names);
    for (size_t i = 0; i < a->n_claims; i++)
        names[i] = a->claims[i].config.accelerator;
    return alike_number(names, a->n_claims, a->arena);
}

static void check_row_card(struct audit *a, const size_t *cards, size_t i)
{
    const struct claim *c = &a->claims[i];
    const char *name = c->config.accelerator, *names = environment_names(a);
    const char *rows = rows_naming(a, cards, i),
               *meant = c->accelerator ? NULL : cards_misspelt(a, name);
    struct check_result *r;
    if (meant)
        r = audit_fail(a, c, "no card is called '%s'; the environment has '%s' (rows %s)", name,
                       meant, rows);
    else if (cards_in_environment(a, name) == IDENTITY_SAME)
        r = audit_pass(a, c, "'%s' is the environment's card (rows %s)", name, rows);
    else if (cards_in_environment(a, name) == IDENTITY_UNKNOWN)
        r = audit_cannot(a, c, "'%s' or '%s' is not a known card (rows %s)", name, names, rows);
    else
        r = audit_fail(a, c, "the row is of '%s', the environment has '%s' (rows %s)", name, names,
                       rows);
    r->stated = name;
    r->expected = meant ? meant : names;
}

/* One finding for each card that the rows name. */
void check_accelerator(struct audit *a)
{
    const size_t *cards = cards_of_rows(a);
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        if (!c->has_config || cards[i] != i)
            continue;
        if (!*c->config.accelerator)
            audit_cannot(a, c, "the row does not say which card it is of");
        else if (!a->n_accelerators)
            audit_cannot(a, c, "the environment does not say which card it has");
        else
            check_row_card(a, cards, i);
    }
}

void check_device(struct audit *a)
{
    const char *device = audit_general(a, "device");
    if (!device)
        return;
    const char *names = environment_names(a), *folded = text_fold(a->arena, device);
    size_t n = strlen(folded);
    if (!a->n_accelerators || is_withheld(device, a->arena) || (n && folded[n - 1] == '/')) {
        audit_cannot(a, NULL, "the device or the environment's card is withheld");
        return;
    }
    struct check_result *r;
    int line = audit_general_line(a, "device");
    const char *foreign = cards_foreign(a, device);
    if (foreign) {
        r = audit_report(a, OUTCOME_FAIL, NULL, line,
                         "the general table says '%s', and %s is another vendor's", device,
                         foreign);
        r->stated = device;
        r->expected = names;
        return;
    }
    switch (cards_in_environment(a, device)) {
    case IDENTITY_SAME:
        r = audit_pass(a, NULL, "the device '%s' is the environment's card", device);
        break;
    case IDENTITY_UNKNOWN:
        r = audit_cannot(a, NULL, "'%s' or '%s' is not a known card", device, names);
        break;
    default:
        r = audit_report(a, OUTCOME_FAIL, NULL, line,
                         "the general table says '%s', the environment has '%s'", device, names);
    }
    r->stated = device;
    r->expected = names;
}

/* The configuration file's card; what no record knows may be a name of the vendor's own. One
 * vendor's cards may share a file (A800 and A100), which is only worth a notice. */
void check_config_card(struct audit *a)
{
    const struct lookup files = audit_batch_files(a);
    for (size_t i = 0; i < files.n; i++) {
        const struct batch_item *item = &a->result->batch[i];
        struct config_name name;
        if (!config_name_parse(item->file, a->arena, &name) || lookup_find(&files, item->file) != i)
            continue;
        const struct accelerator *card = audit_card(a, name.accelerator);
        const char *meant = card ? NULL : cards_misspelt(a, name.accelerator);
        enum identity identity = cards_on_page(a, name.accelerator);
        if (!meant && (!card || identity == IDENTITY_UNKNOWN))
            continue;
        const char *names = environment_names(a);
        bool ok = !meant && identity == IDENTITY_SAME;
        struct check_result *r =
            audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, NULL, item->line,
                         meant ? "no card is called as in %s; the environment has '%s'"
                               : "the batch sizes are those of %s; the environment has '%s'",
                         item->file, meant ? meant : names);
        if (card && strcmp(card->vendor, a->result->vendor) == 0)
            r->severity = SEVERITY_NOTICE;
        r->stated = item->file;
        r->expected = names;
    }
    older_check_cards(a);
}

static void check_heading(struct audit *a, const char *heading, int line)
{
    const struct accelerator *card = heading ? audit_card(a, heading) : NULL;
    if (!card || strcmp(card->vendor, a->result->vendor) != 0)
        return; /* of another vendor: FP1006 */
    enum identity identity = cards_on_page(a, card->name);
    if (identity == IDENTITY_UNKNOWN)
        return;
    struct check_result *r =
        audit_report(a, identity == IDENTITY_SAME ? OUTCOME_PASS : OUTCOME_FAIL, NULL, line,
                     "the heading '%s' is of %s, the environment has '%s'", heading, card->name,
                     environment_names(a));
    r->stated = heading;
    r->expected = environment_names(a);
}

void check_heading_card(struct audit *a)
{
    for (size_t i = 0; i < a->result->n_environments; i++) {
        const struct environment *e = &a->result->environments[i];
        check_heading(a, e->title, e->line);
        for (size_t k = 0; k < e->n_groups; k++)
            check_heading(a, e->groups[k].label, e->groups[k].line);
    }
}

/* "A100 (80G * 8) and (40G * 8)": the device names all its cards where the environment has one. */
static bool device_has_memory(const struct audit *a, double memory)
{
    const char *device = audit_general(a, "device");
    double named = NAN;
    if (device && cards_in_environment(a, device) == IDENTITY_SAME)
        for (size_t at = 0; named != memory && !isnan(named = cards_next_memory(device, &at));)
            ;
    return named == memory;
}

/* Memory that the environment names for the claim's own card, beside other cards; NaN. */
static double own_memory(const struct audit *a, const struct claim *c)
{
    double memory = NAN;
    for (size_t i = 0; c->accelerator && i < a->n_accelerators; i++) {
        double named = cards_named_memory(a->accelerators[i]);
        if (audit_card(a, a->accelerators[i]) != c->accelerator)
            continue;
        if (isnan(named) || (!isnan(memory) && named != memory))
            return NAN;
        memory = named;
    }
    return memory;
}

/* Memory of the claim's card in GB: by the environment's words, else by the card's record. */
static double card_memory(const struct audit *a, const struct claim *c, const char **source)
{
    double memory = own_memory(a, c);
    *source = "the environment";
    if (!isnan(memory))
        return memory;
    for (size_t i = 0; i < a->n_accelerators; i++) {
        double named = cards_named_memory(a->accelerators[i]);
        if (!isnan(memory) && named != memory)
            named = NAN;
        memory = named;
    }
    if (!isnan(memory))
        return memory;
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    *source = card ? card->name : "";
    return card ? card->memory_gib : NAN;
}

/* "（1x8*80G）" names the memory of the card. */
void check_card_memory(struct audit *a, const struct claim *c)
{
    const char *source;
    if (isnan(c->config.card_memory))
        return;
    double memory = card_memory(a, c, &source);
    if (isnan(memory)) {
        audit_cannot(a, c, "the memory of the card is not known");
        return;
    }
    if (device_has_memory(a, c->config.card_memory))
        memory = c->config.card_memory, source = "the general table";
    bool ok = c->config.card_memory <= memory * GIB_PER_GB &&
              c->config.card_memory * GIB_PER_GB >= memory;
    struct check_result *r = audit_report(
        a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0, "the row's cards have %sG, those of %s have %sG",
        audit_number(a->arena, c->config.card_memory), source, audit_number(a->arena, memory));
    r->stated = arena_printf(a->arena, "%sG", audit_number(a->arena, c->config.card_memory));
    r->expected = arena_printf(a->arena, "%sG", audit_number(a->arena, memory));
}

static struct check_result *report_memory(struct audit *a, const struct claim *c, const char *text,
                                          bool used, bool ok, const char *limit)
{
    struct check_result *r =
        ok     ? audit_pass(a, c, "memory '%s' fits: at most %s", text, limit)
        : used ? audit_fail(a, c, "memory '%s': more is used than there is: %s", text, limit)
               : audit_fail(a, c, "memory '%s': more than the card has: %s", text, limit);
    r->stated = text;
    r->expected = arena_printf(a->arena, "<= %s", limit);
    if (!ok)
        audit_contradict(a, c, claim_cell(c, "memory") ? "memory" : "memory_total", r);
    return r;
}

/* One plain figure above the card's memory. */
static bool is_above(const struct figure *f, double card)
{
    double used = f->value >= 1000 ? f->value / 1024 : f->value;
    return !isnan(card) && *f->unit != 'M' && used > card * GIB_PER_GB;
}

/* used <= total <= what the card has (GB or GiB is not told apart). */
void check_memory(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "memory"), *source;
    const struct figure f = *claim_figure(c, text ? "memory" : "memory_total");
    text = text ? text : claim_cell(c, "memory_total");
    if (!text || !figure_has_value(&f))
        return;
    double card = card_memory(a, c, &source);
    double most = f.kind == FIGURE_PAIR ? f.second : f.kind == FIGURE_EXPRESSION ? f.each : NAN;
    /* No card has 1000 GiB: the row is in MiB. */
    if (most >= 1000)
        most /= 1024;
    if (f.kind == FIGURE_PAIR && f.value > f.second) {
        report_memory(a, c, text, true, false, audit_fixed(a->arena, f.second, f.second_decimals));
        return;
    }
    if (f.kind == FIGURE_NUMBER && claim_cell(c, "memory") && is_above(&f, card)) {
        struct check_result *r =
            report_memory(a, c, text, false, false,
                          arena_printf(a->arena, "%sG (%s)", audit_number(a->arena, card), source));
        /* Without a total it may be of all cards. */
        if (c->cards > 1 && f.value <= card * GIB_PER_GB * (double)c->cards)
            r->severity = SEVERITY_WARNING;
        return;
    }
    if (isnan(most) || isnan(card)) {
        audit_cannot(a, c,
                     isnan(card) ? "memory '%s': the card's memory is not known"
                                 : "memory '%s' does not say used/total",
                     text);
        return;
    }
    report_memory(a, c, text, false, most <= card * GIB_PER_GB,
                  arena_printf(a->arena, "%sG (%s)", audit_number(a->arena, card), source));
}

/* "6/25" on a card with 64G: then either is of something else. A card that shows several devices
 * may be counted by device. */
void check_memory_total(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "memory"), *source;
    const struct figure f = *claim_figure(c, "memory");
    double memory = card_memory(a, c, &source);
    if (f.kind != FIGURE_PAIR || isnan(memory))
        return;
    const struct accelerator *card = c->accelerator ? c->accelerator : audit_accelerator(a);
    double ranks = card && card->ranks_per_card > 1 ? (double)card->ranks_per_card : 1;
    double total = f.second >= 1000 ? f.second / 1024 : f.second;
    if (total > memory * GIB_PER_GB)
        return; /* FP2007 */
    bool ok = total * TOTAL_SLACK >= memory ||
              (total <= memory / ranks * GIB_PER_GB && total * TOTAL_SLACK >= memory / ranks);
    struct check_result *r =
        audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                     ok ? "memory '%s': the total fits the card, %sG (%s)"
                        : "memory '%s': the total is not that of the card, %sG (%s)",
                     text, audit_number(a->arena, memory), source);
    r->stated = text;
    r->expected = arena_printf(a->arena, "of %sG", audit_number(a->arena, memory));
}
