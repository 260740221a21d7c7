/* Findings: what the running rule says, in English, with the row and the values that other
 * languages are made of. */
#include "verifier/claims/audit.h"

#include "verifier/claims/rule.h"

#include <stdarg.h>
#include <string.h>

/* ---- what is said, and what it is made of ------------------------------------------------ */

static const struct words *find_words_among(const struct words *row, const char *text)
{
    for (; row && row->en; row++)
        if (strcmp(row->en, text) == 0)
            return row;
    return NULL;
}

static const struct words *find_message_row(const struct rule *rule, const char *text)
{
    const struct words *found = rule ? find_words_among(rule->messages, text) : NULL;
    for (const struct words *const *of = rule ? rule->quoted : NULL; of && *of && !found; of++)
        found = find_words_among(*of, text);
    return found;
}

/* A value that is a text of ours: one that audit_say() made, by its address, or one that stands in
 * the rows as it is. */
static const struct sentence *find_sentence(void *context, const char *value)
{
    struct audit *a = context;
    for (size_t i = a->n_sentences; i-- > 0;)
        if (a->sentences[i].text == value)
            return &a->sentences[i];
    const struct words *row = strchr(value, '%') ? NULL : find_message_row(a->rule, value);
    struct sentence *fresh = row ? arena_alloc(a->arena, sizeof *fresh) : NULL;
    if (fresh)
        *fresh = (struct sentence){.text = row->en, .en = row->en, .zh = row->zh};
    return fresh;
}

/* A finding that is one text of ours as it stands. */
static bool note_quoted_text(struct audit *a, const char *text, const char *quoted,
                             struct sentence *out)
{
    const struct sentence *known = find_sentence(a, quoted);
    if (!known)
        return false;
    *out = *known;
    out->text = text;
    return true;
}

/* False where the rule has no row for it. */
static bool note_sentence(struct audit *a, const char *text, const char *fmt, va_list ap,
                          struct sentence *out)
{
    const struct words *row = find_message_row(a->rule, fmt);
    if (strcmp(fmt, "%s") == 0)
        return note_quoted_text(a, text, va_arg(ap, const char *), out);
    if (!row)
        return false;
    *out = (struct sentence){.text = text, .en = row->en, .zh = row->zh};
    return sentence_values(out, fmt, ap, find_sentence, a, a->arena);
}

const char *audit_say(struct audit *a, const char *fmt, ...)
{
    va_list ap;
    struct sentence made;
    va_start(ap, fmt);
    const char *text = arena_vprintf(a->arena, fmt, ap);
    va_end(ap);
    va_start(ap, fmt);
    if (note_sentence(a, text, fmt, ap, &made))
        *(struct sentence *)ARENA_PUSH(a->arena, a->sentences, a->n_sentences) = made;
    va_end(ap);
    return text;
}

static bool is_cut_message(const char *text)
{
    return strlen(text) + 1 >= ERR_TEXT_MAX - strlen("…");
}

struct check_result *audit_report(struct audit *a, enum outcome outcome, const struct claim *c,
                                  int line, const char *fmt, ...)
{
    struct check_result *r = ARENA_PUSH(a->arena, a->verdict->checks, a->verdict->n_checks);
    struct err text; /* cut between characters where it is too long: others read this answer */
    va_list ap;
    va_start(ap, fmt);
    err_vset(&text, ERR_INPUT, fmt, ap);
    va_end(ap);
    *r = (struct check_result){.rule = a->rule->id,
                               .outcome = outcome,
                               .severity = a->rule->severity,
                               .file = a->file,
                               .line = c ? c->line : line,
                               .table = c ? c->table : 0,
                               .row = c ? c->row : 0,
                               .message = arena_strdup(a->arena, text.text)};
    struct sentence *made = arena_alloc(a->arena, sizeof *made);
    va_start(ap, fmt);
    if (outcome != OUTCOME_PASS && !is_cut_message(text.text) &&
        note_sentence(a, r->message, fmt, ap, made))
        r->sentence = made;
    va_end(ap);
    return r;
}

void audit_expect(struct check_result *r, const char *stated, const char *expected)
{
    r->stated = stated;
    r->expected = expected;
}
