#include "verifier/checks/reproductions/findings.h"

void reproduction_report_faults(struct audit *a, const struct reproduction_proof *t,
                                enum reproduction_fault_kind kind, const char *otherwise)
{
    size_t i = 0, before = a->verdict->n_checks;
    for (const struct reproduction_fault *f; (f = reproduction_next_fault(t, kind, &i)) != NULL;) {
        struct check_result *r =
            audit_fail_at(a, f->line, "reproduction %s: %s", t->stated->id, f->message);
        r->file = f->file;
        audit_expect(r, f->stated, f->expected);
        r->informational = true;
    }
    if (a->verdict->n_checks == before)
        audit_pass(a, NULL, "reproduction %s: %s", t->stated->id, otherwise)->file =
            t->stated->file;
    for (size_t k = before; k < a->verdict->n_checks; k++) {
        a->verdict->checks[k].table = (int)t->stated->table;
        a->verdict->checks[k].row = (int)t->stated->row;
    }
}

static bool has_fault(const struct reproduction_proof *t, enum reproduction_fault_kind kind)
{
    size_t i = 0;
    return reproduction_next_fault(t, kind, &i);
}

void reproduction_report_measured(struct audit *a, const struct reproduction_proof *t,
                                  enum reproduction_fault_kind kind, const char *otherwise)
{
    if (t->measured.outcome || has_fault(t, kind))
        reproduction_report_faults(a, t, kind, otherwise);
    else
        audit_cannot(a, NULL, "reproduction %s: the run of the reproduction cannot be used",
                     t->stated->id)
            ->file = t->stated->file;
}

void reproduction_report_compared(struct audit *a, const struct reproduction_proof *t,
                                  enum reproduction_fault_kind kind, const char *otherwise)
{
    if (!has_fault(t, REPRODUCTION_REPLACED) || has_fault(t, kind))
        reproduction_report_measured(a, t, kind, otherwise);
    else
        audit_cannot(a, NULL,
                     "reproduction %s: the evidence of the original run is missing on this machine",
                     t->stated->id)
            ->file = t->stated->file;
}

/* clang-format off */
const struct words reproduction_messages[] = {
    {.en = "reproduction %s: %s",
     .zh = "复现 {1}：{2:said}"},
    {.en = "reproduction %s: the run of the reproduction cannot be used",
     .zh = "复现 {1}：复现的运行无法用于比较"},
    {.en = "reproduction %s: the evidence of the original run is missing on this machine",
     .zh = "复现 {1}：本次核验缺少原运行的证据"},
    {NULL, NULL},
};
/* clang-format on */
