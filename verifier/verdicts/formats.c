/* verdict_formats: the formats, and what more than one of them counts. */
#include "verifier/verdicts/verdicts.h"

#include <string.h>

const struct verdict_format verdict_formats[] = {
    {"text", "for people, 80 columns", verdicts_text},
    {"json", "schema fpreport.verify/1", verdicts_json},
    {"junit", "JUnit XML, for test reports", verdicts_junit},
    {"sarif", "SARIF 2.1.0, for code scanning", verdicts_sarif},
    {NULL, NULL, NULL},
};

size_t verdict_claimed(const struct verdict *v, size_t *recomputed)
{
    size_t claimed = 0;
    *recomputed = 0;
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        claimed += m->claimed;
        *recomputed += m->claimed && m->found && m->source && strcmp(m->source, "evidence") == 0;
    }
    return claimed;
}

bool verdict_fails(const struct verdict *v, int fail_on)
{
    const struct check_result *worst = verdict_worst(v);
    return worst && v->state != STATE_WITHDRAWN && (int)worst->severity >= fail_on;
}

const struct check_result *verdict_worst(const struct verdict *v)
{
    const struct check_result *worst = NULL;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (c->outcome == OUTCOME_FAIL && (!worst || c->severity > worst->severity))
            worst = c;
    }
    return worst;
}
