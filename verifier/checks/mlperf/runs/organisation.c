/* FP7030: submission_org names the package or its submitter */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "base/text.h"

#include <string.h>

static bool is_organisation_said(const struct mlperf_runs *r, size_t run)
{
    for (size_t i = 0; i < run; i++)
        if (r->runs[i].log->org && strcmp(r->runs[i].log->org, r->runs[run].log->org) == 0)
            return true;
    return false;
}

static void check_runs_organisation(struct mlperf_runs *r)
{
    const char *name = text_fold_letters(r->arena, r->package->name);
    const char *submitter = r->system && r->system->submitter ? r->system->submitter : "";
    for (size_t i = 0; i < r->n && *name; i++) {
        const char *org = r->runs[i].log->org;
        const char *short_org = org ? text_fold_letters(r->arena, org) : NULL;
        if (!org || is_organisation_said(r, i) || strcmp(short_org, name) == 0 ||
            strcmp(short_org, text_fold_letters(r->arena, submitter)) == 0)
            continue;
        mlperf_found(r->findings, r->arena, "FP7030",
                     strstr(short_org, "placeholder") ? SEVERITY_NOTICE : SEVERITY_WARNING,
                     r->directory->shown, 0,
                     "the log has submission_org '%s', but is in the package of %s", org,
                     r->package->name);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log has submission_org '%s', but is in the package of %s",
     .zh = "日志写的提交机构（submission_org）为“{1}”，但日志放在 {2} 的结果包中"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7030 = {
    .id = "FP7030",
    .severity = SEVERITY_WARNING,
    .also = ALSO_NOTICE,
    .title = {"日志所写的提交机构", "Organisation"},
    .statement = {"日志所写的 submission_org（提交机构），必须与结果包的目录名或提交者一致。",
                  "The field submission_org of a log must name the folder of its package or the "
                  "submitter."},
    .source = "mlcommons/logging 7bbf7926, issue 241",
    .example = "submission_org 'NVIDIA' in the package of Cisco",
    .messages = messages,
    .runs = check_runs_organisation,
};
