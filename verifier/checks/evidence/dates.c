/*
 * FP4016: can the run have ended on the day that it says?
 *
 * A time that is no time cannot: it would be held to nothing, and is found for itself.
 *
 * Nothing here asks the clock: a verdict is the same on every day. A run cannot have ended after
 * the archive got it, nor behind the day that the site is dated with; where neither is known there
 * is no end. A checkpoint says nothing more: what it covers came before it, and what came later has
 * its own day in the log. SOURCE_DATE_EPOCH is not asked: it is another one for each commit, and
 * with it each build would have to judge everything again.
 */
#include "verifier/checks/checks.h"

#include "base/calendar.h"
#include "base/store/store.h"
#include "base/text.h"
#include "verifier/proofs/proof.h"

#include <math.h>

/* What is trained today did not exist before: transformers are of that year. */
#define FIRST_SECOND "2017-01-01T00:00:00Z"

/* Clocks of two machines may be apart, and a date without a zone ends last 12 hours behind UTC. */
#define CLOCK_SLACK_S 300.0
#define ZONE_SLACK_S (12 * 3600.0)

#define SHOWN_MAX 40 /* bytes of what is no time */

struct bound {
    double at; /* Unix time; NaN: not known */
    const char *what;
};

static double time_of(const char *text)
{
    long long at;
    return text && calendar_time(text, &at) ? (double)at : NAN;
}

/* When the first file of this run came. */
static struct bound came(const struct audit *a, const struct proof *p)
{
    const struct store *s = a->project->store;
    const struct store_item *item =
        s && !p->loose ? store_item_of(&s->index, p->submission.id) : NULL;
    const char *entered = item && item->added ? store_entry_day(item->added) : NULL;
    return (struct bound){
        time_of(entered) + CLOCK_SLACK_S,
        arena_printf(a->arena, "it came to the archive on %.10s", entered ? entered : "")};
}

static struct bound published(const struct audit *a)
{
    const char *day = a->project->dated;
    const char *end = day ? arena_printf(a->arena, "%sT23:59:59Z", day) : NULL;
    return (struct bound){time_of(end) + ZONE_SLACK_S,
                          arena_printf(a->arena, "site.json is of %s", day ? day : "")};
}

static struct bound sooner(struct bound a, struct bound b)
{
    return isnan(a.at) || b.at < a.at ? b : a;
}

/* A time that nobody can read is held to nothing. */
static void judge_forms(struct audit *a, const struct proof *p)
{
    static const char *const keys[] = {"started", "finished"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct json *x = json_get(p->run, keys[i]);
        if (!x || x->kind == JSON_NULL || !isnan(proof_time(p, keys[i])))
            continue;
        const char *said =
            x->kind == JSON_STRING
                ? arena_printf(a->arena,
                               "%s is '%.*s', expected a time such as 2026-11-20T22:42:21Z",
                               keys[i], text_cut(x->text, SHOWN_MAX), x->text)
                : arena_printf(a->arena,
                               "%s is no text, expected a time such as 2026-11-20T22:42:21Z",
                               keys[i]);
        proof_report(a, p, "run.json", OUTCOME_FAIL, said);
    }
}

void check_date(struct audit *a, struct proof *p)
{
    const char *ended = json_get_text(p->run, "finished", "");
    double at = proof_time(p, "finished");
    if (!p->opened)
        return;
    judge_forms(a, p);
    if (isnan(at))
        return;
    const struct bound latest = sooner(came(a, p), published(a));
    if (at < time_of(FIRST_SECOND))
        proof_report(a, p, "run.json", OUTCOME_FAIL,
                     arena_printf(a->arena,
                                  "the run ended on %.10s, expected a day from 2017-01-01 on",
                                  ended));
    else if (at > latest.at)
        proof_report(a, p, "run.json", OUTCOME_FAIL,
                     arena_printf(a->arena, "the run ended on %.10s, but %s", ended, latest.what));
    else if (!isnan(latest.at))
        proof_report(a, p, "run.json", OUTCOME_PASS,
                     arena_printf(a->arena, "the run ended on %.10s; %s", ended, latest.what));
}
