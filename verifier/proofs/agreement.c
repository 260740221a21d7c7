#include "verifier/proofs/agreement.h"

#include "base/text.h"
#include "verifier/claims/spelled.h"

#include <stdlib.h>

struct finding {
    const struct audit *audit;
    const struct proof *proof;
    const struct env_field *field;
    struct agreement *out;
    struct arena *arena;
};

/* The bullets of the record that say it, by the keys of labels.h. */
#define ITEMS_MAX 2

struct env_field {
    const char *key, *label;
    enum same same;
    enum fact_id fact;      /* FACT_KINDS: none says it */
    enum log_banner banner; /* BANNERS: none */
    const char *items[ITEMS_MAX];
    enum trainer {
        ANY,
        NATIVE, /* our own trainer only: a command has its own software */
        COMMAND,
    } trainer;
    bool settings; /* the record is held to the case by FP4008 */
    bool of_image; /* in a container it is the image's: a record may say the machine's */
    void (*more)(struct finding *f);
};

/* ---- saying ---------------------------------------------------------------------------------- */

static void say_value(struct finding *f, enum said_by by, const char *value, int line)
{
    if (!value || !*value)
        return;
    *(struct said *)ARENA_PUSH(f->arena, f->out->said, f->out->n) =
        (struct said){by, value, line, false};
}

static void say_number(struct finding *f, enum said_by by, double value)
{
    if (value > 0)
        say_value(f, by, audit_number(f->arena, value), 0);
}

/* One value of all rows that the proof is evidence of; 0: they have several, or none. */
static double of_rows(const struct finding *f, double (*get)(const struct claim *c))
{
    double value = 0;
    size_t i = 0;
    for (const struct claim *c; (c = proof_next_claim(f->audit, f->proof, &i)) != NULL;) {
        double x = get(c);
        if (!(x > 0) || (value > 0 && x != value))
            return 0;
        value = x;
    }
    return value;
}

static double nodes_of(const struct claim *c)
{
    return c->has_config ? (double)(c->config.by ? c->config.by : c->config.nodes) : 0;
}

static double cards_of_claim(const struct claim *c)
{
    return (double)c->cards;
}

static double ranks_per_card(const struct finding *f)
{
    const struct accelerator *card = audit_accelerator(f->audit);
    return card && card->ranks_per_card > 1 ? (double)card->ranks_per_card : 1;
}

/* A row that the proof is evidence of, where all of them are of cards; NULL. */
static const struct claim *row_of_cards(const struct finding *f)
{
    const struct claim *row = NULL;
    size_t i = 0;
    for (const struct claim *c; (c = proof_next_claim(f->audit, f->proof, &i)) != NULL;) {
        if (!c->accelerator || strcmp(c->accelerator->id, "cpu") == 0)
            return NULL;
        row = row ? row : c;
    }
    return row;
}

static bool record_says(const struct agreement *x, const char *value)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->said[i].by == SAID_RECORD && text_same(x->said[i].value, value))
            return true;
    return false;
}

static void more_card(struct finding *f)
{
    const struct case_key *key =
        f->proof->round && f->proof->round->key.whole ? &f->proof->round->key : NULL;
    const struct accelerator *card = key ? audit_card(f->audit, key->hardware) : NULL;
    const struct claim *row = proof_on_processor(f->proof) ? row_of_cards(f) : NULL;
    if (row && !record_says(f->out, row->config.accelerator))
        say_value(f, SAID_RECORD, row->config.accelerator, row->line);
    const char *stated = proof_stated_card(f->proof);
    const struct accelerator *of_run = stated ? audit_card(f->audit, stated) : NULL;
    if (row || (card && strcmp(card->id, "cpu") != 0))
        say_value(f, SAID_RUN, key->hardware, 0);
    else if (stated)
        say_value(f, SAID_RUN, of_run ? of_run->name : stated, 0);
}

static void more_cards(struct finding *f)
{
    const long long *run = f->proof->run_laid.size;
    double nodes = run[LAYOUT_NODES] ? (double)run[LAYOUT_NODES] : 1;
    say_number(f, SAID_MONITOR, (double)f->proof->peaks.cards);
    if (!proof_on_processor(f->proof))
        say_number(f, SAID_RUN, ceil((double)run[LAYOUT_RANKS] / nodes / ranks_per_card(f)));
}

static double total_of(const struct claim *c)
{
    const struct figure *f = claim_figure(c, "memory");
    double total = f->kind == FIGURE_PAIR ? f->second : 0;
    return total >= 1000 ? total : total * 1024;
}

static void more_memory(struct finding *f)
{
    double total = of_rows(f, total_of);
    if (isfinite(f->proof->peaks.card_total_mib))
        say_number(f, SAID_MONITOR, f->proof->peaks.card_total_mib);
    if (total > 0)
        say_value(f, SAID_RECORD, arena_printf(f->arena, "%.0f", total), 0);
}

static void more_nodes(struct finding *f)
{
    say_number(f, SAID_RUN, (double)f->proof->run_laid.size[LAYOUT_NODES]);
    say_number(f, SAID_RECORD, of_rows(f, nodes_of));
}

static void more_ranks(struct finding *f)
{
    double run = (double)f->proof->run_laid.size[LAYOUT_RANKS];
    double cards = of_rows(f, cards_of_claim), each = ranks_per_card(f);
    say_number(f, SAID_RUN, run);
    say_number(f, SAID_RECORD, cards * each == run ? run : cards);
}

static void more_precision(struct finding *f)
{
    const struct case_record *kase = f->proof->kase;
    const char *stated = NULL;
    size_t i = 0;
    if (kase && !f->proof->kase_assumed)
        say_value(f, SAID_RUN, kase->precision, 0);
    for (const struct claim *c; (c = proof_next_claim(f->audit, f->proof, &i)) != NULL;) {
        if (!c->precision || (stated && !text_same(stated, c->precision)))
            return;
        stated = c->precision;
    }
    say_value(f, SAID_RECORD, stated, 0);
}

static void say_banner(struct finding *f, enum log_banner banner)
{
    const struct log_banner_value *b = run_logs_banner(f->proof->logs, f->proof->n_logs, banner);
    say_value(f, SAID_LOG, b->value, b->line);
}

/* What the record calls its framework decides which of those that the log names is meant. */
static void more_framework(struct finding *f)
{
    static const struct {
        const char *name;
        enum log_banner banner;
    } known[] = {{"deepspeed", BANNER_DEEPSPEED}, {"pytorch", BANNER_TORCH}};
    const char *stated = f->out->n ? text_fold(f->arena, f->out->said[0].value) : "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct log_banner_value *b =
            run_logs_banner(f->proof->logs, f->proof->n_logs, known[i].banner);
        if (!b->value || (*stated && !strstr(stated, known[i].name)))
            continue;
        say_value(f, SAID_LOG, arena_printf(f->arena, "%s %s", known[i].name, b->value), b->line);
        return;
    }
}

/* "FlagScale.git@26cd664": what stands behind the last '@', if it is one. */
static void more_commit(struct finding *f)
{
    const char *stated = f->out->n ? f->out->said[f->out->n - 1].value : NULL;
    f->out->n = 0;
    say_banner(f, BANNER_COMMIT);
    const char *at = stated ? strrchr(stated, '@') : NULL;
    size_t hex = at ? strspn(at + 1, "0123456789abcdef") : 0;
    const char *origin = facts_value(&f->proof->facts, FACT_FRAMEWORK_ORIGIN);
    /* The fingerprint's is that of the folder that the run was started in: another repository's
     * commit would say nothing. */
    if (origin && stated && strstr(stated, path_base(origin)))
        say_value(f, SAID_FINGERPRINT, facts_value(&f->proof->facts, FACT_FRAMEWORK_COMMIT), 0);
    if (hex >= 7)
        say_value(f, SAID_RECORD, arena_strndup(f->arena, at + 1, hex), 0);
}

/* clang-format off */
static const struct env_field fields[] = {
    {"os", "operating system", SAME_SYSTEM, FACT_OS, BANNERS, {"os"}, .of_image = true,
     .more = NULL},
    {"kernel", "kernel", SAME_KERNEL, FACT_KERNEL, BANNERS, {"kernel"}, .more = NULL},
    {"machine", "machine", SAME_MODEL, FACT_MACHINE, BANNERS, {"machine"}, .more = NULL},
    {"cpu", "CPU", SAME_MODEL, FACT_CPU_MODEL, BANNERS, {"cpu"}, .more = NULL},
    {"card", "accelerator", SAME_MODEL, FACT_ACCELERATOR_MODEL, BANNER_CARD,
     {"accelerator", "machine_accelerator"}, .more = more_card},
    {"cards", "number of cards", SAME_FITS, FACT_ACCELERATOR_COUNT, BANNERS, {NULL},
     .more = more_cards},
    {"memory", "memory of a card (MiB)", SAME_MEMORY, FACT_ACCELERATOR_MEMORY, BANNERS, {NULL},
     .more = more_memory},
    {"driver", "driver", SAME_VERSION, FACT_ACCELERATOR_DRIVER, BANNER_DRIVER, {"driver"},
     .more = NULL},
    {"runtime", "runtime of the driver", SAME_VERSION, FACT_ACCELERATOR_RUNTIME, BANNER_RUNTIME,
     {NULL}, .more = NULL},
    {"nodes", "number of machines", SAME_NUMBER, FACT_KINDS, BANNERS, {NULL}, .more = more_nodes},
    {"ranks", "number of ranks", SAME_NUMBER, FACT_KINDS, BANNER_RANKS, {NULL}, .settings = true,
     .more = more_ranks},
    {"precision", "precision", SAME_PRECISION, FACT_KINDS, BANNER_PRECISION, {NULL},
     .settings = true, .more = more_precision},
    {"fpreport", "trainer", SAME_TEXT, FACT_FPREPORT, BANNERS, {"framework"}, .trainer = NATIVE,
     .more = NULL},
    {"framework", "framework", SAME_VERSION, FACT_KINDS, BANNERS, {"framework"},
     .trainer = COMMAND, .more = more_framework},
    {"commit", "commit of the framework", SAME_COMMIT, FACT_KINDS, BANNERS, {"framework"},
     .more = more_commit},
    {"image", "container image", SAME_TEXT, FACT_CONTAINER_IMAGE, BANNERS, {"image"}, .more = NULL},
    {"libraries", "set of libraries", SAME_LIBRARIES, FACT_BLAS, BANNER_LIBRARIES, {"dependencies"}, .trainer = NATIVE,
     .more = NULL},
};
/* clang-format on */
#define FIELDS (sizeof fields / sizeof *fields)

static void say_item(struct finding *f, const struct item *item, const char *key)
{
    struct figure figure;
    for (size_t i = 0; key && i < ITEMS_MAX && f->field->items[i]; i++) {
        figure_parse(item->value, f->arena, &figure);
        if (strcmp(key, f->field->items[i]) == 0 && !figure_is_absent(&figure))
            say_value(f, SAID_RECORD, item->value, item->line);
    }
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* `x` is the one that all are compared with. */
static bool are_same(const struct finding *f, const struct said *x, const struct said *y)
{
    double p = strtod(x->value, NULL), q = strtod(y->value, NULL);
    if (f->field->same != SAME_FITS)
        return spelled_same(f->field->same, x->value, y->value, f->audit, f->arena);
    /* A run may leave cards idle, and a monitor may not see all of them. */
    return x->by == SAID_RUN                            ? p <= q
           : y->by == SAID_RUN || y->by == SAID_MONITOR ? q <= p
                                                        : p == q;
}

static struct said *said_measure(struct agreement *x)
{
    static const enum said_by order[] = {SAID_FINGERPRINT, SAID_RUN,     SAID_LOG,
                                         SAID_SYSTEM,      SAID_MONITOR, SAID_RECORD};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (size_t k = 0; k < x->n; k++)
            if (x->said[k].by == order[i])
                return &x->said[k];
    return NULL;
}

static void compare_said(const struct finding *f)
{
    struct agreement *x = f->out;
    const struct said *measure = said_measure(x);
    x->outcome = OUTCOME_CANNOT;
    for (size_t i = 0; i < x->n; i++) {
        struct said *s = &x->said[i];
        if (s->by == measure->by)
            continue;
        s->differs = !are_same(f, measure, s);
        if (s->differs)
            x->outcome = OUTCOME_FAIL;
        else if (x->outcome == OUTCOME_CANNOT)
            x->outcome = OUTCOME_PASS;
    }
    /* sys_info.log is written where the fingerprint is taken: only a page speaks of the machine. */
    const char *container =
        f->proof->fingerprinted ? facts_value(&f->proof->facts, FACT_CONTAINER) : NULL;
    bool excused = f->field->of_image && container && strcmp(container, "none") != 0;
    for (size_t i = 0; i < x->n; i++)
        excused = excused && (x->said[i].by == SAID_RECORD || !x->said[i].differs);
    if (x->outcome == OUTCOME_FAIL && excused)
        x->outcome = OUTCOME_CANNOT;
}

/* ---- all fields ------------------------------------------------------------------------------ */

static int by_source(const void *a, const void *b)
{
    const struct said *x = a, *y = b;
    return x->by != y->by ? (x->by > y->by) - (x->by < y->by)
                          : (x->line > y->line) - (x->line < y->line);
}

/* A run on the processor of a machine with cards: its record may say that there are none, and the
 * memory of its row is the machine's. What others say of the cards is compared. */
static void leave_out_idle(struct finding *f)
{
    struct agreement *x = f->out;
    size_t n = 0;
    if (!proof_on_processor(f->proof) || f->field->fact == FACT_KINDS ||
        !text_starts(fact_kinds[f->field->fact].key, "accelerator_"))
        return;
    for (size_t i = 0; i < x->n; i++) {
        bool none = text_same(x->said[i].value, "无") || f->field->same == SAME_MEMORY;
        if (x->said[i].by != SAID_RECORD || !none)
            x->said[n++] = x->said[i];
    }
    x->n = n;
}

static void find_agreement(struct finding *f)
{
    const struct env_field *field = f->field;
    const struct proof *p = f->proof;
    if (field->trainer != ANY && (field->trainer == NATIVE) != proof_is_native(p))
        return;
    if (field->fact < FACT_KINDS) {
        if (p->fingerprinted)
            say_value(f, SAID_FINGERPRINT, facts_value(&p->facts, field->fact), 0);
        say_value(f, SAID_SYSTEM, facts_value(&p->system, field->fact), 0);
    }
    say_banner(f, field->banner);
    for (size_t i = 0; f->audit->result && field->items[0] && i < f->audit->n_items; i++)
        say_item(f, f->audit->items[i].item, f->audit->items[i].key);
    if (field->more)
        field->more(f);
}

void agreements_find(const struct audit *a, struct proof *p)
{
    struct agreement *list = arena_array(a->arena, FIELDS, sizeof *list);
    p->agreements = list;
    p->n_agreements = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        struct agreement *x = &list[p->n_agreements];
        struct finding f = {a, p, &fields[i], x, a->arena};
        *x = (struct agreement){.key = fields[i].key, .label = fields[i].label};
        find_agreement(&f);
        leave_out_idle(&f);
        if (x->n == 0)
            continue;
        if (x->n > 1)
            qsort(x->said, x->n, sizeof *x->said, by_source);
        compare_said(&f);
        p->n_agreements++;
    }
}

static const struct env_field *field_by_key(const char *key)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].key, key) == 0)
            return &fields[i];
    return NULL;
}

const char *agreement_label(const char *key)
{
    const struct env_field *field = field_by_key(key);
    return field ? field->label : NULL;
}

/* Sayers that other languages name, too; a page may have a thousand bullets of one name. */
#define SAYERS_NAMED (SENTENCE_DEPTH_MAX - 1)

/* "record says '1', record says '2'": those behind the named ones; NULL: there are none. */
static const char *list_of_others(const struct agreement *x, struct arena *arena)
{
    struct buf list = BUF_INIT(BUF_DEFAULT_MAX);
    for (size_t i = SAYERS_NAMED; i < x->n; i++)
        buf_printf(&list, "%s%s says '%s'", list.len ? ", " : "", said_by_name(x->said[i].by),
                   x->said[i].value);
    const char *text = list.len ? arena_strndup(arena, list.data, list.len) : NULL;
    buf_release(&list);
    return text;
}

/* "log says '1', record says '2'" */
static const char *list_of_said(const struct agreement *x, struct arena *arena)
{
    const char *list = list_of_others(x, arena);
    for (size_t i = x->n < SAYERS_NAMED ? x->n : SAYERS_NAMED; i-- > 0;) {
        const char *name = said_by_name(x->said[i].by), *value = x->said[i].value;
        list = list ? sentence_say(arena, "%s says '%s', %s", name, value, list)
                    : sentence_say(arena, "%s says '%s'", name, value);
    }
    return list ? list : "";
}

const char *agreement_text(const struct agreement *x, struct arena *arena)
{
    const char *list = list_of_said(x, arena);
    bool one = true;
    for (size_t i = 0; i < x->n; i++)
        one = one && text_same(x->said[i].value, x->said[0].value);
    const char *label = x->label;
    if (x->outcome == OUTCOME_FAIL)
        return sentence_say(arena, "%s differs: %s", label, list);
    if (agreement_excused(x))
        return sentence_say(
            arena,
            "%s differs; inside a container, a source may describe the image or the host: %s",
            label, list);
    if (one)
        return sentence_say(arena, "%s agrees: %s", label, list);
    /* Why what reads differently is no contradiction. */
    enum same same = field_by_key(x->key)->same;
    if (same == SAME_FITS)
        return sentence_say(
            arena, "%s is consistent, because a run may use fewer cards than the machine has: %s",
            label, list);
    if (same == SAME_MEMORY)
        return sentence_say(arena, "%s agrees within 10 %%: %s", label, list);
    return sentence_say(arena, "%s agrees (worded differently): %s", label, list);
}

bool agreement_is_settings(const struct agreement *x, const struct proof *p)
{
    bool settings = field_by_key(x->key)->settings, record = false;
    size_t others = 0;
    for (size_t i = 0; i < x->n; i++) {
        bool stated = x->said[i].by == SAID_RECORD;
        if (x->said[i].differs && !stated)
            return false;
        others += !stated;
        record = record || (stated && x->said[i].differs);
    }
    return settings && p->kase && !p->kase_assumed && (record || others < 2);
}

bool agreement_has_record(const struct agreement *x)
{
    return x->n > 0 && x->said[x->n - 1].by == SAID_RECORD && x->said[0].by != SAID_RECORD;
}
