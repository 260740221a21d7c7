#include "verifier/logs/log_dates.h"

#include "base/calendar.h"
#include "base/text.h"
#include "verifier/logs/log_prefix.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

struct date_parts {
    int year, month, day, hour, minute, second;
};

/* A letter stands for as many digits as it is repeated: Y, M, D of the date, h, m, s of the time;
 * N for the name of a month; '_' for a blank, 'T', '_' or '-'; a blank for one or two blanks. */
static const char *const date_shapes[] = {
    "YYYY-MM-DD_hh:mm:ss",  "YYYY/MM/DD_hh:mm:ss", "MM/DD/YYYY_hh:mm:ss",  "DD/MM/YYYY_hh:mm:ss",
    "YY/MM/DD_hh:mm:ss",    "MM/DD/YY_hh:mm:ss",   "DD.MM.YYYY_hh:mm:ss",  "YYYY.MM.DD_hh:mm:ss",
    "YYYYMMDD_hh:mm:ss",    "YYYYMMDD_hhmmss",     "NNN DD hh:mm:ss YYYY", "NNN D hh:mm:ss YYYY",
    "NNN DD hh:mm:ss",      "NNN D hh:mm:ss",      "DD NNN YYYY_hh:mm:ss", "DD-NNN-YYYY_hh:mm:ss",
    "DD/NNN/YYYY:hh:mm:ss",
};

#define GLOG_SHAPE "MMDD hh:mm:ss"

static int month_of(struct span s)
{
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    for (int i = 0; s.n >= 3 && i < 12; i++)
        if (tolower((unsigned char)s.p[0]) == names[3 * i] &&
            tolower((unsigned char)s.p[1]) == names[3 * i + 1] &&
            tolower((unsigned char)s.p[2]) == names[3 * i + 2])
            return i + 1;
    return 0;
}

static int *date_part(struct date_parts *d, char letter)
{
    switch (letter) {
    case 'Y':
        return &d->year;
    case 'M':
        return &d->month;
    case 'D':
        return &d->day;
    case 'h':
        return &d->hour;
    case 'm':
        return &d->minute;
    case 's':
        return &d->second;
    default:
        return NULL;
    }
}

/* The bytes of one letter of a shape; 0: it is not this. */
static size_t read_shape_letter(struct span s, char letter, struct date_parts *d)
{
    int *part = date_part(d, letter);
    if (!s.n)
        return 0;
    if (part && text_is_digit(s.p[0])) {
        *part = *part * 10 + (s.p[0] - '0');
        return 1;
    }
    if (part)
        return 0;
    if (letter == ' ')
        return s.p[0] == ' ' ? 1 + span_starts(span_from(s, 1), " ") : 0;
    if (letter == '_')
        return s.p[0] && strchr(" T_-", s.p[0]) ? 1 : 0;
    return s.p[0] == letter;
}

/* Does the line begin with this shape, and with no digit behind it? */
static bool read_shape(struct span s, const char *shape, struct date_parts *d)
{
    *d = (struct date_parts){0};
    for (const char *x = shape; *x;) {
        size_t n;
        if (strncmp(x, "NNN", 3) == 0) {
            d->month = month_of(s);
            n = d->month ? 3 : 0;
            x += 3;
        } else {
            n = read_shape_letter(s, *x++, d);
        }
        if (!n)
            return false;
        s = span_from(s, n);
    }
    return !s.n || !text_is_digit(s.p[0]);
}

static double unix_time(const struct date_parts *d, int year)
{
    char text[48];
    long long seconds;
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, d->month, d->day, d->hour,
             d->minute, d->second);
    return year > 0 && year <= 9999 && calendar_time(text, &seconds) ? (double)seconds : NAN;
}

static int year_of(double near)
{
    time_t at = (time_t)near;
    struct tm utc;
    return gmtime_r(&at, &utc) ? utc.tm_year + 1900 : 1970;
}

/* A date without a year is of the year that brings it nearest. */
static double nearest(const struct date_parts *d, double near)
{
    double best = NAN;
    for (int year = year_of(near) - 1; year <= year_of(near) + 1; year++) {
        double at = unix_time(d, year);
        if (!isnan(at) && !(fabs(at - near) >= fabs(best - near)))
            best = at;
    }
    return best;
}

static size_t add_shape(struct span s, const char *shape, double near, double *dates, size_t n)
{
    struct date_parts d;
    if (n == LOG_DATES_MAX || !read_shape(s, shape, &d))
        return n;
    double at = !strchr(shape, 'Y')                      ? nearest(&d, near)
                : d.year < 100 && !strstr(shape, "YYYY") ? unix_time(&d, 2000 + d.year)
                                                         : unix_time(&d, d.year);
    if (isnan(at))
        return n;
    dates[n] = at;
    return n + 1;
}

static bool is_weekday(struct span s)
{
    static const char *const days[] = {"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        if (span_starts(s, days[i]))
            return true;
    return false;
}

static size_t shaped_dates(struct span s, double near, double *dates)
{
    size_t n = 0;
    if (s.n && strchr("[(", s.p[0]) && s.p[0])
        s = span_from(s, 1);
    if (is_weekday(s))
        s = span_from(s, 4);
    if (!s.n || !isalnum((unsigned char)s.p[0]))
        return 0;
    if (strchr("IWEF", s.p[0]))
        n = add_shape(span_from(s, 1), GLOG_SHAPE, near, dates, 0);
    for (size_t i = 0; i < sizeof date_shapes / sizeof *date_shapes; i++)
        n = add_shape(s, date_shapes[i], near, dates, n);
    return n;
}

/* ---- behind a word --------------------------------------------------------------------------- */

/* Seconds or milliseconds of the Unix time, of this century's first half. */
static size_t epoch_date(struct span s, double *dates)
{
    size_t n = 0;
    double value = 0;
    while (n < s.n && n < 14 && text_is_digit(s.p[n]))
        value = value * 10 + (s.p[n++] - '0');
    if (n != 10 && n != 13)
        return 0;
    dates[0] = n == 13 ? value / 1000 : value;
    return dates[0] > 946684800 && dates[0] < 2524608000;
}

static const struct {
    const char *word;
    const char *line; /* that the line has, too; NULL */
} date_words[] = {
    {"datetime", NULL}, {"timestamp", NULL}, {"asctime", NULL},
    {"ts", NULL},       {"time", NULL},      {"run-", "wandb"},
};

/* What follows a word that a sign divides from its value: quotes, blanks, and one ':' or '=' of
 * them; n 0: nothing does. */
static struct span behind_sign(struct span s)
{
    bool sign = false;
    while (s.n && s.p[0] && strchr("\"':= [(", s.p[0])) {
        sign |= s.p[0] == ':' || s.p[0] == '=';
        s = span_from(s, 1);
    }
    return sign ? s : (struct span){s.p, 0};
}

/* "datetime: ", "\"timestamp\": ", "ts=", "run-": the rest behind the first of them, or nothing. */
static struct span behind_date_word(struct span line, const char *word)
{
    size_t n = strlen(word);
    struct span left = line;
    for (size_t at; at = span_find(left, word), at < left.n; left = span_from(left, at + n)) {
        const char *p = left.p + at;
        struct span rest = span_from(left, at + n);
        if (p > line.p && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))
            continue;
        rest = word[n - 1] == '-' ? rest : behind_sign(rest);
        if (rest.n)
            return rest;
    }
    return (struct span){line.p, 0};
}

static size_t worded_dates(struct span line, double near, double *dates)
{
    size_t n = 0;
    for (size_t i = 0; n == 0 && i < sizeof date_words / sizeof *date_words; i++) {
        const char *with = date_words[i].line;
        if (with && span_find(line, with) == line.n)
            continue;
        struct span rest = behind_date_word(line, date_words[i].word);
        n = shaped_dates(rest, near, dates);
        n = n ? n : epoch_date(rest, dates);
    }
    return n;
}

size_t log_dates(struct span line, double near, double dates[LOG_DATES_MAX])
{
    struct span s = span_trim(line);
    short rank = 0;
    size_t n = shaped_dates(s, near, dates);
    for (int i = 0; n == 0 && i < LOG_PREFIXES_MAX && log_prefix_drop(&s, &rank); i++) {
        s = span_trim(s);
        n = shaped_dates(s, near, dates);
    }
    return n ? n : worded_dates(line, near, dates);
}
