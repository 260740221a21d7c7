#include "cli/intake/judge.h"

#include "verifier/checks/list.h"

int judge_before_writing(struct cli *cli, const char *file, const struct verdict *v)
{
    size_t errors = 0;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (c->outcome != OUTCOME_FAIL || c->severity != SEVERITY_ERROR || c->informational)
            continue;
        const struct rule *rule = rule_find(c->rule);
        const char *line = c->line ? arena_printf(&cli->arena, ":%d", c->line) : "";
        cli_warn(cli, "%s%s: %s [%s]", c->file ? c->file : file, line, c->message, c->rule);
        if (rule && rule_fix(rule, c))
            cli_note(cli, "  help: %s", rule_fix(rule, c));
        errors++;
    }
    if (errors && !cli->opt.force)
        cli_note(cli,
                 "nothing was written: %zu error%s; --force writes the record anyway, with "
                 "the state failed",
                 errors, errors == 1 ? "" : "s");
    return errors && !cli->opt.force ? EXIT_CHECK : EXIT_AGREED;
}
