#include "collector/store/clock.h"

#include "base/calendar.h"
#include "base/clock.h"
#include "base/text.h"

#include <string.h>
#include <time.h>

#define FIRST_YEAR_BEGAN 1577836800LL /* 2020: this program is younger */

static const char *day_of_clock(const struct store *s, long long at)
{
    char *text = arena_alloc(s->arena, STORE_TIME_SIZE);
    store_time_write(at, text);
    return text;
}

/* How far apart two times are: "3 days", "7 minutes". */
static const char *interval_text(const struct store *s, long long seconds)
{
    return seconds >= 2 * 86400
               ? text_count(s->arena, (unsigned long long)seconds / 86400, "day", "days")
               : text_count(s->arena, (unsigned long long)seconds / 60, "minute", "minutes");
}

static const struct store_entry *last_entry(const struct store *s)
{
    return s->log.n ? &s->log.entries[s->log.n - 1] : NULL;
}

static long long now_of(const struct store *s)
{
    return s->now ? s->now : (long long)time(NULL);
}

int store_clock_check(const struct store *s, struct err *err)
{
    const struct store_entry *last = last_entry(s);
    const long long now = now_of(s);
    long long day = now;
    if (last)
        calendar_time(store_entry_day(last), &day);
    /* Can it be as late as the clock says, so long before or after the last entry? What a clock
     * says once stays in the log for good, and decides which keys counted. */
    const char *says = day_of_clock(s, now);
    if (now < FIRST_YEAR_BEGAN || now >= CLOCK_END)
        return err_set(err, ERR_USAGE,
                       "%s: nothing was written: the clock of this machine shows %s, expected 2020 "
                       "or later; set the clock",
                       s->root, *says ? says : "a time that has no date");
    bool behind = day - now > STORE_CLOCK_SLACK;
    if (s->trust_clock || (!behind && now - day <= STORE_CLOCK_GAP))
        return 0;
    return err_set(
        err, ERR_USAGE,
        "%s: nothing was written: the clock of this machine shows %s, %s %s the last entry of the "
        "log (line %zu, %s); set the clock or, if it is right, pass --trust-clock",
        s->root, says, interval_text(s, behind ? day - now : now - day),
        behind ? "before" : "after", s->log.lines, day_of_clock(s, day));
}

void store_clock_set(const struct store *s, struct store_entry *e)
{
    const struct store_entry *last = last_entry(s);
    const long long now = now_of(s);
    long long before;
    e->time = day_of_clock(s, now);
    if (!last || strcmp(e->time, last->time) >= 0)
        return;
    if (calendar_time(last->time, &before) && before - now > STORE_CLOCK_SLACK)
        e->clock = e->time;
    e->time = last->time;
}
