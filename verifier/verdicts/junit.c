/*
 * JUnit XML, as Jenkins, GitLab and their like read it:
 *
 *   <testsuites><testsuite name="vendor/case"><properties/>
 *     <testcase classname="vendor/case" name="FP2003 MFU, row 1.2" file line>
 *       <failure type="error" message="…">every finding of the rule at that place</failure>
 *
 * One testsuite per result, one testcase per rule and place. A testcase fails when a finding is of
 * the severity that fails the command; lesser findings are its system-out. It is skipped when the
 * rule could not be applied, and when the result is withdrawn. Inputs without a verdict are one
 * more testsuite, of errors. There is no clock in it: every time is 0.
 */
#include "verifier/verdicts/verdicts.h"

#include "base/foreign.h"
#include "verifier/checks/list.h"
#include "verifier/checks/mlperf/mlperf_rule.h"

#define VALUE_MAX 4000 /* bytes of one attribute */

static void put_escaped(struct buf *out, const char *text)
{
    struct arena scratch = ARENA_INIT;
    for (const char *c = foreign_line(&scratch, text, VALUE_MAX); *c; c++) {
        const char *entity = *c == '&'   ? "&amp;"
                             : *c == '<' ? "&lt;"
                             : *c == '>' ? "&gt;"
                             : *c == '"' ? "&quot;"
                                         : NULL;
        if (entity)
            buf_str(out, entity);
        else
            buf_char(out, *c);
    }
    arena_release(&scratch);
}

static void put_attribute(struct buf *out, const char *name, const char *value)
{
    buf_printf(out, " %s=\"", name);
    put_escaped(out, value);
    buf_char(out, '"');
}

/* All results of one rule at one place of one verdict. */
struct place {
    const struct check_result *first, *worst; /* worst: of those that failed, or NULL */
    bool passed;
};

static const char *file_of_finding(const struct check_result *c)
{
    return c->file ? c->file : "-";
}

static bool is_same_place(const struct check_result *a, const struct check_result *b)
{
    if (strcmp(a->rule, b->rule) != 0 || a->table != b->table || a->row != b->row)
        return false;
    return a->row || (a->line == b->line && strcmp(file_of_finding(a), file_of_finding(b)) == 0);
}

/* False when an earlier result stands for this one. The results of a rule are neighbours. */
static bool read_junit_place(const struct verdict *v, size_t at, struct place *p)
{
    const struct check_result *c = &v->checks[at];
    for (size_t i = at; i > 0 && strcmp(v->checks[i - 1].rule, c->rule) == 0; i--)
        if (is_same_place(&v->checks[i - 1], c))
            return false;
    *p = (struct place){.first = c};
    for (size_t i = at; i < v->n_checks && strcmp(v->checks[i].rule, c->rule) == 0; i++) {
        const struct check_result *x = &v->checks[i];
        if (!is_same_place(x, c))
            continue;
        p->passed = p->passed || x->outcome == OUTCOME_PASS;
        if (x->outcome == OUTCOME_FAIL && (!p->worst || x->severity > p->worst->severity))
            p->worst = x;
    }
    return true;
}

enum ending { ENDING_PASS, ENDING_FAILURE, ENDING_SKIPPED };

static enum ending ending_of(const struct verdicts *all, const struct verdict *v,
                             const struct place *p)
{
    bool fails = p->worst && (int)p->worst->severity >= all->fail_on;
    if (fails)
        return v->state == STATE_WITHDRAWN ? ENDING_SKIPPED : ENDING_FAILURE;
    return p->worst || p->passed ? ENDING_PASS : ENDING_SKIPPED;
}

static void put_junit_finding(struct buf *out, const struct check_result *c)
{
    put_escaped(out, file_of_finding(c));
    if (c->line)
        buf_printf(out, ":%d", c->line);
    if (c->line && c->column)
        buf_printf(out, ":%d", c->column);
    buf_printf(out, ": %s: ", severity_name(c->severity));
    put_escaped(out, c->message);
    if (c->stated && c->expected) {
        buf_str(out, " (stated ");
        put_escaped(out, c->stated);
        buf_str(out, ", expected ");
        put_escaped(out, c->expected);
        buf_char(out, ')');
    }
    buf_char(out, '\n');
}

static void put_junit_findings(const struct verdict *v, const struct place *p, struct buf *out)
{
    for (const struct check_result *c = p->first; c < v->checks + v->n_checks; c++)
        if (c->outcome == OUTCOME_FAIL && is_same_place(c, p->first))
            put_junit_finding(out, c);
        else if (strcmp(c->rule, p->first->rule) != 0)
            break;
}

static const char *rule_title(const char *id)
{
    const struct rule *r = rule_find(id);
    const struct mlperf_rule *m = r ? NULL : mlperf_rule_find(id);
    return r ? r->title.en : m ? m->title.en : "";
}

/* Which place of its rule in its file this is, from 1: lines move, their order seldom does. The
 * results of a rule are neighbours. */
static size_t place_number(const struct verdict *v, const struct check_result *c)
{
    size_t n = 1;
    struct place p;
    for (size_t i = (size_t)(c - v->checks); i > 0; i--) {
        const struct check_result *x = &v->checks[i - 1];
        if (strcmp(x->rule, c->rule) != 0)
            break;
        n += !x->row && x->line && strcmp(file_of_finding(x), file_of_finding(c)) == 0 &&
             read_junit_place(v, i - 1, &p);
    }
    return n;
}

static void put_case_head(const struct verdict *v, const struct check_result *c, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    bool elsewhere = !v->file || strcmp(file_of_finding(c), v->file) != 0;
    const char *file = elsewhere ? arena_printf(&scratch, ", %s", file_of_finding(c)) : "";
    const char *place = c->row ? arena_printf(&scratch, ", row %d.%d", c->table, c->row)
                        : c->line
                            ? arena_printf(&scratch, "%s, place %zu", file, place_number(v, c))
                            : file;
    buf_str(out, "    <testcase");
    put_attribute(out, "classname", v->id);
    put_attribute(out, "name",
                  arena_printf(&scratch, "%s %s%s", c->rule, rule_title(c->rule), place));
    put_attribute(out, "file", file_of_finding(c));
    if (c->line)
        buf_printf(out, " line=\"%d\"", c->line);
    buf_str(out, " time=\"0\"");
    arena_release(&scratch);
}

static void put_skipped(const struct verdict *v, const struct place *p, struct buf *out)
{
    buf_str(out, "      <skipped");
    put_attribute(out, "message",
                  v->state == STATE_WITHDRAWN ? "the result is withdrawn" : p->first->message);
    buf_str(out, "/>\n");
}

static void put_case(const struct verdict *v, const struct place *p, enum ending ending,
                     struct buf *out)
{
    put_case_head(v, p->first, out);
    if (ending == ENDING_PASS && !p->worst) {
        buf_str(out, "/>\n");
        return;
    }
    buf_str(out, ">\n");
    if (ending == ENDING_FAILURE) {
        buf_printf(out, "      <failure type=\"%s\"", severity_name(p->worst->severity));
        put_attribute(out, "message", p->worst->message);
        buf_char(out, '>');
        put_junit_findings(v, p, out);
        buf_str(out, "</failure>\n");
    }
    if (ending == ENDING_SKIPPED)
        put_skipped(v, p, out);
    if (ending != ENDING_FAILURE && p->worst) {
        buf_str(out, "      <system-out>");
        put_junit_findings(v, p, out);
        buf_str(out, "</system-out>\n");
    }
    buf_str(out, "    </testcase>\n");
}

struct counts {
    size_t tests, failures, errors, skipped;
};

static void put_junit_counts(const struct counts *n, struct buf *out)
{
    buf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
               n->tests, n->failures, n->errors, n->skipped);
}

static struct counts count_cases(const struct verdicts *all, const struct verdict *v)
{
    struct counts n = {0};
    struct place p;
    for (size_t i = 0; i < v->n_checks; i++) {
        if (!read_junit_place(v, i, &p))
            continue;
        enum ending ending = ending_of(all, v, &p);
        n.tests++;
        n.failures += ending == ENDING_FAILURE;
        n.skipped += ending == ENDING_SKIPPED;
    }
    return n;
}

static void put_property(const char *name, const char *value, struct buf *out)
{
    buf_printf(out, "      <property name=\"%s\"", name);
    put_attribute(out, "value", value);
    buf_str(out, "/>\n");
}

static void put_suite(const struct verdicts *all, const struct verdict *v, struct buf *out)
{
    struct counts n = count_cases(all, v);
    struct place p;
    buf_str(out, "  <testsuite");
    put_attribute(out, "name", v->id);
    put_junit_counts(&n, out);
    buf_str(out, "    <properties>\n");
    put_property("state", state_name(v->state), out);
    put_property("tool", "fpreport " FPREPORT_VERSION, out);
    put_property("rules", rules_version(all->rules), out);
    if (v->only)
        put_property("only", v->only, out);
    buf_str(out, "    </properties>\n");
    for (size_t i = 0; i < v->n_checks; i++)
        if (read_junit_place(v, i, &p))
            put_case(v, &p, ending_of(all, v, &p), out);
    buf_str(out, "  </testsuite>\n");
}

/* One testcase per input that has errors. */
static bool is_first_fault(const struct diags *d, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (d->items[i].severity == SEVERITY_ERROR &&
            strcmp(d->items[i].file, d->items[at].file) == 0)
            return false;
    return d->items[at].severity == SEVERITY_ERROR;
}

static size_t count_faults(const struct diags *d)
{
    size_t n = 0;
    for (size_t i = 0; d && i < d->n; i++)
        n += is_first_fault(d, i);
    return n;
}

static void put_fault(const struct diags *d, size_t at, struct buf *out)
{
    const struct diag *first = &d->items[at];
    buf_str(out, "    <testcase classname=\"input\"");
    put_attribute(out, "name", first->file);
    buf_str(out, " time=\"0\">\n      <error type=\"input\"");
    put_attribute(out, "message", first->message);
    buf_char(out, '>');
    for (size_t i = at; i < d->n; i++) {
        const struct diag *x = &d->items[i];
        if (x->severity != SEVERITY_ERROR || strcmp(x->file, first->file) != 0)
            continue;
        put_escaped(out, x->file);
        if (x->line)
            buf_printf(out, ":%d:%d", x->line, x->col);
        buf_str(out, ": ");
        put_escaped(out, x->message);
        buf_char(out, '\n');
    }
    buf_str(out, "</error>\n    </testcase>\n");
}

static void put_faults(const struct diags *d, struct buf *out)
{
    size_t n = count_faults(d);
    if (!n)
        return;
    buf_str(out, "  <testsuite name=\"input\"");
    put_junit_counts(&(struct counts){.tests = n, .errors = n}, out);
    for (size_t i = 0; i < d->n; i++)
        if (is_first_fault(d, i))
            put_fault(d, i, out);
    buf_str(out, "  </testsuite>\n");
}

void verdicts_junit(const struct verdicts *v, struct buf *out)
{
    struct counts sum = {0};
    for (size_t i = 0; i < v->n; i++) {
        struct counts n = count_cases(v, &v->items[i]);
        sum.tests += n.tests;
        sum.failures += n.failures;
        sum.skipped += n.skipped;
    }
    sum.errors = count_faults(v->faults);
    sum.tests += sum.errors;
    buf_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fpreport\"");
    put_junit_counts(&sum, out);
    for (size_t i = 0; i < v->n; i++)
        put_suite(v, &v->items[i], out);
    if (v->faults)
        put_faults(v->faults, out);
    buf_str(out, "</testsuites>\n");
}
