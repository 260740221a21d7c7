/* explain_example: the example of a rule, made and put to the checker (verifier/claims/rule.h).
 */
#pragma once

#include "cli/cli.h"

#include "base/records/verdict.h"
#include "verifier/claims/rule.h"

struct explain_example {
    const char *file; /* that is changed, as findings name it */
    int line;         /* of the change */
    struct verdict verdict;
};

/* `e` NULL: nothing is changed in page (EXAMPLE_PAGE) or submission (any other `in`). ERR_INPUT
 * when templates/explain/ is not there or does not hold what is to be changed. */
int explain_example_run(struct cli *cli, const struct rule_example *e, enum example_in in,
                        struct explain_example *out, struct err *err);
