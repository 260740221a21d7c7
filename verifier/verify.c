#include "verifier/verify.h"

#include "verifier/audit.h"
#include "verifier/checks.h"

#include <string.h>

static bool is_verified(const struct metric *m)
{
    return m->outcome == OUTCOME_PASS && m->source && strcmp(m->source, "evidence") == 0;
}

enum state verify_state(const struct verdict *v, bool withdrawn)
{
    size_t claimed = 0, verified = 0;
    if (withdrawn)
        return STATE_WITHDRAWN;
    if (verdict_count(v, OUTCOME_FAIL, SEVERITY_ERROR))
        return STATE_FAILED;
    for (size_t i = 0; i < v->n_metrics; i++) {
        claimed += v->metrics[i].claimed;
        verified += v->metrics[i].claimed && is_verified(&v->metrics[i]);
    }
    if (!verified)
        return STATE_UNVERIFIED;
    return verified == claimed ? STATE_VERIFIED : STATE_PARTIAL;
}

void verify_result(const struct project *project, const struct result *result, const char *records,
                   struct arena *arena, struct verdict *out)
{
    struct audit a = {.project = project,
                      .result = result,
                      .file = result->file,
                      .records = records ? records : project->root,
                      .arena = arena,
                      .verdict = out};
    *out = (struct verdict){.id = arena_printf(arena, "%s/%s", result->vendor, result->case_id),
                            .file = result->file,
                            .result = result};
    audit_open(&a);
    checks_run(&a);
    out->state = verify_state(out, result->withdrawn != NULL);
}
