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
#include "base/calendar.h"
#include "base/store/store.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

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
static struct bound came(struct audit *a, const struct proof *p)
{
    const struct store *s = a->project->store;
    const struct store_item *item =
        s && !p->loose ? store_item_of(&s->index, p->submission.id) : NULL;
    const char *entered = item && item->added ? store_entry_day(item->added) : NULL;
    return (struct bound){time_of(entered) + CLOCK_SLACK_S,
                          sentence_say(a->arena, "its submission arrived in the archive on %.10s",
                                       entered ? entered : "")};
}

static struct bound published(struct audit *a)
{
    const char *day = a->project->dated;
    const char *end = day ? arena_printf(a->arena, "%sT23:59:59Z", day) : NULL;
    return (struct bound){time_of(end) + ZONE_SLACK_S,
                          sentence_say(a->arena, "the date in site.json is %s", day ? day : "")};
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
                ? sentence_say(a->arena, "%s is '%.*s', expected a time like 2026-11-20T22:42:21Z",
                               keys[i], text_cut(x->text, SHOWN_MAX), x->text)
                : sentence_say(a->arena,
                               "%s is not a text, expected a time like 2026-11-20T22:42:21Z",
                               keys[i]);
        proof_report(a, p, "run.json", OUTCOME_FAIL, said);
    }
}

static void check_date(struct audit *a, struct proof *p)
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
        proof_report(
            a, p, "run.json", OUTCOME_FAIL,
            sentence_say(a->arena, "the run ended on %.10s, expected 2017-01-01 or later", ended));
    else if (at > latest.at)
        proof_report(a, p, "run.json", OUTCOME_FAIL,
                     sentence_say(a->arena, "the run ended on %.10s, but %s", ended, latest.what));
    else if (!isnan(latest.at))
        proof_report(a, p, "run.json", OUTCOME_PASS,
                     sentence_say(a->arena, "the run ended on %.10s; %s", ended, latest.what));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "its submission arrived in the archive on %.10s",
     .zh = "这次运行的提交包于 {1} 进入归档库"},
    {.en = "the date in site.json is %s",
     .zh = "site.json 中的日期是 {1}"},
    {.en = "%s is '%.*s', expected a time like 2026-11-20T22:42:21Z",
     .zh = "run.json 的 {1} 是“{2}”，应为 2026-11-20T22:42:21Z 形式的时间"},
    {.en = "%s is not a text, expected a time like 2026-11-20T22:42:21Z",
     .zh = "run.json 的 {1} 不是文本，应为 2026-11-20T22:42:21Z 形式的时间"},
    {.en = "the run ended on %.10s, expected 2017-01-01 or later",
     .zh = "run.json 称运行结束于 {1}，应不早于 2017-01-01"},
    {.en = "the run ended on %.10s, but %s",
     .zh = "run.json 称运行结束于 {1}，但{2}"},
    {.en = "the run ended on %.10s; %s",
     .zh = "run.json 称运行结束于 {1}；{2}"},
    {NULL, NULL},
};

const struct rule rule_fp4016 = {
    .id = "FP4016",
    .kind = "evidence",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_RUN,
    .proof = check_date,
    .title = {.en = "Date on which the run ended", .zh = "运行结束的日期"},
    .statement = {.en = "A run must not end before 2017, after its submission arrived in the "
                        "archive, or after the date of the site in site.json.",
                  .zh = "运行结束的日期不得早于 2017 年，不得晚于这次运行的提交包进入归档库的时间，"
                        "也不得晚于 site.json 所写的网站日期。"},
    .why = {.en = "If a run states a date in 1970, nobody set the clock of its machine. If a run "
                  "states a date in the future, the run was invented, or the clock of its machine "
                  "is fast.",
            .zh = "如果运行的日期在 1970 年，说明机器的时钟从未校准。如果运行的日期在未来，那么不是"
                  "运行出于编造，就是机器的时钟偏快。"},
    .how = {.en = "A run must not end before 2017-01-01, more than 5 minutes after its first file "
                  "arrived in the archive, or, in any time zone, after the `date` of site.json. "
                  "This rule does not use the clock of the verifying machine, so a verdict never "
                  "changes with time.",
            .zh = "运行的结束时间不得早于 2017-01-01，也不得比运行的第一个文件进入归档库的时间晚 5 "
                  "分钟以上。运行的结束日期在任何时区都不得晚于 site.json 的 `date`（网站日期）。这"
                  "条规则不使用核验机器的时钟，因此检查的结论不随时间改变。"},
    .fix = {.en = "Set the clock of the machine and run the case again, or correct the `date` in "
                  "site.json.",
            .zh = "校准机器的时钟后重新运行用例，或改正 site.json 中的 `date`。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"finished\": \"2026-11-20T19:47:23Z\"",
                .changed = "\"finished\": \"2016-11-20T19:47:23Z\""},
};
/* clang-format on */
