#include "verifier/checks/mlperf/mlperf_rule.h"

extern const struct mlperf_rule mlperf_rule_fp7001, mlperf_rule_fp7002, mlperf_rule_fp7003,
    mlperf_rule_fp7010, mlperf_rule_fp7011, mlperf_rule_fp7012, mlperf_rule_fp7013,
    mlperf_rule_fp7014, mlperf_rule_fp7015, mlperf_rule_fp7016, mlperf_rule_fp7017,
    mlperf_rule_fp7020, mlperf_rule_fp7021, mlperf_rule_fp7022, mlperf_rule_fp7023,
    mlperf_rule_fp7024, mlperf_rule_fp7025, mlperf_rule_fp7026, mlperf_rule_fp7027,
    mlperf_rule_fp7028, mlperf_rule_fp7029, mlperf_rule_fp7030, mlperf_rule_fp7031,
    mlperf_rule_fp7032, mlperf_rule_fp7033, mlperf_rule_fp7034, mlperf_rule_fp7035,
    mlperf_rule_fp7036, mlperf_rule_fp7037, mlperf_rule_fp7038, mlperf_rule_fp7039,
    mlperf_rule_fp7040, mlperf_rule_fp7041;

static const struct mlperf_rule *const rules[] = {
    &mlperf_rule_fp7001, &mlperf_rule_fp7002, &mlperf_rule_fp7003, &mlperf_rule_fp7010,
    &mlperf_rule_fp7011, &mlperf_rule_fp7012, &mlperf_rule_fp7013, &mlperf_rule_fp7014,
    &mlperf_rule_fp7015, &mlperf_rule_fp7016, &mlperf_rule_fp7017, &mlperf_rule_fp7020,
    &mlperf_rule_fp7021, &mlperf_rule_fp7022, &mlperf_rule_fp7023, &mlperf_rule_fp7024,
    &mlperf_rule_fp7025, &mlperf_rule_fp7026, &mlperf_rule_fp7027, &mlperf_rule_fp7028,
    &mlperf_rule_fp7029, &mlperf_rule_fp7030, &mlperf_rule_fp7031, &mlperf_rule_fp7032,
    &mlperf_rule_fp7033, &mlperf_rule_fp7034, &mlperf_rule_fp7035, &mlperf_rule_fp7036,
    &mlperf_rule_fp7037, &mlperf_rule_fp7038, &mlperf_rule_fp7039, &mlperf_rule_fp7040,
    &mlperf_rule_fp7041,
};

const struct mlperf_rule *const *mlperf_rules(size_t *n)
{
    *n = sizeof rules / sizeof *rules;
    return rules;
}

const struct mlperf_rule *mlperf_rule_find(const char *id)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i]->id, id) == 0)
            return rules[i];
    return NULL;
}

const char *mlperf_rule_severities(const struct mlperf_rule *r, struct arena *arena)
{
    const char *text = severity_name(r->severity);
    for (int s = SEVERITY_ERROR; s >= SEVERITY_NOTICE; s--)
        if (r->also & (1U << s))
            text = arena_printf(arena, "%s or %s", text, severity_name((enum severity)s));
    return text;
}
