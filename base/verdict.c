#include "base/verdict.h"

const char *outcome_name(enum outcome o)
{
    static const char *const names[] = {
        [OUTCOME_PASS] = "PASS", [OUTCOME_FAIL] = "FAIL", [OUTCOME_CANNOT] = "CANNOT"};
    return names[o];
}

const char *state_name(enum state s)
{
    static const char *const names[] = {
        [STATE_VERIFIED] = "verified",     [STATE_PARTIAL] = "partial",
        [STATE_UNVERIFIED] = "unverified", [STATE_FAILED] = "failed",
        [STATE_WITHDRAWN] = "withdrawn",
    };
    return names[s];
}

size_t verdict_count(const struct verdict *v, enum outcome outcome, enum severity least)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_checks; i++)
        n += v->checks[i].outcome == outcome && v->checks[i].severity >= least;
    return n;
}
