/* FP7030: submission_org names the package or its submitter */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <ctype.h>
#include <string.h>

/* Letters and digits alone, folded. */
static const char *folded(struct arena *arena, const char *text)
{
    char *copy = arena_strdup(arena, text), *to = copy;
    for (; *text; text++)
        if (isalnum((unsigned char)*text))
            *to++ = (char)tolower((unsigned char)*text);
    *to = '\0';
    return copy;
}

static bool is_organisation_said(const struct mlperf_runs *r, size_t run)
{
    for (size_t i = 0; i < run; i++)
        if (r->runs[i].log->org && strcmp(r->runs[i].log->org, r->runs[run].log->org) == 0)
            return true;
    return false;
}

static void check_runs_organisation(struct mlperf_runs *r)
{
    const char *name = folded(r->arena, r->package->name);
    const char *submitter = r->system && r->system->submitter ? r->system->submitter : "";
    for (size_t i = 0; i < r->n && *name; i++) {
        const char *org = r->runs[i].log->org;
        const char *short_org = org ? folded(r->arena, org) : NULL;
        if (!org || is_organisation_said(r, i) || strcmp(short_org, name) == 0 ||
            strcmp(short_org, folded(r->arena, submitter)) == 0)
            continue;
        mlperf_found(r->findings, r->arena, "FP7030",
                     strstr(short_org, "placeholder") ? SEVERITY_NOTICE : SEVERITY_WARNING,
                     r->directory->shown, 0,
                     "submission_org is '%s', but the package belongs to "
                     "%s",
                     org, r->package->name);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "submission_org is '%s', but the package belongs to %s",
     .zh = "submission_org 为“{1}”，但结果包属于 {2}"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7030 = {
    .id = "FP7030",
    .severity = SEVERITY_WARNING,
    .also = ALSO_NOTICE,
    .title = {"提交机构", "Organisation"},
    .statement = {"日志中的 submission_org 必须与提交包目录或提交者一致。",
                  "submission_org must name the package or its submitter."},
    .source = "mlcommons/logging 7bbf7926, issue 241",
    .example = "submission_org 'NVIDIA' in the package of Cisco",
    .messages = messages,
    .runs = check_runs_organisation,
};
