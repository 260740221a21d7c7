#include "verifier/logs/formats/progress_bar.h"

#include <math.h>

/* "00:24<", "9:14:53<", "1 day, 9:14:53<" is none: days are too rare to be read. */
static double elapsed_seconds(struct span s)
{
    double seconds = 0, part;
    for (size_t n; (n = span_number(s, &part)) != 0 && part >= 0 && part < 1e6;) {
        seconds = seconds * 60 + part;
        s = span_from(s, n);
        if (span_starts(s, "<"))
            return seconds;
        if (!span_starts(s, ":"))
            break;
        s = span_from(s, 1);
    }
    return NAN;
}

bool progress_bar_read(struct span s, struct progress_bar *out, struct span *rest)
{
    size_t n;
    if (!span_after(s, "%|", &s) || !span_after(s, "| ", &s))
        return false;
    n = span_number(s, &out->at);
    s = span_from(s, n);
    if (!n || !isfinite(out->at) || !span_starts(s, "/"))
        return false;
    n = span_number(span_from(s, 1), &out->of);
    s = span_trim(span_from(s, n + 1));
    *rest = s;
    out->elapsed = span_starts(s, "[") ? elapsed_seconds(span_from(s, 1)) : NAN;
    return n && isfinite(out->of) && span_starts(s, "[") && span_after(s, "]", rest);
}
