/* FP7014: Every system has a description with all its fields */
#include "verifier/checks/mlperf/mlperf_rule.h"

#include <string.h>

static void check_package_systems(struct mlperf_package_audit *p)
{
    const struct mlperf_package *package = p->package;
    for (size_t i = 0; i < package->n_descriptions; i++) {
        const struct mlperf_file *file = &p->tree->files[package->descriptions[i]];
        const struct mlperf_system_facts *s = &file->facts.system;
        if (s->fault)
            mlperf_found(p->findings, p->arena, "FP7014", SEVERITY_ERROR, file->shown, 0, "%s",
                         s->fault);
        for (size_t j = 0; j < s->findings.n; j++)
            mlperf_found(p->findings, p->arena, "FP7014", s->findings.items[j].severity,
                         file->shown, 0, "%s", s->findings.items[j].message);
    }
    for (size_t i = 0; i < package->n_directories; i++) {
        const struct mlperf_directory *d = &package->directories[i];
        bool said = i > 0 && strcmp(d->system, d[-1].system) == 0;
        if (d->description == MLPERF_NO_FILE && d->description_shown && !said)
            mlperf_found(p->findings, p->arena, "FP7014", SEVERITY_ERROR, d->description_shown, 0,
                         "the package does not contain this file, which describes the system");
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the package does not contain this file, which describes the system",
     .zh = "结果包缺少这个描述系统的文件"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7014 = {
    .id = "FP7014",
    .severity = SEVERITY_ERROR,
    .also = ALSO_WARNING,
    .title = {"系统的描述", "Description of a system"},
    .statement = {"结果包必须为每个系统提供字段齐全的描述文件。",
                  "Every system of a package must have a description file with all required "
                  "fields."},
    .source = "mlcommons/logging 7bbf7926, system_desc_checker.py",
    .example = "found no field 'cooling'",
    .messages = messages,
    .package = check_package_systems,
};
