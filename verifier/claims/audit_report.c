/* Findings: what the running rule says, in English, with the row and the values that other
 * languages are made of. */
#include "verifier/claims/audit.h"

#include "verifier/claims/rule.h"

struct check_result *audit_report(struct audit *a, enum outcome outcome, const struct claim *c,
                                  int line, const char *fmt, ...)
{
    struct check_result *r = ARENA_PUSH(a->arena, a->verdict->checks, a->verdict->n_checks);
    va_list ap;
    va_start(ap, fmt);
    const char *message = sentence_say_cut(a->arena, fmt, ap); /* others read this answer */
    va_end(ap);
    *r = (struct check_result){.rule = a->rule->id,
                               .outcome = outcome,
                               .severity = a->rule->severity,
                               .file = a->file,
                               .line = c ? c->line : line,
                               .table = c ? c->table : 0,
                               .row = c ? c->row : 0,
                               .message = message,
                               .sentence = sentence_of(a->arena, message)};
    return r;
}

struct check_result *audit_expect(struct check_result *r, const char *stated, const char *expected)
{
    r->stated = stated;
    r->expected = expected;
    return r;
}
