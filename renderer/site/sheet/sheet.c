#include "renderer/site/sheet/sheet.h"

#include "base/figures/figure.h"
#include "base/foreign.h"
#include "base/markdown/markdown.h"
#include "base/text.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/templates/escape.h"
#include "renderer/words/ratio.h"

#include <math.h>
#include <string.h>

const char *sheet_t(struct sheet *s, const char *key)
{
    const char *text = strings_get(s->strings, s->lang, key);
    if (!text && !s->missing)
        s->missing = key;
    return text ? text : "";
}

const char *sheet_fill_n(struct sheet *s, const char *key, const struct string_value *values,
                         size_t n)
{
    return strings_fill(sheet_t(s, key), values, n, s->arena);
}

const char *sheet_number(struct sheet *s, size_t n)
{
    return arena_printf(s->arena, "%zu", n);
}

/* Of one kind of letters, and whether it is foreign. */
static size_t run_of_letters(enum page_lang around, const char *text, size_t n, bool *foreign)
{
    bool han;
    size_t run = text_han_run(text, &han);
    run = run < n ? run : n;
    *foreign = around == PAGE_EN ? han : !han && text_is_prose(text, run);
    return run;
}

size_t sheet_piece(enum page_lang around, const char *text, size_t n, bool *foreign)
{
    bool next = false;
    size_t len = run_of_letters(around, text, n, foreign);
    while (len < n) {
        size_t more = run_of_letters(around, text + len, n - len, &next);
        if (next != *foreign)
            break;
        len += more;
    }
    return len;
}

void sheet_push_said(struct sheet *s, struct view *list, const char *text, bool foreign)
{
    for (const char *at = text; *at;) {
        bool other = false;
        size_t len = foreign && s->lang != PAGE_EN ? strlen(at)
                                                   : sheet_piece(s->lang, at, strlen(at), &other);
        struct view *part = view_push_object(list);
        view_set_text(part, "text", arena_strndup(s->arena, at, len));
        view_set_flag(part, "foreign", other || foreign);
        at += len;
    }
}

void sheet_set_pieces(struct sheet *s, struct view *v, const char *key, const char *text)
{
    sheet_push_said(s, view_set_list(v, key), text, false);
}

void sheet_set_said(struct sheet *s, struct view *v, const char *key, const char *english,
                    const struct sentence *made)
{
    struct view *list = view_set_list(v, key);
    struct message_part *parts;
    size_t n = messages_parts(s->messages, s->lang, english, made, s->arena, &parts);
    for (size_t i = 0; i < n; i++)
        sheet_push_said(s, list, parts[i].text, parts[i].foreign);
}

void sheet_set_joined(struct sheet *s, struct view *v, const char *key, const char *text)
{
    struct buf out = BUF_INIT(SIZE_MAX);
    escape_html_joined(&out, sheet_short(s, text));
    view_set_raw(v, key, out.len ? arena_strdup(s->arena, out.data) : "");
    buf_release(&out);
}

const char *sheet_words(const struct sheet *s, struct words w)
{
    const char *first = s->lang == PAGE_EN ? w.en : w.zh;
    const char *second = s->lang == PAGE_EN ? w.zh : w.en;
    return first ? first : second ? second : "";
}

void sheet_set_title(struct sheet *s, const char *title, const char *description)
{
    view_set_text(s->view, "page_title", title);
    view_set_text(s->view, "description", description);
}

const char *sheet_vendor(const struct sheet *s, const struct site_entry *e)
{
    return e->vendor ? sheet_short(s, sheet_words(s, e->vendor->name)) : e->result->vendor;
}

const char *sheet_model(const struct sheet *s, const struct site_entry *e)
{
    return e->model ? sheet_short(s, sheet_words(s, e->model->name)) : e->model_called;
}

static const char *latin_name(const struct accelerator *a)
{
    for (size_t i = 0; text_has_han(a->name) && i < a->n_aliases; i++)
        if (!text_has_han(a->aliases[i]))
            return a->aliases[i];
    return a->name;
}

const char *sheet_card(const struct sheet *s, const struct accelerator *a)
{
    return s->lang == PAGE_EN ? latin_name(a) : a->name;
}

const char *sheet_other_card(const struct sheet *s, const struct accelerator *a)
{
    const char *latin = latin_name(a);
    return latin == a->name ? "" : s->lang == PAGE_EN ? a->name : latin;
}

/* ---- states ---------------------------------------------------------------------------- */

static const struct {
    const char *word, *meaning, *icon;
} states[SITE_STATES] = {
    [STATE_VERIFIED] = {"state.verified", "meaning.verified", "✓"},
    [STATE_PARTIAL] = {"state.partial", "meaning.partial", "◐"},
    [STATE_UNVERIFIED] = {"state.unverified", "meaning.unverified", "○"},
    [STATE_FAILED] = {"state.failed", "meaning.failed", "✕"},
    [STATE_WITHDRAWN] = {"state.withdrawn", "meaning.withdrawn", "–"},
};

void sheet_set_of(struct sheet *s, struct view *v, const struct site_entry *e)
{
    view_set_text(v, "path", e->path);
    view_set_text(v, "vendor_name", sheet_vendor(s, e));
    view_set_text(v, "case", e->result->case_id);
}

const char *sheet_state_word(struct sheet *s, enum state state)
{
    return sheet_t(s, states[state].word);
}

void sheet_set_state(struct sheet *s, struct view *v, enum state state)
{
    view_set_text(v, "state", state_name(state));
    view_set_text(v, "state_word", sheet_state_word(s, state));
    view_set_text(v, "state_meaning", sheet_t(s, states[state].meaning));
    view_set_text(v, "state_icon", states[state].icon);
}

static const struct {
    const char *class, *word;
} classes[] = {
    {"16bit", "class.16bit"},
    {"fp8", "class.fp8"},
    {"tf32", "class.tf32"},
    {"fp32", "class.fp32"},
    {"4bit", "class.4bit"},
    {"fp64", "class.fp64"},
    {SITE_CLASS_UNKNOWN, "class.unknown"},
};

const char *sheet_class(struct sheet *s, const char *precision_class)
{
    size_t i = 0;
    while (strcmp(classes[i].class, precision_class) != 0)
        i++;
    return sheet_t(s, classes[i].word);
}

/* ---- figures --------------------------------------------------------------------------- */

static const char *const absent_words[] = {
    [FIGURE_MISSING] = "figure.missing",
    [FIGURE_WITHHELD] = "figure.withheld",
    [FIGURE_OOM] = "figure.oom",
    [FIGURE_PENDING] = "figure.pending",
};

const char *sheet_absent(struct sheet *s, const char *text)
{
    enum figure_kind kind = figure_absence(text, s->arena);
    return kind <= FIGURE_PENDING ? sheet_t(s, absent_words[kind]) : NULL;
}

const char *sheet_figure_absent(struct sheet *s, const struct metric *m)
{
    return m->elsewhere
               ? sheet_fill(s, "figure.elsewhere", {"column", sheet_short(s, m->elsewhere)})
           : m->says->kind <= FIGURE_PENDING ? sheet_t(s, absent_words[m->says->kind])
                                             : NULL;
}

const char *sheet_absent_words(struct sheet *s, const struct metric *m)
{
    return *m->says->remark ? sheet_short(s, markdown_plain(s->arena, m->stated)) : "";
}

#define SHORT_MAX 160 /* bytes */

const char *sheet_short(const struct sheet *s, const char *text)
{
    return foreign_line(s->arena, text, SHORT_MAX);
}

/* How the number came about. */
enum mark { MARK_STATED, MARK_RECOMPUTED, MARK_MEASURED, MARK_WARNED, MARK_CONTRADICTED };
static const struct {
    const char *class, *word, *icon;
} marks[] = {
    [MARK_STATED] = {"stated", "mark.stated", "○"},
    [MARK_RECOMPUTED] = {"recomputed", "mark.recomputed", "≈"},
    [MARK_MEASURED] = {"measured", "mark.measured", "✓"},
    [MARK_WARNED] = {"warned", "mark.warned", "≠"},
    [MARK_CONTRADICTED] = {"contradicted", "mark.contradicted", "✕"},
};

static enum mark mark_of_metric(const struct metric *m)
{
    if (!m || m->outcome == OUTCOME_CANNOT)
        return MARK_STATED;
    if (m->outcome == OUTCOME_FAIL)
        return m->warned ? MARK_WARNED : MARK_CONTRADICTED;
    return m->source && strcmp(m->source, "evidence") == 0 ? MARK_MEASURED : MARK_RECOMPUTED;
}

const char *sheet_unit(struct sheet *s, const char *unit)
{
    static const struct {
        const char *unit, *word;
    } words[] = {
        {"token/p/s", "unit.card"},
        {"tokens/s", "unit.whole"},
        {"samples/s", "unit.samples"},
    };
    for (size_t i = 0; unit && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].unit, unit) == 0)
            return sheet_t(s, words[i].word);
    return unit ? unit : "";
}

/* "+0.01", with this between it and the sign of percent. */
static const char *signed_percent(struct sheet *s, double percent, const char *between)
{
    const char *sign = percent < 0 ? "−" : percent > 0 ? "+" : "±";
    return arena_printf(s->arena, "%s%s%s%%", sign, site_percent_text(fabs(percent), 3, s->arena),
                        between);
}

const char *sheet_difference(struct sheet *s, double percent)
{
    return signed_percent(s, percent, " ");
}

const char *sheet_with_points(struct sheet *s, const char *text, bool points)
{
    size_t n = strcspn(text, "%");
    return points ? arena_printf(s->arena, "%.*s\u00a0%s", (int)n, text, sheet_t(s, "unit.points"))
                  : text;
}

const char *sheet_flag(struct sheet *s, const char *text)
{
    bool yes = strcmp(text, "True") == 0;
    return yes || strcmp(text, "False") == 0 ? sheet_t(s, yes ? "figure.true" : "figure.false")
                                             : text;
}

/* {"beside": {"again", "difference"}}: "9120.3, " and "+0.01 %", which is not broken; the
 * difference alone where the texts are the same. */
static void set_beside(struct sheet *s, struct view *v, const struct metric *m)
{
    struct site_difference d;
    view_set_flag(v, "beside", m && m->found);
    if (!m || !m->found)
        return;
    struct view *b = view_set_object(v, "beside");
    bool both = site_difference(m, &d) && isfinite(d.percent);
    const char *found = figure_print(m->found, s->arena);
    bool same = strcmp(m->stated, found) == 0;
    const char *again = ratio_read(m->name, sheet_flag(s, found), m->found, s->arena);
    sheet_set_joined(s, b, "again",
                     same   ? ""
                     : both ? arena_printf(s->arena, "%s, ", again)
                            : again);
    view_set_text(b, "difference", both ? signed_percent(s, d.percent, "\u00a0") : "");
}

struct view *sheet_set_figure(struct sheet *s, struct view *v, const char *key,
                              const struct metric *m)
{
    struct view *f = view_set_object(v, key);
    const char *absent = m ? sheet_figure_absent(s, m) : sheet_t(s, "figure.none");
    enum mark mark = mark_of_metric(m);
    view_set_flag(f, "absent", absent != NULL);
    view_set_text(f, "text",
                  absent ? absent
                         : sheet_short(s, sheet_flag(s, markdown_plain(s->arena, m->stated))));
    view_set_text(f, "words", absent && m ? sheet_absent_words(s, m) : "");
    view_set_text(f, "published", "");
    view_set_text(f, "reading", absent ? "" : ratio_reading(m->name, m->says, s->arena));
    view_set_text(f, "text_lang", absent ? "" : sheet_foreign(s, view_get(f, "text")->text));
    view_set_text(f, "unit", m ? sheet_unit(s, m->unit) : "");
    view_set_text(f, "mark", absent ? "absent" : marks[mark].class);
    view_set_text(f, "mark_word", absent ? "" : sheet_t(s, marks[mark].word));
    view_set_text(f, "mark_icon", absent ? "" : marks[mark].icon);
    set_beside(s, f, absent ? NULL : m);
    struct site_value value;
    bool read = site_value(m, s->arena, &value);
    view_set_text(f, "machine", read ? arena_printf(s->arena, "%.15g", value.value) : "");
    view_set_text(f, "machine_form", value.form);
    view_set_flag(f, "machine_wrong", site_metric_wrong(m));
    return f;
}

const char *sheet_grouped(struct sheet *s, double whole)
{
    const char *digits = arena_printf(s->arena, "%.0f", whole), *out = "";
    size_t left = strlen(digits);
    for (size_t take = left % 3 ? left % 3 : 3; left > 0; left -= take, digits += take, take = 3)
        out = arena_printf(s->arena, "%s%s%.*s", out, *out ? "," : "",
                           (int)(take < left ? take : left), digits);
    return out;
}

void sheet_set_direction(struct sheet *s, struct view *v, enum direction better)
{
    static const struct {
        const char *arrow, *word;
    } directions[] = {
        [DIRECTION_NONE] = {"", "direction.none"},
        [DIRECTION_HIGHER] = {"↑", "direction.higher"},
        [DIRECTION_LOWER] = {"↓", "direction.lower"},
    };
    view_set_flag(v, "lower", better == DIRECTION_LOWER);
    view_set_text(v, "arrow", directions[better].arrow);
    view_set_text(v, "direction", sheet_t(s, directions[better].word));
}

const char *sheet_place(struct sheet *s, int table, int row)
{
    const char *t = arena_printf(s->arena, "%d", table), *r = arena_printf(s->arena, "%d", row);
    return row == 0    ? sheet_t(s, "place.page")
           : table > 1 ? sheet_fill(s, "place.table", {"table", t}, {"row", r})
                       : sheet_fill(s, "place.row", {"row", r});
}

void sheet_set_place(struct sheet *s, struct view *v, int table, int row)
{
    view_set_text(v, "place", sheet_place(s, table, row));
    view_set_printf(v, "anchor", "t%d-r%d", table, row);
    view_set_flag(v, "has_place", row > 0);
}

void sheet_set_withdrawal(struct sheet *s, struct view *v, const struct result *r)
{
    view_set_flag(v, "withdrawn", r->withdrawn != NULL);
    if (!r->withdrawn)
        return;
    struct view *w = view_set_object(v, "withdrawn");
    sheet_set_pieces(s, w, "withdrawal",
                     sheet_fill(s, "withdrawn.sentence", {"date", r->withdrawn->date},
                                {"by", r->withdrawn->by},
                                {"reason", sheet_words(s, r->withdrawn->reason)}));
}

static const struct {
    const char *word, *class, *icon;
} outcomes[] = {
    [OUTCOME_PASS] = {"outcome.pass", "pass", "✓"},
    [OUTCOME_FAIL] = {"outcome.fail", "fail", "✕"},
    [OUTCOME_CANNOT] = {"outcome.cannot", "cannot", "○"},
};

/* Only evidence makes a figure one that agrees; arithmetic on the vendor's own figures does not. */
void sheet_set_outcome(struct sheet *s, struct view *v, const struct metric *m)
{
    bool pass = m->outcome == OUTCOME_PASS;
    bool evidence = m->source && strcmp(m->source, "evidence") == 0;
    bool derived = pass && m->stated && m->found && !evidence && !m->reproduced;
    bool warned = m->outcome == OUTCOME_FAIL && m->warned;
    view_set_text(v, "outcome",
                  derived  ? "derived"
                  : warned ? "warning"
                           : outcomes[m->outcome].class);
    view_set_text(v, "outcome_icon", derived ? "≈" : warned ? "≠" : outcomes[m->outcome].icon);
    view_set_text(v, "outcome_word",
                  sheet_t(s, derived              ? "outcome.derived"
                             : warned             ? "mark.warned"
                             : pass && !m->stated ? "outcome.unstated"
                                                  : outcomes[m->outcome].word));
}
