/* ruleset_set: compiles one set of a rule file. Included by the files of ruleset.h only. */
#pragma once

#include "verifier/mlperf/rules/ruleset.h"

/* Everything but the sets that it includes, which may stand below it: false after a diagnostic. */
bool ruleset_set_compile(struct rule_compiler *c, const struct json *json, struct mlperf_set *out);

/* Finds the sets that it includes. */
bool ruleset_set_link(struct rule_compiler *c, const struct json *json,
                      const struct mlperf_ruleset *rules, struct mlperf_set *set);
