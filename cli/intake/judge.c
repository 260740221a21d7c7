#include "cli/intake/judge.h"

#include "verifier/checks/list.h"
#include "verifier/checks/rules.h"

static void say_fault(struct cli *cli, const char *file, const struct check_result *check)
{
    const struct rule *rule = rule_find(check->rule);
    const char *line = check->line ? arena_printf(&cli->arena, ":%d", check->line) : "";
    cli_warn(cli, "%s%s: %s [%s]", check->file ? check->file : file, line, check->message,
             check->rule);
    if (rule && rule_fix(rule, check))
        cli_note(cli, "  help: %s", rule_fix(rule, check));
}

int judge_before_writing(struct cli *cli, const char *file, const struct verdict *v)
{
    size_t errors = 0;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (c->outcome != OUTCOME_FAIL || c->severity != SEVERITY_ERROR || c->informational)
            continue;
        say_fault(cli, file, c);
        errors++;
    }
    if (errors && !cli->opt.force)
        cli_note(cli,
                 "nothing was written: %zu error%s; --force writes the record anyway, with "
                 "the state failed",
                 errors, errors == 1 ? "" : "s");
    return errors && !cli->opt.force ? EXIT_CHECK : EXIT_AGREED;
}
