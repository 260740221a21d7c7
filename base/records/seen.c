#include "base/records/seen.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *seen_name(const char *log, struct arena *arena)
{
    static const char ending[] = ".log";
    if (!text_ends(log, ending))
        return NULL;
    return arena_printf(arena, "%.*s" SEEN_ENDING, (int)(strlen(log) - strlen(ending)), log);
}

/* "120 1795784096353"; false: it is none. */
static bool read_seen_entry(const char *text, size_t n, long long *lines, long long *ms)
{
    char entry[48];
    int end = 0;
    if (n >= sizeof entry)
        return false;
    memcpy(entry, text, n);
    entry[n] = '\0';
    return sscanf(entry, "%18lld %18lld%n", lines, ms, &end) == 2 && !entry[end] && *lines > 0 &&
           *ms > 0;
}

double seen_line_ms(struct bytes seen, int line, size_t *at)
{
    while (*at < seen.len) {
        const char *text = seen.data + *at;
        const char *end = memchr(text, '\n', seen.len - *at);
        long long lines, ms;
        if (!end || !read_seen_entry(text, (size_t)(end - text), &lines, &ms))
            return NAN;
        if (lines >= line)
            return (double)ms;
        *at += (size_t)(end - text) + 1;
    }
    return NAN;
}
