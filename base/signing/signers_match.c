/* Which line admits a key (signers.h): patterns, namespaces, times, revocation. */
#include "base/signing/signers.h"

#include "base/sentence.h"

#include <string.h>
#include <time.h>

/* Does `text` fit the pattern of n bytes, in which * stands for any bytes and ? for one? Goes back
 * to the last * only, so that the time is that of the product of both lengths at most. */
static bool fits(const char *text, const char *pattern, size_t n)
{
    size_t at = 0, star = n;
    const char *kept = NULL;
    while (*text) {
        if (at < n && pattern[at] == '*') {
            star = at++;
            kept = text;
        } else if (at < n && (pattern[at] == '?' || pattern[at] == *text)) {
            at++;
            text++;
        } else if (kept) {
            at = star + 1;
            text = ++kept;
        } else {
            return false;
        }
    }
    while (at < n && pattern[at] == '*')
        at++;
    return at == n;
}

/* Patterns with commas between them; one with ! in front that fits excludes, wherever it stands. */
static bool fits_list(const char *text, const char *patterns)
{
    bool found = false;
    for (const char *at = patterns;; at++) {
        bool not = *at == '!';
        at += not ;
        size_t n = strcspn(at, ",");
        if (n && fits(text, at, n)) {
            if (not )
                return false;
            found = true;
        }
        at += n;
        if (!*at)
            return found;
    }
}

static const char *day(long long at, struct arena *arena)
{
    char text[32];
    time_t when = (time_t)at;
    struct tm utc;
    gmtime_r(&when, &utc); /* of a year of four digits */
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc);
    return sentence_say(arena, "%s UTC", text);
}

/* The first of a list that is no exception ("!acme"); its length in *n. */
static const char *first_name(const char *list, size_t *n)
{
    while (*list == '!')
        list += strcspn(list, ",") + (list[strcspn(list, ",")] == ',');
    *n = strcspn(list, ",");
    return list;
}

/* Why this line, which has the key, does not admit it; NULL: it does. */
static const char *objection(const struct signer *s, const struct signers_question *q,
                             struct arena *arena)
{
    const char *name = q->principal ? q->principal : signer_name(s, arena);
    if (!*signer_name(s, arena))
        return sentence_say(arena, "belongs to no signer: %s", s->principals);
    if (!fits_list(name, s->principals))
        return sentence_say(arena, "belongs to %s, not to %s", s->principals, name);
    if (s->namespaces && !fits_list(q->namespace, s->namespaces))
        return sentence_say(arena, "may sign for %s, not for %s", s->namespaces, q->namespace);
    if ((s->after || s->before) && !q->at)
        return "has a limited validity period, but the statement has no end time";
    if (s->after && q->at < s->after)
        return sentence_say(arena, "is valid from %s on, but not on %s", day(s->after, arena),
                            day(q->at, arena));
    if (s->before && q->at > s->before)
        return sentence_say(arena, "was valid until %s, but not on %s", day(s->before, arena),
                            day(q->at, arena));
    return NULL;
}

const struct signer *signers_find(const struct signers *s, const struct signers_question *q,
                                  struct arena *arena, const char **why)
{
    *why = sentence_say(arena, "is not among the keys of %s", s->file);
    for (size_t i = 0; i < s->n_revoked; i++)
        if (sshkey_same(&s->revoked[i], q->key)) {
            *why = "is revoked";
            return NULL;
        }
    for (size_t i = 0; i < s->n; i++) {
        const struct signer *x = &s->items[i];
        if (x->authority || !x->key.usable || !sshkey_same(&x->key, q->key))
            continue;
        const char *against = objection(x, q, arena);
        if (!against)
            return x;
        *why = against;
    }
    return NULL;
}

const char *signer_name(const struct signer *s, struct arena *arena)
{
    size_t n;
    const char *name = first_name(s->principals, &n);
    return arena_strndup(arena, name, n);
}

/* The next `n` digits as a number. */
static int match_digits(const char **at, size_t n)
{
    int value = 0;
    for (size_t i = 0; i < n; i++, ++*at)
        value = value * 10 + (**at - '0');
    return value;
}

bool signers_time(const char *text, long long *out)
{
    struct tm t = {0}, back;
    const char *at = text;
    size_t n = strspn(text, "0123456789");
    if ((n != 8 && n != 12 && n != 14) || (text[n] && strcmp(text + n, "Z") != 0))
        return false;
    t.tm_year = match_digits(&at, 4) - 1900;
    t.tm_mon = match_digits(&at, 2) - 1;
    t.tm_mday = match_digits(&at, 2);
    if (n > 8) {
        t.tm_hour = match_digits(&at, 2);
        t.tm_min = match_digits(&at, 2);
    }
    if (n > 12)
        t.tm_sec = match_digits(&at, 2);
    back = t;
    *out = (long long)timegm(&back);
    /* What is too large is carried into the next larger one. A leap second is too large as well:
     * seconds since 1970 have no number for it. */
    return t.tm_year == back.tm_year && t.tm_mon == back.tm_mon && t.tm_mday == back.tm_mday &&
           t.tm_hour == back.tm_hour && t.tm_min == back.tm_min && t.tm_sec == back.tm_sec &&
           *out > 0;
}
