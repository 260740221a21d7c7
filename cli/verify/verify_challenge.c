#include "cli/verify/verify_challenge.h"

#include "base/signing/signers.h"
#include "cli/archive/archive.h"
#include "cli/intake/inputs.h"
#include "cli/reproduce/retrain.h"
#include "verifier/checks/rules.h"
#include "verifier/verify.h"

#include <string.h>

#define ANSWERS "FP6001"

/* Is anything gained by training? Not where the submission cannot be read, which is said when all
 * rules look at it, or answers another challenge. */
static bool answers(struct cli *cli, const struct project *p, const char *submission)
{
    const char *only[] = {ANSWERS};
    const struct rules rules = {.only = only, .n_only = 1};
    struct err unread = ERR_INIT;
    struct verdict v;
    if (verify_archive(p, &rules, submission, &cli->arena, &v, &unread) < 0)
        return false;
    for (size_t i = 0; i < v.n_checks; i++)
        if (strcmp(v.checks[i].rule, ANSWERS) == 0)
            return v.checks[i].outcome == OUTCOME_PASS;
    return false;
}

int cli_verify_challenge(struct cli *cli, struct project *p)
{
    const struct options *o = &cli->opt;
    if (!o->challenge)
        return o->steps || o->minutes
                   ? cli_usage(cli, "--%s needs --challenge", o->steps ? "steps" : "minutes")
                   : EXIT_AGREED;
    const char *archived = cli->n_args == 1 ? cli_archive_find(cli, p, cli->args[0]) : NULL;
    if (cli->n_args != 1 || (!archived && input_by_name(cli, cli->args[0]) != INPUT_SUBMISSION))
        return cli_usage(cli, "--challenge: expected one submission (.tar.zst)");
    struct retrain *r = arena_alloc(&cli->arena, sizeof *r);
    int code = retrain_read(cli, p, r);
    if (code)
        return code;
    p->retraining = &r->out;
    /* Where no --vendor is given, the challenge says whose signature it must be. */
    if (p->signers) {
        struct signers *s = arena_alloc(&cli->arena, sizeof *s);
        *s = *p->signers;
        s->principal = r->challenge.vendor;
        p->signers = s;
    }
    if (o->against)
        return retrain_take(r, o->against);
    return answers(cli, p, archived ? archived : cli->args[0]) ? retrain_run(r) : EXIT_AGREED;
}
