#include "cli/source_date.h"

#include <stdlib.h>
#include <time.h>

#define YEAR_9999 253402300799LL /* its last second: what RFC 3339 can write */

int source_date(struct cli *cli, long long *seconds)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    *seconds = -1;
    if (!text || !*text)
        return EXIT_AGREED;
    *seconds = strtoll(text, &end, 10);
    if (*end || *seconds < 0 || *seconds > YEAR_9999)
        return cli_usage(cli, "SOURCE_DATE_EPOCH: found '%s', expected seconds since 1970", text);
    return EXIT_AGREED;
}

int source_date_text(struct cli *cli, const char **text)
{
    long long seconds;
    struct tm utc;
    *text = NULL;
    if (source_date(cli, &seconds) != EXIT_AGREED)
        return EXIT_USAGE;
    if (seconds < 0)
        return EXIT_AGREED;
    time_t time = (time_t)seconds;
    gmtime_r(&time, &utc);
    *text = arena_printf(&cli->arena, "%04d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900,
                         utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
    return EXIT_AGREED;
}
