/* Rules about what a page says that it is: the model, the driver, the machine, the folders. */
#include "verifier/checks/checks.h"
#include "verifier/claims/cards.h"
#include "verifier/claims/case_kinds.h"

#include "base/figures/labels.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parameters that a name ends in, in 10^9: 13 of "llava1.5_13b"; 0 when it says none, and for
 * mixtures ("8x7B"), which are written either way round. */
static double named_size(const char *name, struct arena *arena)
{
    const char *folded = text_fold(arena, name);
    double size = 0;
    for (const char *s = folded; *s; s++) {
        char *end;
        if (!isdigit((unsigned char)*s))
            continue;
        double value = strtod(s, &end);
        bool whole = *end == 'b' && !isalnum((unsigned char)end[1]);
        if (whole && s > folded && s[-1] == 'x')
            return 0;
        size = whole ? value : size;
        s = end - 1;
    }
    return size;
}

static void report_model(struct audit *a, bool same, const char *named)
{
    struct check_result *r = audit_report(
        a, same ? OUTCOME_PASS : OUTCOME_FAIL, NULL, audit_general_line(a, "model"),
        "the general table names the model '%s', the result is of %s", named, a->result->case_id);
    r->stated = named;
    r->expected = a->result->case_id;
}

/* Is this the name of another family, and no other word for the case's? */
static bool is_other_family(const char *named, const char *case_id, struct arena *arena)
{
    const char *name = case_kind_bare(named, arena);
    const char *own = case_kind_bare(arena_strndup(arena, case_id, strcspn(case_id, "-")), arena);
    return case_kind_find(name) && !strstr(own, name);
}

/* "8x22B": experts, and the parameters of each in 10^9. */
struct mixture {
    long experts;
    double size; /* 0: no mixture */
};

static struct mixture find_mixture(const char *name, struct arena *arena)
{
    const char *s = text_fold(arena, name);
    while (*s) {
        char *x, *end;
        if (!isdigit((unsigned char)*s)) {
            s++;
            continue;
        }
        long experts = strtol(s, &x, 10);
        double size = *x == 'x' && isdigit((unsigned char)x[1]) ? strtod(x + 1, &end) : 0;
        if (size > 0 && *end == 'b')
            return (struct mixture){experts, size};
        s = x;
    }
    return (struct mixture){0, 0};
}

/* Another mixture than the case's; or one turned round ("7x8B"), where the case has one size. */
static bool is_other_mixture(const char *named, const char *case_id, double of_case,
                             struct arena *arena)
{
    struct mixture page = find_mixture(named, arena), own = find_mixture(case_id, arena);
    if (page.size > 0 && own.size > 0)
        return page.experts != own.experts || page.size != own.size;
    return page.size > 0 && (double)page.experts < page.size && (double)page.experts == of_case;
}

/* Known models are compared by record, others by their size; the spelling of names is free. */
void check_model(struct audit *a)
{
    const char *named = audit_general(a, "model");
    const struct model *of_case = project_case_model(a->project, a->result->case_id);
    const struct model *of_page = named ? project_find_model(a->project, named) : NULL;
    if (!named)
        return;
    if (of_case && of_page) {
        report_model(a, of_case == of_page, named);
        return;
    }
    const char *id = a->result->case_id;
    double expected = named_size(arena_strndup(a->arena, id, strcspn(id, "-")), a->arena);
    double size = named_size(named, a->arena);
    if (is_other_family(named, id, a->arena) || is_other_mixture(named, id, expected, a->arena))
        report_model(a, false, named);
    else if (expected > 0 && size > 0)
        report_model(a, expected == size, named);
    else
        audit_cannot(a, NULL, "'%s' or the model of %s is not known", named, id);
}

/* Drivers whose versions look like nobody else's. NVIDIA's have been counted like 71.86.15 and
 * 384.145 since they are no longer 1.0-7184; other vendors of the records count from 1 to 30, but
 * what lies between is no proof. Source: the list of the vendor's Unix drivers. */
static const struct driver_range {
    const char *vendor;
    long oldest; /* the vendor has none below */
    long from;   /* from here on to `below` it is no other vendor's */
    long below;
} driver_ranges[] = {
    {"nvidia", 71, 390, 1000},
};

static void check_one_driver(void *data, const struct item *item, const char *key)
{
    struct audit *a = data;
    char *end;
    if (!key || strcmp(key, "driver") != 0)
        return;
    long major = strtol(item->value, &end, 10);
    for (size_t i = 0; i < sizeof driver_ranges / sizeof driver_ranges[0]; i++) {
        const struct driver_range *d = &driver_ranges[i];
        bool own = strcmp(d->vendor, a->result->vendor) == 0;
        bool within = major >= (own ? d->oldest : d->from) && major < d->below;
        if (*end != '.' || (!own && !within))
            continue;
        struct check_result *r =
            audit_report(a, own && within ? OUTCOME_PASS : OUTCOME_FAIL, NULL, item->line,
                         within ? "the driver %s is one of %s, the result is of %s"
                                : "the driver %s is not one of %s, the result is of %s",
                         item->value, d->vendor, a->result->vendor);
        r->stated = item->value;
        r->expected = arena_printf(a->arena, "a driver of %s", a->result->vendor);
    }
}

/* Who submits without cards of its own in the records runs on those of others. A processor is no
 * card: it has no driver. */
static bool makes_cards(const struct audit *a)
{
    for (size_t i = 0; i < a->project->n_accelerators; i++) {
        const struct accelerator *card = &a->project->accelerators[i];
        if (strcmp(card->vendor, a->result->vendor) == 0 && strcmp(card->id, "cpu") != 0)
            return true;
    }
    return false;
}

void check_driver(struct audit *a)
{
    if (makes_cards(a))
        audit_items(a, check_one_driver, a);
}

static void check_one_machine(void *data, const struct item *item, const char *key)
{
    struct audit *a = data;
    static const char *const keys[] = {"machine", "accelerator", "machine_accelerator"};
    bool hardware = false;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        hardware |= key && strcmp(key, keys[i]) == 0;
    const struct accelerator *card = hardware ? audit_card(a, item->value) : NULL;
    if (!card)
        return;
    bool own = strcmp(card->vendor, a->result->vendor) == 0;
    struct check_result *r = audit_report(a, own ? OUTCOME_PASS : OUTCOME_FAIL, NULL, item->line,
                                          "'%s' is a card of %s, the result is of %s", item->value,
                                          card->vendor, a->result->vendor);
    r->stated = item->value;
    r->expected = arena_printf(a->arena, "hardware of %s", a->result->vendor);
}

void check_machine(struct audit *a)
{
    if (makes_cards(a))
        audit_items(a, check_one_machine, a);
}

/* The machine of an environment and its card. */
struct pair {
    const struct item *machine, *card;
};

static struct pair hardware_of(const struct environment *e)
{
    struct pair p = {NULL, NULL};
    for (size_t i = 0; i < e->n_groups; i++)
        for (size_t k = 0; k < e->groups[i].n_items; k++) {
            const struct item *item = &e->groups[i].items[k];
            const struct label *l = item->label ? label_find(LABEL_ITEM, item->label) : NULL;
            if (l && strcmp(l->key, "machine") == 0)
                p.machine = item;
            if (l && strcmp(l->key, "accelerator") == 0)
                p.card = item;
        }
    return p;
}

/* "NVIDIA DGX A800(80G)" beside "A100-SXM4-40GB": two cards of one vendor in one machine. */
void check_machine_card(struct audit *a)
{
    for (size_t i = 0; i < a->result->n_environments; i++) {
        struct pair p = hardware_of(&a->result->environments[i]);
        if (!p.machine || !p.card ||
            !project_find_accelerator(a->project, p.machine->value, a->result->vendor))
            continue; /* another vendor's: FP3014 */
        enum identity identity =
            cards_compare(a->project, p.machine->value, p.card->value, a->arena);
        double memory = cards_named_memory(p.machine->value);
        double of_card = cards_named_memory(p.card->value);
        bool memory_ok = isnan(memory) || isnan(of_card) || memory == of_card;
        if (identity == IDENTITY_UNKNOWN && memory_ok)
            continue;
        struct check_result *r = audit_report(
            a, identity != IDENTITY_DIFFERENT && memory_ok ? OUTCOME_PASS : OUTCOME_FAIL, NULL,
            p.machine->line, "the machine is '%s', its card is '%s'", p.machine->value,
            p.card->value);
        r->stated = p.machine->value;
        r->expected = p.card->value;
    }
}

/* Does the name stand at s, and end there? */
static bool is_folder(const char *s, size_t n, const char *name)
{
    return strlen(name) == n && strncasecmp(s, name, n) == 0;
}

static void report_path(struct audit *a, int line, const char *path, const char *whose)
{
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, NULL, line, "the page points to %s, the result is of %s", path, whose);
    r->stated = path;
    r->expected = whose;
}

/* "training/<vendor>/<model>-…" of another vendor or model, and "benchmarks/<model>/…". */
static void find_paths(struct audit *a, const char *text, int line)
{
    const char *id = a->result->case_id, *vendor = a->result->vendor;
    const char *model = arena_strndup(a->arena, id, strcspn(id, "-"));
    for (const char *s = text; *s; s++) {
        size_t n;
        line += *s == '\n';
        if (text_starts(s, "training/")) {
            const char *name = s + strlen("training/");
            n = strcspn(name, "/ \n`");
            const char *named = arena_strndup(a->arena, name, n);
            if (name[n] != '/' || !project_vendor(a->project, named))
                continue;
            const char *folder = name + n + 1;
            size_t m = strcspn(folder, "/ \n`");
            if (!is_folder(name, n, vendor))
                report_path(a, line, arena_printf(a->arena, "training/%s", named), vendor);
            else if (folder[m] == '/' && memchr(folder, '-', m) &&
                     !is_folder(folder, strcspn(folder, "-"), model))
                report_path(a, line, arena_printf(a->arena, "%.*s", (int)m, folder), id);
        } else if (text_starts(s, "../benchmarks/")) {
            const char *name = s + strlen("../benchmarks/");
            n = strcspn(name, "/ \n`)");
            if (name[n] == '/' && !is_folder(name, n, model))
                report_path(a, line, arena_printf(a->arena, "benchmarks/%.*s", (int)n, name),
                            model);
        }
    }
}

/* A text of the page that is looked through: with its first line. */
static void each_text(struct audit *a, void (*look)(struct audit *a, const char *text, int line))
{
    const struct result *r = a->result;
    if (r->preamble)
        look(a, r->preamble, r->preamble_line ? r->preamble_line : 1);
    for (size_t i = 0; i < r->n_extras; i++)
        look(a, r->extras[i].text, r->extras[i].line);
    for (size_t i = 0; i < r->n_performance; i++)
        if (r->performance[i].text.zh)
            look(a, r->performance[i].text.zh, r->performance[i].line);
}

/* What writers leave for themselves. */
static const char *const reminders[] = {"TODO", "FIXME", "XXX"};

/* The first place where the mark stands as a word, or NULL. */
static const char *find_mark(const char *text, const char *mark)
{
    size_t n = strlen(mark);
    for (const char *at = strstr(text, mark); at; at = strstr(at + 1, mark))
        if (!isalnum((unsigned char)at[n]) && (at == text || !isalnum((unsigned char)at[-1])))
            return at;
    return NULL;
}

static void find_reminder(struct audit *a, const char *text, int line)
{
    for (size_t i = 0; i < sizeof reminders / sizeof reminders[0]; i++) {
        const char *at = find_mark(text, reminders[i]);
        if (!at)
            continue;
        for (const char *s = text; s < at; s++)
            line += *s == '\n';
        int n = (int)strcspn(at, "\n");
        struct check_result *r =
            audit_report(a, OUTCOME_FAIL, NULL, line, "found '%.*s', expected nothing left to do",
                         text_cut(at, n > 60 ? 60 : n), at);
        r->stated = reminders[i];
        r->expected = "nothing left to do";
        return;
    }
}

/* The first line of a conflict, and the last; between them `=======` may be a heading. */
static void find_conflict(struct audit *a, const char *text, int line)
{
    size_t n;
    char **lines = text_lines(a->arena, text, &n);
    for (size_t i = 0; i < n; i++) {
        if (!text_starts(lines[i], "<<<<<<< ") && !text_starts(lines[i], ">>>>>>> "))
            continue;
        struct check_result *r = audit_report(a, OUTCOME_FAIL, NULL, line + (int)i,
                                              "found '%.*s', expected one version of the page",
                                              text_cut(lines[i], 40), lines[i]);
        r->stated = lines[i];
        r->expected = "one version";
    }
}

void check_conflicts(struct audit *a)
{
    each_text(a, find_conflict);
}

void check_reminders(struct audit *a)
{
    each_text(a, find_reminder);
}

static void find_item_paths(void *data, const struct item *item, const char *key)
{
    (void)key;
    find_paths(data, item->value ? item->value : "", item->line);
}

void check_paths(struct audit *a)
{
    each_text(a, find_paths);
    audit_items(a, find_item_paths, a);
}
